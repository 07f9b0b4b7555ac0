package cache

import (
	"math/bits"

	"seedbed/chapters/hashing"
)

const (
	maxInt64 = 1<<63 - 1
	minInt64 = -1 << 63
)

// later is at + d for d ≥ 0, at most the last instant that an int64 can name.
func later(at, d int64) int64 {
	if s := at + d; s >= at {
		return s
	}
	return maxInt64
}

// since is to − from, 0 when to is earlier, MaxInt64 when no int64 can say it.
func since(from, to int64) int64 {
	if to <= from {
		return 0
	}
	return int64(min(uint64(to)-uint64(from), maxInt64))
}

// floorDiv is ⌊a/b⌋ for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// share is ⌊n·ppm/1e6⌋ for n ≥ 0 and ppm in 0..1e6.
func share(n, ppm int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(ppm))
	q, _ := bits.Div64(hi, lo, million)
	return int64(q)
}

// flow is the newest instant seen; the zero value has seen none.
type flow struct {
	begun  bool
	newest int64
}

// clamp returns the instant, or the newest one seen when that is later.
func (f *flow) clamp(now int64) int64 {
	if !f.begun || now > f.newest {
		f.begun, f.newest = true, now
	}
	return f.newest
}

// stream is a small random stream, 8 bytes, copied with whatever holds it: SplitMix64 (Steele, Lea and Flood 2014).
type stream uint64

func (s *stream) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	return hashing.Mix64(uint64(*s))
}

// Below is in 0..n−1, for n ≥ 1. Its bias is below n ÷ 2^64.
func (s *stream) Below(n int64) int64 {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int64(hi)
}
