package limitertest

import "seedbed/chapters/limiter"

// fills drains a fresh limiter and one that has rested, one by one and at once.
func fills(t TB, g *Target) {
	t.Helper()
	p := newPlanner(g, 0)
	pause := 2*p.full + 2*g.Window + 1
	l := g.New()
	for round, now := 0, g.Origin; round < 3; round, now = round+1, now+pause {
		got := int64(0)
		for got <= g.Limit+1 && got < 100_000 && l.TakeAt(now, 1).OK {
			got++
		}
		if got != g.Limit && got < 100_000 {
			t.Errorf("fills: round %d: %d units one by one at one instant after %d ns of rest, want exactly %d", round, got, pause, g.Limit)
			return
		}
	}
	if g.Limit == 0 {
		return
	}
	l = g.New()
	for round, now := 0, g.Origin; round < 3; round, now = round+1, now+pause {
		if l.TakeAt(now, g.Limit+1).OK {
			t.Errorf("fills: round %d: %d units at once were admitted, want at most %d", round, g.Limit+1, g.Limit)
			return
		}
		if !l.TakeAt(now, g.Limit).OK {
			t.Errorf("fills: round %d: %d units at once were denied after %d ns of rest, want them admitted", round, g.Limit, pause)
			return
		}
	}
}

// repeats plays one schedule twice.
func repeats(t TB, g *Target) {
	t.Helper()
	for seed := range g.Seeds {
		calls := newPlanner(g, seed).plan(length, false)
		again := append([]call(nil), calls...)
		g.play(calls)
		g.play(again)
		for i := range calls {
			if again[i].d != calls[i].d {
				t.Errorf("repeats: seed %d: the second limiter answered call %d with %s, the first with:%s", seed, i,
					g.answer(again[i].d), g.transcript(calls, i, i))
				return
			}
		}
	}
}

// silent asks again for what was denied, of a limiter that has seen only the admitted calls before it.
func silent(t TB, g *Target) {
	t.Helper()
	for seed := range g.Seeds {
		calls := newPlanner(g, seed).plan(length/2, false)
		g.play(calls)
		var admitted []call
		for i, c := range calls {
			if c.d.OK {
				admitted = append(admitted, c)
				continue
			}
			if d := g.replay(admitted).TakeAt(c.at, c.n); d.OK {
				t.Errorf("silent: seed %d: call %d passes when no denied call came before it: %s%s", seed, i, g.answer(d),
					g.transcript(calls, max(0, i-5), i))
				return
			}
		}
	}
}

// peeks plays a schedule, then the same without its peeks; and a peek must be OK.
func peeks(t TB, g *Target) {
	t.Helper()
	for seed := range g.Seeds {
		calls := newPlanner(g, seed).plan(length, false)
		g.play(calls)
		for i, c := range calls {
			if c.n == 0 && !c.d.OK {
				t.Errorf("peeks: seed %d: a request for 0 units was denied%s", seed, g.transcript(calls, max(0, i-3), i))
				return
			}
		}
	}
	for seed := range g.Seeds {
		calls := newPlanner(g, seed).plan(length, false)
		g.play(calls)
		l := g.New()
		for i, c := range calls {
			if c.n == 0 {
				continue
			}
			if d := l.TakeAt(c.at, c.n); d.OK != c.d.OK {
				t.Errorf("peeks: seed %d: without the calls for 0 units, call %d is answered otherwise: %s%s", seed, i, g.answer(d),
					g.transcript(calls, max(0, i-5), i))
				return
			}
		}
	}
}

// negative asks for less than nothing: of a fresh limiter, of a spent one, and amid other calls.
func negative(t TB, g *Target) {
	t.Helper()
	l := g.New()
	for _, n := range []int64{-1, -3, -g.Limit, -1 << 63} {
		if n >= 0 {
			continue
		}
		d := l.TakeAt(g.Origin, n)
		if d.OK {
			t.Errorf("negative: a request for %d units was admitted, want it refused", n)
			return
		}
		if g.Claims&Retries != 0 && d.RetryAfter != limiter.Never {
			t.Errorf("negative: a request for %d units is to be made again after %d ns, want Never", n, d.RetryAfter)
			return
		}
	}
	if !spentStaysSpent(t, g) {
		return
	}
	for seed := range g.Seeds {
		calls := newPlanner(g, seed).planAll(length, false)
		g.play(calls)
		l := g.New()
		for i, c := range calls {
			if c.n < 0 {
				if c.d.OK {
					t.Errorf("negative: seed %d: a request for %d units was admitted%s", seed, c.n, g.transcript(calls, max(0, i-5), i))
					return
				}
				continue
			}
			if d := l.TakeAt(c.at, c.n); d.OK != c.d.OK {
				t.Errorf("negative: seed %d: without the calls for fewer than 0 units, call %d is answered otherwise: %s%s", seed, i,
					g.answer(d), g.transcript(calls, max(0, i-5), i))
				return
			}
		}
	}
}

