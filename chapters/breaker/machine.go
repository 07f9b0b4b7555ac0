package breaker

// Breaker is the circuit breaker of one dependency. Every call is O(1) apart from what a window of time forgets after a pause, and
// looks at MaxProbes slots while half-open; nothing allocates after NewBreaker. As Resilience4j configures it, its state is 244 bytes.
type Breaker struct {
	cfg    Config
	state  State
	now    int64 // newest instant seen
	gen    uint64
	began  int64 // the ramp
	edge   int64 // end of Open, or of the ramp
	share  int64 // what has gathered of the next request to pass, in parts
	window window
	probes probes
}

// NewBreaker returns a closed breaker, a *RangeError for a field out of range and a *WindowError without a window or with two.
func NewBreaker(cfg Config) (Breaker, error) {
	if err := cfg.check(); err != nil {
		return Breaker{}, err
	}
	return Breaker{
		cfg: cfg, state: Closed, now: minInt64, gen: 1,
		window: newWindow(&cfg), probes: newProbes(cfg.Probes),
	}, nil
}

// AskAt asks whether a call may be made. When it may, its outcome is to be given to DoneAt with the ticket.
func (b *Breaker) AskAt(now int64) (Ticket, Decision) {
	if b.state != Closed {
		return b.ask(now)
	}
	b.now = max(b.now, now)
	return Ticket{gen: b.gen, began: b.now}, granted
}

// granted is copied whole. A Decision put together byte by byte and then copied makes the processor wait for its own writes, longer than
// all the rest of a closed breaker's call takes.
var granted = Decision{OK: true, State: Closed}

// ask is AskAt where something may be refused or change.
func (b *Breaker) ask(now int64) (Ticket, Decision) {
	var d Decision
	b.advance(now, &d.Changes)
	t := Ticket{gen: b.gen, began: b.now}
	switch b.state {
	case Open:
		d.Reason, d.RetryAfter = IsOpen, since(b.now, b.edge)
		if b.gen == 0 {
			d.RetryAfter = Never // nobody made this breaker
		}
	case HalfOpen:
		if !b.probes.take(&t, later(b.now, b.cfg.Lease)) {
			d.Reason, d.RetryAfter = ProbesOut, since(b.now, b.probes.deadlines[b.probes.oldest()])
		}
	case Recovering:
		if !b.passes() {
			d.Reason, d.RetryAfter = Ramping, since(b.now, b.edge)
		}
	}
	d.State = b.state
	if d.OK = d.Reason == Granted; !d.OK {
		t = Ticket{}
	}
	return t, d
}

// DoneAt says how a call ended.
func (b *Breaker) DoneAt(now int64, t Ticket, o Outcome) Report {
	if b.state != Closed || t.gen != b.gen || o >= Ignored {
		return b.done(now, t, o)
	}
	b.now = max(b.now, now)
	return b.count(t, o, Changes{})
}

// done is DoneAt where the outcome may decide nothing, or something else than the share in the window.
func (b *Breaker) done(now int64, t Ticket, o Outcome) Report {
	var r Report
	b.advance(now, &r.Changes)
	switch {
	case t.gen != b.gen || t.gen == 0:
	case b.state == HalfOpen:
		if b.probes.end(t) && o < Ignored {
			r.Counted = true
			b.probes.seen.add(b.blame(t, o))
			b.judge(b.now, false, &r.Changes)
		}
	case o < Ignored:
		return b.count(t, o, r.Changes)
	}
	return r
}

// blame is 1 for a call that failed, and 1 for one that was slow.
func (b *Breaker) blame(t Ticket, o Outcome) (failed, slow int32) {
	return bit(o == Failure), bit(b.cfg.SlowPercent > 0 && since(t.began, b.now) > b.cfg.SlowAfter)
}

// count adds a call to the window, and opens when the window says so. c are the changes that came before.
func (b *Breaker) count(t Ticket, o Outcome, c Changes) Report {
	failed, slow := b.blame(t, o)
	b.window.add(b.now, failed, slow)
	n := int64(b.window.sum.Calls)
	if n >= b.cfg.MinCalls {
		if cause, too := b.tooMany(b.window.sum, n); too {
			return b.trip(cause, c)
		}
	}
	return Report{Counted: true, Changes: c}
}

// trip opens for what the calls in the window were.
func (b *Breaker) trip(cause Cause, c Changes) Report {
	b.enter(Open, cause, b.now, &c)
	return Report{Counted: true, Changes: c}
}

