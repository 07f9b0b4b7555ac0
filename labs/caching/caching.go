// Package caching holds the labs about a cache before a store that cannot bear what the cache keeps from it. Each is one value; package
// catalog lists them.
//
//	cache-avalanche    many keys end together, or the cache itself goes
//	cache-breakdown    one hot key ends, and everybody wants to load it
//	cache-penetration  what is asked for does not exist, so that no cache ever has it
//	eviction           there is not room for everything, and somebody must leave
//
// The caches, times to live, flights and filters are those of chapters/cache. A lab compares ways to use them: the checks judge the one
// that the parameter use names, and the others see the very same requests beside it, each with caches and a store of its own.
package caching

import (
	"math/bits"

	"seedbed/chapters/cache"
)

// The caches of all labs here hold whole numbers by whole numbers, so that the module has the code of each once.
type (
	keep    = cache.Cache[int64, int64]
	through = cache.ReadThrough[int64, int64]
	flight  = cache.Flight[int64]
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
			panic("caching: " + err.Error())
		}
	}
}

// asInt is 1 for what is so, else 0.
func asInt(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// ratio is a of b in parts per million, for a from 0; 0 when there is no b. Times in ns by a million pass 64 bits.
func ratio(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(a), million)
	if uint64(b) <= hi {
		return 0
	}
	q, _ := bits.Div64(hi, lo, uint64(b))
	return int64(q)
}
