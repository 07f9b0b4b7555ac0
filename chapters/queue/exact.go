package queue

import "math/bits"

const (
	maxInt64 = 1<<63 - 1
	minInt64 = -1 << 63
	second   = 1_000_000_000
)

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

// mulAddDiv is (a·b + r)/c and its remainder, for a, b, r ≥ 0 and c > 0; MaxInt64 and 0 when no int64 can say it.
func mulAddDiv(a, b, r, c int64) (quo, rem int64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(r), 0)
	if hi += carry; hi >= uint64(c) {
		return maxInt64, 0
	}
	q, m := bits.Div64(hi, lo, uint64(c))
	if q > maxInt64 {
		return maxInt64, 0
	}
	return int64(q), int64(m)
}
