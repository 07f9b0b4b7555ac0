package quota

import "math/bits"

const (
	maxInt64 = 1<<63 - 1
	minInt64 = -1 << 63
	million  = 1_000_000
)

// shortened is ⌊d × (10⁶ − drift)/(10⁶ + drift)⌋: how long something that lasts d by one clock surely lasts by another, when neither is off by
// more than drift parts of a million.
func shortened(d, drift int64) int64 {
	hi, lo := bits.Mul64(uint64(d), uint64(million-drift))
	q, _ := bits.Div64(hi, lo, uint64(million+drift))
	return int64(q)
}

// lengthened is ⌈d × (10⁶ + drift)/(10⁶ − drift)⌉: how long one must wait by one's own clock for d to have passed by another. At most three
// times d, which fits for d up to MaxDuration.
func lengthened(d, drift int64) int64 {
	hi, lo := bits.Mul64(uint64(d), uint64(million+drift))
	q, r := bits.Div64(hi, lo, uint64(million-drift))
	if r != 0 {
		q++
	}
	return int64(q)
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

// startOf is the start of the period in which an instant lies; periods lie side by side from instant 0 on. Near the first instant that an int64 can
// name it is that one.
func startOf(at, period int64) int64 {
	rest := at % period
	if rest < 0 {
		rest += period
	}
	if s := at - rest; s <= at {
		return s
	}
	return minInt64
}
