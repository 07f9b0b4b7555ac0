package limiter_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/limiter"
)

// The twins of this file are limiters as dumb as can be: a plain list of what was admitted, and a rule that looks through all of it
// for each question. What is left of a Decision they find by trying.

type admission struct{ at, n int64 }

// twin answers from the list of admissions. rule says whether n ≥ 1 units may pass now.
type twin struct {
	limit int64
	// counts says as which instant one counts that is older than the latest seen. Most count it as the latest.
	counts func(now, latest int64) int64
	seen   bool
	latest int64
	log    []admission
	rule   func(log []admission, now, n int64) bool
}

func (w *twin) instant(now int64) int64 {
	if !w.seen || now >= w.latest {
		return now
	}
	if w.counts == nil {
		return w.latest
	}
	return w.counts(now, w.latest)
}

func (w *twin) may(now, n int64) bool {
	return n == 0 || n > 0 && n <= w.limit && w.rule(w.log, w.instant(now), n)
}

func (w *twin) remaining(now int64) int64 {
	n := w.limit
	for n > 0 && !w.may(now, n) {
		n--
	}
	return n
}

// until tries one nanosecond after the other.
func until(now int64, ok func(int64) bool) int64 {
	for d := int64(0); d < 100_000; d++ {
		if ok(now + d) {
			return d
		}
	}
	panic("a twin waits for ever")
}

func (w *twin) TakeAt(now, n int64) limiter.Decision {
	if !w.seen || now > w.latest {
		w.seen, w.latest = true, now
	}
	d := limiter.Decision{OK: w.may(now, n), Limit: w.limit}
	if d.OK && n > 0 {
		w.log = append(w.log, admission{w.instant(now), n})
	}
	d.Remaining = w.remaining(now)
	d.ResetAfter = until(now, func(at int64) bool { return w.remaining(at) == w.limit })
	switch {
	case d.OK:
	case n < 0 || n > w.limit:
		d.RetryAfter = limiter.Never
	default:
		d.RetryAfter = until(now, func(at int64) bool { return w.may(at, n) })
	}
	return d
}

// rateTwin admits while every stretch from some admission until now stays within burst + rate·t.
func rateTwin(r limiter.Rate, burst int64) *twin {
	return &twin{limit: burst, rule: func(log []admission, now, n int64) bool {
		sum := n
		for i := len(log) - 1; i >= 0; i-- {
			sum += log[i].n
			// sum ≤ burst + N·(now − at)/Per
			if (sum-burst)*r.Per > r.N*(now-log[i].at) {
				return false
			}
		}
		return true
	}}
}

// gcraTwin is rateTwin that takes each instant as it comes, as an algorithm without a memory of the time must.
func gcraTwin(r limiter.Rate, burst int64) *twin {
	w := rateTwin(r, burst)
	w.counts = func(now, _ int64) int64 { return now }
	return w
}

func floorDiv(a, b int64) int64 {
	var q, m big.Int
	q.DivMod(big.NewInt(a), big.NewInt(b), &m)
	return q.Int64()
}

// inWindows counts admissions in the aligned windows from first to last.
func inWindows(log []admission, window, first, last int64) (sum int64) {
	for _, a := range log {
		if i := floorDiv(a.at, window); i >= first && i <= last {
			sum += a.n
		}
	}
	return sum
}

func fixedTwin(limit, window int64) *twin {
	return &twin{limit: limit, rule: func(log []admission, now, n int64) bool {
		i := floorDiv(now, window)
		return inWindows(log, window, i, i)+n <= limit
	}}
}

func bucketTwin(limit, window, buckets, kept int64) *twin {
	width := window / buckets
	return &twin{limit: limit, rule: func(log []admission, now, n int64) bool {
		i := floorDiv(now, width)
		return inWindows(log, width, i-kept+1, i)+n <= limit
	}}
}

func logTwin(limit, window int64) *twin {
	return &twin{limit: limit, rule: func(log []admission, now, n int64) bool {
		sum := n
		for _, a := range log {
			if a.at > now-window {
				sum += a.n
			}
		}
		return sum <= limit
	}}
}

// twoTwin works in fractions. TwoCounter counts an instant before the newest window as the first of that window, and an older one
// in the same window as it is.
func twoTwin(limit, window int64) *twin {
	return &twin{
		limit:  limit,
		counts: func(now, latest int64) int64 { return max(now, floorDiv(latest, window)*window) },
		rule: func(log []admission, now, n int64) bool {
			i := floorDiv(now, window)
			share := big.NewRat(window-(now-i*window), window)
			old := share.Mul(share, big.NewRat(inWindows(log, window, i-1, i-1), 1))
			sum := old.Add(old, big.NewRat(inWindows(log, window, i, i)+n, 1))
			return sum.Cmp(big.NewRat(limit, 1)) <= 0
		},
	}
}

