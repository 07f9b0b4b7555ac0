package overload

import (
	"seedbed/chapters/breaker"
	"seedbed/labs"
)

// This file is what circuit-breaker calls. Each way to call has such a dependency of its own: it works on as many calls as it has places,
// others wait in line, and callers go when their time-out is over, whether they wait or are being served. What was begun for them is
// then dropped, unfinished. When it comes back after a trouble it is cold, and only calls that it finishes warm it. So a dependency that
// is asked for more than it can do while it is cold may do little but begin: that is how an overload keeps up what began it. (N. Bronson
// and others, "Metastable Failures in Distributed Systems", HotOS 2021: a cache that stays empty because the queries that would fill it
// time out.)

// call makes a call.
func (s *circuit) call(env *labs.Env, k int, t breaker.Ticket, r *request) {
	g := &s.guards[k]
	c := sent{ticket: t, id: r.id, began: env.Now(), work: r.took, struck: s.trouble != troubleNone}
	if r.taste < s.no {
		c.outcome = breaker.Business
	}
	if g.lose > 0 && k != guardNone {
		g.lose--
		c.lost = true
	}
	switch {
	case s.fails(r) || g.inside >= s.places+s.line:
		took := int64(errorTime)
		c.outcome, c.late = breaker.Failure, c.lost || took >= s.timeout
		if c.late {
			took = s.timeout
		}
		env.At(env.Now()+took, circuitDone, uint16(k), g.calls.Take(c), 0)
	case g.inside < s.places:
		s.inside(env, k, 1)
		s.serve(env, k, g.calls.Take(c))
	default:
		s.inside(env, k, 1)
		c.waiting = true
		slot := g.calls.Take(c)
		g.line.Push(int32(slot))
		env.At(env.Now()+s.timeout, circuitLeave, uint16(k), slot, c.id)
	}
	s.tell(env, k, circuitCall, r.id, g.inside)
}

// inside counts a call in, or out.
func (s *circuit) inside(env *labs.Env, k int, by int64) {
	g := &s.guards[k]
	g.inside += by
	env.Set(circuitColumn(k, circuitColumnInside), g.inside)
}

// fails is whether the dependency returns an error at once.
func (s *circuit) fails(r *request) bool {
	return r.luck < s.noise || (s.trouble == troubleErrors && r.luck < s.failing)
}

// serve gives a call a place. How it will end is known as soon as it begins.
func (s *circuit) serve(env *labs.Env, k int, slot int64) {
	c := &s.guards[k].calls.All[slot]
	c.waiting, c.placed, c.started = false, true, env.Now()
	at, due := env.Now()+s.takes(&s.guards[k], c.work), c.began+s.timeout
	if c.lost || at >= due {
		at, c.late, c.outcome = due, true, breaker.Failure
	}
	env.At(at, circuitDone, uint16(k), slot, 0)
}

// takes is how long a dependency works on what would take it so long when it is warm: it is slow, or hangs, or has come back cold.
func (s *circuit) takes(g *guard, work int64) int64 {
	switch s.trouble {
	case troubleSlow:
		return work * s.factor
	case troubleHang:
		return s.timeout
	}
	return work + s.cold*(s.warmAfter-g.served)/s.warmAfter
}

// freed takes a call off its place, which goes to the one that has waited longest. A call that was finished warms the dependency, if it
// was begun since that came back.
func (s *circuit) freed(env *labs.Env, k int, c *sent) {
	g := &s.guards[k]
	s.inside(env, k, -1)
	if !c.late && c.started >= s.healed && s.trouble == troubleNone {
		g.served = min(g.served+1, s.warmAfter)
	}
	if g.line.Len() > 0 {
		s.serve(env, k, int64(g.line.Pop()))
	}
}

// leave ends the wait of a caller that is still in line when its time-out is over. All have the same, so it is the first of the line.
func (s *circuit) leave(env *labs.Env, k int, slot, id int64) {
	g := &s.guards[k]
	if c := &g.calls.All[slot]; !c.waiting || c.id != id {
		return
	}
	g.line.Pop()
	g.calls.All[slot].waiting = false
	s.inside(env, k, -1)
	c := g.calls.All[slot]
	c.late, c.outcome = true, breaker.Failure
	g.calls.Free(slot)
	s.ended(env, k, &c)
}
