package hotkey

import "math/bits"

// LFUConfig describes an LFU.
type LFUConfig struct {
	Keys   int    // most keys that are held, 1..MaxKeys
	Factor int64  // lfu-log-factor, 0..1_000_000; Redis has 10
	Decay  int64  // ns of idleness for which 1 is taken off, 0..MaxDuration; 0: never; lfu-decay-time in minutes, of which Redis has 1
	Unit   int64  // ns from one turn to the next of the clock that tells idleness, 0..Decay; 0: Decay; a minute in Redis
	Seed   uint64 // of chance
}

// LFU is what a Redis with an LFU policy knows of its keys: 8 bits that grow with the logarithm of the uses, by a chance of
// 1 ÷ (max(c−5, 0) × Factor + 1), and lose 1 for each Decay of idleness. Idle are the turns of a clock since the last use, not the time itself:
// with a Decay of one Unit a key loses 1 at each turn though it is in use all the time, and with two it loses none as long as it is used
// in every other.
//
// redis-cli --hotkeys scans all of them and keeps the 16 highest. So it costs a pass over everything, tells hot from cold only to the
// order of magnitude (with a factor of 10: 10 after a hundred uses, 142 after a hundred thousand, 255 from a million on), and does so only
// under an LFU policy: under LRU the same bits hold a time.
//
// When it is full, a new key takes the place of the lowest of five that chance chooses.
//
// Source: redis/redis, src/evict.c (LFULogIncr, LFUDecrAndReturn) and src/redis-cli.c (findHotKeys). AddAt is O(1), TopAt about O(keys).
type LFU struct {
	cfg    LFUConfig
	random stream
	now    int64 // newest instant seen
	begun  bool
	keys   []used
	index  index
}

type used struct {
	id    uint64
	at    int64 // of the last use
	count uint8
}

const (
	lfuStart  = 5 // of a new key, so that it is not the first to leave
	lfuMost   = 255
	lfuSample = 5
)

// NewLFU returns a *RangeError for a field out of range.
func NewLFU(cfg LFUConfig) (LFU, error) {
	err := firstOf(
		within("keys", int64(cfg.Keys), 1, MaxKeys, ""),
		within("log factor", cfg.Factor, 0, 1_000_000, ""),
		within("decay", cfg.Decay, 0, MaxDuration, "ns"),
		within("unit", cfg.Unit, 0, cfg.Decay, "ns"))
	if err != nil {
		return LFU{}, err
	}
	if cfg.Unit == 0 {
		cfg.Unit = cfg.Decay
	}
	return LFU{cfg: cfg, random: stream(cfg.Seed), index: newIndex(cfg.Keys)}, nil
}

// AddAt counts one use. It is true: the last key is always held.
func (l *LFU) AddAt(now int64, id uint64) bool {
	if l.cfg.Keys == 0 {
		return false
	}
	l.tell(now)
	i, ok := l.index.find(id)
	if !ok {
		l.hold(used{id, l.now, lfuStart})
		return true
	}
	u := &l.keys[i]
	u.count = l.countOf(*u)
	if u.count < lfuMost && l.below(max(0, int64(u.count)-lfuStart)*l.cfg.Factor+1) == 0 {
		u.count++
	}
	u.at = l.now
	return true
}

func (l *LFU) tell(now int64) {
	if !l.begun || now > l.now {
		l.begun, l.now = true, now
	}
}

// below is one of 0..n−1, by chance.
func (l *LFU) below(n int64) int64 {
	hi, _ := bits.Mul64(l.random.next(), uint64(n))
	return int64(hi)
}

// hold finds a place for a new key.
func (l *LFU) hold(u used) {
	i := len(l.keys)
	if i < l.cfg.Keys {
		l.keys = append(l.keys, u)
	} else {
		i = int(l.below(int64(len(l.keys))))
		for range lfuSample - 1 {
			if j := int(l.below(int64(len(l.keys)))); l.countOf(l.keys[j]) < l.countOf(l.keys[i]) {
				i = j
			}
		}
		l.index.drop(l.keys[i].id)
		l.keys[i] = u
	}
	l.index.put(u.id, i)
}

// countOf takes off what idleness costs; asking changes nothing.
func (l *LFU) countOf(u used) uint8 {
	if l.cfg.Decay == 0 {
		return u.count
	}
	idle := since(floorDiv(u.at, l.cfg.Unit), floorDiv(l.now, l.cfg.Unit))
	return u.count - uint8(min(int64(u.count), idle/(l.cfg.Decay/l.cfg.Unit)))
}

// FreqAt is the counter of a key, 0..255, as OBJECT FREQ tells it, and false when the key is not held.
func (l *LFU) FreqAt(now int64, id uint64) (uint8, bool) {
	l.tell(now)
	i, ok := l.index.find(id)
	if !ok {
		return 0, false
	}
	return l.countOf(l.keys[i]), true
}

// TopAt scans all keys for the k with the highest counters. N is the counter, not a number of uses.
func (l *LFU) TopAt(now int64, k int) []Count {
	l.tell(now)
	out := make([]Count, 0, len(l.keys))
	for _, u := range l.keys {
		out = append(out, Count{ID: u.id, N: int64(l.countOf(u))})
	}
	return sorted(out, k)
}

// Clone returns an independent copy.
func (l *LFU) Clone() LFU {
	c := *l
	c.keys = append([]used(nil), l.keys...)
	c.index = l.index.clone()
	return c
}

// Copy is Clone behind the interface.
func (l *LFU) Copy() Detector { c := l.Clone(); return &c }

// Size is 24 bytes a key, 16 a slot of its index, and 24 for chance and the time.
func (l *LFU) Size() int { return 24*len(l.keys) + l.index.size() + 24 }