// spentStaysSpent asks a spent limiter for less than nothing, which must give nothing back.
func spentStaysSpent(t TB, g *Target) bool {
	t.Helper()
	l := g.New()
	if g.Limit == 0 {
		return true
	}
	l.TakeAt(g.Origin, -1)
	if !l.TakeAt(g.Origin, g.Limit).OK {
		t.Errorf("negative: %d units were denied after refused calls, want them admitted", g.Limit)
		return false
	}
	for spent := int64(0); spent <= g.Limit && l.TakeAt(g.Origin, 1).OK; spent++ {
		// What a limiter admits above its limit is the business of other claims.
	}
	for _, n := range []int64{-1, -3, -g.Limit, -1 << 63} {
		l.TakeAt(g.Origin, n)
		if l.TakeAt(g.Origin, 1).OK {
			t.Errorf("negative: asking for %d units of a spent limiter gave some back", n)
			return false
		}
	}
	return true
}

// replay returns a limiter in the state after the first calls of a schedule.
func (g *Target) replay(calls []call) limiter.Limiter {
	l := g.New()
	for _, c := range calls {
		l.TakeAt(c.at, c.n)
	}
	return l
}

// remains asks for exactly Remaining and for one more, each on a limiter in the same state.
func remains(t TB, g *Target) {
	t.Helper()
	for seed := range g.Seeds {
		calls := newPlanner(g, seed).plan(length/4, seed%2 == 1)
		g.play(calls)
		for i, c := range calls {
			r := c.d.Remaining
			if c.d.Limit != g.Limit || r < 0 || r > g.Limit {
				t.Errorf("remains: seed %d: limit %d and remaining %d, want %d and 0..%d%s", seed, c.d.Limit, r, g.Limit, g.Limit,
					g.transcript(calls, max(0, i-3), i))
				return
			}
			if r > 0 && !g.replay(calls[:i+1]).TakeAt(c.at, r).OK {
				t.Errorf("remains: seed %d: %d units remain but are denied%s", seed, r, g.transcript(calls, max(0, i-5), i))
				return
			}
			if g.replay(calls[:i+1]).TakeAt(c.at, r+1).OK {
				t.Errorf("remains: seed %d: %d units remain but %d are admitted%s", seed, r, r+1, g.transcript(calls, max(0, i-5), i))
				return
			}
		}
	}
}

// retries waits exactly as long as told, and a nanosecond less.
func retries(t TB, g *Target) {
	t.Helper()
	for seed := range g.Seeds {
		calls := newPlanner(g, seed).plan(length/2, seed%2 == 1)
		g.play(calls)
		for i, c := range calls {
			wait := c.d.RetryAfter
			say := func(what string) {
				t.Errorf("retries: seed %d: %s%s", seed, what, g.transcript(calls, max(0, i-5), i))
			}
			switch {
			case c.d.OK && wait != 0:
				say("RetryAfter is not 0 on an admission")
			case c.d.OK:
				continue
			case c.n > g.Limit:
				if wait == limiter.Never {
					continue
				}
				say("no wait can help this request, but RetryAfter is not Never")
			case wait <= 0:
				say("this request could pass later, but RetryAfter does not say when")
			case !g.replay(calls[:i+1]).TakeAt(c.at+wait, c.n).OK:
				say("waiting exactly RetryAfter is not enough")
			case g.replay(calls[:i+1]).TakeAt(c.at+wait-1, c.n).OK:
				say("a nanosecond less than RetryAfter is enough")
			default:
				continue
			}
			return
		}
	}
}

// resets waits exactly until the limiter says it is as new, and a nanosecond less.
func resets(t TB, g *Target) {
	t.Helper()
	for seed := range g.Seeds {
		calls := newPlanner(g, seed).plan(length/2, seed%2 == 1)
		g.play(calls)
		for i, c := range calls {
			wait := c.d.ResetAfter
			say := func(what string) {
				t.Errorf("resets: seed %d: %s%s", seed, what, g.transcript(calls, max(0, i-5), i))
			}
			if wait < 0 {
				say("ResetAfter is negative")
				return
			}
			if d := g.replay(calls[:i+1]).TakeAt(c.at+wait, 0); d.Remaining != g.Limit || d.ResetAfter != 0 {
				say("after ResetAfter the limiter is not as new: " + g.answer(d))
				return
			}
			if wait == 0 {
				continue
			}
			if d := g.replay(calls[:i+1]).TakeAt(c.at+wait-1, 0); d.ResetAfter != 1 {
				say("a nanosecond before ResetAfter the limiter does not say 1: " + g.answer(d))
				return
			}
		}
	}
}
