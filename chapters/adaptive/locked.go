package adaptive

import "sync"

// Locked is a Gate for any number of goroutines. It reads the time inside the critical section, so that no request seems to have begun before
// the limit was lowered only because it waited for the lock.
type Locked struct {
	mu    sync.Mutex
	gate  Gate
	clock func() int64
}

// NewLocked holds requests to l, which nobody else may use from now on. clock returns nanoseconds that never go back; a server passes
// time.Since of a fixed start.
func NewLocked(l Limit, clock func() int64) *Locked {
	return &Locked{gate: NewGate(l), clock: clock}
}

// Take is Gate.TakeAt now.
func (l *Locked) Take() (Ticket, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gate.TakeAt(l.clock())
}

// Done is Gate.DoneAt now.
func (l *Locked) Done(t Ticket, o Outcome) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gate.DoneAt(l.clock(), t, o)
}

// Limit is Gate.Limit.
func (l *Locked) Limit() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gate.Limit()
}

// InFlight is Gate.InFlight.
func (l *Locked) InFlight() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gate.InFlight()
}

// Refused is Gate.Refused.
func (l *Locked) Refused() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gate.Refused()
}
