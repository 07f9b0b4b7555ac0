package queue_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/queue"
)

const second = 1_000_000_000

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestTrap59QueueScenario: full refuses at once, who is late is told and not served, and a cancel frees its place exactly once.
func TestTrap59QueueScenario(t *testing.T) {
	q := must(queue.NewQueue(queue.Config{Depth: 3}))
	push := func(now, deadline int64) (queue.Ticket, queue.Reason) {
		ticket, d := q.PushAt(now, deadline)
		return ticket, d.Reason
	}
	late, _ := push(0, 5)
	gone, _ := push(0, queue.NoDeadline)
	good, _ := push(1, 10)
	if _, why := push(1, queue.NoDeadline); why != queue.QueueFull {
		t.Errorf("the fourth of three: %v", why)
	}
	if !q.Cancel(gone) || q.Cancel(gone) || q.Len() != 2 {
		t.Errorf("cancelled, %d wait, want 2", q.Len())
	}
	fresh, why := push(2, queue.NoDeadline)
	if why != queue.Waiting || q.Cancel(gone) {
		t.Errorf("the place that became free: %v, or the old ticket removes its new owner", why)
	}
	if _, why := push(2, 2); why != queue.DeadlinePast {
		t.Errorf("a deadline that is now: %v", why)
	}
	want := []queue.Waiter{
		{Ticket: late, Waited: 5, Fate: queue.Late}, {Ticket: good, Waited: 4}, {Ticket: fresh, Waited: 3},
	}
	var got []queue.Waiter
	for w, ok := q.PopAt(5); ok; w, ok = q.PopAt(5) {
		got = append(got, w)
	}
	if !slices.Equal(got, want) {
		t.Errorf("taken out:\n %+v\nwant\n %+v", got, want)
	}
	for _, ticket := range []queue.Ticket{late, gone, good, fresh, {}} {
		if q.Cancel(ticket) {
			t.Errorf("ticket %+v waits no more and can be cancelled", ticket)
		}
	}
}

// waiting is one who waits, in the twin.
type waiting struct {
	ticket         queue.Ticket
	came, deadline int64
}

// twin is a plain list, oldest first, and for the rate all instants at which somebody was served.
type twin struct {
	cfg  queue.Config
	line []waiting
	// The k-th since the pace began is served from begin + k·Per/N on.
	began bool
	begin int64
	k     int64
}

// due is when the next but ahead may be served.
func (w *twin) due(now, ahead int64) int64 {
	if w.cfg.Rate.N == 0 {
		return now
	}
	turn := w.cfg.Rate.Per/w.cfg.Rate.N + 1
	up := func(k int64) int64 { return w.begin + (k*w.cfg.Rate.Per+w.cfg.Rate.N-1)/w.cfg.Rate.N }
	if !w.began || now-up(w.k) >= turn {
		return now + (ahead*w.cfg.Rate.Per+w.cfg.Rate.N-1)/w.cfg.Rate.N
	}
	return max(now, up(w.k+ahead))
}

func (w *twin) serve(now int64) {
	if w.cfg.Rate.N == 0 {
		return
	}
	turn := w.cfg.Rate.Per/w.cfg.Rate.N + 1
	if !w.began || now-(w.begin+(w.k*w.cfg.Rate.Per+w.cfg.Rate.N-1)/w.cfg.Rate.N) >= turn {
		w.began, w.begin, w.k = true, now, 0
	}
	w.k++
}

func (w *twin) push(now, deadline int64) (queue.Reason, int64) {
	wait := int64(0)
	if w.cfg.Order == queue.FIFO {
		wait = w.due(now, int64(len(w.line))) - now
	}
	switch {
	case now >= deadline:
		return queue.DeadlinePast, 0
	case int64(len(w.line)) == w.cfg.Depth:
		return queue.QueueFull, 0
	case wait > 0 && wait >= deadline-now:
		return queue.Hopeless, wait
	}
	return queue.Waiting, wait
}

