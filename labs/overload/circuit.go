package overload

import (
	"seedbed/chapters/breaker"
	"seedbed/labs"
)

// CircuitBreaker asks when a caller should stop calling a dependency, and how it should begin again: soon enough when the dependency is
// in trouble, never for noise, and never so that it stays shut out.
var CircuitBreaker = &labs.Lab{
	ID: "circuit-breaker", Version: 2, Family: "overload",
	Params: []labs.Param{
		{Name: "use", Choices: guards},
		{Name: "trouble", Choices: []string{"errors", "slow", "hang"}},
		{Name: "failing", Unit: labs.Percent, Min: 0, Max: million, Default: million, Unused: "trouble=errors"},
		{Name: "factor", Min: 1, Max: 1000, Default: 240, Log: true, Unused: "trouble=slow"},
		{Name: "begin", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 3 * second},
		{Name: "lasts", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 12 * second},
		{Name: "rate", Unit: labs.PerSecond, Min: 100, Max: 1_000_000, Default: 200_000, Log: true},
		{Name: "service", Unit: labs.Millis, Min: 1_000_000, Max: 10 * second, Default: 5_000_000, Log: true},
		{Name: "places", Min: 1, Max: 10_000, Default: 5, Log: true},
		{Name: "line", Min: 0, Max: 10_000, Default: 1000},
		{Name: "cold", Unit: labs.Millis, Min: 0, Max: 10 * second, Default: 100_000_000},
		{Name: "warm-after", Min: 1, Max: million, Default: 300, Log: true},
		{Name: "noise", Unit: labs.Percent, Min: 0, Max: million, Default: 10_000},
		{Name: "business", Unit: labs.Percent, Min: 0, Max: million, Default: 100_000},
		{Name: "blame", Choices: []string{"apart", "counted"}},
		{Name: "timeout", Unit: labs.Millis, Min: 1_000_000, Max: 60 * second, Default: second, Log: true},
		{Name: "window", Choices: []string{"time", "calls"}},
		{Name: "span", Unit: labs.Seconds, Min: 100_000_000, Max: 600 * second, Default: 5 * second, Log: true, Unused: "window=time"},
		{Name: "last", Min: 1, Max: 10_000, Default: 100, Log: true, Unused: "window=calls"},
		{Name: "min", Min: 1, Max: 10_000, Default: 20, Log: true},
		{Name: "failures", Unit: labs.Percent, Min: percent, Max: million, Default: 500_000},
		{Name: "slows", Unit: labs.Percent, Min: 0, Max: million, Default: 500_000},
		{Name: "slow-after", Unit: labs.Millis, Min: 0, Max: 60 * second, Default: 500_000_000},
		{Name: "open", Unit: labs.Seconds, Min: 10_000_000, Max: 600 * second, Default: 4 * second, Log: true},
		{Name: "probes", Min: 1, Max: breaker.MaxProbes, Default: 5},
		{Name: "lease", Unit: labs.Seconds, Min: 10_000_000, Max: 3600 * second, Default: 2 * second, Log: true},
		{Name: "ramp", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 10 * second, Unused: "use=gradual"},
		{Name: "first", Unit: labs.Percent, Min: percent, Max: million, Default: 100_000, Unused: "use=gradual"},
		{Name: "within", Unit: labs.Seconds, Min: 10_000_000, Max: 600 * second, Default: 6 * second, Log: true},
		{Name: "serious", Unit: labs.Percent, Min: percent, Max: million, Default: 500_000},
		{Name: "stuck", Unit: labs.Seconds, Min: 10_000_000, Max: 600 * second, Default: 5 * second, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 600 * second, Default: 32 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "errors", Targets: []string{"dependency"}},
		{Verb: "slow", Targets: []string{"dependency"}},
		{Verb: "hang", Targets: []string{"dependency"}},
		{Verb: "heal", Targets: []string{"dependency"}},
		{Verb: "lose", Value: &labs.Param{Name: "calls", Min: 1, Max: 1000, Default: 1}},
		{Verb: "burst", Value: &labs.Param{Name: "requests", Min: 1, Max: 10_000, Default: 100}},
		{Verb: "open"},
		{Verb: "close"},
	},
	Checks: []labs.Check{
		{Name: "no-trip-on-noise", Facts: []labs.Quantity{{Name: "calls"}, {Name: "failed"}, {Name: "late"}}},
		{Name: "trips-within", Facts: []labs.Quantity{{Name: "calls"}, {Name: "bad"}}},
		{Name: "never-stuck-half-open", Facts: []labs.Quantity{{Name: "since", Unit: labs.Seconds}}},
	},
	Metrics: circuitMetrics(),
	Events: []labs.EventKind{
		{Name: "call", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "inside"}, Flow: labs.Pass},
		{Name: "refuse", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "retry", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "no-probe", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "retry", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "held-back", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "share", Unit: labs.Percent}, Flow: labs.Bounce},
		{Name: "answer", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}},
		{Name: "decline", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}},
		{Name: "error", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}},
		{Name: "time-out", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}},
		{Name: "lost", A: labs.Quantity{Name: "request"}},
		{Name: "to-open", A: labs.Quantity{Name: "failed", Unit: labs.Percent}, B: labs.Quantity{Name: "late", Unit: labs.Percent}, Mark: true},
		{Name: "to-half-open", Mark: true},
		{Name: "to-recovering", Mark: true},
		{Name: "to-closed", Mark: true},
		{Name: "lapsed", Mark: true},
		{Name: "by-hand", Mark: true},
		{Name: "errors", Mark: true},
		{Name: "slow", Mark: true},
		{Name: "hang", Mark: true},
		{Name: "heal", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "slow", Query: "trouble=slow&places=1000"},
		{Name: "hang", Query: "trouble=hang&places=1000"},
		{Name: "a-few-errors", Query: "failing=20&cold=0"},
		{Name: "storm-of-4xx", Query: "lasts=0&business=70"},
		{Name: "quiet-traffic", Query: "lasts=0&rate=0.2&noise=10&length=600"},
		{Name: "leased-probe", Query: "do=8s:lose::3"},
		{Name: "sheds", Query: "line=0"},
		{Name: "longer-ramp", Query: "warm-after=1000&ramp=30&length=50"},
		{Name: "one-bad-call", Query: "lasts=0&rate=0.2&noise=10&min=1&length=600", Breaks: "no-trip-on-noise"},
		{Name: "counts-4xx", Query: "lasts=0&business=70&blame=counted", Breaks: "no-trip-on-noise"},
		{Name: "p50-timeout", Query: "lasts=0&timeout=3", Breaks: "no-trip-on-noise"},
		{Name: "all-at-once", Query: "use=at-once", Breaks: "no-trip-on-noise"},
		{Name: "open-for-longer", Query: "use=at-once&open=16", Breaks: "no-trip-on-noise"},
		{Name: "too-short-a-ramp", Query: "warm-after=1000", Breaks: "no-trip-on-noise"},
		{Name: "errors-alone", Query: "trouble=slow&places=1000&slows=0", Breaks: "trips-within"},
		{Name: "too-few-calls", Query: "rate=1", Breaks: "trips-within"},
		{Name: "no-breaker", Query: "use=none", Breaks: "trips-within"},
		{Name: "lost-probe", Query: "lease=3600&do=8s:lose::3", Breaks: "never-stuck-half-open"},
	},
	Valid: func(c labs.Config) error {
		if c.Choice("window") == "calls" && c.Int("min") > c.Int("last") {
			return &labs.Error{Code: "conflict", Field: "min", Got: labs.Count.Format(c.Int("min")), Want: "at most the " + labs.Count.Format(c.Int("last")) + " calls of the window"}
		}
		return whole(c, "failures", "slows", "first")
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  circuitLayout,
	Start:   startCircuit,
}

