package ring

import "seedbed/chapters/hashing"

// DefaultProbes is the paper's number for a heaviest member of 1.05 times the mean.
const DefaultProbes = 21

// MaxProbes bounds the cost of a look-up.
const MaxProbes = 1024

// MultiProbeConfig describes a MultiProbe.
type MultiProbeConfig struct {
	Probes int    // places looked at for a key, 1..MaxProbes; 0 means DefaultProbes
	Seed   uint64 // of the hashes of names and keys
}

// MultiProbe is multi-probe consistent hashing: Appleton and O'Reilly, "Multi-Probe Consistent Hashing" (2015). A member has a single
// point on the circle, a key has many probes, and the member whose point follows a probe most closely owns the key. The spread of
// k points a member for the memory of one, paid at each look-up. Weights must be equal.
//
// Look-up: O(Probes), no allocation. 14 to 18 bytes a member. The zero value is empty.
type MultiProbe struct {
	Set
	circle circle
	cfg    MultiProbeConfig
}

var _ Snapshot = (*MultiProbe)(nil)

// NewMultiProbe builds it. Errors are *RangeError and *NameError.
func NewMultiProbe(cfg MultiProbeConfig, members []Member) (*MultiProbe, error) {
	if err := within("probes", int64(cfg.Probes), 0, MaxProbes); err != nil {
		return nil, err
	}
	return newMultiProbe(cfg, members, 1)
}

func newMultiProbe(cfg MultiProbeConfig, members []Member, least int) (*MultiProbe, error) {
	set, err := newUnweighted(members, least)
	if err != nil {
		return nil, err
	}
	if cfg.Probes == 0 {
		cfg.Probes = DefaultProbes
	}
	m := &MultiProbe{Set: set, cfg: cfg}
	one := func(int) int { return 1 }
	m.circle = newCircle(set.Len(), one, func(i, k int) uint64 { return pointHash(nameHash(cfg.Seed, set.members[i].Name), k) })
	return m, nil
}

// probe is place k of those where a key looks.
func probe(h uint64, k int) uint64 { return hashing.Mix64(h + uint64(k)*golden) }

// Owner returns the name of the key's owner.
func (m *MultiProbe) Owner(key string) (string, bool) { return m.nameOf(m.OwnerOfHash(m.HashOf(key))) }

// Owners appends up to n distinct owners, nearest first.
func (m *MultiProbe) Owners(key string, n int, dst []string) []string {
	var few aFew
	return m.appendNames(dst, m.OwnersOfHash(m.HashOf(key), n, few[:0]))
}

// HashOf is the xxHash64 of the key.
func (m *MultiProbe) HashOf(key string) uint64 { return hashing.Sum64String(m.cfg.Seed, key) }

// OwnerOfHash returns the index of the owner.
func (m *MultiProbe) OwnerOfHash(h uint64) int {
	if m.circle.points() == 0 {
		return -1
	}
	near, owner := ^uint64(0), -1
	for k := range m.cfg.Probes {
		at := probe(h, k)
		i := m.circle.successor(at)
		o := int(m.circle.owners[i])
		// Past the last point the first one follows, and the difference wraps to the right distance.
		if i == m.circle.points() {
			i = 0
		}
		if d := m.circle.hashes[i] - at; d < near || d == near && (owner < 0 || o < owner) {
			near, owner = d, o
		}
	}
	return owner
}

// OwnersOfHash appends the indexes of up to n distinct owners, nearest first: a member is as far as its point is from the probe
// closest before it. The second one is the heir. O(Probes·n).
func (m *MultiProbe) OwnersOfHash(h uint64, n int, dst []int) []int {
	n = min(n, m.Len())
	if n < 1 {
		return dst
	}
	var few [fewOwners]nearby
	best := few[:0]
	points := m.circle.points()
	for k := range m.cfg.Probes {
		at := probe(h, k)
		i := m.circle.successor(at)
		for range n {
			if i == points {
				i = 0
			}
			c := nearby{m.circle.hashes[i] - at, int(m.circle.owners[i])}
			if len(best) == n && !c.before(best[n-1]) {
				break // those that follow are farther still
			}
			best = keepNearest(best, c, n)
			i++
		}
	}
	for _, c := range best {
		dst = append(dst, c.owner)
	}
	return dst
}

// nearby is a member and its distance from a key.
type nearby struct {
	distance uint64
	owner    int
}

func (a nearby) before(b nearby) bool {
	return a.distance < b.distance || a.distance == b.distance && a.owner < b.owner
}

// keepNearest puts c among the n nearest members so far, each at its least distance.
func keepNearest(best []nearby, c nearby, n int) []nearby {
	at := len(best)
	for i, b := range best {
		if b.owner == c.owner {
			at = i
		}
	}
	switch {
	case at < len(best) && !c.before(best[at]):
		return best
	case at < len(best):
		best[at] = c
	case len(best) < n:
		best = append(best, c)
	default:
		at = n - 1
		best[at] = c
	}
	for ; at > 0 && best[at].before(best[at-1]); at-- {
		best[at], best[at-1] = best[at-1], best[at]
	}
	return best
}

// With returns the same for other members.
func (m *MultiProbe) With(members []Member) (Snapshot, error) {
	return opened(newMultiProbe(m.cfg, members, 0))
}

// Size is the bytes of the points and their table.
func (m *MultiProbe) Size() int { return m.circle.size() }
