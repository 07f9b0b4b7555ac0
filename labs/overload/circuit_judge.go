package overload

import (
	"seedbed/chapters/breaker"
	"seedbed/labs"
)

// This file is what happens to the breakers of circuit-breaker, and what the checks make of it.

// The verbs errors, slow, hang and heal turn the trouble; these come after them.
const (
	verbLose = int(troubleNone) + 1 + iota
	verbBurst
	verbOpen
	verbClose
)

// Act turns the trouble on or off, loses calls, sends requests at once, or throws the switches by hand.
func (s *circuit) Act(env *labs.Env, do labs.Do) {
	switch do.Verb {
	case verbLose:
		for k := range s.guards[:guardNone] {
			s.guards[k].lose += do.Value
		}
	case verbBurst:
		for range do.Value {
			s.arrive(env)
		}
	case verbOpen, verbClose:
		for k := range s.guards[:guardNone] {
			b := &s.guards[k].breaker
			_, before := b.StateAt(env.Now())
			s.changed(env, k, before, -1, breaker.Counts{})
			if do.Verb == verbOpen {
				s.changed(env, k, b.OpenAt(env.Now()), -1, breaker.Counts{})
			} else {
				s.changed(env, k, b.CloseAt(env.Now()), -1, breaker.Counts{})
			}
		}
	default:
		s.turn(env, trouble(do.Verb))
	}
	s.look(env)
}

// turn changes what is wrong with the dependencies. After a trouble they are cold.
func (s *circuit) turn(env *labs.Env, to trouble) {
	env.Emit(circuitTrouble+int(to), entityDependency, 0, 0)
	if to == s.trouble {
		return
	}
	s.trouble, s.turned = to, env.Now()
	env.Set(circuitColumnTrouble, labs.Bit(to != troubleNone))
	if to == troubleNone {
		s.healed = env.Now()
		if s.troubles == 1 {
			s.firstLasts = s.healed - s.first
		}
		for k := range s.guards {
			s.guards[k].served = 0
		}
		return
	}
	if s.troubles++; s.troubles == 1 {
		s.first = env.Now()
	}
	for k := range s.guards {
		g := &s.guards[k]
		g.opened = g.state == breaker.Open || g.state == breaker.HalfOpen
		g.met, g.bad, g.newest = 0, 0, -1
	}
	env.At(env.Now()+s.within, circuitDue, 0, s.troubles, 0)
}

// changed follows a breaker from state to state: request is the call whose end it was, or −1, and seen what the breaker had seen then.
func (s *circuit) changed(env *labs.Env, k int, changes breaker.Changes, request int64, seen breaker.Counts) {
	g := &s.guards[k]
	for i := range changes.Len() {
		c := changes.At(i)
		if c.From == breaker.HalfOpen {
			g.longest = max(g.longest, c.At-g.half)
		}
		if c.To == breaker.HalfOpen {
			g.half = c.At
		}
		if c.To == breaker.Open {
			s.tripped(env, k, c, request, seen)
		}
		g.state = c.To
		if c.To != breaker.Closed || c.From != breaker.Recovering { // all others forget what was counted
			g.struck = false
		}
		if k != s.judged {
			continue
		}
		switch {
		case c.To == breaker.Open && c.Cause == breaker.LeaseOver:
			env.Emit(circuitLapsed, entityGuard+k, 0, 0)
		case c.To == breaker.Open && c.Cause == breaker.ByHand:
			env.Emit(circuitByHand, entityGuard+k, 0, 0)
		default:
			env.Emit(circuitState+int(c.To), entityGuard+k, labs.PerMillion(int64(seen.Failures), int64(seen.Calls)), labs.PerMillion(int64(seen.Slow), int64(seen.Calls)))
		}
	}
}

