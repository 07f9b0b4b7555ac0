package limiter_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/limiter"
)

const (
	hour = 3600 * second
	year = 365 * 24 * hour
)

// TestExactWithinOneInt64: where n·horizon stays below 2^63 the rate is kept as it is, else it is rounded to the slower side.
func TestExactWithinOneInt64(t *testing.T) {
	for _, c := range []struct {
		rate    limiter.Rate
		horizon int64
		exact   bool
	}{
		{limiter.PerSecond(1), 0, true},
		{limiter.PerSecond(100), 100 * year, true},
		{limiter.PerSecond(300), 0, true},
		{limiter.PerSecond(300), 97 * year, true},
		{limiter.PerSecond(300), 98 * year, false},
		{limiter.PerSecond(99_991), 25 * hour, true},
		{limiter.PerSecond(99_991), 26 * hour, false},
		{limiter.PerSecond(99_991), 0, false},
		{limiter.Rate{N: 1, Per: 30 * year}, 100 * year, true},
	} {
		g, err := limiter.NewGCRA(limiter.GCRAConfig{Rate: c.rate, Burst: 1, Horizon: c.horizon})
		if err != nil {
			t.Errorf("%+v over %d ns: %v", c.rate, c.horizon, err)
			continue
		}
		s := must(limiter.NewSerialGCRA(limiter.GCRAConfig{Rate: c.rate, Burst: 1, Horizon: c.horizon}))
		if g.Exact() != c.exact || s.Exact() != c.exact || g.Rate() != s.Rate() {
			t.Errorf("%+v over %d ns: exact %v and %v, want %v", c.rate, c.horizon, g.Exact(), s.Exact(), c.exact)
		}
	}
}

// TestRoundedIsSlowerByLittle, whatever the rate, the burst and the horizon, and nothing overflows at its far end.
func TestRoundedIsSlowerByLittle(t *testing.T) {
	for _, cfg := range []limiter.GCRAConfig{
		{Rate: limiter.PerSecond(99_991), Burst: 100},
		{Rate: limiter.PerSecond(999_999_999), Burst: 1, Horizon: hour},
		{Rate: limiter.Rate{N: 99_991, Per: hour}, Burst: 1_000_000},
		{Rate: limiter.Rate{N: 5, Per: 1 << 50}, Burst: 1000, Horizon: 1 << 61},
	} {
		if must(limiter.NewGCRA(cfg)).Exact() {
			t.Errorf("%+v is exact, so it does not show rounding", cfg)
		}
		keepsNearly(t, cfg)
	}
	rapid.Check(t, func(t *rapid.T) {
		keepsNearly(t, limiter.GCRAConfig{
			Rate:  limiter.Rate{N: rapid.Int64Range(1, 1<<50).Draw(t, "N"), Per: rapid.Int64Range(1, 1<<50).Draw(t, "Per")},
			Burst: rapid.Int64Range(0, 1<<40).Draw(t, "burst"), Horizon: rapid.Int64Range(1, 1<<62-1).Draw(t, "horizon"),
		})
	})
}

// keepsNearly makes a limiter, if it can be made, compares its rate with the one asked for, and spends its burst at the horizon.
func keepsNearly(t interface{ Fatalf(string, ...any) }, cfg limiter.GCRAConfig) {
	g, err := limiter.NewGCRA(cfg)
	if err != nil {
		return // TestGCRAErrorsSayWhatFits
	}
	kept := g.Rate()
	ratio := new(big.Rat).Quo(big.NewRat(kept.N, kept.Per), big.NewRat(cfg.Rate.N, cfg.Rate.Per))
	switch {
	case ratio.Cmp(big.NewRat(1, 1)) > 0:
		t.Fatalf("%+v is kept as %+v, which is faster", cfg, kept)
	case ratio.Cmp(big.NewRat(999, 1000)) < 0:
		t.Fatalf("%+v is kept as %+v, slower by more than 1 in 1000", cfg, kept)
	case g.Exact() != (ratio.Cmp(big.NewRat(1, 1)) == 0):
		t.Fatalf("%+v is kept as %+v, but exact says %v", cfg, kept, g.Exact())
	case cfg.Burst == 0:
		return
	}
	if cfg.Horizon == 0 {
		cfg.Horizon = limiter.DefaultHorizon
	}
	if d := g.TakeAt(cfg.Horizon, cfg.Burst); !d.OK || d.Remaining != 0 || d.ResetAfter <= 0 {
		t.Fatalf("%+v: the whole burst at the horizon: %+v", cfg, d)
	}
	for _, n := range []int64{1, cfg.Burst} {
		if d := g.TakeAt(0, n); d.OK {
			t.Fatalf("%+v: %d more at 0: %+v", cfg, n, d)
		}
		if d := g.TakeAt(cfg.Horizon, n); d.OK || d.RetryAfter != limiter.Never {
			t.Fatalf("%+v: %d more at the horizon: %+v, want never", cfg, n, d)
		}
	}
}

