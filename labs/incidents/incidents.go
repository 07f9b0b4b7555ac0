// Package incidents holds the labs of whole incidents, in which what the chapters teach one by one happens together. Each is one value;
// package catalog lists them.
//
//	avalanche  a sale, one time to live, a pool, and the defences that would have saved the orders
//
// What defends is that of the chapters: caches and flights of chapters/cache, buckets of chapters/limiter, breakers and bulkheads of
// chapters/breaker, lines of chapters/queue, the ladder of chapters/degrade, the wait before a reload of chapters/route.
package incidents

import (
	"math/bits"
)

const (
	million = 1_000_000
	second  = 1_000_000_000
	skew    = million / 2 // of what people look at: the k-th key is asked for as often as 1/√k
)

// scaled is a·b ÷ c for numbers from 0, c above 0, whose product passes 64 bits; the quotient must not.
func scaled(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}
