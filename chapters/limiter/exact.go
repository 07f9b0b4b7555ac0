package limiter

import "math/bits"

// Exact integer arithmetic for rates and instants: 128 bits where a product needs them, and bounds instead of overflow.

const (
	maxInt64 = 1<<63 - 1
	minInt64 = -1 << 63
)

// Rate is N units in each period of Per nanoseconds, kept as a ratio, so that 300 per second is exact although 1e9/300 is not
// whole. Both lie in 1..MaxInt64.
type Rate struct {
	N, Per int64
}

// PerSecond is n units a second.
func PerSecond(n int64) Rate { return Rate{N: n, Per: 1_000_000_000} }

// check names the part of the rate that is out of range.
func (r Rate) check() error {
	if err := within("rate", r.N, 1, maxInt64, "per period"); err != nil {
		return err
	}
	return within("period", r.Per, 1, maxInt64, "ns")
}

// reduced divides both parts by their greatest common divisor, which leaves the most room for products.
func (r Rate) reduced() Rate {
	a, b := r.N, r.Per
	for b != 0 {
		a, b = b, a%b
	}
	return Rate{N: r.N / a, Per: r.Per / a}
}

// since is to − from for to ≥ from, in full range: it fits a uint64 for any two instants.
func since(from, to int64) uint64 { return uint64(to) - uint64(from) }

// until is at − now, at most MaxInt64; at is not before now.
func until(now, at int64) int64 {
	return int64(min(since(now, at), maxInt64))
}

// retryUntil is at − now, or Never when no int64 can say it.
func retryUntil(now, at int64) int64 {
	if d := since(now, at); d <= maxInt64 {
		return int64(d)
	}
	return Never
}

// later is at + d for d ≥ 0, and false when that is past the last instant an int64 can name.
func later(at, d int64) (int64, bool) {
	s := at + d
	return s, s >= at
}

// floorDiv is ⌊a/b⌋ for b > 0; Go's own division rounds to zero, which would make the window around instant 0 twice as long.
// It divides without a sign: one division instead of two, and in WebAssembly no call for the one quotient that overflows.
func floorDiv(a, b int64) int64 {
	if a < 0 {
		return -1 - int64(uint64(-1-a)/uint64(b))
	}
	return int64(uint64(a) / uint64(b))
}

// endOf is the end of the i-th of the windows that lie side by side from instant 0 on, and false when that is past the last instant.
// i is the window of some instant, so at most one end wraps around, to below 0.
func endOf(i, width int64) (int64, bool) {
	end := (i + 1) * width
	return end, i < 0 || end >= 0
}

// mulDiv is ⌊a·b/c⌋ and whether there is a remainder, for a, b ≥ 0 and a·b/c < 2^64.
func mulDiv(a, b, c int64) (q int64, more bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi == 0 { // nearly always, and where Div64 is no single instruction many times quicker
		return int64(lo / uint64(c)), lo%uint64(c) != 0
	}
	quo, rem := bits.Div64(hi, lo, uint64(c))
	return int64(quo), rem != 0
}

// mulDivUp is ⌈a·b/c⌉ under the same conditions.
func mulDivUp(a, b, c int64) int64 {
	q, more := mulDiv(a, b, c)
	if more {
		q++
	}
	return q
}

// divUp is ⌈a/b⌉ for a ≥ 0, b > 0.
func divUp(a, b int64) int64 {
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}

// mulUpTo is min(a·b, bound), for bound ≥ 0.
func mulUpTo(a uint64, b, bound int64) int64 {
	hi, lo := bits.Mul64(a, uint64(b))
	if hi != 0 || lo > uint64(bound) {
		return bound
	}
	return int64(lo)
}
