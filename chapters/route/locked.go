package route

import "sync"

// Locked is a Pool for any number of goroutines, with a clock and a source of random numbers of its own, both used only under its
// lock. Peers go by name here: an index would mean another peer as soon as somebody else changes the set.
type Locked struct {
	mu     sync.Mutex
	inner  Pool
	clock  func() int64
	source Source
}

// NewLocked returns a *RangeError or *NameError for what cannot be. clock returns nanoseconds; a server passes time.Since of a fixed
// start, which is monotonic. source may be nil where PickAt allows it; with one, the pool begins at a random place of its cycle (Scatter).
func NewLocked(cfg Config, clock func() int64, source Source) (*Locked, error) {
	p, err := NewPool(cfg)
	if err != nil {
		return nil, err
	}
	if source != nil {
		p.Scatter(source)
	}
	return &Locked{inner: p, clock: clock, source: source}, nil
}

// Pick is Pool.PickOtherAt, with the names of the peers tried already. Without OK the name is empty.
func (l *Locked) Pick(tried ...string) (name string, d Decision) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var indexes [8]int // a retry knows few
	other := indexes[:0]
	for _, t := range tried {
		if i := l.inner.Find(t); i >= 0 {
			other = append(other, i)
		}
	}
	if d = l.inner.PickOtherAt(l.clock(), other, l.source); d.OK {
		name = l.inner.peers[d.Peer].Name
	}
	return name, d
}

// Done is Pool.DoneAt.
func (l *Locked) Done(lease Lease, o Outcome) Done {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.DoneAt(l.clock(), lease, o)
}

// SetHealth is Pool.SetHealth for the peer of a name; false also when there is none.
func (l *Locked) SetHealth(name string, up bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := l.inner.Find(name)
	return i >= 0 && l.inner.SetHealth(l.clock(), i, up)
}

// SetPeers is Pool.SetPeers.
func (l *Locked) SetPeers(peers []Peer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.SetPeers(l.clock(), peers)
}

// Snapshot is a copy of the pool, to look at.
func (l *Locked) Snapshot() Pool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inner.advance(l.clock())
	return l.inner.Clone()
}

// LockedRetrier is a Retrier for any number of goroutines.
type LockedRetrier struct {
	mu     sync.Mutex
	inner  Retrier
	clock  func() int64
	source Source
}

// NewLockedRetrier returns a *RangeError for a field out of range. clock and source are as for NewLocked; source may not be nil.
func NewLockedRetrier(cfg RetryConfig, clock func() int64, source Source) (*LockedRetrier, error) {
	t, err := NewRetrier(cfg)
	if err != nil {
		return nil, err
	}
	return &LockedRetrier{inner: t, clock: clock, source: source}, nil
}

// First is Retrier.FirstAt.
func (l *LockedRetrier) First() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inner.FirstAt(l.clock())
}

// Next is Retrier.NextAt. The deadline of the attempt is on the same clock.
func (l *LockedRetrier) Next(a Attempt) Retry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.NextAt(l.clock(), a, l.source)
}

// LockedKeys is Keys for any number of goroutines.
type LockedKeys[R any] struct {
	mu    sync.Mutex
	inner Keys[R]
	clock func() int64
}

// NewLockedKeys returns a *RangeError for a field out of range. clock is as for NewLocked.
func NewLockedKeys[R any](cfg KeysConfig, clock func() int64) (*LockedKeys[R], error) {
	k, err := NewKeys[R](cfg)
	if err != nil {
		return nil, err
	}
	return &LockedKeys[R]{inner: k, clock: clock}, nil
}

// Begin is Keys.BeginAt.
func (l *LockedKeys[R]) Begin(key string, print uint64) KeyDecision[R] {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.BeginAt(l.clock(), key, print)
}

// Finish is Keys.FinishAt.
func (l *LockedKeys[R]) Finish(c Claim, result R) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.FinishAt(l.clock(), c, result)
}

// Abandon is Keys.AbandonAt.
func (l *LockedKeys[R]) Abandon(c Claim) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.AbandonAt(l.clock(), c)
}
