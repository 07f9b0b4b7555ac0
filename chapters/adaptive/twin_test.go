package adaptive

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// twin says what a limit does, as dumbly as can be: in exact numbers of any size, and keeping every sample since the last step. The
// limit is a number of parts, so that it rounds where the real one does.
type twin struct {
	kind    string
	cfg     Common
	limit   *big.Int
	base    *big.Int // nil while unknown
	at      int64
	probing bool
	held    []Sample
	from    int64
	cutAt   *int64
	begun   bool
}

const twinLife = 1_000_000_000

func n(x int64) *big.Int { return big.NewInt(x) }

func times(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
func over(a, b *big.Int) *big.Int  { return new(big.Int).Quo(a, b) } // toward 0, as Go's own
func plus(a, b *big.Int) *big.Int  { return new(big.Int).Add(a, b) }

func (w *twin) set(l *big.Int) {
	if lo := n(w.cfg.Min * parts); l.Cmp(lo) < 0 {
		l = lo
	}
	if hi := n(w.cfg.Max * parts); l.Cmp(hi) > 0 {
		l = hi
	}
	w.limit = l
}

func (w *twin) Limit() int64 {
	l := over(w.limit, n(parts))
	if w.probing {
		l = over(w.limit, n(2*parts))
	}
	return max(w.cfg.Min, l.Int64())
}

// meanOf is the mean latency of the samples held.
func (w *twin) meanOf() *big.Int {
	sum := n(0)
	for _, s := range w.held {
		sum = plus(sum, n(s.Took))
	}
	return over(sum, n(int64(len(w.held))))
}

func (w *twin) learn(now int64, s Sample) {
	if !w.begun {
		w.begun, w.from = true, now-s.Took
	}
	if s.Dropped || w.kind == "aimd" && s.Took > 50_000_000 {
		if w.cutAt != nil && now-s.Took < *w.cutAt {
			return
		}
		less := over(times(w.limit, n(w.cfg.Backoff)), n(1000))
		if one := plus(w.limit, n(-parts)); one.Cmp(less) < 0 {
			less = one
		}
		w.set(less)
		w.cutAt, w.from, w.held = &now, now, nil
		return
	}
	if w.probing {
		if s.InFlight <= w.Limit() {
			if w.held = append(w.held, s); int64(len(w.held)) == w.cfg.Samples {
				w.base, w.at, w.probing = w.meanOf(), now, false
				w.from, w.held = now, nil
			}
		}
		return
	}
	w.held = append(w.held, s)
	if int64(len(w.held)) < w.cfg.Samples || now-w.from < w.cfg.Window {
		return
	}
	mean, busy := w.meanOf(), false
	for _, s := range w.held {
		busy = busy || times(n(2*s.InFlight), n(parts)).Cmp(w.limit) >= 0
	}
	w.from, w.held = now, nil
	if w.kind != "aimd" {
		if w.base == nil || mean.Cmp(w.base) <= 0 {
			w.base, w.at = mean, now
		} else if now-w.at >= twinLife {
			w.probing = true
			return
		}
	}
	if busy {
		w.step(mean)
	}
}

func (w *twin) step(mean *big.Int) {
	switch w.kind {
	case "aimd":
		w.set(plus(w.limit, n(parts)))
	case "vegas":
		waiting := over(times(w.limit, plus(mean, new(big.Int).Neg(w.base))), mean)
		if waiting.Cmp(n(3*parts)) < 0 {
			w.set(plus(w.limit, n(parts)))
		} else if waiting.Cmp(n(6*parts)) > 0 {
			w.set(plus(w.limit, n(-parts)))
		}
	case "gradient":
		kept := over(times(w.limit, over(times(w.base, n(1500)), n(1000))), mean)
		if kept.Cmp(w.limit) > 0 {
			kept = w.limit
		}
		if half := over(w.limit, n(2)); kept.Cmp(half) < 0 {
			kept = half
		}
		root := new(big.Int).Sqrt(times(w.limit, n(parts)))
		d := plus(plus(kept, root), new(big.Int).Neg(w.limit))
		w.set(plus(w.limit, over(times(d, n(300)), n(1000))))
	}
}

// TestLimitsAreTheirTwins: the same samples, the same limit after each.
func TestLimitsAreTheirTwins(t *testing.T) {
	probes, steps := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := Common{Min: rapid.Int64Range(1, 5).Draw(t, "min"), Max: 200, Initial: rapid.Int64Range(5, 200).Draw(t, "initial"),
			Window: rapid.Int64Range(0, 100_000_000).Draw(t, "window"), Samples: rapid.Int64Range(1, 4).Draw(t, "samples"),
			Backoff: rapid.Int64Range(500, 999).Draw(t, "backoff")}
		w := &twin{cfg: c, limit: n(c.Initial * parts), kind: rapid.SampledFrom([]string{"aimd", "vegas", "gradient"}).Draw(t, "kind")}
		var l Limit
		var err error
		switch w.kind {
		case "aimd":
			var a AIMD
			a, err = NewAIMD(AIMDConfig{Common: c, Timeout: 50_000_000})
			l = &a
		case "vegas":
			var v Vegas
			v, err = NewVegas(VegasConfig{Common: c, Alpha: 3, Beta: 6, Life: twinLife})
			l = &v
		case "gradient":
			var g Gradient
			g, err = NewGradient(GradientConfig{Common: c, Tolerance: 1500, Smoothing: 300, Life: twinLife})
			l = &g
		}
		if err != nil {
			t.Fatal(err)
		}
		now := int64(0)
		for i := range rapid.IntRange(1, 80).Draw(t, "samples in all") {
			now += rapid.SampledFrom([]int64{0, 1, 7_000_000, 40_000_000, 300_000_000, 900_000_000}).Draw(t, "pause")
			s := Sample{Took: rapid.Int64Range(1_000_000, 60_000_000).Draw(t, "took"),
				InFlight: rapid.Int64Range(0, 2*l.Limit()).Draw(t, "in flight"), Dropped: rapid.IntRange(0, 19).Draw(t, "dropped") == 0}
			was := l.Limit()
			l.LearnAt(now, s)
			w.learn(now, s)
			if l.Limit() != w.Limit() {
				t.Fatalf("%s, sample %d: limit %d, its twin's %d", w.kind, i, l.Limit(), w.Limit())
			}
			if w.probing {
				probes++
			}
			if was != l.Limit() {
				steps++
			}
		}
	})
	if probes < 20 || steps < 100 {
		t.Errorf("%d samples of probes and %d steps: this test looks at nothing", probes, steps)
	}
}
