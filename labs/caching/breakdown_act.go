package caching

import "seedbed/labs"

// The verbs of cache-breakdown.
const verbWrite = 0

// Act lets the key be written, so that the cache forgets it and whatever is being loaded, or loses the loads that are under way.
func (s *breakdown) Act(env *labs.Env, do labs.Do) {
	for k := range s.ways {
		w := &s.ways[k]
		if do.Verb != verbWrite {
			for w.air.Len() > 0 {
				number := w.air.Pop().number
				s.tell(env, k, breakdownLose, entityServer, number)
				s.lose(env, k, number)
			}
			w.current = 0
			env.Set(breakdownColumnLoading+k, 0)
			continue
		}
		w.voided, w.current, w.open = w.loads, 0, false
		w.reader.Invalidate(hot)
		w.store.Delete(hot)
		for p := range s.processes {
			w.flights.Forget(p)
		}
		s.tell(env, k, breakdownWrite, entityCache, 0)
	}
}

// Finish measures.
func (s *breakdown) Finish(env *labs.Env) {
	for i, v := range [breakdownEach]int64{
		s.requests, s.fresh, s.old, s.waited, s.hung, s.gone, int64(s.ways[s.judged].waits.Len()), s.reads * s.load / million,
	} {
		env.Metric(i, v)
	}
	for k := range s.ways {
		w := &s.ways[k]
		for i, v := range [...]int64{w.expiries, w.loads, labs.PerMillion(w.loads, w.expiries), w.most, w.longest} {
			env.Metric(breakdownEach+5*k+i, v)
		}
	}
}

// Clone copies the run.
func (s *breakdown) Clone() labs.State {
	c := *s
	for k := range c.ways {
		w, v := &c.ways[k], &s.ways[k]
		w.reader, w.store, w.flights = v.reader.Clone(), v.store.Clone(), v.flights.Clone()
		w.air, w.waits = v.air.Clone(), v.waits.Clone()
	}
	return &c
}

// Bytes is what a clone costs.
func (s *breakdown) Bytes() int {
	n := 2000
	for k := range s.ways {
		w := &s.ways[k]
		n += w.reader.Size() + w.store.Size() + w.flights.Size() + 24*w.air.Len() + 40*w.waits.Len()
	}
	return n
}
