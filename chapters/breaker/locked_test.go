package breaker_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/breaker"
)

// TestLockedDecidesAlike: though it spares the clock, it decides as a Breaker that is told the time at each call.
func TestLockedDecidesAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		if rapid.Bool().Draw(t, "sparing") {
			cfg.Window, cfg.Span, cfg.SlowPercent = max(cfg.Window, cfg.MinCalls), 0, 0
		}
		now, reads := int64(0), 0
		l := must(breaker.NewLocked(cfg, func() int64 { reads++; return now }))
		b := must(breaker.NewBreaker(cfg))
		type pair struct{ mine, theirs breaker.Ticket }
		var held []pair
		bad := rapid.IntRange(0, 10).Draw(t, "bad")
		for step := range rapid.IntRange(1, 80).Draw(t, "steps") {
			now += rapid.Int64Range(0, 8).Draw(t, "passes")
			if rapid.Bool().Draw(t, "ask") || len(held) == 0 {
				theirs, want := b.AskAt(now)
				mine, got := l.Ask()
				if got != want {
					t.Fatalf("step %d: %+v, want %+v", step, got, want)
				}
				if got.OK {
					held = append(held, pair{mine, theirs})
				}
				continue
			}
			o := breaker.Success
			if rapid.IntRange(0, 9).Draw(t, "luck") < bad {
				o = breaker.Failure
			}
			want := b.DoneAt(now, held[0].theirs, o)
			if got := l.Done(held[0].mine, o); got != want {
				t.Fatalf("step %d: %v: %+v, want %+v", step, o, got, want)
			}
			held = held[1:]
		}
	})
}

// TestLockedSparesTheClock: closed, by calls, without looking at slowness, nobody has to know the time.
func TestLockedSparesTheClock(t *testing.T) {
	reads := 0
	cfg := quick()
	l := must(breaker.NewLocked(cfg, func() int64 { reads++; return 5 * second }))
	for range 1000 {
		ticket, _ := l.Ask()
		l.Done(ticket, breaker.Success)
	}
	if reads != 0 {
		t.Errorf("the clock was read %d times for 1000 calls", reads)
	}
	for range 8 {
		ticket, _ := l.Ask()
		l.Done(ticket, breaker.Failure)
	}
	c, _ := l.Since(0)
	if len(c) != 1 || c[0].At != 5*second {
		t.Errorf("opened at %+v, want when the clock says", c)
	}
}

// TestSetInARace: many goroutines, each call done once; the places held never pass the limit and are all free at the end.
func TestSetInARace(t *testing.T) {
	var clock atomic.Int64
	cfg := quick()
	cfg.OpenFor, cfg.Lease = 50, 50
	l := must(breaker.NewLockedSet(breaker.SetConfig{Places: 4, Dependencies: []breaker.Dependency{
		{Name: "a", Breaker: cfg, Reserved: 1, Max: 4}, {Name: "b", Breaker: cfg, Max: 2},
	}}, func() int64 { return clock.Add(1) }))
	var all sync.WaitGroup
	var out, passed atomic.Int64
	for id := range 16 {
		all.Go(func() {
			for k := range 300 {
				c, d := l.Ask((id + k) % 2)
				if !d.OK {
					continue
				}
				passed.Add(1)
				if n := out.Add(1); n > 4 {
					t.Errorf("%d calls at once, want at most 4", n)
				}
				out.Add(-1)
				l.Done(c, breaker.Outcome((id+k)%4))
			}
		})
	}
	all.Wait()
	end := l.Snapshot()
	if end.Bulkhead().Held(0) != 0 || end.Bulkhead().Held(1) != 0 || end.Bulkhead().Refused() != 0 || passed.Load() == 0 {
		t.Errorf("at the end %d and %d places are held, %d releases were refused, %d calls passed", end.Bulkhead().Held(0), end.Bulkhead().Held(1), end.Bulkhead().Refused(), passed.Load())
	}
}

// TestDoJudges: what an error means is the caller's to say.
func TestDoJudges(t *testing.T) {
	l := must(breaker.NewLocked(quick(), func() int64 { return 0 }))
	notFound, down := errors.New("not found"), errors.New("down")
	judge := func(err error) breaker.Outcome {
		switch err {
		case nil:
			return breaker.Success
		case notFound:
			return breaker.Business
		}
		return breaker.Failure
	}
	for _, err := range []error{nil, notFound, notFound, notFound, notFound, down} {
		if _, got := breaker.Do(l, func() (int, error) { return 0, err }, judge); got != err {
			t.Fatalf("error %v, want %v", got, err)
		}
	}
	breaker.Do(l, func() (int, error) { return 0, notFound }, nil) // without a judge it is a failure
	snapshot := l.Snapshot()
	if c, _ := snapshot.CountsAt(0); c != (breaker.Counts{Calls: 7, Failures: 2}) {
		t.Errorf("counted %+v", c)
	}
	if c := l.Open(); c.Len() != 1 {
		t.Errorf("opened by hand: %+v", c)
	}
	called := false
	_, err := breaker.Do(l, func() (int, error) { called = true; return 0, nil }, nil)
	if called || err == nil || !strings.Contains(err.Error(), "breaker: open; worth trying in 10000000000 ns") {
		t.Errorf("called %v, error %v", called, err)
	}
}

// TestTrap52PanicFreesThePlace: in a set a panic would otherwise hold a place of the bulkhead for ever.
func TestTrap52PanicFreesThePlace(t *testing.T) {
	l := must(breaker.NewLockedSet(breaker.SetConfig{Places: 1, Dependencies: []breaker.Dependency{{Name: "a", Breaker: quick(), Max: 1}}}, func() int64 { return 0 }))
	for range 3 {
		func() {
			defer func() {
				if got := recover(); got != "boom" {
					t.Errorf("panic %v came out", got)
				}
			}()
			breaker.DoOn(l, l.Find("a"), func() (int, error) { panic("boom") }, nil)
		}()
	}
	v, err := breaker.DoOn(l, 0, func() (int, error) {
		_, inner := breaker.DoOn(l, 0, func() (int, error) { return 0, nil }, nil)
		var full *breaker.RefusedError
		if !errors.As(inner, &full) || full.Reason != breaker.Full || inner.Error() != "breaker: full" {
			t.Errorf("within the only place: %v", inner)
		}
		return 7, nil
	}, nil)
	if v != 7 || err != nil {
		t.Errorf("after three panics: %v, %v", v, err)
	}
	end := l.Snapshot()
	if c, _ := end.Breaker(0).CountsAt(0); end.Bulkhead().Held(0) != 0 || c.Failures != 0 || c.Calls != 0 {
		t.Errorf("%d places are held and %+v counted; want none, the fourth call having opened the circuit", end.Bulkhead().Held(0), c)
	}
}
