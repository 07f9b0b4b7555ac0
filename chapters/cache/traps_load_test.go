package cache_test

import (
	"fmt"
	"testing"

	"seedbed/chapters/cache"
)

// flights makes them with a timeout of 10 s.
func flights(most int) cache.Flights[string] {
	return must(cache.NewFlights(cache.FlightsConfig[string]{Timeout: 10 * second, Most: most}))
}

// TestTrap60ForgetThenThird: after Forget, the end of the first flight does not end the second, so that a third caller does not
// load too.
func TestTrap60ForgetThenThird(t *testing.T) {
	f := flights(0)
	first, a := f.BoardAt(0, "k")
	f.Forget("k")
	second, b := f.BoardAt(1, "k")
	if a != cache.Lead || b != cache.Lead || first == second {
		t.Fatalf("boarding %v %v and, after Forget, %v %v; want two flights", first, a, second, b)
	}
	if _, ok := f.LandAt(2, first); ok {
		t.Error("the forgotten flight landed as if it counted")
	}
	if third, c := f.BoardAt(3, "k"); c != cache.Wait || third != second {
		t.Errorf("a third caller: %v %v, want to wait for the second flight %v", third, c, second)
	}
	if took, ok := f.LandAt(5, second); !ok || took != 4 {
		t.Errorf("the second flight landed %t after %d ns, want true after 4", ok, took)
	}
	if _, ok := f.LandAt(6, second); ok || f.Len() != 0 {
		t.Errorf("a flight landed twice; %d in the air", f.Len())
	}
}

// TestTrap60ForgottenLeader: who never comes back is waited for until the timeout and not a nanosecond longer.
func TestTrap60ForgottenLeader(t *testing.T) {
	f := flights(0)
	lost, _ := f.BoardAt(0, "k")
	if _, b := f.BoardAt(10*second-1, "k"); b != cache.Wait {
		t.Errorf("1 ns before the timeout: %v, want wait", b)
	}
	if ends, ok := f.EndsAt(lost); !ok || ends != 10*second {
		t.Errorf("the flight ends at %d, %t; want at the timeout", ends, ok)
	}
	next, b := f.BoardAt(10*second, "k")
	if b != cache.Lead {
		t.Fatalf("at the timeout: %v, want lead", b)
	}
	if _, ok := f.LandAt(11*second, lost); ok {
		t.Error("the lost flight came back and counted, though another had taken over")
	}
	if _, ok := f.LandAt(12*second, next); !ok {
		t.Error("the flight that took over does not count")
	}
	// Late, but nobody has taken over.
	late, _ := f.BoardAt(20*second, "k")
	if _, ok := f.LandAt(40*second, late); !ok {
		t.Error("a late flight that nobody overtook does not count")
	}
}

// TestFlightsAreBounded, and lost ones give their place up.
func TestFlightsAreBounded(t *testing.T) {
	f := flights(3)
	for i := range 3 {
		f.BoardAt(int64(i), fmt.Sprint("k", i))
	}
	if _, b := f.BoardAt(5, "more"); b != cache.Full || f.Len() != 3 {
		t.Errorf("a fourth flight: %v with %d in the air, want full", b, f.Len())
	}
	if _, b := f.BoardAt(5, "k1"); b != cache.Wait {
		t.Errorf("one that is in the air: %v, want wait", b)
	}
	if _, b := f.BoardAt(10*second, "more"); b != cache.Lead || f.Len() != 3 {
		t.Errorf("when the first is lost: %v with %d in the air, want lead, and the lost one gone", b, f.Len())
	}
	var none cache.Flights[string]
	if _, b := none.BoardAt(0, "k"); b != cache.Full || none.Forget("k") || none.Len() != 0 {
		t.Error("the zero value let somebody take off")
	}
}

// through makes a ReadThrough that keeps values for 10 s, stale ones 20 s more, and absences for 3 s.
func through(change func(*cache.ReadThroughConfig[string])) *cache.ReadThrough[string, int] {
	cfg := cache.ReadThroughConfig[string]{
		Cache: cache.Config[string]{Capacity: 100}, TTL: 10 * second, Stale: 20 * second, Negative: 3 * second, Timeout: second,
	}
	if change != nil {
		change(&cfg)
	}
	c := must(cache.NewReadThrough[string, int](cfg))
	return &c
}

// ask fails unless the answer is as told: the verdict, and what follows from it.
func ask(t *testing.T, c *cache.ReadThrough[string, int], now int64, want cache.Answer[string, int]) cache.Flight[string] {
	t.Helper()
	got := c.AskAt(now, "k", nil)
	f := got.Flight
	got.Flight = cache.Flight[string]{}
	if got != want {
		t.Errorf("at %d ms: %+v, want %+v", now/1_000_000, got, want)
	}
	return f
}

