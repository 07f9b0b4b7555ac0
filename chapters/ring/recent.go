package ring

import (
	"math/bits"
	"slices"

	"seedbed/chapters/hashing"
)

// MaxRecentKeys bounds what a Recent can remember: 12 bytes and up to as many again for each key.
const MaxRecentKeys = 1 << 22

// RecentConfig describes a Recent.
type RecentConfig struct {
	MaxKeys int   // most keys remembered, 1..MaxRecentKeys
	Half    int64 // ns after which a use counts half, ≥ 1; 0 means 5 minutes
}

// Recent counts how often keys were used, with what is long past counting less: every Half all counts are halved. It tells which keys
// a shadow copy should hold: the frequent ones, and not those that merely were used last, which a single scan would replace.
//
// Keys are known by their 64-bit hash. When MaxKeys are remembered and another comes, everything is halved early and what falls to 0 is
// forgotten, until there is room. An instant older than one seen counts as that one.
//
// One goroutine's; flat. Touch: O(1) amortised, no allocation once grown. The zero value forgets everything.
type Recent struct {
	max   int
	half  int64
	begun bool
	now   int64
	turn  int64 // instant of the next halving
	slots []usage
	spare []usage // the other table of a halving; empty slots only
	used  int
}

// usage is a key's slot; count 0 is an empty one.
type usage struct {
	hash  uint64
	count uint32
}

// NewRecent returns a *RangeError for a field out of range.
func NewRecent(cfg RecentConfig) (Recent, error) {
	if err := within("keys", int64(cfg.MaxKeys), 1, MaxRecentKeys); err != nil {
		return Recent{}, err
	}
	if cfg.Half == 0 {
		cfg.Half = 300_000_000_000
	}
	if err := within("half in ns", cfg.Half, 1, 1<<63-1); err != nil {
		return Recent{}, err
	}
	return Recent{max: cfg.MaxKeys, half: cfg.Half}, nil
}

// TouchAt counts one use of a key.
func (r *Recent) TouchAt(now int64, h uint64) {
	if r.max == 0 {
		return
	}
	r.age(now)
	if i, found := r.find(h); found {
		if r.slots[i].count < 1<<32-1 {
			r.slots[i].count++
		}
		return
	}
	for r.used >= r.max {
		r.halve(len(r.slots), 1)
	}
	if 4*(r.used+1) > 3*len(r.slots) {
		r.halve(max(16, 2*len(r.slots)), 0)
	}
	i, _ := r.find(h)
	r.slots[i] = usage{h, 1}
	r.used++
}

// age halves as often as time says.
func (r *Recent) age(now int64) {
	if !r.begun {
		r.begun, r.now, r.turn = true, now, later(now, r.half)
	}
	r.now = max(r.now, now)
	if r.now < r.turn {
		return
	}
	// After 32 halvings nothing is left, however long it was.
	times := min(uint64(r.now)-uint64(r.turn), 1<<62)/uint64(r.half) + 1
	r.halve(len(r.slots), int(min(times, 32)))
	r.turn = later(r.turn, int64(min(times, uint64(1<<63-1)/uint64(r.half)))*r.half)
}

// halve moves what is left after some halvings to a table of the given size, a power of two that holds it.
func (r *Recent) halve(size, times int) {
	if len(r.spare) != size {
		r.spare = make([]usage, size)
	}
	old := r.slots
	r.slots, r.used = r.spare, 0
	for i, u := range old {
		old[i] = usage{}
		if u.count >>= times; u.count > 0 {
			to, _ := r.find(u.hash)
			r.slots[to] = u
			r.used++
		}
	}
	r.spare = old
}

// find returns a key's slot, or the empty one where it would go.
func (r *Recent) find(h uint64) (int, bool) {
	if len(r.slots) == 0 {
		return 0, false
	}
	// Mixed, since the keys of one arc share their top bits, and ketama's hashes have no low ones.
	mask := len(r.slots) - 1
	for i := int(hashing.Mix64(h)) & mask; ; i = (i + 1) & mask {
		if u := r.slots[i]; u.count == 0 || u.hash == h {
			return i, u.count > 0
		}
	}
}

// Len is how many keys are remembered, 0..MaxKeys.
func (r *Recent) Len() int { return r.used }

// CountAt is how often a key was used recently: a use counts half after each Half.
func (r *Recent) CountAt(now int64, h uint64) int64 {
	if r.max == 0 {
		return 0
	}
	r.age(now)
	if i, found := r.find(h); found {
		return int64(r.slots[i].count)
	}
	return 0
}

// TopAt appends the most frequent keys of those that keep selects, in ascending order of hash: share parts per million of them, rounded
// up. Of equally frequent ones the lower hash comes first. A nil keep selects all. O(n log n).
func (r *Recent) TopAt(now, share int64, keep func(h uint64) bool, dst []uint64) []uint64 {
	if r.max == 0 {
		return dst
	}
	r.age(now)
	var all []usage
	var counts []uint64
	for _, u := range r.slots {
		if u.count > 0 && (keep == nil || keep(u.hash)) {
			all, counts = append(all, u), append(counts, uint64(u.count))
		}
	}
	top := ceilShare(len(all), share)
	if top == 0 {
		return dst
	}
	// Those above the least frequent one that is taken are in, and of those as frequent as it the lowest hashes.
	slices.Sort(counts)
	counts = counts[len(counts)-top:]
	least := counts[0]
	begin := len(dst)
	var even []uint64
	for _, u := range all {
		switch count := uint64(u.count); {
		case count > least:
			dst = append(dst, u.hash)
		case count == least:
			even = append(even, u.hash)
		}
	}
	slices.Sort(even)
	dst = append(dst, even[:top-(len(dst)-begin)]...)
	slices.Sort(dst[begin:])
	return dst
}

// ceilShare is share parts per million of n, rounded up, within 0..n.
func ceilShare(n int, share int64) int {
	share = max(0, min(share, 1_000_000))
	hi, lo := bits.Mul64(uint64(n), uint64(share))
	lo, carry := bits.Add64(lo, 999_999, 0)
	q, _ := bits.Div64(hi+carry, lo, 1_000_000)
	return int(q)
}

// Clone returns an independent copy. O(slots).
func (r *Recent) Clone() Recent {
	c := *r
	c.slots, c.spare = slices.Clone(r.slots), nil
	return c
}

// Size is 16 bytes a slot, both tables.
func (r *Recent) Size() int { return 16 * (len(r.slots) + len(r.spare)) }
