package route_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/route"
)

// ewma is a pool of n peers by peak EWMA with this decay.
func ewma(n int, decay int64) route.Pool {
	return must(route.NewPool(route.Config{Policy: route.PeakEWMA, Peers: equals(n, 0), EWMADecay: decay}))
}

// observe lets one request to a pool of one peer end at an instant, after so long.
func observe(p *route.Pool, ends, took int64, o route.Outcome) {
	p.DoneAt(ends, p.PickAt(ends-took, nil).Lease, o)
}

// TestPeakEWMAByHand follows Finagle's description (PeakEwma.scala) with a decay of 1 s and observations a second apart, where the old
// value keeps 1/e = 0.36787944117144233 of its weight:
//
//	at 1 s, 100 ms: the first, so 100 ms
//	at 2 s, 20 ms: below, so 20 + (100 − 20)/e = 49.430355293715 ms
//	at 3 s, 60 ms: above the average, so 60 ms at once
//	at 4 s, nothing: faded to 60/e = 22.072766470286 ms
//	at 5 s, 10 ms: above what is left of 60, which is 60/e² = 8.120116994196 ms, so 10 ms
//	at 6 s, 1 ms: 1 + (10 − 1)/e = 4.310914970542 ms
func TestPeakEWMAByHand(t *testing.T) {
	p := ewma(1, second)
	if ns, known := p.Cost(0); ns != 0 || known {
		t.Errorf("at first: %d, %v, want nothing known", ns, known)
	}
	for _, c := range []struct{ at, took, want int64 }{
		{1 * second, 100 * millisecond, 100_000_000},
		{2 * second, 20 * millisecond, 49_430_355},
		{3 * second, 60 * millisecond, 60_000_000},
		{4 * second, 0, 22_072_766},
		{5 * second, 10 * millisecond, 10_000_000},
		{6 * second, 1 * millisecond, 4_310_914},
	} {
		if c.took > 0 {
			observe(&p, c.at, c.took, route.Success)
		}
		p.AdvanceAt(c.at)
		if ns, known := p.Cost(0); ns != c.want || !known {
			t.Errorf("at %d s: %d, %v, want %d", c.at/second, ns, known, c.want)
		}
	}
}

// TestPeakEWMAIsItsTwin: against float64 and math.Exp, within the rounding.
func TestPeakEWMAIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decay := rapid.Int64Range(millisecond, 60*second).Draw(t, "decay")
		p := ewma(1, decay)
		now, cost, last := int64(0), 0.0, int64(0)
		for k := range rapid.IntRange(1, 40).Draw(t, "observations") {
			took := rapid.Int64Range(1, 2*second).Draw(t, "took")
			now += took + rapid.Int64Range(0, 3*second).Draw(t, "idle")
			observe(&p, now, took, route.Success)
			w := math.Exp(-float64(now-last) / float64(decay))
			if k == 0 || float64(took) > cost*w {
				cost = float64(took)
			} else {
				cost = cost*w + float64(took)*(1-w)
			}
			last = now
			if got, _ := p.Cost(0); math.Abs(float64(got)-cost) > 2 {
				t.Fatalf("after %d observations %d ns, want %.1f", k+1, got, cost)
			}
		}
	})
}

// TestLookingChangesNothing: a cost that is looked at each microsecond fades as one that is not.
func TestLookingChangesNothing(t *testing.T) {
	p := ewma(1, 10*second)
	observe(&p, second, 100*millisecond, route.Success)
	looked := p.Clone()
	for at := int64(second); at < second+100*millisecond; at += 1000 {
		looked.AdvanceAt(at)
		looked.Cost(0)
	}
	p.AdvanceAt(3 * second)
	looked.AdvanceAt(3 * second)
	want, _ := p.Cost(0)
	if got, _ := looked.Cost(0); got != want {
		t.Errorf("looked at: %d, want %d", got, want)
	}
	// And one that is observed each microsecond still falls: at 10 s of decay a step is far below a nanosecond.
	for at := int64(3 * second); at < 3*second+100*millisecond; at += 1000 {
		observe(&p, at, 1, route.Success)
	}
	due := float64(want) * math.Exp(-0.01)
	if got, _ := p.Cost(0); math.Abs(float64(got)-due) > due/1000 {
		t.Errorf("after 0.1 s of steady observations %d, want about %.0f", got, due)
	}
}

// TestPeakEWMAPrefersTheFast: 10 ms against 100 ms. With two in flight at the fast one, 10 × 3 is less than 100 × 1: the slow one is
// asked only when its cost has faded to 30, after 12 s, and then costs 100 again.
func TestPeakEWMAPrefersTheFast(t *testing.T) {
	p := ewma(2, 10*second)
	l := load{pool: &p, source: newSource(1), backends: []backend{{takes: 10 * millisecond}, {takes: 100 * millisecond}}}
	l.run(60*second, 5*millisecond)
	if got := l.got[1]; got < 3 || got > 12 {
		t.Errorf("the slow peer gets %d of 12000, want about one in 12 s", got)
	}
	// A peak drives it away at once, and forgetting lets it come back.
	l.backends[0].takes = 2 * second
	l.run(20*second, 20*millisecond)
	if got := l.share(0); got > 20 {
		t.Errorf("after its latency jumped, the first peer gets %.1f %%", got)
	}
	l.backends[0].takes = 10 * millisecond
	l.run(60*second, 20*millisecond)
	l.run(20*second, 20*millisecond)
	if got := l.share(0); got < 80 {
		t.Errorf("a minute after it recovered, the first peer gets %.1f %%", got)
	}
}

// TestSlowStartIsEnvoys: weight × max(10 %, (max(t, 1 s)/window)^(1/aggression)).
func TestSlowStartIsEnvoys(t *testing.T) {
	for _, c := range []struct {
		s    route.SlowStart
		t    int64
		want int64 // of weight 1000
	}{
		{route.SlowStart{Window: 60 * second}, 0, 100},
		{route.SlowStart{Window: 60 * second}, 6 * second, 100},
		{route.SlowStart{Window: 60 * second}, 15 * second, 250},
		{route.SlowStart{Window: 60 * second}, 30 * second, 500},
		{route.SlowStart{Window: 60 * second}, 59 * second, 983},
		{route.SlowStart{Window: 60 * second}, 60 * second, 1000},
		{route.SlowStart{Window: 4 * second}, 0, 250}, // the first second counts as one
		{route.SlowStart{Window: second}, 0, 1000},
		{route.SlowStart{Window: 60 * second, MinPercent: 30}, 6 * second, 300},
		{route.SlowStart{Window: 100 * second, Aggression: 2000}, 25 * second, 500}, // √0.25
		{route.SlowStart{Window: 100 * second, Aggression: 2000}, 1 * second, 100},
		{route.SlowStart{Window: 100 * second, Aggression: 500}, 50 * second, 250}, // 0.5²
		{route.SlowStart{Window: 100 * second, Aggression: 500}, 10 * second, 100},
	} {
		p := must(route.NewPool(route.Config{Policy: route.Smooth, SlowStart: c.s}))
		if err := p.SetPeers(7, []route.Peer{{Name: "a", Weight: 1000}}); err != nil {
			t.Fatal(err)
		}
		p.AdvanceAt(7 + c.t)
		if got := p.WeightNow(0) / route.WeightUnit; got != c.want {
			t.Errorf("%+v after %d s: weight %d of 1000, want %d", c.s, c.t/second, got, c.want)
		}
	}
}
