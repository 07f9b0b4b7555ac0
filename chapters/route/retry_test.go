package route_test

import (
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/route"
)

// breaker is as simple as a circuit breaker can be: it counts attempts, and opens for good after some failures.
type breaker struct {
	seen, failures, opensAt int
}

func (b *breaker) call(works bool) route.Failed {
	if b.failures >= b.opensAt {
		return route.Local
	}
	b.seen++
	if !works {
		b.failures++
	}
	return route.Unavailable
}

// retrier has three attempts and the budget of Finagle.
func retrier() route.Retrier {
	return must(route.NewRetrier(route.RetryConfig{
		Attempts: 3, Backoff: route.Backoff{Base: 100 * millisecond, Cap: 10 * second}, Budget: route.FinagleBudget(),
	}))
}

// TestTrap57OpenCircuitsAreNotRetried (virtrigaud#70): a refusal on this side ends the request; a breaker below the Retrier sees each
// attempt, not each request.
func TestTrap57OpenCircuitsAreNotRetried(t *testing.T) {
	tr := retrier()
	b := breaker{opensAt: 5}
	for range 100 {
		tr.FirstAt(0)
	}
	var attempts, requests int
	for b.failures < b.opensAt {
		requests++
		for n := int64(1); ; n++ {
			failed := b.call(false)
			if failed != route.Local {
				attempts++
			}
			d := tr.NextAt(0, route.Attempt{Number: n, Failed: failed, Safe: true, Told: -1, Deadline: route.NoDeadline}, newSource(1))
			if failed == route.Local && (d.OK || d.Stop != route.NotRetried) {
				t.Errorf("an open circuit: %+v, want no retry", d)
			}
			if !d.OK {
				break
			}
		}
	}
	if b.seen != attempts || attempts != 5 || requests != 2 {
		t.Errorf("the breaker saw %d of %d attempts of %d requests, want 5 of 5 of 2", b.seen, attempts, requests)
	}
	balance := tr.BalanceAt(0)
	if d := tr.NextAt(0, route.Attempt{Number: 1, Failed: b.call(false), Safe: true, Told: -1, Deadline: route.NoDeadline}, newSource(1)); d.OK {
		t.Errorf("an open circuit: %+v", d)
	}
	if tr.BalanceAt(0) != balance {
		t.Errorf("a retry that is not made costs %d", balance-tr.BalanceAt(0))
	}
}

// TestTrap57AmplificationIsBounded: with everything failing and every client trying as often as it may, requests sent stay within 1.2
// times those asked for, and the floor on top, in every prefix of the run. Without the budget they would be three times as many.
func TestTrap57AmplificationIsBounded(t *testing.T) {
	for _, rate := range []int64{1, 10, 100, 1000} { // requests a second
		tr := retrier()
		r := newSource(uint64(rate))
		var firsts, retries int64
		for now := int64(0); now < 60*second; now += second / rate {
			firsts++
			tr.FirstAt(now)
			for n := int64(1); tr.NextAt(now, route.Attempt{Number: n, Failed: route.Unavailable, Safe: true, Told: -1, Deadline: route.NoDeadline}, r).OK; n++ {
				retries++
			}
			// ≤ 1.2 + f/λ as whole numbers: 100·retries ≤ 20·N + 100·f·T.
			if 100*retries > 20*firsts+100*10*now/second {
				t.Fatalf("%d/s: after %d ns %d retries of %d requests", rate, now, retries, firsts)
			}
		}
		if allowed := min(2*firsts, firsts/5+10*59); retries < allowed*9/10 {
			t.Errorf("%d/s: %d retries of %d requests, want nearly the %d that are allowed", rate, retries, firsts, allowed)
		}
	}
}

