package routing

import "slices"

// slots holds values that come and go, each under a number of its own that is used again once it is free. The zero value is empty.
// It allocates only when more are held than ever before.
type slots[T any] struct {
	all    []T
	vacant []int32
}

func (s *slots[T]) take(v T) int64 {
	n := len(s.vacant)
	if n == 0 {
		s.all = append(s.all, v)
		return int64(len(s.all) - 1)
	}
	i := s.vacant[n-1]
	s.vacant = s.vacant[:n-1]
	s.all[i] = v
	return int64(i)
}

func (s *slots[T]) free(i int64) { s.vacant = append(s.vacant, int32(i)) }

func (s *slots[T]) clone() slots[T] {
	return slots[T]{all: slices.Clone(s.all), vacant: slices.Clone(s.vacant)}
}

// line is who waits for a server, the longest first. The zero value is empty.
type line struct {
	numbers []int64
	head    int
}

func (l *line) len() int { return len(l.numbers) - l.head }

func (l *line) push(n int64) { l.numbers = append(l.numbers, n) }

// pop takes out who has waited the longest; the line must not be empty. What has been served is cut off now and then, so that the
// slice stays within twice the length of the line.
func (l *line) pop() int64 {
	n := l.numbers[l.head]
	l.head++
	if l.head > 64 && 2*l.head > len(l.numbers) {
		l.numbers = l.numbers[:copy(l.numbers, l.numbers[l.head:])]
		l.head = 0
	}
	return n
}

func (l *line) clear() { l.numbers, l.head = l.numbers[:0], 0 }

func (l *line) clone() line { return line{numbers: slices.Clone(l.numbers[l.head:])} }

// columnOf turns what is or is not so into the value of a column.
func columnOf(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