var (
	load   = cache.Answer[string, int]{Verdict: cache.Missing, Load: true}
	wait   = cache.Answer[string, int]{Verdict: cache.Missing}
	absent = cache.Answer[string, int]{Verdict: cache.Absent}
)

func fresh(v int) cache.Answer[string, int] {
	return cache.Answer[string, int]{Verdict: cache.Found, Value: v}
}

func stale(v int) cache.Answer[string, int] {
	return cache.Answer[string, int]{Verdict: cache.Found, Value: v, Stale: true}
}

func and(a cache.Answer[string, int]) cache.Answer[string, int] { a.Load = true; return a }

// TestTrap61PublishThenRelease: between the landing of a flight and the value there is no gap in which a second one could take off.
func TestTrap61PublishThenRelease(t *testing.T) {
	c := through(nil)
	f := ask(t, c, 0, load)
	for range 3 {
		if joined := ask(t, c, 1, wait); joined != f {
			t.Errorf("a follower waits for flight %v, want %v", joined, f)
		}
	}
	if !c.DoneAt(2, f, 7, nil) {
		t.Error("the value was not kept")
	}
	ask(t, c, 2, fresh(7))
	if c.DoneAt(3, f, 8, nil) {
		t.Error("a flight brought two values")
	}
	ask(t, c, 3, fresh(7))
}

// TestTrap61InvalidateDuringLoad: what was read before the write is not kept, and who asks after it does not join the old flight.
func TestTrap61InvalidateDuringLoad(t *testing.T) {
	c := through(nil)
	old := ask(t, c, 0, load)
	if !c.Invalidate("k") {
		t.Error("there was nothing to invalidate, with a load under way")
	}
	next := ask(t, c, 1, load)
	if c.DoneAt(2, old, 1, nil) {
		t.Error("the old flight's value was kept")
	}
	ask(t, c, 2, wait)
	if !c.DoneAt(3, next, 2, nil) {
		t.Error("the new flight's value was not kept")
	}
	ask(t, c, 3, fresh(2))
	if !c.Invalidate("k") || c.Invalidate("k") {
		t.Error("to invalidate twice must find something once")
	}
	f := ask(t, c, 4, load)
	c.PutAt(5, "k", 9, nil)
	if c.DoneAt(6, f, 3, nil) || c.AbsentAt(6, f, nil) || c.FailAt(6, f) {
		t.Error("a load from before the write landed after it and counted")
	}
	ask(t, c, 6, fresh(9))
}

// TestTrap64StaleWhileRevalidate: one refresh at a time; a failed one keeps the value until its hard end; then there is none.
func TestTrap64StaleWhileRevalidate(t *testing.T) {
	c := through(func(cfg *cache.ReadThroughConfig[string]) { cfg.Retry = 2 * second })
	c.DoneAt(0, ask(t, c, 0, load), 1, nil)
	ask(t, c, 10*second-1, fresh(1))
	f := ask(t, c, 10*second, and(stale(1)))
	for range 5 {
		ask(t, c, 10*second+500_000_000, stale(1))
	}
	c.FailAt(10*second+600_000_000, f)
	ask(t, c, 12*second, stale(1)) // too early to try again
	f = ask(t, c, 12*second+600_000_000, and(stale(1)))
	ask(t, c, 13*second+600_000_000, and(stale(1))) // the second refresh was lost: its time is over
	if c.DoneAt(14*second, f, 2, nil) {
		t.Error("an overtaken refresh was kept")
	}
	ask(t, c, 30*second-1, and(stale(1)))
	ask(t, c, 30*second, wait) // that one is still under way
	f = ask(t, c, 31*second, load)
	c.FailAt(31*second, f)
	ask(t, c, 31*second, load)
}

// TestTrap64InvalidateDuringRefresh discards what the refresh brings; OutdateAt does too, and serves the old value meanwhile.
func TestTrap64InvalidateDuringRefresh(t *testing.T) {
	c := through(nil)
	c.DoneAt(0, ask(t, c, 0, load), 1, nil)
	f := ask(t, c, 11*second, and(stale(1)))
	c.Invalidate("k")
	if c.DoneAt(11*second+1, f, 1, nil) {
		t.Error("the refresh brought back what was invalidated")
	}
	f = ask(t, c, 11*second+1, load)
	c.DoneAt(12*second, f, 2, nil)
	if !c.OutdateAt(13*second, "k") {
		t.Error("nothing to outdate")
	}
	f = ask(t, c, 13*second, and(stale(2)))
	c.OutdateAt(13*second+1, "k")
	if c.DoneAt(13*second+2, f, 2, nil) {
		t.Error("the refresh brought back what was outdated")
	}
	c.DoneAt(14*second, ask(t, c, 14*second-1, and(stale(2))), 3, nil)
	c.OutdateAt(15*second, "k")
	ask(t, c, 35*second-1, and(stale(3)))
	ask(t, c, 36*second, load) // stale copies last as long as after a normal end
}

