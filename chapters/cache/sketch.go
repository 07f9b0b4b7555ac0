package cache

import (
	"math/bits"
	"slices"

	"seedbed/chapters/hashing"
)

// Sketch guesses how often keys were used lately, in 8 bytes for each key that a cache holds: a count-min sketch of 4-bit counters in
// four rows, all halved after a sample of uses, so that the past fades. It may guess too high, when others share all four of a key's
// counters; never too low, until a halving.
//
// A key's counters lie in one block of 64 bytes, two words of it for each row: one miss of the processor's cache, not four. Only the
// lowest of the four grow, since the higher ones are somebody else's for sure.
//
// Sources: Einziger, Friedman and Manes, "TinyLFU: A Highly Efficient Cache Admission Policy" (ACM TOS 2017, arXiv 1512.00727), for
// halving after a sample and for raising the lowest only; Cormode and Muthukrishnan, "An improved data stream summary: the count-min
// sketch" (2005); the blocks are Caffeine's.
//
// One goroutine's; flat. The zero value counts nothing.
type Sketch struct {
	words  []uint64 // 16 counters each; a power of two of them, 8 or more
	sample int64    // uses after which all is halved
	uses   int64
}

const (
	counterMax = 15
	blockWords = 8
	sampleOf   = 10 // uses in a sample for each key of the capacity, as in Caffeine
)

// NewSketch returns a *RangeError when the number of keys that the cache holds is not in 1..MaxCapacity.
func NewSketch(capacity int) (Sketch, error) {
	if err := within("capacity", int64(capacity), 1, MaxCapacity, "keys"); err != nil {
		return Sketch{}, err
	}
	return newSketch(capacity), nil
}

func newSketch(capacity int) Sketch {
	words := max(blockWords, 1<<bits.Len(uint(capacity-1)))
	return Sketch{words: make([]uint64, words), sample: sampleOf * int64(capacity)}
}

// block is the words of a hash's counters, and which tells the counters: a byte for each row, its lowest bit the word of two, the
// next four the counter in it.
func (s *Sketch) block(h uint64) (words *[blockWords]uint64, which uint32) {
	// The table's homes follow the upper bits of the hash, so it is mixed once more.
	h = hashing.Mix64(h)
	first := int(h>>32) & (len(s.words) - 1) &^ (blockWords - 1)
	return (*[blockWords]uint64)(s.words[first:]), uint32(h)
}

// Add counts one use of a key, known by its hash. O(1); a halving, once in a sample, is O(capacity). The rows are written out,
// since every hit comes this way.
func (s *Sketch) Add(h uint64) {
	if len(s.words) == 0 {
		return
	}
	w, which := s.block(h)
	i0, i1, i2, i3 := which&1, 2|which>>8&1, 4|which>>16&1, 6|which>>24&1
	at0, at1, at2, at3 := which>>1&15*4, which>>9&15*4, which>>17&15*4, which>>25&15*4
	c0, c1, c2, c3 := w[i0]>>at0&counterMax, w[i1]>>at1&counterMax, w[i2]>>at2&counterMax, w[i3]>>at3&counterMax
	if least := min(c0, c1, c2, c3); least < counterMax {
		if c0 == least {
			w[i0] += 1 << at0
		}
		if c1 == least {
			w[i1] += 1 << at1
		}
		if c2 == least {
			w[i2] += 1 << at2
		}
		if c3 == least {
			w[i3] += 1 << at3
		}
	}
	if s.uses++; s.uses >= s.sample {
		s.halve()
	}
}

// Estimate is how often a key was used lately, 0..15.
func (s *Sketch) Estimate(h uint64) int {
	if len(s.words) == 0 {
		return 0
	}
	w, which := s.block(h)
	return int(min(
		w[which&1]>>(which>>1&15*4)&counterMax,
		w[2|which>>8&1]>>(which>>9&15*4)&counterMax,
		w[4|which>>16&1]>>(which>>17&15*4)&counterMax,
		w[6|which>>24&1]>>(which>>25&15*4)&counterMax,
	))
}

// halve rounds down: a key that was used once is forgotten.
func (s *Sketch) halve() {
	for i, w := range s.words {
		s.words[i] = w >> 1 & 0x7777777777777777
	}
	s.uses /= 2
}

// Clone returns an independent copy.
func (s *Sketch) Clone() Sketch { c := *s; c.words = slices.Clone(s.words); return c }

// Size is 8 bytes for each key of the capacity, as a power of two.
func (s *Sketch) Size() int { return 8*len(s.words) + 16 }
