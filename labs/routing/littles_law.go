package routing

import (
	"slices"
	"strconv"

	"seedbed/chapters/pmath"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// LittlesLaw asks how many connections are busy on average, and why that number of them is not enough.
var LittlesLaw = &labs.Lab{
	ID: "littles-law", Version: 1, Family: "routing",
	Params: []labs.Param{
		{Name: "use", Choices: []string{"pooled", "split"}},
		{Name: "rate", Unit: labs.PerSecond, Min: 1000, Max: 100_000_000, Default: 400_000, Log: true},
		{Name: "short", Unit: labs.Millis, Min: 1_000_000, Max: 60_000_000_000, Default: 200_000_000, Log: true},
		{Name: "long", Unit: labs.Seconds, Min: 1_000_000, Max: 60_000_000_000, Default: 5_000_000_000, Log: true},
		{Name: "share", Unit: labs.Percent, Min: 0, Max: 1_000_000, Default: 200_000},
		{Name: "slots", Min: 1, Max: 100_000, Default: 280, Log: true},
		{Name: "backends", Min: 1, Max: 8, Default: 2},
		{Name: "spread", Choices: []string{"exponential", "constant"}},
		{Name: "length", Unit: labs.Seconds, Min: 1_000_000_000, Max: 3600_000_000_000, Default: 50_000_000_000, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "kill", Targets: []string{"backend"}},
		{Verb: "recover", Targets: []string{"backend"}},
	},
	Checks: []labs.Check{
		{Name: "mean-is-lambda-w", Facts: []labs.Quantity{{Name: "mean"}, {Name: "product"}}},
		{Name: "refusals-under-0.1-percent", Facts: []labs.Quantity{{Name: "refused"}, {Name: "share", Unit: labs.Percent}}},
	},
	Metrics: []labs.Quantity{
		{Name: "lambda-w"}, {Name: "places"}, {Name: "mean-busy"}, {Name: "peak-busy"}, {Name: "offered"}, {Name: "refused"},
		{Name: "refused-share", Unit: labs.Percent}, {Name: "erlang-pooled", Unit: labs.Percent}, {Name: "erlang-split", Unit: labs.Percent},
		{Name: "over-places", Unit: labs.Percent}, {Name: "needed"}, {Name: "left"},
	},
	Events: []labs.EventKind{
		{Name: "start", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "busy"}, Flow: labs.Wait},
		{Name: "finish", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "busy"}, Flow: labs.Leave},
		{Name: "refuse", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "busy"}, Flow: labs.Bounce},
		{Name: "kill", Mark: true},
		{Name: "recover", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "room-for-the-tail", Query: "slots=560&backends=1"},
		{Name: "sized-to-the-mean", Query: "slots=232", Breaks: "refusals-under-0.1-percent"},
		{Name: "two-by-250", Query: "use=split&slots=250", Breaks: "refusals-under-0.1-percent"},
		{Name: "one-of-two-lost", Query: "slots=250&do=10s:kill:backend-2", Breaks: "refusals-under-0.1-percent"},
		{Name: "twice-as-long", Query: "long=10", Breaks: "refusals-under-0.1-percent"},
	},
	Valid: func(c labs.Config) error {
		if n := perMilliRate(steadyStays*max(c.Int("short"), c.Int("long")), c.Int("rate")); n > maxSteady {
			return &labs.Error{Code: "conflict", Field: "rate", Got: strconv.FormatInt(n, 10), Want: "the steady state before the run takes rate × 12 × the longest stay requests, at most " + strconv.Itoa(maxSteady)}
		}
		return nil
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  littleLayout,
	Start:   startLittle,
}

// The codes of the lab's tables, in their order.
const (
	littleStart = iota
	littleFinish
	littleRefuse
	littleKill
)

const (
	checkLambdaW = iota
	checkRefusals
)

const (
	littleLambdaW = iota
	littlePlaces
	littleMean
	littlePeak
	littleOffered
	littleRefused
	littleRefusedShare
	littleErlangPooled
	littleErlangSplit
	littleOver
	littleNeeded
	littleLeft
)

// The columns: three of all, then three a backend.
const (
	littleColumnOffered = iota
	littleColumnRefused
	littleColumnBusy
	littleColumnBackend
)

const littleColumnsEach = 2

