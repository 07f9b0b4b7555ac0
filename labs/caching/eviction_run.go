package caching

import (
	"slices"

	"seedbed/chapters/cache"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of eviction.
const (
	evictRead     = iota // a reader asks for the next key of the traffic
	evictScan            // a scan begins
	evictScanRead        // a scan reads its key number A, of B
	evictMove            // other keys become popular
	evictLook            // ratios are told, and each sixth time judged
)

const (
	maxScan  = 20_000
	scanGap  = 5_000_000  // ns between two reads of a scan: 200 a second
	scanKeys = 10_000_000 // keys from here on are those of scans, far from those of readers
	recent   = 40         // a fresh key is read again while so many are fresher at most

	evictLooks  = 30  // in a run
	judgedLooks = 6   // are one stretch that is judged: a fifth of the run
	fewReads    = 100 // in a stretch tell nothing
)

// keeper is one rule, with a cache of its own. Hits and misses are those of readers: what a scan reads is not asked for again.
type keeper struct {
	cache   keep // none for evictNone, which only needs to know what it has seen
	hits    int64
	look    int64 // hits since the last look
	stretch int64 // hits since the last judgement
	most    int64 // entries at most
	left    int64 // the key that left last, 0 for none
}

// eviction is the state of one run. A key is a number from 1.
type eviction struct {
	judged, traffic int
	capacity, goal  int64
	scan, every     int64
	loop, moves     int64
	again           int64
	digits          []int64 // the reader's own sequence; a copy shares it
	demand          sim.Zipf
	arrivals        sim.Arrivals
	pick            sim.Stream

	requests  int64 // of all, scans too
	drawn     int64 // of the traffic; actions read beside it
	reads     int64 // of readers, actions too
	scanned   int64
	evictions int64
	moved     int64 // how often other keys became popular
	fresh     int64 // how many keys have been new
	look      int64 // reads since the last look
	stretch   int64 // and since the last judgement
	looks     int64
	lowest    int64
	seen      marks // by readers' keys
	scans     marks // by keys of scans
	distinct  int64
	keepers   [nEvict]keeper
}

// marks is a set of small numbers.
type marks []uint64

// mark adds a number and reports whether it was there.
func (m *marks) mark(i int64) bool {
	for int64(len(*m))*64 <= i {
		*m = append(*m, 0)
	}
	w, bit := &(*m)[i/64], uint64(1)<<(i%64)
	was := *w&bit != 0
	*w |= bit
	return was
}

func startEviction(c labs.Config, env *labs.Env) labs.State {
	s := &eviction{
		judged: int(c.Int("use")), traffic: int(c.Int("traffic")), capacity: c.Int("capacity"), goal: c.Int("goal"), scan: c.Int("scan"),
		every: c.Int("every"), loop: c.Int("loop"), moves: c.Int("moves"), again: c.Int("again"), lowest: million + 1,
		demand: sim.NewZipf(c.Int("keys"), c.Int("skew")), pick: env.Stream("pick"),
	}
	chance := env.Stream("policies")
	for k := range s.keepers[:evictNone] {
		var err error
		s.keepers[k].cache, err = cache.New[int64, int64](cache.Config[int64]{
			Capacity: int(s.capacity), Policy: cache.Policy(k), Seed: chance.Uint64(), Window: c.Int("window"),
			Redis: cache.Logarithm{Factor: c.Int("factor"), Decay: 1, Unit: c.Int("decay")},
		})
		labs.Must(err)
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("reads"), Stream: env.Stream("client")}
	if s.traffic == trafficOwn {
		s.digits = digitsOf(c.Int("sequence"))
		s.arrivals = sim.Arrivals{Pattern: sim.Burst, Start: second, Size: 1, Period: second, Stop: second * int64(len(s.digits)+1)}
	}
	env.Set(evictionColumnGoal, s.goal)
	s.next(env)
	if s.traffic == trafficScan {
		env.At(s.every, evictScan, 0, 0, 0)
	}
	if s.traffic == trafficShift {
		env.At(s.moves, evictMove, 0, 0, 0)
	}
	env.At(env.Horizon()/evictLooks, evictLook, 0, 0, 0)
	return s
}

// digitsOf are the keys of a sequence that is written as a number: a digit a key, 0 for the tenth.
func digitsOf(sequence int64) []int64 {
	var keys []int64
	for ; sequence > 0; sequence /= 10 {
		keys = append(keys, (sequence+9)%10+1)
	}
	slices.Reverse(keys)
	return keys
}

func (s *eviction) next(env *labs.Env) {
	if at, _, ok := s.arrivals.Next(); ok {
		env.At(at, evictRead, 0, 0, 0)
	}
}

// Handle lets a reader or a scan read, or tells how the rules fare.
func (s *eviction) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case evictRead:
		s.read(env, s.draw())
		s.next(env)
	case evictScan:
		s.begin(env)
		env.At(env.Now()+s.every, evictScan, 0, 0, 0)
	case evictScanRead:
		s.scanned++
		s.ask(env, scanKeys+e.A, false)
		if e.A < e.B {
			env.At(env.Now()+scanGap, evictScanRead, 0, e.A+1, e.B)
		}
	case evictMove:
		s.shift(env)
		env.At(env.Now()+s.moves, evictMove, 0, 0, 0)
	case evictLook:
		s.tell(env)
		env.At(env.Now()+env.Horizon()/evictLooks, evictLook, 0, 0, 0)
	}
}

