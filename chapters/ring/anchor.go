package ring

import (
	"math/bits"
	"slices"

	"seedbed/chapters/hashing"
)

// DefaultCapacity is how many members an Anchor has room for when its configuration names no number.
const DefaultCapacity = 1024

// AnchorConfig describes an Anchor.
type AnchorConfig struct {
	Capacity int    // most members there will ever be, 1..MaxMembers; 0 means DefaultCapacity
	Seed     uint64 // of the hashes of keys
}

// Anchor is AnchorHash: Mendelson and others, "AnchorHash: A Scalable Consistent Hash" (IEEE/ACM Transactions on Networking, 2021).
// Capacity buckets exist from the start, all but Len of them as if removed. A key whose bucket is removed is hashed again over the
// buckets that were left at the time of that removal, and so on until it meets one that works. So keys spread as evenly as chance
// allows, any member may leave, and only keys that must move do, in a few bytes a member.
//
// It pays with memory of another kind: where a key goes depends on the order in which members left, so Anchor is the one algorithm
// here that is not a function of the set. NewAnchor takes members in order of name. With takes those away that are gone and then adds
// the new ones, each in the place that was left last; two processes agree only when they saw the same changes in the same order.
// Weights must be equal.
//
// Look-up: O(1 + ln(Capacity/Len)) expected, no allocation. 6 bytes for each place of Capacity, and as many again for changes. The zero
// value is empty.
type Anchor struct {
	Set
	cfg      AnchorConfig
	removed  []uint16 // A of the paper: how many buckets were left after this one was removed; 0 for one that works
	instead  []uint16 // K: the bucket that took the removed one's place in the list of those that work
	working  []uint16 // W: the buckets that work are working[:Len]
	position []uint16 // L: where in working a bucket last stood
	stack    []uint16 // R: removed buckets, the last one last
	member   []uint16 // the member of a bucket that works
}

var _ Snapshot = (*Anchor)(nil)

// NewAnchor builds it. Errors are *RangeError and *NameError.
func NewAnchor(cfg AnchorConfig, members []Member) (*Anchor, error) {
	if cfg.Capacity == 0 {
		cfg.Capacity = DefaultCapacity
	}
	if err := within("capacity", int64(cfg.Capacity), 1, MaxMembers); err != nil {
		return nil, err
	}
	set, err := newUnweighted(members, 1)
	if err != nil {
		return nil, err
	}
	if err := within("members", int64(set.Len()), 1, int64(cfg.Capacity)); err != nil {
		return nil, err
	}
	capacity := cfg.Capacity
	a := &Anchor{Set: set, cfg: cfg, removed: make([]uint16, capacity), instead: make([]uint16, capacity),
		working: make([]uint16, capacity), position: make([]uint16, capacity), member: make([]uint16, capacity)}
	for b := range capacity {
		a.instead[b], a.working[b], a.position[b], a.member[b] = uint16(b), uint16(b), uint16(b), uint16(b)
	}
	for b := capacity - 1; b >= set.Len(); b-- {
		a.stack = append(a.stack, uint16(b))
		a.removed[b] = uint16(b)
	}
	return a, nil
}

// take removes a bucket; left is how many work without it.
func (a *Anchor) take(b uint16, left int) {
	a.stack = append(a.stack, b)
	last := a.working[left]
	a.removed[b] = uint16(left)
	a.instead[b] = last
	a.working[a.position[b]] = last
	a.position[last] = a.position[b]
}

// give makes the bucket that was removed last work again; work is how many do without it.
func (a *Anchor) give(work int) uint16 {
	b := a.stack[len(a.stack)-1]
	a.stack = a.stack[:len(a.stack)-1]
	a.removed[b] = 0
	a.position[a.working[work]] = uint16(work)
	a.working[a.position[b]] = b
	return b
}

// bucket is the bucket of a hash; at least one works.
func (a *Anchor) bucket(h uint64) uint16 {
	b := below(h, len(a.removed))
	for a.removed[b] > 0 {
		next := below(hashing.Mix64(h+uint64(b+1)*golden), int(a.removed[b]))
		for a.removed[next] >= a.removed[b] {
			next = int(a.instead[next])
		}
		b = next
	}
	return uint16(b)
}

// below spreads a hash over 0..n-1.
func below(h uint64, n int) int {
	hi, _ := bits.Mul64(h, uint64(n))
	return int(hi)
}

// Owner returns the name of the key's owner.
func (a *Anchor) Owner(key string) (string, bool) { return a.nameOf(a.OwnerOfHash(a.HashOf(key))) }

// Owners appends up to n distinct owners.
func (a *Anchor) Owners(key string, n int, dst []string) []string {
	var few aFew
	return a.appendNames(dst, a.OwnersOfHash(a.HashOf(key), n, few[:0]))
}

// HashOf is the xxHash64 of the key.
func (a *Anchor) HashOf(key string) uint64 { return hashing.Sum64String(a.cfg.Seed, key) }

// OwnerOfHash returns the index of the owner.
func (a *Anchor) OwnerOfHash(h uint64) int {
	if len(a.members) == 0 {
		return -1
	}
	return int(a.member[a.bucket(h)])
}

// OwnersOfHash appends the indexes of up to n distinct owners, those of a chain of hashes that starts with h.
func (a *Anchor) OwnersOfHash(h uint64, n int, dst []int) []int { return rehash(a, h, n, dst) }

// With returns the snapshot after the change from these members to others: see the type for what that means. The zero value, which
// has no capacity, can only become what NewAnchor makes of it.
func (a *Anchor) With(members []Member) (Snapshot, error) {
	if len(a.removed) == 0 {
		if len(members) == 0 {
			return a, nil
		}
		return opened(NewAnchor(a.cfg, members))
	}
	set, err := newUnweighted(members, 0)
	if err != nil {
		return nil, err
	}
	if err := within("members", int64(set.Len()), 0, int64(a.cfg.Capacity)); err != nil {
		return nil, err
	}
	next := &Anchor{Set: set, cfg: a.cfg, removed: slices.Clone(a.removed), instead: slices.Clone(a.instead),
		working: slices.Clone(a.working), position: slices.Clone(a.position), stack: slices.Clone(a.stack), member: slices.Clone(a.member)}
	// The bucket of each old member, then of each new one.
	before := make([]uint16, a.Len())
	for _, b := range a.working[:a.Len()] {
		before[a.member[b]] = b
	}
	work := a.Len()
	for i, m := range a.members {
		if _, stays := set.Index(m.Name); !stays {
			work--
			next.take(before[i], work)
		}
	}
	for i, m := range set.members {
		if old, was := a.Index(m.Name); was {
			next.member[before[old]] = uint16(i)
		} else {
			next.member[next.give(work)] = uint16(i)
			work++
		}
	}
	return next, nil
}

// Size is what a look-up reads: 6 bytes for each place of Capacity.
func (a *Anchor) Size() int { return 2 * (len(a.removed) + len(a.instead) + len(a.member)) }
