package quota

import "seedbed/labs"

// store is a copy of one store with failover: a primary decides alone, the others get copies of what it knows now and then, and
// whoever has heard no primary for a while makes itself one.
type store struct {
	primary bool
	term    int64
	beatAt  int64 // when a primary was heard last, by its own clock
}

func (s *run) foundStore(env *labs.Env, i int) {
	r := &s.replica[i]
	r.term, r.leader, r.overtook = 1, 0, -1
	s.bootStore(env, i)
	if i == 0 {
		r.primary = true
		env.Emit(eventPromote, entityReplica, 1, 0)
		s.judgeLeader(env, 1, 0)
		s.showStore(env, 0)
	}
}

// bootStore starts a copy. It comes back with what it knew, and as a primary only when nobody can have taken its place.
func (s *run) bootStore(env *labs.Env, i int) {
	r, p := &s.replica[i], &s.process[services+i]
	p.down = false
	p.life++
	r.primary = r.primary && s.cfg.failover == 0
	r.beatAt = p.now(env.Now())
	env.At(env.Now()+r.random.Below(s.cfg.tick), atTick, uint16(i), p.life, 0)
	env.At(env.Now()+s.cfg.lag, atCopy, uint16(i), p.life, 0)
	s.showStore(env, i)
}

// beat tells the others that the primary is there, or looks whether it still is. Those of a higher number wait a little longer, so that
// the first can tell them.
func (s *run) beat(env *labs.Env, i int) {
	r, now := &s.replica[i], s.process[services+i].now(env.Now())
	if r.primary {
		s.toOthers(env, i, mail{kind: mailBeat, term: r.term})
		return
	}
	if s.cfg.failover > 0 && now-r.beatAt >= s.cfg.failover+2*int64(i)*s.cfg.tick {
		r.primary, r.leader = true, i
		r.term++
		r.pool.TakeOverAt(s.stamp(env, i), r.term, true, 0) // it takes its copy for all there is
		env.Emit(eventPromote, entityReplica+i, r.term, 0)
		s.overtake(env, i)
		s.judgeLeader(env, r.term, i)
		s.announce(env, i, i)
		s.toOthers(env, i, mail{kind: mailBeat, term: r.term})
		s.showStore(env, i)
	}
}

// copies sends what the primary knows.
func (s *run) copies(env *labs.Env, i int) {
	if r := &s.replica[i]; r.primary {
		s.toOthers(env, i, mail{kind: mailCopy, term: r.term, pool: r.pool.Clone()})
	}
}

func (s *run) toOthers(env *labs.Env, i int, m mail) {
	for k := range s.cfg.replicas {
		if k != i {
			m.from, m.to = int16(services+i), int16(services+k)
			s.send(env, m)
		}
	}
}

// heed is what a copy does when it hears a primary: of two, the one of the higher term stays, and of equals the first.
func (s *run) heed(env *labs.Env, i int, m *mail) {
	r, from := &s.replica[i], int(m.from)-services
	if m.term < r.term || m.term == r.term && r.primary && i < from {
		return
	}
	if r.primary {
		r.primary = false
		s.outlived(env, i)
		env.Emit(eventFollow, entityReplica+i, m.term, 0)
	}
	r.term, r.beatAt = m.term, s.process[services+i].now(env.Now())
	if m.kind == mailCopy {
		r.pool = m.pool.Clone()
	}
	if r.leader != from {
		r.leader = from
		s.announce(env, i, from)
	}
	s.showStore(env, i)
}

// decideStore grants at once, without asking anybody.
func (s *run) decideStore(env *labs.Env, i int, a asked) {
	r := &s.replica[i]
	if !r.primary {
		s.reply(env, i, a, answer{why: notMe}, r.leader)
		return
	}
	stamp := s.stamp(env, i)
	g, why := r.pool.GrantAt(stamp, uint64(a.from), a.want)
	s.reply(env, i, a, outcome(g, why, stamp), i)
}

func (s *run) showStore(env *labs.Env, i int) {
	r := &s.replica[i]
	s.showReplica(env, i, r.primary && !s.process[services+i].down, r.term, int64(r.pool.Term()))
}
