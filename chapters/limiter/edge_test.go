package limiter_test

import (
	"testing"

	"seedbed/chapters/limiter"
)

// arrive asks n times for one unit at an instant and returns how many passed.
func arrive(l limiter.Limiter, at, n int64) (passed int64) {
	for range n {
		if l.TakeAt(at, 1).OK {
			passed++
		}
	}
	return passed
}

// greedy asks for one unit whenever one may pass, until end, and returns the instants at which one did.
func greedy(l limiter.Limiter, from, end int64) (passed []int64) {
	for now := from; now < end; {
		d := l.TakeAt(now, 1)
		if d.OK {
			passed = append(passed, now)
			continue
		}
		now += d.RetryAfter
	}
	return passed
}

// busiest is the most of some instants in order that lie within one span shorter than window.
func busiest(instants []int64, window int64) (most int64) {
	from := 0
	for to, at := range instants {
		for at-instants[from] >= window {
			from++
		}
		most = max(most, int64(to-from+1))
	}
	return most
}

// TestAcrossTheEdge: 100 a second, 100 arrive just before a whole second and 100 just after.
func TestAcrossTheEdge(t *testing.T) {
	for _, c := range []struct {
		name          string
		l             limiter.Limiter
		before, after int64
	}{
		{"fixed", fixed(100, second), 100, 100},
		{"two counters", twoCounter(100, second), 100, 0},
		{"log", slidingLog(100, second), 100, 0},
		{"101 buckets", bucketed(100, second, 100, 0), 100, 0},
		{"100 buckets", bucketed(100, second, 100, 100), 100, 0},
		{"token bucket", tokenBucket(limiter.PerSecond(100), 100), 100, 0},
	} {
		if got := arrive(c.l, 999*ms, 100); got != c.before {
			t.Errorf("%s: %d of 100 passed at 0.999 s, want %d", c.name, got, c.before)
		}
		if got := arrive(c.l, 1001*ms, 100); got != c.after {
			t.Errorf("%s: %d of 100 passed at 1.001 s, want %d", c.name, got, c.after)
		}
	}
}

// TestWorstTrailingWindow lets everything pass that may after a burst at the end of a second, and looks for the busiest second.
func TestWorstTrailingWindow(t *testing.T) {
	for _, c := range []struct {
		name string
		l    limiter.Limiter
		most int64
	}{
		{"fixed", fixed(100, second), 200},
		{"two counters", twoCounter(100, second), 199},
		{"log", slidingLog(100, second), 100},
		{"101 buckets", bucketed(100, second, 100, 0), 100},
		{"token bucket", tokenBucket(limiter.PerSecond(100), 100), 199},
	} {
		if got := busiest(greedy(c.l, 999*ms, 3*second), second); got != c.most {
			t.Errorf("%s: %d in the busiest second, want %d", c.name, got, c.most)
		}
	}
}

// TestOneBucketShort: 100 buckets of 10 ms forget the first bucket of a second 0.1 ms too early for a unit at its end.
func TestOneBucketShort(t *testing.T) {
	const first, second0 = 9_900_000, 1_000_100_000 // 0.0099 s and 1.0001 s
	short, whole := bucketed(100, second, 100, 100), bucketed(100, second, 100, 0)
	for _, c := range []struct {
		name        string
		l           limiter.Limiter
		then, later int64
	}{{"100 buckets", short, 100, 100}, {"101 buckets", whole, 100, 0}} {
		if got := arrive(c.l, first, 100); got != c.then {
			t.Errorf("%s: %d of 100 passed at 0.0099 s, want %d", c.name, got, c.then)
		}
		if got := arrive(c.l, second0, 100); got != c.later {
			t.Errorf("%s: %d of 100 passed at 1.0001 s, %d ns later, want %d", c.name, got, int64(second0-first), c.later)
		}
	}
}

// TestWhatTheExtraBucketCosts: greedy arrivals get the limit once in B+1 buckets instead of once in B.
func TestWhatTheExtraBucketCosts(t *testing.T) {
	const seconds = 110
	for _, c := range []struct {
		buckets int
		least   int64 // in 110 s
	}{{1, 5500}, {10, 10_000}, {100, 10_892}} {
		got := int64(len(greedy(bucketed(100, second, c.buckets, 0), 0, seconds*second)))
		// ⌈seconds / (window·(B+1)/B)⌉ bursts of 100: rounded up because one falls on instant 0.
		periods := (seconds*int64(c.buckets) + int64(c.buckets)) / (int64(c.buckets) + 1)
		if got != 100*periods || got < c.least {
			t.Errorf("B = %d: %d passed in %d s, want %d and at least %d", c.buckets, got, seconds, 100*periods, c.least)
		}
	}
}

// TestWhatEachCosts is the state of each limiter for 100 a second, in bytes.
func TestWhatEachCosts(t *testing.T) {
	for _, c := range []struct {
		name  string
		l     limiter.Limiter
		bytes int
	}{
		{"fixed", fixed(100, second), 16},
		{"two counters", twoCounter(100, second), 24},
		{"log", slidingLog(100, second), 100*8 + 24},
		{"101 buckets", bucketed(100, second, 100, 0), 101*8 + 32},
		{"token bucket", tokenBucket(limiter.PerSecond(100), 100), 16},
		{"policer", policer(limiter.PerSecond(100), 100), 16},
		{"queue", queue(limiter.PerSecond(100), 99), 32},
		{"gcra", gcra(limiter.PerSecond(100), 100), 8},
		{"serial gcra", serialGCRA(limiter.PerSecond(100), 100), 8},
	} {
		arrive(c.l, 0, 100)
		if got := c.l.(interface{ Size() int }).Size(); got != c.bytes {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.bytes)
		}
	}
}

// TestTheLogGrowsAsNeeded, from eight units up to its limit and no further.
func TestTheLogGrowsAsNeeded(t *testing.T) {
	l := must(limiter.NewSlidingLog(limiter.WindowConfig{Limit: 100, Window: second}))
	for _, c := range []struct{ taken, units int64 }{{0, 0}, {1, 8}, {8, 8}, {9, 16}, {40, 40}, {41, 80}, {81, 100}, {100, 100}} {
		l.TakeAt(0, c.taken-(100-l.TakeAt(0, 0).Remaining))
		if got, want := l.Size(), int(8*c.units+24); got != want {
			t.Errorf("%d bytes for %d units, want %d", got, c.taken, want)
		}
	}
}
