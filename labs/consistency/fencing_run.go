package consistency

import (
	"seedbed/chapters/lease"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of lock-fencing; Node is the guard, A the client.
const (
	turnStep    = iota // the client goes on, unless it is stopped
	turnLock           // its request reaches the lock service
	turnRelease        // so does its release of token B
	turnBeat           // it is to renew token B
	turnRenew          // that, sent at B by its own clock, reaches the lock service
	turnRenewed        // and the answer comes back
	turnStore          // its request to raise or read reaches the store
	turnArrive         // write A of a client reaches the store
	turnLapse          // its lock may be over by its own clock
	turnPause          // it stops for a while by itself
)

// What a client does.
const (
	resting = iota
	asking  // the answer of the lock service is on its way
	raising // it has the lock, and the store is to hear of that
	reading
	working
	sending
)

// holder is one client.
type holder struct {
	luck     sim.Stream
	phase    int
	granted  bool
	token    lease.Token
	asked    int64 // by its own clock
	until    int64 // by its own clock: it must not believe any longer
	believes bool
	seen     int64 // what it read
	done     int64 // jobs of this turn
	write    int64 // its newest write
	refused  bool  // by the store
	paused   int64 // until this instant
	late     int64 // ns that its next write takes
	cut      bool
}

// letter is a write on its way to the store.
type letter struct {
	client, number int64
	token          lease.Token
	seen           int64
}

// guarded is one way to guard the store: a lock, clients and a store of its own.
type guarded struct {
	lock    lease.Lock
	cell    lease.Cell[int64]
	clients [maxClients]holder
	letters sim.Slots[letter]
	touched int64 // newest token whose holder has reached the store

	grants, pauses, numbers     int64
	taken, refused, stale, lost int64
	believers, since, both      int64
}

// fencing is the state of one run.
type fencing struct {
	judged, look             int
	clients                  int64
	ttl, jobs, work, rest    int64
	poll, hop, timeout       int64
	every, stop, slow, drift int64
	ways                     [nGuard]guarded
}

func startFencing(c labs.Config, env *labs.Env) labs.State {
	s := &fencing{
		judged: int(c.Int("use")), look: int(c.Int("look")), clients: c.Int("clients"), ttl: c.Int("ttl"), jobs: c.Int("jobs"),
		work: c.Int("work"), rest: c.Int("rest"), poll: c.Int("poll"), hop: c.Int("hop"), timeout: c.Int("timeout"),
		every: c.Int("every"), stop: c.Int("stop"), slow: c.Int("slow"), drift: c.Int("drift"),
	}
	for k := range s.ways {
		w := &s.ways[k]
		var err error
		w.lock, err = lease.NewLock(lease.Config{TTL: s.ttl, Delay: c.Int("delay")})
		labs.Must(err)
		for i := range s.clients {
			h := &w.clients[i]
			h.luck = env.Stream(clientNames[i]) // the same for each guard
			first := int64(0)
			if i > 0 {
				first = about(&h.luck, s.rest)
			}
			env.At(first, turnStep, uint16(k), i, 0)
			s.pauseLater(env, k, i)
		}
	}
	return s
}

// pauseLater lets a client stop by itself after a while.
func (s *fencing) pauseLater(env *labs.Env, k int, i int64) {
	if s.every > 0 {
		env.At(env.Now()+s.ways[k].clients[i].luck.Exp(s.every), turnPause, uint16(k), i, 0)
	}
}

// clock is what a client's clock shows; that of the first runs slow. An hour in ns times half a million is within 63 bits.
func (s *fencing) clock(env *labs.Env, i int64) int64 {
	if i > 0 {
		return env.Now()
	}
	return env.Now() - env.Now()*s.slow/million
}

// when is the true instant at which a client's clock shows a time.
func (s *fencing) when(i, shows int64) int64 {
	if i > 0 {
		return shows
	}
	return (shows*million + million - s.slow - 1) / (million - s.slow)
}

// Handle lets one thing happen. What a client does waits until it goes on; what is on its way to a service does not.
func (s *fencing) Handle(env *labs.Env, e sim.Event) {
	k, i := int(e.Node), e.A
	w := &s.ways[k]
	if e.Kind == turnArrive {
		s.arrive(env, k, e.A)
		return
	}
	h := &w.clients[i]
	if env.Now() < h.paused && (e.Kind == turnStep || e.Kind == turnBeat) {
		env.At(h.paused, e.Kind, e.Node, e.A, e.B)
		return
	}
	switch e.Kind {
	case turnStep:
		s.step(env, k, i)
	case turnLock:
		s.decide(env, k, i)
	case turnRelease:
		w.lock.ReleaseAt(env.Now(), lease.Token{N: e.B, Who: uint64(i) + 1})
	case turnBeat:
		s.beat(env, k, i, e.B)
	case turnRenew:
		if _, ok := w.lock.RenewAt(env.Now(), h.token); ok {
			env.At(env.Now()+s.hop, turnRenewed, e.Node, i, e.B)
		}
	case turnRenewed:
		if h.believes {
			h.until = max(h.until, lease.Held(e.B, lease.Grant{TTL: s.ttl}, s.drift))
		}
	case turnStore:
		s.serve(env, k, i)
	case turnLapse:
		s.lapse(env, k, i)
	case turnPause:
		lasts := about(&h.luck, s.stop)
		s.tell(env, k, fencingPause, i, lasts, 0)
		s.pause(env, k, i, lasts)
		s.pauseLater(env, k, i)
	}
}

// pause stops a client, and shows when it goes on.
func (s *fencing) pause(env *labs.Env, k int, i, lasts int64) {
	h := &s.ways[k].clients[i]
	h.paused = max(h.paused, env.Now()+lasts)
	s.ways[k].pauses++
	if k == s.judged {
		env.Set(fencingColumn(i, ofDown), 1)
	}
	env.At(h.paused, turnLapse, uint16(k), i, 0)
}

// lapse shows what has changed with time alone: a lock that is over by the client's clock, a pause that has ended.
func (s *fencing) lapse(env *labs.Env, k int, i int64) {
	h := &s.ways[k].clients[i]
	if h.believes {
		if s.clock(env, i) >= h.until {
			s.believe(env, k, i, false)
		} else {
			env.At(max(env.Now()+1, s.when(i, h.until)), turnLapse, uint16(k), i, 0)
		}
	}
	if env.Now() >= h.paused && k == s.judged {
		env.Set(fencingColumn(i, ofDown), 0)
	}
}

// believe notes whether a client takes the lock for its own, and for how long two do.
func (s *fencing) believe(env *labs.Env, k int, i int64, does bool) {
	w := &s.ways[k]
	h := &w.clients[i]
	if h.believes == does {
		return
	}
	h.believes = does
	before := w.believers
	w.believers--
	if does {
		w.believers += 2
	}
	switch {
	case before < 2 && w.believers == 2:
		w.since = env.Now()
	case before == 2 && w.believers < 2:
		w.both += env.Now() - w.since
	}
	if k == s.judged {
		value := int64(0)
		if does {
			value = 1
		}
		env.Set(fencingColumn(i, ofBelief), value)
	}
}

func (s *fencing) tell(env *labs.Env, k, kind int, client, a, b int64) {
	if k == s.judged {
		env.Emit(kind, entityClient+int(client), a, b)
	}
}

// Act stops a client, holds its next write up, or cuts it off from the lock service. The timeline tells of actions by itself.
func (s *fencing) Act(env *labs.Env, do labs.Do) {
	i := int64(0)
	for clientNames[i] != do.Target {
		i++
	}
	for k := range s.ways {
		h := &s.ways[k].clients[i]
		switch do.Verb {
		case verbPause:
			s.pause(env, k, i, do.Value)
		case verbHoldUp:
			h.late = do.Value
		default:
			h.cut = do.Verb == verbCut
		}
	}
}

// Finish measures.
func (s *fencing) Finish(env *labs.Env) {
	for k := range s.ways {
		w := &s.ways[k]
		if w.believers > 1 {
			w.both += env.Now() - w.since
		}
		if k == s.judged {
			env.Metric(0, w.grants)
			env.Metric(1, w.pauses)
			env.Metric(2, w.both)
		}
		values := [...]int64{w.taken, w.refused, w.stale, w.lost}
		for j, v := range values {
			env.Metric(nFencingShared+len(values)*k+j, v)
		}
	}
}

// Clone copies the run.
func (s *fencing) Clone() labs.State {
	c := *s
	for k := range c.ways {
		c.ways[k].letters = s.ways[k].letters.Clone()
	}
	return &c
}

// Bytes is what a clone costs.
func (s *fencing) Bytes() int {
	n := 4000
	for k := range s.ways {
		n += 56 * len(s.ways[k].letters.All)
	}
	return n
}
