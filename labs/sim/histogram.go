package sim

import "math/bits"

// Buckets of a histogram: values below 2^subBits are exact, above each power of two is cut into 2^(subBits-1) equal parts, so a
// quantile is at most 1/32 above the true value. Values up to 2^maxBits ns (about 73 minutes) are told apart.
const (
	subBits = 6
	maxBits = 42
	nBucket = (maxBits-subBits+1)*(1<<(subBits-1)) + 1<<(subBits-1)
)

// Histogram counts durations in buckets of equal relative width, as HdrHistogram does (Gil Tene, http://hdrhistogram.org). The
// zero value is empty and ready. It is a flat value of about 5 KiB: a copy is independent. Add is O(1), Quantile O(buckets).
type Histogram struct {
	counts [nBucket]uint32
	n      int64
	sum    int64
	max    int64
}

func bucketOf(v int64) int {
	if v < 1<<subBits {
		return int(v)
	}
	exp := bits.Len64(uint64(v)) - subBits
	return exp<<(subBits-1) + int(v>>exp)
}

// upper is the largest value that falls into bucket i.
func upper(i int) int64 {
	if i < 1<<subBits {
		return int64(i)
	}
	exp := i>>(subBits-1) - 1
	return (int64(i-exp<<(subBits-1))+1)<<exp - 1
}

// Add counts one duration in ns; a negative one counts as 0, one over 2^42 − 1 as that.
func (h *Histogram) Add(v int64) {
	v = min(max(v, 0), 1<<maxBits-1)
	h.counts[bucketOf(v)]++
	h.n++
	h.sum += v
	h.max = max(h.max, v)
}

// Count is how many durations were added.
func (h *Histogram) Count() int64 { return h.n }

// Max is the longest duration added, exact up to 2^42 − 1 ns; 0 when empty.
func (h *Histogram) Max() int64 { return h.max }

// Mean is the average duration in ns, rounded down; 0 when empty.
func (h *Histogram) Mean() int64 {
	if h.n == 0 {
		return 0
	}
	return h.sum / h.n
}

// Quantile returns the least bucket bound that at least ppm parts in a million of the durations do not pass: Quantile(990_000) is
// the p99. It is never below the true value and at most 1/32 above it; 0 when empty.
func (h *Histogram) Quantile(ppm int64) int64 {
	if h.n == 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(h.n), uint64(min(max(ppm, 0), 1_000_000)))
	want, rest := bits.Div64(hi, lo, 1_000_000)
	if rest > 0 || want == 0 {
		want++
	}
	var seen uint64
	for i := range h.counts {
		seen += uint64(h.counts[i])
		if seen >= want {
			return min(upper(i), h.max)
		}
	}
	return h.max
}
