package ring

import "seedbed/chapters/hashing"

// HashConfig is the configuration of an algorithm that has nothing to choose but its hash.
type HashConfig struct {
	Seed uint64 // of the hashes of names and keys
}

// Modulo gives a key to member hash mod N, in order of name. It spreads evenly and costs nothing, and when N becomes N+1 it moves
// all but 1/(N+1) of the keys, where 1/(N+1) would do: the bad example, and the measure for the others. Weights must be equal.
//
// Look-up: O(1), no allocation. No state beside the members. The zero value is empty.
type Modulo struct {
	Set
	cfg HashConfig
}

var _ Snapshot = (*Modulo)(nil)

// NewModulo builds it. Errors are *RangeError and *NameError.
func NewModulo(cfg HashConfig, members []Member) (*Modulo, error) { return newModulo(cfg, members, 1) }

func newModulo(cfg HashConfig, members []Member, least int) (*Modulo, error) {
	set, err := newUnweighted(members, least)
	if err != nil {
		return nil, err
	}
	return &Modulo{Set: set, cfg: cfg}, nil
}

// Owner returns the name of the key's owner.
func (m *Modulo) Owner(key string) (string, bool) { return m.nameOf(m.OwnerOfHash(m.HashOf(key))) }

// Owners appends up to n distinct owners: the key's, and those that follow in order of name.
func (m *Modulo) Owners(key string, n int, dst []string) []string {
	var few aFew
	return m.appendNames(dst, m.OwnersOfHash(m.HashOf(key), n, few[:0]))
}

// HashOf is the xxHash64 of the key.
func (m *Modulo) HashOf(key string) uint64 { return hashing.Sum64String(m.cfg.Seed, key) }

// OwnerOfHash returns the index of the owner.
func (m *Modulo) OwnerOfHash(h uint64) int {
	if len(m.members) == 0 {
		return -1
	}
	return int(h % uint64(len(m.members)))
}

// OwnersOfHash appends the indexes of up to n distinct owners.
func (m *Modulo) OwnersOfHash(h uint64, n int, dst []int) []int {
	first := m.OwnerOfHash(h)
	for i := range min(n, m.Len()) {
		dst = append(dst, (first+i)%m.Len())
	}
	return dst
}

// With returns the same for other members.
func (m *Modulo) With(members []Member) (Snapshot, error) {
	return opened(newModulo(m.cfg, members, 0))
}

// Size is 0.
func (m *Modulo) Size() int { return 0 }
