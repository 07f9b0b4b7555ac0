package cache

// Config describes a Cache.
type Config[K comparable] struct {
	Capacity int     // most entries, 1..MaxCapacity
	Policy   Policy  // who leaves when it is full
	Hash     Hash[K] // of keys; nil means ours, for strings and integers
	Seed     uint64  // of hashes and of the policy's chances; give each process a secret one where strangers choose the keys

	Redis   Logarithm // RedisLFU: how uses are counted; the zero value means factor 10, decay 1, in minutes
	Samples int       // RedisLFU: slots looked at for each eviction, 1..64; 0 means 5
	Window  int64     // WTinyLFU: share of the window, 1..1,000,000 ppm; 0 means 10,000, which is 1 %; at least one entry
}

// Cache is a bounded map from keys to values that evicts by a policy and forgets by time.
//
// Each of its methods takes O(1), amortised over the growth of its tables, which stops at Capacity. A hit allocates nothing. Beside
// keys and values an entry takes 32 bytes, 16 to 32 to be found by, and for WTinyLFU 8 to 16 in the sketch. Strangers who know the
// seed can choose keys that make look-ups slow.
//
// One goroutine's; Locked is for many. The zero value holds nothing and finds nothing.
type Cache[K comparable, V any] struct {
	dict[K, V]
	policy   policy
	capacity int
	time     flow
	hand     int
}

// New returns a *RangeError for a field out of range, and a *HashError when keys need a Hash.
func New[K comparable, V any](cfg Config[K]) (Cache[K, V], error) {
	if cfg.Redis == (Logarithm{}) {
		cfg.Redis = Logarithm{Factor: 10, Decay: 1}
	}
	if cfg.Samples == 0 {
		cfg.Samples = 5
	}
	if cfg.Window == 0 {
		cfg.Window = million / 100
	}
	hash, noHash := hashOf(cfg.Hash)
	err := firstOf(
		within("capacity", int64(cfg.Capacity), 1, MaxCapacity, "entries"),
		within("policy", int64(cfg.Policy), 0, int64(len(policies)-1), ""),
		cfg.Redis.check(),
		within("samples", int64(cfg.Samples), 1, 64, ""),
		within("window", cfg.Window, 1, million, "ppm"),
		noHash,
	)
	if err != nil {
		return Cache[K, V]{}, err
	}
	return Cache[K, V]{dict: dict[K, V]{hash: hash, seed: cfg.Seed}, policy: newPolicy(cfg), capacity: cfg.Capacity}, nil
}

func newPolicy[K comparable](cfg Config[K]) policy {
	switch cfg.Policy {
	case LFU:
		return &lfu{}
	case RedisLFU:
		return &redisLFU{log: cfg.Redis, samples: cfg.Samples, random: stream(cfg.Seed)}
	case WTinyLFU:
		window := max(1, int(share(int64(cfg.Capacity), cfg.Window)))
		protected := int(share(int64(cfg.Capacity-window), 800_000))
		return &tinyLFU{sketch: newSketch(cfg.Capacity), random: stream(cfg.Seed), window: window, protected: protected}
	}
	return lru{}
}

// GetAt returns the value of a key, and counts as a use of it.
func (c *Cache[K, V]) GetAt(now int64, key K) (value V, ok bool) {
	if c.capacity == 0 {
		return value, false
	}
	return c.get(c.hash(c.seed, key), now, key)
}

func (c *Cache[K, V]) get(h uint64, now int64, key K) (value V, ok bool) {
	now = c.time.clamp(now)
	i := c.find(h, key)
	if i == 0 {
		return value, false
	}
	if over(c.links[i].expires, now) {
		c.drop(i)
		return value, false
	}
	c.policy.hit(c.links, now, i)
	return c.nodes[i].value, true
}

// over reports whether an entry has expired.
func over(expires, now int64) bool { return now >= expires && expires != Forever }

// PeekAt returns the value of a key and until when it is there, Forever if no time ends it. It changes nothing and is no use.
func (c *Cache[K, V]) PeekAt(now int64, key K) (value V, expires int64, ok bool) {
	if c.capacity == 0 {
		return value, 0, false
	}
	if c.time.begun {
		now = max(now, c.time.newest)
	}
	i := c.find(c.hash(c.seed, key), key)
	if i == 0 || over(c.links[i].expires, now) {
		return value, 0, false
	}
	return c.nodes[i].value, c.links[i].expires, true
}

