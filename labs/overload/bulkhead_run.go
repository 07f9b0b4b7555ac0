package overload

import (
	"slices"

	"seedbed/chapters/breaker"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of bulkhead.
const (
	bulkArrive = iota // for the callee Node
	bulkStart         // the planned trouble begins
	bulkEnd           // and is over
	bulkDone          // the call in slot A of the way Node ends
	bulkLate          // request B, for the callee A, waits no longer for a place in the way Node
	bulkLook          // the breakers are looked at
)

// The troubles of a callee, in the order of the verbs and events of the lab.
const (
	calleeHangs trouble = iota
	calleeSlow
	calleeErrs
)

// waiter is a request that wants a place.
type waiter struct {
	id     int64
	since  int64
	took   int64 // ns that the call takes on a good day
	ticket breaker.Ticket
}

// placed is a call that holds a place.
type placed struct {
	ticket  breaker.Ticket
	permit  breaker.Permit
	id      int64
	came    int64 // ns: the request
	began   int64 // ns: the call
	callee  uint8
	outcome breaker.Outcome
	late    bool
}

// hull is one way to share the places.
type hull struct {
	places breaker.Bulkhead
	guards [nCallee]breaker.Breaker // of which one may stand before all
	states [nCallee]breaker.State
	lines  [nCallee]sim.Line[waiter] // for the places of each; all have the same patience, so whoever gives up is at the head
	calls  sim.Slots[placed]

	settled  [nCallee]int64
	answered [nCallee]int64
	turned   int64 // away for want of a place
	idle     int64 // places that were free then, in sum
}

// bulk is the state of one run.
type bulk struct {
	judged   int
	breakers int
	victim   int
	planned  trouble
	factor   int64
	service  int64
	timeout  int64
	patience int64
	most     int64 // in a line
	total    int64 // places

	arrivals [nCallee]sim.Arrivals
	times    [nCallee]sim.Stream
	requests int64
	asked    [nCallee]int64
	troubles [nCallee]trouble
	healed   [nCallee]int64 // ns: when a trouble was last over, all its calls included
	hulls    [nHull]hull
}

func startBulkhead(c labs.Config, env *labs.Env) labs.State {
	s := &bulk{
		judged: int(c.Int("use")), breakers: int(c.Int("breakers")), victim: int(c.Int("victim")) + 1, planned: trouble(c.Int("trouble")), factor: c.Int("factor"),
		service: c.Int("service"), timeout: c.Int("timeout"), patience: c.Int("patience"), most: c.Int("line"), total: c.Int("places"),
	}
	for k := range s.hulls {
		h := &s.hulls[k]
		var err error
		h.places, err = breaker.NewBulkhead(bulkheadConfig(c, k))
		labs.Must(err)
		for i := range h.guards {
			h.guards[i], err = breaker.NewBreaker(bulkheadBreaker(c))
			labs.Must(err)
			h.states[i] = breaker.Closed
		}
	}
	for i, name := range callees {
		s.troubles[i] = troubleNone
		s.arrivals[i] = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int(name), Stream: env.Stream("for-" + name)}
		s.times[i] = env.Stream(name)
		s.come(env, i)
	}
	if lasts := c.Int("lasts"); lasts > 0 {
		env.At(c.Int("begin"), bulkStart, 0, 0, 0)
		env.At(c.Int("begin")+lasts, bulkEnd, 0, 0, 0)
	}
	if s.breakers != breakersNone {
		env.At(lookGap, bulkLook, 0, 0, 0)
	}
	return s
}

func (s *bulk) come(env *labs.Env, i int) {
	if at, _, ok := s.arrivals[i].Next(); ok {
		env.At(at, bulkArrive, uint16(i), 0, 0)
	}
}

// Handle lets a request arrive, give up or end, or the trouble begin or end.
func (s *bulk) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case bulkArrive:
		s.arrive(env, int(e.Node))
		s.come(env, int(e.Node))
	case bulkStart:
		s.turn(env, s.victim, s.planned)
	case bulkEnd:
		s.turn(env, s.victim, troubleNone)
	case bulkDone:
		s.done(env, int(e.Node), e.A)
	case bulkLate:
		if l := &s.hulls[e.Node].lines[e.A]; l.Len() > 0 && l.First().id == e.B {
			s.giveUp(env, int(e.Node), int(e.A), l.Pop())
		}
	case bulkLook:
		s.look(env)
		env.At(env.Now()+lookGap, bulkLook, 0, 0, 0)
	}
}

// The verbs are the troubles, heal, and burst.
const verbRush = int(troubleNone) + 1

// Act turns a callee's trouble on or off, or sends requests at once.
func (s *bulk) Act(env *labs.Env, do labs.Do) {
	i := slices.Index(callees, do.Target)
	if do.Verb != verbRush {
		s.turn(env, i, trouble(do.Verb))
		return
	}
	for range do.Value {
		s.arrive(env, i)
	}
}

func (s *bulk) turn(env *labs.Env, i int, to trouble) {
	env.Emit(bulkheadTrouble+int(to), entityCallee+i, 0, 0)
	if to == troubleNone && s.troubles[i] != troubleNone {
		s.healed[i] = env.Now() + s.timeout + s.patience
	}
	s.troubles[i] = to
	env.Set(bulkheadColumn(i, bulkheadColumnTrouble), labs.Bit(to != troubleNone))
}

