package overload

import (
	"seedbed/chapters/breaker"
	"seedbed/labs"
)

// Bulkhead asks what a dependency that hangs takes along: an order needs stock and must be served, recommendations and reviews are
// welcome, and all three are called from the same places of one process.
var Bulkhead = &labs.Lab{
	ID: "bulkhead", Version: 1, Family: "overload",
	Params: []labs.Param{
		{Name: "use", Choices: hulls},
		{Name: "breakers", Choices: []string{"none", "each", "one"}},
		{Name: "victim", Choices: callees[1:]},
		{Name: "trouble", Choices: []string{"hang", "slow", "errors"}},
		{Name: "factor", Min: 1, Max: 1000, Default: 40, Log: true, Unused: "trouble=slow"},
		{Name: "begin", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 5 * second},
		{Name: "lasts", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 10 * second},
		{Name: "places", Min: 3, Max: 10_000, Default: 60, Log: true},
		{Name: "core-places", Min: 1, Max: 10_000, Default: 20, Log: true},
		{Name: "stock", Unit: labs.PerSecond, Min: 0, Max: 1_000_000, Default: 100_000, Log: true},
		{Name: "recommend", Unit: labs.PerSecond, Min: 0, Max: 1_000_000, Default: 100_000, Log: true},
		{Name: "reviews", Unit: labs.PerSecond, Min: 0, Max: 1_000_000, Default: 100_000, Log: true},
		{Name: "service", Unit: labs.Millis, Min: 1_000_000, Max: 10 * second, Default: 50_000_000, Log: true},
		{Name: "timeout", Unit: labs.Seconds, Min: 1_000_000, Max: 60 * second, Default: 2 * second, Log: true},
		{Name: "patience", Unit: labs.Millis, Min: 0, Max: 10 * second, Default: 100_000_000},
		{Name: "line", Min: 0, Max: 10_000, Default: 100},
		{Name: "min", Min: 1, Max: 10_000, Default: 20, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 600 * second, Default: 20 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "hang", Targets: callees},
		{Verb: "slow", Targets: callees},
		{Verb: "errors", Targets: callees},
		{Verb: "heal", Targets: callees},
		{Verb: "burst", Targets: callees, Value: &labs.Param{Name: "requests", Min: 1, Max: 10_000, Default: 100}},
	},
	Checks: []labs.Check{
		{Name: "core-unharmed", Facts: []labs.Quantity{{Name: "held"}, {Name: "others"}, {Name: "waited", Unit: labs.Millis}}},
	},
	Metrics: bulkheadMetrics(),
	Events: []labs.EventKind{
		{Name: "call", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Millis}, Flow: labs.Wait},
		{Name: "answer", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Leave},
		{Name: "error", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Leave},
		{Name: "time-out", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Leave},
		{Name: "full", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waiting"}, Flow: labs.Bounce},
		{Name: "give-up", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Millis}, Flow: labs.Bounce},
		{Name: "cut-off", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "retry", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "to-open", Mark: true},
		{Name: "to-half-open", Mark: true},
		{Name: "to-recovering", Mark: true},
		{Name: "to-closed", Mark: true},
		{Name: "hang", Mark: true},
		{Name: "slow", Mark: true},
		{Name: "errors", Mark: true},
		{Name: "heal", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "reserved", Query: "use=reserved"},
		{Name: "slow", Query: "trouble=slow"},
		{Name: "two-at-once", Query: "do=6s:hang:reviews&do=15s:heal:reviews"},
		{Name: "busy-evening", Query: "lasts=0&recommend=500&length=10"},
		{Name: "breaker-each", Query: "use=reserved&breakers=each"},
		{Name: "each-of-its-own", Query: "breakers=each&trouble=errors&recommend=300"},
		{Name: "calm-and-shared", Query: "use=shared&lasts=0"},
		{Name: "shared-pool", Query: "use=shared", Breaks: "core-unharmed"},
		{Name: "breaker-without-walls", Query: "use=shared&breakers=each", Breaks: "core-unharmed"},
		{Name: "one-breaker-for-all", Query: "breakers=one&trouble=errors&recommend=300", Breaks: "core-unharmed"},
		{Name: "core-too-small", Query: "lasts=0&core-places=4", Breaks: "core-unharmed"},
	},
	Valid:   validBulkhead,
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  bulkheadLayout,
	Start:   startBulkhead,
}

// What is called: the first is the core.
const (
	calleeStock = iota
	calleeRecommend
	calleeReviews
	nCallee
)

var callees = []string{"stock", "recommend", "reviews"}

// The ways to share the places, in the order of the choices of use.
const (
	hullSeparate = iota
	hullReserved
	hullShared
	nHull
)

var hulls = []string{"separate", "reserved", "shared"}

// The choices of breakers.
const (
	breakersNone = iota
	breakersEach
	breakersOne
)

