package caching

import (
	"slices"

	"seedbed/chapters/cache"
	"seedbed/chapters/hashing"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of cache-penetration; Node is the way to guard.
const (
	pierceRead    = iota
	pierceSoon    // somebody asks for an id that is about to exist
	pierceAsk     // somebody asks for id A, which has just begun to
	pierceCreate  // the next id begins to exist
	pierceLoaded  // the load of id A comes back; B is twice its flight's number, and one more when the store had the id
	pierceRebuild // the filter is made anew
	pierceSecond  // reads of the second before are told
)

// Ids that exist are numbered from 0 in the order in which they were created. Those that never will lie beyond every one of them.
const (
	absentFew    = 1 << 40
	absentRandom = 1 << 41
)

// Somebody asks for an id so long before it exists, and so long after.
const (
	tooSoon = second
	atOnce  = second / 5
)

// guard is one way to guard the store, with a cache of its own.
type guard struct {
	reader through

	loads, inVain int64 // all of them, and those for what does not exist
	known, hits   int64 // reads of what exists, and those that the cache answered
	within, peak  int64 // loads of this second, and the most of any
}

// penetration is the state of one run. Its caches were filled before it began, so their clock runs ahead of it.
type penetration struct {
	judged    int
	few       bool
	nFew      int64
	absent    int64 // parts per million
	ttl       int64
	query     int64
	limit     int64 // a second
	atWrite   bool
	voids     bool // being told of an id makes its loads void that are under way
	rebuild   int64
	filterCfg cache.BloomConfig
	filter    cache.Bloom
	demand    sim.Zipf
	since     []int64 // by id: when it began to exist, ns
	soon      int64   // ids that exist or have been asked for already

	arrivals, creates sim.Arrivals
	kind, pick, far   sim.Stream
	luck              sim.Stream // of no consequence: times to live are not spread
	requests          int64
	absentReads       int64
	absentPassed      int64 // the filter
	hits, absentHits  int64 // of the judged way
	denied, joined    int64
	wrong             int64
	ways              [nGuard]guard
}

func startPenetration(c labs.Config, env *labs.Env) labs.State {
	s := &penetration{
		judged: int(c.Int("use")), few: c.Choice("attack") == "few", nFew: c.Int("few"), absent: c.Int("absent"), ttl: c.Int("ttl"),
		query: c.Int("query"), limit: c.Int("limit") / 1000, atWrite: c.Choice("told") != "rebuild", voids: c.Choice("told") != "delete", rebuild: c.Int("rebuild"),
		demand: sim.NewZipf(c.Int("ids"), c.Int("skew")), kind: env.Stream("kind"), pick: env.Stream("pick"), far: env.Stream("absent"), luck: env.Stream("luck"),
	}
	seed := env.Stream("filter")
	s.filterCfg = cache.BloomConfig{Keys: c.Int("sized"), Error: c.Int("error"), Seed: seed.Uint64()}
	s.since = make([]int64, len(s.demand), len(s.demand)+64)
	s.remake()
	for k := range s.ways {
		s.build(c, k)
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("reads"), Stream: env.Stream("client")}
	s.soon = int64(len(s.since))
	s.creates = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("creates"), Stream: env.Stream("create")}
	s.next(env, &s.arrivals, pierceRead)
	s.next(env, &s.creates, pierceSoon)
	if !s.atWrite {
		env.At(s.rebuild, pierceRebuild, 0, 0, 0)
	}
	env.At(second, pierceSecond, 0, 0, 0)
	return s
}

// build makes the cache of one way, full of ids that were loaded one after another, so that their ends lie evenly over a time to live.
func (s *penetration) build(c labs.Config, k int) {
	w := &s.ways[k]
	cfg := cache.ReadThroughConfig[int64]{Cache: cache.Config[int64]{Capacity: int(c.Int("capacity"))}, TTL: s.ttl, Timeout: 60 * second}
	if nulls(k) {
		cfg.Negative = c.Int("negative")
	}
	var err error
	w.reader, err = cache.NewReadThrough[int64, int64](cfg)
	labs.Must(err)
	n := int64(len(s.demand))
	for i := range n {
		// The most popular come last: they were used last, and are not the first to be evicted.
		w.reader.PutAt(s.ttl/n*i, n-1-i, remember, &s.luck)
	}
}

