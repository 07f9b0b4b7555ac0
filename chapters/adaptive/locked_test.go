package adaptive_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"seedbed/chapters/adaptive"
)

// TestLockedHoldsTheLimit: 64 goroutines, and never more in flight than the limit; each ticket is taken back once, whoever brings it.
func TestLockedHoldsTheLimit(t *testing.T) {
	var now, inside, most, passed, twice atomic.Int64
	l := adaptive.NewLocked(adaptive.Fixed(5), func() int64 { return now.Add(1) })
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range 200 {
				ticket, ok := l.Take()
				if !ok {
					continue
				}
				n := inside.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				passed.Add(1)
				inside.Add(-1)
				if !l.Done(ticket, adaptive.Served) {
					t.Error("a ticket that is out was refused")
				}
				if l.Done(ticket, adaptive.Served) {
					twice.Add(1)
				}
			}
		})
	}
	all.Wait()
	if most.Load() > 5 || most.Load() < 1 || twice.Load() != 0 || l.InFlight() != 0 || l.Limit() != 5 || l.Refused() != passed.Load() {
		t.Errorf("%d at once of 5, %d passed, %d taken back twice, %d in flight, %d refused",
			most.Load(), passed.Load(), twice.Load(), l.InFlight(), l.Refused())
	}
}

// TestLockedTellsTheTime: latencies are those of the clock, and a drop lowers the limit.
func TestLockedTellsTheTime(t *testing.T) {
	var got []adaptive.Sample
	now := int64(10)
	l := adaptive.NewLocked(&listener{&got}, func() int64 { return now })
	ticket, _ := l.Take()
	now = 25
	l.Done(ticket, adaptive.Dropped)
	if want := (adaptive.Sample{Took: 15, InFlight: 1, Dropped: true}); len(got) != 1 || got[0] != want {
		t.Errorf("the limit was told %v, want %v", got, want)
	}
}
