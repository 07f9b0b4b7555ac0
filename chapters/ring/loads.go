package ring

import (
	"math/bits"
	"slices"
	"strconv"
)

// Limits of LoadsConfig and Loads.
const (
	MaxEpsilon = 1_000_000_000 // a thousand times the mean over the mean
	maxPlaced  = 1 << 52       // so that a share of the bound fits 64 bits
)

// LoadsConfig describes Loads.
type LoadsConfig struct {
	// Epsilon is how far a member may stand above its share of what is placed, in parts per million, 1..MaxEpsilon: 250,000 is a
	// quarter. At 0 a single unlucky key could be pushed round the whole circle, so it is refused.
	Epsilon int64
	// Most is a bound of another kind: how much a member of weight 1 can hold at all, 1..2^52; 0 means no such bound. Only with it can
	// there be no room.
	Most int64
}

// Loads places keys with bounded loads: Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing with Bounded Loads" (2016). Of m
// placed units, the one that arrives counted in, a member of weight w holds at most ⌈(1+ε)·m·w/W⌉, W being the sum of weights. A key
// whose owner is full goes to its next owner in the snapshot's order (clockwise on a ring) that is not.
//
// The bounds of all members add up to at least (1+ε)·m, so without Most there is always room. A bound falls when units are released or
// members join; nobody is evicted then, and a member above its bound gets nothing new until it is below.
//
// Loads belongs to one goroutine. Place: O(owners looked at), 1 + O(1/ε²) expected for ε < 1; no allocation in the long run. 8 bytes
// a member beside the snapshot. The zero value has no room.
type Loads struct {
	snapshot Snapshot
	epsilon  int64
	most     int64
	loads    []int64
	weights  int64
	total    int64
	refused  int64
	next     []int // room for the owners of a key
}

// Placement is where a unit went.
type Placement struct {
	Member int // index in the snapshot
	Probes int // how many owners were looked at, 1 for a key that its own owner took
}

// FullError says that no member may take a unit.
type FullError struct {
	Members int
	Placed  int64 // units placed on all members together
	Most    int64 // of LoadsConfig
}

// Error says it in one line: "place: no room on 3 members with 6 placed, at most 2 each".
func (e *FullError) Error() string {
	if e.Members == 0 {
		return "place: there are no members"
	}
	return "place: no room on " + strconv.Itoa(e.Members) + " members with " + strconv.FormatInt(e.Placed, 10) + " placed, at most " +
		strconv.FormatInt(e.Most, 10) + " each for a weight of 1"
}

// NewLoads starts with nothing placed. Errors are *RangeError.
func NewLoads(cfg LoadsConfig, s Snapshot) (Loads, error) {
	if err := within("epsilon in parts per million", cfg.Epsilon, 1, MaxEpsilon); err != nil {
		return Loads{}, err
	}
	if err := within("most", cfg.Most, 0, maxPlaced); err != nil {
		return Loads{}, err
	}
	l := Loads{epsilon: cfg.Epsilon, most: cfg.Most}
	l.adopt(s)
	return l, nil
}

// adopt takes a snapshot with nothing placed.
func (l *Loads) adopt(s Snapshot) {
	l.snapshot, l.loads, l.weights, l.total = s, make([]int64, s.Len()), 0, 0
	for i := range l.loads {
		l.weights += s.Member(i).Weight
	}
}

// Place puts one unit on an owner of the hash. The error is a *FullError; then nothing has changed.
func (l *Loads) Place(h uint64) (Placement, error) {
	if len(l.loads) == 0 || l.total >= maxPlaced {
		return Placement{Member: -1}, &FullError{len(l.loads), l.total, l.most}
	}
	if o := l.snapshot.OwnerOfHash(h); o >= 0 && l.loads[o] < l.Bound(o) {
		return l.put(o, 1), nil
	}
	// The first owner is full. A few more nearly always do; all of them always would, if there is room.
	for n := 4; ; n *= 8 {
		n = min(n, len(l.loads))
		l.next = l.snapshot.OwnersOfHash(h, n, l.next[:0])
		for probe, o := range l.next {
			if l.loads[o] < l.Bound(o) {
				return l.put(o, probe+1), nil
			}
		}
		if n == len(l.loads) {
			return Placement{Member: -1, Probes: len(l.next)}, &FullError{len(l.loads), l.total, l.most}
		}
	}
}

func (l *Loads) put(o, probes int) Placement {
	l.loads[o]++
	l.total++
	return Placement{Member: o, Probes: probes}
}

// Bound is how much the i-th member may hold when one more unit arrives: ⌈(1+ε)·(Total+1)·w/W⌉, and no more than Most allows.
func (l *Loads) Bound(i int) int64 {
	w := l.snapshot.Member(i).Weight
	// 1 + ε ≤ 2^30 and w < 2^20 parts; the divisor is below 2^20 · 2^36, and the quotient below 2^10 · 2^53.
	hi, lo := bits.Mul64(uint64(1_000_000+l.epsilon)*uint64(w), uint64(l.total)+1)
	q, rest := bits.Div64(hi, lo, 1_000_000*uint64(l.weights))
	if rest > 0 {
		q++
	}
	if l.most > 0 {
		if over, most := bits.Mul64(uint64(l.most), uint64(w)); over == 0 && most < q {
			return int64(most)
		}
	}
	return int64(q)
}

// Release takes one unit off a member. It reports false, changes nothing and counts when there is none.
func (l *Loads) Release(i int) bool {
	if uint(i) >= uint(len(l.loads)) || l.loads[i] == 0 {
		l.refused++
		return false
	}
	l.loads[i]--
	l.total--
	return true
}

// Rebase goes on with another snapshot. Members in both keep what they hold; what was on members that left is gone from the total, and
// its amount is returned: those units are to be placed again.
func (l *Loads) Rebase(s Snapshot) (orphans int64) {
	before, held, total := l.snapshot, l.loads, l.total
	l.adopt(s)
	if before == nil {
		return 0
	}
	was, _ := match(before, s)
	for i, f := range was {
		if f.same >= 0 {
			l.loads[f.same] = held[i]
			l.total += held[i]
		}
	}
	return total - l.total
}

// Load is how much the i-th member holds.
func (l *Loads) Load(i int) int64 { return l.loads[i] }

// Total is how much all members hold together: always the sum of their loads.
func (l *Loads) Total() int64 { return l.total }

// Refused is how many releases were refused so far.
func (l *Loads) Refused() int64 { return l.refused }

// Snapshot is the one that keys are placed by.
func (l *Loads) Snapshot() Snapshot { return l.snapshot }

// Clone returns an independent copy; both share the snapshot, which never changes.
func (l *Loads) Clone() Loads {
	c := *l
	c.loads, c.next = slices.Clone(l.loads), nil
	return c
}

// Size is 8 bytes a member, and three counters.
func (l *Loads) Size() int { return 8*len(l.loads) + 24 }
