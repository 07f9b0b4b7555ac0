package cache

// ReadThroughConfig describes a ReadThrough.
type ReadThroughConfig[K comparable] struct {
	Cache    Config[K]
	TTL      int64 // ns for which a value is fresh, counted from its landing, 1..MaxDuration
	Jitter   int64 // parts in a million by which TTL and Negative are spread, 0..1,000,000
	Stale    int64 // ns for which a value may still be served after that, 0..MaxDuration; Forever is logical expiry
	Ahead    int64 // ns before its end from which a value is loaded anew, 0..TTL; 0 is no refresh-ahead
	Beta     int64 // XFetch: see Early; parts in a million, 0..100,000,000; 0 is none
	Negative int64 // ns for which "not there" is kept, 0..MaxDuration; 0 is not at all
	Retry    int64 // ns after a failed load before a value that is still served is loaded anew, 0..MaxDuration
	Timeout  int64 // ns after which a load is given up and another may lead, 1..MaxDuration
	Loads    int   // most loads at once, over all keys, 1..MaxFlights; 0 means MaxFlights
}

// ReadThrough is a cache with its loads. It loads nothing itself: it tells each caller what to do, and is told what came of it.
//
//	a := c.AskAt(now, key, random)
//	if a.Load { … load the key, then DoneAt, AbsentAt or FailAt with a.Flight … }
//	switch a.Verdict { case Found: serve a.Value; case Absent: …; case Missing: … wait for a.Flight unless a.Load … }
//
// What is promised:
//
//   - At most one load of a key counts at a time, whether it fills a gap or refreshes: each flight is asked for once.
//   - A value is served as fresh for TTL, give or take Jitter, then as stale for Stale while one load is under way, then not at
//     all. A load that fails changes nothing of that. So with Stale at Forever a value is always there, expired logically and never
//     physically: nobody waits once the key was loaded, and how old a value may be is bounded by nothing but the loads' success.
//   - A value is published and its flight landed in one step. Whoever asks later finds the value or a new flight, never a gap
//     between the two.
//   - After InvalidateAt nobody gets what was cached or being loaded before it, but for those who joined that load earlier.
//   - "Not there" is an answer, kept for Negative. It never comes from the outside: another key's absence says nothing.
//
// One goroutine's; package block shares it. O(1) each. The zero value finds nothing and lets nobody load: Refused.
type ReadThrough[K comparable, V any] struct {
	cache   Cache[K, item[V]]
	flights Flights[K]
	cfg     times
}

// times are the durations of a configuration.
type times struct{ ttl, jitter, stale, ahead, beta, negative, retry int64 }

// item is a value and its life. When it may no longer be served is its entry's expiry.
type item[V any] struct {
	value  V
	fresh  int64 // until when
	took   int64 // ns, the load
	retry  int64 // no refresh before this instant
	absent bool
}

// NewReadThrough returns a *RangeError for a field out of range, and a *HashError when keys need a Hash.
func NewReadThrough[K comparable, V any](cfg ReadThroughConfig[K]) (ReadThrough[K, V], error) {
	err := firstOf(
		within("ttl", cfg.TTL, 1, MaxDuration, "ns"),
		within("jitter", cfg.Jitter, 0, million, "ppm"),
		within("ahead", cfg.Ahead, 0, cfg.TTL, "ns"),
		within("beta", cfg.Beta, 0, 100*million, "ppm"),
		within("negative", cfg.Negative, 0, MaxDuration, "ns"),
		within("retry", cfg.Retry, 0, MaxDuration, "ns"),
	)
	if cfg.Stale != Forever {
		err = firstOf(err, within("stale", cfg.Stale, 0, MaxDuration, "ns"))
	}
	flights, noFlights := NewFlights(FlightsConfig[K]{Timeout: cfg.Timeout, Most: cfg.Loads, Hash: cfg.Cache.Hash, Seed: cfg.Cache.Seed})
	store, noStore := New[K, item[V]](cfg.Cache)
	if err = firstOf(noStore, err, noFlights); err != nil {
		return ReadThrough[K, V]{}, err
	}
	return ReadThrough[K, V]{
		cache:   store,
		flights: flights,
		cfg:     times{cfg.TTL, cfg.Jitter, cfg.Stale, cfg.Ahead, cfg.Beta, cfg.Negative, cfg.Retry},
	}, nil
}

// Verdict is what there is to serve.
type Verdict uint8

// The verdicts.
const (
	Missing Verdict = iota // nothing: load, or wait for who does
	Found                  // a value
	Absent                 // the store has said that there is none
	Refused                // nothing, and too many loads are under way: come back later
)

var verdicts = [...]string{"missing", "found", "absent", "refused"}

// String is the verdict in words.
func (v Verdict) String() string { return nameOf(verdicts[:], uint8(v)) }

// Answer is what one caller is told.
type Answer[K comparable, V any] struct {
	Verdict Verdict
	Stale   bool      // Found: beyond its time to live
	Load    bool      // this caller is to load the key, and to report to DoneAt, AbsentAt or FailAt
	Value   V         // Found
	Flight  Flight[K] // with Load, the caller's own; when Missing without Load, the one to wait for
}

// AskAt looks a key up. It draws from r only with Beta, and then near the end of a value's life; r may be nil without.
func (c *ReadThrough[K, V]) AskAt(now int64, key K, r Source) Answer[K, V] {
	it, ok := c.cache.GetAt(now, key)
	if !ok {
		return c.board(now, key)
	}
	if it.absent {
		return Answer[K, V]{Verdict: Absent}
	}
	a := Answer[K, V]{Verdict: Found, Value: it.value}
	now = c.cache.time.newest
	a.Stale = now >= it.fresh
	due := a.Stale || since(now, it.fresh) <= c.cfg.ahead || Early(now, it.fresh, it.took, c.cfg.beta, r)
	if due && now >= it.retry {
		if f, boarding := c.flights.BoardAt(now, key); boarding == Lead {
			a.Load, a.Flight = true, f
		}
	}
	return a
}

