package limits

import (
	"slices"

	"seedbed/chapters/limiter"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of layered-limit.
const (
	layeredArrive = iota // class Node
	layeredDone          // the request in slot A, whose id is B, has its answer
	layeredExpire        // the request in slot A, whose id is B, will not wait longer
	layeredJudge         // the share of cheap requests is looked at
)

// layeredEnough is the least number of finished suggestions from which their share says something.
const layeredEnough = 300

// place is one request inside: where it stands, what it holds.
type place struct {
	id, arrived, connected int64
	permit                 limiter.Permit
	class, node            uint8
	waiting                bool
}

// ticket is a request's turn at the pool. A place is used again, so the id tells whether it is still that request's.
type ticket struct {
	slot int32
	id   int64
}

// layered is the state of one run.
type layered struct {
	layered  bool
	bypassed bool
	pool     int64
	patience int64
	goal     int64
	times    [nClass]int64
	shape    [nClass]sim.Shape

	arrivals [nClass]sim.Arrivals
	service  sim.Stream
	requests int64
	turn     int // the node whose turn is next

	cheapRate limiter.Layered     // at the gateway, for the whole cluster
	oneRate   limiter.TokenBucket // qps-only: one for all
	cheap     []limiter.Permits   // in each process
	dear      []limiter.Permits

	places  []place
	vacant  []int32
	queue   []ticket // who waits for a connection, the longest first, from queueAt on; those who gave up are passed over
	queueAt int
	waiting int64
	busy    int64

	counts     [nClass][layeredClassStep]int64
	latency    sim.Histogram
	peakBusy   int64
	peakWait   int64
	atGateway  int64
	atNodes    int64
	gaveUp     int64
	lastFailed int64 // newest suggestion that failed
}

func startLayered(c labs.Config, env *labs.Env) labs.State {
	nodes := c.Int("nodes")
	s := &layered{
		layered: c.Choice("use") == "layered", pool: c.Int("pool"), patience: c.Int("patience"), goal: c.Int("goal"),
		times:   [nClass]int64{c.Int("suggest-time"), c.Int("detail-time"), c.Int("slow-time")},
		shape:   [nClass]sim.Shape{sim.Constant, sim.LogNormal, sim.Constant},
		service: env.Stream("service"),
	}
	suggest, qps := newRate(c.Int("suggest-limit")), newRate(c.Int("qps"))
	s.cheapRate, s.oneRate = limiter.NewLayered(&suggest), qps
	for range nodes {
		s.dear = append(s.dear, newPermits(c.Int("permits")/nodes))
		s.cheap = append(s.cheap, newPermits(max(1, (s.pool-c.Int("permits"))/nodes)))
	}
	for class, name := range classNames {
		s.arrivals[class] = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int(name), Stream: env.Stream(name)}
		s.next(env, class)
	}
	env.At(judgeGap, layeredJudge, 0, 0, 0)
	return s
}

// judgeGap is how often the share of cheap requests is judged.
const judgeGap = 100_000_000

// newRate is a bucket of a rate in thousandths per second that holds a fifth of a second's worth, at least one.
func newRate(milli int64) limiter.TokenBucket {
	b, err := limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.Rate{N: milli, Per: nanosPerMilliRate}, Burst: max(1, milli/5000)})
	if err != nil {
		panic("limits: layered-limit: " + err.Error())
	}
	return b
}

func newPermits(n int64) limiter.Permits {
	p, err := limiter.NewPermits(limiter.PermitsConfig{Limit: n})
	if err != nil {
		panic("limits: layered-limit: " + err.Error())
	}
	return p
}

func (s *layered) next(env *labs.Env, class int) {
	if at, _, ok := s.arrivals[class].Next(); ok {
		env.At(at, layeredArrive, uint16(class), 0, 0)
	}
}

// Handle lets a request arrive, be answered, or give up.
func (s *layered) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case layeredArrive:
		s.arrive(env, int(e.Node))
		s.next(env, int(e.Node))
	case layeredDone:
		s.done(env, e.A)
	case layeredExpire:
		if p := &s.places[e.A]; p.waiting && p.id == e.B {
			s.giveUp(env, e.A)
		}
	case layeredJudge:
		s.judge(env, layeredEnough)
		env.At(env.Now()+judgeGap, layeredJudge, 0, 0, 0)
	}
}

// Act takes the gateway's limits away, gives them back, or sends a burst of one class.
func (s *layered) Act(env *labs.Env, do labs.Do) {
	switch do.Verb {
	case 0, 1:
		s.bypassed = do.Verb == 0
		env.Set(columnGatewayDown, labs.Bit(s.bypassed))
		env.Emit(layeredBypass+do.Verb, entityGateway, 0, 0)
	default:
		class := slices.Index(classNames[:], do.Target)
		for range do.Value {
			s.arrive(env, class)
		}
	}
}

