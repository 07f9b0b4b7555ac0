package limiter_test

import (
	"testing"

	"seedbed/chapters/limiter"
)

// TestBadConfigurations: one line says what is wrong, where, and what would be right.
func TestBadConfigurations(t *testing.T) {
	r := limiter.PerSecond(1)
	window := func(limit, w int64) error {
		_, err := limiter.NewFixedWindow(limiter.WindowConfig{Limit: limit, Window: w})
		return err
	}
	two := func(limit, w int64) error {
		_, err := limiter.NewTwoCounter(limiter.WindowConfig{Limit: limit, Window: w})
		return err
	}
	log := func(limit int64) error {
		_, err := limiter.NewSlidingLog(limiter.WindowConfig{Limit: limit, Window: 1})
		return err
	}
	buckets := func(w int64, b, kept int) error {
		_, err := limiter.NewBucketedWindow(limiter.BucketedConfig{Limit: 1, Window: w, Buckets: b, Kept: kept})
		return err
	}
	token := func(r limiter.Rate, burst int64) error {
		_, err := limiter.NewTokenBucket(limiter.RateConfig{Rate: r, Burst: burst})
		return err
	}
	que := func(depth int64) error {
		_, err := limiter.NewQueue(limiter.QueueConfig{Rate: r, Depth: depth})
		return err
	}
	permits := func(n int64) error {
		_, err := limiter.NewLockedPermits(limiter.PermitsConfig{Limit: n})
		return err
	}
	keys := func(n int) error {
		_, err := limiter.NewLockedKeyed[limiter.FixedWindow](limiter.KeyedConfig[limiter.FixedWindow]{MaxKeys: n}, nil)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{window(-1, 1), "limit: -1 is outside 0..9223372036854775807 per window"},
		{window(1, 0), "window: 0 is outside 1..9223372036854775807 ns"},
		{two(1, -5), "window: -5 is outside 1..9223372036854775807 ns"},
		{log(1<<24 + 1), "limit: 16777217 is outside 0..16777216 per window"},
		{buckets(0, 1, 0), "window: 0 is outside 1..9223372036854775807 ns"},
		{buckets(10, 0, 0), "buckets: 0 is outside 1..1048575 per window"},
		{buckets(10, 3, 0), "buckets: a window of 10 ns is not a multiple of 3; 1 ns would be left over"},
		{buckets(10, 5, 4), "kept: 4 is outside 5..6 buckets"},
		{buckets(10, 5, 7), "kept: 7 is outside 5..6 buckets"},
		{token(r, -1), "burst: -1 is outside 0..9223372036 units at this rate"},
		{token(limiter.Rate{N: -3, Per: 1}, 1), "rate: -3 is outside 1..9223372036854775807 per period"},
		{que(-1), "depth: -1 is outside 0..9223372035 units at this rate"},
		{permits(1<<24 + 1), "limit: 16777217 is outside 0..16777216 permits"},
		{keys(0), "keys: 0 is outside 1..16777216"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}

// TestZeroValuesFailClosed: a limiter that was never constructed admits nothing, panics never, and still answers a peek.
func TestZeroValuesFailClosed(t *testing.T) {
	var layered limiter.Layered
	if d := layered.TakeAt(0, 1); !d.OK {
		t.Errorf("no layers: %+v, want it admitted: nothing limits it", d)
	}
	for name, l := range map[string]limiter.Limiter{
		"fixed": &limiter.FixedWindow{}, "two counters": &limiter.TwoCounter{}, "log": &limiter.SlidingLog{},
		"buckets": &limiter.BucketedWindow{}, "token bucket": &limiter.TokenBucket{}, "policer": &limiter.Policer{},
		"queue": &limiter.Queue{}, "gcra": &limiter.GCRA{}, "serial gcra": &limiter.SerialGCRA{},
		"keyed": takeFunc((&oneKey{}).TakeAt),
	} {
		for _, now := range []int64{-1, 0, 1 << 62} {
			if got, want := l.TakeAt(now, 1), (limiter.Decision{RetryAfter: limiter.Never}); got != want {
				t.Errorf("%s: at %d: %+v, want %+v", name, now, got, want)
			}
			if got, want := l.TakeAt(now, 0), (limiter.Decision{OK: true}); got != want {
				t.Errorf("%s: a peek at %d: %+v, want %+v", name, now, got, want)
			}
			if got, want := l.TakeAt(now, -1), (limiter.Decision{RetryAfter: limiter.Never}); got != want {
				t.Errorf("%s: n = -1 at %d: %+v, want %+v", name, now, got, want)
			}
		}
	}
	if (&limiter.GCRA{}).Exact() || (&limiter.GCRA{}).Rate() != (limiter.Rate{}) {
		t.Error("the zero GCRA keeps a rate")
	}
	var p limiter.Permits
	if _, d := p.Take(); d.OK || p.Release(limiter.Permit{}) {
		t.Errorf("permits: %+v, want none", d)
	}
}

// TestFarEndsOfTime: instants at both ends of an int64 neither overflow nor mint anything.
func TestFarEndsOfTime(t *testing.T) {
	const first, last = -1 << 63, 1<<63 - 1
	all := windows(2, 10)
	for name, l := range rates(limiter.PerSecond(3), 2) {
		all[name] = l
	}
	all["longest window"] = slidingLog(2, last)
	all["longest fixed window"] = fixed(2, last)
	all["longest two windows"] = twoCounter(2, last)
	// The first window of 10 ns begins 2 ns before the first instant.
	for name, l := range map[string]limiter.Limiter{"fixed": fixed(2, 10), "two counters": twoCounter(2, 10), "one bucket": bucketed(2, 10, 1, 1)} {
		l.TakeAt(first, 2)
		if d := l.TakeAt(first, 1); name == "two counters" && d.RetryAfter != 8+5 || name != "two counters" && d.RetryAfter != 8 {
			t.Errorf("%s: %+v, want a retry when the window ends, or half of it has gone by", name, d)
		}
	}
	for name, l := range all {
		if got := arrive(l, first, 5); got != 2 {
			t.Errorf("%s: %d passed at the first instant, want 2", name, got)
		}
		if d := l.TakeAt(first, 1); d.ResetAfter <= 0 || d.RetryAfter == 0 {
			t.Errorf("%s: at the first instant, spent: %+v", name, d)
		}
		if got := arrive(l, last, 5); got != 2 {
			t.Errorf("%s: %d passed at the last instant, want 2", name, got)
		}
		// What could free a unit lies behind the last instant.
		if d := l.TakeAt(last, 1); d.OK || d.RetryAfter != limiter.Never || d.ResetAfter <= 0 {
			t.Errorf("%s: at the last instant, spent: %+v, want never", name, d)
		}
		if d := l.TakeAt(first, 1); d.OK || d.RetryAfter != limiter.Never || d.ResetAfter <= 0 {
			t.Errorf("%s: back at the first instant: %+v, want never", name, d)
		}
	}
}
