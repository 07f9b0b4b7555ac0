package culprit

import (
	"seedbed/chapters/limiter"
	"seedbed/chapters/sampling"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events.
const (
	eventArrive = iota
	eventScrape
	eventLine // a line of the log is written
)

// state is one run. It holds no pointers but the buffer of a row that is being written.
type state struct {
	in       incident
	slowDB   int64
	slowHTTP int64
	target   int64
	rate     int64 // orders a 1000 s
	head     int64 // share of traces that are kept as they come
	tail     sampling.Tail

	arrivals            sim.Arrivals
	luck, taste, basket sim.Stream

	free  [nService][workers]int64 // when each worker is free again
	busy  [nService]int64          // ns that workers were busy since the last scrape
	seen  [nService]sim.Histogram  // what calls took since then
	all   sim.Histogram            // what orders took
	trace int64
	done  int64 // orders
	bad   int64 // of them, failed

	lastBad int64 // orders that had failed at the last scrape
	lastAll int64
	over    int   // scrapes in a row that missed the target
	alarm   int64 // when the alarm came; 0 before

	budget [nService][nWord]limiter.TokenBucket // of lines, a code
	traces int64
	lines  int64

	accused, wrong int64
	solved         bool
	found          int64 // ns since the alarm, with what wrong accusations cost

	r   request
	row [labs.TraceHead + maxSpans*labs.SpanNumbers]int64
}

func start(c labs.Config, env *labs.Env) labs.State {
	s := &state{
		in: draw(c.Int("case")), slowDB: c.Int("slow-db"), slowHTTP: c.Int("slow-http"), target: c.Int("target"), rate: c.Int("rate"), head: c.Int("sampling"),
		luck: env.Stream("luck"), taste: env.Stream("taste"), basket: env.Stream("basket"), budget: budgets(),
	}
	if c.Choice("keep") == "bad" {
		s.tail = sampling.Tail{Slow: s.target, Most: 1, Span: 4 * second}
	}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: s.rate, Stream: env.Stream("arrivals")}
	s.next(env)
	env.At(scrape, eventScrape, 0, 0, 0)
	return s
}

func (s *state) next(env *labs.Env) {
	if at, _, ok := s.arrivals.Next(); ok {
		env.At(at, eventArrive, 0, 0, 0)
	}
}

// Handle lets one event happen.
func (s *state) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case eventArrive:
		s.arrive(env)
		s.next(env)
	case eventScrape:
		s.scrape(env)
		env.At(env.Now()+scrape, eventScrape, 0, 0, 0)
	case eventLine:
		s.show(env, unpack(e.A, e.B))
	}
}

// arrive carries one order through the shop and decides whether its trace is kept.
func (s *state) arrive(env *labs.Env) {
	r := &s.r
	s.order(r, env.Now())
	end, ok := s.walk(env, r)
	took := end - r.began
	s.done++
	s.all.Add(took)
	kind := eventOrder
	if !ok {
		kind = eventFailed
		s.bad++
	}
	env.Emit(kind, entityOf(gateway), r.trace, took)
	tail := s.tail.Keep(r.began, took, !ok)
	kept := s.traces < maxTraces && (tail || sampling.Head(uint64(r.trace), s.head))
	if kept {
		s.keep(env, r)
	}
	if kept || s.tail.Most == 0 {
		s.release(env, r)
	}
}

// scrape reads what the services have counted since the last time, and looks whether the target is met.
func (s *state) scrape(env *labs.Env) {
	for who := range nService {
		h, column := &s.seen[who], columnsEach*who
		env.Set(column+columnP50, h.Quantile(500_000))
		env.Set(column+columnMean, h.Mean())
		env.Set(column+columnP99, h.Quantile(990_000))
		env.Set(column+columnBusy, s.inUse(who, env.Now()))
		if who == gateway {
			s.judge(env, h)
		}
		*h = sim.Histogram{}
		s.busy[who] = 0
	}
}

// inUse is the share of a service's workers that was busy or lost since the last scrape, parts in a million.
func (s *state) inUse(who int, now int64) int64 {
	all, capacity := int64(workers), s.capacity(who, now)
	busy := s.busy[who]
	if s.in.at(poolTooSmall, who, now) > 0 {
		all = capacity
	} else {
		busy += (all - capacity) * scrape
	}
	return min(million, busy/(scrape/million)/all)
}

// judge raises the alarm when two scrapes in a row missed the target.
func (s *state) judge(env *labs.Env, h *sim.Histogram) {
	p99, all, bad := h.Quantile(990_000), s.done-s.lastAll, s.bad-s.lastBad
	s.lastAll, s.lastBad = s.done, s.bad
	if p99 <= s.target && bad*100 <= all*3 {
		s.over = 0
		return
	}
	if s.over++; s.over == 2 && s.alarm == 0 {
		s.alarm = env.Now()
		env.Emit(eventAlarm, entityOf(gateway), p99, bad*million/max(all, 1))
	}
}

// Act is an accusation.
func (s *state) Act(env *labs.Env, do labs.Do) {
	place := 0
	for i := range services {
		if services[i].name == do.Target {
			place = i
		}
	}
	emit := func(kind int, b int64) { env.Emit(kind, entityOf(place), 0, b) }
	named, cost := cause(do.Value), s.wrong*penalty
	switch {
	case s.solved:
		emit(eventClosed, 0)
	case named == causeOpen:
		emit(eventNoCause, 0)
	case s.alarm == 0:
		emit(eventTooEarly, 0)
	case env.Now()+cost >= length:
		s.accused++
		emit(eventTooLate, cost)
	default:
		s.accused++
		s.rule(env, named, place, emit)
	}
}

// rule says what an accusation came to.
func (s *state) rule(env *labs.Env, named cause, place int, emit func(kind int, b int64)) {
	right, there := named == s.in.cause, place == s.in.place
	if right && there {
		s.solved = true
		s.found = env.Now() + s.wrong*penalty - s.alarm
		emit(eventRight, s.found)
		return
	}
	s.wrong++
	left := max(0, length-env.Now()-s.wrong*penalty)
	switch {
	case right:
		emit(eventWrongPlace, left)
	case there:
		emit(eventWrongCause, left)
	default:
		emit(eventWrong, left)
	}
}

// perPoint is how long the search may take for one point less.
const perPoint = 3 * second

// Finish judges the answer: a case that nobody was accused in is open, and nothing is wrong with that.
func (s *state) Finish(env *labs.Env) {
	points := int64(0)
	if s.solved {
		points = max(0, 100-s.found/perPoint)
	} else if s.accused > 0 {
		env.Fail(0, s.accused, s.wrong, s.wrong*(penalty))
	}
	env.Metric(metricPoints, points)
	env.Metric(metricFound, s.found)
	env.Metric(metricWrong, s.wrong)
	env.Metric(metricOrders, s.done)
	env.Metric(metricFailed, s.bad*million/max(1, s.done))
	env.Metric(metricMean, s.all.Mean())
	env.Metric(metricP50, s.all.Quantile(500_000))
	env.Metric(metricP99, s.all.Quantile(990_000))
	env.Metric(metricTraces, s.traces)
	env.Metric(metricLines, s.lines)
}

// Clone returns a state that shares nothing with s.
func (s *state) Clone() labs.State {
	c := *s
	return &c
}

// Bytes is about what a clone costs: the histograms are most of it.
func (s *state) Bytes() int { return 80 << 10 }

// entityOf is a service as the layout counts entities: the shoppers come first.
func entityOf(who int) int { return who + 1 }
