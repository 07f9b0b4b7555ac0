package limiter

import "seedbed/chapters/hashing"

// MaxKeys bounds the keys of a Keyed.
const MaxKeys = 1 << 24

const (
	// A key lies in one of maxProbes neighbouring slots, so no choice of keys makes a decision slow. With at most half of the
	// slots used, a key of an honest hash finds no place there once in 10^10 times.
	maxProbes     = 128
	sweepPerKey   = 4  // slots that a new key looks through for old ones
	sweepWhenFull = 64 // and when without that there would be no room
	firstCapacity = 16
)

// State is a pointer to a plain limiter S of this package (or anybody's), as Keyed and LockedKeyed hold it: *TokenBucket for
// TokenBucket. Its ResetAfter must be 0 exactly when it is as new.
type State[S any] interface {
	*S
	Limiter
	Clone() S
	Size() int
}

// KeyedConfig describes a Keyed.
type KeyedConfig[S any] struct {
	New     S      // a fresh limiter; each key starts with a clone of it
	MaxKeys int    // most keys with a limiter of their own, 1..16,777,216, the constant MaxKeys
	Seed    uint64 // of the hash; give each process its own secret one where strangers choose the keys
}

// Keyed has one limiter for each key, such as a user or an address, in bounded memory.
//
// A key whose limiter is as new again is dropped: a fresh one would decide alike, so nothing is lost. New keys push that along, a
// few old ones each, and SweepAt does it for all. When MaxKeys keys are in use and none can be dropped, further keys share one
// more limiter, the crowd, until there is room; and a key that then gets its own starts with a copy of the crowd's state, which
// has counted whatever the key has taken. So no key ever gets more than its limit, however many keys come. What a new key may get
// in such times is less: it waits as the crowd does.
//
// Only a 64-bit hash of a key is kept. Two keys with the same hash share a limiter: never too much for either, and among a million
// keys it happens to one pair with a probability of 3 in 10^8.
//
// An instant older than the newest one seen by any key counts as that. O(1) a take, and never more than a few hundred slots looked
// at; growing the table is O(keys). Memory is 8 bytes a slot beside the limiter's own, at most 2·MaxKeys slots rounded up to a power
// of two. Strangers who know the seed can choose keys that land in one place; then they, and others from there, share the crowd's
// limiter, and no more can come of it.
type Keyed[S any, P State[S]] struct {
	fresh   S
	crowd   S
	max     int
	seed    uint64
	time    flow
	slots   []slot[S] // power of two; linear probing; hash 0 is empty
	used    int
	hand    int  // where the next sweep goes on
	frozen  bool // the table could not grow, because of keys chosen to collide
	crowded int64
}

type slot[S any] struct {
	hash  uint64
	state S
}

// NewKeyed returns a *RangeError for a field out of range. The type argument follows from the configuration:
// NewKeyed(KeyedConfig[TokenBucket]{…}).
func NewKeyed[S any, P State[S]](cfg KeyedConfig[S]) (Keyed[S, P], error) {
	if err := within("keys", int64(cfg.MaxKeys), 1, MaxKeys, ""); err != nil {
		return Keyed[S, P]{}, err
	}
	fresh := P(&cfg.New).Clone()
	return Keyed[S, P]{fresh: fresh, crowd: P(&fresh).Clone(), max: cfg.MaxKeys, seed: cfg.Seed}, nil
}

// TakeAt asks the limiter of key for n units.
func (k *Keyed[S, P]) TakeAt(key string, now, n int64) Decision {
	return k.take(hashing.Sum64String(k.seed, key), now, n)
}

// TakeIDAt is TakeAt for keys that are numbers already. Do not mix the two: a number and a string may share a limiter.
func (k *Keyed[S, P]) TakeIDAt(id uint64, now, n int64) Decision {
	return k.take(hashing.Mix64(id^k.seed), now, n)
}

func (k *Keyed[S, P]) take(hash uint64, now, n int64) Decision {
	if k.max == 0 {
		return Decision{OK: n == 0, RetryAfter: retryOnZero(n)}
	}
	if hash == 0 {
		hash = 1
	}
	at := k.time.clamp(now)
	i, found := k.find(hash)
	var d Decision
	switch {
	case found:
		d = P(&k.slots[i].state).TakeAt(at, n)
	case n <= 0:
		// A peek, or a request to be refused, needs no slot of its own.
		c := P(&k.crowd).Clone()
		d = P(&c).TakeAt(at, n)
	default:
		d = k.takeNew(hash, at, n)
	}
	return d.shifted(since(now, at))
}