// agree plays one random schedule on a limiter and its twin. Times are so small that everything collides.
func agree(t *rapid.T, l, w limiter.Limiter, limit, step int64, old bool) {
	now := rapid.Int64Range(-50, 50).Draw(t, "start")
	for i := range rapid.IntRange(1, 40).Draw(t, "calls") {
		now += rapid.Int64Range(0, step).Draw(t, "step")
		at := now
		if old {
			at -= max(0, rapid.Int64Range(-step, 2*step).Draw(t, "behind"))
		}
		n := rapid.Int64Range(-1, limit+1).Draw(t, "n")
		got, want := l.TakeAt(at, n), w.TakeAt(at, n)
		got.Delay = 0
		if got != want {
			t.Fatalf("call %d: at %d, n %d: %+v, its twin %+v", i, at, n, got, want)
		}
	}
}

func TestRatesAgreeWithTheirTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := limiter.Rate{N: rapid.Int64Range(1, 9).Draw(t, "N"), Per: rapid.Int64Range(1, 25).Draw(t, "Per")}
		burst := rapid.Int64Range(1, 6).Draw(t, "burst")
		kind := rapid.SampledFrom([]string{"token bucket", "policer", "queue"}).Draw(t, "kind")
		l := map[string]limiter.Limiter{"token bucket": tokenBucket(r, burst), "policer": policer(r, burst), "queue": queue(r, burst-1)}[kind]
		agree(t, l, rateTwin(r, burst), burst, 3*r.Per/r.N+2, rapid.Bool().Draw(t, "old"))
	})
}

func TestGCRAAgreesWithItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := limiter.Rate{N: rapid.Int64Range(1, 9).Draw(t, "N"), Per: rapid.Int64Range(1, 25).Draw(t, "Per")}
		burst := rapid.Int64Range(1, 6).Draw(t, "burst")
		l := gcra(r, burst)
		if rapid.Bool().Draw(t, "serial") {
			l = serialGCRA(r, burst)
		}
		// GCRA serves instants from 0 on.
		agree(t, from(1000, l), gcraTwin(r, burst), burst, 3*r.Per/r.N+2, rapid.Bool().Draw(t, "old"))
	})
}

// from moves the instants of a limiter's clock.
func from(origin int64, l limiter.Limiter) limiter.Limiter {
	return takeFunc(func(now, n int64) limiter.Decision { return l.TakeAt(origin+now, n) })
}

type takeFunc func(now, n int64) limiter.Decision

func (f takeFunc) TakeAt(now, n int64) limiter.Decision { return f(now, n) }

func TestWindowsAgreeWithTheirTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		buckets := rapid.Int64Range(1, 5).Draw(t, "buckets")
		window := buckets * rapid.Int64Range(1, 6).Draw(t, "width")
		limit := rapid.Int64Range(1, 6).Draw(t, "limit")
		kept := buckets + rapid.Int64Range(0, 1).Draw(t, "more")
		pairs := map[string][2]limiter.Limiter{
			"fixed":   {fixed(limit, window), fixedTwin(limit, window)},
			"log":     {slidingLog(limit, window), logTwin(limit, window)},
			"buckets": {bucketed(limit, window, int(buckets), int(kept)), bucketTwin(limit, window, buckets, kept)},
		}
		pair := pairs[rapid.SampledFrom([]string{"fixed", "log", "buckets"}).Draw(t, "kind")]
		agree(t, pair[0], pair[1], limit, 2*window/3+1, rapid.Bool().Draw(t, "old"))
	})
}

func TestTwoCountersAgreeWithTheirTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window, limit := rapid.Int64Range(1, 30).Draw(t, "window"), rapid.Int64Range(1, 6).Draw(t, "limit")
		agree(t, twoCounter(limit, window), twoTwin(limit, window), limit, 2*window/3+1, rapid.Bool().Draw(t, "old"))
	})
}

// TestTokenBucketAndGCRADecideAlike, and the policer and the queue with them, at any rate and burst that a test can draw.
func TestTokenBucketAndGCRADecideAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := limiter.Rate{N: rapid.Int64Range(1, 4_000_000_000).Draw(t, "N"), Per: rapid.Int64Range(1, 100*second).Draw(t, "Per")}
		burst := rapid.Int64Range(1, 1000).Draw(t, "burst")
		horizon := int64(1e6) * max(1, min(r.Per/r.N, 1e9))
		g, err := limiter.NewGCRA(limiter.GCRAConfig{Rate: r, Burst: burst, Horizon: horizon})
		if err != nil || !g.Exact() {
			t.Skip("not exact in one int64")
		}
		s := must(limiter.NewSerialGCRA(limiter.GCRAConfig{Rate: r, Burst: burst, Horizon: horizon}))
		others := map[string]limiter.Limiter{
			"serial gcra": &s, "token bucket": tokenBucket(r, burst), "policer": policer(r, burst), "queue": queue(r, burst-1),
		}
		for now := int64(0); now < horizon/2; now += 1 + rapid.Int64Range(0, horizon/40).Draw(t, "step") {
			n := rapid.Int64Range(0, burst+1).Draw(t, "n")
			want := g.TakeAt(now, n)
			for name, l := range others {
				got := l.TakeAt(now, n)
				got.Delay = 0
				if got != want {
					t.Fatalf("%s: at %d, n %d: %+v, gcra %+v", name, now, n, got, want)
				}
			}
		}
	})
}