// tripped counts an opening. One by the outcomes of calls of which trouble struck none was for nothing: the dependency was well, or on
// its way to be, when each that the breaker looks at began.
func (s *circuit) tripped(env *labs.Env, k int, c breaker.Change, request int64, seen breaker.Counts) {
	g := &s.guards[k]
	g.openings++
	g.opened = true
	if s.troubles > 0 && g.trip < 0 {
		g.trip = c.At - s.first
	}
	if (c.Cause != breaker.FailureRate && c.Cause != breaker.SlowRate) || s.inWindow(g, c) {
		return
	}
	g.forNothing++
	if k == s.judged {
		env.Fail(checkNoise, request, int64(seen.Calls), int64(seen.Failures), int64(seen.Slow))
	}
}

// inWindow is whether what a breaker judged had a call in it that trouble struck.
func (s *circuit) inWindow(g *guard, c breaker.Change) bool {
	switch {
	case !g.struck:
		return false
	case c.From == breaker.HalfOpen:
		return true
	case s.span > 0:
		return c.At-g.struckAt < s.span
	}
	return g.since < s.last
}

// judgeTrip asks, a while after a trouble began, whether the judged way still calls as if nothing were wrong.
func (s *circuit) judgeTrip(env *labs.Env) {
	s.look(env)
	g := &s.guards[s.judged]
	if s.trouble != troubleNone && !g.opened && g.bad > 0 && labs.PerMillion(g.bad, g.met) >= s.serious {
		env.Fail(checkTrips, g.newest, g.met, g.bad)
	}
}

// look brings the states up to date, which breakers themselves do only when they are asked, and records what they see.
func (s *circuit) look(env *labs.Env) {
	for k := range s.guards[:guardNone] {
		g := &s.guards[k]
		seen, changes := g.breaker.CountsAt(env.Now())
		s.changed(env, k, changes, -1, breaker.Counts{})
		share, changes := g.breaker.ShareAt(env.Now())
		s.changed(env, k, changes, -1, breaker.Counts{})
		rate := int64(0)
		if g.state != breaker.HalfOpen && int64(seen.Calls) >= s.least {
			rate = labs.PerMillion(int64(seen.Failures), int64(seen.Calls))
		}
		env.Set(circuitColumn(k, circuitColumnRate), rate)
		env.Set(circuitColumn(k, circuitColumnShare), share)
		env.Set(circuitColumn(k, circuitColumnShut), labs.Bit(g.state == breaker.Open || g.state == breaker.HalfOpen))
	}
	for k := range s.guards {
		env.Set(circuitColumn(k, circuitColumnWarm), labs.PerMillion(s.guards[k].served, s.warmAfter))
	}
}

// Finish measures.
func (s *circuit) Finish(env *labs.Env) {
	s.look(env)
	j := &s.guards[s.judged]
	settled, good := int64(0), int64(0)
	for _, t := range j.seconds {
		settled += int64(t.settled)
		good += int64(t.good)
	}
	lasts := s.firstLasts
	if s.troubles == 1 && s.trouble != troubleNone {
		lasts = env.Horizon() - s.first
	}
	trip := j.trip
	if trip < 0 || trip > lasts {
		trip = lasts
	}
	longest := j.longest
	if j.state == breaker.HalfOpen {
		longest = max(longest, env.Horizon()-j.half)
	}
	for i, v := range [...]int64{s.requests, labs.PerMillion(good, settled), j.openings, trip, longest, j.lost} {
		env.Metric(i, v)
	}
	for k := range s.guards {
		g := &s.guards[k]
		since := int64(0)
		if s.trouble == troubleNone && s.troubles > 0 {
			since = back(g.seconds, s.healed, s.timeout, env.Horizon())
		}
		for i, v := range [...]int64{g.failed, g.waited, since} {
			env.Metric(circuitEach+3*k+i, v)
		}
		if k != guardNone {
			env.Metric(circuitBreaker+2*k, g.refused)
			env.Metric(circuitBreaker+2*k+1, g.forNothing)
		}
	}
}
