package route

import (
	"math/bits"

	"seedbed/chapters/pmath"
)

const (
	maxInt64 = 1<<63 - 1
	minInt64 = -1 << 63
	second   = 1_000_000_000
)

// fraction is how many parts a whole has in what decays: latencies and penalties. With whole nanoseconds a value that is looked at
// often would be rounded back to where it was each time and never decay.
const fraction = 1 << 16

// decayed is ⌊v·e^(−d/mean)⌋ for v ≥ 0: what is left of v after d when its mean lifetime is mean. Rounding down, it falls with every
// step, however short.
func decayed(v, d, mean int64) int64 {
	if v == 0 || d <= 0 {
		return v
	}
	return pmath.Floor64(float64(float64(v) * pmath.Exp(-float64(d)/float64(mean))))
}

// since is to − from, 0 when to is earlier, MaxInt64 when no int64 can say it.
func since(from, to int64) int64 {
	if to <= from {
		return 0
	}
	return int64(min(uint64(to)-uint64(from), maxInt64))
}

// later is at + d for d ≥ 0, at most the last instant that an int64 can name.
func later(at, d int64) int64 {
	if s := at + d; s >= at {
		return s
	}
	return maxInt64
}

// floorDiv is ⌊a/b⌋ for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// mulUpTo is min(a·b, bound) for factors and bound ≥ 0.
func mulUpTo(a, b, bound int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi != 0 || lo > uint64(bound) {
		return bound
	}
	return int64(lo)
}

// mulDiv is a·b/c rounded toward 0, for b, c > 0 and |a| ≤ c, so that the result fits.
func mulDiv(a, b, c int64) int64 {
	neg := a < 0
	if neg {
		a = -a
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	if neg {
		return -int64(q)
	}
	return int64(q)
}

// compareRatios is the sign of a/p − b/q, for a, b ≥ 0 and p, q > 0.
func compareRatios(a, p, b, q int64) int {
	h1, l1 := bits.Mul64(uint64(a), uint64(q))
	h2, l2 := bits.Mul64(uint64(b), uint64(p))
	switch {
	case h1 < h2 || h1 == h2 && l1 < l2:
		return -1
	case h1 == h2 && l1 == l2:
		return 0
	}
	return 1
}

// gcd is the greatest common divisor of two numbers ≥ 0.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
