package limiter_test

import (
	"testing"
	"time"

	"seedbed/chapters/limiter"
)

// BenchmarkTakeAt asks each limiter for one unit at a time at exactly its rate, with the clock passed in.
func BenchmarkTakeAt(b *testing.B) {
	r := limiter.PerSecond(100_000_000)
	for _, c := range []struct {
		name string
		l    limiter.Limiter
	}{
		{"gcra", gcra(r, 100)}, {"serial gcra", serialGCRA(r, 100)}, {"token bucket", tokenBucket(r, 100)}, {"policer", policer(r, 100)},
		{"queue", queue(r, 99)}, {"fixed", fixed(100, 1000)}, {"two counters", twoCounter(200, 1000)}, {"log", slidingLog(100, 1000)},
		{"buckets", bucketed(110, 1000, 10, 0)}, {"locked", limiter.NewLocked(tokenBucket(r, 100), nil)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			now, denied := int64(0), 0
			for b.Loop() {
				now += 10
				if !c.l.TakeAt(now, 1).OK {
					denied++
				}
			}
			if denied > 0 {
				b.Errorf("%d denied at exactly the rate", denied)
			}
		})
	}
}

// BenchmarkGCRA: a yes, a no, with a real clock, and contended.
func BenchmarkGCRA(b *testing.B) {
	newGCRA := func() *limiter.GCRA {
		return must(limiter.NewGCRA(limiter.GCRAConfig{Rate: limiter.PerSecond(100_000_000), Burst: 100}))
	}
	b.Run("admitted", func(b *testing.B) {
		g, now := newGCRA(), int64(0)
		for b.Loop() {
			now += 10
			g.TakeAt(now, 1)
		}
	})
	b.Run("denied", func(b *testing.B) {
		g := newGCRA()
		g.TakeAt(0, 100)
		for b.Loop() {
			g.TakeAt(0, 1)
		}
	})
	b.Run("real clock", func(b *testing.B) {
		g, start := newGCRA(), time.Now()
		for b.Loop() {
			g.TakeAt(int64(time.Since(start)), 1)
		}
	})
	b.Run("64 goroutines", func(b *testing.B) {
		g, start := newGCRA(), time.Now()
		b.SetParallelism(64)
		b.RunParallel(func(p *testing.PB) {
			for p.Next() {
				g.TakeAt(int64(time.Since(start)), 1)
			}
		})
	})
}
