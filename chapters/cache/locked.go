package cache

import "sync"

// LockedConfig describes a Locked.
type LockedConfig[K comparable] struct {
	Cache  Config[K]
	Shards int // 1..MaxShards, a power of two, at most Capacity; 0 means 1
}

// MaxShards bounds the shards of a Locked.
const MaxShards = 1 << 12

// Locked is a Cache for many goroutines: shards by hash, each behind a mutex of its own. A hit moves an entry in a list, so that a
// reader needs the lock as a writer does. More shards are less waiting. But each evicts for itself, and one whose keys happen to be
// the hot ones evicts while others have room for what is cold: keep some hundred entries a shard.
type Locked[K comparable, V any] struct {
	shards []shard[K, V]
	hash   Hash[K]
	seed   uint64
	clock  func() int64
}

type shard[K comparable, V any] struct {
	mu    sync.Mutex
	cache Cache[K, V]
	_     [64]byte // so that two mutexes are not in one line of the processor's cache
}

// ShardsError says that a number of shards is no power of two.
type ShardsError struct{ Shards int }

// Error says it in one line.
func (e *ShardsError) Error() string {
	return (&RangeError{Field: "shards", Got: int64(e.Shards), Min: 1, Max: MaxShards, Unit: "powers of two"}).Error()
}

// NewLocked returns a *RangeError for a field out of range, a *ShardsError for shards that are no power of two, and a *HashError
// when keys need a Hash. clock returns nanoseconds and may be nil when only the methods with At are used; a server passes
// time.Since of a fixed start, which is monotonic.
func NewLocked[K comparable, V any](cfg LockedConfig[K], clock func() int64) (*Locked[K, V], error) {
	if cfg.Shards == 0 {
		cfg.Shards = 1
	}
	whole, err := New[K, V](cfg.Cache)
	if err = firstOf(err, within("shards", int64(cfg.Shards), 1, min(MaxShards, int64(cfg.Cache.Capacity)), "")); err != nil {
		return nil, err
	}
	if cfg.Shards&(cfg.Shards-1) != 0 {
		return nil, &ShardsError{cfg.Shards}
	}
	l := &Locked[K, V]{shards: make([]shard[K, V], cfg.Shards), hash: whole.hash, seed: cfg.Cache.Seed, clock: clock}
	all := cfg.Cache.Capacity
	for i := range l.shards {
		part := cfg.Cache
		part.Capacity = all / (cfg.Shards - i)
		all -= part.Capacity
		l.shards[i].cache, _ = New[K, V](part) // as the whole was
	}
	return l, nil
}

// of is the shard of a hash. Its lower bits say, since a shard's table goes by the upper ones.
func (l *Locked[K, V]) of(h uint64) *shard[K, V] { return &l.shards[h&uint64(len(l.shards)-1)] }

// Get returns the value of a key, by the clock.
func (l *Locked[K, V]) Get(key K) (V, bool) { return l.GetAt(l.clock(), key) }

// GetAt is Cache.GetAt.
func (l *Locked[K, V]) GetAt(now int64, key K) (V, bool) {
	h := l.hash(l.seed, key)
	s := l.of(h)
	s.mu.Lock()
	value, ok := s.cache.get(h, now, key)
	s.mu.Unlock() // not deferred: nothing here panics but a Hash, which has been called
	return value, ok
}

// Set keeps a value for ttl ns, by the clock.
func (l *Locked[K, V]) Set(key K, value V, ttl int64) (evicted K, did bool) {
	return l.SetAt(l.clock(), key, value, ttl)
}

// SetAt is Cache.SetAt.
func (l *Locked[K, V]) SetAt(now int64, key K, value V, ttl int64) (evicted K, did bool) {
	h := l.hash(l.seed, key)
	s := l.of(h)
	s.mu.Lock()
	evicted, did = s.cache.set(h, now, key, value, ttl)
	s.mu.Unlock()
	return evicted, did
}

// Delete is Cache.Delete.
func (l *Locked[K, V]) Delete(key K) bool {
	s := l.of(l.hash(l.seed, key))
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cache.Delete(key)
}

// SweepAt is Cache.SweepAt, n places in each shard.
func (l *Locked[K, V]) SweepAt(now int64, n int) int {
	freed := 0
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		freed += s.cache.SweepAt(now, n)
		s.mu.Unlock()
	}
	return freed
}

// Len is how many entries there are; while others set it is what was there at some moments.
func (l *Locked[K, V]) Len() int {
	total := 0
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		total += s.cache.Len()
		s.mu.Unlock()
	}
	return total
}
