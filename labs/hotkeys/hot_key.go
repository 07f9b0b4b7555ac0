package hotkeys

import (
	"strconv"

	"seedbed/labs"
)

// HotKey asks who finds a key that much of the traffic is for, and what then keeps its shard from being overrun without selling
// anything twice.
var HotKey = &labs.Lab{
	ID: "hot-key", Version: 2, Family: "hotkeys",
	Params: []labs.Param{
		{Name: "use", Choices: finders, Default: findSaving},
		{Name: "cure", Choices: cures, Default: cureCopies},
		{Name: "holds", Choices: holdings},
		{Name: "requests", Unit: labs.PerSecond, Min: 1000, Max: 10_000_000, Default: 200_000, Log: true},
		{Name: "hot", Unit: labs.Percent, Min: 0, Max: million, Default: 400_000},
		{Name: "begins", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 2_500_000_000},
		{Name: "moves", Unit: labs.Seconds, Min: second, Max: 600 * second, Default: 6 * second, Log: true, Unused: "holds=page"},
		{Name: "keys", Min: 10, Max: 50_000, Default: 500, Log: true},
		{Name: "skew", Unit: labs.Ratio, Min: 0, Max: 1_500_000, Default: 500_000},
		{Name: "shards", Min: 1, Max: maxShards, Default: 4},
		{Name: "capacity", Unit: labs.PerSecond, Min: 1000, Max: 10_000_000, Default: 90_000, Log: true},
		{Name: "copies", Min: 1, Max: maxShards, Default: 4},
		{Name: "servers", Min: 1, Max: 64, Default: 5},
		{Name: "ttl", Unit: labs.Millis, Min: 1_000_000, Max: 10 * second, Default: 500_000_000, Log: true, Unused: "cure=local"},
		{Name: "writes", Unit: labs.PerSecond, Min: 0, Max: 1_000_000, Default: 2000},
		{Name: "stock", Min: 1, Max: million, Default: 200, Log: true, Unused: "holds=stock"},
		{Name: "top", Min: 1, Max: maxTop, Default: 3},
		{Name: "within", Unit: labs.Seconds, Min: second, Max: 60 * second, Default: 3 * second},
		{Name: "counters", Min: 16, Max: 65_536, Default: 512, Log: true},
		{Name: "halve", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 5 * second},
		{Name: "scan", Unit: labs.Seconds, Min: second, Max: 600 * second, Default: 10 * second, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: 5 * second, Max: 600 * second, Default: 14 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "heat"},
		{Verb: "sweep", Value: &labs.Param{Name: "keys", Min: 1, Max: maxSweep, Default: 500}},
	},
	Checks: []labs.Check{
		{Name: "hot-key-found", Facts: []labs.Quantity{{Name: "key"}, {Name: "since", Unit: labs.Seconds}}},
		{Name: "no-shard-over-capacity", Facts: []labs.Quantity{{Name: "rate", Unit: labs.PerSecond}, {Name: "shard"}}},
		{Name: "no-oversell", Facts: []labs.Quantity{{Name: "sold"}, {Name: "stock"}}},
	},
	Metrics: hotMetrics(),
	Events: []labs.EventKind{
		{Name: "read", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
		{Name: "local", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Bounce},
		{Name: "add", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
		{Name: "sell", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "sold"}, Flow: labs.Pass},
		{Name: "sold-out", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "sold"}, Flow: labs.Bounce},
		{Name: "write", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "places"}},
		{Name: "heat", A: labs.Quantity{Name: "key"}, Mark: true},
		{Name: "name", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "after", Unit: labs.Millis}, Mark: true},
		{Name: "sweep", A: labs.Quantity{Name: "keys"}, Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "count-min", Query: "use=count-min"},
		{Name: "heavy-keeper", Query: "use=heavy-keeper"},
		{Name: "few-counters", Query: "use=heavy-keeper&hot=12&skew=0&shards=16&capacity=36&copies=16&counters=64&length=10"},
		{Name: "redis-often", Query: "use=redis-lfu&top=16&scan=1"},
		{Name: "local-cache", Query: "cure=local"},
		{Name: "sharded-counter", Query: "cure=split&holds=likes&length=10"},
		{Name: "added-up-locally", Query: "cure=local&holds=likes&length=10"},
		{Name: "split-stock", Query: "cure=split&holds=stock&length=10"},
		{Name: "scattered-list", Query: "cure=split&holds=list&length=10"},
		{Name: "nothing-done", Query: "cure=none", Breaks: "no-shard-over-capacity"},
		{Name: "lru-as-detector", Query: "use=lru&top=1&length=20", Breaks: "hot-key-found"},
		{Name: "scan-too-seldom", Query: "use=redis-lfu&length=10", Breaks: "hot-key-found"},
		{Name: "too-few-names", Query: "hot=12&skew=0&shards=16&capacity=36&copies=16&top=1&counters=16", Breaks: "hot-key-found"},
		{Name: "never-halved", Query: "top=1&halve=0", Breaks: "hot-key-found"},
		{Name: "copies-of-a-counter", Query: "holds=stock&length=10", Breaks: "no-oversell"},
		{Name: "local-stock", Query: "cure=local&holds=stock&ttl=1000&length=10", Breaks: "no-oversell"},
		{Name: "counter-on-all-copies", Query: "holds=likes&length=10", Breaks: "no-shard-over-capacity"},
	},
	Valid:   validHot,
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  hotLayout,
	Start:   startHot,
}

