package overload

import (
	"slices"

	"seedbed/chapters/breaker"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of circuit-breaker.
const (
	circuitArrive = iota
	circuitStart  // the planned trouble begins
	circuitEnd    // and is over
	circuitDone   // the call in slot A of the way Node ends
	circuitLeave  // the caller B in slot A of the way Node has waited in line for as long as it would
	circuitDue    // the breakers should have opened for trouble A
	circuitLook   // states, shares and rates are looked at
)

const (
	errorTime = 1_000_000   // ns until a caller knows of an error that comes at once
	lookGap   = 100_000_000 // ns
)

// trouble is what is wrong with a dependency, in the order of the verbs and events of the labs.
type trouble uint8

const (
	troubleErrors trouble = iota
	troubleSlow
	troubleHang
	troubleNone
)

// request is what was drawn for one request: every way to call meets the same.
type request struct {
	id    int64
	took  int64 // ns, of a warm dependency
	luck  int64 // 0..999,999: whether it fails
	taste int64 // 0..999,999: whether the business says no
}

// sent is a call that is out.
type sent struct {
	ticket  breaker.Ticket
	id      int64
	began   int64
	started int64 // ns: when it got its place
	work    int64 // ns: what it would take a warm dependency
	outcome breaker.Outcome
	late    bool // ends by its time-out
	waiting bool // in line for one of the dependency's places
	placed  bool // holds one
	struck  bool // begun while there was trouble
	lost    bool // nobody will report its end
}

// guard is one way to call, with a dependency of its own.
type guard struct {
	breaker breaker.Breaker
	state   breaker.State
	half    int64 // ns: when it became half-open last
	longest int64 // ns: the longest time half-open
	calls   sim.Slots[sent]
	lose    int64 // calls to be lost

	// The dependency.
	inside int64           // calls that hold a place or wait for one
	line   sim.Line[int32] // the slots of those that wait
	served int64           // calls that it has finished since it was cold, warmAfter at most

	// What the window has of trouble, since the breaker last changed.
	struck   bool  // a call that trouble struck was counted
	struckAt int64 // ns: when the last such was
	since    int64 // calls counted since then

	// Since the newest trouble began.
	opened bool
	met    int64 // calls begun since that have ended
	bad    int64 // of which failed or were slow
	newest int64 // the last of those

	openings   int64
	forNothing int64
	trip       int64 // ns from the first trouble to the first opening since; −1 before
	failed     int64
	refused    int64
	lost       int64
	waited     int64 // ns for calls that failed
	seconds    []tally
}

// circuit is the state of one run.
type circuit struct {
	judged    int
	planned   trouble
	failing   int64
	factor    int64
	service   int64
	places    int64
	line      int64
	cold      int64
	warmAfter int64
	noise     int64
	no        int64 // parts per million of the requests to which the business says no
	counted   bool  // to the breaker that is a failure
	timeout   int64
	slow      int64 // ns after which a call is slow
	looks     bool  // the breaker looks at that
	span      int64 // of the window, one of the two
	last      int64
	least     int64
	within    int64
	serious   int64
	stuck     int64

	arrivals   sim.Arrivals
	times      sim.Stream
	lots       sim.Stream
	requests   int64
	trouble    trouble
	troubles   int64 // how many have begun
	first      int64 // when the first did, ns
	firstLasts int64 // how long it lasted, ns, once it is over
	turned     int64 // when the last began or ended, ns
	healed     int64 // when the last ended, ns
	guards     [nGuard]guard
}

func startCircuit(c labs.Config, env *labs.Env) labs.State {
	s := &circuit{
		judged: int(c.Int("use")), planned: trouble(c.Int("trouble")), failing: c.Int("failing"), factor: c.Int("factor"), service: c.Int("service"),
		places: c.Int("places"), line: c.Int("line"), cold: c.Int("cold"), warmAfter: c.Int("warm-after"), noise: c.Int("noise"), no: c.Int("business"), counted: c.Choice("blame") == "counted",
		timeout: c.Int("timeout"), slow: c.Int("slow-after"), least: c.Int("min"), within: c.Int("within"), serious: c.Int("serious"), stuck: c.Int("stuck"),
		times: env.Stream("service"), lots: env.Stream("luck"), trouble: troubleNone,
	}
	s.looks = c.Int("slows") > 0
	if cfg := circuitConfig(c, guardGradual); cfg.Span > 0 {
		s.span = cfg.Span
	} else {
		s.last = cfg.Window
	}
	for k := range s.guards {
		g := &s.guards[k]
		g.state, g.trip, g.served, g.seconds = breaker.Closed, -1, s.warmAfter, make([]tally, env.Horizon()/second+1)
		if k == guardNone {
			continue
		}
		var err error
		g.breaker, err = breaker.NewBreaker(circuitConfig(c, k))
		labs.Must(err)
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("rate"), Stream: env.Stream("client")}
	s.come(env)
	if lasts := c.Int("lasts"); lasts > 0 {
		env.At(c.Int("begin"), circuitStart, 0, 0, 0)
		env.At(c.Int("begin")+lasts, circuitEnd, 0, 0, 0)
	}
	env.At(0, circuitLook, 0, 0, 0)
	return s
}

func (s *circuit) come(env *labs.Env) {
	if at, _, ok := s.arrivals.Next(); ok {
		env.At(at, circuitArrive, 0, 0, 0)
	}
}

// Handle lets a request arrive, a call end, or the trouble begin or end.
func (s *circuit) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case circuitArrive:
		s.arrive(env)
		s.come(env)
	case circuitStart:
		s.turn(env, s.planned)
	case circuitEnd:
		s.turn(env, troubleNone)
	case circuitDone:
		s.done(env, int(e.Node), e.A)
	case circuitLeave:
		s.leave(env, int(e.Node), e.A, e.B)
	case circuitDue:
		if e.A == s.troubles {
			s.judgeTrip(env)
		}
	case circuitLook:
		s.look(env)
		env.At(env.Now()+lookGap, circuitLook, 0, 0, 0)
	}
}

