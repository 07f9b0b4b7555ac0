package consistency

import (
	"seedbed/chapters/lease"
	"seedbed/labs"
)

// step lets a client go on with its turn. It has exactly one step before it at any time.
func (s *fencing) step(env *labs.Env, k int, i int64) {
	h := &s.ways[k].clients[i]
	now := env.Now()
	switch h.phase {
	case resting:
		h.phase, h.granted, h.asked = asking, false, s.clock(env, i)
		if h.cut {
			s.again(env, k, i, s.timeout)
			return
		}
		env.At(now+s.hop, turnLock, uint16(k), i, 0)
		env.At(now+2*s.hop, turnStep, uint16(k), i, 0)
	case asking:
		if !h.granted {
			s.again(env, k, i, s.poll)
			return
		}
		s.begin(env, k, i)
	case raising:
		if h.refused {
			s.leave(env, k, i)
			return
		}
		s.job(env, k, i)
	case reading:
		if h.refused {
			s.leave(env, k, i)
			return
		}
		h.phase = working
		env.At(now+about(&h.luck, s.work), turnStep, uint16(k), i, 0)
	case working:
		if s.look == lookWrite && !s.holds(env, k, i) {
			return
		}
		s.send(env, k, i)
	case sending:
		s.wrote(env, k, i)
	}
}

// again lets a client ask for the lock once more after a while.
func (s *fencing) again(env *labs.Env, k int, i, wait int64) {
	s.ways[k].clients[i].phase = resting
	env.At(env.Now()+wait, turnStep, uint16(k), i, 0)
}

// decide is the lock service's answer.
func (s *fencing) decide(env *labs.Env, k int, i int64) {
	w := &s.ways[k]
	h := &w.clients[i]
	g, why := w.lock.AcquireAt(env.Now(), uint64(i)+1)
	if why != lease.Granted {
		return
	}
	w.grants++
	h.granted, h.token, h.until = true, g.Token, lease.Held(h.asked, g, s.drift)
	if k == s.judged {
		env.Set(fencingColumnToken, g.Token.N)
	}
	s.tell(env, k, fencingGrant, i, g.Token.N, 0)
}

// begin is a turn's begin: the client has the lock, if the answer was not too long on its way.
func (s *fencing) begin(env *labs.Env, k int, i int64) {
	h := &s.ways[k].clients[i]
	h.done, h.refused = 0, false
	s.believe(env, k, i, true)
	if !s.holds(env, k, i) {
		return
	}
	env.At(s.when(i, h.until), turnLapse, uint16(k), i, 0)
	env.At(env.Now()+s.ttl/3, turnBeat, uint16(k), i, h.token.N)
	if k != guardFence {
		s.job(env, k, i)
		return
	}
	h.phase = raising
	s.visit(env, k, i)
}

// holds is whether the client may believe to hold the lock, by its own clock. If not its turn is over.
func (s *fencing) holds(env *labs.Env, k int, i int64) bool {
	h := &s.ways[k].clients[i]
	if s.clock(env, i) < h.until {
		return true
	}
	s.tell(env, k, fencingNotice, i, h.token.N, 0)
	s.leave(env, k, i)
	return false
}

// job begins the next job: the client looks at its clock, and reads.
func (s *fencing) job(env *labs.Env, k int, i int64) {
	if !s.holds(env, k, i) {
		return
	}
	s.ways[k].clients[i].phase = reading
	s.visit(env, k, i)
}

// visit asks the store for something that it does at once.
func (s *fencing) visit(env *labs.Env, k int, i int64) {
	env.At(env.Now()+s.hop, turnStore, uint16(k), i, 0)
	env.At(env.Now()+2*s.hop, turnStep, uint16(k), i, 0)
}

// send sends a write, and waits for the answer or for the time-out.
func (s *fencing) send(env *labs.Env, k int, i int64) {
	w := &s.ways[k]
	h := &w.clients[i]
	takes := max(s.hop, h.late)
	h.late, h.phase = 0, sending
	w.numbers++
	h.write = w.numbers
	env.At(env.Now()+takes, turnArrive, uint16(k), w.letters.Take(letter{i, w.numbers, h.token, h.seen}), 0)
	env.At(env.Now()+min(takes+s.hop, s.timeout), turnStep, uint16(k), i, 0)
}

