package adaptive_test

import (
	"testing"

	"seedbed/chapters/adaptive"
)

// bare makes a step of every sample.
func bare(initial int64) adaptive.Common {
	return adaptive.Common{Min: 1, Max: 1000, Initial: initial, Samples: 1, Backoff: 900}
}

// row is a sample, and the limit after it.
type row struct {
	took, inFlight int64
	dropped        bool
	want           int64
}

// play feeds the rows a second apart.
func play(t *testing.T, l adaptive.Limit, rows []row) {
	t.Helper()
	for i, r := range rows {
		l.LearnAt(int64(i)*second, adaptive.Sample{Took: r.took, InFlight: r.inFlight, Dropped: r.dropped})
		if got := l.Limit(); got != r.want {
			t.Fatalf("t%d: limit %d, want %d", i, got, r.want)
		}
	}
}

// TestVectorAIMD by hand: one more for each step that used half of it, nine tenths for a drop or a request of more than 5 s.
func TestVectorAIMD(t *testing.T) {
	a := must(adaptive.NewAIMD(adaptive.AIMDConfig{Common: bare(20), Timeout: 5 * second}))
	play(t, &a, []row{
		{10 * ms, 20, false, 21},
		{10 * ms, 10, false, 21}, // fewer than half of 21
		{10 * ms, 11, false, 22},
		{0, 1, true, 19},              // 19.8
		{5 * second, 20, false, 20},   // 20.8
		{5*second + 1, 20, false, 20}, // too long is dropped, but it began before the drop at t3: the same congestion
		{10 * ms, 1, false, 20},
		{10 * ms, 1, false, 20},
		{5*second + 1, 20, false, 20}, // began before t3
		{5*second + 1, 20, false, 18}, // began after: 18.72
	})
}

// TestVectorVegas by hand, with 3 to 6 waiting: of L in flight L × (1 − base/latency) wait (Brakmo, O'Malley and Peterson, 1994).
func TestVectorVegas(t *testing.T) {
	v := must(adaptive.NewVegas(adaptive.VegasConfig{Common: bare(20), Alpha: 3, Beta: 6, Life: 100 * second}))
	play(t, &v, []row{
		{100, 20, false, 21}, // the base: none waits
		{120, 21, false, 21}, // 21 × 20/120 = 3.5 wait
		{150, 21, false, 20}, // 21 × 50/150 = 7
		{115, 20, false, 21}, // 20 × 15/115 = 2.6
		{900, 10, false, 21}, // fewer than half of 21 in flight
		{99, 21, true, 18},   // 18.9; a drop's time is no latency
		{100, 18, false, 19}, // 19.9: the base is still 100
	})
}

// TestVectorGradient by hand: L × base/latency + √L, at least L/2 + √L ("Performance Under Load", 2018).
func TestVectorGradient(t *testing.T) {
	cfg := adaptive.GradientConfig{Common: bare(100), Tolerance: 1000, Smoothing: 1000, Life: 100 * second}
	g := must(adaptive.NewGradient(cfg))
	play(t, &g, []row{
		{100, 1, false, 100},   // the base, from an idle moment
		{100, 100, false, 110}, // + √100
		{200, 110, false, 65},  // 55 + √110 = 65.49
		{1000, 65, false, 40},  // no less than a half: 32.74 + √65.49 = 40.84
		{125, 40, false, 39},   // 40.84 × 0.8 + √40.84 = 39.06
	})
	cfg.Smoothing, cfg.Tolerance = 200, 2000
	g = must(adaptive.NewGradient(cfg))
	play(t, &g, []row{
		{100, 1, false, 100},
		{200, 100, false, 102}, // twice the base is tolerated: + √100 / 5
		{400, 102, false, 93},  // 102 − (102/2 − √102) / 5 = 93.8
	})
}

// TestVectorBBR by hand: 400 a second of 10 ms are 4 in flight, and √4 on top.
func TestVectorBBR(t *testing.T) {
	c := bare(20)
	c.Window = 100 * ms
	b := must(adaptive.NewBBR(adaptive.BBRConfig{Common: c, Life: 100 * second}))
	now := int64(10 * ms) // when the first one ends
	for step, want := range []int64{
		40,         // the start: a rate is better than none
		80, 160, 6, // three steps of which none is a quarter better
		7, 4, // a quarter more, 7.5, and a quarter less, 4.5
		6, 6, 6, 6, 6, 6, // as it is
		7, 4, 6,
	} {
		for ; now <= int64(step+1)*100*ms; now += 5 * ms / 2 {
			b.LearnAt(now, adaptive.Sample{Took: 10 * ms, InFlight: 200})
		}
		if got := b.Limit(); got != want {
			t.Fatalf("step %d: limit %d, want %d, at a rate of %d in 1000 s", step, got, want, b.Rate())
		}
	}
	if got := b.Rate(); got != 400_000 {
		t.Errorf("a rate of %d in 1000 s, want 400,000", got)
	}
	b.LearnAt(now, adaptive.Sample{Took: 10 * ms, Dropped: true})
	if got := b.Limit(); got != 5 { // 6 × 0.9 = 5.4
		t.Errorf("after a drop: limit %d, want 5", got)
	}
	if got := b.Rate(); got < 359_999 || got > 360_000 {
		t.Errorf("after a drop: a rate of %d in 1000 s, want nine tenths of 400,000", got)
	}
}
