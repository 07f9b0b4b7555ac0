package caching

import "seedbed/labs"

// The verbs of cache-avalanche.
const (
	verbExpire = iota
	verbKill
	verbRevive
	verbLoad
)

// Act lets everything end now, kills the cache or brings it back, or adds load.
func (s *avalanche) Act(env *labs.Env, do labs.Do) {
	switch do.Verb {
	case verbExpire:
		s.outdate(env)
		env.Emit(avalancheEnd, entityRedis, int64(len(s.demand)), 0)
	case verbLoad:
		s.arrivals.Rate = s.reads / 1000 * (do.Value / 1000)
	default:
		if s.down == (do.Verb == verbKill) {
			env.Emit(avalancheSame, entityRedis, 0, 0)
			return
		}
		s.down = !s.down
		env.Set(avalancheColumnDown, labs.Bit(s.down))
		if s.down {
			s.forget()
			env.Emit(avalancheDie, entityRedis, 0, 0)
		} else {
			env.Emit(avalancheBack, entityRedis, 0, 0)
		}
	}
}

// outdate ends the life of every key: what may be served stale is.
func (s *avalanche) outdate(env *labs.Env) {
	now := s.clock(env)
	for k := range s.ways {
		w := &s.ways[k]
		for key := range s.demand {
			w.redis.Delete(int64(key))
			w.reader.OutdateAt(now, int64(key))
			for p := range w.two {
				w.two[p].OutdateAt(now, int64(key))
			}
		}
	}
}

// forget is the death of the cache. A local one lives on, and whoever is loading goes on; none of the others has anything.
func (s *avalanche) forget() {
	for k := range s.ways {
		w := &s.ways[k]
		for key := range s.demand {
			w.redis.Delete(int64(key))
			w.reader.Invalidate(int64(key))
		}
	}
}

// Finish measures.
func (s *avalanche) Finish(env *labs.Env) {
	j := &s.ways[s.judged]
	for i, v := range [avalancheEach]int64{
		s.requests, s.atEdge, s.fresh, j.old, s.waited, j.refused, j.failed, j.pending, s.bought, j.orders(),
		int64(j.connections) * (million * million / s.query),
	} {
		env.Metric(i, v)
	}
	for k := range s.ways {
		w := &s.ways[k]
		for i, v := range [...]int64{w.loads, int64(w.longest), w.lost, w.refused + w.failed, w.old} {
			env.Metric(avalancheEach+5*k+i, v)
		}
	}
}