func littleLayout(c labs.Config) (l labs.Layout) {
	n := int(c.Int("backends"))
	l.Record("offered", labs.Count, labs.Sum)
	l.Record("refused", labs.Count, labs.Sum)
	l.Record("busy", labs.Count, labs.Peak)
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: (n - 1) / 2})
	l.Place(labs.Entity{Name: "gateway", Kind: labs.Gateway, Rank: 1, Row: (n - 1) / 2, Refused: "refused"}, "client")
	for i := range n {
		name := "backend-" + strconv.Itoa(i+1)
		l.Record("busy."+name, labs.Count, labs.Peak)
		l.Record("down."+name, labs.Count, labs.Last)
		l.Place(labs.Entity{Name: name, Label: "backend", N: i + 1, Kind: labs.Pool, Rank: 2, Row: i, Judged: true, Level: "busy." + name, Full: c.Int("slots"), Down: "down." + name}, "gateway")
	}
	l.Plot("busy", c.Int("slots")*int64(n), "busy")
	l.Plot("refused", 0, "offered", "refused")
	return l
}

// The kinds of simulated events.
const (
	littleArrive = iota
	littleDone   // of request A, on backend Node
	littleJudge
)

// A run starts in its steady state, which is drawn at once, so it is bounded.
const (
	steadyStays = 12        // longest stays before the run from which requests may still be there
	maxSteady   = 1_000_000 // requests drawn for it
)

// perMilliRate is how many arrivals a rate of thousandths per second brings in a span of ns.
func perMilliRate(span, rate int64) int64 { return span / 1_000_000 * rate / 1_000_000 }

// judgedFrom is the least number of arrivals from which the share of refusals says something.
const judgedFrom = 5000

// little is the state of one run.
type little struct {
	split    bool
	shape    sim.Shape
	rate     int64
	slots    int64
	length   [2]int64 // ns a short and a long request stays
	longPart int64    // parts per million
	arrivals sim.Arrivals
	kinds    sim.Stream
	stays    sim.Stream
	route    sim.Stream

	busy     []int64
	down     []bool
	total    int64
	peak     int64
	requests int64
	refused  int64
	last     int64 // instant up to which area and stayed are counted
	area     wideSum
	stayed   wideSum // of the requests that were let in, as far as they lie in the run
	newest   int64   // newest refused request
}

// wideSum adds products that pass an int64: a whole part and a rest below one million million.
type wideSum struct{ whole, rest int64 }

const wideUnit = 1_000_000_000

func (w *wideSum) add(v int64) {
	w.rest += v
	w.whole += w.rest / wideUnit
	w.rest %= wideUnit
}

func startLittle(c labs.Config, env *labs.Env) labs.State {
	n := int(c.Int("backends"))
	s := &little{
		split: c.Choice("use") == "split", rate: c.Int("rate"), slots: c.Int("slots"), length: [2]int64{c.Int("short"), c.Int("long")},
		longPart: c.Int("share"), kinds: env.Stream("kind"), stays: env.Stream("stay"), route: env.Stream("route"),
		busy: make([]int64, n), down: make([]bool, n), shape: sim.Exponential,
	}
	if c.Choice("spread") == "constant" {
		s.shape = sim.Constant
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: s.rate, Stream: env.Stream("client")}
	s.fill(env)
	s.next(env)
	env.At(1_000_000_000, littleJudge, 0, 0, 0)
	return s
}

// fill starts the run in its steady state: requests of the time before it, of which those remain that have not left yet.
func (s *little) fill(env *labs.Env) {
	past := steadyStays * max(s.length[0], s.length[1])
	before := sim.Arrivals{Pattern: sim.Poisson, Rate: s.rate, Stop: past, Stream: env.Stream("past")}
	for {
		at, _, ok := before.Next()
		if !ok {
			return
		}
		if left := at + s.stay() - past; left > 0 {
			if b := s.choose(); b >= 0 {
				s.enter(env, b, left)
			}
		}
	}
}

func (s *little) next(env *labs.Env) {
	if at, _, ok := s.arrivals.Next(); ok {
		env.At(at, littleArrive, 0, 0, 0)
	}
}

// stay draws how long a request holds its connection.
func (s *little) stay() int64 {
	kind := 0
	if s.kinds.Chance(s.longPart) {
		kind = 1
	}
	return s.shape.Draw(&s.stays, s.length[kind])
}

// choose returns a backend with room, or -1. Pooled, the emptiest is asked; split, one at random, and nobody else.
func (s *little) choose() int {
	best := -1
	if s.split {
		best = int(s.route.Below(int64(len(s.busy))))
	} else {
		for b := range s.busy {
			if !s.down[b] && (best < 0 || s.busy[b] < s.busy[best]) {
				best = b
			}
		}
	}
	if best < 0 || s.down[best] || s.busy[best] >= s.slots {
		return -1
	}
	return best
}

