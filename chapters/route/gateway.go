package route

// Gateway is a Pool with a Queue before it: a request that finds every peer full waits for its turn, for a bounded time in a bounded
// line, and is refused at once when the line is full. Without a healthy peer it is refused at once too, since nobody knows for how
// long it would wait.
//
// Whoever frees a place calls NextAt until it reports false: after each DoneAt, after SetHealth, and at NextChange.
type Gateway struct {
	Pool
	queue Queue
}

// NewGateway returns a *RangeError or *NameError for what cannot be.
func NewGateway(pool Config, queue QueueConfig) (Gateway, error) {
	p, err := NewPool(pool)
	if err != nil {
		return Gateway{}, err
	}
	q, err := NewQueue(queue)
	if err != nil {
		return Gateway{}, err
	}
	return Gateway{Pool: p, queue: q}, nil
}

// AskAt sends a request to a peer, lets it wait, or refuses it. Only with Reason Waiting is the ticket one. Nobody overtakes: while
// others wait, a request waits behind them (before them with LIFO) even if there is room. r is as for PickAt.
func (g *Gateway) AskAt(now, deadline int64, r Source) (Ticket, Decision) {
	g.advance(now)
	if g.now >= deadline {
		return Ticket{}, Decision{Reason: DeadlinePast, Peer: -1, RetryAfter: Never}
	}
	var d Decision
	if g.queue.waiting == 0 {
		d = g.PickAt(now, r)
	} else {
		d = g.refuse(g.Panicking(), r)
	}
	if d.Reason != AllFull {
		return Ticket{}, d
	}
	return g.wait(deadline, d)
}

// wait turns a refusal for lack of room into a place in the line, if there is one.
func (g *Gateway) wait(deadline int64, d Decision) (Ticket, Decision) {
	t, why := g.queue.Push(g.now, deadline)
	d.Reason = why
	if why == Waiting {
		d.RetryAfter = 0
	}
	return t, d
}

// NextAt serves the next in line: it reports false when nobody waits or there is no room. A decision that is not OK has the reason
// DeadlinePast: its caller came too late.
func (g *Gateway) NextAt(now int64, r Source) (Waiter, Decision, bool) {
	g.advance(now)
	if g.queue.waiting == 0 {
		return Waiter{}, Decision{}, false
	}
	if i := g.queue.first; g.now >= g.queue.places[i].deadline {
		w, _ := g.queue.Pop(g.now)
		return w, Decision{Reason: DeadlinePast, Peer: -1, RetryAfter: Never}, true
	}
	from, _ := g.candidates()
	if from.from(0) < 0 || g.leases.inFlight() >= g.cfg.MaxInFlight {
		return Waiter{}, Decision{}, false
	}
	w, _ := g.queue.Pop(g.now)
	return w, g.PickAt(now, r), true
}

// Cancel gives up a place in the line; false when the ticket does not wait (any more).
func (g *Gateway) Cancel(t Ticket) bool { return g.queue.Cancel(t) }

// Waiting is how many are in line.
func (g *Gateway) Waiting() int { return g.queue.waiting }

// Clone returns an independent copy.
func (g *Gateway) Clone() Gateway { return Gateway{Pool: g.Pool.Clone(), queue: g.queue.Clone()} }

// Size is the bytes of state of both.
func (g *Gateway) Size() int { return g.Pool.Size() + g.queue.Size() }