// The ways to call, in the order of the choices of use. The last has no breaker.
const (
	guardGradual = iota
	guardAtOnce
	guardNone
	nGuard
)

var guards = []string{"gradual", "at-once", "none"}

// The codes of the lab's events and checks, in the order of the tables above. The states of a breaker come in their order after
// circuitState, the troubles after circuitTrouble.
const (
	circuitCall = iota
	circuitRefuse
	circuitNoProbe
	circuitHeldBack
	circuitAnswer
	circuitDecline
	circuitError
	circuitTimeOut
	circuitLost
	circuitState
	circuitLapsed  = circuitState + 4
	circuitByHand  = circuitLapsed + 1
	circuitTrouble = circuitByHand + 1
)

const (
	checkNoise = iota
	checkTrips
	checkStuck
)

// The metrics: six of the judged way, three a way, then two a breaker.
const (
	circuitEach    = 6
	circuitBreaker = circuitEach + 3*nGuard
)

func circuitMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "requests"}, {Name: "answered-share", Unit: labs.Percent}, {Name: "openings"}, {Name: "trip", Unit: labs.Seconds},
		{Name: "half-open", Unit: labs.Seconds}, {Name: "lost"},
	}
	for _, g := range guards {
		m = append(m, labs.Quantity{Name: "failed." + g}, labs.Quantity{Name: "waited." + g, Unit: labs.Seconds}, labs.Quantity{Name: "back." + g, Unit: labs.Seconds})
	}
	for _, g := range guards[:guardNone] {
		m = append(m, labs.Quantity{Name: "refused." + g}, labs.Quantity{Name: "for-nothing." + g})
	}
	return m
}

