package routing

import (
	"seedbed/chapters/route"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// This file is the peers of recovery: what they do with a request, how they warm up, crash and start anew.

// server is one peer: a few servers behind a line. Started anew it is cold, and each request that it serves warms it.
type server struct {
	down   bool
	busy   int64
	served int64 // since it started, up to what makes it warm
	line   sim.Line[int64]
}

// serve gives a peer's free servers work, whether or not anybody still waits for it. A cold peer takes longer, the less it has served
// since it started.
func (s *recovery) serve(env *labs.Env, k, i int) {
	w := &s.ways[k]
	p := &w.peers[i]
	for p.busy < s.servers && p.line.Len() > 0 {
		slot := p.line.Pop()
		p.busy++
		mean := s.time + s.time*(s.cold-1)*(s.warm-p.served)/s.warm
		env.At(env.Now()+sim.Exponential.Draw(&w.service, mean), recoverServed, uint16(k), slot, s.trips.All[slot].id)
	}
}

func (s *recovery) served(env *labs.Env, k int, slot int64) {
	l := &s.trips.All[slot].legs[k]
	l.inside = false
	i := int(l.peer)
	p := &s.ways[k].peers[i]
	p.busy--
	p.served = min(p.served+1, s.warm)
	if l.awaited {
		s.end(env, k, slot, route.Success)
	}
	s.release(slot)
	s.serve(env, k, i)
}

// crash takes a peer down with all that it has: whoever waits for it is told at once.
func (s *recovery) crash(env *labs.Env, i int) {
	lost := int64(0)
	for slot := range s.trips.All {
		if l := &s.trips.All[slot].legs[s.judged]; l.inside && l.awaited && int(l.peer) == i {
			lost++
		}
	}
	env.Emit(recoveryCrash, entityPeer+i, lost, 0)
	for k := range s.ways {
		p := &s.ways[k].peers[i]
		p.down, p.busy = true, 0
		p.line.Cut(0)
		for slot := range s.trips.All {
			l := &s.trips.All[slot].legs[k]
			if !l.inside || int(l.peer) != i {
				continue
			}
			l.inside = false
			if l.awaited {
				s.end(env, k, int64(slot), route.Failure)
			}
			s.release(int64(slot))
		}
	}
}

// restart brings a peer back, cold. Nobody is told: the gateways find out.
func (s *recovery) restart(env *labs.Env, i int) {
	for k := range s.ways {
		p := &s.ways[k].peers[i]
		p.down, p.served = false, 0
	}
	s.started[i], s.last = env.Now(), i
	env.Emit(recoveryRestart, entityPeer+i, 0, 0)
}
