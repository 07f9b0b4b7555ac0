package queuetest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"seedbed/chapters/queue"
	"seedbed/chapters/queue/queuetest"
)

// recorder is a TB that keeps what it is told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// TestOurs: the queue of this project, in both orders.
func TestOurs(t *testing.T) {
	for _, order := range []queue.Order{queue.FIFO, queue.LIFO} {
		t.Run(order.String(), func(t *testing.T) {
			queuetest.Run(t, queuetest.Target{Order: order, Claims: queuetest.Full, New: func(depth int) queuetest.Queue {
				q, err := queue.NewQueue(queue.Config{Depth: int64(depth), Order: order})
				if err != nil {
					t.Fatal(err)
				}
				return queuetest.Of(&q)
			}})
		})
	}
}

// bent is a plain list behind a lock, to be bent.
type bent struct {
	mu    sync.Mutex
	depth int
	line  []who

	lifo, grows, shrinks, skips, hopeful, patient, keeps, frees, twice, hides bool
}

type who struct {
	id       int
	deadline int64
}

func (b *bent) Push(now int64, id int, deadline int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	depth := b.depth
	if b.grows {
		depth++
	}
	if b.shrinks && depth > 1 {
		depth--
	}
	if len(b.line) >= depth || now >= deadline && !b.hopeful {
		return false
	}
	b.line = append(b.line, who{id, deadline})
	return true
}

func (b *bent) Pop(now int64) (int, bool, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.line) == 0 {
		return 0, false, false
	}
	i := 0
	if b.lifo {
		i = len(b.line) - 1
	}
	if b.skips && len(b.line) > 2 {
		i = 1
	}
	w := b.line[i]
	if !b.twice {
		b.line = slices.Delete(b.line, i, i+1)
	}
	if b.hides && w.id%4 == 3 {
		return w.id, false, true
	}
	return w.id, now < w.deadline || b.patient, true
}

func (b *bent) Cancel(id int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.line, func(w who) bool { return w.id == id })
	if i < 0 {
		return b.frees
	}
	if !b.keeps {
		b.line = slices.Delete(b.line, i, i+1)
	}
	return true
}

// TestEachClaimCanFail: for each claim a queue that breaks it, and nothing is said of the one that breaks none.
func TestEachClaimCanFail(t *testing.T) {
	for name, c := range map[string]struct {
		claim queuetest.Claim
		bend  func(*bent)
		want  string
	}{
		"grows":     {queuetest.Bounded, func(b *bent) { b.grows = true }, "wait already in"},
		"shrinks":   {queuetest.Bounded, func(b *bent) { b.shrinks = true }, "is refused, and"},
		"skips":     {queuetest.Ordered, func(b *bent) { b.skips = true }, "is taken out before"},
		"other end": {queuetest.Ordered, func(b *bent) { b.lifo = true }, "is taken out before"},
		"twice":     {queuetest.Ordered, func(b *bent) { b.twice = true }, "does not wait, and is served"},
		"hides":     {queuetest.Ordered, func(b *bent) { b.hides = true }, "is not served, and has time"},
		"hopeful":   {queuetest.Deadlines, func(b *bent) { b.hopeful = true }, "waits, and its deadline is"},
		"patient":   {queuetest.Deadlines, func(b *bent) { b.patient = true }, "is served, and its deadline was"},
		"keeps":     {queuetest.Cancels, func(b *bent) { b.keeps = true }, "does not wait, and is served"},
		"frees":     {queuetest.Cancels, func(b *bent) { b.frees = true }, "gives up: true, want false"},
		"at once":   {queuetest.Concurrent, func(b *bent) { b.keeps = true }, "came and"},
		"right":     {queuetest.Full | queuetest.Concurrent, nil, ""},
	} {
		r := &recorder{}
		queuetest.Check(r, queuetest.Target{Claims: c.claim, New: func(depth int) queuetest.Queue {
			b := &bent{depth: depth}
			if c.bend != nil {
				c.bend(b)
			}
			return b
		}})
		got := strings.Join(r.said, "\n")
		if (c.bend == nil) != (got == "") || !strings.Contains(got, c.want) || c.bend != nil && !strings.HasPrefix(got, c.claim.String()+": seed ") {
			t.Errorf("%s: the suite says %q, want %q", name, got, c.want)
		}
	}
	r := &recorder{}
	queuetest.Check(r, queuetest.Target{Order: queue.LIFO, Claims: queuetest.Full, New: func(depth int) queuetest.Queue { return &bent{depth: depth, lifo: true} }})
	if len(r.said) != 0 {
		t.Errorf("a right one that serves the last first: %q", r.said)
	}
}

// TestTargetsThatMakeNoSense are told so.
func TestTargetsThatMakeNoSense(t *testing.T) {
	fresh := func(depth int) queuetest.Queue { return &bent{depth: depth} }
	for want, target := range map[string]queuetest.Target{
		"New is nil":     {Claims: queuetest.Full},
		"no claims":      {New: fresh},
		"order adaptive": {New: fresh, Claims: queuetest.Full, Order: queue.Adaptive},
		"-1 seeds":       {New: fresh, Claims: queuetest.Full, Seeds: -1},
	} {
		r := &recorder{}
		queuetest.Check(r, target)
		if len(r.said) != 1 || !strings.Contains(r.said[0], want) {
			t.Errorf("said %q, want one line with %q", r.said, want)
		}
	}
	if got := (queuetest.Cancels | queuetest.Bounded).String(); got != "bounded|cancels" {
		t.Errorf("claims are called %q", got)
	}
	if got := queuetest.Claim(0).String(); got != "none" {
		t.Errorf("no claims are called %q", got)
	}
}
