package overload

import (
	"seedbed/chapters/breaker"
	"seedbed/labs"
)

// This file is the breakers of bulkhead, and what is measured.

// guardOf is the breaker that stands before a callee.
func (s *bulk) guardOf(i int) int {
	if s.breakers == breakersOne {
		return 0
	}
	return i
}

// ask lets the breaker before a callee decide, if there is one.
func (s *bulk) ask(env *labs.Env, k, i int, id int64) (breaker.Ticket, bool) {
	if s.breakers == breakersNone {
		return breaker.Ticket{}, true
	}
	b := s.guardOf(i)
	t, d := s.hulls[k].guards[b].AskAt(env.Now())
	s.changed(env, k, b, d.Changes)
	if !d.OK {
		s.tell(env, k, bulkheadCutOff, entityPlaces+i, id, d.RetryAfter)
		s.harm(env, k, i, id, 0)
	}
	return t, d.OK
}

// changed follows a breaker from state to state, for each callee that it stands before.
func (s *bulk) changed(env *labs.Env, k, b int, changes breaker.Changes) {
	for n := range changes.Len() {
		to := changes.At(n).To
		s.hulls[k].states[b] = to
		for i := range callees {
			if k != s.judged || s.guardOf(i) != b {
				continue
			}
			env.Emit(bulkheadState+int(to), entityPlaces+i, 0, 0)
			env.Set(bulkheadColumn(i, bulkheadColumnShut), labs.Bit(to == breaker.Open || to == breaker.HalfOpen))
		}
	}
}

// look brings the states up to date, which breakers themselves do only when they are asked.
func (s *bulk) look(env *labs.Env) {
	for k := range s.hulls {
		for b := range s.hulls[k].guards {
			if b == 0 || s.breakers == breakersEach {
				_, changes := s.hulls[k].guards[b].StateAt(env.Now())
				s.changed(env, k, b, changes)
			}
		}
	}
}

// Finish measures.
func (s *bulk) Finish(env *labs.Env) {
	for i := range callees {
		env.Metric(i, s.asked[i])
	}
	for k := range s.hulls {
		h := &s.hulls[k]
		for i := range callees {
			env.Metric(bulkheadShare+nCallee*k+i, labs.PerMillion(h.answered[i], h.settled[i]))
		}
		env.Metric(bulkheadEach+2*k, h.turned)
		env.Metric(bulkheadEach+2*k+1, h.idle/max(1, h.turned))
	}
}

// Clone copies the run.
func (s *bulk) Clone() labs.State {
	c := *s
	for k := range c.hulls {
		h := &c.hulls[k]
		h.places, h.calls = h.places.Clone(), h.calls.Clone()
		for i := range h.guards {
			h.guards[i] = h.guards[i].Clone()
			h.lines[i] = h.lines[i].Clone()
		}
	}
	return &c
}

// Bytes is what a clone costs.
func (s *bulk) Bytes() int {
	n := 1000
	for k := range s.hulls {
		h := &s.hulls[k]
		n += 200 + h.places.Size() + h.calls.Bytes(88)
		for i := range h.guards {
			n += h.guards[i].Size() + h.lines[i].Bytes(56)
		}
	}
	return n
}
