package overload

import (
	"slices"

	"seedbed/chapters/adaptive"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of adaptive-limit.
const (
	followArrive = iota // requests of the caller Node; A of them
	followDone          // the request in slot A of the limit Node is answered
	followStart         // the planned change
	followEnd           // and its end
	followSpan          // a span is over
)

// passed is a request that a gate let pass.
type passed struct {
	ticket adaptive.Ticket
	id     int64
	came   int64
	took   int64 // ns that the service takes on a good day
	caller uint8
	struck bool // the neighbour slows it, if it is there when this begins
}

// turns is who waits for a place of a service, first come, first served: numbers of slots.
type turns struct {
	slots []int32
	head  int
}

func (l *turns) len() int { return len(l.slots) - l.head }

func (l *turns) push(n int64) { l.slots = append(l.slots, int32(n)) }

// pop takes out the head. What is behind it is cut off now and then, so that the slice stays within twice the line's length.
func (l *turns) pop() int64 {
	n := l.slots[l.head]
	l.head++
	if l.head > 64 && 2*l.head > len(l.slots) {
		l.slots = l.slots[:copy(l.slots, l.slots[l.head:])]
		l.head = 0
	}
	return int64(n)
}

// follower is one limit with a service of its own. Where there are two callers, each has a gate with a limit of its own before the one
// service, and knows nothing of the other.
type follower struct {
	gates [maxCallers]adaptive.Gate
	moved [maxCallers]int64 // the limit as it was told last
	calls sim.Slots[passed]
	line  turns
	busy  int64
	span  spanned
	whole sim.Histogram

	answered int64
	late     int64
	letIn    [maxCallers]int64
	least    int64 // ppm: of what was due, in the worst of the judged spans
}

// follow is the state of one run.
type follow struct {
	judged, change, callers, times     int
	to, factor, places, service, joins int64
	slo, floor, settle, spanFor        int64

	arrivals [maxCallers]sim.Arrivals
	work     sim.Stream
	chance   sim.Stream
	requests int64
	asked    [maxCallers]int64 // in the span
	spanEnd  int64

	now      int64 // places
	slow     bool
	crowded  bool  // the neighbour is there
	turnedAt int64 // ns: when the service last changed, or the second caller joined
	since    int64 // ns: up to when could is counted
	could    int64 // ns of places, in sum
	limits   [nFollow]follower
}

func startAdaptive(c labs.Config, env *labs.Env) labs.State {
	s := &follow{
		judged: int(c.Int("use")), change: int(c.Int("change")), callers: int(c.Int("callers")), times: int(c.Int("times")),
		to: c.Int("to"), factor: c.Int("factor"), places: c.Int("places"), now: c.Int("places"), service: c.Int("service"), joins: c.Int("joins"),
		slo: c.Int("slo"), floor: c.Int("floor"), settle: c.Int("settle"), spanFor: c.Int("span"), spanEnd: c.Int("span"),
		work: env.Stream("work"), chance: env.Stream("neighbour"),
	}
	for k := range s.limits {
		f := &s.limits[k]
		f.least = million
		for i := range s.callers {
			f.gates[i] = adaptive.NewGate(adaptiveLimit(c, k))
			f.moved[i] = f.gates[i].Limit()
		}
		s.show(env, k)
	}
	for i := range s.callers {
		a := sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("rate"), Stream: env.Stream(callerNames[i])}
		if c.Choice("arrive") == "in-bursts" {
			a.Pattern, a.Size = sim.Burst, c.Int("size")
			a.Period = a.Size * second / (c.Int("rate") / 1000)
		}
		if i > 0 {
			a.Start = s.joins
		}
		s.arrivals[i] = a
		s.come(env, i)
	}
	if lasts := c.Int("lasts"); lasts > 0 {
		env.At(c.Int("begin"), followStart, 0, 0, 0)
		env.At(c.Int("begin")+lasts, followEnd, 0, 0, 0)
	}
	env.At(s.spanFor, followSpan, 0, 0, 0)
	env.Set(adaptiveColumnPlaces, s.now)
	return s
}

func (s *follow) come(env *labs.Env, i int) {
	if at, n, ok := s.arrivals[i].Next(); ok {
		env.At(at, followArrive, uint16(i), n, 0)
	}
}

// Handle lets requests arrive or be answered, the service change, or a span end.
func (s *follow) Handle(env *labs.Env, e sim.Event) {
	s.close(env)
	switch e.Kind {
	case followArrive:
		for range e.A {
			s.arrive(env, int(e.Node))
		}
		s.come(env, int(e.Node))
	case followDone:
		s.done(env, int(e.Node), e.A)
	case followStart:
		s.turn(env, s.change, s.to)
	case followEnd:
		s.turn(env, changeNone, s.places)
	case followSpan:
		env.At(env.Now()+s.spanFor, followSpan, 0, 0, 0)
	}
}

// The verbs are the changes, heal, and burst.
const verbFlood = changeNone + 1

// Act changes the service, or sends requests at once.
func (s *follow) Act(env *labs.Env, do labs.Do) {
	s.close(env)
	switch do.Verb {
	case verbFlood:
		for range do.Value {
			s.arrive(env, 0)
		}
	case changePlaces:
		s.turn(env, do.Verb, do.Value)
	default:
		s.turn(env, do.Verb, s.places)
	}
}