// takeNew serves a key without a limiter: its own if there is room, else the crowd's.
func (k *Keyed[S, P]) takeNew(hash uint64, at, n int64) Decision {
	k.sweep(at, sweepPerKey)
	if k.used == k.max {
		k.sweep(at, sweepWhenFull)
	}
	if k.used == len(k.slots)/2 && k.used < k.max && !k.frozen {
		k.grow()
	}
	if k.used < k.max && k.used < len(k.slots)*3/4 {
		if i, ok := k.vacant(hash); ok {
			k.slots[i] = slot[S]{hash: hash, state: P(&k.crowd).Clone()}
			k.used++
			return P(&k.slots[i].state).TakeAt(at, n)
		}
	}
	k.crowded++
	return P(&k.crowd).TakeAt(at, n)
}

// find returns the slot of a key.
func (k *Keyed[S, P]) find(hash uint64) (int, bool) {
	mask := len(k.slots) - 1
	for i, probes := int(hash)&mask, 0; probes < min(maxProbes, len(k.slots)); i, probes = (i+1)&mask, probes+1 {
		switch k.slots[i].hash {
		case hash:
			return i, true
		case 0:
			return 0, false
		}
	}
	return 0, false
}

// vacant returns the slot in which a key would be found.
func (k *Keyed[S, P]) vacant(hash uint64) (int, bool) {
	mask := len(k.slots) - 1
	for i, probes := int(hash)&mask, 0; probes < min(maxProbes, len(k.slots)); i, probes = (i+1)&mask, probes+1 {
		if k.slots[i].hash == 0 {
			return i, true
		}
	}
	return 0, false
}

// grow doubles the table. A key that no longer finds a place near its home would be lost, and its use with it: then the table stays
// as it is, for good, since trying again would cost as much for nothing.
func (k *Keyed[S, P]) grow() {
	old := k.slots
	k.slots = make([]slot[S], max(firstCapacity, 2*len(old)))
	k.hand = 0
	if !k.refill(old) {
		k.slots, k.frozen = old, true
	}
}

func (k *Keyed[S, P]) refill(old []slot[S]) bool {
	for i := range old {
		if old[i].hash == 0 {
			continue
		}
		to, ok := k.vacant(old[i].hash)
		if !ok {
			return false
		}
		k.slots[to] = old[i]
	}
	return true
}

// SweepAt drops every key that is full again and returns how many were dropped. O(slots).
func (k *Keyed[S, P]) SweepAt(now int64) int {
	before := k.used
	k.hand = 0
	k.sweep(k.time.clamp(now), len(k.slots))
	return before - k.used
}

// sweep looks at some slots and drops the keys there that are full again.
func (k *Keyed[S, P]) sweep(at int64, slots int) {
	for range min(slots, len(k.slots)) {
		// After a drop another key may have moved here: look again.
		for k.slots[k.hand].hash != 0 && P(&k.slots[k.hand].state).TakeAt(at, 0).ResetAfter == 0 {
			k.drop(k.hand)
		}
		k.hand = (k.hand + 1) & (len(k.slots) - 1)
	}
}

// drop empties a slot and closes the gap, so that every key is still found by walking from its home.
func (k *Keyed[S, P]) drop(gap int) {
	mask := len(k.slots) - 1
	k.used--
	for i := (gap + 1) & mask; k.slots[i].hash != 0; i = (i + 1) & mask {
		// A key may move back to the gap unless that lies before its home.
		if home := int(k.slots[i].hash) & mask; (i-home)&mask >= (i-gap)&mask {
			k.slots[gap] = k.slots[i]
			gap = i
		}
	}
	k.slots[gap] = slot[S]{}
}

// Len is how many keys have a limiter of their own, 0..MaxKeys.
func (k *Keyed[S, P]) Len() int { return k.used }

// Crowded is how many requests so far went to the limiter that keys without room share. When it grows, MaxKeys is too small.
func (k *Keyed[S, P]) Crowded() int64 { return k.crowded }

// Clone returns an independent copy. O(slots).
func (k *Keyed[S, P]) Clone() Keyed[S, P] {
	c := *k
	c.fresh, c.crowd = P(&k.fresh).Clone(), P(&k.crowd).Clone()
	c.slots = make([]slot[S], len(k.slots))
	for i := range k.slots {
		if k.slots[i].hash != 0 {
			c.slots[i] = slot[S]{hash: k.slots[i].hash, state: P(&k.slots[i].state).Clone()}
		}
	}
	return c
}

// Size is 8 bytes a slot and the state of a limiter each, as the table has grown.
func (k *Keyed[S, P]) Size() int {
	total := P(&k.crowd).Size()
	empty := wordBytes + P(&k.fresh).Size()
	for i := range k.slots {
		if k.slots[i].hash == 0 {
			total += empty
		} else {
			total += wordBytes + P(&k.slots[i].state).Size()
		}
	}
	return total
}
