package limits

import (
	"strconv"

	"seedbed/chapters/limiter"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// WindowEdge asks which limiter keeps "at most L in any window" when requests crowd around the edge of a window.
var WindowEdge = &labs.Lab{
	ID: "window-edge", Version: 1, Family: "limits", Input: true,
	Params: []labs.Param{
		{Name: "use", Choices: windowKinds, Default: kindLog},
		{Name: "limit", Min: 1, Max: 100_000, Default: 100, Log: true},
		{Name: "window", Unit: labs.Millis, Min: 1_000_000, Max: 60_000_000_000, Default: 1_000_000_000, Log: true},
		{Name: "buckets", Min: 1, Max: 1000, Default: 100, Log: true, Unused: "use=buckets"},
		{Name: "spare", Min: 0, Max: 1, Default: 1, Unused: "use=buckets"},
		{Name: "traffic", Choices: []string{"edge", "steady", "poisson"}},
		{Name: "size", Min: 1, Max: 100_000, Default: 100, Log: true, Unused: "traffic=edge"},
		{Name: "first", Unit: labs.Millis, Min: 0, Max: 60_000_000_000, Default: 999_000_000, Unused: "traffic=edge"},
		{Name: "gap", Unit: labs.Millis, Min: 0, Max: 60_000_000_000, Default: 2_000_000, Unused: "traffic=edge"},
		{Name: "rate", Unit: labs.PerSecond, Min: 100, Max: 1_000_000_000, Default: 150_000, Log: true, Unused: "traffic=steady"},
		{Name: "length", Unit: labs.Seconds, Min: 100_000_000, Max: 1000_000_000_000, Default: 2_000_000_000, Log: true},
	},
	Actions: []labs.Action{{Verb: "burst", Value: &labs.Param{Name: "requests", Min: 1, Max: 100_000, Default: 50}}},
	Checks: []labs.Check{{
		Name:  "no-window-over-limit",
		Facts: []labs.Quantity{{Name: "admitted"}, {Name: "span", Unit: labs.Millis}},
	}},
	Metrics: windowMetrics(),
	Events: []labs.EventKind{
		{Name: "admit", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "inside"}, Flow: labs.Pass},
		{Name: "refuse", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "retry", Unit: labs.Millis}, Flow: labs.Bounce},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "buckets-hold", Query: "use=buckets&first=9.9&gap=990.2"},
		{Name: "what-safety-costs", Query: "use=buckets&buckets=10&traffic=steady&rate=1000&length=11"},
		{Name: "random-arrivals", Query: "traffic=poisson&length=10"},
		{Name: "edge-burst", Query: "use=fixed", Breaks: "no-window-over-limit"},
		{Name: "late-burst", Query: "use=two-counter&gap=991", Breaks: "no-window-over-limit"},
		{Name: "one-bucket-short", Query: "use=buckets&spare=0&first=9.9&gap=990.2", Breaks: "no-window-over-limit"},
	},
	Valid: func(c labs.Config) error {
		_, err := newWindowLimiters(c)
		return err
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  windowLayout,
	Start:   startWindowEdge,
}

// The algorithms that are compared, in the order of the choices of `use`.
const (
	kindFixed = iota
	kindTwoCounter
	kindLog
	kindBuckets
	nKind
)

var windowKinds = []string{"fixed", "two-counter", "log", "buckets"}

// The metrics: those of the judged algorithm, then three blocks with one metric an algorithm.
const (
	metricOffered = iota
	metricAdmitted
	metricRefused
	metricPeak
	metricSpan
	metricRate
	metricEach
)

func windowMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "offered"}, {Name: "admitted"}, {Name: "refused"}, {Name: "peak"},
		{Name: "span", Unit: labs.Millis}, {Name: "rate", Unit: labs.PerSecond},
	}
	for _, k := range windowKinds {
		m = append(m, labs.Quantity{Name: "admitted." + k}, labs.Quantity{Name: "peak." + k}, labs.Quantity{Name: "memory." + k, Unit: labs.Bytes})
	}
	return m
}

// The columns: offered, then three blocks with one column an algorithm.
const (
	columnOffered  = 0
	columnAdmitted = 1
	columnRefused  = columnAdmitted + nKind
	columnWindow   = columnRefused + nKind
)