// TestTrap64Negative: "not there" has a life of its own, and a value that is gone from the store goes.
func TestTrap64Negative(t *testing.T) {
	c := through(nil)
	c.AbsentAt(0, ask(t, c, 0, load), nil)
	ask(t, c, 3*second-1, absent)
	f := ask(t, c, 3*second, load)
	c.DoneAt(3*second, f, 1, nil)
	f = ask(t, c, 13*second, and(stale(1)))
	if !c.AbsentAt(13*second, f, nil) {
		t.Error("the absence was not kept")
	}
	ask(t, c, 13*second, absent)
	if !c.Invalidate("k") { // somebody creates it
		t.Error("an absence is nothing to invalidate")
	}
	f = ask(t, c, 14*second, load)
	if ends, ok := c.EndsAt(f); !ok || ends != 15*second {
		t.Errorf("the load is given up at %d, %t; want after its timeout", ends, ok)
	}
	c.AbsentAt(14*second, f, nil)
	if !c.OutdateAt(14*second, "k") || c.OutdateAt(14*second, "k") {
		t.Error("an absence is no old value to be served: it goes")
	}
	ask(t, c, 14*second, load)

	without := through(func(cfg *cache.ReadThroughConfig[string]) { cfg.Negative = 0 })
	without.DoneAt(0, ask(t, without, 0, load), 1, nil)
	without.AbsentAt(11*second, ask(t, without, 11*second, and(stale(1))), nil)
	ask(t, without, 11*second, load)
	if cached, loading := without.Len(); cached != 0 || loading != 1 {
		t.Errorf("%d cached and %d loading, want a value that is gone to be gone", cached, loading)
	}
}

// TestLogicalExpiry: with Stale at Forever nobody waits once the key was loaded, however often loads fail.
func TestLogicalExpiry(t *testing.T) {
	c := through(func(cfg *cache.ReadThroughConfig[string]) { cfg.Stale = cache.Forever })
	c.DoneAt(0, ask(t, c, 0, load), 1, nil)
	for day := int64(1); day < 400; day++ {
		now := day * 86_400 * second
		f := ask(t, c, now, and(stale(1)))
		ask(t, c, now, stale(1))
		c.FailAt(now, f)
	}
}

// TestRefreshAhead: in the last stretch of its life a value is loaded anew by one, and is fresh for all.
func TestRefreshAhead(t *testing.T) {
	c := through(func(cfg *cache.ReadThroughConfig[string]) { cfg.Ahead = 2 * second })
	c.DoneAt(0, ask(t, c, 0, load), 1, nil)
	ask(t, c, 8*second-1, fresh(1))
	f := ask(t, c, 8*second, and(fresh(1)))
	ask(t, c, 8*second, fresh(1))
	c.DoneAt(8*second+1, f, 2, nil)
	ask(t, c, 18*second, and(fresh(2)))
}

// TestReadThroughClones go their own ways.
func TestReadThroughClones(t *testing.T) {
	a := through(nil)
	f := ask(t, a, 0, load)
	b := a.Clone()
	a.DoneAt(1, f, 1, nil)
	b.DoneAt(1, f, 2, nil)
	ask(t, a, 1, fresh(1))
	ask(t, &b, 1, fresh(2))
	if a.Size() <= 0 || a.Size() != b.Size() {
		t.Errorf("sizes %d and %d of two alike", a.Size(), b.Size())
	}
}

// TestZeroReadThrough finds nothing, lets nobody load, and takes nothing.
func TestZeroReadThrough(t *testing.T) {
	var c cache.ReadThrough[string, int]
	ask(t, &c, 0, cache.Answer[string, int]{Verdict: cache.Refused})
	c.PutAt(0, "k", 1, nil)
	if c.DoneAt(0, cache.Flight[string]{}, 1, nil) || c.Invalidate("k") || c.OutdateAt(0, "k") {
		t.Error("the zero value did something")
	}
	ask(t, &c, 0, cache.Answer[string, int]{Verdict: cache.Refused})
}
