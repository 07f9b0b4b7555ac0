package labs

import "math/bits"

// Bit is 1 for what is so, else 0, as columns, metrics and facts have it.
func Bit(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// PerMillion is a of b in parts per million, rounded down, for a and b from 0; 0 when there is no b. Times in ns by a million pass 64 bits, and
// it bears that.
func PerMillion(a, b int64) int64 {
	const million = 1_000_000
	hi, lo := bits.Mul64(uint64(a), million)
	if uint64(b) <= hi {
		return 0
	}
	q, _ := bits.Div64(hi, lo, uint64(b))
	return int64(q)
}

// Must ends a run whose configuration a chapter refuses: the ranges of parameters are within the chapters' own, so that is a fault of the
// lab.
//
//go:noinline
func Must(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic(err)
		}
	}
}
