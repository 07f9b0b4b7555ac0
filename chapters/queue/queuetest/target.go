package queuetest

import (
	"testing"

	"seedbed/chapters/queue"
)

// NoDeadline is later than every instant.
const NoDeadline = queue.NoDeadline

// Queue is what is tested. Instants never go back.
type Queue interface {
	// Push lets a newcomer wait until a deadline, or reports false.
	Push(now int64, id int, deadline int64) bool
	// Pop takes the next one out, and reports false when there is none. One that is late is not served; a queue may say so, or pass it over.
	Pop(now int64) (id int, served, ok bool)
	// Cancel gives up the place of one who waits, and reports whether there was one.
	Cancel(id int) bool
}

// Of is a queue of this project as the suite wants it.
func Of(q *queue.Queue) Queue {
	return &adapter{q: q, tickets: map[int]queue.Ticket{}, ids: map[queue.Ticket]int{}}
}

type adapter struct {
	q       *queue.Queue
	tickets map[int]queue.Ticket
	ids     map[queue.Ticket]int
}

func (a *adapter) Push(now int64, id int, deadline int64) bool {
	t, d := a.q.PushAt(now, deadline)
	if d.OK {
		a.tickets[id], a.ids[t] = t, id
	}
	return d.OK
}

func (a *adapter) Pop(now int64) (id int, served, ok bool) {
	w, ok := a.q.PopAt(now)
	return a.ids[w.Ticket], ok && w.Fate == queue.Served, ok
}

func (a *adapter) Cancel(id int) bool { return a.q.Cancel(a.tickets[id]) }

// Target is a queue under test and what it promises.
type Target struct {
	// New returns an empty queue in which so many can wait, 1 or more.
	New func(depth int) Queue

	// Order is FIFO or LIFO.
	Order queue.Order

	// Seeds is how many schedules each claim is tried on; 0 means 100.
	Seeds int

	Claims Claim
}

// Claim is a set of promises.
type Claim uint

// The promises, each a subtest.
const (
	// Bounded: as many as depth wait, and no more; one who leaves makes room for one.
	Bounded Claim = 1 << iota
	// Ordered: everybody who waits is served, once, in the order.
	Ordered
	// Deadlines: nobody waits whose deadline is now or past, and nobody is served at or after it.
	Deadlines
	// Cancels: who gives up is not served, makes room once, and cannot give up again, nor can one who has left.
	Cancels
	// Concurrent: with many who push, pop and give up at once, everybody who came leaves once.
	Concurrent

	// Full is every claim but Concurrent.
	Full = Bounded | Ordered | Deadlines | Cancels
)

// TB is the part of *testing.T that the checks use. A recording implementation shows that a check can fail.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// check is one claim and how it is tried: it returns what is wrong, "" when nothing is.
type check struct {
	claim Claim
	name  string
	run   func(c *course) string
}

var checks = []check{
	{Bounded, "bounded", bounded},
	{Ordered, "ordered", ordered},
	{Deadlines, "deadlines", deadlines},
	{Cancels, "cancels", cancels},
	{Concurrent, "concurrent", concurrent},
}

// String lists the claims, as the subtests are named.
func (c Claim) String() string {
	s := ""
	for _, k := range checks {
		if c&k.claim != 0 {
			if s != "" {
				s += "|"
			}
			s += k.name
		}
	}
	if s == "" {
		return "none"
	}
	return s
}

// Run tries each claim of the target in a subtest. It fails at once when the target itself makes no sense.
func Run(t *testing.T, target Target) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for _, k := range checks {
		if target.Claims&k.claim != 0 {
			t.Run(k.name, func(t *testing.T) { target.try(t, k) })
		}
	}
}

// Check is Run without subtests, for a TB of one's own.
func Check(t TB, target Target) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for _, k := range checks {
		if target.Claims&k.claim != 0 {
			target.try(t, k)
		}
	}
}

// try runs one claim on each schedule, until the first failure.
func (g *Target) try(t TB, k check) {
	t.Helper()
	for seed := range g.Seeds {
		c := course{random: random(seed), order: g.Order}
		c.depth = 1 + c.random.below(9)
		c.inner = g.New(c.depth)
		if wrong := k.run(&c); wrong != "" {
			t.Errorf("%s: seed %d: %s%s", k.name, seed, wrong, c.tail())
			return
		}
	}
}

// sound reports whether there is anything to test, and sets what was left out.
func (g *Target) sound(t TB) bool {
	t.Helper()
	switch {
	case g.New == nil:
		t.Errorf("target: New is nil; it must return an empty queue")
	case g.Claims == 0:
		t.Errorf("target: no claims; start with queuetest.Full")
	case g.Order != queue.FIFO && g.Order != queue.LIFO:
		t.Errorf("target: order %v; want fifo or lifo", g.Order)
	case g.Seeds < 0:
		t.Errorf("target: %d seeds; want 1 or more, or 0 for 100", g.Seeds)
	default:
		if g.Seeds == 0 {
			g.Seeds = 100
		}
		return true
	}
	return false
}
