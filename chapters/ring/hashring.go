package ring

import "seedbed/chapters/hashing"

// DefaultPoints is how many points a member gets when a Config names none: its share then varies by about 1/√160 = 8 %.
const DefaultPoints = 160

// Config describes a Ring.
type Config struct {
	Points int    // points of a member of weight Unit, 1..MaxPoints; 0 means DefaultPoints
	Unit   int64  // the weight that gets Points points, 1..MaxWeight; 0 means 1
	Seed   uint64 // of the hashes of names and keys; who shares a ring shares its seed
}

// Ring is a hash ring with virtual nodes on a circle of 64 bits, after Karger and others, "Consistent Hashing and Random Trees"
// (STOC 1997). It is the one recommended here.
//
// A member of weight w has ⌊Points·w/Unit⌋ points, at least one, whatever the others weigh: so a change of one member moves keys only
// to it or away from it. (Ketama's counts depend on the sum of weights, and all members' points may change with one.) Point k of a
// member lies at the k-th value of a SplitMix64 stream that starts from the hash of its name.
//
// Look-up: O(1), no allocation. Building: O(points). 14 to 16 bytes a point. The zero value is an empty ring.
type Ring struct {
	Set
	circle circle
	cfg    Config
}

var _ Snapshot = (*Ring)(nil)

// New builds a ring. Errors are *RangeError and *NameError; without members there is no ring to begin with, but With may empty one.
func New(cfg Config, members []Member) (*Ring, error) {
	if err := within("points", int64(cfg.Points), 0, MaxPoints); err != nil {
		return nil, err
	}
	if err := within("unit", cfg.Unit, 0, MaxWeight); err != nil {
		return nil, err
	}
	return newRing(cfg, members, 1)
}

func newRing(cfg Config, members []Member, least int) (*Ring, error) {
	set, err := newSet(members, least)
	if err != nil {
		return nil, err
	}
	r := &Ring{Set: set, cfg: cfg}
	counts, streams, total := make([]int, set.Len()), make([]uint64, set.Len()), int64(0)
	for i, m := range set.members {
		points := cfg.pointsOf(m.Weight)
		if total += points; total <= MaxPoints {
			counts[i] = int(points)
		}
		streams[i] = nameHash(cfg.Seed, m.Name)
	}
	if err := within("points of all members", total, 0, MaxPoints); err != nil {
		return nil, err
	}
	r.circle = newCircle(set.Len(), func(i int) int { return counts[i] }, func(i, k int) uint64 { return pointHash(streams[i], k) })
	return r, nil
}

// pointsOf is how many points a member of a weight has; below 2^45.
func (c *Config) pointsOf(weight int64) int64 {
	points, unit := int64(c.Points), c.Unit
	if points == 0 {
		points = DefaultPoints
	}
	if unit == 0 {
		unit = 1
	}
	return max(1, points*weight/unit)
}

// golden is 2^64 divided by the golden ratio, the step of SplitMix64.
const golden = 0x9e3779b97f4a7c15

// nameHash is a member's own hash. Its seed is not that of keys, so that a key that reads like a member's name falls anywhere.
func nameHash(seed uint64, name string) uint64 { return hashing.Sum64String(seed^golden, name) }

// pointHash is value k of the stream of a member.
func pointHash(stream uint64, k int) uint64 { return hashing.Mix64(stream + uint64(k+1)*golden) }

// Owner returns the name of the key's owner.
func (r *Ring) Owner(key string) (string, bool) {
	return r.nameOf(r.circle.owner(hashing.Sum64String(r.cfg.Seed, key)))
}

// Owners appends up to n distinct owners, clockwise from the key.
func (r *Ring) Owners(key string, n int, dst []string) []string {
	var few aFew
	return r.appendNames(dst, r.circle.walk(r.HashOf(key), n, few[:0]))
}

// HashOf is the xxHash64 of the key.
func (r *Ring) HashOf(key string) uint64 { return hashing.Sum64String(r.cfg.Seed, key) }

// OwnerOfHash returns the index of the owner.
func (r *Ring) OwnerOfHash(h uint64) int { return r.circle.owner(h) }

// OwnersOfHash appends the indexes of up to n distinct owners, clockwise. The second one is the heir: it owns the hash when the
// first is removed.
func (r *Ring) OwnersOfHash(h uint64, n int, dst []int) []int { return r.circle.walk(h, n, dst) }

// With returns the ring of other members.
func (r *Ring) With(members []Member) (Snapshot, error) {
	return opened(newRing(r.cfg, members, 0))
}

// Size is the bytes of the points and their table.
func (r *Ring) Size() int { return r.circle.size() }

// Points is how many points there are in all.
func (r *Ring) Points() int { return r.circle.points() }

// Point returns where the i-th point lies, clockwise from 0, and the index of its member; 0 ≤ i < Points().
func (r *Ring) Point(i int) (at uint64, member int) {
	return r.circle.hashes[i], int(r.circle.owners[i])
}

// Arcs appends how much of the circle each member owns, in units of 2^-64 turns; all of it is written as MaxUint64.
func (r *Ring) Arcs(dst []uint64) []uint64 { return r.circle.arcs(r.Len(), dst) }

func (r *Ring) onCircle() *circle { return &r.circle }
