package ring

import (
	"math/bits"
	"slices"
)

// circle is points on a circle of 64 bits, each owned by a member: what Ring, Ketama and MultiProbe stand on.
//
// A key belongs to the first point at or after its hash, past the last to the first one again. Points are sorted by (hash, member,
// index of the point), and members are in order of name, so this order is total and the same for the same set.
//
// A table on the top bits of a hash leads to the first point that can be it; with about one point an entry, the rest is a scan of
// one step or two. Hashes and owners stand in arrays of their own, since a look-up reads several hashes and one owner.
type circle struct {
	hashes []uint64 // of the points, ascending, then one more of all ones: the end is found without looking for it
	owners []uint16 // of the points, then the first one's again: that is where the end leads
	starts []uint32 // by the top bits of a hash: the first point not below the entry's range
	shift  uint8    // 64 − the number of those bits
}

// MaxPoints bounds the points of all members together.
const MaxPoints = 1 << 24

// newCircle lays count(i) points for each of n members; at tells where point k of member i lies. O(points) for hashes that are
// spread like hashes.
func newCircle(n int, count func(i int) int, at func(i, k int) uint64) circle {
	total := 0
	for i := range n {
		total += count(i)
	}
	if total == 0 {
		return circle{}
	}
	topBits := max(1, bits.Len(uint(total-1)))
	c := circle{
		hashes: make([]uint64, total+1),
		owners: make([]uint16, total+1),
		starts: make([]uint32, 1<<topBits),
		shift:  uint8(64 - topBits),
	}
	laid := make([]uint64, 0, total)
	for i := range n {
		for k := range count(i) {
			h := at(i, k)
			laid = append(laid, h)
			c.starts[h>>c.shift]++
		}
	}
	// A counting sort by the top bits: it is stable, so points of one hash stay in order of (member, index).
	end := uint32(0)
	for b, in := range c.starts {
		c.starts[b] = end
		end += in
	}
	next := 0
	for i := range n {
		for range count(i) {
			h := laid[next]
			next++
			to := c.starts[h>>c.shift]
			c.starts[h>>c.shift]++
			c.hashes[to], c.owners[to] = h, uint16(i)
		}
	}
	// Each entry now holds the end of its range, which is the start of the next one's.
	from := uint32(0)
	for b, to := range c.starts {
		c.sortRange(int(from), int(to))
		c.starts[b] = from
		from = to
	}
	c.hashes[total], c.owners[total] = ^uint64(0), c.owners[0]
	return c
}

// sortRange sorts the points of one entry by hash, and leaves those of one hash in their order.
func (c *circle) sortRange(from, to int) {
	if to-from > 32 {
		c.sortLongRange(from, to)
		return
	}
	for i := from + 1; i < to; i++ {
		h, o := c.hashes[i], c.owners[i]
		j := i
		for ; j > from && c.hashes[j-1] > h; j-- {
			c.hashes[j], c.owners[j] = c.hashes[j-1], c.owners[j-1]
		}
		c.hashes[j], c.owners[j] = h, o
	}
}

// sortLongRange is for points that crowd together, as no hash lays them but an adversary may.
func (c *circle) sortLongRange(from, to int) {
	type point struct {
		hash  uint64
		owner uint16
	}
	points := make([]point, to-from)
	for i := range points {
		points[i] = point{c.hashes[from+i], c.owners[from+i]}
	}
	slices.SortStableFunc(points, func(a, b point) int {
		if a.hash != b.hash {
			if a.hash < b.hash {
				return -1
			}
			return 1
		}
		return 0
	})
	for i, p := range points {
		c.hashes[from+i], c.owners[from+i] = p.hash, p.owner
	}
}

// points is how many there are.
func (c *circle) points() int { return max(0, len(c.hashes)-1) }

// successor returns the first point at or after h: points() past the last, -1 when there are none.
func (c *circle) successor(h uint64) int {
	b := h >> (c.shift & 63)
	if b >= uint64(len(c.starts)) {
		return -1
	}
	i := int(c.starts[b])
	// Two steps without a branch, which would be guessed wrong half the time: few keys need a third.
	_, below := bits.Sub64(c.hashes[i], h, 0)
	i += int(below)
	_, below = bits.Sub64(c.hashes[i], h, 0)
	i += int(below)
	for c.hashes[i] < h {
		i++
	}
	return i
}

// owner returns the member that owns h, -1 when there are no points.
func (c *circle) owner(h uint64) int {
	i := c.successor(h)
	if i < 0 {
		return -1
	}
	return int(c.owners[i])
}

// walk appends the next n distinct owners from h on, clockwise. It ends after one turn.
func (c *circle) walk(h uint64, n int, dst []int) []int {
	i := c.successor(h)
	if i < 0 || n < 1 {
		return dst
	}
	begin := len(dst)
	for range c.points() {
		if i == c.points() {
			i = 0
		}
		if o := int(c.owners[i]); !contains(dst[begin:], o) {
			if dst = append(dst, o); len(dst)-begin == n {
				return dst
			}
		}
		i++
	}
	return dst
}

// size is the bytes of the arrays.
func (c *circle) size() int { return len(c.hashes)*8 + len(c.owners)*2 + len(c.starts)*4 }

// arcs appends how much of the circle each of n members owns.
func (c *circle) arcs(n int, dst []uint64) []uint64 {
	begin := len(dst)
	for range n {
		dst = append(dst, 0)
	}
	last := c.points() - 1
	if last < 0 {
		return dst
	}
	before := c.hashes[last]
	for i := range last + 1 {
		dst[begin+int(c.owners[i])] += c.hashes[i] - before
		before = c.hashes[i]
	}
	if c.alone() {
		dst[begin+int(c.owners[0])] = ^uint64(0) // 2^64, which does not fit
	}
	return dst
}

// alone reports whether one member has all points.
func (c *circle) alone() bool {
	for _, o := range c.owners {
		if o != c.owners[0] {
			return false
		}
	}
	return true
}
