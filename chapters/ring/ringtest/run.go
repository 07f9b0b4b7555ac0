package ringtest

import (
	"fmt"
	"testing"

	"seedbed/chapters/ring"
)

// Run tries each claim of the target in a subtest. It fails at once when the target itself makes no sense.
func Run[R any](t *testing.T, target Target[R]) {
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
func Check[R any](t TB, target Target[R]) {
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
func (g *Target[R]) sound(t TB) bool {
	t.Helper()
	switch {
	case g.New == nil || g.Owner == nil:
		t.Errorf("target: New or Owner is nil; New builds a ring and Owner asks it")
	case g.Owners == nil && g.Claims&(Distinct|Heirs) != 0:
		t.Errorf("target: Owners is nil; %v cannot be claimed without it", g.Claims&(Distinct|Heirs))
	case g.With == nil && g.Claims&(Empty|Immutable|Historyless) != 0:
		t.Errorf("target: With is nil; %v cannot be claimed without it", g.Claims&(Empty|Immutable|Historyless))
	case g.Claims&Full == 0:
		t.Errorf("target: no claims; start with ringtest.Full")
	case g.Claims&Even != 0 && g.Spread < 1:
		t.Errorf("target: Even is claimed but Spread says nothing; 100000 is a coefficient of variation of 0.1")
	default:
		if g.Members == 0 {
			g.Members = 16
		}
		if g.Seeds == 0 {
			g.Seeds = 12
		}
		if g.With == nil {
			g.With = func(_ R, members []ring.Member) (R, error) { return g.New(members) }
		}
		return true
	}
	return false
}

// failure ends a claim's trial.
type failure string

// try runs one claim with every seed until one fails.
func (g *Target[R]) try(t TB, claim int) {
	t.Helper()
	checks := [...]func(*Target[R], *trial){
		total[R], repeats[R], unordered[R], historyless[R], minimal[R], even[R], weighted[R], distinct[R], heirs[R], empty[R], once[R],
		copies[R], immutable[R],
	}
	var sum moves
	for seed := range g.Seeds {
		if why := attempt(func() { checks[claim](g, newTrial(g.Members, seed, &sum)) }); why != "" {
			t.Errorf("%s: seed %d: %s", names[claim], seed, why)
			return
		}
	}
	if over := sum.needless*1_000_000 - g.Needless*sum.keys; over > 0 {
		t.Errorf("%s: over all trials %d of %d keys moved without a reason, at most %d in a million may; such as %s", names[claim],
			sum.needless, sum.keys, g.Needless, sum.such)
	}
}

// attempt runs f and returns why it failed, or nothing.
func attempt(f func()) (why string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			why = string(r)
		default:
			why = fmt.Sprintf("panicked: %v", r)
		}
	}()
	f()
	return ""
}

// fail ends the trial.
func fail(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }
