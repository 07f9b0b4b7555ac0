package consistency

import (
	"slices"

	"seedbed/chapters/cache"
	"seedbed/labs"
)

// write begins a write of a key by each way.
func (s *invalidate) write(env *labs.Env, key int64) {
	s.writes++
	takes, lag := about(&s.writer, s.query), about(&s.writer, s.lag)
	for k := range s.ways {
		w, err := cache.NewWrite(s.cfg[k])
		labs.Must(err)
		s.step(env, k, s.ways[k].writes.Take(writing{Write: w, key: key, over: current, takes: takes, lag: lag, used: true}))
	}
}

// step does the next step of a write when it is due, or waits for that. It has its effect a little later.
func (s *invalidate) step(env *labs.Env, k int, i int64) {
	w := &s.ways[k]
	wr := &w.writes.All[i]
	step := wr.StepAt(env.Now())
	switch {
	case step.Do == cache.Finished:
		w.writes.Free(i)
	case step.At > env.Now():
		env.At(step.At, onStep, uint16(k), i, 0)
	case step.Do == cache.WriteStore:
		env.At(env.Now()+wr.takes, onDone, uint16(k), i, 0)
	default:
		env.At(env.Now()+about(&w.luck, s.hop), onDone, uint16(k), i, 0)
	}
}

// done lets a step have its effect. A message to the cache may be lost, which the writer notices.
func (s *invalidate) done(env *labs.Env, k int, i int64) {
	w := &s.ways[k]
	wr := &w.writes.All[i]
	do, ok := wr.StepAt(env.Now()).Do, true
	if do == cache.WriteStore {
		s.commit(env, k, i)
		if w.dying > 0 {
			w.dying--
			s.tell(env, k, invalidateCrash, entityWriters, wr.key+1, 0)
			w.writes.Free(i)
			return
		}
	} else if ok = !w.luck.Chance(s.lost); ok {
		s.reach(env, k, do, wr)
	} else {
		w.lost++
		s.tell(env, k, invalidateLost, entityWriters, wr.key+1, 0)
	}
	wr.DoneAt(env.Now(), ok)
	s.step(env, k, i)
}

// reach lets a writer's step reach the cache.
func (s *invalidate) reach(env *labs.Env, k int, do cache.Action, wr *writing) {
	w := &s.ways[k]
	switch do {
	case cache.DeleteCache:
		s.drop(env, k, wr.key, wr.version)
	case cache.SetVersion:
		if !w.versions.Admit(wr.key, uint64(wr.version)) {
			w.refused++
			s.tell(env, k, invalidateVoid, entityCache, wr.key+1, wr.version)
			return
		}
		fallthrough
	case cache.SetCache:
		w.flights.Forget(wr.key)
		s.keepCopy(env, k, wr.key, wr.version, wr.over)
		s.tell(env, k, invalidateSet, entityCache, wr.key+1, wr.version)
	}
}

// commit makes a write the newest version of its key. Whatever has an older one in its hands is overtaken from now on.
func (s *invalidate) commit(env *labs.Env, k int, i int64) {
	w := &s.ways[k]
	wr := &w.writes.All[i]
	now, key := env.Now(), wr.key
	w.head++
	wr.version, w.newest[key] = w.head, w.head
	if _, _, ok := w.keep.PeekAt(now, key); ok && w.over[key] == current {
		w.over[key] = now
		w.stale++
		env.Set(invalidateColumnStale+k, w.stale)
	}
	if w.behind[key] == current {
		w.behind[key] = now
	}
	for j := range w.loads.All {
		if l := &w.loads.All[j]; l.read && l.key == key && l.over == current {
			l.over = now
		}
	}
	for j := range w.writes.All {
		if o := &w.writes.All[j]; int64(j) != i && o.used && o.key == key && o.version > 0 && o.over == current {
			o.over = now
		}
	}
	w.pending = append(w.pending, change{key, w.head, now})
	w.due = max(w.due, now+wr.lag)
	env.At(w.due, onApply, uint16(k), 0, 0)
	if k == wayLog && !s.tail {
		env.At(now+s.relay, onTail, wayLog, w.head, key)
	}
	if k == s.judged {
		env.Add(invalidateColumnWrites, 1)
		env.Set(invalidateColumnBehind, int64(len(w.pending)-w.pendingTop))
		env.Emit(invalidateCommit, entityPrimary, key+1, w.head)
	}
}

