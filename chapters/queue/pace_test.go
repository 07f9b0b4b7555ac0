package queue_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"seedbed/chapters/queue"
)

// TestPeakShaving: 100,000 orders at once before a consumer of 500 a second. The line is full, the last one waits 200 s, the next is
// refused and told when a place is free, and one with 100 s of patience is refused at half that length, before it has waited in vain.
func TestPeakShaving(t *testing.T) {
	q := must(queue.NewQueue(queue.Config{Depth: 100_000, Rate: queue.PerSecond(500)}))
	hopeless := -1
	for i := range 100_000 {
		if _, d := q.PushAt(0, 100*second); d.Reason == queue.Hopeless && hopeless < 0 {
			hopeless = i
		} else if d.OK {
			continue
		}
		if _, d := q.PushAt(0, queue.NoDeadline); !d.OK {
			t.Fatalf("order %d: %+v", i, d)
		}
	}
	if hopeless != 50_000 {
		t.Errorf("100 s of patience are hopeless behind %d others, want 50,000", hopeless)
	}
	if got := q.WaitAt(0); got != 200*second {
		t.Errorf("the last one waits %d ns, want 200 s", got)
	}
	if _, ok := q.PopAt(0); !ok {
		t.Fatal("nobody is served at once")
	}
	q.PushAt(0, queue.NoDeadline)
	if _, d := q.PushAt(0, queue.NoDeadline); d.Reason != queue.QueueFull || d.RetryAfter != second/500 {
		t.Errorf("full: %+v, want a place in 2 ms", d)
	}
	served, last := 1, int64(0)
	for {
		due, any := q.DueAt(last)
		if !any {
			break
		}
		if _, ok := q.PopAt(due - 1); ok {
			t.Fatalf("served a nanosecond before it is due, at %d", due)
		}
		w, ok := q.PopAt(due)
		if !ok || w.Fate != queue.Served {
			t.Fatalf("at %d: %+v %v", due, w, ok)
		}
		served, last = served+1, due
	}
	if served != 100_001 || last != 200*second {
		t.Errorf("%d served, the last at %d ns; want 100,001 in 200 s", served, last)
	}
}

// TestPaceDoesNotDrift: 300 a second for an hour, each served as soon as it may be, is 1,080,000 and not one more or fewer, though 1/300 s
// is no whole number of nanoseconds; and so it is when somebody looks only once a millisecond.
func TestPaceDoesNotDrift(t *testing.T) {
	for _, grain := range []int64{1, ms} {
		q := must(queue.NewQueue(queue.Config{Depth: 2, Rate: queue.PerSecond(300)}))
		q.PushAt(0, queue.NoDeadline)
		var served int64
		now := int64(0)
		for {
			due, _ := q.DueAt(now)
			now = (due + grain - 1) / grain * grain
			if now >= 3600*second {
				break
			}
			q.PushAt(now, queue.NoDeadline)
			if w, ok := q.PopAt(now); !ok || w.Fate != queue.Served {
				t.Fatalf("at %d: %+v %v", now, w, ok)
			}
			served++
		}
		if served != 1_080_000 {
			t.Errorf("grain %d ns: %d served in an hour, want 1,080,000", grain, served)
		}
	}
}

// TestAPauseIsNotSavedUp: after a second without anybody two come and the second one waits its turn.
func TestAPauseIsNotSavedUp(t *testing.T) {
	q := must(queue.NewQueue(queue.Config{Depth: 9, Rate: queue.PerSecond(100)}))
	q.PushAt(0, queue.NoDeadline)
	q.PopAt(0)
	for range 3 {
		q.PushAt(second, queue.NoDeadline)
	}
	var at []int64
	for now := int64(second); now < 2*second; now += ms {
		if _, ok := q.PopAt(now); ok {
			at = append(at, (now-second)/ms)
		}
	}
	if len(at) != 3 || at[0] != 0 || at[1] != 10 || at[2] != 20 {
		t.Errorf("served after %v ms, want 0, 10, 20", at)
	}
}

// TestFarEndsOfTime: rates and instants at their bounds overflow nothing; what is later than an int64 can say is at its last instant.
func TestFarEndsOfTime(t *testing.T) {
	const first, last = -1 << 63, 1<<63 - 1
	q := must(queue.NewQueue(queue.Config{Depth: queue.MaxDepth, Rate: queue.Rate{N: 1, Per: queue.MaxPeriod}}))
	for range 200_000 {
		q.PushAt(first, queue.NoDeadline)
	}
	if got := q.WaitAt(first); got != last {
		t.Errorf("200,000 days: %d, want the longest that can be said", got)
	}
	if _, d := q.PushAt(0, 1<<40); d.Reason != queue.Hopeless {
		t.Errorf("200,000 days before a deadline: %+v", d)
	}
	if _, ok := q.PopAt(first); !ok {
		t.Error("the first is not served at the first instant")
	}
	if due, _ := q.DueAt(first); due != first+queue.MaxPeriod {
		t.Errorf("the second is due at %d", due)
	}
	if w, ok := q.PopAt(last - 1); !ok || w.Waited != last || w.Fate != queue.Served {
		t.Errorf("a wait that no int64 can say: %+v", w)
	}
	if w, ok := q.PopAt(last); !ok || w.Fate != queue.Late {
		t.Errorf("at the last instant every deadline has passed: %+v %v", w, ok)
	}
}

// TestLockedInARace: many push and many pop; everybody who got a place leaves it once, and never more than Depth wait.
func TestLockedInARace(t *testing.T) {
	var clock atomic.Int64
	l := must(queue.NewLocked(queue.Config{Depth: 8, Order: queue.Adaptive, Crowded: 4}, func() int64 { return clock.Add(1) }))
	var in, out atomic.Int64
	var all sync.WaitGroup
	for id := range 16 {
		all.Go(func() {
			for k := range 300 {
				switch (id + k) % 4 {
				case 0:
					if _, ok := l.Pop(); ok {
						out.Add(1)
					}
				case 1:
					if ticket, d := l.Push(50); d.OK {
						in.Add(1)
						if k%8 == 0 && l.Cancel(ticket) {
							out.Add(1)
						}
					}
				case 2:
					if _, d := l.Push(queue.NoDeadline); d.OK {
						in.Add(1)
					}
				case 3:
					if _, ok := l.Late(); ok {
						out.Add(1)
					}
				}
				if n := l.Len(); n > 8 {
					t.Errorf("%d wait in 8 places", n)
				}
			}
		})
	}
	all.Wait()
	end := l.Snapshot()
	if in.Load() == 0 || in.Load() != out.Load()+int64(end.Len()) {
		t.Errorf("%d came, %d left, %d wait", in.Load(), out.Load(), end.Len())
	}
	if _, d := l.Push(-1); d.Reason != queue.DeadlinePast {
		t.Errorf("no patience: %+v", d)
	}
}
