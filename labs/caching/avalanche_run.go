package caching

import (
	"slices"

	"seedbed/chapters/cache"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of cache-avalanche; Node is the way to keep.
const (
	fallRead = iota
	fallOrder
	fallEnd  // what was stored together ends
	fallWarm // the next key A is to be loaded before its end
	fallDone // a connection has done its work for slot A, or −1, whose mark is B
	fallLate // job A waits no longer
)

const (
	retry    = second      // after a failed load that nobody waits for
	flightIn = 60 * second // after which a load is given up
	remember = 1           // what a key's value is
)

// keeping is one way to keep, with caches and a database of its own.
type keeping struct {
	redis  keep // of same-ttl and two-level
	reader through
	two    []cache.TwoLevel[int64, int64] // by process
	luck   sim.Stream
	joined []int16 // by key, or by process and key: who waits for its load
	pool

	loads, old, lost, refused, failed int64
	pending                           int64 // reads that wait
}

// avalanche is the state of one run. Its caches were filled before it began, so their clock runs ahead of it.
type avalanche struct {
	judged          int
	filled          int64 // ns before the run
	ttl             int64
	query, patience int64
	pace            int64 // ns from one key to the next
	edgeShare       int64 // parts per million
	processes       int64
	reads, orders   int64 // milli per second
	down            bool
	demand          sim.Zipf

	pick, outer      sim.Stream
	process          sim.Stream
	arrivals, buyers sim.Arrivals
	requests, bought int64
	atEdge, fresh    int64 // of the judged way
	waited           int64
	ways             [nKeeping]keeping
}

func startAvalanche(c labs.Config, env *labs.Env) labs.State {
	s := &avalanche{
		judged: int(c.Int("use")), filled: c.Int("ttl") - c.Int("lead"), ttl: c.Int("ttl"), query: c.Int("query"), patience: c.Int("patience"),
		pace: million * million / c.Int("pace"), edgeShare: c.Int("edge"), reads: c.Int("reads"), orders: c.Int("orders"),
		demand: sim.NewZipf(c.Int("keys"), c.Int("skew")), pick: env.Stream("pick"), outer: env.Stream("edge"),
		process: env.Stream("process"), processes: c.Int("processes"),
	}
	for k := range s.ways {
		s.build(c, env, k)
		s.fill(c, k)
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: s.reads, Stream: env.Stream("client")}
	s.buyers = sim.Arrivals{Pattern: sim.Poisson, Rate: s.orders, Stream: env.Stream("buyer")}
	s.next(env, &s.arrivals, fallRead)
	s.next(env, &s.buyers, fallOrder)
	env.At(c.Int("lead"), fallEnd, 0, 0, 0)
	// Warming ends just before the common end, as far as there is time for it.
	env.At(c.Int("lead")-s.pace*(c.Int("keys")+1), fallWarm, keepPrewarm, 0, 0)
	return s
}

// build makes the caches of one way. All but the two that are bare caches read through, with one flight a key.
func (s *avalanche) build(c labs.Config, env *labs.Env, k int) {
	w := &s.ways[k]
	keys := c.Int("keys")
	w.luck, w.joined, w.connections = env.Stream(keepings[k]), make([]int16, keys), int(c.Int("connections"))
	store := cache.Config[int64]{Capacity: int(keys)}
	cfg := cache.ReadThroughConfig[int64]{Cache: store, TTL: s.ttl, Retry: retry, Timeout: flightIn, Loads: int(c.Int("loads"))}
	var err error
	switch k {
	case keepJitter:
		cfg.Jitter = labs.PerMillion(c.Int("spread"), s.ttl)
	case keepStale:
		cfg.Stale = c.Int("stale")
	case keepLogical:
		cfg.Stale = cache.Forever
	case keepAhead:
		cfg.Ahead = c.Int("ahead")
	case keepTwoLevel:
		processes := c.Int("processes")
		cfg.TTL, cfg.Stale = c.Int("local"), c.Int("stale")
		if cfg.Loads > 0 {
			cfg.Loads = max(1, cfg.Loads/int(processes))
		}
		w.joined, w.two = make([]int16, keys*processes), make([]cache.TwoLevel[int64, int64], processes)
		for p := range w.two {
			w.two[p], err = cache.NewTwoLevel[int64, int64](cache.TwoLevelConfig[int64]{Local: cfg, RemoteTTL: s.ttl})
			labs.Must(err)
		}
		fallthrough
	case keepSameTTL:
		w.redis, err = cache.New[int64, int64](store)
		labs.Must(err)
		return
	}
	w.reader, err = cache.NewReadThrough[int64, int64](cfg)
	labs.Must(err)
}

// lot is a random number that has been drawn already; the chapter takes it as its Source.
type lot int64

func (l lot) Below(int64) int64 { return int64(l) }

// past is one load before the run.
type past struct{ at, key, lot int64 }

// fill stores every key at the instant 0 of the caches' clock, and again whenever it ended before the run, as if it had been asked for
// at once. What is local begins empty.
func (s *avalanche) fill(c labs.Config, k int) {
	w := &s.ways[k]
	if k == keepSameTTL || k == keepTwoLevel {
		for key := range s.demand {
			w.redis.SetAt(0, int64(key), remember, s.ttl)
		}
		return
	}
	var loads []past
	ppm := int64(0)
	if k == keepJitter {
		ppm = labs.PerMillion(c.Int("spread"), s.ttl)
	}
	spread := s.ttl / million * ppm
	for key := range s.demand {
		for at := int64(0); at <= s.filled; {
			l := w.luck.Below(2*spread + 1)
			loads = append(loads, past{at, int64(key), l})
			at += cache.Jitter(s.ttl, ppm, lot(l))
		}
	}
	slices.SortStableFunc(loads, func(a, b past) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	for _, l := range loads {
		w.reader.PutAt(l.at, l.key, remember, lot(l.lot))
	}
}

// clock is the caches' instant.
func (s *avalanche) clock(env *labs.Env) int64 { return s.filled + env.Now() }

func (s *avalanche) next(env *labs.Env, a *sim.Arrivals, kind uint16) {
	if at, _, ok := a.Next(); ok {
		env.At(at, kind, 0, 0, 0)
	}
}

// Handle lets a read or an order arrive, a connection finish, or somebody lose patience.
func (s *avalanche) Handle(env *labs.Env, e sim.Event) {
	k := int(e.Node)
	switch e.Kind {
	case fallRead:
		s.read(env)
		s.next(env, &s.arrivals, fallRead)
	case fallOrder:
		s.bought++
		env.Add(avalancheColumnOrders, 1)
		for k := range s.ways {
			s.connect(env, k, job{since: env.Now(), slot: -1, mark: s.bought}, s.bought)
		}
		s.next(env, &s.buyers, fallOrder)
	case fallEnd:
		env.Emit(avalancheEnd, entityRedis, int64(len(s.demand)), 0)
	case fallWarm:
		s.ways[k].loads++
		s.connect(env, k, job{since: env.Now(), slot: e.A, mark: warming}, -1)
		if e.A+1 < int64(len(s.demand)) {
			env.At(env.Now()+s.pace, fallWarm, e.Node, e.A+1, 0)
		}
	case fallDone:
		s.done(env, k, e.A, e.B)
		if next, ok := s.ways[k].release(); ok {
			s.work(env, k, next)
		}
		s.level(env, k)
	case fallLate:
		if j, ok := s.ways[k].leave(e.A); ok {
			s.giveUp(env, k, j)
			s.level(env, k)
		}
	}
}

// level tells how many want a connection.
func (s *avalanche) level(env *labs.Env, k int) {
	env.Set(avalancheColumnWanted+k, s.ways[k].wanted())
	if k == s.judged {
		env.Set(avalancheColumnBusy, int64(s.ways[k].busy))
	}
}

// Clone copies the run.
func (s *avalanche) Clone() labs.State {
	c := *s
	for k := range c.ways {
		w, v := &c.ways[k], &s.ways[k]
		w.redis, w.reader, w.two = v.redis.Clone(), v.reader.Clone(), slices.Clone(v.two)
		for p := range w.two {
			w.two[p] = v.two[p].Clone()
		}
		w.joined, w.pool = slices.Clone(v.joined), v.pool.clone()
	}
	return &c
}

// Bytes is what a clone costs: demand is shared.
func (s *avalanche) Bytes() int {
	n := 4000
	for k := range s.ways {
		w := &s.ways[k]
		n += w.redis.Size() + w.reader.Size() + 2*len(w.joined) + 32*w.line.Len()
		for p := range w.two {
			n += w.two[p].Size() + 40*len(s.demand)
		}
		n += 40 * len(s.demand) // keys and values
	}
	return n
}
