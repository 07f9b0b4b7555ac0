package breaker

import "math/bits"

const (
	maxInt32 = 1<<31 - 1
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

// floorDiv is ⌊a/b⌋ for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// mulDiv is ⌊a·b/c⌋ for a, b ≥ 0 and c > 0, when it fits: a ≤ c.
func mulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}

// bit is 1 for true.
func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
