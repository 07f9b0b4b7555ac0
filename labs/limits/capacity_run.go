package limits

import (
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of capacity-test.
const (
	capacityArrive = iota
	capacityDone   // of request A on node Node, that came at B
	capacityBooted // node Node
	capacityLook   // each second: rate, CPU, judgement
)

const (
	queueBound = 1000          // requests that may wait at the gateway
	lookEvery  = 1_000_000_000 // ns
	scaleEvery = 5             // looks between two decisions of the autoscaler
	busyEnough = 700_000       // ppm: the CPU above which the autoscaler asks for more
)

// machine is one node.
type machine struct {
	ready, ordered, dead bool
	busy                 int64
}

// capacity is the state of one run.
type capacity struct {
	policy                   string
	known                    int64 // thousandths per second: the peak that the planner reckons with
	cores                    int64
	service                  int64
	safe, factor             int64
	base, peak               int64
	rampAt, rampEnd          int64
	boot, slo                int64
	arrivals, times          sim.Stream
	nodes                    [maxNodes]machine
	shown                    int
	waiting                  []arrived
	head                     int
	requests, served         int64
	refused, refusedAtPeak   int64
	firstAtPeak              int64 // when the first request of the peak came; -1 before
	newest                   int64
	secondArrivals           int64
	busyTime, coreTime, last int64 // core-ns busy and there, since the autoscaler looked
	allBusy, allCore         int64 // in µs of a core, from the end of the ramp on
	looks                    int64
	latency                  sim.Histogram // of requests that came after the ramp
	late                     int64         // seconds in which arrivals passed the capacity
}

type arrived struct{ id, at int64 }

func startCapacity(c labs.Config, env *labs.Env) labs.State {
	s := &capacity{
		policy: c.Choice("use"), known: c.Int("peak"), cores: c.Int("cores"), service: c.Int("service"), safe: c.Int("safe"), factor: c.Int("factor"),
		base: c.Int("base"), peak: c.Int("peak"), rampAt: c.Int("start"), rampEnd: c.Int("start") + c.Int("ramp"), boot: c.Int("boot"), slo: c.Int("slo"),
		arrivals: env.Stream("client"), times: env.Stream("service"), shown: capacityNodesShown(c), firstAtPeak: -1,
	}
	if c.Choice("shadow") == "off" {
		s.known = c.Int("expected")
	}
	for i := range s.nodes {
		s.nodes[i].ready = i < int(c.Int("nodes"))
		s.nodes[i].ordered = s.nodes[i].ready
		if i < s.shown {
			s.showNode(env, i)
		}
	}
	if s.policy == "ahead" {
		s.order(env, nodesFor(s.known, s.safe, s.factor))
	}
	env.At(s.arrivals.Exp(gap(s.base)), capacityArrive, 0, 0, 0)
	env.At(lookEvery, capacityLook, 0, 0, 0)
	return s
}

// gap is the mean interval of a rate in thousandths per second.
func gap(rate int64) int64 { return nanosPerMilliRate / max(rate, 1) }

// rate is the arrivals' rate at an instant: the base, then a ramp, then the peak.
func (s *capacity) rate(now int64) int64 {
	switch {
	case now < s.rampAt:
		return s.base
	case now >= s.rampEnd:
		return s.peak
	}
	return s.base + (s.peak-s.base)*((now-s.rampAt)/1_000_000)/max(1, (s.rampEnd-s.rampAt)/1_000_000)
}

// order asks for machines until there are n, ready or on their way.
func (s *capacity) order(env *labs.Env, n int64) {
	have := int64(0)
	for i := range s.nodes {
		if s.nodes[i].ordered {
			have++
		}
	}
	for i := range s.nodes[:s.shown] {
		if m := &s.nodes[i]; have < n && !m.ordered && !m.dead {
			m.ordered = true
			have++
			env.At(env.Now()+s.boot, capacityBooted, uint16(i), 0, 0)
		}
	}
}

// Handle lets a request arrive or leave, a machine come up, or a second pass.
func (s *capacity) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case capacityArrive:
		s.arrive(env)
		env.At(env.Now()+s.arrivals.Exp(gap(s.rate(env.Now()))), capacityArrive, 0, 0, 0)
	case capacityDone:
		s.done(env, int(e.Node), e.A, e.B)
	case capacityBooted:
		if m := &s.nodes[e.Node]; !m.dead {
			s.pass(env.Now())
			m.ready = true
			s.showNode(env, int(e.Node))
			env.Emit(capacityReady, 2+int(e.Node), 0, 0)
			s.drain(env)
		}
	case capacityLook:
		s.look(env)
		env.At(env.Now()+lookEvery, capacityLook, 0, 0, 0)
	}
}

// Act kills a machine: it finishes what it holds and gets nothing new.
func (s *capacity) Act(env *labs.Env, do labs.Do) {
	for i := range s.shown {
		if do.Target == nodeName(i) {
			s.pass(env.Now())
			s.nodes[i] = machine{dead: true, busy: s.nodes[i].busy}
			s.showNode(env, i)
			env.Emit(capacityLose, 2+i, 0, 0)
		}
	}
}

func (s *capacity) arrive(env *labs.Env) {
	s.requests++
	s.secondArrivals++
	env.Add(capacityColumnOffered, 1)
	id := s.requests
	if s.firstAtPeak < 0 && env.Now() >= s.rampEnd {
		s.firstAtPeak = env.Now()
	}
	if node := s.idlest(); node >= 0 {
		s.begin(env, node, arrived{id, env.Now()})
		return
	}
	if len(s.waiting)-s.head >= queueBound {
		s.refused++
		s.newest = id
		if env.Now() >= s.rampEnd {
			s.refusedAtPeak++
		}
		env.Add(capacityColumnRefused, 1)
		env.Emit(capacityRefuse, 1, id, int64(len(s.waiting)-s.head))
		return
	}
	s.waiting = append(s.waiting, arrived{id, env.Now()})
	env.Set(capacityColumnWaiting, int64(len(s.waiting)-s.head))
}

