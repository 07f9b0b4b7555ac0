package intenttest

import (
	"testing"

	"seedbed/chapters/intent"
)

// Target is a store under test and what it promises.
type Target struct {
	// New returns an empty store. Each call returns another one.
	New func() intent.Store

	// Reopen closes a store and opens it again. Only Durable needs it.
	Reopen func(intent.Store) intent.Store

	// Seeds is how many sequences of records each claim is tried on; 0 means 20.
	Seeds int

	Claims Claim
}

// Claim is a set of promises.
type Claim uint

// The promises, each a subtest.
const (
	// Ordered: what was appended is read in that order, every field as it was.
	Ordered Claim = 1 << iota
	// Paged: it may be read from any record on, in pages of any size, which ends with none; reading changes nothing.
	Paged
	// Apart: what is appended to one store is not in another.
	Apart
	// Follows: a log over the store, opened anew after each of its calls, stands as one that was never closed.
	Follows
	// Concurrent: records that many goroutines append at once are all there, each whole, those of one goroutine in their order.
	Concurrent
	// Durable: closing and opening the store changes nothing, and it goes on behind what it holds.
	Durable

	// Full is every claim but Concurrent and Durable.
	Full = Ordered | Paged | Apart | Follows
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
	run   func(g *Target, seed uint64) string
}

var checks = []check{
	{Ordered, "ordered", ordered},
	{Paged, "paged", paged},
	{Apart, "apart", apart},
	{Follows, "follows", follows},
	{Concurrent, "concurrent", concurrent},
	{Durable, "durable", durable},
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

// Run tries each claim of the target in a subtest. It fails at once when the target itself makes no sense.
func Run(t *testing.T, target Target) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for _, k := range checks {
		if target.Claims&k.claim != 0 {
			t.Run(k.name, func(t *testing.T) { target.try(t, k) })
		}
	}
}

// Check is Run without subtests, for a TB of one's own.
func Check(t TB, target Target) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for _, k := range checks {
		if target.Claims&k.claim != 0 {
			target.try(t, k)
		}
	}
}

// try runs one claim on each sequence, until the first failure.
func (g *Target) try(t TB, k check) {
	t.Helper()
	for seed := range g.Seeds {
		if wrong := k.run(g, uint64(seed)); wrong != "" {
			t.Errorf("%s: seed %d: %s", k.name, seed, wrong)
			return
		}
	}
}

// sound reports whether there is anything to test, and sets what was left out.
func (g *Target) sound(t TB) bool {
	t.Helper()
	switch {
	case g.New == nil:
		t.Errorf("target: New is nil; it must return an empty store")
	case g.Claims == 0:
		t.Errorf("target: no claims; start with intenttest.Full")
	case g.Claims&Durable != 0 && g.Reopen == nil:
		t.Errorf("target: Reopen is nil; the claim durable needs it")
	case g.Seeds < 0:
		t.Errorf("target: %d seeds; want 1 or more, or 0 for 20", g.Seeds)
	default:
		if g.Seeds == 0 {
			g.Seeds = 20
		}
		return true
	}
	return false
}