// TestRetryDecisions: each reason not to retry, and what is retried.
func TestRetryDecisions(t *testing.T) {
	ok := route.Attempt{Number: 1, Failed: route.Unavailable, Safe: true, Told: -1, Deadline: route.NoDeadline}
	for name, c := range map[string]struct {
		change func(a *route.Attempt)
		want   route.Stop
	}{
		"unavailable, safe":             {func(*route.Attempt) {}, route.Retried},
		"lost, safe":                    {func(a *route.Attempt) { a.Failed = route.Lost }, route.Retried},
		"too many, safe":                {func(a *route.Attempt) { a.Failed = route.TooMany }, route.Retried},
		"a POST that was not sent":      {func(a *route.Attempt) { a.Failed, a.Safe = route.NotSent, false }, route.Retried},
		"a POST that was lost":          {func(a *route.Attempt) { a.Failed, a.Safe = route.Lost, false }, route.Unsafe},
		"a POST answered with 503":      {func(a *route.Attempt) { a.Safe = false }, route.Unsafe},
		"a 404":                         {func(a *route.Attempt) { a.Failed = route.Rejected }, route.NotRetried},
		"an open circuit":               {func(a *route.Attempt) { a.Failed = route.Local }, route.NotRetried},
		"the last attempt":              {func(a *route.Attempt) { a.Number = 3 }, route.NoAttempts},
		"the wait ends with the time":   {func(a *route.Attempt) { a.Told, a.Deadline = second, 6*second }, route.NoTime},
		"the wait ends before the time": {func(a *route.Attempt) { a.Told, a.Deadline = second, 6*second+101*millisecond }, route.Retried},
		"a deadline that has passed":    {func(a *route.Attempt) { a.Deadline = 4 * second }, route.NoTime},
	} {
		tr := retrier()
		tr.FirstAt(0)
		a := ok
		c.change(&a)
		if d := tr.NextAt(5*second, a, newSource(1)); d.Stop != c.want || d.OK != (c.want == route.Retried) {
			t.Errorf("%s: %+v, want %v", name, d, c.want)
		}
	}
	tr := retrier()
	if d := tr.NextAt(0, ok, newSource(1)); d.Stop != route.NoBudget {
		t.Errorf("the first retry of all: %+v, want no budget", d)
	}
}

// deposit is an entry of the twin of Budget.
type deposit struct {
	ends int64 // when it is forgotten
	left int64 // parts of 10^-9 retries
}

// TestBudgetIsItsTwin: against a list of deposits, each with its end, spent oldest first, and a reserve spent last. A deposit counts for
// the slice of a tenth of TTL in which it came and the nine after.
func TestBudgetIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := route.BudgetConfig{
			Percent:   rapid.SampledFrom([]int64{0, 20, 100, 150}).Draw(t, "percent"),
			PerSecond: rapid.SampledFrom([]int64{0, 1, 10}).Draw(t, "per second"),
			TTL:       10 * second,
		}
		b := must(route.NewBudget(cfg))
		now := rapid.Int64Range(-100, 100).Draw(t, "start") * second
		b.BalanceAt(now)
		var deposits []deposit
		var floor int64
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			d := rapid.SampledFrom([]int64{0, 0, 0, millisecond, second / 3, second, 7 * second, 11 * second}).Draw(t, "passes")
			now += d
			floor = min(floor+d*cfg.PerSecond, cfg.PerSecond*cfg.TTL)
			if rapid.IntRange(0, 2).Draw(t, "request") > 0 {
				b.DepositAt(now)
				slice := (now + 1000*second) / second // never negative
				deposits = append(deposits, deposit{(slice + 10 - 1000) * second, cfg.Percent * (second / 100)})
				continue
			}
			sum := floor
			for len(deposits) > 0 && deposits[0].ends <= now {
				deposits = deposits[1:]
			}
			for _, d := range deposits {
				sum += d.left
			}
			if got := b.BalanceAt(now); got != sum/second {
				t.Fatalf("at %d: a balance of %d, want %d", now, got, sum/second)
			}
			ok := b.WithdrawAt(now)
			if ok != (sum >= second) {
				t.Fatalf("at %d: withdrawal %v from %d parts of a retry", now, ok, sum)
			}
			for due := int64(second); ok && due > 0; {
				if len(deposits) == 0 {
					floor -= due
					break
				}
				part := min(due, deposits[0].left)
				due -= part
				if deposits[0].left -= part; deposits[0].left == 0 {
					deposits = deposits[1:]
				}
			}
		}
	})
}