// draw picks the key of a read.
func (s *eviction) draw() int64 {
	n := s.drawn
	s.drawn++
	switch s.traffic {
	case trafficLoop:
		return n%s.loop + 1
	case trafficFresh:
		if s.fresh == 0 || s.pick.Below(s.again+1) == 0 {
			s.fresh++
			return s.fresh
		}
		return s.fresh - s.pick.Below(min(recent, s.fresh))
	case trafficOwn:
		return s.digits[n]
	}
	return s.moved*int64(len(s.demand)) + s.demand.Draw(&s.pick) + 1
}

// begin sends a scan through all keys of a table of its own, in their order: the same ones each time.
func (s *eviction) begin(env *labs.Env) {
	env.Emit(evictionScan, entityEvictor+s.judged, s.scan, 0)
	env.At(env.Now(), evictScanRead, 0, 1, s.scan)
}

// shift makes other keys popular, which nobody has asked for before.
func (s *eviction) shift(env *labs.Env) {
	s.moved++
	env.Emit(evictionShift, entityEvictor+s.judged, s.moved*int64(len(s.demand))+1, 0)
}

// read is one read of a reader.
func (s *eviction) read(env *labs.Env, key int64) {
	s.reads++
	s.look++
	s.stretch++
	s.ask(env, key, true)
}

// ask lets every rule answer a read; what is missing is fetched and kept.
func (s *eviction) ask(env *labs.Env, key int64, reader bool) {
	s.requests++
	env.Set(evictionColumnAsked, key)
	known := s.known(key)
	for k := range s.keepers {
		w, hit, held := &s.keepers[k], known, s.distinct
		out, did := int64(0), false
		if k != evictNone {
			if _, hit = w.cache.GetAt(env.Now(), key); !hit {
				out, did = w.cache.SetAt(env.Now(), key, 0, 0)
			}
			held = int64(w.cache.Len())
		}
		s.answer(env, k, key, hit, reader)
		if did {
			w.left = out
			env.Set(evictionColumnLeft+k, out)
			env.Emit(evictionEvict, entityEvictor+k, out, s.requests)
			s.evictions += labs.Bit(k == s.judged)
		}
		if held != w.most {
			w.most = max(w.most, held)
			env.Set(evictionColumnHeld+k, held)
		}
		if k == s.judged && held > s.capacity && !hit {
			env.Fail(checkWithin, s.requests, held)
		}
	}
}

// known reports whether a key was asked for before, and remembers it.
func (s *eviction) known(key int64) bool {
	m, i := &s.seen, key
	if key > scanKeys {
		m, i = &s.scans, key-scanKeys
	}
	was := m.mark(i)
	s.distinct += 1 - labs.Bit(was)
	return was
}

// answer tells what a read came to.
func (s *eviction) answer(env *labs.Env, k int, key int64, hit, reader bool) {
	kind := evictionMiss
	if hit {
		kind = evictionHit
	}
	env.Emit(kind, entityEvictor+k, s.requests, key)
	if !reader {
		return
	}
	w, n := &s.keepers[k], labs.Bit(hit)
	env.Add(evictionColumnHits+k, n)
	w.hits += n
	w.look += n
	w.stretch += n
}

// tell shows the ratios since the last look, and judges those of a stretch. In the first stretch caches fill.
func (s *eviction) tell(env *labs.Env) {
	s.looks++
	for k := range s.keepers {
		w := &s.keepers[k]
		env.Set(evictionColumnRatio+k, labs.PerMillion(w.look, s.look))
		w.look = 0
	}
	s.look = 0
	if s.looks%judgedLooks != 0 {
		return
	}
	hits := s.keepers[s.judged].stretch
	if got := labs.PerMillion(hits, s.stretch); s.looks > judgedLooks && s.stretch >= fewReads {
		s.lowest = min(s.lowest, got)
		if got < s.goal {
			env.Fail(checkRatio, s.requests, got, hits, s.stretch)
		}
	}
	for k := range s.keepers {
		s.keepers[k].stretch = 0
	}
	s.stretch = 0
}

// The verbs of eviction.
const (
	verbRead = iota
	verbScan
)

// Act reads one key, sends a scan, or makes other keys popular.
func (s *eviction) Act(env *labs.Env, do labs.Do) {
	switch do.Verb {
	case verbRead:
		s.read(env, do.Value)
	case verbScan:
		s.begin(env)
	default:
		s.shift(env)
	}
}

// Finish measures.
func (s *eviction) Finish(env *labs.Env) {
	if s.looks < evictLooks {
		s.tell(env)
	}
	if s.lowest > million { // too short for a stretch to be judged
		s.lowest = labs.PerMillion(s.keepers[s.judged].hits, s.reads)
	}
	for i, v := range [evictionEach]int64{s.reads, s.keepers[s.judged].hits, s.lowest, s.evictions, s.scanned, s.distinct} {
		env.Metric(i, v)
	}
	for k := range s.keepers {
		w := &s.keepers[k]
		for i, v := range [...]int64{labs.PerMillion(w.hits, s.reads), s.reads - w.hits, w.most, w.left} {
			env.Metric(evictionEach+4*k+i, v)
		}
	}
}

// Clone copies the run.
func (s *eviction) Clone() labs.State {
	c := *s
	c.seen, c.scans = slices.Clone(s.seen), slices.Clone(s.scans)
	for k := range c.keepers {
		c.keepers[k].cache = s.keepers[k].cache.Clone()
	}
	return &c
}

// Bytes is what a clone costs: demand and digits are shared.
func (s *eviction) Bytes() int {
	n := 1500 + 8*(len(s.seen)+len(s.scans))
	for k := range s.keepers {
		n += s.keepers[k].cache.Size() + 16*s.keepers[k].cache.Len()
	}
	return n
}
