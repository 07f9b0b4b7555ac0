package caching

import "seedbed/labs"

// Breakdown asks who loads when one hot key ends: everybody, one a process, one in all, or somebody before the end; and what becomes of
// those who wait for a load that never comes.
var Breakdown = &labs.Lab{
	ID: "cache-breakdown", Version: 2, Family: "caching",
	Params: []labs.Param{
		{Name: "use", Choices: renewals},
		{Name: "reads", Unit: labs.PerSecond, Min: 1, Max: 10_000_000, Default: 200_000, Log: true},
		{Name: "ttl", Unit: labs.Seconds, Min: 100_000_000, Max: 3600 * second, Default: 10 * second, Log: true},
		{Name: "load", Unit: labs.Millis, Min: 1_000_000, Max: 10 * second, Default: 500_000_000, Log: true},
		{Name: "processes", Min: 1, Max: 64, Default: 8, Unused: "use=per-process"},
		{Name: "beta", Unit: labs.Ratio, Min: 10_000, Max: 100_000_000, Default: million, Log: true},
		{Name: "timeout", Unit: labs.Seconds, Min: 1_000_000, Max: 3600 * second, Default: second, Log: true},
		{Name: "patience", Unit: labs.Seconds, Min: 1_000_000, Max: 600 * second, Default: 2 * second, Log: true},
		{Name: "lost", Min: 0, Max: 1000, Default: 0},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 3600 * second, Default: 45 * second, Log: true},
	},
	Actions: []labs.Action{{Verb: "write"}, {Verb: "lose"}},
	Checks: []labs.Check{
		{Name: "one-load-per-expiry", Facts: []labs.Quantity{{Name: "loads"}}},
		{Name: "no-waiter-hangs", Facts: []labs.Quantity{{Name: "waited", Unit: labs.Seconds}, {Name: "waiting"}}},
	},
	Metrics: breakdownMetrics(),
	Events: []labs.EventKind{
		{Name: "hit", A: labs.Quantity{Name: "request"}, Flow: labs.Pass},
		{Name: "old", A: labs.Quantity{Name: "request"}, Flow: labs.Pass},
		{Name: "load", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "loads"}, Flow: labs.Pass},
		{Name: "wait", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waiting"}, Flow: labs.Wait},
		{Name: "land", A: labs.Quantity{Name: "load"}, B: labs.Quantity{Name: "readers"}},
		{Name: "vain", A: labs.Quantity{Name: "load"}},
		{Name: "hang", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "end", A: labs.Quantity{Name: "expiry"}, Mark: true},
		{Name: "lose", A: labs.Quantity{Name: "load"}, Mark: true},
		{Name: "write", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "logical", Query: "use=logical"},
		{Name: "early-lease", Query: "use=early-lease"},
		{Name: "lost-and-taken-over", Query: "lost=2"},
		{Name: "no-single-flight", Query: "use=none", Breaks: "one-load-per-expiry"},
		{Name: "one-a-process", Query: "use=per-process", Breaks: "one-load-per-expiry"},
		{Name: "early-alone", Query: "use=early&ttl=3", Breaks: "one-load-per-expiry"},
		{Name: "too-hasty", Query: "timeout=0.3", Breaks: "one-load-per-expiry"},
		{Name: "flight-never-lands", Query: "timeout=600&lost=2", Breaks: "no-waiter-hangs"},
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  breakdownLayout,
	Start:   startBreakdown,
}

// The ways to renew a key that ends, in the order of the choices of use.
const (
	renewLease = iota
	renewEarlyLease
	renewLogical
	renewPerProcess
	renewEarly
	renewNone
	nRenewal
)

var renewals = []string{"lease", "early-lease", "logical", "per-process", "early", "none"}

// The codes of the lab's tables, in their order.
const (
	breakdownHit = iota
	breakdownOld
	breakdownLoad
	breakdownWait
	breakdownLand
	breakdownVain
	breakdownHang
	breakdownEnd
	breakdownLose
	breakdownWrite
)

const (
	checkOneLoad = iota
	checkHangs
)

// The metrics: those of the judged way, then five a way.
const breakdownEach = 8

func breakdownMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "reads"}, {Name: "fresh"}, {Name: "old"}, {Name: "waited"}, {Name: "hung"}, {Name: "gone"}, {Name: "waiting"},
		{Name: "product", Unit: labs.Ratio},
	}
	for _, r := range renewals {
		m = append(m, labs.Quantity{Name: "expiries." + r}, labs.Quantity{Name: "loads." + r}, labs.Quantity{Name: "per-expiry." + r, Unit: labs.Ratio},
			labs.Quantity{Name: "at-once." + r}, labs.Quantity{Name: "longest." + r, Unit: labs.Seconds})
	}
	return m
}

// The columns: those of the judged way, then two a way.
const (
	breakdownColumnFresh = iota
	breakdownColumnOld
	breakdownColumnWaited
	breakdownColumnHung
	breakdownColumnLoads
	breakdownColumnLoading
)

const breakdownColumnWaiting = breakdownColumnLoading + nRenewal

// The entities.
const (
	entityServer = 1
	entityCache  = 2
	entityOrigin = 3
)

func breakdownLayout(c labs.Config) (l labs.Layout) {
	for _, name := range [...]string{"fresh", "old", "waited", "hung", "loads"} {
		l.Record(name, labs.Count, labs.Sum)
	}
	loading, waiting := make([]string, nRenewal), make([]string, nRenewal)
	for k, name := range renewals {
		loading[k], waiting[k] = "loading."+name, "waiting."+name
		l.Record(loading[k], labs.Count, labs.Peak)
	}
	for _, name := range waiting {
		l.Record(name, labs.Count, labs.Peak)
	}
	use := c.Int("use")
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "server", Kind: labs.Gateway, Rank: 1, Level: waiting[use], Passed: "waited", Refused: "hung"}, "client")
	l.Place(labs.Entity{Name: "cache", Kind: labs.Cache, Rank: 2, Judged: true, Passed: "fresh"}, "server")
	l.Place(labs.Entity{Name: "database", Kind: labs.Database, Rank: 3, Level: loading[use], Passed: "loads"}, "cache")
	l.Plot("loading", 0, loading...)
	l.Plot("waiting", 0, waiting...)
	return l
}
