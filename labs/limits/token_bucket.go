package limits

import (
	"seedbed/chapters/limiter"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// TokenBucket asks what a rate and a burst promise together, and whether five ways to count keep that promise alike.
var TokenBucket = &labs.Lab{
	ID: "token-bucket", Version: 1, Family: "limits", Input: true,
	Params: []labs.Param{
		{Name: "use", Choices: bucketKinds},
		{Name: "rate", Unit: labs.PerSecond, Min: 100, Max: 10_000_000, Default: 50_000, Log: true},
		{Name: "burst", Min: 1, Max: 100_000, Default: 100, Log: true},
		{Name: "start", Unit: labs.Seconds, Min: 0, Max: 50_000_000_000, Default: 1_000_000_000},
		{Name: "size", Min: 0, Max: 100_000, Default: 150},
		{Name: "offer", Unit: labs.PerSecond, Min: 0, Max: 1_000_000_000, Default: 200_000, Log: true},
		{Name: "traffic", Choices: []string{"steady", "poisson"}},
		{Name: "stale", Unit: labs.Millis, Min: 0, Max: 1_000_000_000, Default: 0},
		{Name: "length", Unit: labs.Seconds, Min: 100_000_000, Max: 100_000_000_000, Default: 5_000_000_000, Log: true},
	},
	Actions: []labs.Action{{Verb: "burst", Value: &labs.Param{Name: "requests", Min: 1, Max: 100_000, Default: 50}}},
	Checks: []labs.Check{
		{Name: "rate-plus-burst", Facts: []labs.Quantity{{Name: "excess"}}},
		{Name: "gcra-equals-bucket", Facts: []labs.Quantity{{Name: "admitted"}}},
		{Name: "retry-after-is-exact", Facts: []labs.Quantity{{Name: "retry", Unit: labs.Millis}, {Name: "too-late"}}},
	},
	Metrics: bucketMetrics(),
	Events: []labs.EventKind{
		{Name: "admit", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "left"}, Flow: labs.Pass},
		{Name: "refuse", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "retry", Unit: labs.Millis}, Flow: labs.Bounce},
		{Name: "queue", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "delay", Unit: labs.Millis}, Flow: labs.Wait},
		{Name: "serve", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waiting"}, Flow: labs.Leave},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "queue-smooths", Query: "use=queue"},
		{Name: "gcra", Query: "use=gcra&traffic=poisson"},
		{Name: "burst-of-one", Query: "burst=1&size=20&offer=60"},
		{Name: "stale-but-safe", Query: "use=gcra&rate=100&start=0&size=0&offer=10000&stale=10&length=1"},
		{Name: "float-drift", Query: "use=naive&rate=10&burst=1&start=0&size=0&offer=100&length=2", Breaks: "gcra-equals-bucket"},
		{Name: "stale-clock", Query: "use=naive&rate=100&start=0&size=0&offer=10000&stale=10&length=1", Breaks: "rate-plus-burst"},
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  bucketLayout,
	Start:   startTokenBucket,
}

// The codes of the lab's events and checks, in the order of the tables above.
const (
	bucketAdmit = iota
	bucketRefuse
	bucketQueue
	bucketServe
)

const (
	checkRatePlusBurst = iota
	checkGCRAEqualsBucket
	checkRetryIsExact
)

// The metrics: those of the judged algorithm, then two an algorithm.
const (
	bucketOffered = iota
	bucketAdmitted
	bucketRefused
	bucketAtOnce
	bucketSustained
	bucketLongestDelay
	bucketEach
)

func bucketMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "offered"}, {Name: "admitted"}, {Name: "refused"}, {Name: "at-once"},
		{Name: "sustained", Unit: labs.PerSecond}, {Name: "longest-delay", Unit: labs.Millis},
	}
	for _, k := range bucketKinds {
		m = append(m, labs.Quantity{Name: "admitted." + k}, labs.Quantity{Name: "memory." + k, Unit: labs.Bytes})
	}
	return m
}

// The columns: two of all, then three blocks with one column an algorithm, then how many wait in the queue.
const (
	bucketColumnOffered  = 0
	bucketColumnAllowed  = 1
	bucketColumnAdmitted = 2
	bucketColumnRefused  = bucketColumnAdmitted + nBucketKind
	bucketColumnTotal    = bucketColumnRefused + nBucketKind
	bucketColumnWaiting  = bucketColumnTotal + nBucketKind
)

