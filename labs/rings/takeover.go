package rings

import (
	"seedbed/chapters/ring"
	"seedbed/labs"
)

// Takeover asks who inherits what a dead node had, and how: all of it at once and cold, which takes the heirs down too, or by steps, with
// a shadow copy of what is asked for most, while the rest is answered from something old.
var Takeover = &labs.Lab{
	ID: "takeover", Version: 1, Family: "rings",
	Params: []labs.Param{
		{Name: "use", Choices: inheritances},
		{Name: "rest", Choices: []string{"old", "error"}},
		{Name: "dies", Choices: []string{"third", "busiest", "none"}},
		{Name: "nodes", Min: 3, Max: maxHeirs, Default: 8},
		{Name: "points", Min: 1, Max: 1000, Default: 160, Log: true},
		{Name: "rate", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 80_000, Log: true},
		{Name: "load", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 700_000},
		{Name: "keys", Min: 100, Max: 50_000, Default: 8000, Log: true},
		{Name: "skew", Unit: labs.Ratio, Min: 0, Max: 1_500_000, Default: 500_000},
		{Name: "hits", Unit: labs.Percent, Min: 0, Max: 1_000_000, Default: 950_000},
		{Name: "database", Unit: labs.PerSecond, Min: 100, Max: 10_000_000, Default: 6_500, Log: true},
		{Name: "places", Min: 5, Max: 200, Default: 50, Log: true},
		{Name: "timeout", Unit: labs.Seconds, Min: 100_000_000, Max: 60_000_000_000, Default: 2_000_000_000, Log: true},
		{Name: "begin", Unit: labs.Seconds, Min: 0, Max: 3_600_000_000_000, Default: 20_000_000_000},
		{Name: "known", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 2_000_000_000},
		{Name: "first", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 100_000},
		{Name: "step", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 100_000},
		{Name: "every", Unit: labs.Seconds, Min: 1_000_000_000, Max: 600_000_000_000, Default: 30_000_000_000, Log: true},
		{Name: "warm", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 100_000, Unused: "use=gradual"},
		{Name: "copy", Unit: labs.PerSecond, Min: 100, Max: 1_000_000, Default: 1000, Log: true, Unused: "use=gradual"},
		{Name: "length", Unit: labs.Seconds, Min: 10_000_000_000, Max: 3_600_000_000_000, Default: 360_000_000_000, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "kill", Targets: []string{"node"}},
		{Verb: "revive", Targets: []string{"node"}},
		{Verb: "power", Targets: []string{"node"}, Value: &labs.Param{Name: "power", Unit: labs.Percent, Min: 50_000, Max: 4_000_000, Default: 500_000}},
		{Verb: "load", Value: &labs.Param{Name: "load", Unit: labs.Percent, Min: 0, Max: 10_000_000, Default: 1_300_000}},
	},
	Checks: []labs.Check{
		{Name: "no-cascade", Facts: []labs.Quantity{{Name: "node"}, {Name: "inside"}, {Name: "since", Unit: labs.Seconds}}},
		{Name: "every-request-answered", Facts: []labs.Quantity{{Name: "failed"}}},
	},
	Metrics: takeoverMetrics(),
	Events: []labs.EventKind{
		{Name: "serve", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "takes", Unit: labs.Millis}, Flow: labs.Pass},
		{Name: "miss", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "takes", Unit: labs.Millis}, Flow: labs.Pass},
		{Name: "old", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Bounce},
		{Name: "empty", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Bounce},
		{Name: "fail", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Bounce},
		{Name: "die", A: labs.Quantity{Name: "inside"}, Mark: true},
		{Name: "known", A: labs.Quantity{Name: "warmed"}, Mark: true},
		{Name: "step", A: labs.Quantity{Name: "share", Unit: labs.Percent}, Mark: true},
		{Name: "back", Mark: true},
		{Name: "refuse", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "steps-alone", Query: "use=no-shadow"},
		{Name: "room-below", Query: "use=at-once&database=40"},
		{Name: "all-at-once", Query: "use=at-once", Breaks: "no-cascade"},
		{Name: "one-heir", Query: "use=at-once&dies=busiest&points=1", Breaks: "no-cascade"},
		{Name: "one-heir-by-steps", Query: "dies=busiest&points=1", Breaks: "no-cascade"},
		{Name: "back-cold", Query: "do=310s:revive:node-0003", Breaks: "no-cascade"},
		{Name: "no-fallback", Query: "rest=error", Breaks: "every-request-answered"},
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  takeoverLayout,
	Start:   startTakeover,
}

