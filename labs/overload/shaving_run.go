package overload

import (
	"seedbed/chapters/limiter"
	"seedbed/chapters/queue"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of peak-shaving.
const (
	shaveArrive = iota // Node 0 of the ordinary load, 1 of the peak
	shaveBegin         // the peak begins
	shaveEnd           // and is over
	shaveTake          // the consumer of the way Node looks at its line
)

// milli is the seconds in which a rate of so many a second, kept in thousandths, is a whole number.
const milli = 1000

// peakLine is one way: a line of its own, and a consumer that takes from it.
type peakLine struct {
	queue   queue.Queue
	ids     sim.Line[int64] // who stands in it; everybody leaves at the head
	free    int64           // ns: the consumer is at work until then
	awake   bool            // it will look at its line
	refused int64
	served  int64
	late    int64 // served, and later than promised
	told    int64 // that it will not be served after all
	most    int64
	oldest  int64 // ns
	drained int64 // ns: when nobody waited any more, at last
}

// shaving is the state of one run.
type shaving struct {
	judged  int
	depth   int64
	promise int64
	period  int64 // ns the consumer needs for one
	factor  int64 // times as long as that
	over    int64 // ns: the end of the peak

	filter   bool
	bucket   limiter.TokenBucket
	arrivals [2]sim.Arrivals
	requests int64
	filtered int64
	second   int64 // the present one, and what the judged line took in it
	taken    int64
	writes   int64 // the most of any second
	lines    [nLine]peakLine
}

func startShaving(c labs.Config, env *labs.Env) labs.State {
	s := &shaving{judged: int(c.Int("use")), depth: c.Int("depth"), promise: c.Int("promise"), period: milli * second / c.Int("serve"), factor: 1}
	if rate := c.Int("tokens"); rate > 0 {
		var err error
		s.filter = true
		s.bucket, err = limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.Rate{N: rate, Per: milli * second}, Burst: c.Int("burst")})
		labs.Must(err)
	}
	for k := range s.lines {
		cfg := queue.Config{Depth: room(c, k), Rate: queue.Rate{N: c.Int("serve"), Per: milli * second}}
		if k == lineUnbounded {
			cfg.Depth = queue.MaxDepth
		}
		var err error
		s.lines[k].queue, err = queue.NewQueue(cfg)
		labs.Must(err)
	}
	begin, lasts := c.Int("begin"), c.Int("lasts")
	s.arrivals[0] = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("rate"), Stream: env.Stream("client")}
	s.come(env, 0)
	if lasts > 0 {
		s.over = begin + lasts
		s.arrivals[1] = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("peak"), Start: begin, Stop: s.over, Stream: env.Stream("peak")}
		s.come(env, 1)
		env.At(begin, shaveBegin, 0, 0, 0)
		env.At(s.over, shaveEnd, 0, 0, 0)
	}
	return s
}

func (s *shaving) come(env *labs.Env, i int) {
	if at, _, ok := s.arrivals[i].Next(); ok {
		env.At(at, shaveArrive, uint16(i), 0, 0)
	}
}

// Handle lets a request arrive, the consumer take one, or the peak begin or end.
func (s *shaving) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case shaveArrive:
		s.arrive(env)
		s.come(env, int(e.Node))
	case shaveBegin:
		env.Emit(shavingPeak, 0, 0, 0)
	case shaveEnd:
		env.Emit(shavingOver, 0, 0, 0)
	case shaveTake:
		s.lines[e.Node].awake = false
		s.take(env, int(e.Node))
	}
}

// The verbs of the lab, in the order of its table.
const (
	verbSlower = iota
	verbAsBefore
	verbCrowd
)

// Act slows the consumer down, heals it, or sends requests at once.
func (s *shaving) Act(env *labs.Env, do labs.Do) {
	switch do.Verb {
	case verbCrowd:
		for range do.Value {
			s.arrive(env)
		}
		s.over = max(s.over, env.Now())
		return
	case verbSlower:
		s.factor = do.Value
		env.Emit(shavingSlow, entityConsumer, do.Value, 0)
	case verbAsBefore:
		s.factor = 1
		env.Emit(shavingHeal, entityConsumer, 0, 0)
	}
	env.Set(shavingColumnSlow, labs.Bit(s.factor > 1))
}

// arrive lets one request come: to the tokens, then to every line.
func (s *shaving) arrive(env *labs.Env) {
	s.requests++
	if s.filter {
		if d := s.bucket.TakeAt(env.Now(), 1); !d.OK {
			s.filtered++
			env.Add(shavingColumnFiltered, 1)
			env.Emit(shavingFilter, entityTokens, s.requests, d.RetryAfter)
			return
		}
	}
	env.Add(shavingColumnPassed, 1)
	for k := range s.lines {
		s.stand(env, k, s.requests)
	}
}

