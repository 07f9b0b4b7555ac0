package limiter

// RateConfig is what TokenBucket and Policer need: a steady rate, and how much may pass at once.
type RateConfig struct {
	Rate Rate
	// Burst is how many units can pass at one instant after a long pause, 0..(2^63−1)/p, where p is Rate.Per divided by the
	// greatest common divisor of Rate's two parts: at 1 per second up to 9,223,372,036. 0 denies every request.
	Burst int64
}

// check returns the reduced rate.
func (c RateConfig) check() (Rate, error) {
	if err := c.Rate.check(); err != nil {
		return Rate{}, err
	}
	r := c.Rate.reduced()
	return r, within("burst", c.Burst, 0, maxInt64/r.Per, "units at this rate")
}

// TokenBucket starts full with Burst tokens, gains Rate.N in each Rate.Per, never holds more than Burst, and a unit costs one
// token. Tokens are counted in parts of 1/p token (p as in RateConfig), of which each nanosecond brings a whole number, so nothing
// is rounded and nothing drifts. O(1), 16 bytes.
type TokenBucket struct {
	rate     Rate  // reduced: N parts a nanosecond, Per parts a token
	burst    int64 // tokens
	capacity int64 // parts
	state    bucketState
}

type bucketState struct {
	level int64 // parts
	last  int64 // newest instant seen
}

// NewTokenBucket returns a *RangeError for a field out of range.
func NewTokenBucket(cfg RateConfig) (TokenBucket, error) {
	r, err := cfg.check()
	if err != nil {
		return TokenBucket{}, err
	}
	full := cfg.Burst * r.Per
	return TokenBucket{rate: r, burst: cfg.Burst, capacity: full, state: bucketState{level: full, last: minInt64}}, nil
}

// TakeAt takes n tokens when they are there.
func (b *TokenBucket) TakeAt(now, n int64) Decision {
	if b.capacity == 0 {
		return Decision{OK: n == 0, RetryAfter: retryOnZero(n)}
	}
	s := &b.state
	if now > s.last {
		s.level += mulUpTo(since(s.last, now), b.rate.N, b.capacity-s.level)
		s.last = now
	}
	tokens := s.level / b.rate.Per
	ok := n >= 0 && n <= tokens
	if ok {
		s.level -= n * b.rate.Per
		tokens -= n
	}
	d := Decision{OK: ok, Limit: b.burst, Remaining: tokens}
	if s.level < b.capacity {
		d.ResetAfter = b.filled(now, b.capacity, maxInt64)
	}
	if !ok {
		d.RetryAfter = Never
		if n > 0 && n <= b.burst {
			d.RetryAfter = b.filled(now, n*b.rate.Per, Never)
		}
	}
	return d
}

// filled is how long after now the level reaches want, or tooFar when an int64 cannot say it.
func (b *TokenBucket) filled(now, want, tooFar int64) int64 {
	d := divUp(want-b.state.level, b.rate.N)
	at, ok := later(b.state.last, d)
	if !ok || since(now, at) > maxInt64 {
		return tooFar
	}
	return int64(since(now, at))
}

// Clone returns an independent copy.
func (b *TokenBucket) Clone() TokenBucket { return *b }

// Copy is Clone behind the interface.
func (b *TokenBucket) Copy() Serial { c := *b; return &c }

// Size is 16: the level and the newest instant.
func (b *TokenBucket) Size() int { return 2 * wordBytes }
