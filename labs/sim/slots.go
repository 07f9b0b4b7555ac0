package sim

import "slices"

// Slots holds values that come and go, each under a number of its own that is used again once it is free, so that an event names one by
// its number. The zero value is empty. It allocates only when more are held than ever before.
type Slots[T any] struct {
	All    []T // by number; the zero value at a free one
	vacant []int32
}

// Take keeps a value and returns its number.
func (s *Slots[T]) Take(v T) int64 {
	n := len(s.vacant)
	if n == 0 {
		s.All = append(s.All, v)
		return int64(len(s.All) - 1)
	}
	i := s.vacant[n-1]
	s.vacant = s.vacant[:n-1]
	s.All[i] = v
	return int64(i)
}

// Free gives a number back, and leaves the zero value there.
func (s *Slots[T]) Free(i int64) {
	var none T
	s.All[i] = none
	s.vacant = append(s.vacant, int32(i))
}

// Vacant reports whether a number is free. O(n) of those that are.
func (s *Slots[T]) Vacant(i int64) bool { return slices.Contains(s.vacant, int32(i)) }

// Bytes is about what it holds in memory, at so many bytes a value.
func (s *Slots[T]) Bytes(each int) int { return each*len(s.All) + 4*len(s.vacant) }

// Clone returns a copy that goes its own way; values are copied as by assignment.
func (s *Slots[T]) Clone() Slots[T] {
	return Slots[T]{All: slices.Clone(s.All), vacant: slices.Clone(s.vacant)}
}
