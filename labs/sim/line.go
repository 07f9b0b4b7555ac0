package sim

import "slices"

// Line is who waits, the longest wait first. The zero value is empty. Both ends take O(1), amortised: what has left is cut off now and then,
// so that the slice stays within twice the line's length.
type Line[T any] struct {
	items []T
	head  int
}

// Len is how many wait.
func (l *Line[T]) Len() int { return len(l.items) - l.head }

// Push puts one at the end.
func (l *Line[T]) Push(v T) { l.items = append(l.items, v) }

// First is the head of the line, which must not be empty; valid until the next Push or Pop.
func (l *Line[T]) First() *T { return &l.items[l.head] }

// Pop takes out the head of the line, which must not be empty.
func (l *Line[T]) Pop() T {
	v := l.items[l.head]
	l.head++
	if l.head > 64 && 2*l.head > len(l.items) {
		l.items = l.items[:copy(l.items, l.items[l.head:])]
		l.head = 0
	}
	return v
}

// All is everybody in the line, in its order; valid until the next Push or Pop.
func (l *Line[T]) All() []T { return l.items[l.head:] }

// Cut shortens the line to its first n.
func (l *Line[T]) Cut(n int) { l.items = l.items[:l.head+n] }

// Bytes is about what it holds in memory, at so many bytes a value.
func (l *Line[T]) Bytes(each int) int { return each * len(l.items) }

// Clone returns a copy that goes its own way; values are copied as by assignment.
func (l *Line[T]) Clone() Line[T] { return Line[T]{items: slices.Clone(l.All())} }
