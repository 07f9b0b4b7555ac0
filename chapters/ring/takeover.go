package ring

import (
	"math/bits"
	"slices"

	"seedbed/chapters/hashing"
)

// TakeoverConfig describes a Takeover. Shares are parts per million.
type TakeoverConfig struct {
	First int64 // share of a failed member's keys that its heirs take at once, 1..1,000,000; 0 means 100,000
	Step  int64 // what is added to it with each step, 1..1,000,000; 0 means 100,000
	Every int64 // ns between steps, ≥ 1; 0 means 30 s
	Warm  int64 // share of its recently used keys that heirs warm up, the most frequent ones, 1..1,000,000; 0 means 100,000
}

// Takeover lets the heirs of failed members inherit step by step. When a member of a ring fails, its neighbours get all its keys in one
// instant, cold; if that is more than they can take they fail too, and their heirs get more still. So heirs first warm a shadow copy of
// its most frequent keys, and take a tenth of its keys, another tenth every 30 s: after 270 s all of them. Meanwhile the rest are
// answered from something old, or with an empty answer.
//
// The snapshot stays that of all members, failed ones included. So a key has its heir only while its home is down, and when the home
// returns exactly those keys come back. Which keys are taken first depends on their hash alone: a key that was taken stays so, and every
// client picks the same ones.
//
// Times are ns. State is one goroutine's and flat; 17 bytes a member and 8 for each warm key. The zero value has no members.
type Takeover struct {
	cfg      TakeoverConfig
	snapshot Snapshot
	down     []bool
	since    []int64    // when a member went down
	nth      []int64    // its place in the order of failures
	warm     [][]uint64 // by failed member, hashes ascending; written once, so that clones share them
	failed   int
	failures int64
	heirs    []int // room for the owners of a key
}

// Route is where a request for a key goes.
type Route struct {
	Home  int   // the member that owns the key; -1 when there are no members
	Heir  int   // the first of its owners that is up: Home while that is up; -1 when all are down
	Share int64 // how much of the home's keys the heir takes by now; 1,000,000 while the home is up
	Taken bool  // the heir serves this key; otherwise it is to be answered without an owner: old, or empty
	Warm  bool  // the heir has warmed this key
}

// NewTakeover starts with all members up. Errors are *RangeError.
func NewTakeover(cfg TakeoverConfig, s Snapshot) (Takeover, error) {
	const all = 1_000_000
	for _, f := range []struct {
		field     string
		at        *int64
		value, hi int64
	}{
		{"first in parts per million", &cfg.First, 100_000, all},
		{"step in parts per million", &cfg.Step, 100_000, all},
		{"every in ns", &cfg.Every, 30_000_000_000, 1<<63 - 1},
		{"warm in parts per million", &cfg.Warm, 100_000, all},
	} {
		if *f.at == 0 {
			*f.at = f.value
		}
		if err := within(f.field, *f.at, 1, f.hi); err != nil {
			return Takeover{}, err
		}
	}
	n := s.Len()
	return Takeover{cfg: cfg, snapshot: s, down: make([]bool, n), since: make([]int64, n), nth: make([]int64, n), warm: make([][]uint64, n)}, nil
}

// FailAt marks a member as down. Of the keys it served by now, those used most often recently are warmed by their heirs; recent may be
// nil, then none are. It returns how many, and false when the member was down already or does not exist.
func (t *Takeover) FailAt(now int64, member int, recent *Recent) (warmed int, ok bool) {
	if uint(member) >= uint(len(t.down)) || t.down[member] {
		return 0, false
	}
	if recent != nil {
		served := func(h uint64) bool { return t.chain(now, h).heir == member }
		t.warm[member] = recent.TopAt(now, t.cfg.Warm, served, nil)
	}
	t.failed++
	t.failures++
	t.down[member], t.since[member], t.nth[member] = true, now, t.failures
	return len(t.warm[member]), true
}

// ReturnAt marks a member as up again: from now on it serves its keys, and no others. It returns false when it was up or does not exist.
func (t *Takeover) ReturnAt(_ int64, member int) bool {
	if uint(member) >= uint(len(t.down)) || !t.down[member] {
		return false
	}
	t.down[member], t.warm[member] = false, nil
	t.failed--
	return true
}

// ShareAt is how much of a member's keys its heirs take at an instant, 0 while it is up.
func (t *Takeover) ShareAt(now int64, member int) int64 {
	if !t.down[member] {
		return 0
	}
	// Before since, as a stale clock may say, it is the first share.
	elapsed := uint64(max(now, t.since[member])) - uint64(t.since[member])
	steps := int64(min(elapsed/uint64(t.cfg.Every), 1_000_000))
	return min(t.cfg.First+steps*t.cfg.Step, 1_000_000)
}

// inheritance is a key's way from its home to its heir.
type inheritance struct {
	home, heir int
	share      int64 // that the heir takes: where several members are down one after another, the least
	from       int   // the member that failed last of these: the heir warmed the key, if it did, when that one failed
}

// chain finds a key's inheritance.
func (t *Takeover) chain(now int64, h uint64) inheritance {
	home := t.snapshot.OwnerOfHash(h)
	way := inheritance{home: home, heir: home, share: 1_000_000, from: home}
	if home < 0 || !t.down[home] {
		return way
	}
	// One of the first failed+1 owners is up, if any is. Asked for more than there are, a circle would be walked once around.
	t.heirs = t.snapshot.OwnersOfHash(h, min(t.failed+1, len(t.down)), t.heirs[:0])
	for _, o := range t.heirs {
		if !t.down[o] {
			way.heir = o
			return way
		}
		way.share = min(way.share, t.ShareAt(now, o))
		if t.nth[o] > t.nth[way.from] {
			way.from = o
		}
	}
	way.heir, way.share = -1, 0
	return way
}

// RouteAt says where a request for a key goes at an instant.
func (t *Takeover) RouteAt(now int64, h uint64) Route {
	way := t.chain(now, h)
	r := Route{Home: way.home, Heir: way.heir, Share: way.share}
	if way.home == way.heir {
		r.Taken = way.home >= 0
		return r
	}
	if way.heir < 0 {
		return r
	}
	r.Taken = place(h) < way.share
	_, r.Warm = slices.BinarySearch(t.warm[way.from], h)
	return r
}

// place is where a key stands in the order in which keys are taken, 0..999,999. It is independent of where the key is on a ring: all keys
// of an arc would have their turn together.
func place(h uint64) int64 {
	hi, _ := bits.Mul64(hashing.Mix64(h^golden), 1_000_000)
	return int64(hi)
}

// Down reports whether a member is down.
func (t *Takeover) Down(member int) bool { return t.down[member] }

// Failed is how many members are down.
func (t *Takeover) Failed() int { return t.failed }

// Warm returns how many keys of a failed member its heirs have warmed.
func (t *Takeover) Warm(member int) int { return len(t.warm[member]) }

// Clone returns an independent copy; both share the snapshot.
func (t *Takeover) Clone() Takeover {
	c := *t
	c.down, c.since, c.nth = slices.Clone(t.down), slices.Clone(t.since), slices.Clone(t.nth)
	c.warm, c.heirs = slices.Clone(t.warm), nil
	return c
}

// Size is 17 bytes a member and 8 for each warm key.
func (t *Takeover) Size() int {
	size := 17 * len(t.down)
	for _, w := range t.warm {
		size += 8 * len(w)
	}
	return size
}