// TestGCRAErrorsSayWhatFits: the range in the error is right: at its end the limiter is made.
func TestGCRAErrorsSayWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := limiter.GCRAConfig{
			Rate:    limiter.Rate{N: rapid.Int64Range(0, 1<<62).Draw(t, "N"), Per: rapid.Int64Range(0, 1<<62).Draw(t, "Per")},
			Burst:   rapid.Int64Range(-1, 1<<62).Draw(t, "burst"),
			Horizon: rapid.Int64Range(-1, 1<<63-1).Draw(t, "horizon"),
		}
		// Each mend may uncover the next fault, but no more than there are fields.
		for range 6 {
			_, err := limiter.NewGCRA(cfg)
			if err == nil {
				return
			}
			fault := err.(*limiter.RangeError)
			if fault.Min > fault.Max || fault.Got >= fault.Min && fault.Got <= fault.Max {
				t.Fatalf("%+v: %v, which nothing satisfies or which is satisfied", cfg, err)
			}
			mended := min(max(fault.Got, fault.Min), fault.Max)
			switch fault.Field {
			case "rate":
				cfg.Rate.N = mended
			case "period":
				cfg.Rate.Per = mended
			case "burst":
				cfg.Burst = mended
			case "horizon":
				cfg.Horizon = mended
			default:
				t.Fatalf("an error about %q", fault.Field)
			}
		}
		t.Fatalf("still wrong after six mends: %+v", cfg)
	})
}

// TestPastTheHorizon a limiter runs dry and then says never; before 0 its clock has not begun.
func TestPastTheHorizon(t *testing.T) {
	g := must(limiter.NewGCRA(limiter.GCRAConfig{Rate: limiter.PerSecond(10), Burst: 5, Horizon: hour}))
	if got := arrive(g, -hour, 10); got != 5 {
		t.Errorf("%d passed before 0, want the burst of 5", got)
	}
	if d := g.TakeAt(0, 1); d.OK || d.RetryAfter != 100*ms {
		t.Errorf("at 0: %+v, want the burst still spent", d)
	}
	if got := arrive(g, hour, 10); got != 5 {
		t.Errorf("%d passed at the horizon, want the burst of 5", got)
	}
	for _, now := range []int64{hour, 2 * hour, 1<<63 - 1} {
		if d := g.TakeAt(now, 1); d.OK || d.RetryAfter != limiter.Never {
			t.Errorf("at %d: %+v, want never", now, d)
		}
	}
	early := must(limiter.NewGCRA(limiter.GCRAConfig{Rate: limiter.PerSecond(3), Burst: 1, Horizon: second + 1}))
	early.TakeAt(666_666_666, 1)
	if d := early.TakeAt(666_666_667, 1); d.OK || d.RetryAfter != 333_333_333 || !early.TakeAt(second, 1).OK {
		t.Errorf("a third of a second before the horizon: %+v, want a retry just before it", d)
	}
	if d := early.TakeAt(second+1, 1); d.OK || d.RetryAfter != limiter.Never {
		t.Errorf("at the horizon: %+v, want never", d)
	}
	if d := g.TakeAt(hour-50*ms, 1); d.OK || d.RetryAfter != limiter.Never {
		t.Errorf("50 ms before the horizon: %+v, want never: what could pass lies behind it", d)
	}
}

// TestDecisionsAllocateNothing, in any limiter, once its ring or table has grown.
func TestDecisionsAllocateNothing(t *testing.T) {
	all := windows(10, second)
	for name, l := range rates(limiter.PerSecond(10), 10) {
		all[name] = l
	}
	layered := limiter.NewLayered(tokenBucket(limiter.PerSecond(10), 5).(limiter.Serial), slidingLog(10, second).(limiter.Serial))
	all["layered"] = &layered
	for name, l := range all {
		now := int64(0)
		allocs := testing.AllocsPerRun(1000, func() {
			now += 30 * ms
			l.TakeAt(now, 1)
			l.TakeAt(now, 3)
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations for two decisions, want none", name, allocs)
		}
	}
}
