package breakertest

import "testing"

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

// try runs one claim on each schedule, until the first failure.
func (g *Target) try(t TB, k check) {
	t.Helper()
	for seed := range g.Seeds {
		c := course{random: random(seed), inner: g.New()}
		if wrong := k.run(g, &c); wrong != "" {
			t.Errorf("%s: seed %d: %s%s", k.name, seed, wrong, c.tail())
			return
		}
	}
}

// sound reports whether there is anything to test, and sets what was left out.
func (g *Target) sound(t TB) bool {
	t.Helper()
	switch {
	case g.New == nil:
		t.Errorf("target: New is nil; it must return a fresh breaker")
	case g.Claims == 0:
		t.Errorf("target: no claims; start with breakertest.Always")
	case g.MinCalls < 1, g.FailurePercent < 1, g.FailurePercent > 100, g.OpenFor < 1, g.Probes < 1:
		t.Errorf("target: MinCalls %d, FailurePercent %d, OpenFor %d, Probes %d; want each at least 1, and percents up to 100",
			g.MinCalls, g.FailurePercent, g.OpenFor, g.Probes)
	case g.Window != 0 && g.Window < g.MinCalls, g.Recovers < 0:
		t.Errorf("target: Window %d, Recovers %d; want a window of at least MinCalls (%d) or 0, and no time below 0", g.Window, g.Recovers, g.MinCalls)
	case g.Claims&Leases != 0 && g.Lease < 1:
		t.Errorf("target: Lease %d; want at least 1 for the claim leases", g.Lease)
	case g.Seeds < 0:
		t.Errorf("target: %d seeds; want 1 or more, or 0 for 50", g.Seeds)
	default:
		if g.Seeds == 0 {
			g.Seeds = 50
		}
		return true
	}
	return false
}
