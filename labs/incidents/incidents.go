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
	"slices"

	"seedbed/chapters/pmath"
	"seedbed/labs/sim"
)

const (
	million = 1_000_000
	second  = 1_000_000_000
)

// must ends a run whose configuration a chapter refuses: the ranges of parameters are within its own, so that is a fault of the lab.
//
//go:noinline
func must(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic("incidents: " + err.Error())
		}
	}
}

// demand is how often each of some keys is asked for: the k-th as often as 1/√k. A copy shares it; it is never written.
type demand []int64 // of all keys up to this one

func newDemand(keys int64) demand {
	d := make(demand, keys)
	total := int64(0)
	for k := range d {
		total += max(1, pmath.Round64(float64(1e9*pmath.Pow(float64(k+1), -0.5))))
		d[k] = total
	}
	return d
}

// draw picks a key, 0..n−1.
func (d demand) draw(r *sim.Stream) int64 {
	k, _ := slices.BinarySearch(d, r.Below(d[len(d)-1])+1)
	return int64(k)
}

// asInt is 1 for what is so, else 0.
func asInt(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// scaled is a·b ÷ c for numbers from 0, c above 0, whose product passes 64 bits; the quotient must not.
func scaled(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}
