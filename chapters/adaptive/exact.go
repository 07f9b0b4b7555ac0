package adaptive

import (
	"math/bits"

	"seedbed/chapters/pmath"
)

const (
	maxInt64 = 1<<63 - 1
	minInt64 = -1 << 63
)

// parts is how many parts a request has in a limit: with whole requests a step of a fifth of one would never be made.
const parts = 1 << 16

// mulDiv is ⌊a·b/c⌋ for a, b ≥ 0, c > 0, at most MaxInt64.
func mulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return maxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, maxInt64))
}

// divUp is ⌈a/b⌉ for a ≥ 0, b > 0.
func divUp(a, b int64) int64 {
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}

// root is √limit in parts, for a limit in parts up to MaxLimit: the product is below 2^53, so the root is of an exact number.
func root(limit int64) int64 { return pmath.Floor64(pmath.Sqrt(float64(limit * parts))) }

// since is to − from, 0 when to is earlier, MaxInt64 when no int64 can say it.
func since(from, to int64) int64 {
	if to <= from {
		return 0
	}
	return int64(min(uint64(to)-uint64(from), maxInt64))
}

// earlier is at − d for d ≥ 0, at least the first instant.
func earlier(at, d int64) int64 {
	if s := at - d; s <= at {
		return s
	}
	return minInt64
}
