package routing

import (
	"seedbed/chapters/route"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of recovery.
const (
	recoverArrive  = iota
	recoverServed  // request B, in slot A, at Node: way and peer
	recoverLate    // nobody waits longer for request B in slot A
	recoverCrash   // the peer Node
	recoverRestart // the peer Node
	recoverLook    // states and shares are looked at
	recoverJudge
)

const (
	lookGap    = 100_000_000
	judgeGap   = second
	judgedEach = 2000 // the least number of requests from which the share of errors says something
)

// leg is how one request fares under one way to return.
type leg struct {
	lease   route.Lease
	peer    int8
	awaited bool // it has no outcome yet
	inside  bool // the peer has it
}

// trip is one request under every way.
type trip struct {
	id, arrived int64
	legs        [nReturn]leg
}

// comeback is a gateway with peers of its own that lets peers return in one way.
type comeback struct {
	pool    route.Pool
	luck    sim.Stream
	service sim.Stream
	peers   [maxPeers]server
	failed  int64
	ejected int64
	flaps   int64
}

// recovery is the state of one run.
type recovery struct {
	judged   int
	peers    int
	servers  int64
	time     int64 // ns, a warm peer's mean
	cold     int64
	warm     int64
	timeout  int64
	ejection int64
	goal     int64
	arrivals sim.Arrivals
	requests int64
	trips    sim.Slots[trip]
	ways     [nReturn]comeback
	states   [maxPeers]route.State // of the judged way, as last told
	started  [maxPeers]int64       // when each peer last started
	newest   int64                 // newest request that failed, of the judged way
	last     int                   // the peer that started last
	latency  sim.Histogram
}

func startRecovery(c labs.Config, env *labs.Env) labs.State {
	s := &recovery{
		judged: int(c.Int("use")), peers: int(c.Int("peers")), servers: c.Int("servers"), time: c.Int("service"), cold: c.Int("cold"), warm: c.Int("warm"),
		timeout: c.Int("timeout"), ejection: c.Int("ejection"), goal: c.Int("goal"),
	}
	for k, name := range returns {
		w := &s.ways[k]
		pool, err := route.NewPool(recoveryPool(c, k))
		if err != nil {
			panic("routing: recovery: " + err.Error())
		}
		w.pool, w.luck, w.service = pool, env.Stream(name), env.Stream("service")
		for i := range s.peers {
			w.peers[i].served = s.warm
		}
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("rate"), Stream: env.Stream("client")}
	s.next(env)
	if lasts := c.Int("lasts"); lasts > 0 {
		env.At(c.Int("begin"), recoverCrash, 0, 0, 0)
		env.At(c.Int("begin")+lasts, recoverRestart, 0, 0, 0)
	}
	env.At(0, recoverLook, 0, 0, 0)
	env.At(judgeGap, recoverJudge, 0, 0, 0)
	return s
}

func (s *recovery) next(env *labs.Env) {
	if at, _, ok := s.arrivals.Next(); ok {
		env.At(at, recoverArrive, 0, 0, 0)
	}
}

// Handle lets a request arrive or end, a peer crash or start, or judges.
func (s *recovery) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case recoverArrive:
		s.arrive(env)
		s.next(env)
	case recoverServed:
		if t := &s.trips.All[e.A]; t.id == e.B && t.legs[e.Node].inside {
			s.served(env, int(e.Node), e.A)
		}
	case recoverLate:
		if s.trips.All[e.A].id == e.B {
			s.late(env, e.A)
		}
	case recoverCrash:
		s.crash(env, int(e.Node))
	case recoverRestart:
		s.restart(env, int(e.Node))
	case recoverLook:
		s.look(env)
		s.share(env)
		env.At(min(env.Now()+lookGap, s.ways[s.judged].pool.NextChange()), recoverLook, 0, 0, 0)
	case recoverJudge:
		s.judge(env, judgedEach)
		env.At(env.Now()+judgeGap, recoverJudge, 0, 0, 0)
	}
}

// arrive sends one request by every way.
func (s *recovery) arrive(env *labs.Env) {
	s.requests++
	slot := s.trips.Take(trip{id: s.requests, arrived: env.Now()})
	for k := range s.ways {
		s.send(env, k, slot)
	}
	env.At(env.Now()+s.timeout, recoverLate, 0, slot, s.requests)
}

func (s *recovery) send(env *labs.Env, k int, slot int64) {
	w := &s.ways[k]
	d := w.pool.PickAt(env.Now(), &w.luck)
	if !d.OK {
		s.count(env, k, s.requests)
		if k == s.judged {
			env.Add(recoveryColumnRefused, 1)
			env.Emit(recoveryRefuse, entityGateway, s.requests, d.RetryAfter)
		}
		return
	}
	l := &s.trips.All[slot].legs[k]
	*l = leg{lease: d.Lease, peer: int8(d.Peer), awaited: true}
	if k == s.judged {
		env.Add(recoveryColumnSent, 1)
		s.active(env, d.Peer)
		env.Emit(recoverySend, entityPeer+d.Peer, s.requests, w.pool.InFlight(d.Peer))
	}
	p := &w.peers[d.Peer]
	if p.down {
		s.end(env, k, slot, route.Failure)
		return
	}
	l.inside = true
	p.line.Push(slot)
	s.serve(env, k, d.Peer)
}

// late ends a request under every way that has not answered it.
func (s *recovery) late(env *labs.Env, slot int64) {
	for k := range s.ways {
		if s.trips.All[slot].legs[k].awaited {
			s.end(env, k, slot, route.Failure)
		}
	}
	s.release(slot)
}

