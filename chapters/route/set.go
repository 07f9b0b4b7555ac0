package route

import "math/bits"

// set is a set of peers by index, a bit each: in order of the index, so that no choice depends on who came and went, and walked a
// word at a time.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) put(i int, in bool) {
	if in {
		s[i>>6] |= 1 << (i & 63)
	} else {
		s[i>>6] &^= 1 << (i & 63)
	}
}

// len is how many are in it.
func (s set) len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// from returns the first index ≥ i, −1 when there is none.
func (s set) from(i int) int {
	k := i >> 6
	if k >= len(s) {
		return -1
	}
	for w := s[k] >> (i & 63) << (i & 63); ; w = s[k] {
		if w != 0 {
			return k<<6 + bits.TrailingZeros64(w)
		}
		if k++; k == len(s) {
			return -1
		}
	}
}

// nth returns the n-th smallest, counted from 0, for 0 ≤ n < len.
func (s set) nth(n int) int {
	for k, w := range s {
		c := bits.OnesCount64(w)
		if n >= c {
			n -= c
			continue
		}
		for ; n > 0; n-- {
			w &= w - 1
		}
		return k<<6 + bits.TrailingZeros64(w)
	}
	return -1
}
