package caching

import "seedbed/labs"

// Eviction asks who is to leave a full cache, and by which order of reads each rule is fooled.
var Eviction = &labs.Lab{
	ID: "eviction", Version: 1, Family: "caching",
	Params: []labs.Param{
		{Name: "use", Choices: evictors},
		{Name: "traffic", Choices: traffics},
		{Name: "sequence", Min: 1, Max: 999_999_999_999_999, Default: 12_314, Log: true, Unused: "traffic=own"},
		{Name: "capacity", Min: 1, Max: 10_000, Default: 100, Log: true},
		{Name: "keys", Min: 2, Max: 20_000, Default: 800, Log: true},
		{Name: "skew", Unit: labs.Ratio, Min: 0, Max: 1_500_000, Default: 1_000_000},
		{Name: "scan", Min: 1, Max: maxScan, Default: 1000, Log: true},
		{Name: "every", Unit: labs.Seconds, Min: second, Max: 1200 * second, Default: 15 * second, Log: true, Unused: "traffic=scan"},
		{Name: "loop", Min: 1, Max: 20_000, Default: 110, Log: true, Unused: "traffic=loop"},
		{Name: "moves", Unit: labs.Seconds, Min: 10 * second, Max: 1200 * second, Default: 60 * second, Log: true, Unused: "traffic=shift"},
		{Name: "again", Min: 1, Max: 100, Default: 4, Log: true, Unused: "traffic=fresh"},
		{Name: "factor", Min: 0, Max: 1000, Default: 10},
		{Name: "decay", Unit: labs.Seconds, Min: second, Max: 3600 * second, Default: 60 * second, Log: true},
		{Name: "window", Unit: labs.Percent, Min: 1000, Max: million, Default: 10_000, Log: true},
		{Name: "goal", Unit: labs.Percent, Min: 0, Max: million, Default: 500_000},
		{Name: "reads", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 40_000, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: 10 * second, Max: 1200 * second, Default: 120 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "read", Value: &labs.Param{Name: "key", Min: 1, Max: 1000, Default: 1}},
		{Verb: "scan"},
		{Verb: "shift"},
	},
	Checks: []labs.Check{
		{Name: "within-capacity", Facts: []labs.Quantity{{Name: "held"}}},
		{Name: "hit-ratio-over", Facts: []labs.Quantity{{Name: "ratio", Unit: labs.Percent}, {Name: "hits"}, {Name: "reads"}}},
	},
	Metrics: evictionMetrics(),
	Events: []labs.EventKind{
		{Name: "hit", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Bounce},
		{Name: "miss", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
		{Name: "evict", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "request"}},
		{Name: "scan", A: labs.Quantity{Name: "keys"}, Mark: true},
		{Name: "shift", A: labs.Quantity{Name: "key"}, Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "room-for-two", Query: "traffic=own&capacity=2&goal=0&length=10"},
		{Name: "room-for-three", Query: "traffic=own&capacity=3&goal=0&length=10"},
		{Name: "scan-passes", Query: "use=tiny-lfu&traffic=scan"},
		{Name: "loop-held", Query: "use=tiny-lfu&traffic=loop"},
		{Name: "redis-adapts", Query: "use=redis-lfu&traffic=shift"},
		{Name: "news", Query: "traffic=fresh"},
		{Name: "larger-window", Query: "use=tiny-lfu&traffic=fresh&window=40"},
		{Name: "scan-floods-lru", Query: "traffic=scan", Breaks: "hit-ratio-over"},
		{Name: "loop-starves-lru", Query: "traffic=loop", Breaks: "hit-ratio-over"},
		{Name: "lfu-never-forgets", Query: "use=lfu&traffic=shift", Breaks: "hit-ratio-over"},
		{Name: "window-too-small", Query: "use=tiny-lfu&traffic=fresh", Breaks: "hit-ratio-over"},
		{Name: "no-eviction", Query: "use=none", Breaks: "within-capacity"},
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  evictionLayout,
	Start:   startEviction,
}

// The rules, in the order of the choices of use. The last keeps everything: it is what the others give up.
const (
	evictLRU = iota
	evictLFU
	evictRedis
	evictTiny
	evictNone
	nEvict
)

var evictors = []string{"lru", "lfu", "redis-lfu", "tiny-lfu", "none"}

// The kinds of traffic, in the order of the choices.
const (
	trafficZipf  = iota // some keys more often than others, for ever
	trafficScan         // the same, and now and then a job reads a thousand others once
	trafficLoop         // the same keys in the same order, over and over
	trafficShift        // Zipf, and from time to time other keys are popular
	trafficFresh        // keys are read a few times while they are new
	trafficOwn          // one key a digit, one digit a second
)

var traffics = []string{"zipf", "scan", "loop", "shift", "fresh", "own"}

// The codes of the lab's tables, in their order.
const (
	evictionHit = iota
	evictionMiss
	evictionEvict
	evictionScan
	evictionShift
)

const (
	checkWithin = iota
	checkRatio
)

// The metrics: those of the judged rule, then four a rule.
const evictionEach = 6

func evictionMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "reads"}, {Name: "hits"}, {Name: "lowest", Unit: labs.Percent}, {Name: "evictions"}, {Name: "scanned"}, {Name: "distinct"},
	}
	for _, name := range evictors {
		m = append(m, labs.Quantity{Name: "hit-ratio." + name, Unit: labs.Percent}, labs.Quantity{Name: "misses." + name},
			labs.Quantity{Name: "held." + name}, labs.Quantity{Name: "left." + name})
	}
	return m
}

// The columns: three blocks with one column a rule, what is asked of them, the key that was read, and those that left for it.
const (
	evictionColumnHits  = 0
	evictionColumnHeld  = nEvict
	evictionColumnRatio = 2 * nEvict
	evictionColumnGoal  = 3 * nEvict
	evictionColumnAsked = evictionColumnGoal + 1
	evictionColumnLeft  = evictionColumnAsked + 1 // but for the last rule, which lets nobody go
)

// The entities: the readers, one cache a rule, then the store behind them.
const entityEvictor = 1

func evictionLayout(c labs.Config) (l labs.Layout) {
	var names [3][]string
	for i, block := range [...]struct {
		prefix string
		unit   labs.Unit
		gather labs.Gather
	}{{"hits.", labs.Count, labs.Sum}, {"held.", labs.Count, labs.Last}, {"ratio.", labs.Percent, labs.Last}} {
		for _, name := range evictors {
			names[i] = append(names[i], block.prefix+name)
			l.Record(block.prefix+name, block.unit, block.gather)
		}
	}
	l.Record("goal", labs.Percent, labs.Last)
	l.Record("asked", labs.Count, labs.Last)
	keys := []string{"asked"}
	for _, name := range evictors[:evictNone] {
		keys = append(keys, "left."+name)
		l.Record("left."+name, labs.Count, labs.Last)
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: 2})
	for k, name := range evictors {
		l.Place(labs.Entity{
			Name: name, Kind: labs.Cache, Rank: 1, Row: k, Judged: k == int(c.Int("use")),
			Level: "held." + name, Full: c.Int("capacity"), Passed: "hits." + name,
		}, "client")
	}
	l.Place(labs.Entity{Name: "database", Kind: labs.Database, Rank: 2, Row: 2}, evictors...)
	if c.Int("traffic") == trafficOwn { // a ratio of a handful of reads says less than who left
		l.Plot("keys", 0, keys...)
	} else {
		l.Plot("ratio", 0, append(names[2], "goal")...)
	}
	l.Plot("held", c.Int("capacity"), names[1]...)
	return l
}
