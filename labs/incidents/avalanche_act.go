package incidents

import "seedbed/labs"

// The verbs.
const (
	verbExpire = iota
	verbKill
	verbRevive
	verbSlow
	verbSurge
)

// Act lets everything end now, kills Redis or brings it back, slows the database, or changes the load.
func (s *avalanche) Act(env *labs.Env, do labs.Do) {
	switch do.Verb {
	case verbExpire:
		s.outdate(env)
		env.Emit(evEnd, entRedis, int64(len(s.demand)), 0)
	case verbSlow:
		s.slower = do.Value
		env.Emit(evSlow, entDatabase, 0, 0)
	case verbSurge:
		s.surged = do.Value
	default:
		if s.down == (do.Verb == verbKill) {
			env.Emit(evSame, entRedis, 0, 0)
			return
		}
		s.down = !s.down
		env.Set(colDown, labs.Bit(s.down))
		if s.down {
			s.forget()
			env.Emit(evDie, entRedis, 0, 0)
		} else {
			env.Emit(evBack, entRedis, 0, 0)
		}
	}
}

// outdate ends the life of every key: what may be served stale is.
func (s *avalanche) outdate(env *labs.Env) {
	for k := range s.defences {
		d := &s.defences[k]
		for key := range s.demand {
			if d.on[swLocal] {
				d.redis.Delete(int64(key))
				if d.on[swStale] && !s.down {
					d.redis.SetAt(s.clock(env), int64(key), remember, d.beyond())
				}
				d.two.OutdateAt(s.clock(env), int64(key))
			} else {
				d.reader.OutdateAt(s.clock(env), int64(key))
			}
		}
	}
}

// forget is the death of Redis. Local copies live on, and who is loading goes on; nothing else has anything.
func (s *avalanche) forget() {
	for k := range s.defences {
		d := &s.defences[k]
		for key := range s.demand {
			if d.on[swLocal] {
				d.redis.Delete(int64(key))
			} else {
				d.reader.Invalidate(int64(key))
			}
		}
	}
}

// Finish measures.
func (s *avalanche) Finish(env *labs.Env) {
	d := &s.defences[s.judged]
	for k := range s.defences {
		s.overdue(env, k)
	}
	open := s.orders - s.orderDone - s.lostBy[evLoseWait-evLosePage] - s.lostBy[evLoseFull-evLosePage]
	for i, v := range [avalancheJudged]int64{
		s.visits, s.atEdge, s.local, s.redis, s.old, s.loads, s.shed, s.reloads, s.orders, s.orderDone, d.late, open, s.lostBy[0], s.lostBy[1], s.lostBy[2],
		s.poolFull, s.firstLost, s.alerted, s.helped, int64(d.ready), s.longest,
	} {
		env.Metric(i, v)
	}
	for k := range s.defences {
		first := avalancheJudged + avalancheEach*k
		env.Metric(first, s.defences[k].lost)
		env.Metric(first+1, s.defences[k].late)
		env.Metric(first+2, s.defences[k].unserved)
	}
}
