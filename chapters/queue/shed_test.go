package queue_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/queue"
)

const ms = 1_000_000

// TestCoDelVector: somebody leaves each millisecond and has waited 10 ms. By hand from RFC 8289 with 5 ms and 100 ms: nobody is dropped
// for 100 ms, then one is, and further ones follow 100/√1, 100/√2, 100/√3 … ms later, each at the first leave after that.
func TestCoDelVector(t *testing.T) {
	c := must(queue.NewCoDel(5*ms, 100*ms))
	var got []int64
	for now := int64(0); now <= 510; now++ {
		if c.DropAt(now*ms, 10*ms, 50) {
			got = append(got, now)
		}
	}
	// 100, 200, 270.7, 328.4, 378.4, 423.2, 464.0, 501.8
	if want := []int64{100, 200, 271, 329, 379, 424, 464, 502}; !slices.Equal(got, want) {
		t.Errorf("dropped at %v ms, want %v", got, want)
	}
	// One short wait ends it, and so does an empty queue or a short one; the next interval is a whole one.
	for name, calm := range map[string]func(c *queue.CoDel){
		"short wait":  func(c *queue.CoDel) { c.DropAt(511*ms, 5*ms-1, 50) },
		"one left":    func(c *queue.CoDel) { c.DropAt(511*ms, 10*ms, 1) },
		"nobody left": func(c *queue.CoDel) { c.Empty() },
	} {
		c := c
		calm(&c)
		first := int64(-1)
		for now := int64(512); now < 700; now++ {
			if c.DropAt(now*ms, 10*ms, 50) {
				first = now
				break
			}
		}
		if first != 612 {
			t.Errorf("%s: the next drop at %d ms, want a whole interval later, at 612", name, first)
		}
		// It stopped a while ago, so it goes on where it was: 8 drops, of which the first began the state. The next comes 100/√7 later.
		second := first
		for now := first + 1; now < 800 && second == first; now++ {
			if c.DropAt(now*ms, 10*ms, 50) {
				second = now
			}
		}
		if want := first + 1 + int64(100/math.Sqrt(7)); second != want {
			t.Errorf("%s: the drop after that at %d ms, want %d", name, second, want)
		}
	}
}

// rfc is the pseudocode of RFC 8289, section 5, on a plain list: one call takes out all that it drops.
type rfc struct {
	target, interval int64
	line             []waiting
	first, next      int64
	dropping         bool
	count, last      int64
}

func (r *rfc) law(t int64) int64 {
	return t + int64(math.Floor(float64(r.interval)/math.Sqrt(float64(r.count))))
}

func (r *rfc) dodequeue(now int64) (w waiting, some, may bool) {
	if len(r.line) == 0 {
		r.first = -1
		return w, false, false
	}
	w, r.line = r.line[0], r.line[1:]
	if now-w.came < r.target || len(r.line) <= 1 {
		r.first = -1
	} else if r.first < 0 {
		r.first = now + r.interval
	} else if now >= r.first {
		may = true
	}
	return w, true, may
}

func (r *rfc) dequeue(now int64) (w waiting, some bool, drops []waiting) {
	w, some, may := r.dodequeue(now)
	if r.dropping {
		if !may {
			r.dropping = false
		}
		for now >= r.next && r.dropping {
			drops = append(drops, w)
			if w, some, may = r.dodequeue(now); !may {
				r.dropping = false
			} else {
				r.count++
				r.next = r.law(r.next)
			}
		}
	} else if may {
		drops = append(drops, w)
		w, some, _ = r.dodequeue(now)
		r.dropping = true
		delta := r.count - r.last
		r.count = 1
		if delta > 1 && now-r.next < 16*r.interval {
			r.count = delta
		}
		r.next = r.law(now)
		r.last = r.count
	}
	return w, some, drops
}

// TestCoDelIsTheRFC: a queue that sheds by CoDel, popped until it serves somebody, does what the pseudocode does.
func TestCoDelIsTheRFC(t *testing.T) {
	var shed, served int
	rapid.Check(t, func(t *rapid.T) {
		interval := rapid.Int64Range(1, 60).Draw(t, "interval")
		target := rapid.Int64Range(1, interval).Draw(t, "target")
		q := must(queue.NewQueue(queue.Config{Depth: 1000, Shed: queue.ByCoDel, Target: target, Interval: interval}))
		r := rfc{target: target, interval: interval, first: -1}
		now := int64(0)
		load := rapid.IntRange(2, 8).Draw(t, "load")
		for step := range rapid.IntRange(1, 400).Draw(t, "steps") {
			now += rapid.Int64Range(0, 4).Draw(t, "passes")
			if rapid.IntRange(0, 9).Draw(t, "comes") < load {
				ticket, _ := q.PushAt(now, queue.NoDeadline)
				r.line = append(r.line, waiting{ticket: ticket, came: now})
				continue
			}
			want, some, drops := r.dequeue(now)
			for _, d := range drops {
				shed++
				if w, ok := q.PopAt(now); !ok || w.Fate != queue.Shed || w.Ticket != d.ticket {
					t.Fatalf("step %d: %+v %v, want %+v shed", step, w, ok, d)
				}
			}
			if w, ok := q.PopAt(now); ok != some || ok && (w.Fate != queue.Served || w.Ticket != want.ticket) {
				t.Fatalf("step %d: %+v %v, want %+v %v served", step, w, ok, want, some)
			}
			served++
		}
	})
	if shed < 100 || served < 100 {
		t.Errorf("%d shed and %d served in all: too few to have compared anything", shed, served)
	}
}

