package cache

// FlightsConfig describes Flights.
type FlightsConfig[K comparable] struct {
	Timeout int64   // ns after which a flight that has not landed no longer keeps others from taking off, 1..MaxDuration
	Most    int     // most flights in the air at once, over all keys, 1..MaxFlights; 0 means MaxFlights
	Hash    Hash[K] // of keys; nil means ours, for strings and integers
	Seed    uint64  // of hashes
}

// MaxFlights bounds the flights in the air.
const MaxFlights = 1 << 20

// Flight is one load of one key. The zero value is no flight.
type Flight[K comparable] struct {
	Key    K
	Number uint64 // from 1 up; no number comes twice
}

// Boarding is the answer to one who needs a key.
type Boarding uint8

// The answers.
const (
	Lead Boarding = iota // take off: this caller loads
	Wait                 // somebody else's load is in the air
	Full                 // as many as may be are in the air, of other keys: come back later
)

var boardings = [...]string{"lead", "wait", "full"}

// String is the answer in words.
func (b Boarding) String() string { return nameOf(boardings[:], uint8(b)) }

// Flights lets one caller at a time load a key, and says of each result whether it still counts.
//
//   - In a process it is single flight: the first who misses loads, the others wait for what it brings.
//   - In a cache that many processes share it is memcache's lease: a miss hands out a token, at most one a key in each Timeout
//     (Facebook had 10 seconds), a deletion voids it, and only a token that is valid may set. So no reader can put back what it read
//     before a write.
//
// A leader that never comes back is waited for until Timeout, no longer; whoever asks then leads. Should the first still land it
// lands in vain. Forget does the same at once. No flight can end another's, since each has its number.
//
// One goroutine's. O(1) each. The zero value lets nobody take off: Full.
//
// Source: Nishtala et al., "Scaling Memcache at Facebook" (NSDI 2013), section 3.2.1.
type Flights[K comparable] struct {
	dict[K, flight]
	time    flow
	timeout int64
	most    int
	last    uint64
	hand    int
}

// flight is the one in the air for a key; until when is in its link.
type flight struct {
	number uint64
	began  int64
}

// NewFlights returns a *RangeError for a field out of range, and a *HashError when keys need a Hash.
func NewFlights[K comparable](cfg FlightsConfig[K]) (Flights[K], error) {
	if cfg.Most == 0 {
		cfg.Most = MaxFlights
	}
	hash, noHash := hashOf(cfg.Hash)
	err := firstOf(
		within("timeout", cfg.Timeout, 1, MaxDuration, "ns"),
		within("flights", int64(cfg.Most), 1, MaxFlights, ""),
		noHash,
	)
	if err != nil {
		return Flights[K]{}, err
	}
	return Flights[K]{dict: dict[K, flight]{hash: hash, seed: cfg.Seed}, timeout: cfg.Timeout, most: cfg.Most}, nil
}

// BoardAt asks to load a key. With Lead comes a new flight; with Wait comes the one in the air.
func (f *Flights[K]) BoardAt(now int64, key K) (Flight[K], Boarding) {
	if f.most == 0 {
		return Flight[K]{}, Full
	}
	now = f.time.clamp(now)
	h := f.hash(f.seed, key)
	i := f.find(h, key)
	switch {
	case i != 0 && !over(f.links[i].expires, now):
		return Flight[K]{key, f.nodes[i].value.number}, Wait
	case i == 0 && f.len() == f.most && !f.clear(now):
		return Flight[K]{}, Full
	case i == 0:
		i = f.put(h, key, flight{})
	}
	f.last++
	f.nodes[i].value = flight{number: f.last, began: now}
	f.links[i].expires = later(now, f.timeout)
	return Flight[K]{key, f.last}, Lead
}

// clear makes room by giving up a flight whose time is over, if it finds one among the next few.
func (f *Flights[K]) clear(now int64) bool {
	const look = 64
	for range min(look, len(f.links)-heads) {
		if f.hand = max(f.hand+1, heads); f.hand == len(f.links) {
			f.hand = heads
		}
		if l := &f.links[f.hand]; l.used && over(l.expires, now) {
			f.take(int32(f.hand))
			return true
		}
	}
	return false
}

// LandAt ends a flight. ok says that it was the one in the air for its key: what it brings may be kept. It is not when the flight has
// landed before, was overtaken after its time, or was forgotten. took is how long it was in the air.
func (f *Flights[K]) LandAt(now int64, fl Flight[K]) (took int64, ok bool) {
	if f.most == 0 {
		return 0, false
	}
	now = f.time.clamp(now)
	i := f.find(f.hash(f.seed, fl.Key), fl.Key)
	if i == 0 || f.nodes[i].value.number != fl.Number {
		return 0, false
	}
	took = since(f.nodes[i].value.began, now)
	f.take(i)
	return took, true
}

// Forget makes the flight of a key, if there is one, land in vain: the key has been written, and what is being loaded may be older.
// Who asks from now on leads a new one.
func (f *Flights[K]) Forget(key K) bool {
	if f.most == 0 {
		return false
	}
	i := f.find(f.hash(f.seed, key), key)
	if i == 0 {
		return false
	}
	f.take(i)
	return true
}

// EndsAt is when a flight stops keeping others from taking off; false when it is not in the air.
func (f *Flights[K]) EndsAt(fl Flight[K]) (int64, bool) {
	if f.most == 0 {
		return 0, false
	}
	i := f.find(f.hash(f.seed, fl.Key), fl.Key)
	if i == 0 || f.nodes[i].value.number != fl.Number {
		return 0, false
	}
	return f.links[i].expires, true
}

// Len is how many flights are in the air.
func (f *Flights[K]) Len() int { return f.len() }

// Clone returns an independent copy.
func (f *Flights[K]) Clone() Flights[K] {
	c := *f
	c.dict = f.clone()
	return c
}

// Size is how many bytes of state there are now beside keys.
func (f *Flights[K]) Size() int { return f.size() + 16*len(f.nodes) }
