package routing

import (
	"seedbed/chapters/route"
	"seedbed/labs"
)

// RetryStorm asks what retries do to a backend that is slow for a while: whether the storm ends with its cause, and whether what was
// asked for once is done once.
var RetryStorm = &labs.Lab{
	ID: "retry-storm", Version: 1, Family: "routing",
	Params: []labs.Param{
		{Name: "use", Choices: callers},
		{Name: "trouble", Choices: []string{"slow", "errors"}},
		{Name: "factor", Min: 1, Max: 100, Default: 5, Unused: "trouble=slow"},
		{Name: "failing", Unit: labs.Percent, Min: 0, Max: 1_000_000, Default: 1_000_000, Unused: "trouble=errors"},
		{Name: "begin", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 10_000_000_000},
		{Name: "lasts", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 10_000_000_000},
		{Name: "rate", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 50_000, Log: true},
		{Name: "servers", Min: 1, Max: 1000, Default: 4, Log: true},
		{Name: "service", Unit: labs.Millis, Min: 1_000_000, Max: 10_000_000_000, Default: 50_000_000, Log: true},
		{Name: "queue", Min: 0, Max: 10_000, Default: 150},
		{Name: "timeout", Unit: labs.Millis, Min: 10_000_000, Max: 60_000_000_000, Default: 1_000_000_000, Log: true},
		{Name: "deadline", Unit: labs.Seconds, Min: 10_000_000, Max: 60_000_000_000, Default: 8_000_000_000, Log: true},
		{Name: "attempts", Min: 1, Max: 10, Default: 4},
		{Name: "base", Unit: labs.Millis, Min: 0, Max: 60_000_000_000, Default: 100_000_000},
		{Name: "cap", Unit: labs.Millis, Min: 0, Max: 60_000_000_000, Default: 2_000_000_000},
		{Name: "percent", Unit: labs.Percent, Min: 0, Max: 10_000_000, Default: 200_000, Unused: "use=budget"},
		{Name: "floor", Unit: labs.PerSecond, Min: 0, Max: 1_000_000, Default: 1000, Unused: "use=budget"},
		{Name: "throttle", Choices: []string{"off", "on"}},
		{Name: "window", Unit: labs.Seconds, Min: 100_000_000, Max: 600_000_000_000, Default: 2_000_000_000, Log: true, Unused: "throttle=on"},
		{Name: "posts", Unit: labs.Percent, Min: 0, Max: 1_000_000, Default: 200_000},
		{Name: "repeat", Choices: []string{"keyed", "never", "unkeyed"}},
		{Name: "length", Unit: labs.Seconds, Min: 1_000_000_000, Max: 600_000_000_000, Default: 45_000_000_000, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "slow", Targets: []string{"backend"}},
		{Verb: "fail", Targets: []string{"backend"}},
		{Verb: "heal", Targets: []string{"backend"}},
		{Verb: "burst", Value: &labs.Param{Name: "requests", Min: 1, Max: 10_000, Default: 100}},
	},
	Checks: []labs.Check{
		{Name: "no-duplicate-effect", Facts: []labs.Quantity{{Name: "effects"}}},
		{Name: "load-amplification-bounded", Facts: []labs.Quantity{{Name: "amplification", Unit: labs.Ratio}, {Name: "bound", Unit: labs.Ratio}}},
	},
	Metrics: stormMetrics(),
	Events: []labs.EventKind{
		{Name: "send", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "attempt"}, Flow: labs.Pass},
		{Name: "answer", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Pass},
		{Name: "error", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "attempt"}, Flow: labs.Bounce},
		{Name: "time-out", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "attempt"}, Flow: labs.Bounce},
		{Name: "throttle", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "attempt"}, Flow: labs.Bounce},
		{Name: "wait", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "wait", Unit: labs.Millis}, Flow: labs.Wait},
		{Name: "give-up", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "attempts"}, Flow: labs.Bounce},
		{Name: "effect", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "effects"}},
		{Name: "replay", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "attempt"}},
		{Name: "slow", Mark: true},
		{Name: "fail", Mark: true},
		{Name: "heal", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "errors", Query: "trouble=errors"},
		{Name: "no-retries", Query: "use=none"},
		{Name: "throttled", Query: "throttle=on"},
		{Name: "throttled-too-long", Query: "throttle=on&window=10"},
		{Name: "posts-go-once", Query: "repeat=never"},
		{Name: "naive-retries", Query: "use=naive", Breaks: "load-amplification-bounded"},
		{Name: "backoff-alone", Query: "use=backoff", Breaks: "load-amplification-bounded"},
		{Name: "replayed-post", Query: "repeat=unkeyed", Breaks: "no-duplicate-effect"},
	},
	Valid: func(c labs.Config) error {
		if err := whole(c, "percent", labs.Percent, percent); err != nil {
			return err
		}
		return whole(c, "floor", labs.PerSecond, 1000)
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  stormLayout,
	Start:   startStorm,
}

