package sharding

import (
	"slices"
	"strconv"

	"seedbed/labs"
	"seedbed/labs/sim"
)

// HotOwner asks what helps when more than half of all reads are for one owner: no hash of the owner cuts one owner in two, moving
// the owner moves the load along, and what does help must still honour a revocation.
var HotOwner = &labs.Lab{
	ID: "hot-owner", Version: 1, Family: "sharding",
	Params: []labs.Param{
		{Name: "use", Choices: []string{"cache", "by-share", "by-owner", "move-owner", "weak-read"}},
		{Name: "reads", Unit: labs.PerSecond, Min: 1000, Max: 10_000_000, Default: 1_000_000, Log: true},
		{Name: "hot", Unit: labs.Percent, Min: 0, Max: 1_000_000, Default: 550_000},
		{Name: "shards", Min: 1, Max: 16, Default: 4},
		{Name: "capacity", Unit: labs.PerSecond, Min: 1000, Max: 10_000_000, Default: 400_000, Log: true},
		{Name: "shares", Min: 1, Max: maxShares, Default: 50, Log: true},
		{Name: "lists", Unit: labs.Percent, Min: 0, Max: 1_000_000, Default: 50_000},
		{Name: "ttl", Unit: labs.Seconds, Min: 1_000_000, Max: 600_000_000_000, Default: 5_000_000_000, Log: true},
		{Name: "revocations", Unit: labs.PerSecond, Min: 0, Max: 100_000, Default: 1000},
		{Name: "length", Unit: labs.Seconds, Min: 1_000_000_000, Max: 600_000_000_000, Default: 10_000_000_000, Log: true},
	},
	Actions: []labs.Action{{Verb: "revoke", Value: &labs.Param{Name: "share", Min: 1, Max: maxShares, Default: 1}, Of: "shares"}},
	Checks: []labs.Check{
		{Name: "revocation-honoured", Facts: []labs.Quantity{{Name: "share"}, {Name: "age", Unit: labs.Millis}}},
		{Name: "peak-shard-under-capacity", Facts: []labs.Quantity{{Name: "reads", Unit: labs.PerSecond}, {Name: "shard"}}},
	},
	Metrics: []labs.Quantity{
		{Name: "hot-shard", Unit: labs.PerSecond}, {Name: "other-shard", Unit: labs.PerSecond}, {Name: "ratio", Unit: labs.Ratio},
		{Name: "busiest", Unit: labs.PerSecond}, {Name: "reads"}, {Name: "shard-reads"}, {Name: "hits"}, {Name: "revocations"},
		{Name: "refused-as-revoked"}, {Name: "stale"},
	},
	Events: []labs.EventKind{
		{Name: "read", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "share"}, Flow: labs.Pass},
		{Name: "list", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "shards"}, Flow: labs.Pass},
		{Name: "hit", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "share"}, Flow: labs.Bounce},
		{Name: "gone", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "share"}, Flow: labs.Bounce},
		{Name: "revoke", A: labs.Quantity{Name: "share"}, Mark: true},
		{Name: "move", A: labs.Quantity{Name: "shard"}, Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "split-by-share", Query: "use=by-share"},
		{Name: "by-owner", Query: "use=by-owner", Breaks: "peak-shard-under-capacity"},
		{Name: "move-owner", Query: "use=move-owner", Breaks: "peak-shard-under-capacity"},
		{Name: "weak-read", Query: "use=weak-read", Breaks: "revocation-honoured"},
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  hotLayout,
	Start:   startHot,
}

const maxShares = 200

// The codes of the lab's tables, in their order.
const (
	hotRead = iota
	hotList
	hotHit
	hotGone
	hotRevoke
	hotMove
)

const (
	checkRevocation = iota
	checkPeak
)

// The columns: three of all, then one a shard.
const (
	hotColumnHits = iota
	hotColumnGone
	hotColumnRevoked
	hotColumnShard
)

// The entities: client, cache, then the shards.
const (
	entityCache = 1
	entityShard = 2
)