// TestBudgetExpires: deposits are gone after TTL, the reserve is not, and time that goes back gives nothing.
func TestBudgetExpires(t *testing.T) {
	b := must(route.NewBudget(route.BudgetConfig{Percent: 100, TTL: 10 * second}))
	b.DepositAt(0)
	for at, want := range map[int64]int64{0: 1, 9 * second: 1, 10*second - 1: 1, 10 * second: 0} {
		c := b.Clone()
		if got := c.BalanceAt(at); got != want {
			t.Errorf("at %d: %d, want %d", at, got, want)
		}
	}
	f := must(route.NewBudget(route.BudgetConfig{PerSecond: 10, TTL: 10 * second}))
	for _, c := range [][2]int64{{0, 0}, {second, 10}, {0, 10}, {2 * second, 20}, {1000 * second, 100}} {
		if got := f.BalanceAt(c[0]); got != c[1] {
			t.Errorf("at %d: %d, want %d", c[0], got, c[1])
		}
	}
	var zero route.Budget
	zero.DepositAt(0)
	if zero.WithdrawAt(0) || zero.BalanceAt(0) != 0 {
		t.Errorf("the zero budget grants a retry")
	}
}

// TestThrottle: the published formula, K = 2: nothing is refused while half is accepted; with 100 asked and 20 accepted it is
// (100 − 40)/101.
func TestThrottle(t *testing.T) {
	th := must(route.NewThrottle(route.ThrottleConfig{K: 2000, Window: 120 * second}))
	if got := th.RefusalAt(0); got != 0 {
		t.Errorf("new: %d ppm, want 0", got)
	}
	never := &fixed{999_999}
	for k := range 100 {
		if !th.AskAt(0, never) {
			t.Fatalf("request %d is refused by the highest number", k)
		}
	}
	for k := range 60 {
		want := max(0, (100-2*int64(k))*1_000_000/101)
		if got := th.RefusalAt(0); got != want {
			t.Errorf("100 asked, %d accepted: %d ppm, want %d", k, got, want)
		}
		th.AcceptAt(0)
	}
	if got := th.RefusalAt(0); got != 0 {
		t.Errorf("100 asked, 60 accepted: %d ppm, want 0", got)
	}
	for range 1000 {
		th.AskAt(0, never)
	}
	if th.AskAt(0, &fixed{0}) {
		t.Errorf("the lowest number passes though most is refused")
	}
	for at, want := range map[int64]bool{107 * second: true, 120 * second: false} {
		c := th.Clone()
		if got := c.RefusalAt(at) > 0; got != want {
			t.Errorf("at %d s something is refused: %v, want %v", at/second, got, want)
		}
	}
	var zero route.Throttle
	if zero.AskAt(0, never) {
		t.Errorf("the zero throttle lets something pass")
	}
}

// fixed is a Source that always gives the same number.
type fixed struct{ n int64 }

func (f *fixed) Below(n int64) int64 { return min(f.n, n-1) }

// TestThrottleSettles: of 100 requests a second the server takes 10. K is 2, so 20 a second are sent on: the refusals settle at 80
// percent, and the server refuses one request for each that it serves, not nine.
func TestThrottleSettles(t *testing.T) {
	th := must(route.NewThrottle(route.ThrottleConfig{K: 2000, Window: 120 * second}))
	r := newSource(1)
	const all = 60_000 // 600 s
	sent, serves := 0, int64(-1)
	for k := range int64(all) {
		now := k * 10 * millisecond
		if !th.AskAt(now, r) {
			continue
		}
		if k >= all/2 {
			sent++
		}
		if now/(100*millisecond) > serves { // one place in each tenth of a second
			serves = now / (100 * millisecond)
			th.AcceptAt(now)
		}
	}
	// Of the tenths of a second one in nine has no request in it at a rate of 20 a second, so somewhat fewer than 10 are accepted.
	if got := 100 * sent / (all / 2); got < 15 || got > 21 {
		t.Errorf("%d %% of the requests are sent on, want somewhat less than 20", got)
	}
}
