package consistency

import (
	"seedbed/chapters/cache"
	"seedbed/labs"
)

// Invalidate asks for how long a cache may answer with what has been overwritten: when the writer deletes, when the store's log does, and
// what a reader does who fills the cache with what it read a while ago.
var Invalidate = &labs.Lab{
	ID: "cache-invalidate", Version: 1, Family: "consistency",
	Params: []labs.Param{
		{Name: "use", Choices: wayNames},
		{Name: "fill", Choices: []string{"lease", "version", "plain"}},
		{Name: "from", Choices: []string{"primary", "replica"}},
		{Name: "tail", Choices: []string{"primary", "replica"}, Unused: "use=log"},
		{Name: "reads", Unit: labs.PerSecond, Min: 1, Max: 100_000_000, Default: 60_000, Log: true},
		{Name: "writes", Unit: labs.PerSecond, Min: 0, Max: 10_000_000, Default: 2_000},
		{Name: "keys", Min: 1, Max: 1000, Default: 10, Log: true},
		{Name: "query", Unit: labs.Millis, Min: 1000, Max: 10 * second, Default: 10 * milli, Log: true},
		{Name: "hop", Unit: labs.Millis, Min: 1000, Max: 10 * second, Default: 2 * milli, Log: true},
		{Name: "slow", Unit: labs.Percent, Min: 0, Max: million, Default: 50_000},
		{Name: "pause", Unit: labs.Seconds, Min: 0, Max: 60 * second, Default: second / 2},
		{Name: "lag", Unit: labs.Millis, Min: 0, Max: 60 * second, Default: 200 * milli, Unused: "from=replica"},
		{Name: "delay", Unit: labs.Millis, Min: 0, Max: 60 * second, Default: 900 * milli, Unused: "use=double"},
		{Name: "relay", Unit: labs.Millis, Min: 0, Max: 60 * second, Default: 50 * milli, Unused: "use=log"},
		{Name: "lost", Unit: labs.Percent, Min: 0, Max: million, Default: 0},
		{Name: "tries", Min: 1, Max: cache.MaxTries, Default: 1, Log: true},
		{Name: "retry", Unit: labs.Millis, Min: milli, Max: 60 * second, Default: 50 * milli, Log: true},
		{Name: "lease", Unit: labs.Seconds, Min: milli, Max: 3600 * second, Default: 2 * second, Log: true, Unused: "fill=lease"},
		{Name: "ttl", Unit: labs.Seconds, Min: milli, Max: 3600 * second, Default: 60 * second, Log: true},
		{Name: "within", Unit: labs.Seconds, Min: milli, Max: 3600 * second, Default: second, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 3600 * second, Default: 20 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "write", Targets: []string{"writers"}, Value: &labs.Param{Name: "key", Min: 1, Max: 1000, Default: 1}, Of: "keys"},
		{Verb: "crash", Targets: []string{"writers"}},
		{Verb: "stall", Targets: []string{"readers"}, Value: &labs.Param{Name: "for", Unit: labs.Seconds, Min: milli, Max: 600 * second, Default: 2 * second}},
		{Verb: "stop", Targets: []string{"relay"}},
		{Verb: "start", Targets: []string{"relay"}},
	},
	Checks: []labs.Check{
		{Name: "stale-within", Facts: []labs.Quantity{{Name: "key"}, {Name: "age", Unit: labs.Seconds}}},
	},
	Metrics: invalidateMetrics(),
	Events: []labs.EventKind{
		{Name: "hit", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
		{Name: "old", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "age", Unit: labs.Seconds}, Flow: labs.Pass},
		{Name: "load", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "version"}, Flow: labs.Pass},
		{Name: "fill", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "version"}},
		{Name: "fill-old", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "version"}, Mark: true},
		{Name: "void", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "version"}},
		{Name: "commit", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "version"}, Flow: labs.Pass},
		{Name: "apply", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "version"}},
		{Name: "delete", A: labs.Quantity{Name: "key"}},
		{Name: "set", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "version"}},
		{Name: "lost", A: labs.Quantity{Name: "key"}, Mark: true},
		{Name: "send", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "version"}},
		{Name: "crash", A: labs.Quantity{Name: "key"}, Mark: true},
		{Name: "stall", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "for", Unit: labs.Seconds}, Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "race-and-lease", Query: raced},
		{Name: "versions", Query: "fill=version&from=replica"},
		{Name: "double", Query: "use=double&fill=plain&from=replica"},
		{Name: "tried-again", Query: "lost=5&tries=8"},
		{Name: "log", Query: "use=log&fill=version&from=replica&lost=20"},
		{Name: "log-of-the-replica", Query: "use=log&from=replica&tail=replica"},
		{Name: "writer-dies-log-lives", Query: "use=log&writes=0" + died},
		{Name: "set-with-versions", Query: "use=set&fill=version&" + crowded},
		{Name: "short-life", Query: "lost=30&ttl=0.4"},
		{Name: "slow-reader", Query: "fill=plain&" + raced, Breaks: staleWithin},
		{Name: "delete-lost", Query: "lost=30", Breaks: staleWithin},
		{Name: "writer-dies", Query: "writes=0&tries=8" + died, Breaks: staleWithin},
		{Name: "lease-and-replica", Query: "from=replica", Breaks: staleWithin},
		{Name: "double-too-soon", Query: "use=double&fill=plain&from=replica&writes=0&keys=2&lag=1000&delay=20&do=5s:write:writers", Breaks: staleWithin},
		{Name: "delete-first", Query: "use=before&fill=plain&reads=200&writes=6&keys=20&query=200", Breaks: staleWithin},
		{Name: "writers-overtake", Query: "use=set&" + crowded, Breaks: staleWithin},
		{Name: "relay-stops", Query: "use=log&fill=version&do=8s:stop:relay&do=14s:start:relay", Breaks: staleWithin},
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  invalidateLayout,
	Start:   startInvalidate,
}

