package queue_test

import (
	"testing"

	"seedbed/chapters/queue"
)

// TestBadConfigurations: one line says what is wrong, where, and what would be right.
func TestBadConfigurations(t *testing.T) {
	for _, c := range []struct {
		cfg  queue.Config
		want string
	}{
		{queue.Config{Depth: -1}, "depth: -1 is outside 0..1048576 requests"},
		{queue.Config{Order: 3}, "order: 3 is outside 0..2"},
		{queue.Config{Shed: 3}, "shed: 3 is outside 0..2"},
		{queue.Config{Order: queue.Adaptive}, "crowded: 0 is outside 1..1048576 requests"},
		{queue.Config{Rate: queue.PerSecond(-1)}, "rate: -1 is outside 1..1000000000 per period"},
		{queue.Config{Rate: queue.Rate{N: 1}}, "period: 0 is outside 1..86400000000000 ns"},
		{queue.Config{Shed: queue.BySlough}, "interval: 0 is outside 1..4611686018427387904 ns"},
		{queue.Config{Shed: queue.BySlough, Target: 6, Interval: 5}, "target: 6 is outside 1..5 ns"},
		{queue.Config{Shed: queue.ByCoDel, Target: 1, Interval: 5, Order: queue.LIFO}, "shed by codel: needs the order fifo"},
	} {
		_, err := queue.NewLocked(c.cfg, nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%+v: error %v, want %q", c.cfg, err, c.want)
		}
	}
	if _, err := queue.NewQueue(queue.Config{Shed: queue.BySlough, Target: 5, Interval: 5, Order: queue.LIFO, Depth: queue.MaxDepth}); err != nil {
		t.Error(err)
	}
}

// TestZeroValueLetsNobodyWait.
func TestZeroValueLetsNobodyWait(t *testing.T) {
	var q queue.Queue
	if _, d := q.PushAt(0, 1); d.OK || d.Reason != queue.QueueFull || d.RetryAfter != queue.Never {
		t.Errorf("push: %+v", d)
	}
	if w, ok := q.PopAt(0); ok {
		t.Errorf("pop: %+v", w)
	}
	if _, ok := q.LateAt(0); ok || q.Cancel(queue.Ticket{}) || q.Len() != 0 || q.WaitAt(0) != 0 {
		t.Error("somebody waits")
	}
	if _, any := q.DueAt(0); any {
		t.Error("somebody is due")
	}
}

// TestNothingAllocates: once as many wait as ever will.
func TestNothingAllocates(t *testing.T) {
	for name, cfg := range map[string]queue.Config{
		"fifo": {}, "lifo": {Order: queue.LIFO}, "adaptive": {Order: queue.Adaptive, Crowded: 3}, "paced": {Rate: queue.PerSecond(1000)},
		"codel": {Shed: queue.ByCoDel, Target: 1, Interval: 2}, "slough": {Shed: queue.BySlough, Target: ms, Interval: 5 * ms},
	} {
		cfg.Depth = 8
		q := must(queue.NewQueue(cfg))
		now, fates := int64(0), map[queue.Fate]int{}
		step := func() {
			now += ms
			ticket, _ := q.PushAt(now, now+20*ms)
			q.PushAt(now, now+20*ms)
			if now/ms%5 == 0 {
				q.Cancel(ticket)
			}
			q.LateAt(now)
			w, ok := q.PopAt(now)
			if ok {
				fates[w.Fate]++
			}
		}
		for range 100 {
			step()
		}
		if n := testing.AllocsPerRun(300, step); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
		if fates[queue.Served] == 0 || cfg.Shed != queue.KeepAll && fates[queue.Shed] == 0 {
			t.Errorf("%s: fates %v", name, fates)
		}
	}
}

// TestWords: every reason, fate, order and rule has a word of its own; what is none shows its number.
func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for i := range uint8(5) {
		for n, word := range []string{queue.Reason(i).String(), queue.Fate(i).String(), queue.Order(i).String(), queue.Shedding(i).String()} {
			if known := []uint8{4, 3, 3, 3}[n]; i >= known {
				if word != string('0'+rune(i)) {
					t.Errorf("number %d of kind %d is called %q", i, n, word)
				}
			} else if key := string('0'+rune(n)) + word; seen[key] {
				t.Errorf("%q twice", word)
			} else {
				seen[key] = true
			}
		}
	}
}

// BenchmarkQueue is one who comes and one who is served, with a hundred between them.
func BenchmarkQueue(b *testing.B) {
	for name, cfg := range map[string]queue.Config{
		"fifo": {}, "paced": {Rate: queue.PerSecond(1_000_000)}, "codel": {Shed: queue.ByCoDel, Target: second, Interval: second},
	} {
		cfg.Depth = 200
		b.Run(name, func(b *testing.B) {
			q := must(queue.NewQueue(cfg))
			for range 100 {
				q.PushAt(0, queue.NoDeadline)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for k := range int64(b.N) {
				q.PushAt(k*1000, queue.NoDeadline)
				q.PopAt(k * 1000)
			}
		})
	}
}
