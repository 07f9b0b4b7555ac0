package limiter_test

import (
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/limiter"
)

// TestLayeredGrantsWhatAllGrant: the twin asks a copy of each layer; all must grant, and else all must be as before.
func TestLayeredGrantsWhatAllGrant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := limiter.Rate{N: rapid.Int64Range(1, 5).Draw(t, "N"), Per: rapid.Int64Range(1, 25).Draw(t, "Per")}
		window := rapid.Int64Range(1, 40).Draw(t, "window")
		twins := []limiter.Serial{
			tokenBucket(r, rapid.Int64Range(0, 5).Draw(t, "burst")).(limiter.Serial),
			slidingLog(rapid.Int64Range(1, 5).Draw(t, "limit"), window).(limiter.Serial),
			twoCounter(rapid.Int64Range(1, 5).Draw(t, "limit"), window).(limiter.Serial),
			queue(r, rapid.Int64Range(0, 5).Draw(t, "depth")).(limiter.Serial),
		}
		var layers []limiter.Serial
		for _, w := range twins {
			layers = append(layers, w.Copy())
		}
		l := limiter.NewLayered(layers...)
		now := int64(0)
		for i := range rapid.IntRange(1, 60).Draw(t, "calls") {
			now += rapid.Int64Range(0, 20).Draw(t, "step")
			n := rapid.Int64Range(-1, 6).Draw(t, "n")
			want := limiter.Decision{OK: true, Limit: 1 << 62}
			for _, w := range twins {
				want.OK = want.OK && w.Copy().TakeAt(now, n).OK
			}
			for j, w := range twins {
				if want.OK {
					want.Delay = max(want.Delay, w.TakeAt(now, n).Delay)
				} else if d := w.Copy().TakeAt(now, n); d.RetryAfter == limiter.Never || want.RetryAfter == limiter.Never {
					want.RetryAfter = limiter.Never
				} else {
					want.RetryAfter = max(want.RetryAfter, d.RetryAfter)
				}
				d := w.TakeAt(now, 0)
				if want.ResetAfter = max(want.ResetAfter, d.ResetAfter); j == 0 {
					want.Remaining = d.Remaining
				}
				want.Limit, want.Remaining = min(want.Limit, d.Limit), min(want.Remaining, d.Remaining)
			}
			if got := l.TakeAt(now, n); got != want {
				t.Fatalf("call %d: at %d, n %d: %+v, want %+v", i, now, n, got, want)
			}
		}
		if sum := twins[0].Size() + twins[1].Size() + twins[2].Size() + twins[3].Size(); l.Size() != sum {
			t.Fatalf("%d bytes, its layers have %d", l.Size(), sum)
		}
	})
}

func TestNoLayersAdmitEverything(t *testing.T) {
	l := limiter.NewLayered()
	if d := l.TakeAt(0, 1_000_000); !d.OK {
		t.Errorf("%+v, want it admitted", d)
	}
	if d := limiter.TakeAll(0, -1); d.OK {
		t.Errorf("n = -1: %+v, want it refused", d)
	}
}

// TestTakeWithReportsBoth: a peek and a denial tell of the permits as well as of the rates.
func TestTakeWithReportsBoth(t *testing.T) {
	b := must(limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(1), Burst: 10}))
	l := limiter.NewLayered(&b)
	p := must(limiter.NewPermits(limiter.PermitsConfig{Limit: 3}))
	if permit, d := l.TakeWith(0, 0, &p); permit != (limiter.Permit{}) || !d.OK || d.Remaining != 3 || d.Limit != 3 || p.InFlight() != 0 {
		t.Errorf("a peek: %+v, permit %v, want 3 of 3 and no permit", d, permit)
	}
	if _, d := l.TakeWith(0, -1, &p); d.OK || d.Remaining != 3 || p.InFlight() != 0 {
		t.Errorf("n = -1: %+v, want it refused", d)
	}
	if _, d := l.TakeWith(0, 11, &p); d.OK || d.RetryAfter != limiter.Never || p.InFlight() != 0 {
		t.Errorf("n = 11 of 10: %+v, want never, and no permit", d)
	}
	first, d := l.TakeWith(0, 9, &p)
	if !d.OK || d.Remaining != 1 || d.ResetAfter != limiter.Never || p.InFlight() != 1 {
		t.Errorf("n = 9: %+v, want it admitted with one permit, and 1 left of the bucket", d)
	}
	if _, d := l.TakeWith(0, 2, &p); d.OK || d.RetryAfter != second || p.InFlight() != 1 {
		t.Errorf("n = 2: %+v, want a retry after a second, and no permit", d)
	}
	if !p.Release(first) {
		t.Error("the permit was not out")
	}
}