// arrive draws one request and lets every way deal with it: the breaker first, which knows whether a call is of any use, then the places.
func (s *bulk) arrive(env *labs.Env, i int) {
	s.requests++
	s.asked[i]++
	w := waiter{id: s.requests, since: env.Now(), took: sim.LogNormal.Draw(&s.times[i], s.service)}
	for k := range s.hulls {
		h := &s.hulls[k]
		var ok bool
		if w.ticket, ok = s.ask(env, k, i, w.id); !ok {
			continue
		}
		if h.lines[i].Len() == 0 {
			if p, ok := h.places.Take(i); ok {
				s.call(env, k, i, p, &w)
				continue
			}
		}
		if s.patience == 0 || int64(h.lines[i].Len()) >= s.most {
			s.tell(env, k, bulkheadFull, entityPlaces+i, w.id, int64(h.lines[i].Len()))
			s.refuse(env, k, i, &w)
			continue
		}
		h.lines[i].Push(w)
		env.At(env.Now()+s.patience, bulkLate, uint16(k), int64(i), w.id)
		s.show(env, k, i)
	}
}

// call makes a call from a place. How it will end is known as soon as it begins; the place is held until then, or for the time-out.
func (s *bulk) call(env *labs.Env, k, i int, p breaker.Permit, w *waiter) {
	c := placed{ticket: w.ticket, permit: p, id: w.id, came: w.since, began: env.Now(), callee: uint8(i)}
	took := w.took
	switch s.troubles[i] {
	case calleeHangs:
		took = s.timeout
	case calleeSlow:
		took *= s.factor
	case calleeErrs:
		took, c.outcome = min(errorTime, s.timeout), breaker.Failure
	}
	if took >= s.timeout && c.outcome == breaker.Success {
		took, c.late, c.outcome = s.timeout, true, breaker.Failure
	}
	s.tell(env, k, bulkheadCall, entityCallee+i, w.id, env.Now()-w.since)
	env.At(env.Now()+took, bulkDone, uint16(k), s.hulls[k].calls.Take(c), 0)
	s.show(env, k, i)
}

// done ends a call, and gives its place to whoever has waited the longest of those who may have it.
func (s *bulk) done(env *labs.Env, k int, slot int64) {
	h := &s.hulls[k]
	c := h.calls.All[slot]
	h.calls.Free(slot)
	h.places.Release(c.permit)
	i := int(c.callee)
	h.settled[i]++
	took := env.Now() - c.came
	switch {
	case c.late:
		s.tell(env, k, bulkheadTimeOut, entityCallee+i, c.id, took)
	case c.outcome == breaker.Failure:
		s.tell(env, k, bulkheadError, entityCallee+i, c.id, took)
	default:
		h.answered[i]++
		s.tell(env, k, bulkheadAnswer, entityCallee+i, c.id, took)
	}
	s.count(env, k, bulkheadColumn(i, bulkheadColumnAnswered+int(labs.Bit(c.outcome == breaker.Failure))))
	if s.breakers != breakersNone {
		b := s.guardOf(i)
		s.changed(env, k, b, h.guards[b].DoneAt(env.Now(), c.ticket, c.outcome).Changes)
	}
	s.show(env, k, i)
	for next := s.next(k); next >= 0; next = s.next(k) {
		p, _ := h.places.Take(next)
		w := h.lines[next].Pop()
		s.call(env, k, next, p, &w)
	}
}

// next is whose turn it is at a free place: the callee whose request has waited the longest among those that have room; −1 when nobody is.
func (s *bulk) next(k int) int {
	h := &s.hulls[k]
	first := -1
	for i := range h.lines {
		l := &h.lines[i]
		if l.Len() == 0 || h.places.Room(i) == 0 {
			continue
		}
		if first < 0 || l.First().id < h.lines[first].First().id {
			first = i
		}
	}
	return first
}

// giveUp ends a request that has waited in vain; a probe that it was is free for another.
func (s *bulk) giveUp(env *labs.Env, k, i int, w waiter) {
	s.tell(env, k, bulkheadGiveUp, entityPlaces+i, w.id, env.Now()-w.since)
	s.show(env, k, i)
	s.refuse(env, k, i, &w)
}

// refuse turns a request away for want of a place.
func (s *bulk) refuse(env *labs.Env, k, i int, w *waiter) {
	h := &s.hulls[k]
	held := int64(0)
	for j := range callees {
		held += h.places.Held(j)
	}
	h.turned++
	h.idle += s.total - held
	if s.breakers != breakersNone {
		b := s.guardOf(i)
		s.changed(env, k, b, h.guards[b].DoneAt(env.Now(), w.ticket, breaker.Ignored).Changes)
	}
	s.harm(env, k, i, w.id, env.Now()-w.since)
}

// harm counts a request without a call. The core is harmed when it is not the core's own fault.
func (s *bulk) harm(env *labs.Env, k, i int, id, waited int64) {
	h := &s.hulls[k]
	h.settled[i]++
	s.count(env, k, bulkheadColumn(i, bulkheadColumnRefused))
	if i != calleeStock || s.troubles[i] != troubleNone || env.Now() < s.healed[i] {
		return
	}
	env.Add(bulkheadColumnHarm+k, 1)
	if k == s.judged {
		env.Fail(checkCore, id, h.places.Held(calleeStock), h.places.Held(calleeRecommend)+h.places.Held(calleeReviews), waited)
	}
}

// count counts into a column of the judged way.
func (s *bulk) count(env *labs.Env, k, column int) {
	if k == s.judged {
		env.Add(column, 1)
	}
}

// tell emits what happened in the judged way.
func (s *bulk) tell(env *labs.Env, k, kind, entity int, id, b int64) {
	if k == s.judged {
		env.Emit(kind, entity, id, b)
	}
}

// show records what a callee holds, and who waits for it.
func (s *bulk) show(env *labs.Env, k, i int) {
	if k == s.judged {
		env.Set(bulkheadColumn(i, bulkheadColumnHeld), s.hulls[k].places.Held(i))
		env.Set(bulkheadColumn(i, bulkheadColumnWaiting), int64(s.hulls[k].lines[i].Len()))
	}
}
