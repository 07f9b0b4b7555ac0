package overload

import "slices"

// fifo is a line, the longest wait first. The zero value is empty. Both ends take O(1), amortised: what has left is cut off now and then,
// so that the slice stays within twice the line's length.
type fifo[T any] struct {
	items []T
	head  int
}

func (f *fifo[T]) len() int { return len(f.items) - f.head }

func (f *fifo[T]) push(v T) { f.items = append(f.items, v) }

// first is the head of the line, which must not be empty.
func (f *fifo[T]) first() *T { return &f.items[f.head] }

// pop takes out the head of the line, which must not be empty.
func (f *fifo[T]) pop() T {
	v := f.items[f.head]
	f.head++
	if f.head > 64 && 2*f.head > len(f.items) {
		f.items = f.items[:copy(f.items, f.items[f.head:])]
		f.head = 0
	}
	return v
}

func (f *fifo[T]) clone() fifo[T] { return fifo[T]{items: slices.Clone(f.items[f.head:])} }