// arrive puts one request before the limits and, past them, before the pool.
func (s *layered) arrive(env *labs.Env, class int) {
	s.requests++
	s.count(env, class, layeredOffered)
	node := s.turn
	s.turn = (s.turn + 1) % len(s.dear)
	permit, d := s.admit(env.Now(), class, node)
	switch {
	case d.OK:
	case d.RetryAfter == limiter.Never:
		s.atNodes++
		env.Add(columnNode+2*node, 1)
		env.Emit(layeredRefuse, entityNode+node, s.requests, d.RetryAfter)
	default:
		s.atGateway++
		env.Add(columnGatewayRefused, 1)
		env.Emit(layeredRefuse, entityGateway, s.requests, d.RetryAfter)
	}
	if !d.OK {
		s.fail(env, class, s.requests)
		return
	}
	env.Add(columnGatewayPassed, 1)
	env.Emit(layeredPass, entityGateway, s.requests, 0)
	s.enter(env, place{id: s.requests, arrived: env.Now(), permit: permit, class: uint8(class), node: uint8(node)})
}

// admit asks the limits of the action: a rate for the cheap one, at the gateway, and a permit in the process; for a dear one only
// the permit, because what it costs is time.
func (s *layered) admit(now int64, class, node int) (limiter.Permit, limiter.Decision) {
	switch {
	case !s.layered:
		return limiter.Permit{}, s.oneRate.TakeAt(now, 1)
	case class == classSuggest && !s.bypassed:
		return s.cheapRate.TakeWith(now, 1, &s.cheap[node])
	case class == classSuggest:
		return s.cheap[node].Take()
	}
	return s.dear[node].Take()
}

// fail counts a request that got no answer.
func (s *layered) fail(env *labs.Env, class int, id int64) {
	s.count(env, class, layeredFailed)
	if class == classSuggest {
		s.lastFailed = id
	}
}

// count counts an outcome of a class, in the metrics and in the column, whose order is the same.
func (s *layered) count(env *labs.Env, class, outcome int) {
	s.counts[class][outcome]++
	env.Add(class*layeredClassStep+outcome, 1)
}

func (s *layered) setWaiting(env *labs.Env, n int64) {
	s.waiting = n
	s.peakWait = max(s.peakWait, n)
	env.Set(columnWaiting, n)
}

// columnOfNode is the column of how many dear requests the node of a request has in flight.
func (s *layered) columnOfNode(p place) int { return columnNode + 2*int(p.node) + 1 }

func (s *layered) inNode(p place) int64 { return s.dear[p.node].InFlight() }

func (s *layered) entityPool() int { return entityNode + len(s.dear) }

// share is the part of the finished suggestions that were served, in parts per million, and how many have finished.
func (s *layered) share() (ppm, finished int64) {
	c := &s.counts[classSuggest]
	finished = c[layeredServed] + c[layeredFailed]
	if finished == 0 {
		return 1_000_000, 0
	}
	return c[layeredServed] * 1_000_000 / finished, finished
}

// judge holds the share of served suggestions to the goal, once enough have finished.
func (s *layered) judge(env *labs.Env, enough int64) {
	if ppm, finished := s.share(); finished >= enough && ppm < s.goal {
		env.Fail(checkCheap, s.lastFailed, ppm, s.counts[classSuggest][layeredFailed])
	}
}

// Finish measures.
func (s *layered) Finish(env *labs.Env) {
	s.judge(env, 1)
	for class := range s.counts {
		for outcome, n := range s.counts[class] {
			env.Metric(class*layeredClassStep+outcome, n)
		}
	}
	ppm, _ := s.share()
	env.Metric(layeredShare, ppm)
	env.Metric(layeredP99, s.latency.Quantile(990_000))
	env.Metric(layeredPeakBusy, s.peakBusy)
	env.Metric(layeredPeakWaiting, s.peakWait)
	env.Metric(layeredAtGateway, s.atGateway)
	env.Metric(layeredAtNodes, s.atNodes)
	env.Metric(layeredGaveUp, s.gaveUp)
}

// Clone copies the run.
func (s *layered) Clone() labs.State {
	c := *s
	c.cheapRate = s.cheapRate.Clone()
	c.cheap, c.dear = clonePermits(s.cheap), clonePermits(s.dear)
	c.places, c.vacant = slices.Clone(s.places), slices.Clone(s.vacant)
	c.queue, c.queueAt = slices.Clone(s.queue[s.queueAt:]), 0
	return &c
}

func clonePermits(all []limiter.Permits) []limiter.Permits {
	c := make([]limiter.Permits, len(all))
	for i := range all {
		c[i] = all[i].Clone()
	}
	return c
}

// Bytes is what a clone costs.
func (s *layered) Bytes() int {
	n := 6000 + 56*len(s.places) + 4*len(s.vacant) + 16*len(s.queue)
	for i := range s.dear {
		n += s.dear[i].Size() + s.cheap[i].Size()
	}
	return n
}
