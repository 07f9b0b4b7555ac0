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
