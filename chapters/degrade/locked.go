package degrade

import "sync"

// Locked is a Ladder for any number of goroutines, with a clock of its own that is read only under its lock.
type Locked struct {
	mu    sync.Mutex
	inner Ladder
	clock func() int64
}

// NewLocked returns what NewLadder returns. clock returns nanoseconds; a server passes time.Since of a fixed start, which is monotonic.
func NewLocked(cfg Config, clock func() int64) (*Locked, error) {
	l, err := NewLadder(cfg)
	if err != nil {
		return nil, err
	}
	return &Locked{inner: l, clock: clock}, nil
}

// Observe is Ladder.ObserveAt.
func (l *Locked) Observe(signal int, value int64) Changes {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.ObserveAt(l.clock(), signal, value)
}

// Level is Ladder.LevelAt.
func (l *Locked) Level(user string) Level {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.LevelAt(l.clock(), user)
}

// Hold is Ladder.HoldAt for so many nanoseconds; NoEnd is until Release.
func (l *Locked) Hold(level Level, percent, lasts int64) (Changes, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock()
	return l.inner.HoldAt(now, level, percent, later(now, max(0, lasts)))
}

// Release is Ladder.ReleaseAt.
func (l *Locked) Release() Changes {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.ReleaseAt(l.clock())
}

// Find is Ladder.Find.
func (l *Locked) Find(name string) int { return l.inner.Find(name) } // names do not change

// Snapshot is a copy of the ladder, to look at.
func (l *Locked) Snapshot() Ladder {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.Clone()
}
