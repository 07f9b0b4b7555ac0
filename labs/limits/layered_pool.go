package limits

import "seedbed/labs"

// This file is the pool of layered-limit: connections, and those who wait for one with patience.

// enter takes a connection, or waits for one.
func (s *layered) enter(env *labs.Env, p place) {
	slot := int32(len(s.places))
	if n := len(s.vacant); n > 0 {
		slot, s.vacant = s.vacant[n-1], s.vacant[:n-1]
	} else {
		s.places = append(s.places, place{})
	}
	s.places[slot] = p
	env.Set(s.columnOfNode(p), s.inNode(p))
	if s.busy < s.pool {
		s.connect(env, slot)
		return
	}
	s.places[slot].waiting = true
	s.queue = append(s.queue, ticket{slot, p.id})
	s.setWaiting(env, s.waiting+1)
	env.Fail(checkPool, p.id, s.busy, s.waiting)
	env.At(env.Now()+s.patience, layeredExpire, 0, int64(slot), p.id)
}

func (s *layered) connect(env *labs.Env, slot int32) {
	p := &s.places[slot]
	p.waiting, p.connected = false, env.Now()
	s.busy++
	s.peakBusy = max(s.peakBusy, s.busy)
	env.Set(columnBusy, s.busy)
	env.Emit(layeredConnect, s.entityPool(), p.id, env.Now()-p.arrived)
	took := s.shape[p.class].Draw(&s.service, s.times[p.class])
	env.At(env.Now()+took, layeredDone, 0, int64(slot), p.id)
}

// done answers a request and hands its connection to whoever waits longest.
func (s *layered) done(env *labs.Env, slot int64) {
	p := s.places[slot]
	s.busy--
	s.leave(env, slot)
	took := env.Now() - p.arrived
	if p.class == classSuggest {
		s.latency.Add(took)
	}
	s.count(env, int(p.class), layeredServed)
	env.Emit(layeredServe, s.entityPool(), p.id, took)
	for s.queueAt < len(s.queue) {
		next := s.queue[s.queueAt]
		s.queueAt++
		if p := &s.places[next.slot]; p.waiting && p.id == next.id {
			s.setWaiting(env, s.waiting-1)
			s.connect(env, next.slot)
			break
		}
	}
	if s.queueAt > 64 && 2*s.queueAt > len(s.queue) {
		s.queue = s.queue[:copy(s.queue, s.queue[s.queueAt:])]
		s.queueAt = 0
	}
	env.Set(columnBusy, s.busy)
}

func (s *layered) giveUp(env *labs.Env, slot int64) {
	p := s.places[slot]
	s.gaveUp++
	s.setWaiting(env, s.waiting-1)
	s.leave(env, slot)
	env.Emit(layeredGiveUp, s.entityPool(), p.id, env.Now()-p.arrived)
	s.fail(env, int(p.class), p.id)
}

// leave gives back what the request held.
func (s *layered) leave(env *labs.Env, slot int64) {
	p := s.places[slot]
	s.places[slot].waiting = false
	s.vacant = append(s.vacant, int32(slot))
	if s.layered {
		if p.class == classSuggest {
			s.cheap[p.node].Release(p.permit)
		} else {
			s.dear[p.node].Release(p.permit)
		}
		env.Set(s.columnOfNode(p), s.inNode(p))
	}
}