// TestSloughDropsWhatStands: a whole interval of long waits, and in the next one everybody who waited longer than twice the target is
// dropped but the first; one short wait in an interval, or nobody at all, and it is over.
func TestSloughDropsWhatStands(t *testing.T) {
	s := must(queue.NewSlough(5*ms, 100*ms))
	drops := func(from, to, waited int64) (n int) {
		for now := from; now < to; now++ {
			if s.DropAt(now*ms, waited) {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		from, to, waited int64
		want             int
		standing         bool
		why              string
	}{
		{0, 100, 11 * ms, 0, false, "the first interval judges nobody"},
		{100, 200, 10*ms + 1, 100, true, "longer than twice the target"},
		{200, 300, 10 * ms, 0, true, "not longer than twice the target, but standing"},
		{300, 350, 11 * ms, 50, true, ""},
		{350, 351, 5 * ms, 0, true, "one short wait is seen at the end of the interval"},
		{351, 400, 11 * ms, 49, true, ""},
		{400, 500, 11 * ms, 0, false, "the interval before had a short wait"},
		{500, 510, 11 * ms, 10, true, ""},
		{900, 950, 11 * ms, 0, false, "nobody left for an interval and more"},
	} {
		if got := drops(c.from, c.to, c.waited); got != c.want || s.Standing() != c.standing {
			t.Errorf("%d to %d ms, waits of %d ns: %d dropped, standing %v; want %d, %v: %s", c.from, c.to, c.waited, got, s.Standing(), c.want, c.standing, c.why)
		}
	}
	one := must(queue.NewSlough(5*ms, 100*ms))
	for i := range int64(5) {
		if one.DropAt(i*100*ms, second) || one.Standing() {
			t.Fatalf("one request an interval: dropped or standing at %d", i)
		}
	}
}

// overload runs a queue into which 1200 a second come for five seconds and 1000 a second are served, and returns how long those waited
// who were served in the last second, at the longest, and how many were in all.
func overload(cfg queue.Config) (longest int64, served int) {
	q := must(queue.NewQueue(cfg))
	serveAt := int64(0)
	for k := range int64(6000) {
		now := k * second / 1200
		for ; serveAt <= now; serveAt += ms {
			for w, ok := q.PopAt(serveAt); ok; w, ok = q.PopAt(serveAt) {
				if w.Fate == queue.Served {
					served++
					if serveAt > 4*second {
						longest = max(longest, w.Waited)
					}
					break
				}
			}
		}
		q.PushAt(now, queue.NoDeadline)
	}
	return longest, served
}

// TestShedding: under an overload that does not yield, a queue that keeps all makes everybody wait for its whole length; Slough keeps the
// waits near its target and serves as many.
func TestShedding(t *testing.T) {
	keep, all := overload(queue.Config{Depth: 500})
	codel, some := overload(queue.Config{Depth: 500, Shed: queue.ByCoDel, Target: 5 * ms, Interval: 100 * ms})
	slough, most := overload(queue.Config{Depth: 500, Shed: queue.BySlough, Target: 5 * ms, Interval: 100 * ms})
	if keep < 450*ms || keep > 501*ms {
		t.Errorf("keeping all: the longest wait is %d ns, want about the queue's length, 500 ms", keep)
	}
	if slough > 12*ms || most < all-all/50 {
		t.Errorf("slough: the longest wait is %d ns and %d are served, want at most about 10 ms and as many as %d", slough, most, all)
	}
	if codel >= keep || some < all-all/50 {
		t.Errorf("codel: the longest wait is %d ns and %d are served, want a shorter wait than %d and as many as %d", codel, some, keep, all)
	}
}

// TestZeroRulesDropNothing, and rules that cannot be are errors.
func TestZeroRulesDropNothing(t *testing.T) {
	var c queue.CoDel
	var s queue.Slough
	for now := range int64(1000) {
		if c.DropAt(now, second, 9) || s.DropAt(now, second) {
			t.Fatal("dropped by a rule that nobody made")
		}
	}
	if _, err := queue.NewCoDel(0, 1); err == nil || err.Error() != "target: 0 is outside 1..1 ns" {
		t.Errorf("codel: %v", err)
	}
	if _, err := queue.NewSlough(3, 2); err == nil || err.Error() != "target: 3 is outside 1..2 ns" {
		t.Errorf("slough: %v", err)
	}
}