// The ways to retry, in the order of the choices of use.
const (
	callBudget = iota
	callBackoff
	callNaive
	callNone
	nCaller
)

var callers = []string{"budget", "backoff", "naive", "none"}

// The codes of the lab's events and checks, in the order of the tables above.
const (
	stormSend = iota
	stormAnswer
	stormError
	stormTimeOut
	stormThrottle
	stormWait
	stormGiveUp
	stormEffect
	stormReplay
	stormTrouble
)

const (
	checkDuplicate = iota
	checkAmplification
)

// The metrics: nine of the judged way to retry, then four a way.
const stormEach = 9

func stormMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "requests"}, {Name: "sent"}, {Name: "bound", Unit: labs.Ratio}, {Name: "success-share", Unit: labs.Percent}, {Name: "effects"},
		{Name: "replays"}, {Name: "no-budget"}, {Name: "unsafe"}, {Name: "throttled"},
	}
	for _, c := range callers {
		m = append(m, labs.Quantity{Name: "amplification." + c, Unit: labs.Ratio}, labs.Quantity{Name: "success-after." + c, Unit: labs.Percent},
			labs.Quantity{Name: "duplicates." + c}, labs.Quantity{Name: "recovery." + c, Unit: labs.Seconds})
	}
	return m
}

// The columns: one of all, then four a way to retry.
const (
	stormColumnTrouble = iota
	stormColumnCaller
)

const (
	stormColumnAnswered = iota
	stormColumnFailed
	stormColumnLoad
	stormColumnWaiting
	stormColumnsEach
)

// entityCaller is the first of the callers: the client comes before them, the backend behind.
const (
	entityCaller  = 1
	entityBackend = entityCaller + nCaller
)

func stormLayout(c labs.Config) (l labs.Layout) {
	l.Record("trouble", labs.Count, labs.Last)
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: 1})
	load, waiting := make([]string, nCaller), make([]string, nCaller)
	for k, name := range callers {
		load[k], waiting[k] = "load."+name, "waiting."+name
		l.Record("answered."+name, labs.Count, labs.Sum)
		l.Record("failed."+name, labs.Count, labs.Sum)
		l.Record(load[k], labs.Count, labs.Sum)
		l.Record(waiting[k], labs.Count, labs.Peak)
		l.Place(labs.Entity{Name: name, Kind: labs.Gateway, Rank: 1, Row: k, Judged: k == int(c.Int("use")), Passed: "answered." + name, Refused: "failed." + name}, "client")
	}
	l.Place(labs.Entity{Name: "backend", Kind: labs.Node, Rank: 2, Row: 1, Down: "trouble"}, callers...)
	l.Plot("load", 0, load...)
	l.Plot("waiting", c.Int("queue"), waiting...)
	return l
}

// stormRetrier is how one way to retry decides. Without a budget nothing but the number of attempts bounds the retries.
func stormRetrier(c labs.Config, k int) route.RetryConfig {
	cfg := route.RetryConfig{
		Attempts: c.Int("attempts"),
		Backoff:  route.Backoff{Base: c.Int("base"), Cap: c.Int("cap")},
		Budget:   route.BudgetConfig{Percent: 1000, PerSecond: 1_000_000, TTL: 10 * second},
	}
	switch k {
	case callBudget:
		cfg.Budget.Percent, cfg.Budget.PerSecond = c.Int("percent")/percent, c.Int("floor")/1000
	case callNaive:
		cfg.Backoff = route.Backoff{}
	case callNone:
		cfg.Attempts = 1
	}
	return cfg
}