// The entities: the client, then one limiter an algorithm, then the service behind them.
const entityLimiter = 1

func windowLayout(c labs.Config) (l labs.Layout) {
	l.Record("offered", labs.Count, labs.Sum)
	recordEach(&l, "admitted.", labs.Sum, windowKinds)
	recordEach(&l, "refused.", labs.Sum, windowKinds)
	recordEach(&l, "window.", labs.Peak, windowKinds)
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: 1})
	for i, k := range windowKinds {
		l.Place(labs.Entity{
			Name: k, Kind: labs.Limiter, Rank: 1, Row: i, Judged: k == c.Choice("use"),
			Level: "window." + k, Full: c.Int("limit"), Passed: "admitted." + k, Refused: "refused." + k,
		}, "client")
	}
	l.Place(labs.Entity{Name: "service", Kind: labs.Node, Rank: 2, Row: 1}, windowKinds...)
	l.Plot("window", c.Int("limit"), prefixed("window.", windowKinds)...)
	l.Plot("offered", 0, "offered")
	return l
}

// recordEach adds one column for each algorithm.
func recordEach(l *labs.Layout, prefix string, gather labs.Gather, kinds []string) {
	for _, name := range prefixed(prefix, kinds) {
		l.Record(name, labs.Count, gather)
	}
}

func prefixed(prefix string, kinds []string) []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = prefix + k
	}
	return names
}

// newWindowLimiters builds the four limiters of a configuration.
func newWindowLimiters(c labs.Config) (all [nKind]limiter.Serial, err error) {
	window := limiter.WindowConfig{Limit: c.Int("limit"), Window: c.Int("window")}
	fixed, err := limiter.NewFixedWindow(window)
	if err != nil {
		return all, conflict("limit", c, err)
	}
	two, err := limiter.NewTwoCounter(window)
	if err != nil {
		return all, conflict("limit", c, err)
	}
	log, err := limiter.NewSlidingLog(window)
	if err != nil {
		return all, conflict("limit", c, err)
	}
	buckets, err := limiter.NewBucketedWindow(limiter.BucketedConfig{
		Limit: window.Limit, Window: window.Window, Buckets: int(c.Int("buckets")), Kept: int(c.Int("buckets") + c.Int("spare")),
	})
	if err != nil {
		return all, conflict("buckets", c, err)
	}
	return [nKind]limiter.Serial{&fixed, &two, &log, &buckets}, nil
}

// conflict tells a limiter's refusal of its configuration in the words of a Spec.
func conflict(field string, c labs.Config, err error) error {
	return &labs.Error{Code: "conflict", Field: field, Got: strconv.FormatInt(c.Int(field), 10), Want: err.Error()}
}

// The kinds of simulated events.
const (
	arrival = iota // A requests arrive at once
	look           // the levels are brought up to date, so that plots fall when admissions leave the window
)

// windowEdge is the state of one run.
type windowEdge struct {
	judged   int
	limit    int64
	window   int64
	lookGap  int64
	requests int64
	arrivals sim.Arrivals
	second   int64 // size of the second burst, 0 when it has been scheduled or there is none
	gap      int64
	limiters [nKind]limiter.Serial
	trailing [nKind]trailing
	admitted [nKind]int64
	peak     [nKind]int64
	span     int64 // of the judged algorithm's fullest window, ns
}

func startWindowEdge(c labs.Config, env *labs.Env) labs.State {
	all, err := newWindowLimiters(c)
	if err != nil {
		panic("limits: window-edge started with " + err.Error())
	}
	s := &windowEdge{judged: int(c.Int("use")), limit: c.Int("limit"), window: c.Int("window"), limiters: all, gap: c.Int("gap")}
	s.lookGap = max(s.window/100, env.Horizon()/1000)
	s.arrivals = sim.Arrivals{Rate: c.Int("rate"), Stream: env.Stream("client")}
	switch {
	case c.Input != nil:
		s.arrivals.Pattern, s.arrivals.Instant = sim.Log, c.Input
	case c.Choice("traffic") == "steady":
		s.arrivals.Pattern = sim.Steady
	case c.Choice("traffic") == "poisson":
		s.arrivals.Pattern = sim.Poisson
	default:
		s.arrivals = sim.Arrivals{Pattern: sim.Burst, Start: c.Int("first"), Size: c.Int("size")}
		s.second = s.arrivals.Size
	}
	s.next(env)
	env.At(s.lookGap, look, 0, 0, 0)
	return s
}

