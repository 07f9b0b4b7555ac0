package caching

import (
	"seedbed/chapters/cache"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of cache-breakdown; Node is the way to renew.
const (
	breakRead  = iota
	breakLand  // load A comes back
	breakAgain // flight A of key B is over, landed or not
	breakHang  // reader A waits no longer
)

// The key is one. What a bare cache keeps of it is how long its load took.
const hot = 0

// loading is one load that will come back.
type loading struct {
	number int64 // of its way, from 1
	flight flight
}

// renewal is one way to renew, with a cache of its own.
type renewal struct {
	reader  through // of lease, early-lease and logical
	store   keep    // of the others
	flights cache.Flights[int64]
	luck    sim.Stream
	air     sim.Line[loading] // all take equally long, so the one that is back first is at the head
	waits   sim.Line[waiter]  // all are equally patient, so the one that hangs first is at the head
	open    bool              // an expiry is being dealt with
	voided  int64             // loads up to this one began before the key was written
	current int64             // loads under way that began after

	expiries, loads, most int64
	longest               int64 // wait, ns
}

// breakdown is the state of one run. The key was loaded just before it began, so the caches' clock runs ahead of it.
type breakdown struct {
	judged         int
	ttl, load      int64
	timeout, stays int64 // of a flight; of a reader
	beta, lost     int64
	processes      int64
	reads          int64

	arrivals                 sim.Arrivals
	where                    sim.Stream
	requests                 int64
	fresh, old, waited, hung int64 // of the judged way
	gone                     int64 // and those who were lost with their load
	ways                     [nRenewal]renewal
}

func startBreakdown(c labs.Config, env *labs.Env) labs.State {
	s := &breakdown{
		judged: int(c.Int("use")), ttl: c.Int("ttl"), load: c.Int("load"), timeout: c.Int("timeout"), stays: c.Int("patience"),
		beta: c.Int("beta"), lost: c.Int("lost"), processes: c.Int("processes"), reads: c.Int("reads"), where: env.Stream("process"),
	}
	for k := range s.ways {
		w := &s.ways[k]
		w.luck = env.Stream(renewals[k])
		s.build(k)
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: s.reads, Stream: env.Stream("client")}
	s.next(env)
	return s
}

// build makes the cache of one way, with the key in it.
func (s *breakdown) build(k int) {
	w := &s.ways[k]
	store := cache.Config[int64]{Capacity: 1}
	var err error
	switch k {
	case renewLease, renewEarlyLease, renewLogical:
		cfg := cache.ReadThroughConfig[int64]{Cache: store, TTL: s.ttl, Timeout: s.timeout}
		if k == renewEarlyLease {
			cfg.Beta = s.beta
		}
		if k == renewLogical {
			cfg.Stale = cache.Forever
		}
		w.reader, err = cache.NewReadThrough[int64, int64](cfg)
		labs.Must(err)
		// The first load is one that anybody would wait for.
		a := w.reader.AskAt(0, hot, &w.luck)
		if !w.reader.DoneAt(s.load, a.Flight, remember, &w.luck) {
			panic("caching: cache-breakdown: the first load does not count")
		}
		return
	case renewPerProcess:
		w.flights, err = cache.NewFlights(cache.FlightsConfig[int64]{Timeout: s.timeout})
		labs.Must(err)
	}
	w.store, err = cache.New[int64, int64](store)
	labs.Must(err)
	w.store.SetAt(s.load, hot, s.load, s.ttl)
}

// clock is the caches' instant.
func (s *breakdown) clock(env *labs.Env) int64 { return s.load + env.Now() }

func (s *breakdown) next(env *labs.Env) {
	if at, _, ok := s.arrivals.Next(); ok {
		env.At(at, breakRead, 0, 0, 0)
	}
}

// Handle lets a read arrive, a load come back, a flight be over, or a reader lose patience.
func (s *breakdown) Handle(env *labs.Env, e sim.Event) {
	k := int(e.Node)
	switch e.Kind {
	case breakRead:
		s.requests++
		process := s.where.Below(s.processes)
		for k := range s.ways {
			s.read(env, k, process)
		}
		s.next(env)
	case breakLand:
		s.land(env, k, e.A)
	case breakAgain:
		s.again(env, k, e.A, e.B)
	case breakHang:
		s.hang(env, k, e.A)
	}
}

// read lets one request be answered by one way.
func (s *breakdown) read(env *labs.Env, k int, process int64) {
	w := &s.ways[k]
	now := s.clock(env)
	if k <= renewLogical {
		a := w.reader.AskAt(now, hot, &w.luck)
		switch {
		case a.Verdict == cache.Found:
			s.hit(env, k, a.Stale)
		case !a.Load:
			s.wait(env, k, a.Flight, 0)
		}
		if a.Load {
			s.begin(env, k, a.Flight, s.requests, a.Verdict != cache.Found)
		}
		return
	}
	took, expires, ok := w.store.PeekAt(now, hot)
	if ok {
		s.hit(env, k, false)
		if k == renewEarly && cache.Early(now, expires, took, s.beta, &w.luck) {
			s.begin(env, k, flight{}, s.requests, false)
		}
		return
	}
	if k != renewPerProcess {
		s.begin(env, k, flight{}, s.requests, true)
		return
	}
	if f, boarding := w.flights.BoardAt(now, process); boarding == cache.Lead {
		s.begin(env, k, f, s.requests, true)
	} else {
		s.wait(env, k, f, 0)
	}
}

func (s *breakdown) hit(env *labs.Env, k int, stale bool) {
	if k != s.judged {
		return
	}
	kind, column := breakdownHit, breakdownColumnFresh
	if stale {
		kind, column = breakdownOld, breakdownColumnOld
		s.old++
	} else {
		s.fresh++
	}
	env.Add(column, 1)
	env.Emit(kind, entityCache, s.requests, 0)
}

// begin lets a reader load, and wait for that unless it has its answer already or waits anyhow. A load that is to be lost never comes
// back, and its reader goes with it.
func (s *breakdown) begin(env *labs.Env, k int, f flight, request int64, waits bool) {
	w := &s.ways[k]
	w.loads++
	if !w.open {
		w.open = true
		w.expiries++
		s.tell(env, k, breakdownEnd, entityCache, w.expiries)
	}
	others := w.current
	if f.Number > 0 {
		env.At(env.Now()+s.timeout, breakAgain, uint16(k), int64(f.Number), f.Key)
	}
	if k == s.judged {
		env.Add(breakdownColumnLoads, 1)
		env.Emit(breakdownLoad, entityServer, request, others+1)
		if others > 0 {
			env.Fail(checkOneLoad, request, others+1)
		}
	}
	if w.loads == s.lost {
		s.tell(env, k, breakdownLose, entityServer, w.loads)
		if waits {
			s.part(k, 1)
		}
		return
	}
	if waits {
		s.wait(env, k, f, w.loads)
	}
	w.air.Push(loading{w.loads, f})
	w.current++
	w.most = max(w.most, int64(w.air.Len()))
	env.Set(breakdownColumnLoading+k, int64(w.air.Len()))
	env.At(env.Now()+s.load, breakLand, uint16(k), w.loads, 0)
}

func (s *breakdown) tell(env *labs.Env, k, kind, entity int, a int64) {
	if k == s.judged {
		env.Emit(kind, entity, a, 0)
	}
}

// land brings a load back, unless it was lost.
func (s *breakdown) land(env *labs.Env, k int, number int64) {
	w := &s.ways[k]
	if w.air.Len() == 0 || w.air.First().number != number {
		return
	}
	l := w.air.Pop()
	env.Set(breakdownColumnLoading+k, int64(w.air.Len()))
	if number > w.voided {
		w.current--
		w.open = w.current > 0
	}
	now, counts := s.clock(env), true
	switch {
	case k <= renewLogical:
		counts = w.reader.DoneAt(now, l.flight, remember, &w.luck)
	case k == renewPerProcess:
		_, counts = w.flights.LandAt(now, l.flight)
		fallthrough
	default:
		if counts {
			w.store.SetAt(now, hot, s.load, s.ttl)
		}
	}
	if !counts {
		s.tell(env, k, breakdownVain, entityOrigin, number)
	}
	readers := s.answer(env, k, int64(l.flight.Number), number)
	if k == s.judged {
		env.Emit(breakdownLand, entityOrigin, number, readers)
	}
}
