package consistency

import (
	"seedbed/chapters/cache"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of cache-invalidate; Node is the way.
const (
	onRead  = iota // a read arrives
	onWrite        // a write arrives
	onStep         // the next step of write A is due
	onDone         // a step of write A has had its effect, or is lost
	onQuery        // load A reads the store
	onFill         // load A fills the cache
	onApply        // the replica applies the next change
	onTail         // the relay reads change A of key B
	onPump         // the relay looks for what is to be sent
	onGet          // the cache gets change A of key B from the relay
)

// current marks a copy that is not overtaken.
const current = -1

// loading is one load on its way.
type loading struct {
	request, key, version int64
	over                  int64 // instant at which the version was overtaken, or current
	flight                cache.Flight[int64]
	leads, read           bool
	stays                 int64 // ns from its read to its fill
}

// writing is one write on its way.
type writing struct {
	cache.Write
	key, version int64 // version 0 before the commit
	over         int64
	takes, lag   int64 // ns to the commit, and from there to the replica
	used         bool
}

// change is one on its way to the replica.
type change struct{ key, version, at int64 }

// side is one way to invalidate, with a store and a cache of its own.
type side struct {
	luck sim.Stream

	head             int64   // versions are positions in the store's log
	newest           []int64 // by key
	replica, behind  []int64 // by key: version, and when that was overtaken
	pending          []change
	pendingTop       int
	due              int64 // when the last of them is applied
	keep             cache.Cache[int64, int64]
	over             []int64 // by key: when the copy in the cache was overtaken
	flights          cache.Flights[int64]
	versions         cache.Versions[int64]
	changes          cache.Changes[int64]
	loads            sim.Slots[loading]
	writes           sim.Slots[writing]
	dying            int64 // writers that are to die after their commit
	stall            int64 // ns for which the next who misses stalls
	stale            int64 // copies that are overtaken
	old, longest     int64
	putBack, refused int64
	loaded, lost     int64
}

// invalidate is the state of one run.
type invalidate struct {
	judged, fill          int
	replica, tail         bool
	source                int // the entity that loads read
	keys, query, hop      int64
	slow, pause, lag      int64
	relay, lost, retry    int64
	ttl, within           int64
	cfg                   [nWay]cache.WriteConfig
	readsCome, writesCome sim.Arrivals
	reader, writer        sim.Stream
	requests, writes      int64
	stopped               bool
	ways                  [nWay]side
}

func startInvalidate(c labs.Config, env *labs.Env) labs.State {
	s := &invalidate{
		judged: int(c.Int("use")), fill: int(c.Int("fill")), replica: c.Int("from") == ofReplica, tail: c.Int("tail") == ofReplica,
		keys: c.Int("keys"), query: c.Int("query"), hop: c.Int("hop"), slow: c.Int("slow"), pause: c.Int("pause"), lag: c.Int("lag"),
		relay: c.Int("relay"), lost: c.Int("lost"), retry: c.Int("retry"), ttl: c.Int("ttl"), within: c.Int("within"),
		reader: env.Stream("reader"), writer: env.Stream("writer"), source: entityPrimary,
	}
	if s.replica {
		s.source = entityReplica
	}
	for k := range s.ways {
		s.cfg[k] = cache.WriteConfig{Strategy: strategies[k], Delay: c.Int("delay"), Tries: int(c.Int("tries")), Retry: s.retry}
		s.ways[k].luck = env.Stream(wayNames[k])
		s.build(&s.ways[k], c.Int("lease"))
	}
	if s.fill == fillVersion {
		s.cfg[waySet].Strategy = cache.WriteVersioned
	}
	s.readsCome = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("reads"), Stream: env.Stream("reads")}
	s.writesCome = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("writes"), Stream: env.Stream("writes")}
	next(env, &s.readsCome, onRead)
	next(env, &s.writesCome, onWrite)
	return s
}

// build makes the store and the cache of one way; the cache has every key.
func (s *invalidate) build(w *side, lease int64) {
	n := int(s.keys)
	w.newest, w.replica, w.behind, w.over = make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	var errs [4]error
	w.keep, errs[0] = cache.New[int64, int64](cache.Config[int64]{Capacity: n})
	w.flights, errs[1] = cache.NewFlights(cache.FlightsConfig[int64]{Timeout: lease})
	w.versions, errs[2] = cache.NewVersions(cache.VersionsConfig[int64]{Keys: n})
	w.changes, errs[3] = cache.NewChanges[int64](cache.ChangesConfig{Retry: s.retry, Most: cache.MaxChanges})
	labs.Must(errs[:]...)
	for key := range s.keys {
		w.behind[key], w.over[key] = current, current
		w.keep.SetAt(0, key, 0, s.ttl)
	}
}

func next(env *labs.Env, a *sim.Arrivals, kind uint16) {
	if at, _, ok := a.Next(); ok {
		env.At(at, kind, 0, 0, 0)
	}
}