// The codes of the lab's events, in the order of the table above. The states of a breaker come in their order after bulkheadState, the
// troubles after bulkheadTrouble.
const (
	bulkheadCall = iota
	bulkheadAnswer
	bulkheadError
	bulkheadTimeOut
	bulkheadFull
	bulkheadGiveUp
	bulkheadCutOff
	bulkheadState
	bulkheadTrouble = bulkheadState + 4
)

const checkCore = 0

// The metrics: how many of each were asked for, then which part of them was answered by each way, then two a way.
const (
	bulkheadShare = nCallee
	bulkheadEach  = bulkheadShare + nHull*nCallee
)

func bulkheadMetrics() (m []labs.Quantity) {
	for _, c := range callees {
		m = append(m, labs.Quantity{Name: "requests." + c})
	}
	for _, h := range hulls {
		for _, c := range callees {
			m = append(m, labs.Quantity{Name: "answered." + c + "." + h, Unit: labs.Percent})
		}
	}
	for _, h := range hulls {
		m = append(m, labs.Quantity{Name: "turned-away." + h}, labs.Quantity{Name: "idle." + h})
	}
	return m
}

// The columns: seven a callee, then one a way.
const (
	bulkheadColumnHeld = iota
	bulkheadColumnWaiting
	bulkheadColumnAnswered
	bulkheadColumnFailed
	bulkheadColumnRefused
	bulkheadColumnShut
	bulkheadColumnTrouble
	bulkheadColumnsEach
)

const bulkheadColumnHarm = bulkheadColumnsEach * nCallee

func bulkheadColumn(callee, what int) int { return bulkheadColumnsEach*callee + what }

// The entities: the three kinds of callers, their places, what they call.
const (
	entityPlaces = nCallee
	entityCallee = 2 * nCallee
)

func bulkheadLayout(c labs.Config) (l labs.Layout) {
	shape := bulkheadConfig(c, int(c.Int("use"))).Compartments
	for i, name := range callees {
		l.Record("held."+name, labs.Count, labs.Peak)
		l.Record("waiting."+name, labs.Count, labs.Peak)
		l.Record("answered."+name, labs.Count, labs.Sum)
		l.Record("failed."+name, labs.Count, labs.Sum)
		l.Record("refused."+name, labs.Count, labs.Sum)
		l.Record("shut."+name, labs.Count, labs.Last)
		l.Record("trouble."+name, labs.Count, labs.Last)
		l.Place(labs.Entity{Name: "for-" + name, Kind: labs.Client, Row: i})
	}
	harm := make([]string, nHull)
	for k, name := range hulls {
		harm[k] = "harm." + name
		l.Record(harm[k], labs.Count, labs.Sum)
	}
	for i, name := range callees {
		l.Place(labs.Entity{
			Name: "places-" + name, Kind: labs.Pool, Rank: 1, Row: i, Judged: i == calleeStock, Level: "held." + name, Full: shape[i].Max,
			Passed: "answered." + name, Refused: "refused." + name, Down: "shut." + name,
		}, "for-"+name)
	}
	for i, name := range callees {
		l.Place(labs.Entity{Name: name, Kind: labs.Node, Rank: 2, Row: i, Down: "trouble." + name}, "places-"+name)
	}
	l.Plot("harm", 0, harm...)
	l.Plot("held", 0, "held.stock", "held.recommend", "held.reviews")
	l.Plot("waiting", 0, "waiting.stock", "waiting.recommend", "waiting.reviews")
	return l
}

// bulkheadConfig is how one way shares the places: as three pools, as one of which the core's part is kept for it, or as one.
func bulkheadConfig(c labs.Config, hull int) breaker.BulkheadConfig {
	places, core := c.Int("places"), c.Int("core-places")
	rest := places - core
	own := [nCallee]int64{core, rest - rest/2, rest / 2}
	cfg := breaker.BulkheadConfig{Places: places}
	for i, name := range callees {
		p := breaker.Compartment{Name: name, Max: places}
		switch {
		case hull == hullSeparate:
			p.Reserved, p.Max = own[i], own[i]
		case hull == hullReserved && i == calleeStock:
			p.Reserved = core
		}
		cfg.Compartments = append(cfg.Compartments, p)
	}
	return cfg
}

// bulkheadBreaker is the breaker before a callee, or before all.
func bulkheadBreaker(c labs.Config) breaker.Config {
	return breaker.Config{
		Span: 2 * second, MinCalls: c.Int("min"), FailurePercent: 50, OpenFor: 4 * second, Probes: 3, Lease: 2 * c.Int("timeout"), Ramp: 4 * second,
	}
}

func validBulkhead(c labs.Config) error {
	if places := c.Int("places"); c.Int("core-places") > places-2 {
		return &labs.Error{
			Code: "conflict", Field: "core-places", Got: labs.Count.Format(c.Int("core-places")),
			Want: "at most " + labs.Count.Format(places-2) + ", so that each of the others has a place of the " + labs.Count.Format(places),
		}
	}
	return nil
}