func (s *little) enter(env *labs.Env, b int, stay int64) {
	s.pass(env.Now())
	s.stayed.add(min(stay, env.Horizon()-env.Now()))
	s.setBusy(env, b, s.busy[b]+1)
	env.At(env.Now()+stay, littleDone, uint16(b), s.requests, 0)
}

// pass counts the time that has passed with the connections as they were.
func (s *little) pass(now int64) {
	s.area.add((now - s.last) * s.total)
	s.last = now
}

func (s *little) setBusy(env *labs.Env, b int, n int64) {
	s.total += n - s.busy[b]
	s.busy[b] = n
	s.peak = max(s.peak, s.total)
	env.Set(littleColumnBusy, s.total)
	env.Set(littleColumnBackend+littleColumnsEach*b, n)
}

// Handle lets a request arrive or leave, or judges.
func (s *little) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case littleArrive:
		s.arrive(env)
		s.next(env)
	case littleDone:
		s.pass(env.Now())
		s.setBusy(env, int(e.Node), s.busy[e.Node]-1)
		env.Emit(littleFinish, 2+int(e.Node), e.A, s.busy[e.Node])
	case littleJudge:
		s.judge(env, judgedFrom)
		env.At(env.Now()+1_000_000_000, littleJudge, 0, 0, 0)
	}
}

func (s *little) arrive(env *labs.Env) {
	s.requests++
	env.Add(littleColumnOffered, 1)
	stay, b := s.stay(), s.choose()
	if b < 0 {
		s.refused++
		s.newest = s.requests
		env.Add(littleColumnRefused, 1)
		env.Emit(littleRefuse, 1, s.requests, s.total)
		return
	}
	s.enter(env, b, stay)
	env.Emit(littleStart, 2+b, s.requests, s.busy[b])
}

// judge holds the share of refusals to 0.1 %.
func (s *little) judge(env *labs.Env, from int64) {
	if s.requests >= from && s.refused*1000 > s.requests {
		env.Fail(checkRefusals, s.newest, s.refused, s.refused*1_000_000/s.requests)
	}
}

// Act takes a backend away or gives it back. A lost one finishes what it holds and gets nothing new.
func (s *little) Act(env *labs.Env, do labs.Do) {
	b := int(do.Target[len(do.Target)-1] - '1') // backend-1 to backend-8
	s.down[b] = do.Verb == 0
	down := int64(0)
	if s.down[b] {
		down = 1
	}
	env.Set(littleColumnBackend+littleColumnsEach*b+1, down)
	env.Emit(littleKill+do.Verb, 2+b, 0, 0)
}

// Finish measures, and compares with what Little, Erlang and Poisson say.
func (s *little) Finish(env *labs.Env) {
	s.pass(env.Now())
	s.judge(env, 1)
	span := env.Horizon()
	mean := s.area.over(span)
	product := s.stayed.over(span)
	if diff := mean - product; diff*20 > product+20 || -diff*20 > product+20 {
		env.Fail(checkLambdaW, -1, mean, product)
	}
	n, left := int64(len(s.busy)), int64(0)
	for _, down := range s.down {
		if !down {
			left += s.slots
		}
	}
	load := s.load()
	env.Metric(littleLambdaW, pmath.Round64(load))
	env.Metric(littlePlaces, s.slots*n)
	env.Metric(littleMean, mean)
	env.Metric(littlePeak, s.peak)
	env.Metric(littleOffered, s.requests)
	env.Metric(littleRefused, s.refused)
	if s.requests > 0 {
		env.Metric(littleRefusedShare, s.refused*1_000_000/s.requests)
	}
	env.Metric(littleErlangPooled, ppm(erlangB(load, s.slots*n)))
	env.Metric(littleErlangSplit, ppm(erlangB(load/float64(n), s.slots)))
	env.Metric(littleOver, ppm(poissonOver(load, s.slots*n)))
	env.Metric(littleNeeded, placesFor(load, 0.001))
	env.Metric(littleLeft, left)
}

// load is λ × W: arrivals a second times the mean stay.
func (s *little) load() float64 {
	long := float64(s.longPart) / 1e6
	stay := float64(float64(s.length[1])*long) + float64(float64(s.length[0])*(1-long))
	return float64(float64(s.rate)*stay) / 1e12
}

// over is the sum divided by a span, rounded.
func (w *wideSum) over(span int64) int64 {
	return pmath.Round64((float64(float64(w.whole)*wideUnit) + float64(w.rest)) / float64(span))
}

// Clone copies the run.
func (s *little) Clone() labs.State {
	c := *s
	c.busy, c.down = slices.Clone(s.busy), slices.Clone(s.down)
	return &c
}

// Bytes is what a clone costs.
func (s *little) Bytes() int { return 500 + 9*len(s.busy) }