// TestPermitsAreASet: the twin is a set of what is out.
func TestPermitsAreASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(0, 5).Draw(t, "limit")
		p := must(limiter.NewPermits(limiter.PermitsConfig{Limit: limit}))
		out := map[limiter.Permit]bool{}
		var given []limiter.Permit
		var refused int64
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			if len(given) == 0 || rapid.Bool().Draw(t, "take") {
				permit, d := p.Take()
				if d.OK != (int64(len(out)) < limit) {
					t.Fatalf("%d of %d out: %+v", len(out), limit, d)
				}
				if d.OK {
					if out[permit] {
						t.Fatalf("%v was given out twice", permit)
					}
					out[permit] = true
					given = append(given, permit)
				}
			} else {
				permit := rapid.SampledFrom(given).Draw(t, "release")
				if got := p.Release(permit); got != out[permit] {
					t.Fatalf("releasing %v: %v, want %v", permit, got, out[permit])
				}
				if !out[permit] {
					refused++
				}
				delete(out, permit)
			}
			want := limiter.Decision{OK: true, Limit: limit, Remaining: limit - int64(len(out))}
			if len(out) > 0 {
				want.ResetAfter = limiter.Never
			}
			if got := p.Peek(); got != want || p.InFlight() != int64(len(out)) || p.Refused() != refused {
				t.Fatalf("%+v, %d out, %d refused, want %+v, %d, %d", got, p.InFlight(), p.Refused(), want, len(out), refused)
			}
		}
		c := p.Clone()
		for permit := range out { // in any order: each is released once
			if !p.Release(permit) || !c.Release(permit) {
				t.Fatalf("%v is out in the original and in its copy, but was refused", permit)
			}
		}
		if c.InFlight() != 0 || c.Size() != p.Size() || p.Size() != int(limit)*12+8 {
			t.Fatalf("the copy has %d out and %d bytes, the original %d bytes", c.InFlight(), c.Size(), p.Size())
		}
	})
}

// TestCancelInTheMiddleOfATurn gives back what has not begun.
func TestCancelInTheMiddleOfATurn(t *testing.T) {
	for _, c := range []struct{ atMs, back, resetMs int64 }{
		{0, 5, 0}, {50, 4, 50}, {99, 4, 1}, {100, 4, 0}, {101, 3, 99}, {450, 0, 50}, {500, 0, 0}, {9000, 0, 0},
	} {
		q := newQueue(limiter.PerSecond(10), 9)
		place, d := q.ReserveAt(0, 5)
		if !d.OK || d.Delay != 400*ms {
			t.Fatalf("five places: %+v, want the last to wait 400 ms", d)
		}
		if got := q.CancelAt(c.atMs*ms, place); got != c.back {
			t.Errorf("cancelled after %d ms: %d of 5 back, want %d", c.atMs, got, c.back)
		}
		if got := q.TakeAt(c.atMs*ms, 0).ResetAfter; got != c.resetMs*ms {
			t.Errorf("cancelled after %d ms: empty in %d ns, want %d ms", c.atMs, got, c.resetMs)
		}
	}
}

