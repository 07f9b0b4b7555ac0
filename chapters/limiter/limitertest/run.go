package limitertest

import "testing"

// Run tries each claim of the target in a subtest. It fails at once when the target itself makes no sense.
func Run(t *testing.T, target Target) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for _, c := range checks {
		if target.Claims&c.claim != 0 {
			t.Run(c.name, func(t *testing.T) { c.run(t, &target) })
		}
	}
	if target.Sustained.N > 0 {
		t.Run("sustained", func(t *testing.T) { sustained(t, &target) })
	}
}

// Check is Run without subtests, for a TB of one's own.
func Check(t TB, target Target) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for _, c := range checks {
		if target.Claims&c.claim != 0 {
			c.run(t, &target)
		}
	}
	if target.Sustained.N > 0 {
		sustained(t, &target)
	}
}

// sound reports whether there is anything to test, and sets what was left out.
func (g *Target) sound(t TB) bool {
	t.Helper()
	switch {
	case g.New == nil:
		t.Errorf("target: New is nil; it must return a fresh limiter")
	case g.Limit < 0 || g.Burst < g.Limit:
		t.Errorf("target: limit %d and burst %d do not fit: 0 ≤ limit ≤ burst", g.Limit, g.Burst)
	case g.Rate.N < 1 || g.Rate.Per < 1:
		t.Errorf("target: rate %d per %d ns promises nothing; both parts are at least 1", g.Rate.N, g.Rate.Per)
	case g.Claims == 0 && g.Sustained.N == 0:
		t.Errorf("target: no claims; start with limitertest.Full or limitertest.YesNo")
	default:
		if g.Seeds == 0 {
			g.Seeds = 200
		}
		return true
	}
	return false
}
