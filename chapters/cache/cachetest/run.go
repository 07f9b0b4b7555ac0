package cachetest

import (
	"fmt"
	"testing"
)

// Run tries each claim of the target in a subtest. It fails at once when the target itself makes no sense.
func Run[C any](t *testing.T, target Target[C]) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for i, name := range names {
		if target.Claims&(1<<i) != 0 {
			t.Run(name, func(t *testing.T) { target.try(t, i) })
		}
	}
}

// Check is Run without subtests, for a TB of one's own.
func Check[C any](t TB, target Target[C]) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for i := range names {
		if target.Claims&(1<<i) != 0 {
			target.try(t, i)
		}
	}
}

// sound reports whether there is anything to test, and sets what was left out.
func (g *Target[C]) sound(t TB) bool {
	t.Helper()
	switch {
	case g.New == nil || g.Get == nil || g.Set == nil:
		t.Errorf("target: New, Get or Set is nil; New makes a cache, Get and Set ask it")
	case g.Delete == nil && g.Claims&Deletes != 0:
		t.Errorf("target: Delete is nil; Deletes cannot be claimed without it")
	case g.Claims&(Full|Concurrent) == 0:
		t.Errorf("target: no claims; start with cachetest.Full")
	default:
		if g.Capacities == nil {
			g.Capacities = []int{1, 2, 8, 1000}
		}
		if g.Seeds == 0 {
			g.Seeds = 8
		}
		return true
	}
	return false
}

// try runs one claim with every capacity and seed until one fails.
func (g *Target[C]) try(t TB, claim int) {
	t.Helper()
	checks := [...]func(*Target[C], *trial){
		kept[C], onlyTrue[C], bounded[C], roomy[C], deletes[C], expires[C], ends[C], repeats[C], scans[C], concurrent[C],
	}
	for _, capacity := range g.Capacities {
		for seed := range g.Seeds {
			if why := attempt(func() { checks[claim](g, newTrial(capacity, seed)) }); why != "" {
				t.Errorf("%s: capacity %d, seed %d%s", names[claim], capacity, seed, why)
				return
			}
		}
	}
}

// failure ends a claim's trial.
type failure string

// attempt runs f and returns why it failed, or nothing.
func attempt(f func()) (why string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			why = string(r)
		default:
			why = fmt.Sprintf(": panicked: %v", r)
		}
	}()
	f()
	return ""
}

// fail ends the trial.
func fail(format string, args ...any) { panic(failure(": " + fmt.Sprintf(format, args...))) }

// failAt ends the trial at a step.
func failAt(step int, format string, args ...any) {
	panic(failure(fmt.Sprintf(", step %d: ", step) + fmt.Sprintf(format, args...)))
}
