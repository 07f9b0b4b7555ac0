package sharding

import (
	"seedbed/chapters/hashing"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// ScatterGather asks what a question costs that no single shard can answer: the slowest of many shards decides how long it takes,
// and the way out, a copy kept for such questions, is always a little old.
var ScatterGather = &labs.Lab{
	ID: "scatter-gather", Version: 1, Family: "sharding",
	Params: []labs.Param{
		{Name: "use", Choices: []string{"cdc", "scatter", "one-shard"}},
		{Name: "shards", Min: 1, Max: 200, Default: 8, Log: true},
		{Name: "queries", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 50_000, Log: true},
		{Name: "answer", Unit: labs.Millis, Min: 1_000_000, Max: 1_000_000_000, Default: 10_000_000, Log: true},
		{Name: "analytic", Unit: labs.Millis, Min: 1_000_000, Max: 10_000_000_000, Default: 20_000_000, Log: true, Unused: "use=cdc"},
		{Name: "slo", Unit: labs.Millis, Min: 1_000_000, Max: 60_000_000_000, Default: 200_000_000, Log: true},
		{Name: "writes", Unit: labs.PerSecond, Min: 0, Max: 10_000_000, Default: 200_000, Log: true},
		{Name: "apply", Unit: labs.PerSecond, Min: 1000, Max: 10_000_000, Default: 500_000, Log: true, Unused: "use=cdc"},
		{Name: "batch", Unit: labs.Millis, Min: 10_000_000, Max: 60_000_000_000, Default: 1_000_000_000, Log: true, Unused: "use=cdc"},
		{Name: "fresh", Unit: labs.Seconds, Min: 1_000_000, Max: 3600_000_000_000, Default: 5_000_000_000, Log: true},
		{Name: "users", Min: 1, Max: 100_000, Default: 2000, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: 1_000_000_000, Max: 600_000_000_000, Default: 40_000_000_000, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "stall", Targets: []string{"stream"}},
		{Verb: "resume", Targets: []string{"stream"}},
	},
	Checks: []labs.Check{
		{Name: "p99-held", Facts: []labs.Quantity{{Name: "p99", Unit: labs.Millis}, {Name: "one-shard", Unit: labs.Millis}}},
		{Name: "fresh-enough", Facts: []labs.Quantity{{Name: "age", Unit: labs.Millis}, {Name: "backlog"}}},
	},
	Metrics: []labs.Quantity{
		{Name: "queries"}, {Name: "p50", Unit: labs.Millis}, {Name: "p99", Unit: labs.Millis}, {Name: "p99-of-one", Unit: labs.Millis},
		{Name: "met-a-slow-one", Unit: labs.Percent}, {Name: "shard-reads"}, {Name: "oldest", Unit: labs.Millis}, {Name: "backlog"},
		{Name: "skew-composite", Unit: labs.Ratio}, {Name: "skew-user", Unit: labs.Ratio}, {Name: "orders"},
	},
	Events: []labs.EventKind{
		{Name: "ask", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "shards"}, Flow: labs.Wait},
		{Name: "answer", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Leave},
		{Name: "apply", A: labs.Quantity{Name: "changes"}, B: labs.Quantity{Name: "left"}},
		{Name: "stall", Mark: true},
		{Name: "resume", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "scatter-to-eight", Query: "use=scatter"},
		{Name: "one-user-one-shard", Query: "use=one-shard"},
		{Name: "fan-out-100", Query: "use=scatter&shards=100", Breaks: "p99-held"},
		{Name: "stream-stalls", Query: "do=10s:stall:stream", Breaks: "fresh-enough"},
		{Name: "slower-than-the-writes", Query: "apply=150", Breaks: "fresh-enough"},
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  scatterLayout,
	Start:   startScatter,
}

// The codes of the lab's tables, in their order.
const (
	scatterAsk = iota
	scatterAnswer
	scatterApply
	scatterStall
)

const (
	checkP99 = iota
	checkFresh
)

// The columns.
const (
	scatterColumnTook = iota
	scatterColumnAge
	scatterColumnBacklog
	scatterColumnDown
	scatterColumnQueries
)

// The entities.
const (
	entityShards = 2
	entityStream = 3
	entityStore  = 4
)

func scatterLayout(c labs.Config) (l labs.Layout) {
	l.Record("took", labs.Millis, labs.Peak)
	l.Record("age", labs.Millis, labs.Peak)
	l.Record("backlog", labs.Count, labs.Peak)
	l.Record("down", labs.Count, labs.Last)
	l.Record("queries", labs.Count, labs.Sum)
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "gateway", Kind: labs.Gateway, Rank: 1, Judged: true, Passed: "queries"}, "client")
	l.Place(labs.Entity{Name: "shards", N: int(c.Int("shards")), Kind: labs.Shard, Rank: 2}, "gateway")
	l.Place(labs.Entity{Name: "stream", Kind: labs.EventLog, Rank: 2, Row: 1, Level: "backlog", Down: "down"}, "shards")
	l.Place(labs.Entity{Name: "store", Kind: labs.Database, Rank: 3, Row: 1}, "stream", "gateway")
	l.Plot("took", c.Int("slo"), "took")
	l.Plot("age", c.Int("fresh"), "age")
	return l
}

