package rings

import (
	"seedbed/labs"
)

// The verbs of takeover.
const (
	verbDie = iota
	verbReturn
	verbStrength
	verbDemand
)

// Act kills a node or brings it back, makes it weaker or stronger, or adds load.
func (s *taking) Act(env *labs.Env, do labs.Do) {
	if do.Verb == verbDemand {
		s.arrivals.Rate = s.rate * (do.Value / 1000) / 1000
		return
	}
	i := number(do.Target)
	if do.Verb == verbStrength {
		s.power[i] = do.Value
		return
	}
	if s.ways[s.judged].nodes[i].down == (do.Verb == verbDie) {
		env.Emit(takeoverRefuse, entityNode+i, 0, 0)
	}
	for k := range s.ways {
		if s.ways[k].nodes[i].down == (do.Verb == verbDie) {
			continue
		}
		if do.Verb == verbDie {
			s.crash(env, k, i)
		} else {
			s.revive(env, k, i)
		}
	}
	s.look(env)
}

// look brings levels up to date and tells what has changed in the shares of the heirs.
func (s *taking) look(env *labs.Env) {
	for way := range s.ways {
		w := &s.ways[way]
		for i := range s.nodes {
			s.settle(env, way, i)
		}
		env.Set(takeoverColumnWaiting+way, max(0, w.base-env.Now())/s.read)
	}
	w := &s.ways[s.judged]
	changed := false
	for i := range s.nodes {
		env.Set(takeoverColumn(i, takeoverColumnInside), int64(len(w.nodes[i].inside)))
		share := w.take.ShareAt(env.Now(), i)
		if share == s.shares[i] {
			continue
		}
		s.shares[i], changed = share, true
		if share > 0 {
			env.Emit(takeoverStep, entityNode+i, share, 0)
		}
		if share == 1_000_000 && i == s.first && s.ramp < 0 {
			s.ramp = env.Now() - s.knownAt
		}
	}
	if changed {
		s.draw(env)
	}
}

// tell records what has become of the requests since the last tick.
func (s *taking) tell(env *labs.Env) {
	for k, n := range s.outcomes {
		env.Set(takeoverColumnRate+k, (n-s.told[k])*1000*second/tick)
	}
	s.told = s.outcomes
}

// draw tells what the ring looks like from now on. An arc of a dead node is nobody's until all of it is taken over; a key is its heir's
// as soon as it is taken itself.
func (s *taking) draw(env *labs.Env) {
	w := &s.ways[s.judged]
	marks := arcs(s.ring, func(at uint64, member int) int {
		r := w.take.RouteAt(env.Now(), at)
		if r.Share < 1_000_000 {
			return -1
		}
		return r.Heir
	})
	step := max(1, len(s.keys)/ticks)
	for k := 0; k < len(s.keys); k += step {
		r := w.take.RouteAt(env.Now(), s.keys[k])
		owner, what := int64(entityNode+r.Heir), int64(labs.KeyStays)
		if r.Heir != r.Home {
			what = labs.KeyMoved
		}
		if !r.Taken {
			owner = -1
		}
		marks = append(marks, int64(s.keys[k]>>32), owner, what)
	}
	env.Shape(entityRing, marks)
}

// Finish measures.
func (s *taking) Finish(env *labs.Env) {
	s.look(env)
	for i, v := range [...]int64{
		s.requests, s.outcomes[outcomeFresh], s.outcomes[outcomeOld], s.outcomes[outcomeEmpty], s.outcomes[outcomeFailed],
		s.heirs, s.largest, s.warmed, s.warmedShare, max(0, s.ramp),
	} {
		env.Metric(i, v)
	}
	for way := range s.ways {
		w := &s.ways[way]
		fresh := int64(0)
		if s.requests > 0 {
			fresh = w.fresh * 1_000_000 / s.requests
		}
		for i, v := range [...]int64{w.lost, fresh, w.waited} {
			env.Metric(takeoverEach+3*way+i, v)
		}
	}
}

// Clone copies the run.
func (s *taking) Clone() labs.State {
	c := *s
	c.recent = s.recent.Clone()
	for k := range c.ways {
		c.ways[k] = s.ways[k].clone(s.places)
	}
	return &c
}

// Bytes is what a clone costs: keys, demand and the ring are shared.
func (s *taking) Bytes() int {
	n := 2000 + s.recent.Size()
	for k := range s.ways {
		w := &s.ways[k]
		n += w.take.Size() + 9*len(w.held) + 4*len(w.copy) + s.nodes*24*(s.places+1)
	}
	return n
}
