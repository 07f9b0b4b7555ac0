package hotkeys

import (
	"slices"

	"seedbed/chapters/hotkey"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of hot-key.
const (
	eventRequest = iota
	eventWrite   // the hot value changes
	eventHeat    // a key becomes hot, and the one before it does not stay so
	eventLook    // a second is over: keys are named and shards judged
	eventSweep   // a job reads its key number A, of B
	eventFlush   // server A writes back what it has added up
)

// Keys are numbers: of those that became hot, of the others, and of those that a job reads.
const (
	firstHot  = 1001
	firstKey  = 10_000
	firstCold = 100_000
	maxSweep  = 1000
	sweepGap  = 2_000_000 // ns between two reads of a job
)

// finder is one way to find hot keys, and how it fares.
type finder struct {
	counts hotkey.Detector
	top    []hotkey.Count
	missed int64 // looks at which it did not name what had been hot for long enough
	after  int64 // ns, the longest that it took
	named  bool  // the present hot key has been named since it became hot
	agreed int64 // keys of the true top that it named, over all looks
}

// hotKey is the state of one run.
type hotKey struct {
	judged, cure, holds int
	hot                 int64 // parts per million
	moves, within, scan int64
	capacity, ttl       int64
	top                 int
	stock               int64
	rate                int64
	even                int64 // milli-operations a second of other keys that a shard has on average
	tooHot              bool  // the crowd's key is more than its shard can do besides: only then is it hot, and to be found

	arrivals, writes         sim.Arrivals
	kind, pick, choose, user sim.Stream
	demand                   sim.Zipf
	copies                   hotkey.Copies
	finders                  [nFind]finder

	requests, hotRequests int64
	heats                 int64 // keys that have become hot so far
	since                 int64 // when the present one did; −1 while there is none
	nextScan              int64
	perShard              []int64 // operations of this second
	busiest, operations   int64
	looks                 int64

	wrote     int64 // mean rate of writes of the hot value, in thousandths a second
	version   int64 // of the hot value
	written   int64
	shardDone int64 // operations that writes took
	old       int64 // local answers with a value that had been written since
	localHits int64

	number
	servers []server
}

func startHot(c labs.Config, env *labs.Env) labs.State {
	s := &hotKey{
		judged: int(c.Int("use")), cure: int(c.Int("cure")), holds: int(c.Int("holds")), hot: c.Int("hot"), moves: c.Int("moves"),
		within: c.Int("within"), scan: c.Int("scan"), capacity: c.Int("capacity"), ttl: c.Int("ttl"), top: int(c.Int("top")),
		stock: c.Int("stock"), rate: c.Int("requests"), kind: env.Stream("kind"), pick: env.Stream("pick"), choose: env.Stream("choose"),
		user: env.Stream("user"), demand: sim.NewZipf(c.Int("keys"), c.Int("skew")), since: -1, perShard: make([]int64, c.Int("shards")),
	}
	s.weigh(c)
	seed := env.Stream("hashes")
	var err error
	s.copies, err = hotkey.NewCopies(hotkey.Copies{N: int(c.Int("copies")), Shards: len(s.perShard), Seed: seed.Uint64()})
	labs.Must(err)
	s.build(c, &seed)
	s.begin(int(c.Int("servers")))
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: s.rate, Stream: env.Stream("client")}
	s.writes = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("writes"), Start: c.Int("begins"), Stream: env.Stream("writer")}
	s.next(env, &s.arrivals, eventRequest)
	if s.holds == holdsPage || s.holds == holdsList {
		s.next(env, &s.writes, eventWrite)
	}
	env.At(c.Int("begins"), eventHeat, 0, 0, 0)
	env.At(second, eventLook, 0, 0, 0)
	return s
}

// build makes all counters. Those of fixed size get about the same number of bytes: 8 a counter.
func (s *hotKey) build(c labs.Config, seed *sim.Stream) {
	n, halve, keys := int(c.Int("counters")), c.Int("halve"), int(c.Int("keys"))+maxSweep
	window, err := hotkey.NewWindow(hotkey.WindowConfig{Window: 5 * second, Buckets: 5, MaxKeys: keys})
	labs.Must(err)
	sketch, err := hotkey.NewCountMin(hotkey.CountMinConfig{Width: n / 4, Depth: 4, Top: maxTop, Halve: halve, Seed: seed.Uint64(), Conservative: true})
	labs.Must(err)
	saving, err := hotkey.NewSpaceSaving(hotkey.SpaceSavingConfig{Keys: max(1, n/8), Halve: halve})
	labs.Must(err)
	keeper, err := hotkey.NewHeavyKeeper(hotkey.HeavyKeeperConfig{Width: n / 2, Depth: 2, Top: maxTop, Base: 1080, Halve: halve, Seed: seed.Uint64()})
	labs.Must(err)
	lfu, err := hotkey.NewLFU(hotkey.LFUConfig{Keys: keys, Factor: 10, Decay: 60 * second, Seed: seed.Uint64()})
	labs.Must(err)
	for k, d := range [nFind]hotkey.Detector{&window, &sketch, &saving, &keeper, &lfu, &lastUsed{}} {
		s.finders[k].counts = d
	}
}

func (s *hotKey) next(env *labs.Env, a *sim.Arrivals, kind uint16) {
	if at, _, ok := a.Next(); ok {
		env.At(at, kind, 0, 0, 0)
	}
}

