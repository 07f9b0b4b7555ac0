package queue

import "seedbed/chapters/pmath"

// CoDel decides which of those that leave a queue are dropped so that it does not stand: the controlled delay of RFC 8289, sections 4
// and 5, with requests for packets. A queue that a burst has filled empties again and nobody is dropped. When everybody who left has
// waited Target or longer for an Interval, one is dropped, the next after Interval, and then sooner each time, Interval ÷ √n after the
// n-th, until one has waited less.
//
// DropAt is asked once for each one taken from the head, in order, until it says no; the RFC's loop is spread over those calls and comes
// to the same. It was made for senders that slow down when something is lost. Requests do not, unless their callers give up or the
// refusals make them: against a load that does not yield it drops too slowly, and Slough is the better rule.
//
// O(1), 40 bytes. The zero value drops nothing.
type CoDel struct {
	target, interval int64

	above    bool  // the waits have been Target or longer since
	dropping bool  // in the dropping state
	step     step  // where in the RFC's loop the last call stopped
	until    int64 // if above: from then on it may drop (first_above_time)
	next     int64 // when dropping: the next drop (drop_next)
	count    int64 // drops since it entered the state, or what it began with
	begun    int64 // count when it entered the state (lastcount)
}

// step is what the call before did.
type step uint8

const (
	served  step = iota
	entered      // it dropped the first one: the next is served, whoever it is
	dropped      // it dropped a later one: the next is looked at again
)

// NewCoDel returns a *RangeError unless 1 ≤ target ≤ interval ≤ MaxDuration, in ns. The RFC's values are 5 ms and 100 ms.
func NewCoDel(target, interval int64) (CoDel, error) {
	if err := checkTarget(target, interval); err != nil {
		return CoDel{}, err
	}
	return CoDel{target: target, interval: interval}, nil
}

// DropAt reports whether the one who leaves at now, after so long a wait and with so many left behind, is to be dropped.
func (c *CoDel) DropAt(now, waited, left int64) bool {
	may := c.may(now, waited, left)
	before := c.step
	c.step = served
	switch {
	case c.target == 0 || before == entered:
		return false
	case !may:
		c.dropping = false
		return false
	case !c.dropping:
		c.enter(now)
		c.step = entered
		return true
	case before == dropped:
		c.count++
		c.next = c.law(c.next)
	}
	if now < c.next {
		return false
	}
	c.step = dropped
	return true
}

// Empty says that one was to leave and nobody was there.
func (c *CoDel) Empty() {
	c.above = false
	if c.step != entered { // then the RFC stays in the state until it sees the next one
		c.dropping = false
	}
	c.step = served
}

// may reports whether the waits have been too long for an interval. With one left at most, the queue is as short as a consumer needs
// it not to run dry.
func (c *CoDel) may(now, waited, left int64) bool {
	switch {
	case waited < c.target || left <= 1:
		c.above = false
	case !c.above:
		c.above, c.until = true, later(now, c.interval)
	default:
		return now >= c.until
	}
	return false
}

// enter begins to drop: where it was when it stopped, if that is not long ago, for then that was about the right rate.
func (c *CoDel) enter(now int64) {
	c.dropping = true
	fresh := c.count - c.begun
	c.count = 1
	if fresh > 1 && since(c.next, now)/16 < c.interval {
		c.count = fresh
	}
	c.next = c.law(now)
	c.begun = c.count
}

// law is at + Interval ÷ √count, rounded down.
func (c *CoDel) law(at int64) int64 {
	return later(at, pmath.Floor64(float64(c.interval)/pmath.Sqrt(float64(c.count))))
}
