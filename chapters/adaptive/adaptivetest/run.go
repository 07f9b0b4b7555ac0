package adaptivetest

import (
	"testing"

	"seedbed/chapters/adaptive"
	"seedbed/chapters/hashing"
)

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

// try runs one claim on each history, until the first failure.
func (g *Target) try(t TB, k check) {
	t.Helper()
	for seed := range g.Seeds {
		c := course{Limit: g.New(), random: uint64(seed)}
		if wrong := k.run(g, &c); wrong != "" {
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
		t.Errorf("target: New is nil; it must return a fresh limit")
	case g.Claims == 0:
		t.Errorf("target: no claims; start with adaptivetest.Always")
	case g.Min < 1, g.Max <= g.Min, g.Pace < 1, g.Samples < 1:
		t.Errorf("target: Min %d, Max %d, Pace %d, Samples %d; want each at least 1, and Max above Min", g.Min, g.Max, g.Pace, g.Samples)
	case g.Claims&Ages != 0 && g.Life < 1:
		t.Errorf("target: Life %d; want at least 1 for the claim ages", g.Life)
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

// course is a limit and the time of its requests.
type course struct {
	Limit
	now    int64
	random uint64
}

// below is one of 0..n−1, and 0 for n below 1.
func (c *course) below(n int64) int64 {
	c.random += 0x9E3779B97F4A7C15
	return int64(hashing.Mix64(c.random) >> 1 % uint64(max(1, n)))
}

// one lets a request end, a pace after the one before.
func (c *course) one(g *Target, s adaptive.Sample) {
	c.now += g.Pace
	c.LearnAt(c.now, s)
}

// step lets enough of them end to make the limit move.
func (c *course) step(g *Target, s adaptive.Sample) {
	for range g.Samples {
		c.one(g, s)
	}
}

// past is a history by chance: the same for the same seed.
func (c *course) past(g *Target) {
	for range 1 + c.below(60) {
		c.one(g, adaptive.Sample{Took: g.Pace * (1 + c.below(10)), InFlight: 1 + c.below(2*c.Limit.Limit()), Dropped: c.below(20) == 0})
	}
	// Whole steps begin here: what was gathered before ends in one that is used by half.
	c.step(g, adaptive.Sample{Took: 10 * g.Pace, InFlight: (c.Limit.Limit() + 1) / 2})
}