// tooMany compares the shares among n calls with their thresholds.
func (b *Breaker) tooMany(s Counts, n int64) (Cause, bool) {
	if int64(s.Failures)*100 >= b.cfg.FailurePercent*n {
		return FailureRate, true
	}
	return SlowRate, b.cfg.SlowPercent > 0 && int64(s.Slow)*100 >= b.cfg.SlowPercent*n
}

// judge ends half-open once the probes that have not reported cannot change the verdict.
func (b *Breaker) judge(at int64, lost bool, c *Changes) {
	seen, n := b.probes.seen, b.cfg.Probes
	if cause, too := b.tooMany(seen, n); too {
		if lost {
			cause = LeaseOver
		}
		b.enter(Open, cause, at, c)
		return
	}
	rest := int32(n) - seen.Calls
	seen.Failures += rest
	seen.Slow += rest
	if _, could := b.tooMany(seen, n); could {
		return
	}
	if b.cfg.Ramp > 0 {
		b.enter(Recovering, ProbesPassed, at, c)
	} else {
		b.enter(Closed, ProbesPassed, at, c)
	}
}

// advance lets the time pass until now.
func (b *Breaker) advance(now int64, c *Changes) {
	b.now = max(b.now, now)
	if b.gen == 0 {
		return
	}
	if b.state == HalfOpen {
		b.expire(c)
	}
	if b.state == Open && b.now >= b.edge {
		b.enter(HalfOpen, OpenOver, b.edge, c)
	}
	if b.state == Recovering && b.now >= b.edge {
		b.enter(Closed, RampOver, b.edge, c)
	}
}

// expire counts the probes whose lease is over as failed, one after the other, each at the end of its lease.
func (b *Breaker) expire(c *Changes) {
	for b.state == HalfOpen {
		i := b.probes.oldest()
		if i < 0 || b.probes.deadlines[i] > b.now {
			return
		}
		at := b.probes.deadlines[i]
		b.probes.free(i)
		// All that is known of its duration is that the lease was too short for it.
		b.probes.seen.add(1, bit(b.cfg.SlowPercent > 0 && b.cfg.Lease > b.cfg.SlowAfter))
		b.judge(at, true, c)
	}
}

// enter is the one place where the state changes.
func (b *Breaker) enter(to State, cause Cause, at int64, c *Changes) {
	c.add(Change{From: b.state, To: to, Cause: cause, At: at})
	from := b.state
	b.state = to
	if from == Recovering && to == Closed {
		return // the same calls count on
	}
	b.gen++
	b.window.reset()
	b.probes.reset()
	switch to {
	case Open:
		b.edge = later(at, b.cfg.OpenFor)
	case Recovering:
		b.began, b.edge = at, later(at, b.cfg.Ramp)
		b.share = whole - b.cfg.FirstPercent*percent // so the first request passes
	}
}

// OpenAt opens the breaker by hand, for OpenFor, also when it is open already.
func (b *Breaker) OpenAt(now int64) Changes { return b.byHand(now, Open) }

// CloseAt closes the breaker by hand and forgets what it had counted.
func (b *Breaker) CloseAt(now int64) Changes { return b.byHand(now, Closed) }

// byHand does not let the time pass first: what would have happened until now no longer matters.
func (b *Breaker) byHand(now int64, to State) Changes {
	var c Changes
	b.now = max(b.now, now)
	if b.gen > 0 {
		b.enter(to, ByHand, b.now, &c)
	}
	return c
}

// StateAt is the state at now, and what had changed until then.
func (b *Breaker) StateAt(now int64) (State, Changes) {
	var c Changes
	b.advance(now, &c)
	return b.state, c
}

// CountsAt is what is judged: the window when closed or recovering, the probes that have reported when half-open.
func (b *Breaker) CountsAt(now int64) (Counts, Changes) {
	var c Changes
	b.advance(now, &c)
	if b.state == HalfOpen {
		return b.probes.seen, c
	}
	if b.gen > 0 {
		b.window.advance(b.now)
	}
	return b.window.sum, c
}

// Clone returns an independent copy. A ticket is valid in both, and a probe's once in each.
func (b *Breaker) Clone() Breaker {
	c := *b
	c.window = b.window.clone()
	c.probes = b.probes.clone()
	return c
}

// Size is 48 bytes, the window (two bits a call, or 12 bytes a bucket, and 24) and the probes (12 bytes each, and 20), without the
// configuration.
func (b *Breaker) Size() int { return 48 + b.window.bytes() + b.probes.bytes() }