func hotLayout(c labs.Config) (l labs.Layout) {
	n := int(c.Int("shards"))
	l.Record("hits", labs.Count, labs.Sum)
	l.Record("gone", labs.Count, labs.Sum)
	l.Record("revoked", labs.Count, labs.Last)
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: (n - 1) / 2})
	l.Place(labs.Entity{Name: "cache", Kind: labs.Cache, Rank: 1, Row: (n - 1) / 2, Passed: "hits", Refused: "gone"}, "client")
	names := make([]string, n)
	for i := range n {
		name := "shard-" + strconv.Itoa(i+1)
		l.Record("rate."+name, labs.PerSecond, labs.Last)
		l.Place(labs.Entity{Name: name, Label: "shard", N: i + 1, Kind: labs.Shard, Rank: 2, Row: i, Judged: true, Level: "rate." + name, Full: c.Int("capacity")}, "cache")
		names[i] = "rate." + name
	}
	l.Plot("shards", c.Int("capacity"), names...)
	l.Plot("hits", 0, "hits", "revoked")
	return l
}

// The kinds of simulated events.
const (
	hotArrive  = iota
	hotSecond  // the reads of the second before are judged
	hotTake    // the owner takes a share back
	hotRestore // share A may be seen again
	hotLoaded  // a read of share A, begun at version B, has come back from its shard
	hotMoving  // the owner moves to the next shard
)

const (
	loadTime  = 5_000_000     // ns: a read of a shard
	revokedIn = 2_000_000_000 // ns until a share is given out again
)

// share is one thing of the hot owner that may be taken back.
type share struct {
	revoked bool
	since   int64 // instant of the revocation
	version int64
	cached  bool
	until   int64
}

// hotOwner is the state of one run.
type hotOwner struct {
	use              int
	reads            int64
	hot, lists       int64 // parts per million
	capacity         int64
	ttl              int64
	arrivals         sim.Arrivals
	revokes          sim.Arrivals
	pick, takes      sim.Stream
	shares           []share
	perShard         []int64 // reads of this second
	home             int     // the hot owner's shard
	requests, loads  int64
	hits, gone       int64
	stale, takenBack int64
	busiest          int64
}

// The choices of use.
const (
	useCache = iota
	useByShare
	useByOwner
	useMove
	useWeak
)

func startHot(c labs.Config, env *labs.Env) labs.State {
	s := &hotOwner{
		use: int(c.Int("use")), reads: c.Int("reads"), hot: c.Int("hot"), lists: c.Int("lists"), capacity: c.Int("capacity"), ttl: c.Int("ttl"),
		pick: env.Stream("pick"), takes: env.Stream("owner"), shares: make([]share, c.Int("shares")), perShard: make([]int64, c.Int("shards")),
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: s.reads, Stream: env.Stream("client")}
	s.revokes = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("revocations"), Stream: env.Stream("revoke")}
	s.next(env, &s.arrivals, hotArrive)
	s.next(env, &s.revokes, hotTake)
	env.At(second, hotSecond, 0, 0, 0)
	if s.use == useMove {
		env.At(env.Horizon()/2, hotMoving, 0, 0, 0)
	}
	return s
}

const second = 1_000_000_000

func (s *hotOwner) next(env *labs.Env, a *sim.Arrivals, kind uint16) {
	if at, _, ok := a.Next(); ok {
		env.At(at, kind, 0, 0, 0)
	}
}

// Handle lets a read arrive or come back, a share be taken back or given out again, or a second be judged.
func (s *hotOwner) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case hotArrive:
		s.read(env)
		s.next(env, &s.arrivals, hotArrive)
	case hotSecond:
		s.judge(env)
		env.At(env.Now()+second, hotSecond, 0, 0, 0)
	case hotTake:
		s.revoke(env, s.takes.Below(int64(len(s.shares))))
		s.next(env, &s.revokes, hotTake)
	case hotRestore:
		s.shares[e.A].revoked = false
		s.shares[e.A].version++
		env.Set(hotColumnRevoked, s.revokedNow())
	case hotLoaded:
		s.loaded(env, e.A, e.B)
	case hotMoving:
		s.home = (s.home + 1) % len(s.perShard)
		env.Emit(hotMove, entityShard+s.home, int64(s.home+1), 0)
	}
}

// Act takes a share back.
func (s *hotOwner) Act(env *labs.Env, do labs.Do) {
	s.revoke(env, do.Value-1)
}

// revoke takes a share back. Where the cache is to honour it, the copy goes before the owner is told that it is done.
func (s *hotOwner) revoke(env *labs.Env, i int64) {
	v := &s.shares[i]
	if v.revoked {
		return
	}
	v.revoked, v.since = true, env.Now()
	v.version++
	if s.use == useCache {
		v.cached = false
	}
	s.takenBack++
	env.Set(hotColumnRevoked, s.revokedNow())
	env.Emit(hotRevoke, entityCache, i+1, 0)
	env.At(env.Now()+revokedIn, hotRestore, 0, i, 0)
}