func bucketLayout(c labs.Config) (l labs.Layout) {
	l.Record("offered", labs.Count, labs.Sum)
	l.Record("allowed", labs.Count, labs.Last)
	recordEach(&l, "admitted.", labs.Sum, bucketKinds)
	recordEach(&l, "refused.", labs.Sum, bucketKinds)
	recordEach(&l, "total.", labs.Last, bucketKinds)
	l.Record("waiting", labs.Count, labs.Peak)
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: 2})
	for i, k := range bucketKinds {
		e := labs.Entity{Name: k, Kind: labs.Limiter, Rank: 1, Row: i, Judged: k == c.Choice("use"), Passed: "admitted." + k, Refused: "refused." + k}
		if i == kindQueue {
			e.Kind, e.Level, e.Full = labs.Queue, "waiting", c.Int("burst")-1
		}
		l.Place(e, "client")
	}
	l.Place(labs.Entity{Name: "service", Kind: labs.Node, Rank: 2, Row: 2}, bucketKinds...)
	l.Plot("total", 0, append([]string{"allowed"}, prefixed("total.", bucketKinds)...)...)
	l.Plot("waiting", c.Int("burst")-1, "waiting")
	return l
}

// The kinds of simulated events.
const (
	bucketFlood = iota // A requests at once
	bucketArrival
	bucketServed // request A has waited its turn
	bucketLook   // the line of what is allowed is drawn on
)

// tokenBucket is the state of one run. It is one flat value: a copy is a checkpoint.
type tokenBucket struct {
	judged   int
	rate     int64 // thousandths per second
	burst    int64
	start    int64
	stale    int64
	lookGap  int64
	requests int64
	arrivals sim.Arrivals
	limiters buckets
	meter    meter // the judge of rate-plus-burst
	clock    int64 // newest timestamp that a limiter has seen
	instant  int64 // of the newest admission of the judged algorithm, and how many it admitted then
	atOnce   int64
	mostOnce int64
	admitted [nBucketKind]int64
	halfway  int64 // admissions of the judged algorithm in the first half of the flood
	waiting  int64
	longest  int64
}

func startTokenBucket(c labs.Config, env *labs.Env) labs.State {
	s := &tokenBucket{
		judged: int(c.Int("use")), rate: c.Int("rate"), burst: c.Int("burst"), start: c.Int("start"), stale: c.Int("stale"),
		lookGap: max(1, env.Horizon()/500),
	}
	s.limiters = newBuckets(limiter.Rate{N: s.rate, Per: nanosPerMilliRate}, s.burst, s.rate, env.Horizon())
	s.meter = meter{rate: s.rate, burst: s.burst}
	s.arrivals = sim.Arrivals{Pattern: sim.Steady, Start: s.start, Rate: c.Int("offer"), Stream: env.Stream("client")}
	if c.Choice("traffic") == "poisson" {
		s.arrivals.Pattern = sim.Poisson
	}
	if c.Input != nil {
		s.arrivals, s.start = sim.Arrivals{Pattern: sim.Log, Instant: c.Input}, 0
	} else if size := c.Int("size"); size > 0 {
		env.At(s.start, bucketFlood, 0, size, 0)
	}
	s.next(env)
	env.At(0, bucketLook, 0, 0, 0)
	return s
}

func (s *tokenBucket) next(env *labs.Env) {
	if at, n, ok := s.arrivals.Next(); ok {
		env.At(at, bucketArrival, 0, n, 0)
	}
}

// Handle lets requests arrive, or leave the queue, or draws the line of what is allowed.
func (s *tokenBucket) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case bucketFlood:
		s.arrive(env, e.A)
	case bucketArrival:
		s.arrive(env, e.A)
		s.next(env)
	case bucketServed:
		s.waiting--
		env.Set(bucketColumnWaiting, s.waiting)
		env.Emit(bucketServe, 1+kindQueue, e.A, s.waiting)
	case bucketLook:
		if env.Now() >= s.start {
			env.Set(bucketColumnAllowed, s.burst+perMilliRate(env.Now()-s.start, s.rate))
		}
		env.At(env.Now()+s.lookGap, bucketLook, 0, 0, 0)
	}
}

// Act sends a burst beside the configured traffic.
func (s *tokenBucket) Act(env *labs.Env, do labs.Do) { s.arrive(env, do.Value) }

