package ring

import (
	"strconv"

	"seedbed/chapters/hashing"
	"seedbed/chapters/pmath"
)

// Ketama is the ring of libketama, point by point: clients that share a memcached pool with other ketama clients agree with them.
//
// Members are named "host:port" and get four points for each of ⌊w/W·40·N⌋ MD5 sums of "host:port-k", W being the sum of weights and
// N the number of members. The share is a float32, times 40.0 in float64, times N, narrowed to float32 and then rounded down: so with
// equal weights most N give 160 points a member, but some, such as 61 and 122, give 156, and a small weight may give none at all.
// nginx's "hash … consistent" has the same number of points and other places for them, from CRC-32: it is not this.
//
// Since W and N stand in everybody's count, a change of weights can move keys that need not move; Ring has no such fault.
//
// Points are 32 bits. They lie in the upper half of the circle's 64, where the order is the same; HashOf puts a key's there too. Where
// two points collide libketama leaves the order to qsort; here it is by name.
//
// Source: github.com/RJ/ketama, libketama/ketama.c. Look-up: O(1) beside the MD5 of the key, no allocation. The zero value is empty.
type Ketama struct {
	Set
	circle circle
}

var _ Snapshot = (*Ketama)(nil)

// NewKetama builds the ring. Errors are *RangeError and *NameError.
func NewKetama(members []Member) (*Ketama, error) { return newKetama(members, 1) }

func newKetama(members []Member, least int) (*Ketama, error) {
	set, err := newSet(members, least)
	if err != nil {
		return nil, err
	}
	sums := make([]int, set.Len())
	total, weights := int64(0), int64(0)
	for _, m := range set.members {
		weights += m.Weight
	}
	for i, m := range set.members {
		sums[i] = ketamaSums(m.Weight, weights, set.Len())
		total += 4 * int64(sums[i])
	}
	if err := within("points of all members", total, 0, MaxPoints); err != nil {
		return nil, err
	}
	k := &Ketama{Set: set}
	var text []byte
	var sum [16]byte
	count := func(i int) int { return 4 * sums[i] }
	k.circle = newCircle(set.Len(), count, func(i, p int) uint64 {
		if p%4 == 0 {
			text = append(append(text[:0], set.members[i].Name...), '-')
			sum = hashing.MD5(strconv.AppendInt(text, int64(p/4), 10))
		}
		return ketamaPlace(sum[p%4*4:])
	})
	return k, nil
}

// ketamaSums is how many MD5 sums a member gets. The widths of the floats are libketama's, and decide at 61 members.
func ketamaSums(weight, weights int64, members int) int {
	share := float32(weight) / float32(weights)
	product := float32(float64(float64(share)*40.0) * float64(float32(members)))
	return int(pmath.Floor64(float64(product)))
}

// ketamaPlace reads a little-endian 32-bit point and lifts it to the circle of 64 bits.
func ketamaPlace(b []byte) uint64 {
	_ = b[3]
	return uint64(b[0])<<32 | uint64(b[1])<<40 | uint64(b[2])<<48 | uint64(b[3])<<56
}

// Owner returns the name of the key's owner.
func (k *Ketama) Owner(key string) (string, bool) { return k.nameOf(k.circle.owner(k.HashOf(key))) }

// Owners appends up to n distinct owners, clockwise from the key; members without points are never among them.
func (k *Ketama) Owners(key string, n int, dst []string) []string {
	var few aFew
	return k.appendNames(dst, k.circle.walk(k.HashOf(key), n, few[:0]))
}

// HashOf is the first 32 bits of the MD5 of the key, little-endian, in the upper half.
func (k *Ketama) HashOf(key string) uint64 {
	sum := hashing.MD5String(key)
	return ketamaPlace(sum[:4])
}

// OwnerOfHash returns the index of the owner.
func (k *Ketama) OwnerOfHash(h uint64) int { return k.circle.owner(h) }

// OwnersOfHash appends the indexes of up to n distinct owners, clockwise. The second one is the heir.
func (k *Ketama) OwnersOfHash(h uint64, n int, dst []int) []int { return k.circle.walk(h, n, dst) }

// With returns the ring of other members.
func (k *Ketama) With(members []Member) (Snapshot, error) {
	return opened(newKetama(members, 0))
}

// Size is the bytes of the points and their table.
func (k *Ketama) Size() int { return k.circle.size() }

// Points is how many points there are in all.
func (k *Ketama) Points() int { return k.circle.points() }

// Point returns the i-th point as libketama has it, clockwise from 0, and the index of its member; 0 ≤ i < Points().
func (k *Ketama) Point(i int) (at uint32, member int) {
	return uint32(k.circle.hashes[i] >> 32), int(k.circle.owners[i])
}

func (k *Ketama) onCircle() *circle { return &k.circle }
