package routing

import (
	"slices"

	"seedbed/chapters/route"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of route-capacity.
const (
	capacityArrive = iota
	capacityDone   // of request B, in slot A of gate Node
	capacityExpire // idle connections may have grown too old
)

// idleTimeout is how long a connection may be idle: nginx's default.
const idleTimeout = 60 * second

// atGate is one request in flight.
type atGate struct {
	id           int64
	lease        route.Lease
	peer, worker int32
}

// gate is a gateway that routes by one policy, with peers of its own: each policy sees the very same requests.
type gate struct {
	workers route.Workers
	luck    sim.Stream
	inside  sim.Slots[atGate]
	sent    int64
	refused int64
	took    int64 // ns: the stays of all that were sent
}

// routeCapacity is the state of one run.
type routeCapacity struct {
	judged   int
	peers    int
	max      int64
	sequence bool
	stay     int64
	slow     int64
	arrivals sim.Arrivals
	stays    sim.Stream
	accept   sim.Stream // which worker a connection reaches
	gates    [nPolicy]gate
	sick     [maxPeers]bool
	idle     []route.Idle // of each worker of the judged gate

	requests   int64
	reused     int64
	peakActive int64
	peakOpen   int64
	peakFiles  int64
}

func startCapacity(c labs.Config, env *labs.Env) labs.State {
	s := &routeCapacity{
		judged: int(c.Int("use")), peers: int(c.Int("peers")), max: c.Int("max"), sequence: c.Choice("traffic") == "sequence",
		stay: c.Int("stay"), slow: c.Int("slow"), stays: env.Stream("stay"), accept: env.Stream("worker"),
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("rate"), Stream: env.Stream("client")}
	if s.sequence {
		s.arrivals = sim.Arrivals{Pattern: sim.Steady, Start: second, Rate: 1000}
	}
	count := int(c.Int("workers"))
	for k, name := range policies {
		w, err := route.NewWorkers(capacityPool(c, k), count, c.Choice("memory") == "shared")
		if err != nil {
			panic("routing: route-capacity: " + err.Error())
		}
		s.gates[k] = gate{workers: w, luck: env.Stream(name)}
		for i := 0; i < count && !s.sequence; i++ {
			w.Pool(i).Scatter(&s.gates[k].luck) // workers that start in phase would all begin with the same peer
		}
	}
	for range count {
		d, err := route.NewIdle(route.IdleConfig{Keep: c.Int("idle"), Timeout: idleTimeout})
		if err != nil {
			panic("routing: route-capacity: " + err.Error())
		}
		s.idle = append(s.idle, d)
	}
	s.next(env)
	return s
}

func (s *routeCapacity) next(env *labs.Env) {
	if at, _, ok := s.arrivals.Next(); ok {
		env.At(at, capacityArrive, 0, 0, 0)
	}
}

// Handle lets a request arrive or leave.
func (s *routeCapacity) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case capacityArrive:
		s.arrive(env)
		s.next(env)
	case capacityDone:
		if s.gates[e.Node].inside.All[e.A].id == e.B { // an action may have ended it before
			s.finish(env, int(e.Node), e.A)
		}
	case capacityExpire:
		for w := range s.idle {
			s.idle[w].ExpireAt(env.Now())
		}
		s.show(env)
	}
}

// arrive puts one request before every gate: at the same worker, to stay as long. In the sequence workers take turns, and nobody
// leaves by itself.
func (s *routeCapacity) arrive(env *labs.Env) {
	count := int64(len(s.idle))
	worker, stay := s.requests%count, int64(0)
	s.requests++
	if !s.sequence {
		worker, stay = s.accept.Below(count), max(1, s.stays.Exp(s.stay))
	}
	for k := range s.gates {
		s.send(env, k, int(worker), stay)
	}
}

func (s *routeCapacity) send(env *labs.Env, k, worker int, stay int64) {
	g := &s.gates[k]
	d := g.workers.Pool(worker).PickAt(env.Now(), &g.luck)
	if !d.OK {
		g.refused++
		env.Set(capacityColumnTurned+k, g.refused)
		if k == s.judged {
			env.Add(capacityColumnRefused, 1)
			kind := capacityAllFull
			if d.Reason == route.NoneHealthy {
				kind = capacityNoneHealthy
			}
			env.Emit(kind, entityGateway, s.requests, d.RetryAfter)
		}
		return
	}
	if d.Peer == 0 {
		stay *= s.slow
	}
	g.sent++
	g.took += stay
	slot := g.inside.Take(atGate{id: s.requests, lease: d.Lease, peer: int32(d.Peer), worker: int32(worker)})
	if stay > 0 {
		env.At(env.Now()+stay, capacityDone, uint16(k), slot, s.requests)
	}
	if k == s.judged {
		s.judge(env, d, worker)
	}
}