// FrequencyAt is how often the policy believes that a key is used: for LFU its uses since it came, for RedisLFU its counter,
// 0..LogMost, for WTinyLFU what the sketch estimates, 0..15, and for LRU, which does not ask, 0. False when the key is not there.
// It changes nothing.
func (c *Cache[K, V]) FrequencyAt(now int64, key K) (int64, bool) {
	if _, _, ok := c.PeekAt(now, key); !ok {
		return 0, false
	}
	if c.time.begun {
		now = max(now, c.time.newest)
	}
	return c.policy.frequency(c.links, now, c.find(c.hash(c.seed, key), key)), true
}

// SetAt keeps a value for ttl ns; 0 means until it is evicted, and below 0 that it is over already: then the key is gone. Setting a
// key that is there counts as a use of it. When a new one comes into a full cache somebody leaves; its key is returned unless it
// was over anyway.
func (c *Cache[K, V]) SetAt(now int64, key K, value V, ttl int64) (evicted K, did bool) {
	if c.capacity == 0 {
		return evicted, false
	}
	return c.set(c.hash(c.seed, key), now, key, value, ttl)
}

func (c *Cache[K, V]) set(h uint64, now int64, key K, value V, ttl int64) (evicted K, did bool) {
	now = c.time.clamp(now)
	i := c.find(h, key)
	expires := int64(Forever)
	switch {
	case ttl < 0:
		if i != 0 {
			c.drop(i)
		}
		return evicted, false
	case ttl > 0:
		expires = later(now, ttl)
	}
	if i != 0 && over(c.links[i].expires, now) {
		c.drop(i) // what is over has no past uses
		i = 0
	}
	if i != 0 {
		c.nodes[i].value = value
		c.links[i].expires = expires
		c.policy.hit(c.links, now, i)
		return evicted, false
	}
	if c.len() == c.capacity {
		out := c.policy.room(c.links, now)
		if did = !over(c.links[out].expires, now); did {
			evicted = c.nodes[out].key
		}
		c.drop(out)
	}
	i = c.put(h, key, value)
	c.links[i].expires = expires
	c.policy.add(c.links, now, i)
	return evicted, did
}

// Delete forgets a key, and reports whether it was there.
func (c *Cache[K, V]) Delete(key K) bool {
	if c.capacity == 0 {
		return false
	}
	i := c.find(c.hash(c.seed, key), key)
	if i == 0 {
		return false
	}
	c.drop(i)
	return true
}

func (c *Cache[K, V]) drop(i int32) {
	c.policy.drop(c.links, i)
	c.take(i)
}

// SweepAt looks at the next n places and frees those of entries that are over; it goes round and round. It returns how many it freed.
func (c *Cache[K, V]) SweepAt(now int64, n int) int {
	now = c.time.clamp(now)
	before := c.len()
	for range min(n, len(c.links)-heads) {
		if c.hand = max(c.hand+1, heads); c.hand == len(c.links) {
			c.hand = heads
		}
		if l := &c.links[c.hand]; l.used && over(l.expires, now) {
			c.drop(int32(c.hand))
		}
	}
	return before - c.len()
}

// Len is how many entries there are, those that are over and not yet noticed among them; 0..Capacity.
func (c *Cache[K, V]) Len() int { return c.len() }

// Capacity is how many there can be.
func (c *Cache[K, V]) Capacity() int { return c.capacity }

// Keys appends the keys that are there to dst, in no order that means anything, but the same in each run. O(n).
func (c *Cache[K, V]) Keys(dst []K) []K {
	for i := heads; i < len(c.links); i++ {
		if c.links[i].used {
			dst = append(dst, c.nodes[i].key)
		}
	}
	return dst
}

// Clone returns a copy that goes its own way; values are copied as by assignment. O(n).
func (c *Cache[K, V]) Clone() Cache[K, V] {
	out := *c
	if c.capacity > 0 {
		out.dict, out.policy = c.clone(), c.policy.clone()
	}
	return out
}

// Size is how many bytes of state there are now beside keys and values.
func (c *Cache[K, V]) Size() int {
	if c.capacity == 0 {
		return 0
	}
	return c.size() + c.policy.size()
}