// TestQueueServesEvenly compares Delay with a list of turns, one after the other, in fractions of a nanosecond.
func TestQueueServesEvenly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := limiter.Rate{N: rapid.Int64Range(1, 9).Draw(t, "N"), Per: rapid.Int64Range(1, 25).Draw(t, "Per")}
		q := queue(r, rapid.Int64Range(0, 6).Draw(t, "depth"))
		one := big.NewRat(r.Per, r.N)
		free := big.NewRat(-1000, 1) // when the server is free
		now := int64(0)
		var turns []*big.Rat
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			now += rapid.Int64Range(0, 3*r.Per/r.N+2).Draw(t, "step")
			n := rapid.Int64Range(1, 4).Draw(t, "n")
			d := q.TakeAt(now, n)
			if !d.OK {
				continue
			}
			var turn *big.Rat
			for range n {
				turn = new(big.Rat).Set(free)
				if at := big.NewRat(now, 1); turn.Cmp(at) < 0 {
					turn = at
				}
				free = new(big.Rat).Add(turn, one)
				turns = append(turns, turn)
			}
			// Delay is the least whole wait that reaches the last turn.
			told := big.NewRat(now+d.Delay, 1)
			if before := big.NewRat(now+d.Delay-1, 1); told.Cmp(turn) < 0 || d.Delay > 0 && before.Cmp(turn) >= 0 {
				t.Fatalf("at %d, n %d: delay %d, its last turn is at %s", now, n, d.Delay, turn.RatString())
			}
		}
		for i := 1; i < len(turns); i++ {
			if gap := new(big.Rat).Sub(turns[i], turns[i-1]); gap.Cmp(one) < 0 {
				t.Fatalf("turns %d and %d are %s ns apart, want at least %s", i-1, i, gap.RatString(), one.RatString())
			}
		}
	})
}

// TestCopiesAreIndependent plays on with a copy and with the original, in turns of the same calls.
func TestCopiesAreIndependent(t *testing.T) {
	r := limiter.PerSecond(300)
	for name, fresh := range map[string]func() limiter.Limiter{
		"fixed":        func() limiter.Limiter { return fixed(20, 70*ms) },
		"two counters": func() limiter.Limiter { return twoCounter(20, 70*ms) },
		"log":          func() limiter.Limiter { return slidingLog(20, 70*ms) },
		"buckets":      func() limiter.Limiter { return bucketed(20, 70*ms, 7, 0) },
		"token bucket": func() limiter.Limiter { return tokenBucket(r, 20) },
		"policer":      func() limiter.Limiter { return policer(r, 20) },
		"queue":        func() limiter.Limiter { return queue(r, 20) },
		"gcra":         func() limiter.Limiter { return serialGCRA(r, 20) },
		"unlimited":    func() limiter.Limiter { return limiter.Unlimited{} },
		"layered": func() limiter.Limiter {
			l := limiter.NewLayered(slidingLog(20, 70*ms).(limiter.Serial), tokenBucket(r, 5).(limiter.Serial))
			return &l
		},
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			calls := rapid.SliceOfN(rapid.Int64Range(0, 5), 30, 60).Draw(t, "n")
			steps := rapid.SliceOfN(rapid.Int64Range(0, 10*ms), 60, 60).Draw(t, "steps")
			original := fresh().(limiter.Serial)
			var copied limiter.Serial
			var answers []limiter.Decision
			now := int64(0)
			for i, n := range calls {
				if i == len(calls)/2 {
					copied = original.Copy()
					if copied.Size() != original.Size() {
						t.Fatalf("the copy has %d bytes, the original %d", copied.Size(), original.Size())
					}
				}
				now += steps[i]
				d := original.TakeAt(now, n)
				if copied != nil {
					answers = append(answers, d)
				}
			}
			// The original has gone on; the copy must answer as if nothing had happened.
			now = 0
			for i, n := range calls {
				if now += steps[i]; i < len(calls)/2 {
					continue
				}
				if got, want := copied.TakeAt(now, n), answers[i-len(calls)/2]; got != want {
					t.Fatalf("call %d: the copy says %+v, the original said %+v", i, got, want)
				}
			}
		}))
	}
}

func ExampleSlidingLog_Clone() {
	l, err := limiter.NewSlidingLog(limiter.WindowConfig{Limit: 2, Window: second})
	if err != nil {
		panic(err)
	}
	l.TakeAt(0, 1)
	copied := l.Clone()
	l.TakeAt(0, 1)
	fmt.Println(l.TakeAt(1, 0).Remaining, copied.TakeAt(1, 0).Remaining)
	// Output: 0 1
}