const (
	maxShards = 16
	maxTop    = 16 // as redis-cli --hotkeys prints
)

// The ways to find a hot key, in the order of the choices of use.
const (
	findWindow = iota
	findCountMin
	findSaving
	findKeeper
	findRedis
	findLRU
	nFind
)

var finders = []string{"window", "count-min", "space-saving", "heavy-keeper", "redis-lfu", "lru"}

// What is done about keys that were named, in the order of the choices of cure.
const (
	cureNone = iota
	cureCopies
	cureLocal
	cureSplit
)

var cures = []string{"none", "copies", "local", "split"}

// What the hot key holds, in the order of the choices of holds.
const (
	holdsPage  = iota // a value that is read, and now and then written
	holdsLikes        // a number that is added to
	holdsStock        // a number that is taken from and must not go below 0
	holdsList         // many things under one key, of which each user needs some
)

var holdings = []string{"page", "likes", "stock", "list"}

// validHot refuses what has no meaning: half of a page is no page, and two copies on one shard are one.
func validHot(c labs.Config) error {
	if c.Int("cure") == cureSplit && c.Int("holds") == holdsPage {
		return &labs.Error{Code: "conflict", Field: "cure", Got: "split", Want: "a page that is read as a whole; numbers and lists can be split"}
	}
	if n := c.Int("copies"); n > c.Int("shards") {
		return &labs.Error{Code: "conflict", Field: "copies", Got: strconv.FormatInt(n, 10), Want: "fewer shards; it is at most one copy a shard"}
	}
	return nil
}

// The codes of the lab's tables, in their order.
const (
	hotRead = iota
	hotLocal
	hotAdd
	hotSell
	hotSoldOut
	hotWrite
	hotHeat
	hotName
	hotSweep
)

const (
	checkFound = iota
	checkShard
	checkSold
)

// The metrics: those of the run, then four a way to find.
const hotEach = 16

func hotMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "requests"}, {Name: "hot-requests"}, {Name: "found-after", Unit: labs.Seconds}, {Name: "missed"},
		{Name: "busiest", Unit: labs.PerSecond}, {Name: "operations"}, {Name: "local-hits"}, {Name: "old"}, {Name: "writes"}, {Name: "shard-writes"},
		{Name: "added"}, {Name: "behind"}, {Name: "sold"}, {Name: "oversold"}, {Name: "asked-again"}, {Name: "copies-needed"},
	}
	for _, f := range finders {
		m = append(m, labs.Quantity{Name: "missed." + f}, labs.Quantity{Name: "after." + f, Unit: labs.Seconds},
			labs.Quantity{Name: "agree." + f, Unit: labs.Percent}, labs.Quantity{Name: "memory." + f, Unit: labs.KiB})
	}
	return m
}

// The columns: those of the run, then one a way to find, then one a shard.
const (
	columnForwarded = iota
	columnLocal
	columnSoldOut
	columnSold
	columnAdded
	columnTold
	columnMissed
	columnShard = columnMissed + nFind
)

// The entities: the users, the application's servers, which count and choose the shard, then the shards.
const (
	entityServers = 1
	entityShard   = 2
)

func hotLayout(c labs.Config) (l labs.Layout) {
	n := int(c.Int("shards"))
	l.Record("forwarded", labs.Count, labs.Sum)
	l.Record("local", labs.Count, labs.Sum)
	l.Record("sold-out", labs.Count, labs.Sum)
	l.Record("sold", labs.Count, labs.Last)
	l.Record("added", labs.Count, labs.Last)
	l.Record("told", labs.Count, labs.Last)
	var missed, rates []string
	for _, f := range finders {
		missed = append(missed, "missed."+f)
		l.Record("missed."+f, labs.Count, labs.Last)
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: (n - 1) / 2})
	servers := labs.Entity{Name: "servers", Kind: labs.Gateway, Rank: 1, Row: (n - 1) / 2, Passed: "forwarded"}
	switch holds := c.Int("holds"); {
	case holds == holdsStock:
		servers.Refused = "sold-out"
		l.Plot("stock", c.Int("stock"), "sold")
	case holds == holdsLikes:
		l.Plot("likes", 0, "added", "told")
	case c.Int("cure") == cureLocal:
		l.Plot("answers", 0, "forwarded", "local")
	}
	l.Place(servers, "client")
	for i := range n {
		name := "shard-" + strconv.Itoa(i+1)
		rates = append(rates, "rate."+name)
		l.Record("rate."+name, labs.Count, labs.Last)
		l.Place(labs.Entity{Name: name, Label: "shard", N: i + 1, Kind: labs.Shard, Rank: 2, Row: i, Judged: true, Level: "rate." + name, Full: c.Int("capacity") / 1000}, "servers")
	}
	l.Plot("shards", c.Int("capacity")/1000, rates...)
	l.Plot("missed", 0, missed...)
	return l
}
