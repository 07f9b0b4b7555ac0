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
	"slices"

	"seedbed/labs/sim"
)

const (
	million = 1_000_000
	milli   = 1_000_000
	second  = 1_000_000_000
)

// must ends a run whose configuration a chapter refuses: the ranges of parameters are within its own, so that is a fault of the lab.
//
//go:noinline
func must(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic("consistency: " + err.Error())
		}
	}
}

// about is a duration between half the mean and one and a half times it. Bounded on both sides, so that a claim can hold for every seed.
func about(r *sim.Stream, mean int64) int64 { return mean/2 + r.Below(mean+1) }

// slots are places for what is under way, so that an event names it by a number. The zero value has none.
type slots[T any] struct {
	items []T
	free  []int32
}

// put takes a place, and returns its number.
func (s *slots[T]) put(v T) int64 {
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		s.items[i] = v
		return int64(i)
	}
	s.items = append(s.items, v)
	return int64(len(s.items) - 1)
}

// leave gives a place back, emptied.
func (s *slots[T]) leave(i int64) {
	var none T
	s.items[i] = none
	s.free = append(s.free, int32(i))
}

func (s *slots[T]) clone() slots[T] { return slots[T]{slices.Clone(s.items), slices.Clone(s.free)} }
