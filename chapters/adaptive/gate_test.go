package adaptive_test

import (
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/adaptive"
)

// TestGateHoldsTheLimit: against a set of tickets, with a limit that falls under what is in flight and rises again.
func TestGateHoldsTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := bare(rapid.Int64Range(1, 10).Draw(t, "initial"))
		c.Max = 12
		a := must(adaptive.NewAIMD(adaptive.AIMDConfig{Common: c, Timeout: second}))
		g := adaptive.NewGate(&a)
		var out, back []adaptive.Ticket
		refused := int64(0)
		for now := range int64(rapid.IntRange(1, 100).Draw(t, "steps")) {
			switch rapid.IntRange(0, 3).Draw(t, "do") {
			case 0, 1:
				room := int64(len(out)) < g.Limit()
				ticket, ok := g.TakeAt(now * ms)
				if ok != room {
					t.Fatalf("%d of %d in flight: passed %v", len(out), g.Limit(), ok)
				}
				if ok {
					out = append(out, ticket)
				}
			case 2:
				if len(out) > 0 {
					i := rapid.IntRange(0, len(out)-1).Draw(t, "which")
					o := adaptive.Outcome(rapid.IntRange(0, 2).Draw(t, "outcome"))
					if !g.DoneAt(now*ms, out[i], o) {
						t.Fatalf("a ticket that is out was refused")
					}
					back = append(back, out[i])
					out = append(out[:i:i], out[i+1:]...)
				}
			case 3:
				if len(back) > 0 {
					refused++
					if g.DoneAt(now*ms, back[rapid.IntRange(0, len(back)-1).Draw(t, "old")], adaptive.Dropped) {
						t.Fatalf("a ticket was given back twice")
					}
				}
			}
			if g.InFlight() != int64(len(out)) || g.Refused() != refused {
				t.Fatalf("%d in flight and %d refused, want %d and %d", g.InFlight(), g.Refused(), len(out), refused)
			}
		}
	})
}

// TestGateTellsTheLimit what a request was: its time, how many there were, and nothing of those that are ignored.
func TestGateTellsTheLimit(t *testing.T) {
	var got []adaptive.Sample
	g := adaptive.NewGate(&listener{&got})
	a, _ := g.TakeAt(10)
	b, _ := g.TakeAt(20)
	c, _ := g.TakeAt(30)
	if _, ok := g.TakeAt(30); ok {
		t.Error("a fourth passed a limit of 3")
	}
	g.DoneAt(50, b, adaptive.Served)
	g.DoneAt(60, c, adaptive.Ignored)
	g.DoneAt(70, a, adaptive.Dropped)
	want := []adaptive.Sample{{Took: 30, InFlight: 2}, {Took: 60, InFlight: 1, Dropped: true}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("the limit was told %v, want %v", got, want)
	}
}

// listener is a limit of 3 that keeps what it is told.
type listener struct{ got *[]adaptive.Sample }

func (l *listener) Limit() int64                       { return 3 }
func (l *listener) LearnAt(_ int64, s adaptive.Sample) { *l.got = append(*l.got, s) }
func (l *listener) Copy() adaptive.Limit               { return l }
func (l *listener) Size() int                          { return 0 }

// TestZeroValuesLetNothingPass, and nothing panics.
func TestZeroValuesLetNothingPass(t *testing.T) {
	var g adaptive.Gate
	if _, ok := g.TakeAt(0); ok || g.DoneAt(0, adaptive.Ticket{}, adaptive.Served) || g.Limit() != 0 {
		t.Error("the zero gate let something pass")
	}
	for name, l := range map[string]adaptive.Limit{
		"aimd": &adaptive.AIMD{}, "vegas": &adaptive.Vegas{}, "gradient": &adaptive.Gradient{}, "bbr": &adaptive.BBR{}, "fixed": adaptive.Fixed(0),
	} {
		g := adaptive.NewGate(l)
		for i := range int64(100) {
			l.LearnAt(i*second, adaptive.Sample{Took: ms, InFlight: 1, Dropped: i%7 == 0})
			if _, ok := g.TakeAt(0); ok || l.Limit() != 0 {
				t.Fatalf("the zero %s let something pass", name)
			}
		}
	}
}

// TestFarNumbers: instants and latencies at the ends of their ranges, times that go back, and a limit at its bounds.
func TestFarNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := adaptive.Common{Min: 1, Max: adaptive.MaxLimit, Samples: 1, Backoff: 999, Window: ms}
		c.Initial = rapid.Int64Range(1, c.Max).Draw(t, "initial")
		for name, l := range all(c) {
			for range 20 {
				l.LearnAt(rapid.Int64().Draw(t, "now"), adaptive.Sample{
					Took: rapid.Int64().Draw(t, "took"), InFlight: rapid.Int64().Draw(t, "in flight"), Dropped: rapid.Bool().Draw(t, "dropped"),
				})
				if got := l.Limit(); got < 1 || got > c.Max {
					t.Fatalf("%s: limit %d is outside 1..%d", name, got, c.Max)
				}
			}
		}
	})
}

// TestCopiesAreIndependent: what one learns the other does not.
func TestCopiesAreIndependent(t *testing.T) {
	for name, l := range all(bare1ms(20)) {
		g := adaptive.NewGate(l)
		ticket, _ := g.TakeAt(0)
		c := g.Clone()
		g.DoneAt(second, ticket, adaptive.Dropped)
		if g.Limit() >= 20 || c.Limit() != 20 || c.InFlight() != 1 {
			t.Errorf("%s: limits %d and %d, %d in flight in the copy; want below 20, 20, 1", name, g.Limit(), c.Limit(), c.InFlight())
		}
		if !c.DoneAt(second, ticket, adaptive.Ignored) || c.Size() != g.Size() || c.Size() < l.Size() {
			t.Errorf("%s: the copy is not as the original: %d bytes and %d", name, c.Size(), g.Size())
		}
	}
}

func bare1ms(initial int64) adaptive.Common {
	c := bare(initial)
	c.Window = ms
	return c
}

// TestLearningAllocatesNothing, nor does a gate that has seen its crowd.
func TestLearningAllocatesNothing(t *testing.T) {
	for name, l := range all(bare1ms(20)) {
		g, now := adaptive.NewGate(l), int64(0)
		if n := testing.AllocsPerRun(1000, func() {
			now += ms
			t, _ := g.TakeAt(now)
			g.DoneAt(now+ms/2, t, adaptive.Outcome(now/ms%3))
		}); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}
