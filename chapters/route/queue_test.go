package route_test

import (
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/route"
)

// TestTrap59QueueScenario: full rejects at once, a deadline past is dropped when its turn comes and not served, cancel removes the
// waiter and its place exactly once.
func TestTrap59QueueScenario(t *testing.T) {
	g := must(route.NewGateway(route.Config{Peers: equals(1, 1)}, route.QueueConfig{Depth: 3}))
	_, held := g.AskAt(0, route.NoDeadline, nil)
	ask := func(deadline int64) (route.Ticket, route.Reason) {
		ticket, d := g.AskAt(0, deadline, nil)
		return ticket, d.Reason
	}
	early, _ := ask(1 * second)
	gone, _ := ask(route.NoDeadline)
	last, _ := ask(10 * second)
	if _, why := ask(route.NoDeadline); why != route.QueueFull {
		t.Errorf("the fifth: %v, want queue full", why)
	}
	if !g.Cancel(gone) || g.Cancel(gone) {
		t.Errorf("cancel should succeed once")
	}
	if g.Waiting() != 2 {
		t.Errorf("%d wait after the cancel, want 2", g.Waiting())
	}
	fresh, why := ask(route.NoDeadline)
	if why != route.Waiting {
		t.Errorf("after the cancel: %v, want a place", why)
	}
	if g.Cancel(gone) {
		t.Errorf("the cancelled ticket removes the one that took its place")
	}
	if _, why := ask(0); why != route.DeadlinePast {
		t.Errorf("a deadline that is now: %v, want deadline past", why)
	}
	if _, _, ok := g.NextAt(second, nil); !ok {
		t.Fatalf("the one whose deadline has passed should be told though there is no room")
	}
	g.DoneAt(2*second, held.Lease, route.Success)
	w, d, ok := g.NextAt(2*second, nil)
	if !ok || !d.OK || w.Ticket != last || w.Waited != 2*second || w.Late {
		t.Errorf("the next: %+v %+v %v, want the third, served", w, d, ok)
	}
	if _, _, ok := g.NextAt(2*second, nil); ok {
		t.Errorf("somebody is served without room")
	}
	if g.Cancel(last) || g.Cancel(early) {
		t.Errorf("a ticket that was served or dropped can be cancelled")
	}
	g.DoneAt(3*second, d.Lease, route.Success)
	if w, d, _ := g.NextAt(3*second, nil); !d.OK || w.Ticket != fresh {
		t.Errorf("the last: %+v %+v", w, d)
	}
}

// TestGatewayLetsNobodyOvertake: while one waits, room that appears is his.
func TestGatewayLetsNobodyOvertake(t *testing.T) {
	g := must(route.NewGateway(route.Config{Peers: equals(1, 1)}, route.QueueConfig{Depth: 2}))
	_, held := g.AskAt(0, route.NoDeadline, nil)
	first, _ := g.AskAt(0, route.NoDeadline, nil)
	g.DoneAt(1, held.Lease, route.Success)
	second, d := g.AskAt(1, route.NoDeadline, nil)
	if d.Reason != route.Waiting {
		t.Fatalf("the newcomer: %+v, want it to wait", d)
	}
	if w, d, ok := g.NextAt(1, nil); !ok || !d.OK || w.Ticket != first {
		t.Errorf("served: %+v, want the one who came first", w)
	}
	if w, _, ok := g.NextAt(1, nil); ok {
		t.Errorf("served: %+v, want nobody", w)
	}
	g.SetHealth(1, 0, false)
	if _, d := g.AskAt(1, route.NoDeadline, nil); d.Reason != route.NoneHealthy {
		t.Errorf("nobody healthy: %v, want a refusal at once though there is a place", d.Reason)
	}
	if !g.Cancel(second) {
		t.Errorf("the one who waits cannot give up")
	}
}

// waiting is one who waits, in the twin.
type waiting struct {
	ticket   route.Ticket
	deadline int64
	came     int64
}

// TestTrap59QueueIsItsTwin: against a plain list, for both orders, whatever is pushed, popped and cancelled, tickets of long ago
// included.
func TestTrap59QueueIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(0, 5).Draw(t, "depth")
		order := rapid.SampledFrom([]route.Order{route.FIFO, route.LIFO}).Draw(t, "order")
		q := must(route.NewQueue(route.QueueConfig{Depth: int64(depth), Order: order}))
		var line []waiting
		var old []route.Ticket
		now := int64(0)
		for step := range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += rapid.Int64Range(0, 3).Draw(t, "passes")
			switch rapid.IntRange(0, 4).Draw(t, "op") {
			case 0, 1:
				deadline := now + rapid.Int64Range(-1, 9).Draw(t, "patience")
				ticket, why := q.Push(now, deadline)
				want := route.Waiting
				if now >= deadline {
					want = route.DeadlinePast
				} else if len(line) == depth {
					want = route.QueueFull
				}
				if why != want {
					t.Fatalf("step %d: push with %d of %d: %v, want %v", step, len(line), depth, why, want)
				}
				if why == route.Waiting {
					line = append(line, waiting{ticket, deadline, now})
				}
			case 2:
				w, ok := q.Pop(now)
				if ok != (len(line) > 0) {
					t.Fatalf("step %d: pop %v with %d waiting", step, ok, len(line))
				}
				if !ok {
					break
				}
				k := 0
				if order == route.LIFO {
					k = len(line) - 1
				}
				if want := (route.Waiter{Ticket: line[k].ticket, Waited: now - line[k].came, Late: now >= line[k].deadline}); w != want {
					t.Fatalf("step %d: pop %+v, want %+v", step, w, want)
				}
				old = append(old, w.Ticket)
				line = append(line[:k], line[k+1:]...)
			case 3:
				if len(line) > 0 {
					k := rapid.IntRange(0, len(line)-1).Draw(t, "who")
					if !q.Cancel(line[k].ticket) {
						t.Fatalf("step %d: one who waits cannot cancel", step)
					}
					old = append(old, line[k].ticket)
					line = append(line[:k], line[k+1:]...)
				}
			case 4:
				if len(old) > 0 && q.Cancel(rapid.SampledFrom(old).Draw(t, "old")) {
					t.Fatalf("step %d: a ticket that waits no more cancels something", step)
				}
			}
			if q.Len() != len(line) {
				t.Fatalf("step %d: %d wait, want %d", step, q.Len(), len(line))
			}
		}
	})
}