// turn changes the service, or brings it back to what it was.
func (s *follow) turn(env *labs.Env, change int, places int64) {
	s.count(env)
	was := s.now
	s.turnedAt = env.Now()
	service := s.entityService()
	switch change {
	case changePlaces:
		s.now = places
		env.Emit(adaptiveChange, service, was, places)
	case changeSlow:
		s.slow = true
		env.Emit(adaptiveChange+change, service, 0, 0)
	case changeNeighbour:
		s.crowded = true
		env.Emit(adaptiveChange+change, service, 0, 0)
	default:
		s.now, s.slow, s.crowded = s.places, false, false
		env.Emit(adaptiveChange+change, service, s.places, 0)
	}
	env.Set(adaptiveColumnPlaces, s.now)
	env.Set(adaptiveColumnChanged, labs.Bit(s.slow || s.crowded || s.now != s.places))
	for k := range s.limits {
		s.serve(env, k)
	}
}

// The entities: the callers, the limits, the service.
func (s *follow) entityLimit(k int) int { return s.callers + k }

func (s *follow) entityService() int { return s.callers + nFollow }

// arrive draws one request and lets every limit decide.
func (s *follow) arrive(env *labs.Env, i int) {
	s.requests++
	s.asked[i]++
	p := passed{id: s.requests, came: env.Now(), took: s.draw(), caller: uint8(i), struck: s.chance.Chance(neighbourShare)}
	for k := range s.limits {
		f := &s.limits[k]
		var ok bool
		if p.ticket, ok = f.gates[i].TakeAt(p.came); !ok {
			f.span.refused[i] = p.id
			env.Add(adaptiveColumn(k, adaptiveColumnRefused), 1)
			s.tell(env, k, adaptiveRefuse, s.entityLimit(k), p.id, f.gates[i].Limit())
			continue
		}
		f.letIn[i]++
		f.span.letIn[i]++
		env.Add(adaptiveColumn(k, adaptiveColumnPassed), 1)
		s.tell(env, k, adaptiveAdmit, s.entityLimit(k), p.id, f.gates[i].InFlight())
		f.line.push(f.calls.Take(p))
		s.serve(env, k)
		s.show(env, k)
	}
}

// neighbourShare is which requests a neighbour slows: one in five, in parts per million.
const neighbourShare = million / 5

// draw is how long the service takes for a request on a good day, ns.
func (s *follow) draw() int64 {
	switch s.times {
	case timesExponential:
		return sim.Exponential.Draw(&s.work, s.service)
	case timesLogNormal:
		return sim.LogNormal.Draw(&s.work, s.service)
	}
	return s.service*3/4 + s.work.Below(s.service/2+1)
}

// serve gives free places to those who wait. Places that have left do so when their request is answered.
func (s *follow) serve(env *labs.Env, k int) {
	f := &s.limits[k]
	for f.busy < s.now && f.line.len() > 0 {
		slot := f.line.pop()
		p := &f.calls.All[slot]
		took := p.took
		if s.slow || (s.crowded && p.struck) {
			took *= s.factor
		}
		f.busy++
		env.At(env.Now()+took, followDone, uint16(k), slot, 0)
	}
}

// done answers a request, and tells its gate.
func (s *follow) done(env *labs.Env, k int, slot int64) {
	f := &s.limits[k]
	p := f.calls.All[slot]
	f.calls.Free(slot)
	f.busy--
	i := int(p.caller)
	f.gates[i].DoneAt(env.Now(), p.ticket, adaptive.Served)
	took := env.Now() - p.came
	f.answered++
	f.whole.Add(took)
	f.span.times.Add(took)
	if took > s.slo {
		f.late++
		f.span.late++
		f.span.latest = p.id
	}
	s.tell(env, k, adaptiveAnswer, s.entityService(), p.id, took)
	if now := f.gates[i].Limit(); now != f.moved[i] {
		s.tell(env, k, adaptiveMove, s.entityLimit(k), f.moved[i], now)
		f.moved[i] = now
	}
	s.serve(env, k)
	s.show(env, k)
}

// tell emits what happened at the judged limit.
func (s *follow) tell(env *labs.Env, k, kind, entity int, a, b int64) {
	if k == s.judged {
		env.Emit(kind, entity, a, b)
	}
}

// show records where a limit stands; of the judged one, its service too.
func (s *follow) show(env *labs.Env, k int) {
	f := &s.limits[k]
	limit := int64(0)
	for i := range s.callers {
		limit += f.moved[i]
	}
	env.Set(adaptiveColumn(k, adaptiveColumnStands), limit)
	if k != s.judged {
		return
	}
	env.Set(adaptiveColumnBusy, f.busy)
	if s.callers == maxCallers {
		for i := range s.callers {
			env.Set(adaptiveColumnCaller+i, f.moved[i])
		}
	}
}

// Clone copies the run.
func (s *follow) Clone() labs.State {
	c := *s
	for k := range c.limits {
		f := &c.limits[k]
		for i := range s.callers {
			f.gates[i] = f.gates[i].Clone()
		}
		f.calls = f.calls.Clone()
		f.line = turns{slots: slices.Clone(f.line.slots[f.line.head:])}
	}
	return &c
}

// Bytes is what a clone costs.
func (s *follow) Bytes() int {
	n := 1000
	for k := range s.limits {
		f := &s.limits[k]
		n += 2*histogramBytes + 500 + f.calls.Bytes(64) + 4*f.line.len()
		for i := range s.callers {
			n += f.gates[i].Size()
		}
	}
	return n
}

const histogramBytes = 5 << 10
