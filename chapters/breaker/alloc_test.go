package breaker_test

import (
	"testing"

	"seedbed/chapters/breaker"
)

// TestNothingAllocates: no call, whatever becomes of it, in whatever state.
func TestNothingAllocates(t *testing.T) {
	cfg := quick()
	cfg.Ramp = second
	timed := breaker.Hystrix()
	timed.SlowPercent, timed.SlowAfter = 50, second
	now := int64(0)
	l := must(breaker.NewLocked(cfg, func() int64 { return now }))
	b, by := must(breaker.NewBreaker(cfg)), must(breaker.NewBreaker(timed))
	s := must(breaker.NewSet(breaker.SetConfig{Places: 1, Dependencies: []breaker.Dependency{{Name: "a", Breaker: cfg, Max: 1}}}))
	k := 0
	fine := func() (int, error) { return 0, nil }
	for name, f := range map[string]func(o breaker.Outcome){
		"calls":  func(o breaker.Outcome) { ticket, _ := b.AskAt(now); b.DoneAt(now, ticket, o) },
		"time":   func(o breaker.Outcome) { ticket, _ := by.AskAt(now); by.DoneAt(now, ticket, o) },
		"locked": func(o breaker.Outcome) { ticket, _ := l.Ask(); l.Done(ticket, o) },
		"set":    func(o breaker.Outcome) { c, _ := s.AskAt(now, 0); s.DoneAt(now, c, o) },
	} {
		f(breaker.Success)
		states := map[breaker.State]bool{}
		if n := testing.AllocsPerRun(2000, func() {
			now += second / 3
			k++
			f(breaker.Outcome(k / 40 % 2 << 1)) // forty good, forty bad
		}); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
		for range 200 {
			now += second / 3
			k++
			f(breaker.Outcome(k / 40 % 2 << 1))
			state, _ := b.StateAt(now)
			states[state] = true
		}
		if name == "calls" && len(states) < 4 {
			t.Errorf("only the states %v were seen", states)
		}
	}
	calm := must(breaker.NewLocked(cfg, func() int64 { return 0 }))
	if n := testing.AllocsPerRun(200, func() { breaker.Do(calm, fine, nil) }); n != 0 {
		t.Errorf("do: %v allocations, want 0", n)
	}
}
