package overload

import (
	"slices"

	"seedbed/chapters/degrade"
	"seedbed/chapters/intent"
	"seedbed/labs"
)

// This file is what happens behind the answer in degrade-ladder: the levels, the log of what was accepted, and what is measured.

// accepted is a log, the store behind it, and what a buyer knows of what was acknowledged: intent n is the n-th of those.
type accepted struct {
	cfg      intent.Config
	store    *intent.Memory
	log      intent.Log
	known    []acknowledged
	orders   int64
	vanished int64
	longest  int64 // ns from the acknowledgement to the end
}

type acknowledged struct {
	request int64
	at      int64
	takes   int64 // ns of work
	order   bool  // else points
	ended   bool
}

func newAccepted(open int64) accepted {
	a := accepted{cfg: intent.Config{MaxOpen: open, MaxAttempts: million, Lease: workerLease}, store: &intent.Memory{}}
	a.open()
	return a
}

// open reads the store, as the first start does and every later one.
func (a *accepted) open() {
	var err error
	a.log, err = intent.New(a.cfg, a.store)
	labs.Must(err)
}

// add writes something down; false when the log is full, and nothing is written.
func (a *accepted) add(k acknowledged) bool {
	r, err := a.log.AcceptAt(k.at, uint64(len(a.known)+1), "")
	labs.Must(err)
	if r.Answer != intent.Accepted {
		return false
	}
	a.known = append(a.known, k)
	return true
}

func (a *accepted) clone() accepted {
	c := *a
	store := a.store.Clone()
	c.store, c.known = &store, slices.Clone(a.known)
	c.log = a.log.Clone(&store)
	return c
}

// acknowledge accepts an order that is to be worked off later. With a full log that is a refusal.
func (s *steps) acknowledge(env *labs.Env, k int, j *job) {
	a := &s.ways[k].accepted
	if !a.add(acknowledged{request: j.id, at: env.Now(), takes: part(s.cfg.order+s.cfg.points, j.order), order: true}) {
		s.lose(env, k, j, ladderFull, a.log.Backlog())
		return
	}
	a.orders++
	s.tell(env, k, ladderAccept, entityWorker, j.id, a.log.Backlog())
	s.count(env, k, ladderColumnAccepted)
	s.count(env, k, ladderColumnAnswered)
	s.set(env, k, ladderColumnOpen, a.log.Backlog())
}

// postpone leaves the points of an order for later. If the log is full they are forgone: nobody was promised them.
func (s *steps) postpone(env *labs.Env, k int, j *job) {
	a := &s.ways[k].accepted
	a.add(acknowledged{request: j.id, at: env.Now(), takes: part(s.cfg.points, j.order)})
	s.set(env, k, ladderColumnOpen, a.log.Backlog())
}

// takeUp begins on what was accepted first, and reports false when there is nothing to do.
func (s *steps) takeUp(env *labs.Env, k int) bool {
	w := &s.ways[k]
	if !s.back {
		return false
	}
	c, ok, err := w.accepted.log.ClaimAt(env.Now())
	labs.Must(err)
	if !ok {
		return false
	}
	w.busy++
	w.behind++
	slot := w.jobs.Take(job{kind: jobBehind, claim: c})
	env.At(env.Now()+w.accepted.known[c.ID-1].takes, stepDone, uint16(k), slot, 0)
	return true
}

// finish ends what was accepted.
func (s *steps) finish(env *labs.Env, k int, c intent.Claim) {
	w := &s.ways[k]
	ok, err := w.accepted.log.FinishAt(env.Now(), c, "")
	labs.Must(err)
	known := &w.accepted.known[c.ID-1]
	known.ended = known.ended || ok
	s.set(env, k, ladderColumnOpen, w.accepted.log.Backlog())
	if !ok || !known.order {
		return
	}
	age := env.Now() - known.at
	w.finished++
	w.accepted.longest = max(w.accepted.longest, age)
	s.tell(env, k, ladderFinish, entityWorker, known.request, age)
	s.count(env, k, ladderColumnFinished)
}

// crash ends the workers with what they had begun. With a log the next ones go on from what it holds; what was kept in their memory is gone.
func (s *steps) crash(env *labs.Env) {
	s.crashes++
	s.back = false
	for k := range s.ways {
		w := &s.ways[k]
		s.tell(env, k, ladderCrash, entityWorker, w.behind, 0)
		for i := range w.jobs.All {
			if w.jobs.All[i].kind == jobBehind {
				w.jobs.All[i].kind = jobDead
			}
		}
		w.busy -= w.behind
		w.behind = 0
		if s.cfg.kept == keptInMemory {
			w.accepted.store = &intent.Memory{}
		}
		w.accepted.open()
		s.miss(env, k)
		s.set(env, k, ladderColumnOpen, w.accepted.log.Backlog())
		s.next(env, k)
	}
	env.Set(ladderColumnDown, 1)
	env.At(env.Now()+workerBack, stepRestart, 0, s.crashes, 0)
}

func (s *steps) restart(env *labs.Env) {
	s.back = true
	env.Set(ladderColumnDown, 0)
	for k := range s.ways {
		s.tell(env, k, ladderRestart, entityWorker, s.ways[k].accepted.log.Backlog(), 0)
		s.next(env, k)
	}
}

// miss looks for orders that were acknowledged, have not ended, and are not in the log.
func (s *steps) miss(env *labs.Env, k int) {
	a := &s.ways[k].accepted
	for i := range a.known {
		known := &a.known[i]
		if known.ended {
			continue
		}
		if state, _ := a.log.StatusOf(uint64(i + 1)); state == intent.Open {
			continue
		}
		known.ended = true
		if !known.order {
			continue
		}
		a.vanished++
		s.tell(env, k, ladderVanish, entityWorker, known.request, env.Now()-known.at)
		if k == s.judged {
			env.Fail(checkOrder, known.request, env.Now()-known.at)
		}
	}
}