// remake builds the filter of all ids that exist.
func (s *penetration) remake() {
	var err error
	s.filter, err = cache.NewBloom(s.filterCfg)
	labs.Must(err)
	for id := range s.since {
		s.filter.AddHash(hashOf(int64(id)))
	}
}

// hashOf is an id as the filter takes it: 64 uniform bits.
func hashOf(id int64) uint64 { return hashing.Mix64(uint64(id)) }

// clock is the caches' instant.
func (s *penetration) clock(env *labs.Env) int64 { return s.ttl + env.Now() }

func (s *penetration) next(env *labs.Env, a *sim.Arrivals, kind uint16) {
	if at, _, ok := a.Next(); ok {
		env.At(at, kind, 0, 0, 0)
	}
}

// Handle lets a read arrive, an id be created, a load come back, or the filter be made anew.
func (s *penetration) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case pierceRead:
		s.ask(env, s.draw())
		s.next(env, &s.arrivals, pierceRead)
	case pierceSoon:
		id := s.soon
		s.soon++
		env.At(env.Now()+tooSoon, pierceCreate, 0, 0, 0)
		env.At(env.Now()+tooSoon+atOnce, pierceAsk, 0, id, 0)
		s.ask(env, id)
		s.next(env, &s.creates, pierceSoon)
	case pierceAsk:
		s.ask(env, e.A)
	case pierceCreate:
		s.create(env)
	case pierceLoaded:
		s.land(env, int(e.Node), flight{Key: e.A, Number: uint64(e.B / 2)}, e.B%2 == 1)
	case pierceRebuild:
		s.renew(env)
		env.At(env.Now()+s.rebuild, pierceRebuild, 0, 0, 0)
	case pierceSecond:
		s.tick(env)
		env.At(env.Now()+second, pierceSecond, 0, 0, 0)
	}
}

// land brings a load back, with the id or with the news that there was none.
func (s *penetration) land(env *labs.Env, k int, f flight, exists bool) {
	w, now := &s.ways[k], s.clock(env)
	if exists {
		w.reader.DoneAt(now, f, remember, &s.luck)
		return
	}
	if w.reader.AbsentAt(now, f, &s.luck) || s.voids || !nulls(k) {
		return
	}
	// A cache without tokens would keep what comes too late. The chapter's refuses to, so the news is brought by a flight of its own.
	if a := w.reader.AskAt(now, f.Key, &s.luck); a.Load {
		w.reader.AbsentAt(now, a.Flight, &s.luck)
	}
}

// draw picks what is asked for.
func (s *penetration) draw() int64 {
	switch {
	case !s.kind.Chance(s.absent):
		return s.demand.Draw(&s.pick)
	case s.few:
		return absentFew + s.far.Below(s.nFew)
	}
	return absentRandom + s.far.Below(1<<40)
}

func (s *penetration) exists(id int64) bool { return id < int64(len(s.since)) }

// create lets the next id exist. Where they are told at once, filter and caches know it before the store has answered.
func (s *penetration) create(env *labs.Env) {
	id := int64(len(s.since))
	s.since = append(s.since, env.Now())
	if s.atWrite {
		s.filter.AddHash(hashOf(id))
		for k := range s.ways {
			s.ways[k].reader.Invalidate(id)
		}
	}
	env.Emit(penetrationCreate, entityStore, id+1, 0)
}

// renew makes the filter anew, of all that exists by now.
func (s *penetration) renew(env *labs.Env) {
	s.remake()
	env.Emit(penetrationRebuild, entityGuarded, int64(len(s.since)), s.filter.Error()/1000)
}

// tick closes a second.
func (s *penetration) tick(env *labs.Env) {
	for k := range s.ways {
		w := &s.ways[k]
		env.Set(penetrationColumnRate+k, w.within)
		w.within = 0
	}
}

