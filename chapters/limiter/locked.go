package limiter

import "sync"

// Locked makes any limiter safe for concurrent use with a mutex. It reads or clamps the time inside the critical section: an
// instant captured before waiting for a lock is old by the time the lock is held, and a limiter that believed it would let the
// same nanoseconds refill it more than once.
type Locked struct {
	mu    sync.Mutex
	inner Limiter
	clock func() int64
	time  flow
}

// NewLocked wraps l, which nobody else may use from now on. clock returns nanoseconds and may be nil when only TakeAt is used; a
// server passes time.Since of a fixed start, which is monotonic.
func NewLocked(l Limiter, clock func() int64) *Locked {
	return &Locked{inner: l, clock: clock}
}

// Take asks for n units now, by the clock. If the clock is set back, the limiter's time goes on from where it was, so that it
// neither gives anything twice nor stands still until the clock has caught up.
func (l *Locked) Take(n int64) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner.TakeAt(l.time.read(l.clock), n)
}

// TakeAt asks for n units at now; an instant older than one seen before counts as that one. Take and TakeAt share one time: use
// one of them with a limiter.
func (l *Locked) TakeAt(now, n int64) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.time.clamp(now)
	return l.inner.TakeAt(at, n).shifted(since(now, at))
}

// flow is a time that only goes forward.
type flow struct {
	begun bool
	now   int64 // newest instant given out
	read0 int64 // newest reading of the clock
}

// clamp returns now, or the newest instant if that is later.
func (f *flow) clamp(now int64) int64 {
	if !f.begun || now > f.now {
		f.begun, f.now = true, now
	}
	return f.now
}

// read moves on by what the clock has moved on since its last reading, and by nothing when it was set back.
func (f *flow) read(clock func() int64) int64 {
	r := clock()
	if !f.begun {
		f.begun, f.now = true, r
	} else if r > f.read0 {
		f.now += int64(min(since(f.read0, r), since(f.now, maxInt64)))
	}
	f.read0 = r
	return f.now
}

// shifted tells a decision made at an instant from one that lies by nanoseconds earlier.
func (d Decision) shifted(by uint64) Decision {
	if by == 0 {
		return d
	}
	if d.ResetAfter > 0 {
		d.ResetAfter = int64(min(uint64(d.ResetAfter)+by, maxInt64))
	}
	if d.Delay > 0 {
		d.Delay = int64(min(uint64(d.Delay)+by, maxInt64))
	}
	if d.RetryAfter > 0 {
		if by > maxInt64-uint64(d.RetryAfter) {
			d.RetryAfter = Never
		} else {
			d.RetryAfter += int64(by)
		}
	}
	return d
}

// LockedPermits is Permits for any number of goroutines.
type LockedPermits struct {
	mu    sync.Mutex
	inner Permits
}

// NewLockedPermits returns a *RangeError for a field out of range.
func NewLockedPermits(cfg PermitsConfig) (*LockedPermits, error) {
	p, err := NewPermits(cfg)
	if err != nil {
		return nil, err
	}
	return &LockedPermits{inner: p}, nil
}

// Take is Permits.Take.
func (p *LockedPermits) Take() (Permit, Decision) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inner.Take()
}

// Release is Permits.Release.
func (p *LockedPermits) Release(t Permit) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inner.Release(t)
}

// InFlight is Permits.InFlight.
func (p *LockedPermits) InFlight() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inner.InFlight()
}

// Refused is Permits.Refused.
func (p *LockedPermits) Refused() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inner.Refused()
}

// LockedKeyed is Keyed for any number of goroutines.
type LockedKeyed[S any, P State[S]] struct {
	mu    sync.Mutex
	inner Keyed[S, P]
	clock func() int64
	time  flow
}

// NewLockedKeyed returns a *RangeError for a field out of range. clock returns nanoseconds, as for NewLocked.
func NewLockedKeyed[S any, P State[S]](cfg KeyedConfig[S], clock func() int64) (*LockedKeyed[S, P], error) {
	k, err := NewKeyed[S, P](cfg)
	if err != nil {
		return nil, err
	}
	return &LockedKeyed[S, P]{inner: k, clock: clock}, nil
}

// Take asks for n units of key now, by the clock, which may be set back as for Locked.Take.
func (k *LockedKeyed[S, P]) Take(key string, n int64) Decision {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.inner.TakeAt(key, k.time.read(k.clock), n)
}

// Len is Keyed.Len.
func (k *LockedKeyed[S, P]) Len() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.inner.Len()
}

// Crowded is Keyed.Crowded.
func (k *LockedKeyed[S, P]) Crowded() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.inner.Crowded()
}

// Sweep drops every key that is full again now and returns how many were dropped. It holds the lock for O(MaxKeys).
func (k *LockedKeyed[S, P]) Sweep() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.inner.SweepAt(k.time.read(k.clock))
}
