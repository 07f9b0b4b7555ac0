package ring

import (
	"math/bits"
	"strconv"

	"seedbed/chapters/hashing"
)

// DefaultSlots is the table of a Maglev when its configuration names none: the small one of the paper.
const DefaultSlots = 65537

// MaxSlots bounds the table of a Maglev.
const MaxSlots = 1 << 24

// MaglevConfig describes a Maglev.
type MaglevConfig struct {
	Slots int    // of the table, a prime, Len..MaxSlots, better 100·Len or more; 0 means DefaultSlots
	Seed  uint64 // of the hashes of names and keys
}

// PrimeError says that a table would have a number of slots that is no prime: then some members would never reach all slots, and
// filling the table would not end.
type PrimeError struct {
	Got, Next int64 // Next is the smallest prime above Got
}

// Error says it in one line: "slots: 65536 is not a prime; 65537 is the next".
func (e *PrimeError) Error() string {
	return "slots: " + strconv.FormatInt(e.Got, 10) + " is not a prime; " + strconv.FormatInt(e.Next, 10) + " is the next"
}

// Maglev is the look-up table of Google's load balancer: Eisenbud and others, "Maglev: A Fast and Reliable Software Network Load
// Balancer" (NSDI 2016), section 3.4. Members take turns to claim a slot, each in a permutation of its own, until all are taken. So
// with equal weights no two members differ by more than one slot, and a look-up is one multiplication and one load; the price is that
// a change also moves a few keys needlessly: with 100 members about 0.6 % at 65,537 slots and 0.1 % at 655,373.
//
// With weights a member takes its turns in proportion, and with twice as many slots as members each has at least one.
//
// Look-up: O(1), no allocation. Building: O(Slots·log Slots). 2 bytes a slot. The zero value is empty.
type Maglev struct {
	Set
	table []uint16
	cfg   MaglevConfig
}

var _ Snapshot = (*Maglev)(nil)

// NewMaglev builds the table. Errors are *RangeError, *NameError and *PrimeError.
func NewMaglev(cfg MaglevConfig, members []Member) (*Maglev, error) {
	if cfg.Slots == 0 {
		return newMaglev(cfg, members, 1)
	}
	if err := within("slots", int64(cfg.Slots), 2, MaxSlots); err != nil {
		return nil, err
	}
	if !prime(int64(cfg.Slots)) {
		next := int64(cfg.Slots) + 1
		for !prime(next) {
			next++
		}
		return nil, &PrimeError{Got: int64(cfg.Slots), Next: next}
	}
	return newMaglev(cfg, members, 1)
}

func newMaglev(cfg MaglevConfig, members []Member, least int) (*Maglev, error) {
	set, err := newSet(members, least)
	if err != nil {
		return nil, err
	}
	if cfg.Slots == 0 {
		cfg.Slots = DefaultSlots
	}
	if err := within("members for "+strconv.Itoa(cfg.Slots)+" slots", int64(set.Len()), int64(least), int64(cfg.Slots)); err != nil {
		return nil, err
	}
	m := &Maglev{Set: set, cfg: cfg}
	if set.Len() > 0 {
		m.fill()
	}
	return m, nil
}

// prime is trial division: at most 4096 divisors for what a table can have.
func prime(n int64) bool {
	for d := int64(2); d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return n > 1
}

// turn is where a member stands in its permutation of the slots, and what it has saved towards its next turn.
type turn struct {
	at, skip uint32
	credit   int64
}

// free marks a slot that nobody has claimed: no member has this index.
const free = MaxMembers

// fill lets members claim slots in turn.
func (m *Maglev) fill() {
	slots, members := uint64(m.cfg.Slots), int64(m.Len())
	m.table = make([]uint16, slots)
	for i := range m.table {
		m.table[i] = free
	}
	weights := int64(0)
	for _, member := range m.members {
		weights += member.Weight
	}
	// In a round a member saves its weight in units of which the mean weight makes one turn. The light ones start with enough for
	// the first round, so that nobody is left without a slot.
	turns := make([]turn, members)
	for i, member := range m.members {
		h := nameHash(m.cfg.Seed, member.Name)
		turns[i] = turn{
			at:     uint32(h % slots),
			skip:   uint32(hashing.Mix64(h+golden)%(slots-1)) + 1,
			credit: max(0, weights-member.Weight*members),
		}
	}
	for left := m.cfg.Slots; left > 0; {
		for i := range turns {
			t := &turns[i]
			for t.credit += m.members[i].Weight * members; t.credit >= weights && left > 0; left-- {
				t.credit -= weights
				m.claim(t, uint16(i))
			}
		}
	}
}

// claim gives a member the next free slot of its permutation; there is one.
func (m *Maglev) claim(t *turn, member uint16) {
	for m.table[t.at] != free {
		t.step(uint32(len(m.table)))
	}
	m.table[t.at] = member
	t.step(uint32(len(m.table)))
}

// step goes on to the next slot of the permutation.
func (t *turn) step(slots uint32) {
	if t.at += t.skip; t.at >= slots {
		t.at -= slots
	}
}

// slot is the slot of a hash: a multiplication where the paper has a remainder, which is as even and far quicker.
func (m *Maglev) slot(h uint64) int {
	hi, _ := bits.Mul64(h, uint64(len(m.table)))
	return int(hi)
}

// Owner returns the name of the key's owner.
func (m *Maglev) Owner(key string) (string, bool) { return m.nameOf(m.OwnerOfHash(m.HashOf(key))) }

// Owners appends up to n distinct owners.
func (m *Maglev) Owners(key string, n int, dst []string) []string {
	var few aFew
	return m.appendNames(dst, m.OwnersOfHash(m.HashOf(key), n, few[:0]))
}

// HashOf is the xxHash64 of the key.
func (m *Maglev) HashOf(key string) uint64 { return hashing.Sum64String(m.cfg.Seed, key) }

// OwnerOfHash returns the index of the owner.
func (m *Maglev) OwnerOfHash(h uint64) int {
	if len(m.table) == 0 {
		return -1
	}
	return int(m.table[m.slot(h)])
}

// OwnersOfHash appends the indexes of up to n distinct owners: those of the slot and of the slots that follow.
func (m *Maglev) OwnersOfHash(h uint64, n int, dst []int) []int {
	n = min(n, m.Len())
	if n < 1 {
		return dst
	}
	begin := len(dst)
	i := m.slot(h)
	for range m.table {
		if o := int(m.table[i]); !contains(dst[begin:], o) {
			if dst = append(dst, o); len(dst)-begin == n {
				return dst
			}
		}
		if i++; i == len(m.table) {
			i = 0
		}
	}
	return dst
}

// With returns the table of other members.
func (m *Maglev) With(members []Member) (Snapshot, error) {
	return opened(newMaglev(m.cfg, members, 0))
}

// Size is 2 bytes a slot.
func (m *Maglev) Size() int { return 2 * len(m.table) }

// Slot returns the member of the i-th slot, 0 ≤ i < Slots.
func (m *Maglev) Slot(i int) int { return int(m.table[i]) }