const (
	staleWithin = "stale-within"
	// raced deletes a key, lets the next reader stall between its read and its fill, and writes the key again meanwhile.
	raced = "writes=0&keys=2&slow=0&do=5s:write:writers&do=5s:stall:readers&do=5.5s:write:writers"
	// crowded has writers who write one key at nearly the same time, on slow ways to the cache.
	crowded = "writes=20&keys=20&hop=400"
	// died lets a writer die between the store and the cache.
	died = "&do=5s:crash:writers&do=5s:write:writers"
)

// The ways to invalidate, in the order of the choices of use.
const (
	wayDelete = iota
	wayDouble
	wayLog
	wayBefore
	waySet
	nWay
)

var (
	wayNames   = []string{"delete", "double", "log", "before", "set"}
	strategies = [nWay]cache.Strategy{cache.DeleteAfterWrite, cache.DoubleDelete, cache.LogDriven, cache.DeleteBeforeWrite, cache.WriteThrough}
)

// The choices of fill.
const (
	fillLease = iota
	fillVersion
	fillPlain
)

// The choices of from and tail.
const ofReplica = 1

// The codes of the lab's tables, in their order.
const (
	invalidateHit = iota
	invalidateOld
	invalidateLoad
	invalidateFill
	invalidateFillOld
	invalidateVoid
	invalidateCommit
	invalidateApply
	invalidateDelete
	invalidateSet
	invalidateLost
	invalidateSend
	invalidateCrash
	invalidateStall
)

const (
	verbWrite = iota
	verbCrash
	verbStall
	verbStop
	verbStart
)

const checkStale = 0

// The metrics: of all ways, then six a way.
const (
	invalidateMetricReads = iota
	invalidateMetricWrites
	invalidateMetricWay
)

func invalidateMetrics() []labs.Quantity {
	m := []labs.Quantity{{Name: "reads"}, {Name: "writes"}}
	for _, w := range wayNames {
		m = append(m, labs.Quantity{Name: "old." + w}, labs.Quantity{Name: "longest." + w, Unit: labs.Seconds}, labs.Quantity{Name: "put-back." + w},
			labs.Quantity{Name: "refused." + w}, labs.Quantity{Name: "loads." + w}, labs.Quantity{Name: "lost." + w})
	}
	return m
}

// The columns: those of the judged way, then two a way.
const (
	invalidateColumnHits = iota
	invalidateColumnLoads
	invalidateColumnWrites
	invalidateColumnBehind // changes that the replica has not applied
	invalidateColumnWaiting
	invalidateColumnDown
	invalidateColumnAge
)

const invalidateColumnStale = invalidateColumnAge + nWay

// The entities. The replica is there when reads go to it.
const (
	entityReaders = iota
	entityWriters
	entityCache
	entityPrimary
	entityRelay
	entityReplica
)

func invalidateLayout(c labs.Config) (l labs.Layout) {
	for _, name := range [...]string{"hits.cache", "loads.store", "writes.primary"} {
		l.Record(name, labs.Count, labs.Sum)
	}
	l.Record("behind.replica", labs.Count, labs.Peak)
	l.Record("waiting.relay", labs.Count, labs.Peak)
	l.Record("down.relay", labs.Count, labs.Last)
	age, stale := make([]string, nWay), make([]string, nWay)
	for k, name := range wayNames {
		age[k], stale[k] = "age."+name, "stale."+name
		l.Record(age[k], labs.Seconds, labs.Peak)
	}
	for _, name := range stale {
		l.Record(name, labs.Count, labs.Peak)
	}
	replica := c.Int("from") == ofReplica
	l.Place(labs.Entity{Name: "readers", Kind: labs.Client})
	l.Place(labs.Entity{Name: "writers", Kind: labs.Client, Row: 1})
	l.Place(labs.Entity{Name: "cache", Kind: labs.Cache, Rank: 1, Judged: true, Level: stale[c.Int("use")], Passed: "hits.cache"}, "readers", "writers")
	primary := labs.Entity{Name: "primary", Kind: labs.Database, Rank: 1, Row: 1, Passed: "writes.primary"}
	if replica {
		l.Place(primary, "writers")
	} else {
		l.Place(primary, "readers", "writers")
	}
	l.Place(labs.Entity{Name: "relay", Kind: labs.EventLog, Rank: 2, Row: 1, Level: "waiting.relay", Down: "down.relay"}, "primary")
	if replica {
		l.Place(labs.Entity{Name: "replica", Kind: labs.Database, Rank: 2, Level: "behind.replica", Passed: "loads.store"}, "cache", "primary")
	}
	l.Plot("age", c.Int("within"), age...)
	l.Plot("stale", 0, stale...)
	return l
}
