package limiter_test

import (
	"testing"

	"seedbed/chapters/limiter"
)

// TestGCRATable is the table of throttled/throttled's own test (store-independent GCRA, 1 per second, maximal burst 4, so a limit of
// 5), with instants in milliseconds. There −1 as RetryAfter also marks an admission; here that is 0, and Never only for what can
// never pass.
func TestGCRATable(t *testing.T) {
	for _, kind := range []struct {
		name string
		l    limiter.Limiter
	}{
		{"atomic", gcra(limiter.PerSecond(1), 5)},
		{"serial", serialGCRA(limiter.PerSecond(1), 5)},
		// The same decisions, since it is the same limiter in another dress.
		{"token bucket", tokenBucket(limiter.PerSecond(1), 5)},
		{"policer", policer(limiter.PerSecond(1), 5)},
	} {
		t.Run(kind.name, func(t *testing.T) {
			for i, c := range []struct {
				atMs, n   int64
				ok        bool
				remaining int64
				resetMs   int64
				retryMs   int64
			}{
				{0, 6, false, 5, 0, limiter.Never},
				{0, 1, true, 4, 1000, 0},
				{0, 1, true, 3, 2000, 0},
				{0, 1, true, 2, 3000, 0},
				{0, 1, true, 1, 4000, 0},
				{0, 1, true, 0, 5000, 0},
				{0, 1, false, 0, 5000, 1000},
				{3000, 1, true, 2, 3000, 0},
				{3100, 1, true, 1, 3900, 0},
				{4000, 1, true, 1, 4000, 0},
				{8000, 1, true, 4, 1000, 0},
				{9500, 1, true, 4, 1000, 0},
				{9500, 0, true, 4, 1000, 0},
				{9500, 2, true, 2, 3000, 0},
				{9500, 5, false, 2, 3000, 3000},
				{15_000, 6, false, 5, 0, limiter.Never},
			} {
				want := limiter.Decision{OK: c.ok, Limit: 5, Remaining: c.remaining, ResetAfter: c.resetMs * ms, RetryAfter: c.retryMs}
				if c.retryMs > 0 {
					want.RetryAfter *= ms
				}
				if got := kind.l.TakeAt(c.atMs*ms, c.n); got != want {
					t.Errorf("t%d: at %d ms, n %d: %+v, want %+v", i, c.atMs, c.n, got, want)
				}
			}
		})
	}
}

// TestTokenBucketTable is golang.org/x/time/rate's table (rate_test.go, 10 per second, so 100 ms a token). Its rows for a clock
// that jumps back are left out: they hand out tokens that never were.
func TestTokenBucketTable(t *testing.T) {
	const d = 100 * ms
	type row struct {
		at, n int64
		ok    bool
	}
	for _, c := range []struct {
		burst int64
		rows  []row
	}{
		{1, []row{{0, 1, true}, {0, 1, false}, {d, 1, true}, {2 * d, 2, false}, {2 * d, 1, true}}},
		{3, []row{
			{0, 2, true}, {0, 2, false}, {0, 1, true}, {d, 4, false}, {2 * d, 1, true}, {3 * d, 1, true}, {4 * d, 1, true},
			{4 * d, 1, true}, {4 * d, 1, false}, {9 * d, 3, true}, {9 * d, 0, true},
		}},
	} {
		r := limiter.PerSecond(10)
		for name, l := range map[string]limiter.Limiter{
			"token bucket": tokenBucket(r, c.burst), "policer": policer(r, c.burst), "gcra": gcra(r, c.burst),
			"serial gcra": serialGCRA(r, c.burst), "queue": queue(r, c.burst-1),
		} {
			for i, row := range c.rows {
				if got := l.TakeAt(row.at, row.n).OK; got != row.ok {
					t.Errorf("%s, burst %d, t%d: at %d ms, n %d: OK %v, want %v", name, c.burst, i, row.at/ms, row.n, got, row.ok)
				}
			}
		}
	}
}

// TestQueueTable is nginx's limit_req with rate=10r/s burst=3 and no "nodelay", by its rule: a request is delayed by what waits
// before it, and refused when that is more than the burst.
func TestQueueTable(t *testing.T) {
	q := queue(limiter.PerSecond(10), 3)
	for i, c := range []struct {
		atMs, n          int64
		ok               bool
		delayMs, retryMs int64
	}{
		{0, 1, true, 0, 0},
		{0, 1, true, 100, 0},
		{0, 2, true, 300, 0}, // the last of two begins
		{0, 1, false, 0, 100},
		{50, 1, false, 0, 50},
		{100, 1, true, 300, 0},
		{150, 0, true, 0, 0},
		{350, 2, true, 250, 0},
		{350, 4, false, 0, 350},
		{700, 4, true, 300, 0},
		{700, 5, false, 0, limiter.Never},
	} {
		d := q.TakeAt(c.atMs*ms, c.n)
		retry := d.RetryAfter
		if retry > 0 {
			retry /= ms
		}
		if d.OK != c.ok || d.Delay != c.delayMs*ms || retry != c.retryMs {
			t.Errorf("t%d: at %d ms, n %d: OK %v, delay %d, retry %d ms, want %v, %d, %d", i, c.atMs, c.n, d.OK, d.Delay/ms, retry,
				c.ok, c.delayMs, c.retryMs)
		}
	}
}
