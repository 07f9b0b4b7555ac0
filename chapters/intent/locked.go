package intent

import "sync"

// Locked is a Log for any number of goroutines, with a clock of its own. The store is written under the lock, one record at a time: its
// durability is the pace of acceptance.
type Locked struct {
	mu    sync.Mutex
	inner Log
	clock func() int64
}

// NewLocked returns what New returns. clock returns nanoseconds, best such that go on over restarts.
func NewLocked(cfg Config, store Store, clock func() int64) (*Locked, error) {
	l, err := New(cfg, store)
	if err != nil {
		return nil, err
	}
	return &Locked{inner: l, clock: clock}, nil
}

// Accept is Log.AcceptAt.
func (l *Locked) Accept(id uint64, body string) (Receipt, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.AcceptAt(l.clock(), id, body)
}

// Claim is Log.ClaimAt.
func (l *Locked) Claim() (Claim, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.ClaimAt(l.clock())
}

// Finish is Log.FinishAt.
func (l *Locked) Finish(c Claim, result string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.FinishAt(l.clock(), c, result)
}

// Fail is Log.FailAt.
func (l *Locked) Fail(c Claim, why string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.FailAt(l.clock(), c, why)
}

// Status is Log.StatusOf.
func (l *Locked) Status(id uint64) (State, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.StatusOf(id)
}

// Backlog is Log.Backlog.
func (l *Locked) Backlog() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.Backlog()
}
