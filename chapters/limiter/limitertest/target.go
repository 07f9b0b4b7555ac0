package limitertest

import "seedbed/chapters/limiter"

// Target is a limiter under test and what it promises.
type Target struct {
	// New returns a fresh limiter. All that it returns must behave alike.
	New func() limiter.Limiter

	// Limit is how many units a fresh limiter admits at one instant, and no more; ≥ 0.
	Limit int64

	// Burst and Rate bound what is admitted: in any run of consecutive calls at most Burst + Rate·(latest − earliest instant).
	// Burst is Limit for most limiters, and twice that for those that count in aligned windows.
	Burst int64
	Rate  limiter.Rate

	// Window, if it is not 0, says that no span shorter than Window ns holds more than InWindow units.
	Window, InWindow int64

	// Sustained, if set, is the least that a caller gets in the long run who asks for one unit as soon as RetryAfter says. Without
	// it a limiter that is too strict passes.
	Sustained limiter.Rate

	// Origin is the first instant of the schedules, ns. Try one far from 0 too.
	Origin int64

	// Seeds is how many schedules each claim is tried on; 0 means 200.
	Seeds int

	Claims Claim
}

// Claim is a set of promises.
type Claim uint

// The promises, each a subtest named as its constant in lower case.
const (
	// Bounded: Burst, Rate and Window hold for instants that never go back.
	Bounded Claim = 1 << iota
	// Stale: Burst, Rate and Window hold for instants in any order, as from goroutines that read the clock before they waited for
	// a lock. An old instant must not mint units.
	Stale
	// Fills: a fresh limiter, and one after a long pause, admits exactly Limit at one instant: first one by one, then all at once.
	Fills
	// Repeats: two fresh limiters answer the same calls alike.
	Repeats
	// Silent: a denied request changes nothing. A limiter that saw only the admitted ones answers alike.
	Silent
	// Negative: n < 0 is refused and changes nothing; where Retries is claimed too, no wait helps it. No other claim asks for less than
	// nothing, so a limiter that pays out fails this one alone.
	Negative
	// Peeks: n = 0 is OK and changes nothing.
	Peeks
	// Remains: Remaining units are admitted, one more is not; 0 ≤ Remaining ≤ Limit; Decision.Limit is Limit.
	Remains
	// Retries: after a denial, the same request passes exactly RetryAfter later and not a nanosecond before; n > Limit gives
	// Never, n ≤ Limit never does.
	Retries
	// Resets: after exactly ResetAfter the limiter is as new, with all of Limit there, and a nanosecond before it is not.
	Resets
	// Concurrent: with 64 goroutines, each with its own and possibly old idea of the time, Burst and Rate hold, and in one instant
	// exactly Limit pass.
	Concurrent

	// Full is every claim but Concurrent.
	Full = Concurrent - 1
	// YesNo is what a limiter can promise that says only yes or no.
	YesNo = Bounded | Stale | Fills | Repeats | Silent | Negative | Peeks
)

// AllowFunc makes a limiter of a function that says only yes or no. Of its decisions only OK means anything.
type AllowFunc func(now, n int64) bool

// TakeAt calls f.
func (f AllowFunc) TakeAt(now, n int64) limiter.Decision { return limiter.Decision{OK: f(now, n)} }

// TB is the part of *testing.T that the checks use. A recording implementation shows that a check can fail.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// check is one claim and how it is tried.
type check struct {
	claim Claim
	name  string
	run   func(TB, *Target)
}

var checks = []check{
	{Bounded, "bounded", bounded},
	{Stale, "stale", stale},
	{Fills, "fills", fills},
	{Repeats, "repeats", repeats},
	{Silent, "silent", silent},
	{Negative, "negative", negative},
	{Peeks, "peeks", peeks},
	{Remains, "remains", remains},
	{Retries, "retries", retries},
	{Resets, "resets", resets},
	{Concurrent, "concurrent", concurrent},
}

// String lists the claims, as the subtests are named.
func (c Claim) String() string {
	s := ""
	for _, k := range checks {
		if c&k.claim != 0 {
			if s != "" {
				s += "|"
			}
			s += k.name
		}
	}
	if s == "" {
		return "none"
	}
	return s
}
