package incidents

import (
	"slices"

	"seedbed/chapters/breaker"
	"seedbed/chapters/cache"
	"seedbed/chapters/degrade"
	"seedbed/chapters/limiter"
	"seedbed/chapters/queue"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events; Node is the combination of layers.
const (
	kindVisit  = iota // somebody opens a page, who only looks
	kindBuy           // somebody opens a page, who will buy
	kindReload        // the page in slot A is tried again
	kindDone          // the job in slot A has done its work
	kindGiveUp        // the head of line A may wait no longer
	kindEnd           // what was stored together ends
	kindLook          // all is looked at
	kindReady         // an instance has booted
	kindWarm          // key A is to be loaded before it is asked for
)

// What the lab does not let anybody choose.
const (
	ttl                       = 1800 * second // of what was stored together before the sale
	spread                    = 300 * second  // up to which jitter moves that, either way
	ppmSpread                 = million / 6
	localTTL                  = 5 * second  // of a copy in an instance
	staleFor                  = 60 * second // how long a value may be served past its end
	retry                     = second      // after a failed load whose key still has a value
	flightIn                  = 20 * second // after which a load is given up
	riseAt                    = 3 * second  // the sale begins
	riseIn                    = 5 * second  // and is at its peak so much later
	fallIn                    = 2 * second
	pause                     = second      // before a page is tried again, at most
	lookEvery                 = second / 2  // what is seen of the pool is a mean over as long
	busyEnough                = 700_000     // ppm of the pool in use: more is a reason for an alarm
	complaints                = 15 * second // without alerts, until somebody calls
	extraShare                = 250_000     // ppm of the pages that come with recommendations, which no cache has
	lineBound                 = 1000        // who may wait for a connection, without a queue for orders
	coreQueries, laterQueries = 3, 1        // of an order: what must be done at once, and what may be done later
	remember                  = 1           // what a key's value is
)

// page is one page that somebody wants.
type page struct {
	visit int64 // of all, from 1
	buyer int64 // the order that follows, 0 for who only looks
	since int64 // ns: the first try
	key   int32
	next  int32 // who waits for the same load; −1 for nobody
	tries int8
	extra bool // with recommendations
}

// defence is one combination of layers, with all that it has.
type defence struct {
	on      [nSwitch]bool
	reader  cache.ReadThrough[int64, int64] // without a local cache: Redis
	two     cache.TwoLevel[int64, int64]    // with one
	redis   cache.Cache[int64, int64]       // behind it
	luck    sim.Stream
	joined  []int32 // by key: the first page that waits for its load, −1 for none
	pages   sim.Slots[page]
	guard   breaker.Breaker
	state   breaker.State
	ladder  degrade.Ladder
	level   degrade.Level
	fleet   [maxInstances]instance
	ready   int // instances that serve
	ordered int // and those on their way
	turn    int // whose bucket the next page takes from
	pool

	watch
	lost, unserved int64
	late           int64 // orders done later than promised
}

// instance is one process: its part of the pool and its limiter.
type instance struct {
	places breaker.Bulkhead
	bucket limiter.TokenBucket
}

// avalanche is the state of one run. The caches were filled before it began, so their clock runs ahead of it.
type avalanche struct {
	judged         int
	peak           int64 // ppm of what was planned
	visitors       int64 // milli per second, planned
	buyers         int64
	edge           int64 // ppm
	end, until     int64
	query          int64
	patience       int64
	promise        int64
	cores          int64
	connections    int64
	tries          int8
	notice, boot   int64
	most           int
	pace           int64 // ns from one key to the next
	slower, surged int64 // ppm: by action
	down           bool
	demand         sim.Zipf

	looks, buys, pick, outer, extras sim.Stream
	visits, bought                   int64
	defences                         [nLayering]defence
	story
}

// story is what is told of the judged combination.
type story struct {
	atEdge, local, redis, old, loads, shed, reloads, orders, orderDone int64
	lostBy                                                             [3]int64 // in the order of the events
	poolFull, firstLost, alerted, helped                               int64    // ns; 0 while it has not happened
	longest                                                            int64    // ns that an order took which was done
}

func startAvalanche(c labs.Config, env *labs.Env) labs.State {
	s := &avalanche{
		judged: int(c.Int("use")), peak: c.Int("load"), visitors: c.Int("visitors"), buyers: c.Int("buyers"), edge: c.Int("edge"), end: c.Int("end"),
		until: c.Int("until"), query: c.Int("query"), patience: c.Int("patience"), promise: c.Int("promise"), cores: c.Int("cores"),
		connections: c.Int("connections"), tries: int8(c.Int("reloads")), notice: c.Int("notice"), boot: c.Int("boot"),
		most: int(max(c.Int("most"), c.Int("instances"))), pace: million * million / c.Int("pace"), slower: million, surged: million,
		demand: sim.NewZipf(c.Int("keys"), skew), looks: env.Stream("visitors"), buys: env.Stream("buyers"), pick: env.Stream("pick"), outer: env.Stream("edge"),
		extras: env.Stream("extras"),
	}
	for k := range s.defences {
		s.build(c, env, k)
		s.fill(k)
	}
	s.next(env, kindVisit)
	s.next(env, kindBuy)
	env.At(s.end, kindEnd, 0, 0, 0)
	env.At(lookEvery, kindLook, 0, 0, 0)
	s.show(env)
	return s
}

// build makes one combination.
func (s *avalanche) build(c labs.Config, env *labs.Env, k int) {
	d := &s.defences[k]
	d.on = switchesOf(c, masks[k])
	d.luck = env.Stream(layerings[k])
	d.joined = make([]int32, len(s.demand))
	for i := range d.joined {
		d.joined[i] = -1
	}
	s.buildCache(d)
	var err error
	d.state = breaker.Closed
	d.guard, err = breaker.NewBreaker(breaker.Config{
		Span: 2 * second, MinCalls: 20, FailurePercent: 50, OpenFor: second, Probes: 3, Lease: 4 * s.patience, Ramp: second,
	})
	labs.Must(err)
	d.ladder, err = degrade.NewLadder(degrade.Config{
		Signals: []degrade.Signal{{Name: "pool", Steps: []degrade.Step{{Up: 800_000, Down: 400_000}, {Up: million, Down: 600_000}}}},
		UpFor:   0, DownFor: 3 * second,
	})
	labs.Must(err)
	forOrders, forPages := int64(0), int64(0)
	if d.on[swBulkhead] {
		forOrders, forPages = c.Int("reserved"), 1 // there is no order without a page
	}
	rate := limiter.Rate{N: c.Int("limit"), Per: 1000 * second}
	for i := range d.fleet[:s.most] {
		in := &d.fleet[i]
		in.places, err = breaker.NewBulkhead(breaker.BulkheadConfig{Places: s.connections, Compartments: []breaker.Compartment{
			{Name: "orders", Reserved: forOrders, Max: s.connections - forPages}, {Name: "pages", Reserved: forPages, Max: s.connections - forOrders},
		}})
		labs.Must(err)
		in.bucket, err = limiter.NewTokenBucket(limiter.RateConfig{Rate: rate, Burst: (c.Int("limit") + 999) / 1000})
		labs.Must(err)
	}
	depth := int64(lineBound)
	if d.on[swQueue] {
		depth = c.Int("backlog")
	}
	d.lines[lineOrders].q, err = queue.NewQueue(queue.Config{Depth: depth})
	labs.Must(err)
	d.lines[linePages].q, err = queue.NewQueue(queue.Config{Depth: lineBound})
	labs.Must(err)
	d.ready, d.ordered = int(c.Int("instances")), int(c.Int("instances"))
}

// buildCache makes the caches of one combination: with a local cache two levels, without one that reads through.
func (s *avalanche) buildCache(d *defence) {
	store := cache.Config[int64]{Capacity: len(s.demand)}
	cfg := cache.ReadThroughConfig[int64]{Cache: store, TTL: ttl, Stale: d.beyond(), Retry: retry, Timeout: flightIn}
	jitter := int64(0)
	if d.on[swJitter] {
		jitter = ppmSpread
	}
	var err error
	if d.on[swLocal] {
		cfg.TTL = localTTL
		// Past a dead Redis the database is asked: what may come through is bounded where the bulkhead and the breaker stand.
		d.two, err = cache.NewTwoLevel[int64, int64](cache.TwoLevelConfig[int64]{Local: cfg, RemoteTTL: ttl, RemoteJitter: jitter, PastRemote: true})
		labs.Must(err)
		d.redis, err = cache.New[int64, int64](store)
	} else {
		cfg.Jitter = jitter
		d.reader, err = cache.NewReadThrough[int64, int64](cfg)
	}
	labs.Must(err)
}

// lot is a random number that has been drawn already; the chapter takes it as its Source. It is used again and again: a thousand keys
// would be a thousand allocations.
type lot struct{ drawn int64 }

func (l *lot) Below(int64) int64 { return l.drawn }

// past is one load before the run.
type past struct{ at, key, lot int64 }

// fill stores every key at the instant 0 of the caches' clock, and with jitter again whenever it ended before the run, as if it had been
// asked for at once. What is local begins empty.
func (s *avalanche) fill(k int) {
	d := &s.defences[k]
	var l lot
	var loads []past
	for key := range s.demand {
		if !d.on[swJitter] {
			loads = append(loads, past{0, int64(key), 0})
			continue
		}
		for at := int64(0); at <= ttl-s.end; {
			l.drawn = d.luck.Below(2*spread + 1)
			loads = append(loads, past{at, int64(key), l.drawn})
			at += cache.Jitter(ttl, ppmSpread, &l)
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
	for _, p := range loads {
		l.drawn = p.lot
		if !d.on[swLocal] {
			d.reader.PutAt(p.at, p.key, remember, &l)
			continue
		}
		life := int64(ttl)
		if d.on[swJitter] {
			life = cache.Jitter(ttl, ppmSpread, &l)
		}
		d.redis.SetAt(p.at, p.key, remember, life+d.beyond())
	}
}

// clock is the caches' instant.
func (s *avalanche) clock(env *labs.Env) int64 { return ttl - s.end + env.Now() }

// factor is how large the sale is at an instant, ppm of what was planned: it rises to the load, stays, and falls.
func (s *avalanche) factor(now int64) int64 {
	calm := min(million, s.peak)
	up := min(max(now-riseAt, 0), riseIn) / (riseIn / 1000)
	if now > s.until {
		up = 1000 - min(now-s.until, fallIn)/(fallIn/1000)
	}
	return scaled(calm+(s.peak-calm)*up/1000, s.surged, million)
}

// next schedules the next one of a kind. The rate is that of now: it changes slowly.
func (s *avalanche) next(env *labs.Env, kind uint16) {
	rate, stream := s.visitors, &s.looks
	if kind == kindBuy {
		rate, stream = s.buyers, &s.buys
	}
	rate = scaled(rate, s.factor(env.Now()), million)
	if rate < 1 {
		env.At(env.Now()+second, kind, 1, 0, 0) // Node 1: only to ask again
		return
	}
	env.At(env.Now()+stream.Exp(million*million/rate), kind, 0, 0, 0)
}

// Handle lets somebody come, a job end, somebody lose patience, or the fleet be looked at.
func (s *avalanche) Handle(env *labs.Env, e sim.Event) {
	k := int(e.Node)
	switch e.Kind {
	case kindVisit, kindBuy:
		if e.Node == 0 {
			s.visit(env, e.Kind == kindBuy)
		}
		s.next(env, e.Kind)
	case kindReload:
		s.open(env, k, int32(e.A))
	case kindDone:
		s.done(env, k, int32(e.A))
		s.feed(env, k)
	case kindGiveUp:
		s.giveUp(env, k, int(e.A))
	case kindEnd:
		env.Emit(evEnd, entRedis, int64(len(s.demand)), 0)
	case kindLook:
		s.look(env)
		env.At(env.Now()+lookEvery, kindLook, 0, 0, 0)
	case kindReady:
		s.booted(env, k)
	case kindWarm:
		s.warm(env, k, e.A)
	}
}

// Clone copies the run.
func (s *avalanche) Clone() labs.State {
	c := *s
	for k := range c.defences {
		d := &c.defences[k]
		d.reader, d.two, d.redis = d.reader.Clone(), d.two.Clone(), d.redis.Clone()
		d.joined, d.pages, d.pool = slices.Clone(d.joined), d.pages.Clone(), d.pool.clone()
		d.guard, d.ladder = d.guard.Clone(), d.ladder.Clone()
		for i := range d.fleet[:s.most] {
			d.fleet[i].places = d.fleet[i].places.Clone()
		}
	}
	return &c
}

// Bytes is what a clone costs: demand is shared.
func (s *avalanche) Bytes() int {
	n := 3000
	for k := range s.defences {
		d := &s.defences[k]
		n += d.reader.Size() + d.two.Size() + d.redis.Size() + 40*len(s.demand) + 4*len(d.joined) + 48*len(d.pages.All)
		n += d.guard.Size() + d.ladder.Size() + d.pool.bytes() + 2000
		for i := range d.fleet[:s.most] {
			n += d.fleet[i].places.Size() + 200
		}
	}
	return n
}