// wrote is when the answer to a write has come, or its time is over. Who does not know what became of it takes no further job.
func (s *fencing) wrote(env *labs.Env, k int, i int64) {
	h := &s.ways[k].clients[i]
	h.done++
	switch {
	case h.write != 0:
		s.tell(env, k, fencingTimeOut, i, h.token.N, 0)
		h.write = 0
		s.leave(env, k, i)
	case h.refused || h.done >= s.jobs:
		s.leave(env, k, i)
	default:
		s.job(env, k, i)
	}
}

// leave ends a turn. What the client believes to hold it gives back.
func (s *fencing) leave(env *labs.Env, k int, i int64) {
	h := &s.ways[k].clients[i]
	if h.believes && !h.cut {
		env.At(env.Now()+s.hop, turnRelease, uint16(k), i, h.token.N)
		s.tell(env, k, fencingRelease, i, h.token.N, 0)
	}
	s.believe(env, k, i, false)
	s.again(env, k, i, about(&h.luck, s.rest))
}

// beat renews a lock, as a session does, until the turn is over or the client no longer believes.
func (s *fencing) beat(env *labs.Env, k int, i, token int64) {
	h := &s.ways[k].clients[i]
	if !h.believes || h.token.N != token || s.clock(env, i) >= h.until {
		return
	}
	if !h.cut {
		env.At(env.Now()+s.hop, turnRenew, uint16(k), i, s.clock(env, i))
	}
	env.At(env.Now()+s.ttl/3, turnBeat, uint16(k), i, token)
}

// shown is the token that a client shows to the store: where none is looked at, all have the same.
func (s *fencing) shown(k int, t lease.Token) lease.Token {
	if k == guardNone {
		return lease.Token{N: 1}
	}
	return t
}

// serve lets the store raise its fence, or read.
func (s *fencing) serve(env *labs.Env, k int, i int64) {
	w := &s.ways[k]
	h := &w.clients[i]
	kind, verdict := fencingRaise, lease.Admitted
	if h.phase == raising {
		_, verdict = w.cell.Raise(h.token)
	} else {
		kind = fencingRead
		h.seen, verdict = w.cell.Read(s.shown(k, h.token))
	}
	if h.refused = verdict != lease.Admitted; h.refused {
		s.refuse(env, k, i, h.token.N)
		return
	}
	w.touched = max(w.touched, h.token.N)
	s.tell(env, k, kind, i, h.token.N, h.seen)
	s.showFence(env, k)
}

// showFence shows the newest token that the store knows of.
func (s *fencing) showFence(env *labs.Env, k int) {
	if k == s.judged && k != guardNone {
		env.Set(fencingColumnFence, s.ways[k].cell.Highest().N)
	}
}

func (s *fencing) refuse(env *labs.Env, k int, i, token int64) {
	w := &s.ways[k]
	w.refused++
	if k == s.judged {
		env.Add(fencingColumn(i, ofRefused), 1)
	}
	s.tell(env, k, fencingRefuse, i, token, w.cell.Highest().N)
}

// arrive lets a write reach the store, which takes it or not.
func (s *fencing) arrive(env *labs.Env, k int, at int64) {
	w := &s.ways[k]
	l := w.letters.All[at]
	w.letters.Free(at)
	h := &w.clients[l.client]
	value := w.cell.Peek()
	verdict := w.cell.Write(s.shown(k, l.token), l.seen+1)
	if h.write == l.number {
		h.write, h.refused = 0, verdict != lease.Admitted
	}
	if verdict != lease.Admitted {
		s.refuse(env, k, l.client, l.token.N)
		return
	}
	w.taken++
	if k == s.judged {
		env.Add(fencingColumn(l.client, ofTaken), 1)
	}
	s.tell(env, k, fencingWrite, l.client, l.token.N, l.seen+1)
	s.showFence(env, k)
	if l.token.N < w.touched {
		w.stale++
		s.tell(env, k, fencingStale, l.client, l.token.N, w.touched)
		if k == s.judged {
			env.Fail(checkStaleWrite, l.number, l.client+1, l.token.N, w.touched)
		}
	}
	if l.seen != value {
		w.lost += value - l.seen
		env.Set(fencingColumnLost+k, w.lost)
		s.tell(env, k, fencingLose, l.client, value, l.seen)
		if k == s.judged {
			env.Fail(checkLostUpdate, l.number, l.client+1, l.seen, value)
		}
	}
}
