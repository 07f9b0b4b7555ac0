package limitertest

import (
	"math/bits"

	"seedbed/chapters/limiter"
)

// calls a schedule: enough to fill and drain a limiter several times, few enough that every run of them can be looked at.
const length = 120

func bounded(t TB, g *Target) {
	t.Helper()
	boundedBy(t, g, "bounded", false)
}

func stale(t TB, g *Target) {
	t.Helper()
	boundedBy(t, g, "stale", true)
	alternating(t, g)
}

// boundedBy plays schedules and looks at every run of consecutive calls.
func boundedBy(t TB, g *Target, name string, old bool) {
	t.Helper()
	for seed := range g.Seeds {
		calls := newPlanner(g, seed).plan(length, old)
		g.play(calls)
		if from, to, why := g.excess(calls); why != nil {
			t.Errorf("%s: seed %d: %d admitted within %d ns, at most %d promised%s", name, seed, why.got, why.span, why.most,
				g.transcript(calls, from, to))
			return
		}
	}
}

// excess is what was admitted too much in a run of calls.
type excess struct {
	got, span, most int64
}

// excess finds the first call that admitted more than promised, and the shortest run of calls up to it that shows it.
func (g *Target) excess(calls []call) (from, to int, why *excess) {
	for to := range calls {
		if calls[to].admitted() == 0 {
			continue
		}
		var sum int64
		earliest, latest := calls[to].at, calls[to].at
		for from := to; from >= 0; from-- {
			earliest, latest = min(earliest, calls[from].at), max(latest, calls[from].at)
			sum += calls[from].admitted()
			span := latest - earliest
			if most := g.most(span); sum > most {
				return from, to, &excess{sum, span, most}
			}
		}
	}
	return 0, 0, nil
}

// most is what a span may hold: ⌊Burst + Rate·span⌋, and InWindow when it is shorter than the window.
func (g *Target) most(span int64) int64 {
	most := saturated(g.Burst, g.Rate, span)
	if span < g.Window {
		most = min(most, g.InWindow)
	}
	return most
}

// saturated is ⌊burst + rate·span⌋, at most MaxInt64.
func saturated(burst int64, r limiter.Rate, span int64) int64 {
	hi, lo := bits.Mul64(uint64(r.N), uint64(span))
	if hi >= uint64(r.Per) {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(hi, lo, uint64(r.Per))
	return int64(min(q, 1<<63-1-uint64(burst))) + burst
}

// alternating asks many times at two instants in turn: a limiter that believes an old one earns the time between them each time.
func alternating(t TB, g *Target) {
	t.Helper()
	p := newPlanner(g, 0)
	l := g.New()
	gap := max(p.unit, p.full/10)
	var sum int64
	for i := range int64(10_000) {
		if l.TakeAt(g.Origin+gap*(1-i%2), 1).OK {
			sum++
		}
	}
	if most := saturated(g.Burst, g.Rate, gap); sum > most {
		t.Errorf("stale: %d of 10000 admitted at two instants %d ns apart, taken in turn; at most %d promised", sum, gap, most)
	}
}

// sustained asks for one unit at a time as soon as it may, over a thousand bursts or units.
func sustained(t TB, g *Target) {
	t.Helper()
	l := g.New()
	now := g.Origin
	var got int64
	p := newPlanner(g, 0)
	end := now + 1000*p.full
	for got < 20_000 {
		d := l.TakeAt(now, 1)
		if d.OK {
			got++
			continue
		}
		if d.RetryAfter <= 0 {
			t.Errorf("sustained: at %d ns, after %d units: %s, so the limiter never goes on", now, got, g.answer(d))
			return
		}
		if now += d.RetryAfter; now >= end {
			break
		}
	}
	if least := saturated(0, g.Sustained, now-g.Origin); got < least {
		t.Errorf("sustained: %d units in %d ns, at least %d promised", got, now-g.Origin, least)
	}
}