// The verbs: a hand on each of the levels, then these.
const (
	verbRelease = degrade.Levels + iota
	verbCrash
	verbVisitors
)

// Act puts a hand on the ladders or takes it away, ends the workers, or sends visitors at once.
func (s *steps) Act(env *labs.Env, do labs.Do) {
	switch do.Verb {
	case verbVisitors:
		for range do.Value {
			s.arrive(env)
		}
	case verbCrash:
		s.crash(env)
	case verbRelease:
		s.hands++
		for k := range s.ways {
			s.changed(env, k, s.ways[k].ladder.ReleaseAt(env.Now()))
		}
		env.Emit(ladderRelease, entityLadder, 0, 0)
	default:
		s.hands++
		for k := range s.ways {
			changes, err := s.ways[k].ladder.HoldAt(env.Now(), degrade.Level(do.Verb), do.Value/percent, env.Now()+s.cfg.handFor)
			labs.Must(err)
			s.changed(env, k, changes)
		}
		kind := ladderHold
		if do.Verb == 0 {
			kind = ladderHoldNormal
		}
		env.Emit(kind, entityLadder, int64(do.Verb), do.Value/percent*percent)
		env.At(env.Now()+s.cfg.handFor, stepHand, 0, s.hands, 0)
	}
	s.show(env)
}

// need is what the load of the last second would take on a level, in parts per million of what the places can do.
func (s *steps) need(k int, level degrade.Level) int64 {
	page, order := s.cfg.page, s.cfg.accept
	if level.Extras() {
		page += s.cfg.extras
	}
	if level.OrdersNow() {
		order = s.cfg.order
	}
	if level.WritesNow() {
		order += s.cfg.points
	}
	work := int64(0)
	for _, l := range s.ways[k].arrivals {
		work += l.visitors*page + l.orders*order
	}
	return work / (looks * ladderGap / million) / s.cfg.places
}

// look tells the ladders what they are to know, and begins to count anew.
func (s *steps) look(env *labs.Env) {
	for k := range s.ways {
		w := &s.ways[k]
		if k == wayHard {
			continue
		}
		if s.cfg.sees != seesLine {
			for level := range signalLine {
				s.changed(env, k, w.ladder.ObserveAt(env.Now(), level, s.need(k, degrade.Level(level))))
			}
		}
		s.changed(env, k, w.ladder.ObserveAt(env.Now(), signalLine, int64(w.line.Len())))
	}
	s.show(env)
	for k := range s.ways {
		w := &s.ways[k]
		copy(w.arrivals[1:], w.arrivals[:])
		w.arrivals[0] = load{}
	}
}

// changed follows a ladder from level to level.
func (s *steps) changed(env *labs.Env, k int, changes degrade.Changes) {
	w := &s.ways[k]
	for i := range changes.Len() {
		c := changes.At(i)
		w.changes++
		w.asked = max(w.asked, int64(c.To))
		kind := ladderUp
		switch {
		case c.To > c.From:
			if since := c.At - w.fell; k == s.judged && w.fell >= 0 && since < s.cfg.steady {
				env.Fail(checkSteady, s.visitors, int64(c.To), since)
			}
		case c.To == degrade.Normal:
			kind, w.fell = ladderNormal, c.At
		default:
			kind, w.fell = ladderDown, c.At
		}
		s.tell(env, k, kind, entityLadder, int64(c.To), 0)
	}
}

// show records where the judged way stands.
func (s *steps) show(env *labs.Env) {
	level, changes := s.ways[s.judged].ladder.SignalsAt(env.Now())
	s.changed(env, s.judged, changes)
	env.Set(ladderColumnLevel, int64(level))
	env.Set(ladderColumnNeed, s.need(s.judged, degrade.Normal))
}

// Finish measures.
func (s *steps) Finish(env *labs.Env) {
	for k := range s.ways {
		s.miss(env, k)
		w := &s.ways[k]
		for i, v := range [...]int64{w.pagesLost, w.ordersLost, w.placed + w.accepted.orders} {
			env.Metric(ladderEach+ladderEachWay*k+i, v)
		}
	}
	w := &s.ways[s.judged]
	for i, v := range [...]int64{
		s.visitors, w.orders, labs.PerMillion(w.pages-w.plain, w.pages), w.highest, w.asked, w.changes, w.placed, w.accepted.orders, w.finished,
		w.accepted.orders - w.finished - w.accepted.vanished, w.accepted.longest, w.accepted.vanished, w.queued, int64(w.room.Len()),
	} {
		env.Metric(i, v)
	}
}

// Clone copies the run.
func (s *steps) Clone() labs.State {
	c := *s
	for k := range c.ways {
		w := &c.ways[k]
		w.ladder, w.line, w.jobs, w.buyers = w.ladder.Clone(), w.line.Clone(), w.jobs.Clone(), w.buyers.Clone()
		w.room, w.roomers, w.accepted = w.room.Clone(), w.roomers.Clone(), w.accepted.clone()
	}
	return &c
}

// Bytes is what a clone costs: most of it are the records of the stores, 56 each.
func (s *steps) Bytes() int {
	n := 2000
	for k := range s.ways {
		w := &s.ways[k]
		n += w.ladder.Size() + w.room.Size() + w.accepted.log.Size() + 56*w.accepted.store.Len() + 40*len(w.accepted.known)
		n += w.line.Bytes(120) + w.jobs.Bytes(120) + w.buyers.Bytes(44) + w.roomers.Bytes(40)
	}
	return n
}