// board is the answer when there is nothing to serve.
func (c *ReadThrough[K, V]) board(now int64, key K) Answer[K, V] {
	f, boarding := c.flights.BoardAt(now, key)
	if boarding == Full {
		return Answer[K, V]{Verdict: Refused}
	}
	return Answer[K, V]{Verdict: Missing, Load: boarding == Lead, Flight: f}
}

// DoneAt ends a flight with a value. It reports whether the value was kept; it is not when the flight no longer counted.
func (c *ReadThrough[K, V]) DoneAt(now int64, f Flight[K], value V, r Source) bool {
	return c.done(now, f, value, Forever, r)
}

// done is DoneAt for a value that is fresh for most ns at most.
func (c *ReadThrough[K, V]) done(now int64, f Flight[K], value V, most int64, r Source) bool {
	took, ok := c.flights.LandAt(now, f)
	if ok {
		c.keep(now, f.Key, item[V]{value: value, took: took}, min(Jitter(c.cfg.ttl, c.cfg.jitter, r), most))
	}
	return ok
}

// keep stores a value that is fresh for ttl ns, and a stale copy for longer.
func (c *ReadThrough[K, V]) keep(now int64, key K, it item[V], ttl int64) {
	it.fresh = later(c.cache.time.clamp(now), ttl)
	it.retry = minInt64
	hard := later(ttl, c.cfg.stale)
	if c.cfg.stale == Forever {
		hard = 0
	}
	c.cache.SetAt(now, key, it, hard)
}

// AbsentAt ends a flight with the news that the store has no such key. A value that was there goes.
func (c *ReadThrough[K, V]) AbsentAt(now int64, f Flight[K], r Source) bool {
	return c.absent(now, f, Forever, r)
}

func (c *ReadThrough[K, V]) absent(now int64, f Flight[K], most int64, r Source) bool {
	_, ok := c.flights.LandAt(now, f)
	if !ok {
		return false
	}
	if ttl := min(Jitter(c.cfg.negative, c.cfg.jitter, r), most); ttl > 0 {
		c.cache.SetAt(now, f.Key, item[V]{absent: true}, ttl)
	} else {
		c.cache.Delete(f.Key)
	}
	return true
}

// FailAt ends a flight without an answer. What is cached stays, until its time; another load is asked for after Retry at the
// earliest.
func (c *ReadThrough[K, V]) FailAt(now int64, f Flight[K]) bool {
	_, ok := c.flights.LandAt(now, f)
	if !ok {
		return false
	}
	if i := c.cache.find(c.cache.hash(c.cache.seed, f.Key), f.Key); i != 0 {
		c.cache.nodes[i].value.retry = later(c.cache.time.clamp(now), c.cfg.retry)
	}
	return true
}

// PutAt keeps a value that the caller has just written to the store. A load that is under way may have read before: it will land in
// vain.
func (c *ReadThrough[K, V]) PutAt(now int64, key K, value V, r Source) {
	if c.cache.capacity == 0 {
		return
	}
	c.flights.Forget(key)
	c.keep(now, key, item[V]{value: value}, Jitter(c.cfg.ttl, c.cfg.jitter, r))
}

// Invalidate forgets a key that has been written: the value, the absence, and the load that is under way. It reports whether there
// was any.
func (c *ReadThrough[K, V]) Invalidate(key K) bool {
	loading := c.flights.Forget(key)
	return c.cache.Delete(key) || loading
}

// OutdateAt is Invalidate for those who would rather serve the old value than wait: it becomes stale now, and is served for Stale
// more while the next caller loads. An absence goes.
func (c *ReadThrough[K, V]) OutdateAt(now int64, key K) bool {
	if c.cache.capacity == 0 {
		return false
	}
	c.flights.Forget(key)
	now = c.cache.time.clamp(now)
	i := c.cache.find(c.cache.hash(c.cache.seed, key), key)
	if i == 0 {
		return false
	}
	it, expires := &c.cache.nodes[i].value, &c.cache.links[i].expires
	if it.absent || c.cfg.stale == 0 || over(*expires, now) {
		c.cache.drop(i)
		return true
	}
	it.fresh, it.retry = min(it.fresh, now), minInt64
	if c.cfg.stale != Forever {
		*expires = min(*expires, later(now, c.cfg.stale))
	}
	return true
}

// EndsAt is when a flight is given up; false when it is not in the air. Who waits for it asks again then.
func (c *ReadThrough[K, V]) EndsAt(f Flight[K]) (int64, bool) { return c.flights.EndsAt(f) }

// Len is how many keys are cached, and loading for how many a load is under way.
func (c *ReadThrough[K, V]) Len() (cached, loading int) { return c.cache.Len(), c.flights.Len() }

// Clone returns a copy that goes its own way; values are copied as by assignment.
func (c *ReadThrough[K, V]) Clone() ReadThrough[K, V] {
	return ReadThrough[K, V]{c.cache.Clone(), c.flights.Clone(), c.cfg}
}

// Size is how many bytes of state there are now beside keys and values.
func (c *ReadThrough[K, V]) Size() int {
	return c.cache.Size() + c.flights.Size() + 32*len(c.cache.nodes)
}