// pop is the one whose turn it is, −1 for nobody.
func (w *twin) pop(now int64) int {
	switch {
	case len(w.line) == 0 || w.due(now, 0) > now:
		return -1
	case w.cfg.Order == queue.LIFO, w.cfg.Order == queue.Adaptive && int64(len(w.line)) >= w.cfg.Crowded:
		return len(w.line) - 1
	}
	return 0
}

func drawConfig(t *rapid.T) queue.Config {
	cfg := queue.Config{
		Depth: rapid.Int64Range(0, 6).Draw(t, "depth"), Crowded: rapid.Int64Range(1, 5).Draw(t, "crowded"),
		Order: rapid.SampledFrom([]queue.Order{queue.FIFO, queue.LIFO, queue.Adaptive}).Draw(t, "order"),
	}
	if rapid.Bool().Draw(t, "paced") {
		cfg.Rate = queue.Rate{N: rapid.Int64Range(1, 7).Draw(t, "n"), Per: rapid.Int64Range(1, 20).Draw(t, "per")}
	}
	return cfg
}

// TestTrap59QueueIsItsTwin: in every order, with and without a rate, whatever is pushed, popped, found late and cancelled, with tickets
// of long ago, and through a copy.
func TestTrap59QueueIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		q, w, old := must(queue.NewQueue(cfg)), twin{cfg: cfg}, []queue.Ticket(nil)
		now := rapid.Int64Range(-20, 20).Draw(t, "from")
		for step := range rapid.IntRange(1, 80).Draw(t, "steps") {
			now += rapid.Int64Range(0, 4).Draw(t, "passes")
			take := func(k int, got queue.Waiter) {
				want := queue.Waiter{Ticket: w.line[k].ticket, Waited: now - w.line[k].came}
				if now >= w.line[k].deadline {
					want.Fate = queue.Late
				}
				if got != want {
					t.Fatalf("step %d: %+v, want %+v", step, got, want)
				}
				old = append(old, got.Ticket)
				w.line = slices.Delete(w.line, k, k+1)
			}
			switch rapid.IntRange(0, 7).Draw(t, "op") {
			case 0, 1, 2:
				deadline := now + rapid.Int64Range(-1, 12).Draw(t, "patience")
				why, wait := w.push(now, deadline)
				ticket, d := q.PushAt(now, deadline)
				if d.Reason != why || d.OK != (why == queue.Waiting) || d.Wait != wait {
					t.Fatalf("step %d: push with %d of %d: %+v, want %v after %d", step, len(w.line), cfg.Depth, d, why, wait)
				}
				if d.OK {
					w.line = append(w.line, waiting{ticket, now, deadline})
				}
			case 3, 4:
				k := w.pop(now)
				got, ok := q.PopAt(now)
				if ok != (k >= 0) {
					t.Fatalf("step %d: pop %v with %d waiting, want %v", step, ok, len(w.line), k >= 0)
				}
				if ok {
					if take(k, got); got.Fate == queue.Served {
						w.serve(now)
					}
				}
			case 5:
				got, ok := q.LateAt(now)
				if want := len(w.line) > 0 && now >= w.line[0].deadline; ok != want {
					t.Fatalf("step %d: the first is late: %v, want %v", step, ok, want)
				}
				if ok {
					take(0, got)
				}
			case 6:
				if len(w.line) > 0 {
					k := rapid.IntRange(0, len(w.line)-1).Draw(t, "who")
					if !q.Cancel(w.line[k].ticket) {
						t.Fatalf("step %d: one who waits cannot cancel", step)
					}
					old = append(old, w.line[k].ticket)
					w.line = slices.Delete(w.line, k, k+1)
				}
			case 7:
				q = q.Clone()
				if len(old) > 0 && q.Cancel(rapid.SampledFrom(old).Draw(t, "old")) {
					t.Fatalf("step %d: a ticket that waits no more cancels something", step)
				}
			}
			due, any := q.DueAt(now)
			if q.Len() != len(w.line) || any != (len(w.line) > 0) || any && due != w.due(now, 0) {
				t.Fatalf("step %d: %d wait, the next due at %d (%v), want %d at %d", step, q.Len(), due, any, len(w.line), w.due(now, 0))
			}
		}
	})
}