// The kinds of simulated events.
const (
	scatterQuery  = iota
	scatterDone   // of request A, which began at B
	scatterChange // a write commits
	scatterBatch  // the stream applies what has gathered
)

// scatter is the state of one run.
type scatter struct {
	use           int
	shards        int64
	answer        int64
	analytic, slo int64
	apply, batch  int64 // thousandths per second; ns
	fresh         int64
	stalled       bool
	queries       sim.Arrivals
	writes        sim.Arrivals
	times, store  sim.Stream
	requests      int64
	reads, slow   int64
	whole, one    sim.Histogram
	slowest       int64 // request, and how long it took
	slowestTook   int64
	committed     []int64 // instants of writes that the copy lacks, the oldest first, from head on
	head          int
	oldest, most  int64
	skews         [2]int64
	orders        int64
}

// The choices of use.
const (
	useCDC = iota
	useScatter
	useOneShard
)

func startScatter(c labs.Config, env *labs.Env) labs.State {
	s := &scatter{
		use: int(c.Int("use")), shards: c.Int("shards"), answer: c.Int("answer"), analytic: c.Int("analytic"), slo: c.Int("slo"),
		apply: c.Int("apply"), batch: c.Int("batch"), fresh: c.Int("fresh"), times: env.Stream("shard"), store: env.Stream("store"),
	}
	s.queries = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("queries"), Stream: env.Stream("client")}
	s.writes = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("writes"), Stream: env.Stream("writer")}
	s.spread(c.Int("users"), env.Stream("orders"))
	s.next(env, &s.queries, scatterQuery)
	if s.use == useCDC {
		s.next(env, &s.writes, scatterChange)
		env.At(s.batch, scatterBatch, 0, 0, 0)
	}
	return s
}

// spread places the orders of users, of whom a few have very many, by two keys and keeps how much fuller than the mean the fullest
// shard is: by user and order together, and by user alone.
func (s *scatter) spread(users int64, r sim.Stream) {
	var by [2][200]int64
	for user := range users {
		orders := 1 + r.Below(10)
		if r.Chance(10_000) {
			orders = 2000 // one user in a hundred is a shop
		}
		for order := range orders {
			by[0][hashing.Mix64(uint64(user)<<20|uint64(order))%uint64(s.shards)]++
			by[1][hashing.Mix64(uint64(user)<<20)%uint64(s.shards)]++
			s.orders++
		}
	}
	for k := range by {
		fullest := int64(0)
		for _, n := range by[k][:s.shards] {
			fullest = max(fullest, n)
		}
		s.skews[k] = fullest * s.shards * 1_000_000 / max(1, s.orders)
	}
}

func (s *scatter) next(env *labs.Env, a *sim.Arrivals, kind uint16) {
	if at, _, ok := a.Next(); ok {
		env.At(at, kind, 0, 0, 0)
	}
}