// The columns: one of all, then eight a way; the last way has but the first four.
const (
	circuitColumnTrouble = iota
	circuitColumnGuard
)

const (
	circuitColumnAnswered = iota
	circuitColumnFailed
	circuitColumnInside
	circuitColumnWarm
	circuitColumnRefused
	circuitColumnShare
	circuitColumnRate
	circuitColumnShut
	circuitColumnsEach
)

func circuitColumn(k, what int) int { return circuitColumnGuard + circuitColumnsEach*k + what }

// entityGuard is the first of the ways to call: the client comes before them, the dependency behind.
const (
	entityGuard      = 1
	entityDependency = entityGuard + nGuard
)

// A breaker's level is the share of failures in its window, and it is full where it opens.
func circuitLayout(c labs.Config) (l labs.Layout) {
	l.Record("trouble", labs.Count, labs.Last)
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: 1})
	failed := make([]string, nGuard)
	for k, g := range guards {
		failed[k] = "failed." + g
		l.Record("answered."+g, labs.Count, labs.Sum)
		l.Record(failed[k], labs.Count, labs.Sum)
		l.Record("inside."+g, labs.Count, labs.Peak)
		l.Record("warm."+g, labs.Percent, labs.Last)
		e := labs.Entity{Name: g, Kind: labs.Gateway, Rank: 1, Row: k, Judged: k == int(c.Int("use")), Passed: "answered." + g, Refused: failed[k]}
		if k != guardNone {
			l.Record("refused."+g, labs.Count, labs.Sum)
			l.Record("share."+g, labs.Percent, labs.Last)
			l.Record("rate."+g, labs.Percent, labs.Peak)
			l.Record("shut."+g, labs.Count, labs.Last)
			e.Kind, e.Refused, e.Level, e.Full, e.Down = labs.Breaker, "refused."+g, "rate."+g, c.Int("failures"), "shut."+g
		}
		l.Place(e, "client")
	}
	l.Place(labs.Entity{Name: "dependency", Kind: labs.Node, Rank: 2, Row: 1, Down: "trouble"}, guards...)
	l.Plot("rate", 0, "rate.gradual", "rate.at-once")
	l.Plot("share", 0, "share.gradual", "share.at-once")
	l.Plot("failed", 0, failed...)
	l.Plot("inside", c.Int("places"), "inside.gradual", "inside.at-once", "inside.none")
	l.Plot("warm", 0, "warm.gradual", "warm.at-once", "warm.none")
	return l
}

// circuitConfig is the breaker of one way to call.
func circuitConfig(c labs.Config, k int) breaker.Config {
	cfg := breaker.Config{
		MinCalls: c.Int("min"), FailurePercent: c.Int("failures") / percent, SlowPercent: c.Int("slows") / percent, SlowAfter: c.Int("slow-after"),
		OpenFor: c.Int("open"), Probes: c.Int("probes"), Lease: c.Int("lease"),
	}
	if c.Choice("window") == "time" {
		cfg.Span = c.Int("span")
	} else {
		cfg.Window = c.Int("last")
	}
	if k == guardGradual {
		cfg.Ramp, cfg.FirstPercent = c.Int("ramp"), c.Int("first")/percent
	}
	return cfg
}