// TestATicketOfAnotherTime cancels nothing.
func TestATicketOfAnotherTime(t *testing.T) {
	q := newQueue(limiter.PerSecond(10), 9)
	first, _ := q.ReserveAt(0, 1)
	second1, _ := q.ReserveAt(0, 1)
	if got := q.CancelAt(0, second1); got != 1 {
		t.Fatalf("the last of two: %d back, want 1", got)
	}
	q.TakeAt(0, 1) // somebody else takes its place
	if got := q.CancelAt(0, second1); got != 0 {
		t.Errorf("its ticket again: %d back, want 0: the place is somebody else's", got)
	}
	if got := q.CancelAt(0, first) + q.CancelAt(0, limiter.Ticket{}); got != 0 {
		t.Errorf("a place with another behind it, and no ticket: %d back, want 0", got)
	}
}

// TestLockedKeepsTime: an old instant counts as the newest, and the answer is told from the caller's own.
func TestLockedKeepsTime(t *testing.T) {
	l := limiter.NewLocked(queue(limiter.PerSecond(10), 1), nil)
	l.TakeAt(10*second, 1)
	d := l.TakeAt(9*second, 1)
	want := limiter.Decision{OK: true, Limit: 2, Remaining: 0, ResetAfter: second + 200*ms, Delay: second + 100*ms}
	if d != want {
		t.Errorf("a second late: %+v, want %+v", d, want)
	}
	if d := l.TakeAt(9*second, 1); d.OK || d.RetryAfter != second+100*ms {
		t.Errorf("another: %+v, want a retry in 1.1 s", d)
	}
	if d := l.TakeAt(-1<<63, 1); d.OK || d.RetryAfter != limiter.Never || d.ResetAfter != 1<<63-1 {
		t.Errorf("an instant further away than an int64 can say: %+v, want never", d)
	}
}

// TestLockedReadsItsClock at any origin.
func TestLockedReadsItsClock(t *testing.T) {
	clock := int64(-5 * second)
	l := limiter.NewLocked(tokenBucket(limiter.PerSecond(1), 2), func() int64 { return clock })
	for i, c := range []struct {
		now int64
		ok  bool
	}{
		{-5 * second, true}, {-5 * second, true}, {-5 * second, false}, {-4 * second, true}, {-4 * second, false},
		{-8 * second, false}, {-7 * second, true}, {-7 * second, false}, {0, true}, {0, true}, {0, false},
	} {
		clock = c.now
		if got := l.Take(1).OK; got != c.ok {
			t.Errorf("t%d: at %d: OK %v, want %v", i, c.now, got, c.ok)
		}
	}
}

// TestLockedFormsShareOneState between goroutines; what they hold is what their plain forms hold.
func TestLockedFormsShareOneState(t *testing.T) {
	p := must(limiter.NewLockedPermits(limiter.PermitsConfig{Limit: 2}))
	a, d := p.Take()
	if b, e := p.Take(); !d.OK || !e.OK || p.InFlight() != 2 || !p.Release(b) || p.Release(b) || p.Refused() != 1 {
		t.Errorf("%+v, %+v, %d out, %d refused", d, e, p.InFlight(), p.Refused())
	}
	if !p.Release(a) {
		t.Error("the first permit was not out")
	}
	clock := int64(0)
	k := must(limiter.NewLockedKeyed[limiter.TokenBucket](limiter.KeyedConfig[limiter.TokenBucket]{
		New: must(limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(1), Burst: 1})), MaxKeys: 1,
	}, func() int64 { return clock }))
	if d, e, f := k.Take("a", 1), k.Take("a", 1), k.Take("b", 1); !d.OK || e.OK || !f.OK || k.Len() != 1 || k.Crowded() != 1 {
		t.Errorf("%+v, %+v, %+v, %d keys, %d crowded, want a's limit to be its own and b in the crowd", d, e, f, k.Len(), k.Crowded())
	}
	clock = second
	if got := k.Sweep(); got != 1 || k.Len() != 0 {
		t.Errorf("%d keys dropped a second later and %d left, want 1 and none", got, k.Len())
	}
	clock = 0
	if d := k.Take("a", 1); !d.OK {
		t.Errorf("with the clock set back: %+v, want it to go on", d)
	}
}