func (s *tokenBucket) arrive(env *labs.Env, n int64) {
	env.Add(bucketColumnOffered, n)
	for range n {
		s.requests++
		s.request(env, s.requests)
	}
}

// request puts one request before all five. Every second one bears a stale timestamp when the clock is to be stale.
func (s *tokenBucket) request(env *labs.Env, id int64) {
	stamp := env.Now()
	if id%2 == 0 {
		stamp = max(0, stamp-s.stale)
	}
	s.clock = max(s.clock, stamp)
	before := s.limiters
	var decisions [nBucketKind]limiter.Decision
	for k := range decisions {
		decisions[k] = s.limiters.take(k, stamp)
		s.record(env, k, id, &decisions[k])
	}
	s.judge(env, id, stamp, &before, &decisions)
}

func (s *tokenBucket) record(env *labs.Env, k int, id int64, d *limiter.Decision) {
	if !d.OK {
		env.Add(bucketColumnRefused+k, 1)
		env.Emit(bucketRefuse, 1+k, id, d.RetryAfter)
		return
	}
	s.admitted[k]++
	env.Add(bucketColumnAdmitted+k, 1)
	env.Set(bucketColumnTotal+k, s.admitted[k])
	if k != kindQueue || d.Delay == 0 {
		env.Emit(bucketAdmit, 1+k, id, d.Remaining) // a queue with nobody in it serves at once
		return
	}
	s.waiting++
	s.longest = max(s.longest, d.Delay)
	env.Set(bucketColumnWaiting, s.waiting)
	env.Emit(bucketQueue, 1+k, id, d.Delay)
	env.At(env.Now()+d.Delay, bucketServed, 0, id, 0)
}

// judge holds the judged algorithm to the three checks. It is given the limiters as they were, to ask what a retry would get.
func (s *tokenBucket) judge(env *labs.Env, id, stamp int64, before *buckets, all *[nBucketKind]limiter.Decision) {
	d := &all[s.judged]
	twin := kindGCRA
	if s.judged == kindGCRA {
		twin = kindToken
	}
	if d.OK != all[twin].OK {
		env.Fail(checkGCRAEqualsBucket, id, labs.Bit(d.OK))
	}
	if !d.OK {
		if d.RetryAfter >= 0 {
			s.retry(env, id, stamp, d.RetryAfter, before)
		}
		return
	}
	if env.Now() != s.instant {
		s.instant, s.atOnce = env.Now(), 0
	}
	s.atOnce++
	s.mostOnce = max(s.mostOnce, s.atOnce)
	if env.Now() < s.start+(env.Horizon()-s.start)/2 {
		s.halfway++
	}
	if excess := s.meter.admit(s.clock); excess > 0 {
		env.Fail(checkRatePlusBurst, id, excess)
	}
}

// retry asks copies of the judged limiter: a nanosecond before the time that it named it must refuse, at that time admit.
func (s *tokenBucket) retry(env *labs.Env, id, stamp, after int64, before *buckets) {
	early, due := *before, *before
	if after > 0 && early.take(s.judged, stamp+after-1).OK {
		env.Fail(checkRetryIsExact, id, after, 0)
	}
	if !due.take(s.judged, stamp+after).OK {
		env.Fail(checkRetryIsExact, id, after, 1)
	}
}

// Finish measures.
func (s *tokenBucket) Finish(env *labs.Env) {
	j := s.judged
	env.Metric(bucketOffered, s.requests)
	env.Metric(bucketAdmitted, s.admitted[j])
	env.Metric(bucketRefused, s.requests-s.admitted[j])
	env.Metric(bucketAtOnce, s.mostOnce)
	if second := (env.Horizon() - s.start) - (env.Horizon()-s.start)/2; second > 0 {
		env.Metric(bucketSustained, perSecond(s.admitted[j]-s.halfway, second))
	}
	env.Metric(bucketLongestDelay, s.longest)
	for k := range bucketKinds {
		env.Metric(bucketEach+2*k, s.admitted[k])
		env.Metric(bucketEach+2*k+1, int64(s.limiters.size(k)))
	}
}

// Clone copies the run.
func (s *tokenBucket) Clone() labs.State { c := *s; return &c }

// Bytes is what a clone costs.
func (s *tokenBucket) Bytes() int { return 1000 }
