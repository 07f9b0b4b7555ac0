package queuetest

import (
	"fmt"
	"sync"
	"sync/atomic"

	"seedbed/chapters/queue"
)

// random is a stream of numbers: SplitMix64 (Steele, Lea and Flood, 2014).
type random uint64

func (r *random) below(n int) int {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// course is one queue on its way through a schedule, with who ought to wait in it.
type course struct {
	random random
	inner  Queue
	order  queue.Order
	depth  int
	now    int64
	next   int
	line   []waiting // who came first is first
	log    []string
}

type waiting struct {
	id       int
	deadline int64
}

// tail is the last calls, for a failure.
func (c *course) tail() string {
	out := ""
	for _, l := range c.log[max(0, len(c.log)-8):] {
		out += l
	}
	return out
}

func (c *course) say(format string, args ...any) {
	c.log = append(c.log, fmt.Sprintf("\n  at %d: ", c.now)+fmt.Sprintf(format, args...))
}

// push lets a newcomer come, and says what is wrong with the answer.
func (c *course) push(deadline int64) string {
	id := c.next
	c.next++
	ok := c.inner.Push(c.now, id, deadline)
	if ok {
		c.say("%d comes → waits", id)
	} else {
		c.say("%d comes → refused", id)
	}
	switch {
	case ok && c.now >= deadline:
		return fmt.Sprintf("%d waits, and its deadline is %d", id, deadline)
	case ok && len(c.line) >= c.depth:
		return fmt.Sprintf("%d waits, and %d wait already in %d places", id, len(c.line), c.depth)
	case !ok && c.now < deadline && len(c.line) < c.depth:
		return fmt.Sprintf("%d is refused, and %d wait in %d places", id, len(c.line), c.depth)
	}
	if ok {
		c.line = append(c.line, waiting{id, deadline})
	}
	return ""
}

// alive is how many wait whose deadline has not passed. A queue may keep the places of the others or free them.
func (c *course) alive() (n int) {
	for _, w := range c.line {
		if c.now < w.deadline {
			n++
		}
	}
	return n
}

// pop takes one out, and says what is wrong with it.
func (c *course) pop() string {
	id, served, ok := c.inner.Pop(c.now)
	switch {
	case !ok:
		c.say("next → nobody")
	case served:
		c.say("next → %d, served", id)
	default:
		c.say("next → %d, late", id)
	}
	if !ok {
		if c.alive() > 0 {
			return fmt.Sprintf("nobody is next, and %d wait", c.alive())
		}
		c.line = nil
		return ""
	}
	at := -1
	for i, w := range c.line {
		if w.id == id {
			at = i
		}
	}
	switch {
	case at < 0 && served:
		return fmt.Sprintf("%d does not wait, and is served", id)
	case at < 0:
		return fmt.Sprintf("%d does not wait, and is taken out", id)
	case served && c.now >= c.line[at].deadline:
		return fmt.Sprintf("%d is served, and its deadline was %d", id, c.line[at].deadline)
	case !served && c.now < c.line[at].deadline:
		return fmt.Sprintf("%d is not served, and has time until %d", id, c.line[at].deadline)
	}
	// Whoever stood before it and was not late has been passed over.
	before, rest := c.line[:at], c.line[at+1:]
	if c.order == queue.LIFO {
		before, rest = rest, before
	}
	for _, w := range before {
		if c.now < w.deadline {
			return fmt.Sprintf("%d is taken out before %d", id, w.id)
		}
	}
	c.line = rest
	return ""
}

func bounded(c *course) string {
	for range 60 {
		wrong := ""
		if c.random.below(3) == 0 {
			wrong = c.pop()
		} else {
			wrong = c.push(NoDeadline)
		}
		if wrong != "" {
			return wrong
		}
	}
	return ""
}

func ordered(c *course) string {
	for range 40 {
		c.now++
		wrong := ""
		if c.random.below(2) == 0 {
			wrong = c.pop()
		} else {
			wrong = c.push(NoDeadline)
		}
		if wrong != "" {
			return wrong
		}
	}
	for len(c.line) > 0 {
		if wrong := c.pop(); wrong != "" {
			return wrong
		}
	}
	return c.pop()
}

func deadlines(c *course) string {
	for range 80 {
		c.now += int64(c.random.below(3))
		wrong := ""
		if c.random.below(2) == 0 {
			wrong = c.pop()
		} else {
			wrong = c.push(c.now + int64(c.random.below(8)) - 1)
		}
		if wrong != "" {
			return wrong
		}
	}
	return ""
}

func cancels(c *course) string {
	for range 80 {
		c.now++
		wrong := ""
		switch op := c.random.below(5); {
		case op < 2:
			wrong = c.push(NoDeadline)
		case op == 2:
			wrong = c.pop()
		default:
			if c.next == 0 {
				continue
			}
			id := c.random.below(c.next)
			at := -1
			for i, w := range c.line {
				if w.id == id {
					at = i
				}
			}
			ok := c.inner.Cancel(id)
			c.say("%d gives up → %v", id, ok)
			if ok != (at >= 0) {
				return fmt.Sprintf("%d gives up: %v, want %v", id, ok, at >= 0)
			}
			if at >= 0 {
				c.line = append(c.line[:at], c.line[at+1:]...)
			}
		}
		if wrong != "" {
			return wrong
		}
	}
	return ""
}

// concurrent lets many come, take out and give up at once.
func concurrent(c *course) string {
	var all sync.WaitGroup
	var came, left atomic.Int64
	for g := range 8 {
		all.Go(func() {
			for k := range 60 {
				id := g*1000 + k
				if c.inner.Push(0, id, NoDeadline) {
					came.Add(1)
				}
				if (g+k)%3 == 0 && c.inner.Cancel(id) {
					left.Add(1)
				}
				if _, _, ok := c.inner.Pop(0); ok {
					left.Add(1)
				}
			}
		})
	}
	all.Wait()
	for {
		if _, _, ok := c.inner.Pop(0); !ok {
			break
		}
		if left.Add(1) > came.Load() {
			break
		}
	}
	if came.Load() != left.Load() {
		return fmt.Sprintf("%d came and %d left", came.Load(), left.Load())
	}
	return ""
}