// next schedules the next arrival. The second of two bursts follows its gap after the first.
func (s *windowEdge) next(env *labs.Env) {
	at, n, ok := s.arrivals.Next()
	if !ok && s.second > 0 {
		at, n, ok = s.arrivals.Start+s.gap, s.second, true
		s.second = 0
	}
	if ok {
		env.At(at, arrival, 0, n, 0)
	}
}

// Handle lets requests arrive at every limiter, or brings the levels up to date.
func (s *windowEdge) Handle(env *labs.Env, e sim.Event) {
	if e.Kind == look {
		for k := range s.trailing {
			env.Set(columnWindow+k, s.trailing[k].within(env.Now()-s.window))
		}
		env.At(env.Now()+s.lookGap, look, 0, 0, 0)
		return
	}
	s.arrive(env, e.A)
	s.next(env)
}

// Act sends a burst beside the configured traffic.
func (s *windowEdge) Act(env *labs.Env, do labs.Do) { s.arrive(env, do.Value) }

// arrive puts n requests of this instant before all four limiters.
func (s *windowEdge) arrive(env *labs.Env, n int64) {
	env.Add(columnOffered, n)
	first := s.requests + 1
	s.requests += n
	for k := range s.limiters {
		s.decide(env, k, first, n)
	}
}

// decide puts requests first..first+n−1 before one limiter, and holds the judged one to its promise. The judge keeps a log of its
// own: it trusts no limiter's count.
func (s *windowEdge) decide(env *labs.Env, k int, first, n int64) {
	now, t := env.Now(), &s.trailing[k]
	inside := t.within(now - s.window)
	before := inside
	broke := int64(-1)
	for request := first; request < first+n; request++ {
		d := s.limiters[k].TakeAt(now, 1)
		if !d.OK {
			env.Add(columnRefused+k, 1)
			env.Emit(1, entityLimiter+k, request, d.RetryAfter)
			continue
		}
		inside++
		if inside > s.limit && broke < 0 {
			broke = request
		}
		env.Add(columnAdmitted+k, 1)
		env.Emit(0, entityLimiter+k, request, inside)
	}
	if inside == before {
		return
	}
	t.add(now, inside-before)
	s.admitted[k] += inside - before
	env.Set(columnWindow+k, inside)
	if inside > s.peak[k] {
		s.peak[k] = inside
		if k == s.judged {
			s.span = now - t.oldest()
		}
	}
	if k == s.judged && broke >= 0 {
		env.Fail(0, broke, inside, now-t.oldest())
	}
}

// Finish measures.
func (s *windowEdge) Finish(env *labs.Env) {
	j := s.judged
	env.Metric(metricOffered, s.requests)
	env.Metric(metricAdmitted, s.admitted[j])
	env.Metric(metricRefused, s.requests-s.admitted[j])
	env.Metric(metricPeak, s.peak[j])
	env.Metric(metricSpan, s.span)
	env.Metric(metricRate, perSecond(s.admitted[j], env.Horizon()))
	for k := range s.limiters {
		env.Metric(metricEach+3*k, s.admitted[k])
		env.Metric(metricEach+3*k+1, s.peak[k])
		env.Metric(metricEach+3*k+2, int64(s.limiters[k].Size()))
	}
}

// Clone copies the run.
func (s *windowEdge) Clone() labs.State {
	c := *s
	for k := range s.limiters {
		c.limiters[k] = s.limiters[k].Copy()
		c.trailing[k] = s.trailing[k].clone()
	}
	return &c
}

// Bytes is what a clone costs.
func (s *windowEdge) Bytes() int {
	n := 600
	for k := range s.limiters {
		n += s.limiters[k].Size() + s.trailing[k].bytes()
	}
	return n
}