// Handle lets a query be asked or answered, a write commit, or a batch be applied.
func (s *scatter) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case scatterQuery:
		s.ask(env)
		s.next(env, &s.queries, scatterQuery)
	case scatterDone:
		took := env.Now() - e.B
		s.whole.Add(took)
		if took > s.slowestTook {
			s.slowest, s.slowestTook = e.A, took
		}
		env.Set(scatterColumnTook, took)
		env.Set(scatterColumnTook, 0)
		env.Emit(scatterAnswer, s.where(), e.A, took)
	case scatterChange:
		s.committed = append(s.committed, env.Now())
		s.level(env)
		s.next(env, &s.writes, scatterChange)
	case scatterBatch:
		if !s.stalled {
			s.catchUp(env)
		}
		env.At(env.Now()+s.batch, scatterBatch, 0, 0, 0)
	}
}

// where is who answers.
func (s *scatter) where() int {
	if s.use == useCDC {
		return entityStore
	}
	return entityShards
}

// ask sends a query out. Of many shards the slowest decides; how often one of them is as slow as a shard is once in a hundred times
// is counted on the way.
func (s *scatter) ask(env *labs.Env) {
	s.requests++
	env.Add(scatterColumnQueries, 1)
	asked, took := int64(1), int64(0)
	switch s.use {
	case useCDC:
		s.judgeAge(env)
		took = sim.LogNormal.Draw(&s.store, s.analytic)
		s.one.Add(sim.LogNormal.Draw(&s.times, s.answer))
	case useScatter:
		asked = s.shards
		fallthrough
	default:
		limit, met := s.answer*621/100, false // the p99 of a log-normal time with sigma 1 is 6.21 times its mean
		for range asked {
			t := sim.LogNormal.Draw(&s.times, s.answer)
			s.one.Add(t)
			met = met || t > limit
			took = max(took, t)
		}
		s.reads += asked
		if met {
			s.slow++
		}
	}
	env.Emit(scatterAsk, s.where(), s.requests, asked)
	env.At(env.Now()+took, scatterDone, 0, s.requests, env.Now())
}

// judgeAge holds the copy that a query reads to its freshness: it is as old as the oldest write that it lacks.
func (s *scatter) judgeAge(env *labs.Env) {
	age := int64(0)
	if s.head < len(s.committed) {
		age = env.Now() - s.committed[s.head]
	}
	s.oldest = max(s.oldest, age)
	env.Set(scatterColumnAge, age)
	if age > s.fresh {
		env.Fail(checkFresh, s.requests, age, int64(len(s.committed)-s.head))
	}
}

// catchUp applies a batch: as many changes as the stream's rate brings in the time since the last.
func (s *scatter) catchUp(env *labs.Env) {
	able := s.apply * (s.batch / 1_000_000) / 1_000_000
	n := min(able, int64(len(s.committed)-s.head))
	s.head += int(n)
	if s.head > 64 && 2*s.head > len(s.committed) {
		s.committed = s.committed[:copy(s.committed, s.committed[s.head:])]
		s.head = 0
	}
	env.Emit(scatterApply, entityStream, n, int64(len(s.committed)-s.head))
	s.level(env)
}

func (s *scatter) level(env *labs.Env) {
	n := int64(len(s.committed) - s.head)
	s.most = max(s.most, n)
	env.Set(scatterColumnBacklog, n)
}

// Act stops the stream of changes, or lets it go on.
func (s *scatter) Act(env *labs.Env, do labs.Do) {
	s.stalled = do.Verb == 0
	down := int64(0)
	if s.stalled {
		down = 1
	}
	env.Set(scatterColumnDown, down)
	env.Emit(scatterStall+do.Verb, entityStream, 0, 0)
}

// Finish measures.
func (s *scatter) Finish(env *labs.Env) {
	p99, one := s.whole.Quantile(990_000), s.one.Quantile(990_000)
	if p99 > s.slo {
		env.Fail(checkP99, s.slowest, p99, one)
	}
	for i, v := range [...]int64{
		s.requests, s.whole.Quantile(500_000), p99, one, s.slow * 1_000_000 / max(1, s.requests), s.reads, s.oldest, s.most, s.skews[0], s.skews[1], s.orders,
	} {
		env.Metric(i, v)
	}
}

// Clone copies the run.
func (s *scatter) Clone() labs.State {
	c := *s
	c.committed, c.head = append([]int64(nil), s.committed[s.head:]...), 0
	return &c
}

// Bytes is what a clone costs.
func (s *scatter) Bytes() int { return 11_000 + 8*len(s.committed) }
