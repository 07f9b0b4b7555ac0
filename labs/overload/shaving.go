package overload

import "seedbed/labs"

// PeakShaving asks how long a line may be: a peak comes, a consumer works at its own pace, and what comes faster waits. Tokens stand before
// the line, and every way to bound it sees what they let through.
var PeakShaving = &labs.Lab{
	ID: "peak-shaving", Version: 1, Family: "overload",
	Params: []labs.Param{
		{Name: "use", Choices: lines},
		{Name: "rate", Unit: labs.PerSecond, Min: 0, Max: 1_000_000, Default: 5_000},
		{Name: "peak", Unit: labs.PerSecond, Min: 0, Max: 10_000_000, Default: 200_000},
		{Name: "begin", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 5 * second},
		{Name: "lasts", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 20 * second},
		{Name: "tokens", Unit: labs.PerSecond, Min: 0, Max: 10_000_000, Default: 100_000},
		{Name: "burst", Min: 1, Max: 1_000_000, Default: 50, Log: true},
		{Name: "serve", Unit: labs.PerSecond, Min: 1000, Max: 10_000_000, Default: 25_000, Log: true},
		{Name: "depth", Min: 1, Max: 1_000_000, Default: 1000, Log: true},
		{Name: "promise", Unit: labs.Seconds, Min: 10_000_000, Max: 3600 * second, Default: 45 * second, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 3600 * second, Default: 80 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "slow", Targets: []string{"consumer"}, Value: &labs.Param{Name: "factor", Min: 2, Max: 1000, Default: 2}},
		{Verb: "heal", Targets: []string{"consumer"}},
		{Verb: "burst", Value: &labs.Param{Name: "requests", Min: 1, Max: 200_000, Default: 200}},
	},
	Checks: []labs.Check{
		{Name: "backlog-bounded", Facts: []labs.Quantity{{Name: "waiting"}}},
		{Name: "no-late-surprise", Facts: []labs.Quantity{{Name: "waited", Unit: labs.Seconds}, {Name: "waiting"}}},
	},
	Metrics: shavingMetrics(),
	Events: []labs.EventKind{
		{Name: "accept", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waiting"}, Flow: labs.Wait},
		{Name: "filter", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "retry", Unit: labs.Millis}, Flow: labs.Bounce},
		{Name: "full", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waiting"}, Flow: labs.Bounce},
		{Name: "hopeless", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "wait", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "serve", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Seconds}, Flow: labs.Leave},
		{Name: "late", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Seconds}, Flow: labs.Leave},
		{Name: "drop", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "peak", Mark: true},
		{Name: "over", Mark: true},
		{Name: "slow", A: labs.Quantity{Name: "factor"}, Mark: true},
		{Name: "heal", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "no-tokens", Query: "tokens=0"},
		{Name: "short", Query: "use=short"},
		{Name: "deadline", Query: "use=deadline&do=10s:slow:consumer"},
		{Name: "no-valley", Query: "rate=30&lasts=0&tokens=0&depth=100&length=60"},
		{Name: "ten-thousand", Query: "rate=0&lasts=0&tokens=0&serve=50&depth=10000&promise=201&length=210&do=1s:burst::12000"},
		{Name: "unbounded-queue", Query: "use=unbounded", Breaks: "backlog-bounded"},
		{Name: "too-deep", Query: "tokens=0&depth=5000", Breaks: "no-late-surprise"},
		{Name: "slow-consumer", Query: "do=10s:slow:consumer", Breaks: "no-late-surprise"},
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  shavingLayout,
	Start:   startShaving,
}

// The ways to bound the line, in the order of the choices of use.
const (
	lineBounded   = iota // by a number
	lineDeadline         // by that number and by the promise
	lineShort            // by what the consumer does in a second
	lineUnbounded        // not at all
	nLine
)

var lines = []string{"bounded", "deadline", "short", "unbounded"}

// The codes of the lab's events and checks, in the order of the tables above.
const (
	shavingAccept = iota
	shavingFilter
	shavingFull
	shavingHopeless
	shavingServe
	shavingLate
	shavingDrop
	shavingPeak
	shavingOver
	shavingSlow
	shavingHeal
)

const (
	checkBacklog = iota
	checkLate
)

// The metrics: four of all, then seven a way.
const (
	shavingEach     = 4
	shavingEachLine = 7
)

func shavingMetrics() []labs.Quantity {
	m := []labs.Quantity{{Name: "requests"}, {Name: "filtered"}, {Name: "writes"}, {Name: "drained", Unit: labs.Seconds}}
	for _, l := range lines {
		m = append(m, labs.Quantity{Name: "refused." + l}, labs.Quantity{Name: "served." + l}, labs.Quantity{Name: "late." + l}, labs.Quantity{Name: "told." + l},
			labs.Quantity{Name: "most." + l}, labs.Quantity{Name: "oldest." + l, Unit: labs.Seconds}, labs.Quantity{Name: "left." + l})
	}
	return m
}

// The columns: those of the judged way, then two a way.
const (
	shavingColumnPassed = iota
	shavingColumnFiltered
	shavingColumnAccepted
	shavingColumnRefused
	shavingColumnServed
	shavingColumnSlow
	shavingColumnEach
)

const (
	entityTokens = 1 + iota
	entityLine
	entityConsumer
)

// room is how many may wait in one way; 0 when there is no bound.
func room(c labs.Config, k int) int64 {
	switch k {
	case lineShort:
		return max(1, c.Int("serve")/1000)
	case lineUnbounded:
		return 0
	}
	return c.Int("depth")
}

func shavingLayout(c labs.Config) (l labs.Layout) {
	for _, name := range [...]string{"passed", "filtered", "accepted", "refused", "served"} {
		l.Record(name, labs.Count, labs.Sum)
	}
	l.Record("slow", labs.Count, labs.Last)
	waiting, age := make([]string, nLine), make([]string, nLine)
	for k, name := range lines {
		waiting[k], age[k] = "waiting."+name, "age."+name
		l.Record(waiting[k], labs.Count, labs.Peak)
		l.Record(age[k], labs.Seconds, labs.Peak)
	}
	use := int(c.Int("use"))
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "tokens", Kind: labs.Limiter, Rank: 1, Passed: "passed", Refused: "filtered"}, "client")
	l.Place(labs.Entity{
		Name: "line", Kind: labs.Queue, Rank: 2, Judged: true, Level: waiting[use], Full: room(c, use), Passed: "accepted", Refused: "refused",
	}, "tokens")
	l.Place(labs.Entity{Name: "consumer", Kind: labs.Node, Rank: 3, Passed: "served", Down: "slow"}, "line")
	l.Plot("waiting", c.Int("depth"), waiting...)
	l.Plot("age", c.Int("promise"), age...)
	l.Plot("flow", 0, "accepted", "refused", "filtered", "served")
	return l
}