// apply lets the replica catch up by one change.
func (s *invalidate) apply(env *labs.Env, k int) {
	w := &s.ways[k]
	c := w.pending[w.pendingTop]
	w.pendingTop++
	w.replica[c.key], w.behind[c.key] = c.version, current
	rest := w.pending[w.pendingTop:]
	if i := slices.IndexFunc(rest, func(o change) bool { return o.key == c.key }); i >= 0 {
		w.behind[c.key] = rest[i].at
	}
	if 2*w.pendingTop > len(w.pending) {
		w.pending = w.pending[:copy(w.pending, rest)]
		w.pendingTop = 0
	}
	if k == wayLog && s.tail {
		env.At(env.Now()+s.relay, onTail, wayLog, c.version, c.key)
	}
	if k == s.judged && s.replica {
		env.Set(invalidateColumnBehind, int64(len(w.pending)-w.pendingTop))
		env.Emit(invalidateApply, entityReplica, c.key+1, c.version)
	}
}

// pump sends what the relay has to send, unless it stands still.
func (s *invalidate) pump(env *labs.Env) {
	w := &s.ways[wayLog]
	env.Set(invalidateColumnWaiting, int64(w.changes.Len()))
	if s.stopped {
		return
	}
	for {
		c, ok := w.changes.NextAt(env.Now())
		if !ok {
			return
		}
		s.tell(env, wayLog, invalidateSend, entityRelay, c.Key+1, int64(c.Position))
		env.At(env.Now()+s.retry, onPump, wayLog, 0, 0)
		if w.luck.Chance(s.lost) {
			w.lost++
			s.tell(env, wayLog, invalidateLost, entityRelay, c.Key+1, 0)
			continue
		}
		env.At(env.Now()+about(&w.luck, s.hop), onGet, wayLog, int64(c.Position), c.Key)
	}
}

// get lets the cache do what a change asks for, and acknowledge it.
func (s *invalidate) get(env *labs.Env, position, key int64) {
	s.drop(env, wayLog, key, position)
	w := &s.ways[wayLog]
	w.changes.Ack(uint64(position))
	env.Set(invalidateColumnWaiting, int64(w.changes.Len()))
}

// Act lets a key be written, a writer die, a reader stall, or the relay stand still and go on.
func (s *invalidate) Act(env *labs.Env, do labs.Do) {
	switch do.Verb {
	case verbWrite:
		s.write(env, do.Value-1)
		return
	case verbStop, verbStart:
		s.stopped = do.Verb == verbStop
		down := int64(0)
		if s.stopped {
			down = 1
		}
		env.Set(invalidateColumnDown, down)
		s.pump(env)
		return
	}
	for k := range s.ways {
		if do.Verb == verbCrash {
			s.ways[k].dying++
		} else {
			s.ways[k].stall = do.Value
		}
	}
}

// Finish measures.
func (s *invalidate) Finish(env *labs.Env) {
	env.Metric(invalidateMetricReads, s.requests)
	env.Metric(invalidateMetricWrites, s.writes)
	for k := range s.ways {
		w := &s.ways[k]
		values := [...]int64{w.old, w.longest, w.putBack, w.refused, w.loaded, w.lost}
		for i, v := range values {
			env.Metric(invalidateMetricWay+len(values)*k+i, v)
		}
	}
}

// Clone copies the run.
func (s *invalidate) Clone() labs.State {
	c := *s
	for k := range c.ways {
		w, v := &c.ways[k], &s.ways[k]
		w.newest, w.replica, w.behind, w.over = slices.Clone(v.newest), slices.Clone(v.replica), slices.Clone(v.behind), slices.Clone(v.over)
		w.pending, w.pendingTop = slices.Clone(v.pending[v.pendingTop:]), 0
		w.keep, w.flights, w.versions, w.changes = v.keep.Clone(), v.flights.Clone(), v.versions.Clone(), v.changes.Clone()
		w.loads, w.writes = v.loads.Clone(), v.writes.Clone()
	}
	return &c
}

// Bytes is what a clone costs.
func (s *invalidate) Bytes() int {
	n := 2000
	for k := range s.ways {
		w := &s.ways[k]
		n += 32*len(w.newest) + 24*len(w.pending) + w.keep.Size() + w.flights.Size() + w.versions.Size() + 40*w.changes.Len()
		n += 80*len(w.loads.All) + 120*len(w.writes.All)
	}
	return n
}
