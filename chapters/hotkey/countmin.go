package hotkey

import (
	"math/bits"

	"seedbed/chapters/hashing"
	"seedbed/chapters/pmath"
)

// CountMinConfig describes a CountMin.
type CountMinConfig struct {
	Width int    // counters in a row, 1..MaxWidth
	Depth int    // rows, 1..MaxDepth
	Top   int    // keys on its list, 1..MaxKeys
	Halve int64  // ns after which all counts are halved, 0..MaxDuration; 0: never
	Seed  uint64 // of the rows' hashes; give each process its own secret one where strangers choose the keys
	// Conservative raises only those of a key's counters that are below its new estimate: the others hold somebody else's requests for
	// sure. Never too low all the same, and nearer (Estan and Varghese, 2002); but two such sketches cannot be merged.
	Conservative bool
}

// CountMinSize is the width and the depth with which an estimate is above the true count by more than epsilon parts of a million of all
// requests with a probability of at most delta parts of a million: ⌈e/ε⌉ and ⌈ln 1/δ⌉. Both in 1..999,999; what lies outside counts as the
// nearer end.
func CountMinSize(epsilon, delta int64) (width, depth int) {
	const million, e = 1_000_000, 2.718281828459045
	epsilon, delta = min(max(epsilon, 1), million-1), min(max(delta, 1), million-1)
	ceil := func(x float64) int { return int(-pmath.Floor64(-x)) }
	return ceil(e * million / float64(epsilon)), ceil(pmath.Log(million / float64(delta)))
}

// CountMin is a count-min sketch with a list of the highest estimates: Cormode and Muthukrishnan, "An Improved Data Stream Summary: The
// Count-Min Sketch and its Applications" (J. Algorithms 55, 2005): the bound is that of its point queries, the list that of its heavy hitters.
//
// With halving, the count that it estimates is one in which each request weighs half as much after each Halve, and the bounds hold for that.
// O(Depth + log Top) an AddAt; 8 bytes a counter.
type CountMin struct {
	cfg     CountMinConfig
	halving halving
	rows    []int64
	top     list
}

// NewCountMin returns a *RangeError for a field out of range.
func NewCountMin(cfg CountMinConfig) (CountMin, error) {
	err := firstOf(
		within("width", int64(cfg.Width), 1, MaxWidth, "counters"),
		within("depth", int64(cfg.Depth), 1, MaxDepth, "rows"),
		within("top", int64(cfg.Top), 1, MaxKeys, "keys"),
		within("halve", cfg.Halve, 0, MaxDuration, "ns"))
	if err != nil {
		return CountMin{}, err
	}
	return CountMin{cfg: cfg, halving: halving{every: cfg.Halve}, rows: make([]int64, cfg.Width*cfg.Depth), top: newList(cfg.Top)}, nil
}

// spot is the key's counter in a row.
func (c *CountMin) spot(row int, id uint64) *int64 {
	return &c.rows[row*c.cfg.Width+place(c.cfg.Seed, row, id, c.cfg.Width)]
}

// place is one of n, by a hash that differs by row.
func place(seed uint64, row int, id uint64, n int) int {
	hi, _ := bits.Mul64(hashing.Mix64(hashing.Mix64(id^seed)+uint64(row+1)*golden), uint64(n))
	return int(hi)
}

// AddAt counts one request and reports whether the key is on the list.
func (c *CountMin) AddAt(now int64, id uint64) bool {
	if c.cfg.Depth == 0 {
		return false
	}
	c.age(now)
	least := c.estimate(id) + 1
	for row := range c.cfg.Depth {
		if p := c.spot(row, id); !c.cfg.Conservative || *p < least {
			*p++
		}
	}
	return c.top.offer(id, least)
}

func (c *CountMin) estimate(id uint64) int64 {
	least := int64(maxInt64)
	for row := range c.cfg.Depth {
		least = min(least, *c.spot(row, id))
	}
	return least
}

// CountAt is at least how often the key was asked for.
func (c *CountMin) CountAt(now int64, id uint64) int64 {
	if c.cfg.Depth == 0 {
		return 0
	}
	c.age(now)
	return c.estimate(id)
}

// TopAt is the k highest of the list.
func (c *CountMin) TopAt(now int64, k int) []Count {
	c.age(now)
	return c.top.top(k)
}

func (c *CountMin) age(now int64) {
	k := c.halving.due(now)
	if k == 0 {
		return
	}
	for i, n := range c.rows {
		c.rows[i] = halvedUp(n, k)
	}
	for i, e := range c.top.heap {
		c.top.heap[i].N = halvedUp(e.N, k)
	}
	c.top.remake()
}

// Clone returns an independent copy.
func (c *CountMin) Clone() CountMin {
	d := *c
	d.rows = append([]int64(nil), c.rows...)
	d.top = c.top.clone()
	return d
}

// Copy is Clone behind the interface.
func (c *CountMin) Copy() Detector { d := c.Clone(); return &d }

// Size is 8 bytes a counter, 24 a key of the list, 16 a slot of its index, and 16 for the halving.
func (c *CountMin) Size() int { return 8*len(c.rows) + c.top.size() + 16 }
