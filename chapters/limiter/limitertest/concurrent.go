package limitertest

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const goroutines = 64

// concurrent asks from many goroutines, first all at one instant, then each by a clock of its own that is often behind: it is read,
// other goroutines run, and only then the limiter is asked.
func concurrent(t TB, g *Target) {
	t.Helper()
	rounds := max(1, g.Seeds/20)
	for round := range rounds {
		if got := g.atOnce(); got != g.Limit {
			t.Errorf("concurrent: round %d: %d admitted at one instant by %d goroutines, want exactly %d", round, got, goroutines, g.Limit)
			return
		}
		got, span := g.byOldClocks(round)
		if most := saturated(g.Burst, g.Rate, span); got > most {
			t.Errorf("concurrent: round %d: %d admitted within %d ns by %d goroutines, at most %d promised", round, got, span, goroutines, most)
			return
		}
	}
}

// crowd runs f in many goroutines that start together, and adds up what they return.
func crowd(f func(id int) int64) int64 {
	var ready, done sync.WaitGroup
	var sum atomic.Int64
	start := make(chan struct{})
	ready.Add(goroutines)
	done.Add(goroutines)
	for id := range goroutines {
		go func() {
			defer done.Done()
			ready.Done()
			<-start
			sum.Add(f(id))
		}()
	}
	ready.Wait()
	close(start)
	done.Wait()
	return sum.Load()
}

// atOnce drains a fresh limiter at one instant: every goroutine asks until it is denied.
func (g *Target) atOnce() int64 {
	l := g.New()
	return crowd(func(int) int64 {
		var got int64
		for l.TakeAt(g.Origin, 1).OK {
			got++
			runtime.Gosched()
		}
		return got
	})
}

// byOldClocks lets a shared clock run while goroutines ask with what they read of it a moment ago.
func (g *Target) byOldClocks(seed int) (got, span int64) {
	l := g.New()
	p := newPlanner(g, seed)
	step := max(1, p.unit/8)
	var clock atomic.Int64
	got = crowd(func(id int) int64 {
		mine := stream(seed*goroutines + id)
		var got int64
		for range 200 {
			now := clock.Add(step)
			if mine.below(4) == 0 {
				runtime.Gosched()
			}
			if l.TakeAt(g.Origin+now, 1).OK {
				got++
			}
		}
		return got
	})
	return got, clock.Load()
}
