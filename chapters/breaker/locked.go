package breaker

import "sync"

// Locked is a Breaker for any number of goroutines, with a clock of its own that is read only under its lock. The clock costs more than
// all the rest of a call, so while the breaker is closed it is read only when somebody has to know the time: for a window of time, to
// tell slow calls, or at the moment of opening.
//
// No function of the caller's runs under the lock.
type Locked struct {
	mu    sync.Mutex
	inner Breaker
	clock func() int64
	timed bool // while closed, the time matters
	log   changeLog
}

// NewLocked returns what NewBreaker returns. clock returns nanoseconds; a server passes time.Since of a fixed start, which is
// monotonic.
func NewLocked(cfg Config, clock func() int64) (*Locked, error) {
	b, err := NewBreaker(cfg)
	if err != nil {
		return nil, err
	}
	return &Locked{inner: b, clock: clock, timed: cfg.Span > 0 || cfg.SlowPercent > 0}, nil
}

// Ask is Breaker.AskAt.
func (l *Locked) Ask() (Ticket, Decision) {
	l.mu.Lock()
	if l.inner.state == Closed && !l.timed {
		t := Ticket{gen: l.inner.gen}
		l.mu.Unlock()
		return t, Decision{OK: true, State: Closed}
	}
	t, d := l.inner.AskAt(l.clock())
	l.log.keep(&d.Changes)
	l.mu.Unlock()
	return t, d
}

// Done is Breaker.DoneAt.
func (l *Locked) Done(t Ticket, o Outcome) Report {
	l.mu.Lock()
	if l.inner.state == Closed && !l.timed && !l.inner.wouldTrip(t, o) {
		r := l.inner.DoneAt(l.inner.now, t, o)
		l.mu.Unlock()
		return r
	}
	r := l.inner.DoneAt(l.clock(), t, o)
	l.log.keep(&r.Changes)
	l.mu.Unlock()
	return r
}

// wouldTrip reports whether an outcome might open a closed breaker with a window of calls. It may say so once too often, never too
// rarely: the call that leaves the window is taken for a success.
func (b *Breaker) wouldTrip(t Ticket, o Outcome) bool {
	sum := b.window.sum
	sum.add(bit(o == Failure), 0)
	n := int64(min(sum.Calls, b.window.size))
	if t.gen != b.gen || o >= Ignored || n < b.cfg.MinCalls {
		return false
	}
	_, too := b.tooMany(sum, n)
	return too
}

// Open is Breaker.OpenAt.
func (l *Locked) Open() Changes {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.inner.OpenAt(l.clock())
	l.log.keep(&c)
	return c
}

// Close is Breaker.CloseAt.
func (l *Locked) Close() Changes {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.inner.CloseAt(l.clock())
	l.log.keep(&c)
	return c
}

// State is Breaker.StateAt.
func (l *Locked) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, c := l.inner.StateAt(l.clock())
	l.log.keep(&c)
	return s
}

// Since returns the changes after the first n, and how many there have been; whoever watches passes that the next time, and 0 the
// first. The last 16 are kept: when more than that have come, the older ones are missing.
func (l *Locked) Since(n uint64) ([]Change, uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, c := l.inner.StateAt(l.clock())
	l.log.keep(&c)
	return l.log.since(n), l.log.n
}

// Snapshot is a copy of the breaker, to look at.
func (l *Locked) Snapshot() Breaker {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.Clone()
}

// changeLog keeps the last changes for those who ask later.
type changeLog struct {
	n    uint64
	last [16]Change
}

func (g *changeLog) keep(c *Changes) {
	for i := range c.Len() {
		g.last[g.n%uint64(len(g.last))] = c.At(i)
		g.n++
	}
}

func (g *changeLog) since(n uint64) []Change {
	var out []Change
	size := uint64(len(g.last))
	if g.n > size {
		n = max(n, g.n-size)
	}
	for ; n < g.n; n++ {
		out = append(out, g.last[n%size])
	}
	return out
}

// LockedSet is a Set for any number of goroutines, with a clock as in Locked.
type LockedSet struct {
	mu    sync.Mutex
	inner Set
	clock func() int64
}

// NewLockedSet returns what NewSet returns. clock is as for NewLocked.
func NewLockedSet(cfg SetConfig, clock func() int64) (*LockedSet, error) {
	s, err := NewSet(cfg)
	if err != nil {
		return nil, err
	}
	return &LockedSet{inner: s, clock: clock}, nil
}

// Find is Set.Find.
func (l *LockedSet) Find(name string) int { return l.inner.Find(name) } // names do not change

// Ask is Set.AskAt.
func (l *LockedSet) Ask(i int) (Call, Decision) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.AskAt(l.clock(), i)
}

// Done is Set.DoneAt.
func (l *LockedSet) Done(c Call, o Outcome) Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.DoneAt(l.clock(), c, o)
}

// Snapshot is a copy of the set, to look at.
func (l *LockedSet) Snapshot() Set {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.Clone()
}