// idlest is the ready node with the fewest busy cores, or -1 when all cores are busy.
func (s *capacity) idlest() int {
	best := -1
	for i := range s.nodes[:s.shown] {
		if m := &s.nodes[i]; m.ready && m.busy < s.cores && (best < 0 || m.busy < s.nodes[best].busy) {
			best = i
		}
	}
	return best
}

func (s *capacity) begin(env *labs.Env, node int, a arrived) {
	s.pass(env.Now())
	s.nodes[node].busy++
	env.Set(capacityColumnNode+2*node, s.nodes[node].busy)
	env.Emit(capacityStart, 2+node, a.id, env.Now()-a.at)
	env.At(env.Now()+sim.Exponential.Draw(&s.times, s.service), capacityDone, uint16(node), a.id, a.at)
}

func (s *capacity) done(env *labs.Env, node int, id, came int64) {
	s.pass(env.Now())
	s.nodes[node].busy--
	s.served++
	env.Add(capacityColumnServed, 1)
	env.Set(capacityColumnNode+2*node, s.nodes[node].busy)
	env.Emit(capacityFinish, 2+node, id, env.Now()-came)
	if came >= s.rampEnd {
		s.latency.Add(env.Now() - came)
		s.newest = id
	}
	s.drain(env)
}

// drain gives idle cores to those who wait.
func (s *capacity) drain(env *labs.Env) {
	for s.head < len(s.waiting) {
		node := s.idlest()
		if node < 0 {
			break
		}
		s.begin(env, node, s.waiting[s.head])
		s.head++
	}
	if s.head > 64 && 2*s.head > len(s.waiting) {
		s.waiting = s.waiting[:copy(s.waiting, s.waiting[s.head:])]
		s.head = 0
	}
	env.Set(capacityColumnWaiting, int64(len(s.waiting)-s.head))
}

// pass counts the time that has passed with the cores as they were.
func (s *capacity) pass(now int64) {
	var busy, there int64
	for i := range s.nodes[:s.shown] {
		busy += s.nodes[i].busy
		if s.nodes[i].ready {
			there += s.cores
		}
	}
	span := now - s.last
	s.busyTime += busy * span
	s.coreTime += there * span
	if now > s.rampEnd {
		s.allBusy += busy * span / 1000
		s.allCore += there * span / 1000
	}
	s.last = now
}

// look closes a second: what came against what can be served, and each five seconds the autoscaler's decision.
func (s *capacity) look(env *labs.Env) {
	s.pass(env.Now())
	came := s.secondArrivals * 1000
	s.secondArrivals = 0
	there := s.capacityNow()
	env.Set(capacityColumnRate, came)
	env.Set(capacityColumnCapacity, there)
	if want := s.rate(env.Now()); want > there {
		s.late++
		env.Fail(checkInTime, s.requests, want, there)
	}
	s.looks++
	if s.looks%scaleEvery != 0 || s.policy != "cpu" {
		return
	}
	if cpu := s.busyTime * 1000 / max(1, s.coreTime/1000); cpu > busyEnough {
		ordered := int64(0)
		for i := range s.nodes {
			if s.nodes[i].ordered {
				ordered++
			}
		}
		env.Emit(capacityOrder, 1, ordered+1, cpu)
		s.order(env, ordered+1)
	}
	s.busyTime, s.coreTime = 0, 0
}

// capacityNow is the rate at which every ready core would be busy, in thousandths per second.
func (s *capacity) capacityNow() int64 {
	n := int64(0)
	for i := range s.nodes[:s.shown] {
		if s.nodes[i].ready {
			n += s.cores
		}
	}
	return n * nanosPerMilliRate / s.service
}

func (s *capacity) showNode(env *labs.Env, i int) {
	env.Set(capacityColumnNode+2*i+1, labs.Bit(!s.nodes[i].ready))
}

// Finish measures.
func (s *capacity) Finish(env *labs.Env) {
	s.pass(env.Now())
	p99, p50 := s.latency.Quantile(990_000), s.latency.Quantile(500_000)
	if s.latency.Count() == 0 && s.firstAtPeak >= 0 {
		// Nobody was answered: requests that came evenly have had no answer until the end.
		silence := env.Horizon() - s.firstAtPeak
		p99, p50 = silence/100*99, silence/2
	}
	if p99 > s.slo || s.refusedAtPeak > 0 {
		env.Fail(checkSLO, s.newest, p99, s.refusedAtPeak, s.latency.Count())
	}
	ready := int64(0)
	for i := range s.nodes {
		if s.nodes[i].ready {
			ready++
		}
	}
	for i, v := range [...]int64{
		s.requests, s.served, s.refused, p99, p50, s.allBusy * 1_000_000 / max(1, s.allCore),
		nodesFor(s.peak, s.safe, s.factor), ready, s.late * lookEvery,
	} {
		env.Metric(i, v)
	}
}

// Clone copies the run.
func (s *capacity) Clone() labs.State {
	c := *s
	c.waiting, c.head = append([]arrived(nil), s.waiting[s.head:]...), 0
	return &c
}

// Bytes is what a clone costs.
func (s *capacity) Bytes() int { return 6000 + 16*len(s.waiting) }