// stand lets a request stand in a line, or be refused at once.
func (s *shaving) stand(env *labs.Env, k int, id int64) {
	l := &s.lines[k]
	deadline := int64(queue.NoDeadline)
	if k == lineDeadline {
		deadline = env.Now() + s.promise
	}
	before := int64(l.queue.Len())
	_, d := l.queue.PushAt(env.Now(), deadline)
	if !d.OK {
		l.refused++
		if k == s.judged {
			env.Add(shavingColumnRefused, 1)
		}
		if d.Reason == queue.Hopeless {
			s.tell(env, k, shavingHopeless, id, d.Wait)
		} else {
			s.tell(env, k, shavingFull, id, before)
		}
		return
	}
	l.ids.Push(id)
	s.tell(env, k, shavingAccept, id, before)
	l.most = max(l.most, before+1)
	s.show(env, k)
	if k == s.judged {
		env.Add(shavingColumnAccepted, 1)
		s.write(env.Now())
		if before+1 > s.depth {
			env.Fail(checkBacklog, id, before+1)
		}
	}
	s.wake(env, k)
}

// write counts what the judged line takes in a second.
func (s *shaving) write(now int64) {
	if at := now / second; at != s.second {
		s.second, s.taken = at, 0
	}
	s.taken++
	s.writes = max(s.writes, s.taken)
}

// wake has the consumer look at its line as soon as it is free and it is time for the next one.
func (s *shaving) wake(env *labs.Env, k int) {
	l := &s.lines[k]
	if due, ok := l.queue.DueAt(env.Now()); ok && !l.awake {
		l.awake = true
		env.At(max(due, l.free), shaveTake, uint16(k), 0, 0)
	}
}

// take takes the next one out of a line. Who is too late for the own deadline is told so, which costs the consumer nothing.
func (s *shaving) take(env *labs.Env, k int) {
	l := &s.lines[k]
	for w, ok := l.queue.PopAt(env.Now()); ok; w, ok = l.queue.PopAt(env.Now()) {
		id := l.ids.Pop()
		if w.Fate != queue.Served {
			l.told++
			s.tell(env, k, shavingDrop, id, w.Waited)
			continue
		}
		s.serve(env, k, id, w.Waited)
		if s.factor > 1 {
			l.free = env.Now() + s.factor*s.period
		}
		break
	}
	if l.queue.Len() == 0 {
		l.drained = env.Now()
	}
	s.show(env, k)
	s.wake(env, k)
}

// serve lets the consumer work on a request, which is late when it has waited for longer than was promised.
func (s *shaving) serve(env *labs.Env, k int, id, waited int64) {
	l := &s.lines[k]
	l.served++
	l.oldest = max(l.oldest, waited)
	env.Set(shavingColumnEach+2*k+1, waited)
	kind := shavingServe
	if waited > s.promise {
		kind = shavingLate
		l.late++
	}
	s.tell(env, k, kind, id, waited)
	if k == s.judged {
		env.Add(shavingColumnServed, 1)
		if kind == shavingLate {
			env.Fail(checkLate, id, waited, int64(l.queue.Len()))
		}
	}
}

// tell emits what happened in the judged line.
func (s *shaving) tell(env *labs.Env, k, kind int, id, b int64) {
	if k == s.judged {
		env.Emit(kind, entityLine, id, b)
	}
}

// show records how many wait.
func (s *shaving) show(env *labs.Env, k int) {
	n := int64(s.lines[k].queue.Len())
	env.Set(shavingColumnEach+2*k, n)
	if n == 0 {
		env.Set(shavingColumnEach+2*k+1, 0)
	}
}

// Finish measures.
func (s *shaving) Finish(env *labs.Env) {
	j := &s.lines[s.judged]
	drained := max(0, j.drained-s.over)
	if j.queue.Len() > 0 {
		drained = max(0, env.Horizon()-s.over)
	}
	for i, v := range [...]int64{s.requests, s.filtered, s.writes, drained} {
		env.Metric(i, v)
	}
	for k := range s.lines {
		l := &s.lines[k]
		for i, v := range [...]int64{l.refused, l.served, l.late, l.told, l.most, l.oldest, int64(l.queue.Len())} {
			env.Metric(shavingEach+shavingEachLine*k+i, v)
		}
	}
}

// Clone copies the run.
func (s *shaving) Clone() labs.State {
	c := *s
	for k := range c.lines {
		l := &c.lines[k]
		l.queue, l.ids = l.queue.Clone(), l.ids.Clone()
	}
	return &c
}

// Bytes is what a clone costs: 40 for each that waits.
func (s *shaving) Bytes() int {
	n := 1000
	for k := range s.lines {
		n += s.lines[k].queue.Size() + s.lines[k].ids.Bytes(8)
	}
	return n
}
