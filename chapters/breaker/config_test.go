package breaker_test

import (
	"testing"

	"seedbed/chapters/breaker"
)

// TestBadConfigurations: one line says what is wrong, where, and what would be right.
func TestBadConfigurations(t *testing.T) {
	with := func(change func(*breaker.Config)) error {
		cfg := quick()
		change(&cfg)
		_, err := breaker.NewBreaker(cfg)
		return err
	}
	head := func(places int64, c ...breaker.Compartment) error {
		_, err := breaker.NewBulkhead(breaker.BulkheadConfig{Places: places, Compartments: c})
		return err
	}
	set := func(d ...breaker.Dependency) error {
		_, err := breaker.NewLockedSet(breaker.SetConfig{Places: 2, Dependencies: d}, nil)
		return err
	}
	_, locked := breaker.NewLocked(breaker.Config{}, nil)
	for _, c := range []struct {
		err  error
		want string
	}{
		{with(func(c *breaker.Config) { c.Window = -1 }), "window: -1 is outside 0..65536 calls"},
		{with(func(c *breaker.Config) { c.Window = 0 }), "window: none; want Window (calls) or Span (ns) above 0"},
		{locked, "window: none; want Window (calls) or Span (ns) above 0"},
		{with(func(c *breaker.Config) { c.Span = 1 }), "window: Window (calls) and Span (ns) are both set; want one of them"},
		{with(func(c *breaker.Config) { c.Window, c.Span = 0, -1 }), "span: -1 is outside 0..4611686018427387904 ns"},
		{with(func(c *breaker.Config) { c.Window, c.Span, c.Buckets = 0, 5, 6 }), "buckets: 6 is outside 1..5"},
		{with(func(c *breaker.Config) { c.MinCalls = 11 }), "min calls: 11 is outside 1..10 calls"},
		{with(func(c *breaker.Config) { c.MinCalls = 0 }), "min calls: 0 is outside 1..10 calls"},
		{with(func(c *breaker.Config) { c.FailurePercent = 0 }), "failure percent: 0 is outside 1..100"},
		{with(func(c *breaker.Config) { c.SlowPercent = 101 }), "slow percent: 101 is outside 0..100"},
		{with(func(c *breaker.Config) { c.SlowAfter = -1 }), "slow after: -1 is outside 0..4611686018427387904 ns"},
		{with(func(c *breaker.Config) { c.OpenFor = 0 }), "open for: 0 is outside 1..4611686018427387904 ns"},
		{with(func(c *breaker.Config) { c.Probes = 65 }), "probes: 65 is outside 1..64 calls"},
		{with(func(c *breaker.Config) { c.Lease = 0 }), "lease: 0 is outside 1..4611686018427387904 ns"},
		{with(func(c *breaker.Config) { c.Ramp = -1 }), "ramp: -1 is outside 0..4611686018427387904 ns"},
		{with(func(c *breaker.Config) { c.FirstPercent = 101 }), "first percent: 101 is outside 1..100"},
		{head(-1), "places: -1 is outside 0..1048576 calls"},
		{head(3, breaker.Compartment{}), "a dependency has no name; want one that no other has"},
		{head(3, breaker.Compartment{Name: "a"}, breaker.Compartment{Name: "a"}), `dependency "a" is named twice; want one name each`},
		{head(3, breaker.Compartment{Name: "a", Max: 4}), "max of a: 4 is outside 0..3 calls"},
		{head(3, breaker.Compartment{Name: "a", Max: 2, Reserved: 3}), "reserved of a: 3 is outside 0..2 calls"},
		{head(3, breaker.Compartment{Name: "a", Max: 3, Reserved: 2}, breaker.Compartment{Name: "b", Max: 3, Reserved: 2}), "reserved of b: 2 is outside 0..1 calls"},
		{set(breaker.Dependency{Name: "a", Max: 3}), "max of a: 3 is outside 0..2 calls"},
		{set(breaker.Dependency{Name: "a", Max: 1}), "window: none; want Window (calls) or Span (ns) above 0"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
	for _, cfg := range []breaker.Config{breaker.Resilience4j(), breaker.Hystrix(), quick(), {
		Span: 1, MinCalls: 1, FailurePercent: 1, OpenFor: 1, Probes: 1, Lease: 1, // Buckets left out, and a window too short for ten
	}} {
		if _, err := breaker.NewBreaker(cfg); err != nil {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestZeroValuesRefuse: what nobody made refuses, panics never, and takes no report.
func TestZeroValuesRefuse(t *testing.T) {
	var b breaker.Breaker
	for _, now := range []int64{-1 << 63, 0, 1<<63 - 1} {
		if d := refused(t, &b, now, breaker.IsOpen); d.RetryAfter != breaker.Never {
			t.Errorf("at %d: worth coming back in %d, want never", now, d.RetryAfter)
		}
		if r := b.DoneAt(now, breaker.Ticket{}, breaker.Failure); r != (breaker.Report{}) {
			t.Errorf("at %d: a report does %+v", now, r)
		}
		b.CloseAt(now)
		b.OpenAt(now)
		want(t, &b, now, breaker.Open)
		if c, _ := b.CountsAt(now); c != (breaker.Counts{}) {
			t.Errorf("counts %+v", c)
		}
	}
	var h breaker.Bulkhead
	if _, ok := h.Take(0); ok || h.Release(breaker.Permit{}) || h.Room(-1) != 0 {
		t.Error("the zero bulkhead has places")
	}
	var s breaker.Set
	if _, d := s.AskAt(0, 0); d.OK || d.Reason != breaker.Full || s.DoneAt(0, breaker.Call{}, breaker.Failure) != (breaker.Report{}) {
		t.Errorf("the zero set: %+v", d)
	}
}

// TestFarEndsOfTime: instants at both ends of an int64 overflow nothing. What ends later than an int64 can say ends at its last instant.
func TestFarEndsOfTime(t *testing.T) {
	const first, last = -1 << 63, 1<<63 - 1
	for _, byTime := range []bool{false, true} {
		cfg := window(byTime, 2, 50)
		cfg.OpenFor, cfg.Lease, cfg.Ramp = breaker.MaxDuration, breaker.MaxDuration, breaker.MaxDuration
		b := must(breaker.NewBreaker(cfg))
		call(t, &b, first, breaker.Failure)
		call(t, &b, first, breaker.Failure)
		want(t, &b, first+breaker.MaxDuration-1, breaker.Open)
		call(t, &b, first+breaker.MaxDuration, breaker.Success)
		want(t, &b, first+2*breaker.MaxDuration-1, breaker.Recovering)
		want(t, &b, first+2*breaker.MaxDuration, breaker.Closed)
		call(t, &b, last-1, breaker.Failure)
		call(t, &b, last-1, breaker.Failure)
		if d := refused(t, &b, last-1, breaker.IsOpen); d.RetryAfter != 1 {
			t.Errorf("open until the last instant: %d", d.RetryAfter)
		}
		if d := refused(t, &b, first, breaker.IsOpen); d.RetryAfter != 1 {
			t.Errorf("asked at an old instant: %d", d.RetryAfter)
		}
	}
}

// TestWords: every state, outcome, reason and cause has a word of its own; what is none shows its number.
func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for i := range uint8(7) {
		for n, word := range []string{breaker.State(i).String(), breaker.Reason(i).String(), breaker.Cause(i).String(), breaker.Outcome(i).String()} {
			if known := []uint8{4, 5, 7, 4}[n]; i >= known {
				if word != string('0'+rune(i)) {
					t.Errorf("number %d of kind %d is called %q", i, n, word)
				}
			} else if key := string('0'+rune(n)) + word; seen[key] {
				t.Errorf("%q twice", word)
			} else {
				seen[key] = true
			}
		}
	}
}
