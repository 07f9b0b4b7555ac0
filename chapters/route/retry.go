package route

// Failed is how an attempt failed, as far as a retry is concerned.
type Failed uint8

// The failures.
const (
	// NotSent: the request did not reach the other side, such as a refused connection. Even a plain POST may go again.
	NotSent Failed = iota
	// Lost: a time-out or a reset. It may have taken effect.
	Lost
	// Unavailable: 502, 503, 504. It reached something, and may have taken effect behind that.
	Unavailable
	// TooMany: 429. The other side is well and wants less.
	TooMany
	// Rejected: any other answer, such as 400 or 404. It would be the same again.
	Rejected
	// Local: refused on this side, by an open circuit, a full queue, a throttle or a limit. Trying again at once would take the
	// brake off.
	Local
)

var failures = [...]string{"not sent", "lost", "unavailable", "too many", "rejected", "local"}

// String is the failure in words.
func (f Failed) String() string { return nameOf(failures[:], uint8(f)) }

// Stop is why there is no retry.
type Stop uint8

// The reasons. Retried is the zero value, of decisions that are OK.
const (
	Retried    Stop = iota
	NotRetried      // this failure is never retried
	Unsafe          // it may have taken effect, and nothing keeps it from doing so twice
	NoAttempts      // as many attempts as there may be
	NoTime          // the wait would end at the deadline or later
	NoBudget        // too many retries already for so few requests
)

var stops = [...]string{"retried", "not retried", "unsafe", "no attempts left", "no time left", "no budget"}

// String is the reason in words.
func (s Stop) String() string { return nameOf(stops[:], uint8(s)) }

// Attempt tells a Retrier what happened.
type Attempt struct {
	Number   int64  // attempts made so far, this one included; 1 is the first
	Failed   Failed // how it failed
	Safe     bool   // doing it twice is doing it once: GET, PUT, DELETE, or a POST with an idempotency key
	Told     int64  // ns the other side asked to wait, from ParseRetryAfter; below 0 when it said nothing
	Deadline int64  // of the whole request; NoDeadline for none
}

// Retry is the answer.
type Retry struct {
	OK   bool
	Stop Stop
	Wait int64 // ns until the next attempt, 0..Backoff.Cap
}

// RetryConfig describes a Retrier.
type RetryConfig struct {
	Attempts int64 // most attempts in all, the first included, 1..100
	Backoff  Backoff
	Budget   BudgetConfig
}

// Retrier says whether and when to try again. O(1), flat; one for each other side that can be overloaded, shared by all requests to it.
//
// An attempt is one call, however many layers it passes: put a circuit breaker below the Retrier, where it sees each attempt, and
// report its refusals as Local.
type Retrier struct {
	cfg    RetryConfig
	budget Budget
}

// NewRetrier returns a *RangeError for a field out of range.
func NewRetrier(cfg RetryConfig) (Retrier, error) {
	b, err := NewBudget(cfg.Budget)
	return Retrier{cfg: cfg, budget: b}, firstOf(err,
		within("attempts", cfg.Attempts, 1, 100, ""),
		within("backoff base", cfg.Backoff.Base, 0, MaxDuration, "ns"),
		within("backoff cap", cfg.Backoff.Cap, 0, MaxDuration, "ns"),
	)
}

// FirstAt counts a first attempt, which pays for the retries of others.
func (t *Retrier) FirstAt(now int64) { t.budget.DepositAt(now) }

// NextAt decides after a failed attempt. The budget is asked last, so nothing is taken out for a retry that is not made.
func (t *Retrier) NextAt(now int64, a Attempt, r Source) Retry {
	switch {
	case a.Failed >= Rejected:
		return Retry{Stop: NotRetried}
	case a.Failed != NotSent && !a.Safe:
		return Retry{Stop: Unsafe}
	case a.Number >= t.cfg.Attempts:
		return Retry{Stop: NoAttempts}
	}
	wait := t.cfg.Backoff.After(a.Told, a.Number, r)
	if later(now, wait) >= a.Deadline {
		return Retry{Stop: NoTime}
	}
	if !t.budget.WithdrawAt(now) {
		return Retry{Stop: NoBudget}
	}
	return Retry{OK: true, Wait: wait}
}

// After is the wait before retry number n when the other side asked for told ns, always in 0..Cap. Told nothing (below 0) it is Wait.
// What was told is kept to, and what Wait would have drawn comes on top as far as Cap allows. More than Cap is not waited for; then it
// is drawn from the upper half of Cap, for all who were told the same would otherwise come back in one instant.
func (b Backoff) After(told, n int64, r Source) int64 {
	most := max(0, b.Cap)
	switch {
	case told < 0:
		return b.Wait(n, r)
	case told > most:
		return most - upTo(most/2, r)
	}
	return told + upTo(min(b.Ceiling(n), most-told), r)
}

// BalanceAt is how many retries the budget would grant.
func (t *Retrier) BalanceAt(now int64) int64 { return t.budget.BalanceAt(now) }

// Clone returns an independent copy.
func (t *Retrier) Clone() Retrier { return *t }

// Size is the bytes of state: the budget's.
func (t *Retrier) Size() int { return t.budget.Size() }