// release frees a request's slot once its time is over and no peer has it.
func (s *recovery) release(slot int64) {
	t := &s.trips.All[slot]
	for k := range t.legs {
		if t.legs[k].awaited || t.legs[k].inside {
			return
		}
	}
	if t.id > 0 {
		t.id = 0
		s.trips.Free(slot)
	}
}

// end tells the pool how a request ended, and judges what the pool makes of it: to put out a peer that works is a flap.
func (s *recovery) end(env *labs.Env, k int, slot int64, o route.Outcome) {
	w := &s.ways[k]
	t := &s.trips.All[slot]
	l := &t.legs[k]
	l.awaited = false
	d := w.pool.DoneAt(env.Now(), l.lease, o)
	i := d.Peer
	if k == s.judged {
		s.outcome(env, t, i, o)
	}
	if o == route.Failure {
		s.count(env, k, t.id)
	}
	if d.After != route.Ejected || d.Before == route.Ejected {
		return
	}
	w.ejected++
	if w.peers[i].down {
		return
	}
	w.flaps++
	if k == s.judged {
		env.Fail(checkFlap, t.id, w.flaps, env.Now()-s.started[i])
	}
}

// outcome records how a request of the judged way ended.
func (s *recovery) outcome(env *labs.Env, t *trip, i int, o route.Outcome) {
	column := recoveryColumn(i, recoveryColumnAnswered)
	if o == route.Failure {
		column++
		env.Emit(recoveryError, entityPeer+i, t.id, s.ways[s.judged].pool.InFlight(i))
	} else {
		s.latency.Add(env.Now() - t.arrived)
		env.Emit(recoveryAnswer, entityPeer+i, t.id, env.Now()-t.arrived)
	}
	env.Add(column, 1)
	s.active(env, i)
	s.look(env)
}

// count counts a request that got no answer.
func (s *recovery) count(env *labs.Env, k int, id int64) {
	s.ways[k].failed++
	env.Set(recoveryColumnErrors+k, s.ways[k].failed)
	if k == s.judged {
		s.newest = id
	}
}

func (s *recovery) active(env *labs.Env, i int) {
	env.Set(recoveryColumn(i, recoveryColumnActive), s.ways[s.judged].pool.InFlight(i))
}

func recoveryColumn(i, what int) int { return recoveryColumnPeer + recoveryColumnsEach*i + what }

// look tells what has changed in how the judged pool sees its peers.
func (s *recovery) look(env *labs.Env) {
	pool := &s.ways[s.judged].pool
	pool.AdvanceAt(env.Now())
	for i := range s.peers {
		now := pool.State(i)
		if now == s.states[i] {
			continue
		}
		s.states[i] = now
		lasts := int64(0)
		if now == route.Ejected {
			lasts = min(pool.Ejections(i), mostEjections) * s.ejection
		}
		env.Set(recoveryColumn(i, recoveryColumnOut), labs.Bit(now == route.Ejected))
		env.Emit(recoveryState+int(now), entityPeer+i, lasts, 0)
	}
}

// share records which part of its weight each peer is given: all, what slow start allows, or none but for probes.
func (s *recovery) share(env *labs.Env) {
	pool := &s.ways[s.judged].pool
	for i := range s.peers {
		part := int64(0)
		if st := s.states[i]; st == route.Up || st == route.Warming {
			part = pool.WeightNow(i) * 1_000_000 / route.WeightUnit
		}
		env.Set(recoveryColumn(i, recoveryColumnShare), part)
	}
}

// Act crashes a peer or starts it anew.
func (s *recovery) Act(env *labs.Env, do labs.Do) {
	i := int(do.Target[len(do.Target)-1] - '1') // peer-1 to peer-6
	if do.Verb == 0 {
		s.crash(env, i)
		return
	}
	s.restart(env, i)
}

// judge holds the share of requests without an answer to the goal.
func (s *recovery) judge(env *labs.Env, from int64) {
	failed := s.ways[s.judged].failed
	if s.requests >= from && failed*1_000_000 > s.requests*s.goal {
		env.Fail(checkErrors, s.newest, labs.PerMillion(failed, s.requests), failed)
	}
}

// back is how long after its start the peer that started last had its whole share for good; up to the end of the run when it has not.
func (s *recovery) back(w *comeback, horizon int64) int64 {
	w.pool.AdvanceAt(horizon)
	if w.pool.State(s.last) != route.Up {
		return horizon - s.started[s.last]
	}
	return max(0, w.pool.Since(s.last)-s.started[s.last])
}

// Finish measures.
func (s *recovery) Finish(env *labs.Env) {
	s.judge(env, 1)
	j := &s.ways[s.judged]
	for i, v := range [...]int64{s.requests, j.failed, labs.PerMillion(j.failed, s.requests), j.ejected, s.latency.Quantile(990_000)} {
		env.Metric(i, v)
	}
	for k := range s.ways {
		w := &s.ways[k]
		for i, v := range [...]int64{w.failed, w.flaps, s.back(w, env.Horizon())} {
			env.Metric(recoveryEach+3*k+i, v)
		}
	}
}

// Clone copies the run.
func (s *recovery) Clone() labs.State {
	c := *s
	c.trips = s.trips.Clone()
	for k := range c.ways {
		w := &c.ways[k]
		w.pool = w.pool.Clone()
		for i := range w.peers {
			w.peers[i].line = w.peers[i].line.Clone()
		}
	}
	return &c
}

// Bytes is what a clone costs.
func (s *recovery) Bytes() int {
	n := 8000 + 132*len(s.trips.All)
	for k := range s.ways {
		n += s.ways[k].pool.Size()
		for i := range s.ways[k].peers {
			n += s.ways[k].peers[i].line.Bytes(8)
		}
	}
	return n
}