// Handle lets a request arrive, the hot value change, another key become hot, or a second be judged.
func (s *hotKey) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case eventRequest:
		s.request(env)
		s.next(env, &s.arrivals, eventRequest)
	case eventWrite:
		s.write(env)
		s.next(env, &s.writes, eventWrite)
	case eventHeat:
		s.heat(env)
		if s.holds == holdsPage {
			env.At(env.Now()+s.moves, eventHeat, 0, 0, 0)
		}
	case eventLook:
		s.look(env)
		env.At(env.Now()+second, eventLook, 0, 0, 0)
	case eventSweep:
		s.requests++
		s.count(env, firstCold+e.A)
		s.read(env, firstCold+e.A)
		if e.A < e.B {
			env.At(env.Now()+sweepGap, eventSweep, 0, e.A+1, e.B)
		}
	case eventFlush:
		s.flush(env, &s.servers[e.A])
	}
}

// heat sends the crowd, if there is one, to another key. A number stays the one that it is.
func (s *hotKey) heat(env *labs.Env) {
	if s.hot == 0 || s.heats > 0 && s.holds != holdsPage {
		return
	}
	s.closeHeat(env)
	s.heats++
	s.since = env.Now()
	s.version++
	env.Emit(hotHeat, entityServers, s.hotID(), 0)
}

// hotID is the key that is hot.
func (s *hotKey) hotID() int64 { return firstHot + s.heats - 1 }

// closeHeat notes who has not named the hot key before it cools down.
func (s *hotKey) closeHeat(env *labs.Env) {
	for k := range s.finders {
		f := &s.finders[k]
		if s.since >= 0 && !f.named {
			f.after = max(f.after, env.Now()-s.since)
		}
		f.named = false
	}
}

// request is one request of a user, for the hot key or for another.
func (s *hotKey) request(env *labs.Env) {
	s.requests++
	if s.since < 0 || !s.kind.Chance(s.hot) {
		id := firstKey + s.demand.Draw(&s.pick)
		s.count(env, id)
		s.read(env, id)
		return
	}
	s.hotRequests++
	id := s.hotID()
	s.count(env, id)
	switch s.holds {
	case holdsLikes:
		s.add(env, id)
	case holdsStock:
		s.sell(env, id)
	default:
		s.read(env, id)
	}
}

// count shows a request to all who count.
func (s *hotKey) count(env *labs.Env, id int64) {
	for k := range s.finders {
		s.finders[k].counts.AddAt(env.Now(), uint64(id))
	}
}

// named reports whether the judged way has named a key at its last look.
func (s *hotKey) named(id int64) bool { return has(s.finders[s.judged].top, id) }

func has(top []hotkey.Count, id int64) bool {
	for i := range top {
		if top[i].ID == uint64(id) {
			return true
		}
	}
	return false
}

// ask puts one operation on a shard.
func (s *hotKey) ask(env *labs.Env, shard int) {
	s.perShard[shard]++
	s.operations++
	env.Add(columnForwarded, 1)
}

// home is the shard of a key of which nobody has made copies, and of the first copy of others.
func (s *hotKey) home(id int64) int { return s.copies.Shard(uint64(id), 0) }

// part is one of the copies or parts of a key, by chance.
func (s *hotKey) part() int { return s.copies.Pick(s.choose.Uint64()) }

// read answers a read of a value.
func (s *hotKey) read(env *labs.Env, id int64) {
	shard := s.home(id)
	if s.cure != cureNone && s.named(id) {
		switch s.cure {
		case cureCopies:
			shard = s.copies.Shard(uint64(id), s.part())
		case cureLocal:
			if s.readLocal(env, id) {
				return
			}
		case cureSplit: // each user needs one part of a list, always the same
			if s.holds == holdsList {
				shard = s.copies.Shard(uint64(id), int(s.user.Below(int64(s.copies.N))))
			}
		}
	}
	s.ask(env, shard)
	env.Emit(hotRead, entityShard+shard, s.requests, id)
}

// write changes the hot value: in all of its copies, or in the one place that has it.
func (s *hotKey) write(env *labs.Env) {
	if s.since < 0 {
		return
	}
	id, places := s.hotID(), 1
	if s.cure == cureCopies && s.named(id) {
		places = s.copies.N
	}
	first := 0
	if s.cure == cureSplit && s.named(id) {
		first = s.part()
	}
	s.version++
	s.written++
	for i := range places {
		s.shardDone++
		s.ask(env, s.copies.Shard(uint64(id), first+i))
	}
	env.Emit(hotWrite, entityServers, id, int64(places))
}

// The verbs of hot-key.
const verbHeat = 0

// Act makes another key hot, or lets a job read many cold keys once.
func (s *hotKey) Act(env *labs.Env, do labs.Do) {
	if do.Verb == verbHeat {
		s.heat(env)
		return
	}
	env.Emit(hotSweep, entityServers, do.Value, 0)
	env.At(env.Now(), eventSweep, 0, 1, do.Value)
}

// Clone copies the run.
func (s *hotKey) Clone() labs.State {
	c := *s
	c.perShard, c.servers, c.number = slices.Clone(s.perShard), slices.Clone(s.servers), s.number.clone()
	for k := range c.finders {
		c.finders[k].counts = s.finders[k].counts.Copy()
	}
	for i := range c.servers {
		c.servers[i].values = s.servers[i].values.Clone()
	}
	return &c
}

// Bytes is what a clone costs: demand is shared, and lists that were named are never written.
func (s *hotKey) Bytes() int {
	n := 2000 + 8*len(s.perShard) + 600*len(s.servers)
	for k := range s.finders {
		n += s.finders[k].counts.Size()
	}
	return n
}
