package breakertest

import "seedbed/chapters/breaker"

// Breaker is what is tested. Instants never go back, but under the Concurrent claim it is called from many goroutines.
type Breaker interface {
	// Ask reports whether a call may be made at now. When it may, done is to be called with the instant at which the call ended and how.
	Ask(now int64) (done func(now int64, o breaker.Outcome), ok bool)
}

// AskFunc is a Breaker made of a function.
type AskFunc func(now int64) (done func(now int64, o breaker.Outcome), ok bool)

// Ask calls the function.
func (f AskFunc) Ask(now int64) (func(now int64, o breaker.Outcome), bool) { return f(now) }

// Of is a breaker of this project as the suite wants it.
func Of(b *breaker.Breaker) Breaker {
	return AskFunc(func(now int64) (func(int64, breaker.Outcome), bool) {
		t, d := b.AskAt(now)
		return func(now int64, o breaker.Outcome) { b.DoneAt(now, t, o) }, d.OK
	})
}

// Target is a breaker under test and how it is configured.
type Target struct {
	// New returns a fresh, closed breaker. All that it returns must behave alike.
	New func() Breaker

	MinCalls       int   // calls before anything is judged; ≥ 1
	FailurePercent int   // opens at this share of failures, 1..100
	Window         int   // the last so many calls count; 0 says that all do which come at one instant
	OpenFor        int64 // ns that it stays open; ≥ 1
	Probes         int   // calls that half-open permits; ≥ 1
	Lease          int64 // ns after which a probe that did not report has failed; wanted by Leases
	Recovers       int64 // ns from the last probe until every call passes; 0: at once

	// Seeds is how many schedules each claim is tried on; 0 means 50.
	Seeds int

	Claims Claim
}

// Claim is a set of promises.
type Claim uint

// The promises, each a subtest.
const (
	// MinSample: failures alone, fewer than MinCalls, do not open it.
	MinSample Claim = 1 << iota
	// Trips: it opens with the very call that makes the share FailurePercent among the last Window, in whatever order they come, and
	// not before.
	Trips
	// Rests: open, it lets nothing pass for OpenFor, and then something.
	Rests
	// Probes: half-open, exactly Probes calls pass at a time.
	Probes
	// Reopens: when all its probes fail it is open for OpenFor again.
	Reopens
	// Closes: when all its probes succeed, every call passes after Recovers, and old failures are forgotten.
	Closes
	// Stale: calls from before it opened decide nothing when they end in half-open, and make no room among the probes.
	Stale
	// Once: a probe that is reported twice counts once, and makes room once.
	Once
	// Ignores: ignored probes make room and decide nothing.
	Ignores
	// Business: answers that say no open nothing, and as probes they close it.
	Business
	// Repeats: two fresh breakers answer the same calls alike.
	Repeats
	// Leases: probes that never report keep others out for Lease at the longest, and then for OpenFor.
	Leases
	// Concurrent: of many who ask at once in half-open, from as many goroutines, Probes pass.
	Concurrent

	// Always is what every breaker can promise.
	Always = MinSample | Trips | Rests | Probes | Reopens | Closes | Stale | Once | Business | Repeats
	// Full is all of it but Concurrent, which is for those that may be called from several goroutines.
	Full = Always | Ignores | Leases
)

// TB is the part of *testing.T that the checks use. A recording implementation shows that a check can fail.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// check is one claim and how it is tried: it returns what is wrong, "" when nothing is.
type check struct {
	claim Claim
	name  string
	run   func(g *Target, c *course) string
}

var checks = []check{
	{MinSample, "min-sample", minSample},
	{Trips, "trips", trips},
	{Rests, "rests", rests},
	{Probes, "probes", probes},
	{Reopens, "reopens", reopens},
	{Closes, "closes", closes},
	{Stale, "stale", stale},
	{Once, "once", once},
	{Ignores, "ignores", ignores},
	{Business, "business", business},
	{Repeats, "repeats", repeats},
	{Leases, "leases", leases},
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