// judge holds what the judged gate has just sent to both checks. What a peer has in flight counts over all workers.
func (s *routeCapacity) judge(env *labs.Env, d route.Decision, worker int) {
	if s.idle[worker].TakeAt(env.Now(), d.Peer) {
		s.reused++
	}
	active := s.gates[s.judged].workers.InFlight(d.Peer)
	s.peakActive = max(s.peakActive, active)
	s.show(env)
	env.Add(capacityColumnSent, 1)
	env.Add(capacityColumnPeer+capacityColumnsEach*d.Peer+capacityColumnTaken, 1)
	kind := capacitySend
	if d.Panic {
		kind = capacityPanic
	}
	env.Emit(kind, entityPeer+d.Peer, s.requests, active)
	if active > s.max {
		env.Fail(checkActive, s.requests, active, int64(d.Peer)+1)
	}
	if s.sick[d.Peer] {
		healthy := int64(0)
		for _, sick := range s.sick[:s.peers] {
			healthy += 1 - labs.Bit(sick)
		}
		env.Fail(checkHealthy, s.requests, healthy, int64(d.Peer)+1)
	}
}

// finish ends a request. Its connection to the peer stays open for the next one, if its worker keeps any.
func (s *routeCapacity) finish(env *labs.Env, k int, slot int64) {
	g := &s.gates[k]
	f := g.inside.All[slot]
	g.inside.All[slot].id = 0
	g.inside.Free(slot)
	g.workers.Pool(int(f.worker)).DoneAt(env.Now(), f.lease, route.Success)
	if k != s.judged {
		return
	}
	s.idle[f.worker].PutAt(env.Now(), int(f.peer))
	env.At(env.Now()+idleTimeout, capacityExpire, 0, 0, 0)
	s.show(env)
	env.Emit(capacityFinish, entityPeer+int(f.peer), f.id, g.workers.InFlight(int(f.peer)))
}

// show records what is open: at each peer what is in flight and what is idle; at the gateway one descriptor for each of those and one
// for each client that has a request in flight.
func (s *routeCapacity) show(env *labs.Env) {
	files := int64(0)
	for i := range s.peers {
		active := s.gates[s.judged].workers.InFlight(i)
		open := active
		for w := range s.idle {
			open += int64(s.idle[w].Of(i))
		}
		files += active + open
		s.peakOpen = max(s.peakOpen, open)
		env.Set(capacityColumnPeer+capacityColumnsEach*i+capacityColumnActive, active)
		env.Set(capacityColumnPeer+capacityColumnsEach*i+capacityColumnOpen, open)
	}
	s.peakFiles = max(s.peakFiles, files)
	env.Set(capacityColumnDescriptors, files)
}

// The verbs, in the order of the lab's actions.
const (
	verbUnhealthy = iota
	verbHealthy
	verbFinish
	verbBurst
)

// Act changes a peer's health, lets a peer finish the request that it has had the longest, or sends requests at once.
func (s *routeCapacity) Act(env *labs.Env, do labs.Do) {
	if do.Verb == verbBurst {
		for range do.Value {
			s.arrive(env)
		}
		return
	}
	i := slices.Index(peerNames, do.Target)
	for k := range s.gates {
		g := &s.gates[k]
		if do.Verb == verbFinish {
			if slot := g.oldest(int32(i)); slot >= 0 {
				s.finish(env, k, slot)
			}
			continue
		}
		for w := range g.workers.Len() {
			g.workers.Pool(w).SetHealth(env.Now(), i, do.Verb == verbHealthy)
		}
	}
	if do.Verb != verbFinish {
		s.sick[i] = do.Verb == verbUnhealthy
		env.Set(capacityColumnPeer+capacityColumnsEach*i+capacityColumnOut, labs.Bit(s.sick[i]))
		env.Emit(capacityUnhealthy+do.Verb, entityPeer+i, 0, 0)
	}
}

// oldest is the slot of the request that a peer has had the longest, -1 when it has none.
func (g *gate) oldest(peer int32) int64 {
	best := int64(-1)
	for i := range g.inside.All {
		f := &g.inside.All[i]
		if f.id > 0 && f.peer == peer && (best < 0 || f.id < g.inside.All[best].id) {
			best = int64(i)
		}
	}
	return best
}

// Finish measures.
func (s *routeCapacity) Finish(env *labs.Env) {
	j := &s.gates[s.judged]
	for i, v := range [...]int64{s.requests, j.sent, j.refused, s.peakActive, s.peakOpen, s.peakFiles, s.reused} {
		env.Metric(i, v)
	}
	for k := range s.gates {
		g := &s.gates[k]
		env.Metric(capacityEach+2*k, g.refused)
		env.Metric(capacityEach+2*k+1, g.took/max(1, g.sent))
	}
}

// Clone copies the run.
func (s *routeCapacity) Clone() labs.State {
	c := *s
	for k := range c.gates {
		g := &c.gates[k]
		g.workers, g.inside = g.workers.Clone(), g.inside.Clone()
	}
	c.idle = slices.Clone(s.idle)
	for w := range c.idle {
		c.idle[w] = c.idle[w].Clone()
	}
	return &c
}

// Bytes is what a clone costs.
func (s *routeCapacity) Bytes() int {
	n := 1500
	for k := range s.gates {
		n += s.gates[k].workers.Size() + 44*len(s.gates[k].inside.All)
	}
	for w := range s.idle {
		n += s.idle[w].Size()
	}
	return n
}
