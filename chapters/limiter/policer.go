package limiter

// Policer is a leaky bucket used as a meter: each admitted unit is poured in, the bucket leaks at Rate, and what would overflow is
// denied at once. It is a token bucket counted from the other end and decides exactly alike (a test proves it); ITU-T I.371 calls
// it the continuous-state leaky bucket. O(1), 16 bytes.
type Policer struct {
	rate     Rate  // reduced: leaks N parts a nanosecond, a unit is Per parts
	burst    int64 // units that fit
	capacity int64 // parts
	state    bucketState
}

// NewPolicer returns a *RangeError for a field out of range.
func NewPolicer(cfg RateConfig) (Policer, error) {
	r, err := cfg.check()
	if err != nil {
		return Policer{}, err
	}
	return Policer{rate: r, burst: cfg.Burst, capacity: cfg.Burst * r.Per, state: bucketState{last: minInt64}}, nil
}

// TakeAt pours n units in when they fit.
func (b *Policer) TakeAt(now, n int64) Decision {
	if b.capacity == 0 {
		return Decision{OK: n == 0, RetryAfter: retryOnZero(n)}
	}
	s := &b.state
	s.leak(now, b.rate.N)
	room := (b.capacity - s.level) / b.rate.Per
	ok := n >= 0 && n <= room
	if ok {
		s.level += n * b.rate.Per
		room -= n
	}
	d := Decision{OK: ok, Limit: b.burst, Remaining: room}
	if s.level > 0 {
		d.ResetAfter = s.leaked(now, b.rate.N, 0, maxInt64)
	}
	if !ok {
		d.RetryAfter = Never
		if n > 0 && n <= b.burst {
			d.RetryAfter = s.leaked(now, b.rate.N, b.capacity-n*b.rate.Per, Never)
		}
	}
	return d
}

// leak lets the level fall until now; an older instant leaks nothing.
func (s *bucketState) leak(now, perNs int64) {
	if now > s.last {
		s.level -= mulUpTo(since(s.last, now), perNs, s.level)
		s.last = now
	}
}

// leaked is how long after now the level has fallen to want, or tooFar when an int64 cannot say it.
func (s *bucketState) leaked(now, perNs, want, tooFar int64) int64 {
	at, ok := later(s.last, divUp(s.level-want, perNs))
	if !ok || since(now, at) > maxInt64 {
		return tooFar
	}
	return int64(since(now, at))
}

// Clone returns an independent copy.
func (b *Policer) Clone() Policer { return *b }

// Copy is Clone behind the interface.
func (b *Policer) Copy() Serial { c := *b; return &c }

// Size is 16: the level and the newest instant.
func (b *Policer) Size() int { return 2 * wordBytes }
