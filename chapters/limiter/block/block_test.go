package block_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"seedbed/chapters/limiter"
	"seedbed/chapters/limiter/block"
)

// All tests run in a bubble of testing/synctest: time passes at once when everybody waits, so instants are exact and nothing sleeps.

func newPacer(t *testing.T, perSecond, depth int64) *block.Pacer {
	t.Helper()
	start := time.Now()
	p, err := block.NewPacer(limiter.QueueConfig{Rate: limiter.PerSecond(perSecond), Depth: depth}, func() int64 {
		return int64(time.Since(start))
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPacerSpacesRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPacer(t, 10, 5)
		start := time.Now()
		var mu sync.Mutex
		var turns []string
		for i := range 7 {
			go func() {
				err := p.Wait(t.Context())
				mu.Lock()
				defer mu.Unlock()
				turns = append(turns, fmt.Sprintf("%d at %v: %v", i, time.Since(start), err))
			}()
			synctest.Wait() // so that they ask in order
		}
		time.Sleep(time.Second)
		synctest.Wait()
		want := []string{
			"0 at 0s: <nil>",
			"6 at 0s: limiter: full, 5 waiting; a place is free in 100ms",
			"1 at 100ms: <nil>", "2 at 200ms: <nil>", "3 at 300ms: <nil>", "4 at 400ms: <nil>", "5 at 500ms: <nil>",
		}
		if fmt.Sprint(turns) != fmt.Sprint(want) {
			t.Errorf("got  %q\nwant %q", turns, want)
		}
	})
}

func TestPacerGivesUpItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPacer(t, 1, 2)
		if err := p.Wait(t.Context()); err != nil {
			t.Fatalf("the first: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		// The turn would come after a second, which is past the deadline: no use in waiting for it.
		if err := p.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 0 {
			t.Errorf("a deadline before the turn: %v after %v, want it exceeded at once", err, time.Since(start))
		}
		cancelled, stop := context.WithCancel(t.Context())
		time.AfterFunc(400*time.Millisecond, stop)
		if err := p.Wait(cancelled); !errors.Is(err, context.Canceled) || time.Since(start) != 400*time.Millisecond {
			t.Errorf("cancelled while waiting: %v after %v, want it cancelled after 400ms", err, time.Since(start))
		}
		if err := p.Wait(cancelled); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled before asking: %v", err)
		}
		// None of the three has kept a place: the next turn is the one after the first.
		if err := p.Wait(t.Context()); err != nil || time.Since(start) != time.Second {
			t.Errorf("the next: %v after %v, want its turn after 1s", err, time.Since(start))
		}
	})
}

func newGate(t *testing.T, permits, waiters int64) *block.Gate {
	t.Helper()
	g, err := block.NewGate(block.GateConfig{Permits: permits, Waiters: waiters})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGateLetsInFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, 1, 3)
		held, err := g.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var order []int
		for i := range 3 {
			go func() {
				p, err := g.Enter(t.Context())
				if err != nil {
					t.Errorf("waiter %d: %v", i, err)
				}
				order = append(order, i)
				time.Sleep(time.Second)
				g.Leave(p)
			}()
			synctest.Wait()
		}
		var full *block.FullError
		if _, err := g.Enter(t.Context()); !errors.As(err, &full) || full.Waiting != 3 || err.Error() != "limiter: full, 3 waiting" {
			t.Errorf("the fifth: %v, want it turned away at once", err)
		}
		if !g.Leave(held) || g.Leave(held) {
			t.Error("a permit is good for one leave")
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if fmt.Sprint(order) != "[0 1 2]" {
			t.Errorf("they came in as %v, want in the order they came", order)
		}
		if inside, waiting := g.Inside(); inside != 0 || waiting != 0 {
			t.Errorf("%d inside and %d waiting at the end, want none", inside, waiting)
		}
	})
}

func TestGateForgetsWhoGoesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, 1, 2)
		held, _ := g.Enter(t.Context())
		ctx, cancel := context.WithCancel(t.Context())
		var gone error
		go func() { _, gone = g.Enter(ctx) }()
		synctest.Wait()
		var permit limiter.Permit
		var stays error
		go func() { permit, stays = g.Enter(t.Context()) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if inside, waiting := g.Inside(); !errors.Is(gone, context.Canceled) || inside != 1 || waiting != 1 {
			t.Errorf("%v, %d inside and %d waiting, want it cancelled and one of each", gone, inside, waiting)
		}
		g.Leave(held)
		synctest.Wait()
		if stays != nil || !g.Leave(permit) {
			t.Errorf("the one behind: %v, want it let in", stays)
		}
		if _, err := g.Enter(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that has ended: %v", err)
		}
	})
}

// TestGateLosesNoPermit when a permit and a cancel come in the same moment: whoever gives up passes it on.
func TestGateLosesNoPermit(t *testing.T) {
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			g := newGate(t, 1, 8)
			held, _ := g.Enter(t.Context())
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					if p, err := g.Enter(ctx); err == nil {
						g.Leave(p)
					}
				})
			}
			synctest.Wait()
			all.Go(cancel)
			all.Go(func() { g.Leave(held) })
			all.Wait()
			if inside, waiting := g.Inside(); inside != 0 || waiting != 0 {
				t.Fatalf("%d inside and %d waiting when all have gone, want none", inside, waiting)
			}
			if _, err := g.Enter(t.Context()); err != nil {
				t.Fatalf("the gate does not open any more: %v", err)
			}
		})
	}
}

func TestBadConfigurations(t *testing.T) {
	_, pacer := block.NewPacer(limiter.QueueConfig{Rate: limiter.PerSecond(1), Depth: -1}, nil)
	_, permits := block.NewGate(block.GateConfig{Permits: -1})
	_, waiters := block.NewGate(block.GateConfig{Waiters: -1})
	for want, err := range map[string]error{
		"depth: -1 is outside 0..9223372035 units at this rate": pacer,
		"limit: -1 is outside 0..16777216 permits":              permits,
		"waiters: -1 is outside 0..9223372036854775807 callers": waiters,
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestZeroValuesLetNobodyIn(t *testing.T) {
	var full *block.FullError
	if err := (&block.Pacer{}).Wait(t.Context()); !errors.As(err, &full) {
		t.Errorf("pacer: %v, want full", err)
	}
	if _, err := (&block.Gate{}).Enter(t.Context()); !errors.As(err, &full) {
		t.Errorf("gate: %v, want full", err)
	}
}

func Example() {
	start := time.Now()
	pacer, err := block.NewPacer(limiter.QueueConfig{Rate: limiter.PerSecond(1000), Depth: 10}, func() int64 { return int64(time.Since(start)) })
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 3 {
		if err := pacer.Wait(context.Background()); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("request", i)
	}
	fmt.Println("at least 2 ms have passed:", time.Since(start) >= 2*time.Millisecond)
	// Output:
	// request 0
	// request 1
	// request 2
	// at least 2 ms have passed: true
}