// Handle lets one thing happen.
func (s *invalidate) Handle(env *labs.Env, e sim.Event) {
	k := int(e.Node)
	switch e.Kind {
	case onRead:
		s.read(env)
		next(env, &s.readsCome, onRead)
	case onWrite:
		s.write(env, s.writer.Below(s.keys))
		next(env, &s.writesCome, onWrite)
	case onStep:
		s.step(env, k, e.A)
	case onDone:
		s.done(env, k, e.A)
	case onQuery:
		s.load(env, k, e.A)
	case onFill:
		s.fillIn(env, k, e.A)
	case onApply:
		s.apply(env, k)
	case onTail:
		s.ways[k].changes.Append(uint64(e.A), e.B)
		s.pump(env)
	case onPump:
		s.pump(env)
	case onGet:
		s.get(env, e.A, e.B)
	}
}

// read lets one reader ask the cache of each way. What it draws is the same for all.
func (s *invalidate) read(env *labs.Env) {
	s.requests++
	key := s.reader.Below(s.keys)
	query, stays := about(&s.reader, s.query), about(&s.reader, s.hop)
	if s.reader.Chance(s.slow) {
		stays += s.pause
	}
	for k := range s.ways {
		w := &s.ways[k]
		if _, ok := w.keep.GetAt(env.Now(), key); ok {
			s.hit(env, k, key)
			continue
		}
		w.lapse(key)
		w.loaded++
		l := loading{request: s.requests, key: key, over: current, leads: true, stays: stays}
		if s.fill == fillLease {
			var b cache.Boarding
			l.flight, b = w.flights.BoardAt(env.Now(), key)
			l.leads = b == cache.Lead
		}
		if w.stall > 0 && l.leads {
			l.stays = w.stall
			s.tell(env, k, invalidateStall, entityReaders, key+1, w.stall)
			w.stall = 0
		}
		env.At(env.Now()+query, onQuery, uint16(k), w.loads.Take(l), 0)
		env.Set(invalidateColumnStale+k, w.stale)
	}
}

func (s *invalidate) hit(env *labs.Env, k int, key int64) {
	w := &s.ways[k]
	age := int64(0)
	if w.over[key] != current {
		age = env.Now() - w.over[key]
		w.old++
		w.longest = max(w.longest, age)
	}
	env.Set(invalidateColumnAge+k, age)
	if k != s.judged {
		return
	}
	env.Add(invalidateColumnHits, 1)
	if w.over[key] == current {
		env.Emit(invalidateHit, entityCache, s.requests, key+1)
		return
	}
	env.Emit(invalidateOld, entityCache, s.requests, age)
	if age > s.within {
		env.Fail(checkStale, s.requests, key+1, age)
	}
}

// load reads what the store has now, which on a replica is what it had a while ago.
func (s *invalidate) load(env *labs.Env, k int, i int64) {
	w := &s.ways[k]
	l := &w.loads.All[i]
	l.read, l.version = true, w.newest[l.key]
	if s.replica {
		l.version, l.over = w.replica[l.key], w.behind[l.key]
	}
	if k == s.judged {
		env.Add(invalidateColumnLoads, 1)
		env.Emit(invalidateLoad, s.source, l.request, l.version)
	}
	env.At(env.Now()+l.stays, onFill, uint16(k), i, 0)
}

// fillIn brings what was read to the cache, which takes it or not.
func (s *invalidate) fillIn(env *labs.Env, k int, i int64) {
	w := &s.ways[k]
	l := w.loads.All[i]
	w.loads.Free(i)
	takes := l.leads
	switch {
	case s.fill == fillVersion:
		takes = w.versions.Admit(l.key, uint64(l.version))
	case s.fill == fillLease && takes:
		_, takes = w.flights.LandAt(env.Now(), l.flight)
	}
	switch {
	case takes:
		s.keepCopy(env, k, l.key, l.version, l.over)
		if l.over == current {
			s.tell(env, k, invalidateFill, entityCache, l.key+1, l.version)
		}
	case l.leads:
		w.refused++
		s.tell(env, k, invalidateVoid, entityCache, l.key+1, l.version)
	}
}

// keepCopy puts a version into the cache.
func (s *invalidate) keepCopy(env *labs.Env, k int, key, version, over int64) {
	w := &s.ways[k]
	w.lapse(key)
	w.keep.SetAt(env.Now(), key, version, s.ttl)
	if over != current {
		w.over[key] = over
		w.stale++
		w.putBack++
		s.tell(env, k, invalidateFillOld, entityCache, key+1, version)
	}
	env.Set(invalidateColumnStale+k, w.stale)
}

// lapse forgets that the copy of a key was overtaken: there is another, or none.
func (w *side) lapse(key int64) {
	if w.over[key] != current {
		w.over[key] = current
		w.stale--
	}
}

// drop deletes a key from the cache, for the sake of a version; 0 is none in particular.
func (s *invalidate) drop(env *labs.Env, k int, key, version int64) {
	w := &s.ways[k]
	if s.fill == fillVersion && version > 0 && !w.versions.Admit(key, uint64(version)) {
		return // the cache has heard of a newer one
	}
	w.flights.Forget(key)
	w.keep.Delete(key)
	w.lapse(key)
	env.Set(invalidateColumnStale+k, w.stale)
	s.tell(env, k, invalidateDelete, entityCache, key+1, 0)
}

func (s *invalidate) tell(env *labs.Env, k, kind, entity int, a, b int64) {
	if k == s.judged {
		env.Emit(kind, entity, a, b)
	}
}