const maxHeirs = 16

// The ways to inherit, in the order of the choices of use.
const (
	inheritGradual = iota
	inheritNoShadow
	inheritAtOnce
	nInheritance
)

var inheritances = []string{"gradual", "no-shadow", "at-once"}

// The codes of the lab's tables, in their order.
const (
	takeoverServe = iota
	takeoverMiss
	takeoverOld
	takeoverEmpty
	takeoverFail
	takeoverDie
	takeoverKnown
	takeoverStep
	takeoverBack
	takeoverRefuse
)

const (
	checkCascade = iota
	checkAnswered
)

// The metrics: those of the judged way, then three a way.
const takeoverEach = 10

func takeoverMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "requests"}, {Name: "fresh"}, {Name: "old"}, {Name: "empty"}, {Name: "failed"}, {Name: "heirs"},
		{Name: "largest-heir", Unit: labs.Percent}, {Name: "warmed"}, {Name: "warmed-share", Unit: labs.Percent}, {Name: "ramp", Unit: labs.Seconds},
	}
	for _, w := range inheritances {
		m = append(m,
			labs.Quantity{Name: "lost." + w}, labs.Quantity{Name: "fresh." + w, Unit: labs.Percent}, labs.Quantity{Name: "waited." + w, Unit: labs.Seconds})
	}
	return m
}

// The columns: three of all, what became of the newest requests, one a way, then two a node.
const (
	takeoverColumnFresh = iota
	takeoverColumnFailed
	takeoverColumnLoads
	takeoverColumnRate
	takeoverColumnWaiting = takeoverColumnRate + nOutcome
	takeoverColumnNode    = takeoverColumnWaiting + nInheritance
)

// What becomes of a request.
const (
	outcomeFresh = iota
	outcomeOld
	outcomeEmpty
	outcomeFailed
	nOutcome
)

var outcomes = []string{"fresh", "old", "empty", "failed"}

const (
	takeoverColumnInside = iota
	takeoverColumnDown
	takeoverColumnsEach
)

func takeoverColumn(node, what int) int { return takeoverColumnNode + takeoverColumnsEach*node + what }

func takeoverLayout(c labs.Config) (l labs.Layout) {
	n := int(c.Int("nodes"))
	names, rates, waiting := make([]string, n), make([]string, nOutcome), make([]string, nInheritance)
	l.Record("fresh", labs.Count, labs.Sum)
	l.Record("failed", labs.Count, labs.Sum)
	l.Record("loads", labs.Count, labs.Sum)
	for k, o := range outcomes {
		rates[k] = "rate." + o
		l.Record(rates[k], labs.PerSecond, labs.Last)
	}
	for k, w := range inheritances {
		waiting[k] = "waiting." + w
		l.Record(waiting[k], labs.Count, labs.Last)
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "ring", Kind: labs.Ring, Rank: 1, Judged: true, Passed: "fresh", Refused: "failed"}, "client")
	for i := range n {
		names[i] = nodeName(i)
		l.Record("inside."+names[i], labs.Count, labs.Peak)
		l.Record("down."+names[i], labs.Count, labs.Last)
		l.Place(labs.Entity{
			Name: names[i], Label: "node", N: i + 1, Kind: labs.Node, Rank: 2, Row: i, Level: "inside." + names[i], Full: c.Int("places"),
			Down: "down." + names[i],
		}, "ring")
	}
	l.Place(labs.Entity{Name: "database", Kind: labs.Database, Rank: 3, Row: (n - 1) / 2, Level: waiting[c.Int("use")], Passed: "loads"}, "ring")
	l.Plot("answers", 0, rates...)
	l.Plot("waiting", 0, waiting...)
	return l
}

// takeover is how one way inherits.
func takeover(c labs.Config, way int) ring.TakeoverConfig {
	if way == inheritAtOnce {
		return ring.TakeoverConfig{First: 1_000_000}
	}
	return ring.TakeoverConfig{First: c.Int("first"), Step: c.Int("step"), Every: c.Int("every"), Warm: c.Int("warm")}
}
