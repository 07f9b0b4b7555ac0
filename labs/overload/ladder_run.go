package overload

import (
	"seedbed/chapters/degrade"
	"seedbed/chapters/intent"
	"seedbed/chapters/queue"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of degrade-ladder.
const (
	stepArrive  = iota // Node 0 of the ordinary load, 1 of the peak
	stepBegin          // the peak begins
	stepEnd            // and is over
	stepDone           // the job in slot A of the way Node is done
	stepLate           // who waits the longest in the way Node may have to give up
	stepOrder          // the buyer in slot A of the way Node orders
	stepEnter          // the next one of the room of the way Node comes in
	stepLook           // the signals are looked at
	stepHand           // the hand number A lets go
	stepRestart        // the worker of crash A is back
)

const (
	ladderGap   = 250_000_000 // ns from look to look
	looks       = 4           // of which the need is the sum: a second
	users       = 100_000
	workerLease = 60 * second // longer than any work takes here
	workerBack  = 2 * second  // so long a worker that died is away
)

// visitor is one who looks at a page, and perhaps orders. What is drawn for it is the same in every way.
type visitor struct {
	id    int64
	user  uint64
	page  int64 // parts per million of the usual time
	order int64
	think int64 // ns from the page to the order; -1 when none comes
}

// The kinds of jobs.
const (
	jobPage = iota
	jobOrder
	jobBehind // an accepted order, or points
	jobDead   // its worker died
)

// job is what takes a place.
type job struct {
	visitor
	came  int64
	claim intent.Claim
	level degrade.Level // when it began
	kind  uint8
}

// way is one way to meet the load, with places and a ladder of its own.
type way struct {
	ladder  degrade.Ladder
	line    sim.Line[job]
	jobs    sim.Slots[job]
	buyers  sim.Slots[visitor]
	watched bool // the patience of the head of the line is
	busy    int64
	behind  int64 // places that work on what was accepted

	room     queue.Queue
	roomers  sim.Line[visitor]
	awake    bool
	arrivals [looks]load // of the last looks, the present one first
	accepted accepted

	pages, plain, placed, finished, orders int64
	pagesLost, ordersLost                  int64
	queued                                 int64 // ns: the longest wait in the room
	changes                                int64
	highest, asked                         int64 // level: that somebody got, that the signals asked for
	fell                                   int64 // ns: when it came down a level last; −1 before
}

// load is what came between two looks.
type load struct{ visitors, orders int64 }

// steps is the state of one run.
type steps struct {
	cfg     stepsConfig
	judged  int
	hands   int64
	crashes int64
	back    bool // the worker is there

	arrivals [2]sim.Arrivals
	stream   sim.Stream
	visitors int64
	ways     [nWay]way
}

type stepsConfig struct {
	kept, sees, buy, places, page, extras, order, points, accept, patience, behind, open, handFor, think, inRoom, steady int64
}

func startLadder(c labs.Config, env *labs.Env) labs.State {
	s := &steps{judged: int(c.Int("use")), back: true, stream: env.Stream("visitor"), cfg: stepsConfig{
		kept: c.Int("kept"), sees: c.Int("sees"), buy: c.Int("buy"), places: c.Int("places"), page: c.Int("page"), extras: c.Int("extras"), order: c.Int("order"),
		points: c.Int("points"), accept: c.Int("accept"), patience: c.Int("patience"), behind: c.Int("behind"), open: c.Int("open"), handFor: c.Int("hand-for"),
		think: 2 * second, inRoom: c.Int("in-room"), steady: c.Int("steady"),
	}}
	for k := range s.ways {
		w := &s.ways[k]
		var err, also error
		w.ladder, err = degrade.NewLadder(ladderConfig(c, k))
		w.room, also = queue.NewQueue(queue.Config{Depth: queue.MaxDepth, Rate: queue.Rate{N: c.Int("let-in"), Per: milli * second}})
		labs.Must(err, also)
		w.accepted = newAccepted(s.cfg.open)
		w.fell = -1
	}
	rate, begin, lasts := c.Int("rate"), c.Int("begin"), c.Int("lasts")
	s.arrivals[0] = sim.Arrivals{Pattern: sim.Poisson, Rate: rate, Stream: env.Stream("client")}
	s.come(env, 0)
	if lasts > 0 {
		s.arrivals[1] = sim.Arrivals{Pattern: sim.Poisson, Rate: rate * (c.Int("peak") - 1), Start: begin, Stop: begin + lasts, Stream: env.Stream("peak")}
		s.come(env, 1)
		env.At(begin, stepBegin, 0, 0, 0)
		env.At(begin+lasts, stepEnd, 0, 0, 0)
	}
	env.At(ladderGap, stepLook, 0, 0, 0)
	return s
}

func (s *steps) come(env *labs.Env, i int) {
	if at, _, ok := s.arrivals[i].Next(); ok {
		env.At(at, stepArrive, uint16(i), 0, 0)
	}
}

// Handle lets somebody arrive, wait, be done or order, or the ladder look.
func (s *steps) Handle(env *labs.Env, e sim.Event) {
	k := int(e.Node)
	switch e.Kind {
	case stepArrive:
		s.arrive(env)
		s.come(env, k)
	case stepBegin:
		env.Emit(ladderPeak, 0, 0, 0)
	case stepEnd:
		env.Emit(ladderOver, 0, 0, 0)
	case stepDone:
		s.done(env, k, e.A)
	case stepLate:
		s.late(env, k)
	case stepOrder:
		v := s.ways[k].buyers.All[e.A]
		s.ways[k].buyers.Free(e.A)
		s.ways[k].orders++
		s.ways[k].arrivals[0].orders++
		s.enter(env, k, job{visitor: v, kind: jobOrder})
	case stepEnter:
		s.letIn(env, k)
	case stepLook:
		s.look(env)
		env.At(env.Now()+ladderGap, stepLook, 0, 0, 0)
	case stepHand:
		if e.A == s.hands {
			env.Emit(ladderRelease, entityLadder, 0, 0)
			s.look(env)
		}
	case stepRestart:
		if e.A == s.crashes {
			s.restart(env)
		}
	}
}

// arrive draws one visitor and lets every way deal with it.
func (s *steps) arrive(env *labs.Env) {
	s.visitors++
	v := visitor{
		id: s.visitors, user: uint64(s.stream.Below(users)), page: s.stream.Exp(million), order: s.stream.Exp(million), think: s.stream.Exp(s.cfg.think),
	}
	if !s.stream.Chance(s.cfg.buy) {
		v.think = -1
	}
	for k := range s.ways {
		w := &s.ways[k]
		w.arrivals[0].visitors++
		if s.level(env, k, v.user).LetsIn() {
			s.enter(env, k, job{visitor: v})
			continue
		}
		s.send(env, k, v)
	}
}

// level is what a user gets in one way.
func (s *steps) level(env *labs.Env, k int, user uint64) degrade.Level {
	w := &s.ways[k]
	level := degrade.Normal
	switch k {
	case wayExtras:
		level = min(w.ladder.LevelOfAt(env.Now(), user), degrade.DropExtras)
	case wayLadder:
		level = w.ladder.LevelOfAt(env.Now(), user)
	}
	w.highest = max(w.highest, int64(level))
	return level
}

// enter gives a job a place, or a place in the line.
func (s *steps) enter(env *labs.Env, k int, j job) {
	w := &s.ways[k]
	j.came = env.Now()
	if w.line.Len() == 0 && w.busy < s.cfg.places {
		s.begin(env, k, j)
		return
	}
	w.line.Push(j)
	s.watch(env, k)
	env.Set(ladderColumnEach+2*k, int64(w.line.Len()))
}

// watch has whoever waits the longest give up in time. All have the same patience, so one watch is enough for the whole line.
func (s *steps) watch(env *labs.Env, k int) {
	if w := &s.ways[k]; !w.watched && w.line.Len() > 0 {
		w.watched = true
		env.At(w.line.First().came+s.cfg.patience, stepLate, uint16(k), 0, 0)
	}
}

// late lets those give up whose patience is over.
func (s *steps) late(env *labs.Env, k int) {
	w := &s.ways[k]
	w.watched = false
	for w.line.Len() > 0 && env.Now()-w.line.First().came >= s.cfg.patience {
		j := w.line.Pop()
		s.lose(env, k, &j, ladderGiveUp, env.Now()-j.came)
	}
	s.watch(env, k)
}

// begin gives a job a place. What it takes is decided now, and not when it came: a switch works on those who already wait.
func (s *steps) begin(env *labs.Env, k int, j job) {
	w := &s.ways[k]
	j.level = s.level(env, k, j.user)
	took := s.cfg.accept
	switch {
	case j.kind == jobPage && j.level.Extras():
		took = part(s.cfg.page+s.cfg.extras, j.page)
	case j.kind == jobPage:
		took = part(s.cfg.page, j.page)
	case j.level.WritesNow():
		took = part(s.cfg.order+s.cfg.points, j.order)
	case j.level.OrdersNow():
		took = part(s.cfg.order, j.order)
	}
	w.busy++
	env.At(env.Now()+took, stepDone, uint16(k), w.jobs.Take(j), 0)
	s.set(env, k, ladderColumnBusy, w.busy)
}

// part is so many parts per million of a duration.
func part(d, ppm int64) int64 { return max(1, d*(ppm/1000)/1000) }

// done ends a job, and gives its place to the next.
func (s *steps) done(env *labs.Env, k int, slot int64) {
	w := &s.ways[k]
	j := w.jobs.All[slot]
	w.jobs.Free(slot)
	if j.kind == jobDead {
		return // its place is free already
	}
	w.busy--
	switch {
	case j.kind == jobBehind:
		w.behind--
		s.finish(env, k, j.claim)
	case j.kind == jobPage:
		s.answer(env, k, &j)
	case !j.level.OrdersNow():
		s.acknowledge(env, k, &j)
	default:
		w.placed++
		s.tell(env, k, ladderPlace, entityService, j.id, env.Now()-j.came)
		s.count(env, k, ladderColumnPlaced)
		s.count(env, k, ladderColumnAnswered)
		if !j.level.WritesNow() {
			s.postpone(env, k, &j)
		}
	}
	s.next(env, k)
}

// next fills the places: with those who wait first, with what was accepted when nobody does.
func (s *steps) next(env *labs.Env, k int) {
	w := &s.ways[k]
	for w.busy < s.cfg.places {
		if w.line.Len() > 0 {
			s.begin(env, k, w.line.Pop())
			env.Set(ladderColumnEach+2*k, int64(w.line.Len()))
			continue
		}
		if w.behind >= s.cfg.behind || !s.takeUp(env, k) {
			break
		}
	}
	s.set(env, k, ladderColumnBusy, w.busy)
}

// answer ends a page. Some then order.
func (s *steps) answer(env *labs.Env, k int, j *job) {
	w := &s.ways[k]
	kind, column := ladderPage, ladderColumnFull
	if w.pages++; !j.level.Extras() {
		kind, column = ladderPlain, ladderColumnPlain
		w.plain++
	}
	s.tell(env, k, kind, entityService, j.id, env.Now()-j.came)
	s.count(env, k, column)
	s.count(env, k, ladderColumnAnswered)
	if j.think >= 0 {
		env.At(env.Now()+j.think, stepOrder, uint16(k), w.buyers.Take(j.visitor), 0)
	}
}

// lose counts a page or an order without an answer.
func (s *steps) lose(env *labs.Env, k int, j *job, kind int, b int64) {
	w := &s.ways[k]
	if j.kind == jobPage {
		w.pagesLost++
	} else {
		w.ordersLost++
	}
	env.Add(ladderColumnEach+2*k+1, 1)
	env.Set(ladderColumnEach+2*k, int64(w.line.Len()))
	s.count(env, k, ladderColumnLost)
	s.tell(env, k, kind, entityService, j.id, b)
	if k == s.judged {
		env.Fail(checkAnswered, j.id, env.Now()-j.came, int64(w.line.Len()))
	}
}

// count counts into a column of the judged way, set gives one its value, tell emits what happened in it.
func (s *steps) count(env *labs.Env, k, column int) {
	if k == s.judged {
		env.Add(column, 1)
	}
}

func (s *steps) set(env *labs.Env, k, column int, value int64) {
	if k == s.judged {
		env.Set(column, value)
	}
}

func (s *steps) tell(env *labs.Env, k, kind, entity int, id, b int64) {
	if k == s.judged {
		env.Emit(kind, entity, id, b)
	}
}
