package routing

import (
	"slices"

	"seedbed/chapters/route"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of retry-storm; Node is the caller.
const (
	stormArrive = iota
	stormStart  // the trouble begins
	stormEnd    // the trouble is over
	stormServed // attempt in slot A, whose number is B
	stormLate   // the caller waits no longer for attempt B in slot A
	stormTold   // the call in slot A, whose request is B, is told that it failed
	stormRetry  // the call in slot A, whose request is B, tries again
)

// errorTime is how long it takes to be told that there is no answer.
const errorTime = 1_000_000

// call is one request of a client, until it has its outcome and no attempt of it is left at the backend.
type call struct {
	id       int64
	arrived  int64
	deadline int64
	attempts int64
	inside   int32 // attempts at the backend
	effects  int16
	post     bool
	settled  bool
}

// try is one attempt at the backend.
type try struct {
	id      int64
	call    int64
	claim   route.Claim
	awaited bool // its caller still waits
}

// tally counts the requests of one second of arrivals.
type tally struct{ settled, good int32 }

// caller is one way to retry, with a backend of its own: each sees the very same requests.
type caller struct {
	retrier  route.Retrier
	throttle route.Throttle
	luck     sim.Stream
	calls    sim.Slots[call]
	backend

	tries      int64
	sent       int64
	retries    int64
	replays    int64
	effects    int64
	duplicates int64
	throttled  int64
	noBudget   int64
	unsafe     int64
	seconds    []tally
}

// retryStorm is the state of one run.
type retryStorm struct {
	judged   int
	slow     bool // what the planned trouble is
	limits   backendLimits
	timeout  int64
	deadline int64
	throttle bool
	posts    int64
	repeat   int
	percent  int64 // what the judged load is bounded by
	floor    int64 // per second

	arrivals sim.Arrivals
	kinds    sim.Stream
	requests int64
	turned   int64 // instant at which the trouble last began or ended
	callers  [nCaller]caller
}

// The choices of repeat.
const (
	repeatKeyed = iota
	repeatNever
)

func startStorm(c labs.Config, env *labs.Env) labs.State {
	s := &retryStorm{
		judged: int(c.Int("use")), slow: c.Choice("trouble") == "slow", limits: newBackendLimits(c), timeout: c.Int("timeout"), deadline: c.Int("deadline"),
		throttle: c.Choice("throttle") == "on", posts: c.Int("posts"), repeat: int(c.Int("repeat")), percent: c.Int("percent") / percent, floor: c.Int("floor") / 1000,
		kinds: env.Stream("kind"),
	}
	for k, name := range callers {
		w := &s.callers[k]
		w.luck, w.service = env.Stream(name), env.Stream("service")
		w.seconds = make([]tally, env.Horizon()/second+1)
		var err1, err2, err3 error
		w.retrier, err1 = route.NewRetrier(stormRetrier(c, k))
		w.throttle, err2 = route.NewThrottle(route.ThrottleConfig{K: 2000, Window: c.Int("window")})
		w.keys, err3 = route.NewKeys[struct{}](route.KeysConfig{MaxKeys: maxKeys, Lease: keyLease, TTL: 60*second + 2*s.deadline})
		for _, err := range [...]error{err1, err2, err3} {
			if err != nil {
				panic("routing: retry-storm: " + err.Error())
			}
		}
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("rate"), Stream: env.Stream("client")}
	s.next(env)
	if lasts := c.Int("lasts"); lasts > 0 {
		env.At(c.Int("begin"), stormStart, 0, 0, 0)
		env.At(c.Int("begin")+lasts, stormEnd, 0, 0, 0)
	}
	return s
}

func (s *retryStorm) next(env *labs.Env) {
	if at, _, ok := s.arrivals.Next(); ok {
		env.At(at, stormArrive, 0, 0, 0)
	}
}

// Handle lets a request arrive, an attempt end, or the trouble begin or end.
func (s *retryStorm) Handle(env *labs.Env, e sim.Event) {
	k := int(e.Node)
	w := &s.callers[k]
	switch e.Kind {
	case stormArrive:
		s.arrive(env)
		s.next(env)
	case stormStart:
		if s.slow {
			s.turn(env, troubleSlow)
		} else {
			s.turn(env, troubleErrors)
		}
	case stormEnd:
		s.turn(env, troubleNone)
	case stormServed:
		s.served(env, k, e.A)
	case stormLate:
		if t := &w.attempts.All[e.A]; t.id == e.B && t.awaited {
			t.awaited = false
			s.tell(env, k, stormTimeOut, &w.calls.All[t.call])
			s.failed(env, k, t.call, route.Lost)
		}
	case stormTold:
		s.tell(env, k, stormError, &w.calls.All[e.A])
		s.failed(env, k, e.A, route.Unavailable)
	case stormRetry:
		s.send(env, k, e.A)
	}
}

// arrive lets one request begin with every caller.
func (s *retryStorm) arrive(env *labs.Env) {
	s.requests++
	post := s.kinds.Chance(s.posts)
	for k := range s.callers {
		w := &s.callers[k]
		w.retrier.FirstAt(env.Now())
		s.send(env, k, w.calls.Take(call{id: s.requests, arrived: env.Now(), deadline: env.Now() + s.deadline, post: post}))
	}
}

// send makes one attempt.
func (s *retryStorm) send(env *labs.Env, k int, slot int64) {
	w := &s.callers[k]
	c := &w.calls.All[slot]
	c.attempts++
	if s.throttle && !w.throttle.AskAt(env.Now(), &w.luck) {
		w.throttled++
		s.tell(env, k, stormThrottle, c)
		s.failed(env, k, slot, route.Local)
		return
	}
	w.sent++
	env.Add(stormColumn(k, stormColumnLoad), 1)
	s.tell(env, k, stormSend, c)
	if s.limits.fails(w) || !s.accept(env, k, slot) {
		env.At(env.Now()+errorTime, stormTold, uint16(k), slot, c.id)
	}
}

// failed asks whether there is another attempt. A caller with a key may repeat anything, one without only what changes nothing;
// "unkeyed" repeats all the same.
func (s *retryStorm) failed(env *labs.Env, k int, slot int64, why route.Failed) {
	w := &s.callers[k]
	c := &w.calls.All[slot]
	r := w.retrier.NextAt(env.Now(), route.Attempt{
		Number: c.attempts, Failed: why, Safe: !c.post || s.repeat != repeatNever, Told: -1, Deadline: c.deadline,
	}, &w.luck)
	switch {
	case r.OK:
		w.retries++
		s.judgeLoad(env, k, c)
		if k == s.judged {
			env.Emit(stormWait, entityCaller+k, c.id, r.Wait)
		}
		env.At(env.Now()+r.Wait, stormRetry, uint16(k), slot, c.id)
		return
	case r.Stop == route.NoBudget:
		w.noBudget++
	case r.Stop == route.Unsafe:
		w.unsafe++
	}
	s.tell(env, k, stormGiveUp, c)
	s.settle(env, k, slot, false)
}

// judgeLoad holds the retries to what a budget allows from the first instant on: a share of the requests, and so many a second.
func (s *retryStorm) judgeLoad(env *labs.Env, k int, c *call) {
	if k != s.judged {
		return
	}
	w := &s.callers[k]
	if w.retries*100*second > s.requests*s.percent*second+100*s.floor*env.Now() {
		env.Fail(checkAmplification, c.id, labs.PerMillion(s.requests+w.retries, s.requests), s.bound(env.Now()))
	}
}

// bound is the most that the load may be of what was asked for, in parts per million.
func (s *retryStorm) bound(now int64) int64 {
	if s.requests == 0 {
		return 1_000_000
	}
	return 1_000_000 + s.percent*percent + now/1000*s.floor/s.requests
}

// settle gives a call its outcome.
func (s *retryStorm) settle(env *labs.Env, k int, slot int64, good bool) {
	w := &s.callers[k]
	c := &w.calls.All[slot]
	c.settled = true
	t := &w.seconds[c.arrived/second]
	t.settled++
	if good {
		t.good++
		env.Add(stormColumn(k, stormColumnAnswered), 1)
	} else {
		env.Add(stormColumn(k, stormColumnFailed), 1)
	}
	w.release(slot)
}

// release frees a call's slot once nothing refers to it.
func (w *caller) release(slot int64) {
	if c := &w.calls.All[slot]; c.settled && c.inside == 0 {
		w.calls.Free(slot)
	}
}

// tell emits what happened to a call of the judged caller, with its number of attempts.
func (s *retryStorm) tell(env *labs.Env, k, kind int, c *call) {
	if k == s.judged {
		env.Emit(kind, entityCaller+k, c.id, c.attempts)
	}
}

func stormColumn(k, what int) int { return stormColumnCaller + stormColumnsEach*k + what }

// The verbs slow, fail and heal turn the backend's trouble; burst comes after them.
const verbStormBurst = 3

// Act turns the backend's trouble on or off, or sends requests at once.
func (s *retryStorm) Act(env *labs.Env, do labs.Do) {
	if do.Verb == verbStormBurst {
		for range do.Value {
			s.arrive(env)
		}
		return
	}
	s.turn(env, trouble(do.Verb))
}

// turn changes what is wrong with the backends.
func (s *retryStorm) turn(env *labs.Env, to trouble) {
	s.limits.trouble, s.turned = to, env.Now()
	env.Set(stormColumnTrouble, labs.Bit(to != troubleNone))
	env.Emit(stormTrouble+int(to), entityBackend, 0, 0)
}

// enough is the share of good answers, in percent, from which a second counts as a good one.
const enough = 90

// recovery is how long after the trouble ended the last second was over in which too few requests were answered, and which share of
// the requests since then were. Requests whose deadline is beyond the end of the run are left out.
func (s *retryStorm) recovery(w *caller, horizon int64) (took, share int64) {
	last, settled, good := s.turned, int64(0), int64(0)
	for i, t := range w.seconds {
		from := int64(i) * second
		if from < s.turned || from+second+s.deadline > horizon {
			continue
		}
		settled += int64(t.settled)
		good += int64(t.good)
		if int64(t.good)*100 < int64(t.settled)*enough {
			last = from + second
		}
	}
	return last - s.turned, labs.PerMillion(good, settled)
}

// Finish measures.
func (s *retryStorm) Finish(env *labs.Env) {
	j := &s.callers[s.judged]
	settled, good := int64(0), int64(0)
	for _, t := range j.seconds {
		settled += int64(t.settled)
		good += int64(t.good)
	}
	for i, v := range [...]int64{s.requests, j.sent, s.bound(env.Horizon()), labs.PerMillion(good, settled), j.effects, j.replays, j.noBudget, j.unsafe, j.throttled} {
		env.Metric(i, v)
	}
	for k := range s.callers {
		w := &s.callers[k]
		took, share := s.recovery(w, env.Horizon())
		for i, v := range [...]int64{labs.PerMillion(w.sent, s.requests), share, w.duplicates, took} {
			env.Metric(stormEach+4*k+i, v)
		}
	}
}

// Clone copies the run.
func (s *retryStorm) Clone() labs.State {
	c := *s
	for k := range c.callers {
		w := &c.callers[k]
		w.calls, w.backend, w.seconds = w.calls.Clone(), w.backend.clone(), slices.Clone(w.seconds)
	}
	return &c
}

// Bytes is what a clone costs.
func (s *retryStorm) Bytes() int {
	n := 3000
	for k := range s.callers {
		w := &s.callers[k]
		n += 56*len(w.calls.All) + 8*len(w.seconds) + w.size()
	}
	return n
}
