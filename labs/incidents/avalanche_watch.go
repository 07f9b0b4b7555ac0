package incidents

import (
	"seedbed/chapters/breaker"
	"seedbed/labs"
)

// This file is what is observed, and what is done about it: the ladder of degradation, alarms, new instances, warming.

// watch is what is seen of a pool.
type watch struct {
	area    int64 // connections wanted × ns since the last look
	last    int64 // ns: until when it is counted
	since   int64 // ns: since when the pool has been too busy, −1 while it is not
	alarmed bool
}

// measure counts how many connections were wanted until now; it is called before that changes.
func (s *avalanche) measure(env *labs.Env, d *defence) {
	d.area += (d.busy + d.waiting()) * (env.Now() - d.last)
	d.last = env.Now()
}

// look looks at every pool: how many connections were wanted of those that are there, ppm.
func (s *avalanche) look(env *labs.Env) {
	for k := range s.defences {
		d := &s.defences[k]
		s.measure(env, d)
		use := scaled(d.area, million, int64(d.ready)*s.connections*lookEvery)
		d.area = 0
		if k == s.judged && s.poolFull == 0 && use >= million {
			s.poolFull = env.Now()
			env.Emit(evPoolFull, entPool, 0, 0)
		}
		if d.on[swDegrade] {
			changes := d.ladder.ObserveAt(env.Now(), 0, use)
			for i := range changes.Len() {
				d.level = changes.At(i).To
				s.tell(env, k, evLevel, entService, int64(d.level), 0)
			}
			if k == s.judged {
				env.Set(colLevel, int64(d.level))
			}
		}
		if d.on[swBreaker] {
			_, changes := d.guard.StateAt(env.Now())
			s.changed(env, k, changes)
		}
		s.alarm(env, k, use)
	}
}

// alarm raises it when the pool has been too busy for long enough, and from then on sees to instances. Without alerts it takes until
// somebody calls.
func (s *avalanche) alarm(env *labs.Env, k int, use int64) {
	d := &s.defences[k]
	if !d.on[swScale] && !d.on[swWarm] {
		return
	}
	patience := int64(complaints)
	if d.on[swAlerts] {
		patience = s.notice
	}
	switch {
	case use < busyEnough && !d.alarmed:
		d.since = -1
		return
	case d.since <= 0 && !d.alarmed:
		d.since = env.Now()
	}
	if !d.alarmed && env.Now()-d.since >= patience {
		d.alarmed = true
		s.tell(env, k, evAlert, entPool, use, 0)
		if k == s.judged {
			s.alerted = env.Now()
		}
		if d.on[swWarm] {
			s.tell(env, k, evWarm, entRedis, 0, 0)
			env.At(env.Now(), kindWarm, uint16(k), 0, 0)
		}
	}
	if !d.alarmed || !d.on[swScale] {
		return
	}
	// As many as would bring the use below what is busy enough.
	want := min(int64(s.most), (int64(d.ready)*use+busyEnough-1)/busyEnough)
	for ; int64(d.ordered) < want; d.ordered++ {
		env.At(env.Now()+s.boot, kindReady, uint16(k), 0, 0)
	}
}

// booted lets a new instance serve.
func (s *avalanche) booted(env *labs.Env, k int) {
	d := &s.defences[k]
	s.measure(env, d)
	d.ready++
	s.tell(env, k, evReady, entPool, int64(d.ready), 0)
	if k == s.judged && s.helped == 0 {
		s.helped = env.Now()
	}
	s.show(env)
	s.feed(env, k)
}

// warm loads one key before it is asked for, the hottest first. It takes connections that are free, and waits for none.
func (s *avalanche) warm(env *labs.Env, k int, key int64) {
	if d := &s.defences[k]; d.room(linePages) >= 0 {
		s.load(env, k, job{kind: jobWarm, key: int32(key), page: -1})
		key++
	}
	if key < int64(len(s.demand)) {
		env.At(env.Now()+s.pace, kindWarm, uint16(k), key, 0)
	}
}

// changed follows a breaker from state to state.
func (s *avalanche) changed(env *labs.Env, k int, changes breaker.Changes) {
	for i := range changes.Len() {
		d := &s.defences[k]
		d.state = changes.At(i).To
		if k == s.judged {
			env.Emit(evState+int(d.state), entPool, 0, 0)
			env.Set(colOpen, labs.Bit(d.state == breaker.Open || d.state == breaker.HalfOpen))
		}
	}
}

// show tells how many instances the judged combination has.
func (s *avalanche) show(env *labs.Env) {
	d := &s.defences[s.judged]
	env.Set(colInstances, int64(d.ready))
	env.Set(colPlaces, int64(d.ready)*s.connections)
}
