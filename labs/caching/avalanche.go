package caching

import "seedbed/labs"

// Avalanche asks what a database has to bear when the keys that were stored together end together, or when the cache itself goes, while
// orders need the same connections.
var Avalanche = &labs.Lab{
	ID: "cache-avalanche", Version: 2, Family: "caching",
	Params: []labs.Param{
		{Name: "use", Choices: keepings},
		{Name: "ttl", Unit: labs.Seconds, Min: 10 * second, Max: 86_400 * second, Default: 1800 * second, Log: true},
		{Name: "spread", Unit: labs.Seconds, Min: 0, Max: 43_200 * second, Default: 300 * second, Unused: "use=jitter"},
		{Name: "lead", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 21 * second},
		{Name: "keys", Min: 10, Max: 20_000, Default: 1000, Log: true},
		{Name: "skew", Unit: labs.Ratio, Min: 0, Max: 1_500_000, Default: 500_000},
		{Name: "reads", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 300_000, Log: true},
		{Name: "edge", Unit: labs.Percent, Min: 0, Max: million, Default: 0},
		{Name: "orders", Unit: labs.PerSecond, Min: 0, Max: 100_000, Default: 5_000},
		{Name: "connections", Min: 1, Max: 1000, Default: 20, Log: true},
		{Name: "query", Unit: labs.Millis, Min: 1_000_000, Max: 10 * second, Default: 200_000_000, Log: true},
		{Name: "patience", Unit: labs.Millis, Min: 1_000_000, Max: 60 * second, Default: 500_000_000, Log: true},
		{Name: "loads", Min: 0, Max: 1000, Default: 10},
		{Name: "stale", Unit: labs.Seconds, Min: 0, Max: 3600 * second, Default: 60 * second},
		{Name: "ahead", Unit: labs.Seconds, Min: 0, Max: 3600 * second, Default: 20 * second, Unused: "use=ahead"},
		{Name: "pace", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 50_000, Log: true, Unused: "use=prewarm"},
		{Name: "local", Unit: labs.Seconds, Min: 1_000_000, Max: 3600 * second, Default: 60 * second, Log: true, Unused: "use=two-level"},
		{Name: "processes", Min: 1, Max: 64, Default: 5, Log: true, Unused: "use=two-level"},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 3600 * second, Default: 26 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "expire", Targets: []string{"redis"}},
		{Verb: "kill", Targets: []string{"redis"}},
		{Verb: "revive", Targets: []string{"redis"}},
		{Verb: "load", Value: &labs.Param{Name: "load", Unit: labs.Percent, Min: 0, Max: 10_000_000, Default: 3_000_000}},
	},
	Checks: []labs.Check{
		{Name: "db-pool-holds", Facts: []labs.Quantity{{Name: "connections"}, {Name: "waiting"}}},
		{Name: "orders-answered", Facts: []labs.Quantity{{Name: "waited", Unit: labs.Millis}, {Name: "line"}}},
	},
	Metrics: avalancheMetrics(),
	Events: []labs.EventKind{
		{Name: "edge", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Bounce},
		{Name: "hit", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
		{Name: "old", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
		{Name: "load", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
		{Name: "join", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Wait},
		{Name: "refuse", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Bounce},
		{Name: "give-up", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "readers"}, Flow: labs.Bounce},
		{Name: "order", A: labs.Quantity{Name: "order"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Pass},
		{Name: "lose", A: labs.Quantity{Name: "order"}, B: labs.Quantity{Name: "waited", Unit: labs.Millis}, Flow: labs.Bounce},
		{Name: "end", A: labs.Quantity{Name: "keys"}, Mark: true},
		{Name: "die", Mark: true},
		{Name: "back", Mark: true},
		{Name: "same"},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "stale", Query: "use=stale"},
		{Name: "logical", Query: "use=logical"},
		{Name: "ahead", Query: "use=ahead"},
		{Name: "prewarm", Query: "use=prewarm"},
		{Name: "bounded-mutex", Query: "use=mutex"},
		{Name: "outer-tiers", Query: "use=same-ttl&edge=95"},
		{Name: "redis-dies", Query: "use=two-level&local=5&length=16&do=8s:kill:redis"},
		{Name: "same-ttl", Query: "use=same-ttl", Breaks: "db-pool-holds"},
		{Name: "mutex-alone", Query: "use=mutex&loads=0", Breaks: "orders-answered"},
		{Name: "stale-unbounded", Query: "use=stale&loads=0", Breaks: "orders-answered"},
		{Name: "jitter-redis-dies", Query: "loads=0&length=16&do=8s:kill:redis", Breaks: "orders-answered"},
	},
	Valid:   validAvalanche,
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  avalancheLayout,
	Start:   startAvalanche,
}

// The ways to keep what was stored together, in the order of the choices of use.
const (
	keepJitter = iota
	keepSameTTL
	keepMutex
	keepStale
	keepLogical
	keepAhead
	keepPrewarm
	keepTwoLevel
	nKeeping
)

var keepings = []string{"jitter", "same-ttl", "mutex", "stale", "logical", "ahead", "prewarm", "two-level"}

// The codes of the lab's tables, in their order.
const (
	avalancheEdge = iota
	avalancheHit
	avalancheOld
	avalancheLoad
	avalancheJoin
	avalancheRefuse
	avalancheGiveUp
	avalancheOrder
	avalancheLose
	avalancheEnd
	avalancheDie
	avalancheBack
	avalancheSame
)

const (
	checkPool = iota
	checkOrders
)

func validAvalanche(c labs.Config) error {
	ttl := c.Int("ttl")
	if lead := c.Int("lead"); lead > ttl {
		return longerThanTTL("lead", lead)
	}
	if ahead := c.Int("ahead"); ahead > ttl {
		return longerThanTTL("ahead", ahead)
	}
	if spread := c.Int("spread"); spread > ttl/10*9 {
		return &labs.Error{Code: "conflict", Field: "spread", Got: labs.Seconds.Format(spread), Want: "spread ≤ 0.9 ttl"}
	}
	return nil
}

//go:noinline
func longerThanTTL(field string, got int64) error {
	return &labs.Error{Code: "conflict", Field: field, Got: labs.Seconds.Format(got), Want: field + " ≤ ttl"}
}

// The metrics: those of the judged way, then five a way.
const avalancheEach = 11

func avalancheMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "reads"}, {Name: "edge"}, {Name: "fresh"}, {Name: "old"}, {Name: "waited"}, {Name: "refused"}, {Name: "failed"}, {Name: "waiting"},
		{Name: "orders"}, {Name: "orders-waiting"}, {Name: "capacity", Unit: labs.PerSecond},
	}
	for _, k := range keepings {
		m = append(m, labs.Quantity{Name: "loads." + k}, labs.Quantity{Name: "line." + k}, labs.Quantity{Name: "lost." + k},
			labs.Quantity{Name: "unserved." + k}, labs.Quantity{Name: "old." + k})
	}
	return m
}

