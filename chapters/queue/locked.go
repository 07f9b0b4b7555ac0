package queue

import "sync"

// Locked is a Queue for any number of goroutines, with a clock of its own that is read only under its lock.
type Locked struct {
	mu    sync.Mutex
	inner Queue
	clock func() int64
}

// NewLocked returns what NewQueue returns. clock returns nanoseconds; a server passes time.Since of a fixed start, which is monotonic.
func NewLocked(cfg Config, clock func() int64) (*Locked, error) {
	q, err := NewQueue(cfg)
	if err != nil {
		return nil, err
	}
	return &Locked{inner: q, clock: clock}, nil
}

// Push is Queue.PushAt for one with so much patience, in ns; NoDeadline is endless.
func (l *Locked) Push(patience int64) (Ticket, Decision) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock()
	return l.inner.PushAt(now, later(now, max(0, patience)))
}

// Pop is Queue.PopAt.
func (l *Locked) Pop() (Waiter, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.PopAt(l.clock())
}

// Late is Queue.LateAt.
func (l *Locked) Late() (Waiter, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.LateAt(l.clock())
}

// Cancel is Queue.Cancel.
func (l *Locked) Cancel(t Ticket) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.Cancel(t)
}

// Len is Queue.Len.
func (l *Locked) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.Len()
}

// Snapshot is a copy of the queue, to look at.
func (l *Locked) Snapshot() Queue {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.Clone()
}