func (s *hotOwner) revokedNow() (n int64) {
	for i := range s.shares {
		if s.shares[i].revoked {
			n++
		}
	}
	return n
}

func (s *hotOwner) read(env *labs.Env) {
	s.requests++
	n := int64(len(s.perShard))
	if !s.pick.Chance(s.hot) {
		s.ask(env, int(s.pick.Below(n)))
		return
	}
	if s.pick.Chance(s.lists) {
		s.list(env)
		return
	}
	i := s.pick.Below(int64(len(s.shares)))
	switch v := &s.shares[i]; {
	case (s.use == useCache || s.use == useWeak) && v.cached && env.Now() < v.until:
		s.hit(env, i)
	case s.use == useByShare:
		s.answer(env, int(i%n), i)
	default:
		s.answer(env, s.home, i)
		if s.use == useCache || s.use == useWeak {
			env.At(env.Now()+loadTime, hotLoaded, 0, i, v.version)
		}
	}
}

// list reads everything of the hot owner: one shard has it all, unless its shares lie apart.
func (s *hotOwner) list(env *labs.Env) {
	asked := 1
	if s.use == useByShare {
		asked = len(s.perShard)
		for i := range s.perShard {
			s.ask(env, i)
		}
	} else {
		s.ask(env, s.home)
	}
	env.Emit(hotList, entityCache, s.requests, int64(asked))
}

// ask counts one read of a shard.
func (s *hotOwner) ask(env *labs.Env, shard int) {
	s.perShard[shard]++
	s.loads++
}

// answer reads one share from its shard, which knows of every revocation.
func (s *hotOwner) answer(env *labs.Env, shard int, i int64) {
	s.ask(env, shard)
	if s.shares[i].revoked {
		s.gone++
		env.Add(hotColumnGone, 1)
		env.Emit(hotGone, entityShard+shard, s.requests, i+1)
		return
	}
	env.Emit(hotRead, entityShard+shard, s.requests, i+1)
}

// hit answers from the cache. Whether the share may still be seen is judged here.
func (s *hotOwner) hit(env *labs.Env, i int64) {
	s.hits++
	env.Add(hotColumnHits, 1)
	env.Emit(hotHit, entityCache, s.requests, i+1)
	if v := &s.shares[i]; v.revoked {
		s.stale++
		env.Fail(checkRevocation, s.requests, i+1, env.Now()-v.since)
	}
}

// loaded puts what was read into the cache: with revocations honoured only if the share is still as it was when the read began.
func (s *hotOwner) loaded(env *labs.Env, i, version int64) {
	v := &s.shares[i]
	if s.use == useCache && (v.version != version || v.revoked) {
		return
	}
	if !v.revoked || v.version != version {
		v.cached, v.until = true, env.Now()+s.ttl
	}
}

// judge holds each shard's reads of a second to the capacity.
func (s *hotOwner) judge(env *labs.Env) {
	for i, n := range s.perShard {
		rate := n * 1000
		s.busiest = max(s.busiest, rate)
		env.Set(hotColumnShard+i, rate)
		if rate > s.capacity {
			env.Fail(checkPeak, s.requests, rate, int64(i+1))
		}
		s.perShard[i] = 0
	}
}

// Finish measures. The first three are the arithmetic of a hash of the owner, whatever is in use.
func (s *hotOwner) Finish(env *labs.Env) {
	s.judge(env)
	n := int64(len(s.perShard))
	hot := s.reads / 1000 * s.hot / 1000 // thousandths per second; both are whole thousands in the text's example
	others := (s.reads - hot) / n
	ratio := int64(0)
	if others > 0 {
		ratio = (hot + others) * 1_000_000 / others
	}
	for i, v := range [...]int64{
		hot + others, others, ratio, s.busiest, s.requests, s.loads, s.hits, s.takenBack, s.gone, s.stale,
	} {
		env.Metric(i, v)
	}
}

// Clone copies the run.
func (s *hotOwner) Clone() labs.State {
	c := *s
	c.shares, c.perShard = slices.Clone(s.shares), slices.Clone(s.perShard)
	return &c
}

// Bytes is what a clone costs.
func (s *hotOwner) Bytes() int { return 600 + 40*len(s.shares) + 8*len(s.perShard) }