// The columns: those of the judged way, then one a way.
const (
	avalancheColumnEdge  = iota
	avalancheColumnLocal // answered by the local cache, fresh or old
	avalancheColumnRedis // and by the other
	avalancheColumnFresh
	avalancheColumnOld
	avalancheColumnWaited
	avalancheColumnUnserved
	avalancheColumnOrders
	avalancheColumnLost
	avalancheColumnLoads
	avalancheColumnBusy
	avalancheColumnDown
	avalancheColumnWanted
)

// The entities. A local cache stands before the other only where it is in use.
const (
	entityClient = iota
	entityBuyer
	entityEdge
	entityRedis
	entityDatabase
	entityLocal
)

func avalancheLayout(c labs.Config) (l labs.Layout) {
	for _, name := range [...]string{"edge", "local", "redis", "fresh", "old", "waited", "unserved", "orders", "lost", "loads"} {
		l.Record(name, labs.Count, labs.Sum)
	}
	l.Record("busy", labs.Count, labs.Peak)
	l.Record("down", labs.Count, labs.Last)
	wanted := make([]string, nKeeping)
	for k, name := range keepings {
		wanted[k] = "wanted." + name
		l.Record(wanted[k], labs.Count, labs.Peak)
	}
	rank, before := 2, "edge"
	if c.Int("use") == keepTwoLevel {
		rank, before = 3, "local"
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "buyer", Kind: labs.Client, Rank: rank, Row: 1})
	l.Place(labs.Entity{Name: "edge", Kind: labs.Cache, Rank: 1, Passed: "edge"}, "client")
	l.Place(labs.Entity{Name: "redis", Kind: labs.Cache, Rank: rank, Judged: true, Passed: "redis", Refused: "unserved", Down: "down"}, before)
	l.Place(labs.Entity{
		Name: "database", Kind: labs.Database, Rank: rank + 1, Level: "busy", Full: c.Int("connections"), Passed: "loads", Refused: "lost",
	}, "redis", "buyer")
	if c.Int("use") == keepTwoLevel {
		l.Place(labs.Entity{Name: "local", Kind: labs.Cache, Rank: 2, Passed: "local"}, "edge")
	}
	l.Plot("reads", 0, "fresh", "old", "waited", "unserved")
	l.Plot("wanted", c.Int("connections"), wanted...)
	l.Plot("orders", 0, "orders", "lost")
	return l
}
