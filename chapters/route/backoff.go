package route

// Backoff is how long to wait between attempts: exponential, with full jitter (Brooker, "Exponential Backoff And Jitter", AWS
// Architecture Blog, 2015). Without jitter, those who failed together come back together. Any values are safe: a Base or Cap below 0
// counts as 0, and the zero value waits for nothing. It holds no state.
type Backoff struct {
	Base int64 // ns: the bound before the first retry
	Cap  int64 // ns: the bound never grows above
}

// Ceiling is the bound on the wait before retry number n, the first being 1: min(Cap, Base × 2^(n−1)), in 0..Cap, never falling as n
// grows, whatever n.
func (b Backoff) Ceiling(n int64) int64 {
	base, most := max(0, b.Base), max(0, b.Cap)
	if n < 1 {
		n = 1
	}
	// Base × 2^(n−1) ≤ Cap exactly when Base ≤ Cap ÷ 2^(n−1), and a shift to the right cannot overflow.
	if base == 0 {
		return 0
	}
	if n > 63 || base > most>>(n-1) {
		return most
	}
	return base << (n - 1)
}

// Wait draws the wait before retry number n: each of 0..Ceiling(n) is equally likely.
func (b Backoff) Wait(n int64, r Source) int64 {
	return upTo(b.Ceiling(n), r)
}

// upTo draws from 0..n, n included, for n ≥ 0.
func upTo(n int64, r Source) int64 {
	if n == maxInt64 {
		return r.Below(maxInt64)
	}
	return r.Below(n + 1)
}