// ask lets one request be answered by every way.
func (s *penetration) ask(env *labs.Env, id int64) {
	s.requests++
	exists := s.exists(id)
	passes := s.filter.HasHash(hashOf(id))
	if !exists {
		s.absentReads++
		if passes {
			s.absentPassed++
		}
	}
	for k := range s.ways {
		w := &s.ways[k]
		if exists {
			w.known++
		}
		if filters(k) && !passes {
			s.tell(env, k, entityFilter, penetrationDeny, id, exists)
			continue
		}
		a := w.reader.AskAt(s.clock(env), id, &s.luck)
		switch {
		case a.Verdict == cache.Found:
			w.hits++
			s.tell(env, k, entityGuarded, penetrationHit, id, exists)
		case a.Verdict == cache.Absent:
			s.tell(env, k, entityGuarded, penetrationAbsent, id, exists)
		case a.Load:
			s.load(env, k, id, a.Flight, exists)
		default:
			s.tell(env, k, entityGuarded, penetrationJoin, id, exists)
		}
	}
}

// tell counts what a read of the judged way came to. That something is not there is told by the filter or by the cache; whether that is
// so is judged here.
func (s *penetration) tell(env *labs.Env, k, by, what int, id int64, exists bool) {
	if k != s.judged {
		return
	}
	switch what {
	case penetrationHit:
		s.hits++
		env.Add(penetrationColumnHits, 1)
	case penetrationAbsent:
		s.absentHits++
		env.Add(penetrationColumnAbsent, 1)
	case penetrationDeny:
		s.denied++
		env.Add(penetrationColumnDenied, 1)
	case penetrationJoin:
		s.joined++
	}
	env.Emit(what, by, s.requests, id+1)
	if exists && (what == penetrationAbsent || what == penetrationDeny) {
		s.wrong++
		env.Fail(checkDenied, s.requests, id+1, env.Now()-s.since[id])
	}
}

// load asks the store, which looks at once and answers later.
func (s *penetration) load(env *labs.Env, k int, id int64, f flight, exists bool) {
	w := &s.ways[k]
	w.loads++
	w.within++
	w.peak = max(w.peak, w.within)
	if !exists {
		w.inVain++
	}
	if k == s.judged {
		env.Add(penetrationColumnLoads, 1)
		env.Emit(penetrationLoad, entityGuarded, s.requests, id+1)
		if w.within > s.limit {
			env.Fail(checkLoad, s.requests, w.within)
		}
	}
	env.At(env.Now()+s.query, pierceLoaded, uint16(k), id, 2*int64(f.Number)+labs.Bit(exists))
}

// The verbs of cache-penetration.
const verbAttack = 0

// Act changes how much is asked for that does not exist, or makes the filter anew.
func (s *penetration) Act(env *labs.Env, do labs.Do) {
	if do.Verb == verbAttack {
		s.absent = do.Value
		return
	}
	s.renew(env)
}

// Finish measures.
func (s *penetration) Finish(env *labs.Env) {
	j := &s.ways[s.judged]
	for i, v := range [penetrationEach]int64{
		s.requests, s.absentReads, s.hits, s.absentHits, s.denied, j.loads, s.joined, s.wrong, s.filter.Bits() / 8, int64(s.filter.Hashes()),
		int64(len(s.since)), s.filter.Error() / 1000, labs.PerMillion(s.absentPassed, s.absentReads),
	} {
		env.Metric(i, v)
	}
	for k := range s.ways {
		w := &s.ways[k]
		for i, v := range [...]int64{w.loads, w.inVain, w.peak, labs.PerMillion(w.hits, w.known)} {
			env.Metric(penetrationEach+4*k+i, v)
		}
	}
}

// Clone copies the run.
func (s *penetration) Clone() labs.State {
	c := *s
	c.filter, c.since = s.filter.Clone(), slices.Clone(s.since)
	for k := range c.ways {
		c.ways[k].reader = s.ways[k].reader.Clone()
	}
	return &c
}

// Bytes is what a clone costs: demand is shared.
func (s *penetration) Bytes() int {
	n := 2000 + s.filter.Size() + 8*len(s.since)
	for k := range s.ways {
		cached, _ := s.ways[k].reader.Len()
		n += s.ways[k].reader.Size() + 56*cached
	}
	return n
}
