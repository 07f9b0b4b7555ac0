package sim

import (
	"slices"

	"seedbed/chapters/pmath"
)

// Zipf is how often each of some keys is asked for: the k-th as often as 1/k to the power of the skew, in billionths of the first, up to
// and with this key. It is never written once it is made, so copies share it.
type Zipf []int64

// NewZipf returns the popularity of n keys, n ≥ 1, with the skew in parts per million: 0 is flat. O(n).
func NewZipf(n, skew int64) Zipf {
	z := make(Zipf, n)
	total := int64(0)
	for k := range z {
		total += max(1, pmath.Round64(float64(1e9*pmath.Pow(float64(k+1), -float64(skew)/1_000_000))))
		z[k] = total
	}
	return z
}

// Draw picks a key, 0..n−1; it draws once, O(log n).
func (z Zipf) Draw(r *Stream) int64 {
	k, _ := slices.BinarySearch(z, r.Below(z[len(z)-1])+1)
	return int64(k)
}
