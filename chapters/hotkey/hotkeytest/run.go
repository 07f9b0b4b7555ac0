package hotkeytest

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

// try runs one claim on each stream, until the first failure.
func (g *Target) try(t TB, k check) {
	t.Helper()
	for seed := range g.Seeds {
		if wrong := k.run(g, seed); wrong != "" {
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
		t.Errorf("target: New is nil; it must return a fresh detector")
	case g.Claims == 0:
		t.Errorf("target: no claims; start with hotkeytest.Always")
	case g.Claims&Forgets != 0 && g.Life < 1:
		t.Errorf("target: Life %d; want at least 1 for the claim forgets", g.Life)
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