// arrive draws one request and lets every way deal with it.
func (s *circuit) arrive(env *labs.Env) {
	s.requests++
	r := request{id: s.requests, took: sim.LogNormal.Draw(&s.times, s.service), luck: s.lots.Below(million), taste: s.lots.Below(million)}
	for k := range s.guards {
		if t, ok := s.ask(env, k, r.id); ok {
			s.call(env, k, t, &r)
		}
	}
}

// ask lets the breaker decide, if there is one.
func (s *circuit) ask(env *labs.Env, k int, id int64) (breaker.Ticket, bool) {
	g := &s.guards[k]
	if k == guardNone {
		return breaker.Ticket{}, true
	}
	t, d := g.breaker.AskAt(env.Now())
	s.changed(env, k, d.Changes, -1, breaker.Counts{})
	if d.OK {
		return t, true
	}
	g.refused++
	env.Add(circuitColumn(k, circuitColumnRefused), 1)
	s.settle(g, env.Now(), false)
	if k != s.judged {
		return t, false
	}
	switch d.Reason {
	case breaker.ProbesOut:
		env.Emit(circuitNoProbe, entityGuard+k, id, d.RetryAfter)
		if since := env.Now() - g.half; since >= s.stuck {
			env.Fail(checkStuck, id, since)
		}
	case breaker.Ramping:
		share, _ := g.breaker.ShareAt(env.Now())
		env.Emit(circuitHeldBack, entityGuard+k, id, share)
	default:
		env.Emit(circuitRefuse, entityGuard+k, id, d.RetryAfter)
	}
	return t, false
}

// done ends a call.
func (s *circuit) done(env *labs.Env, k int, slot int64) {
	g := &s.guards[k]
	c := g.calls.All[slot]
	g.calls.Free(slot)
	if c.placed {
		s.freed(env, k, &c)
	}
	s.ended(env, k, &c)
}

// ended tells everybody how a call went.
func (s *circuit) ended(env *labs.Env, k int, c *sent) {
	g := &s.guards[k]
	took := env.Now() - c.began
	good := c.outcome != breaker.Failure
	s.settle(g, c.began, good)
	if good {
		env.Add(circuitColumn(k, circuitColumnAnswered), 1)
	} else {
		g.failed++
		g.waited += took
		env.Add(circuitColumn(k, circuitColumnFailed), 1)
	}
	switch {
	case c.lost:
		g.lost++
		s.tell(env, k, circuitLost, c.id, 0)
		return
	case c.late:
		s.tell(env, k, circuitTimeOut, c.id, took)
	case !good:
		s.tell(env, k, circuitError, c.id, took)
	case c.outcome == breaker.Business:
		s.tell(env, k, circuitDecline, c.id, took)
	default:
		s.tell(env, k, circuitAnswer, c.id, took)
	}
	s.report(env, k, c)
}

// report tells the breaker how a call ended.
func (s *circuit) report(env *labs.Env, k int, c *sent) {
	g := &s.guards[k]
	o := c.outcome
	if s.counted && o == breaker.Business {
		o = breaker.Failure
	}
	late := env.Now()-c.began > s.slow
	bad := o == breaker.Failure || late
	if c.struck && c.began >= s.turned && s.trouble != troubleNone {
		g.met++
		if bad {
			g.bad++
			g.newest = c.id
		}
	}
	if k == guardNone {
		return
	}
	seen, before := g.breaker.CountsAt(env.Now())
	s.changed(env, k, before, -1, breaker.Counts{})
	r := g.breaker.DoneAt(env.Now(), c.ticket, o)
	if r.Counted {
		g.since++
		if c.struck && bad {
			g.struck, g.struckAt, g.since = true, env.Now(), 0
		}
		seen.Calls++
		seen.Failures += int32(labs.Bit(o == breaker.Failure))
		seen.Slow += int32(labs.Bit(late && s.looks))
	}
	s.changed(env, k, r.Changes, c.id, seen)
}

// settle gives a request its outcome.
func (s *circuit) settle(g *guard, arrived int64, good bool) {
	t := &g.seconds[arrived/second]
	t.settled++
	if good {
		t.good++
	}
}

// tell emits what happened to a request of the judged way.
func (s *circuit) tell(env *labs.Env, k, kind int, id, b int64) {
	if k == s.judged {
		env.Emit(kind, entityGuard+k, id, b)
	}
}

// Clone copies the run.
func (s *circuit) Clone() labs.State {
	c := *s
	for k := range c.guards {
		g := &c.guards[k]
		g.calls, g.line, g.seconds = g.calls.Clone(), g.line.Clone(), slices.Clone(g.seconds)
		if k != guardNone {
			g.breaker = g.breaker.Clone()
		}
	}
	return &c
}

// Bytes is what a clone costs.
func (s *circuit) Bytes() int {
	n := 1000
	for k := range s.guards {
		g := &s.guards[k]
		n += 300 + g.calls.Bytes(96) + g.line.Bytes(4) + 8*len(g.seconds)
		if k != guardNone {
			n += g.breaker.Size()
		}
	}
	return n
}
