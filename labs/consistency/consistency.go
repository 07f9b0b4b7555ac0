// Package consistency holds the labs about two copies of one truth: a cache beside the store that it is filled from, and a lock beside
// the data that it is to guard. Each is one value; package catalog lists them.
//
//	cache-invalidate   who makes an old copy go away, and what brings it back
//	lock-fencing       who still writes after its lock has passed on
//
// How writers invalidate, and the tokens and versions of fills, are those of chapters/cache; lock, clocks and fence are those of
// chapters/lease. A lab compares ways: the checks judge the one that the parameter use names, and the others see the same requests beside
// it, each with a cache or a store of its own.
package consistency

import (
	"seedbed/labs/sim"
)

const (
	million = 1_000_000
	milli   = 1_000_000
	second  = 1_000_000_000
)

// about is a duration between half the mean and one and a half times it. Bounded on both sides, so that a claim can hold for every seed.
func about(r *sim.Stream, mean int64) int64 { return mean/2 + r.Below(mean+1) }
