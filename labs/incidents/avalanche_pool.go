package incidents

import (
	"math"
	"slices"

	"seedbed/chapters/breaker"
	"seedbed/chapters/queue"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// This file is what wants a connection, who waits for one, and who gives up.

// The kinds of jobs.
const (
	jobOrder = iota
	jobLoad  // a key, for those who wait for it
	jobBare  // a key, for one page alone, or for nobody
	jobExtra // recommendations
	jobWarm  // a key that nobody has asked for
)

// The lines before the pool, which are the compartments of a bulkhead as well.
const (
	lineOrders = iota
	linePages
	nLine
)

// job is something that wants a connection.
type job struct {
	since  int64
	mark   int64 // the order, or the flight's number
	ticket breaker.Ticket
	key    int32
	page   int32 // jobBare: who waits, −1 for nobody
	kind   uint8
}

func (j *job) line() int {
	if j.kind == jobOrder {
		return lineOrders
	}
	return linePages
}

// working is a job that has a connection.
type working struct {
	job
	permit   breaker.Permit
	instance int
}

// line is who waits: the chapter's queue decides who may, how long, and who is next; jobs are kept beside it, in its order.
type line struct {
	q     queue.Queue
	jobs  []job
	head  int
	armed bool // somebody will look when the head's time is over
}

func (l *line) pop() job {
	j := l.jobs[l.head]
	l.head++
	if l.head > 64 && 2*l.head > len(l.jobs) {
		l.jobs = l.jobs[:copy(l.jobs, l.jobs[l.head:])]
		l.head = 0
	}
	return j
}

// pool is the connections that are in use and the lines before them.
type pool struct {
	lines [nLine]line
	works sim.Slots[working]
	busy  int64
}

func (p *pool) waiting() int64 {
	return int64(p.lines[lineOrders].q.Len() + p.lines[linePages].q.Len())
}

func (p *pool) clone() pool {
	c := *p
	c.works = p.works.Clone()
	for i := range c.lines {
		l := &c.lines[i]
		l.q, l.jobs, l.head = l.q.Clone(), slices.Clone(l.jobs[l.head:]), 0
	}
	return c
}

func (p *pool) bytes() int {
	n := 120 * len(p.works.All)
	for i := range p.lines {
		n += p.lines[i].q.Size() + 64*len(p.lines[i].jobs)
	}
	return n
}

// submit gives a job a connection, or a place in its line, or fails it.
func (s *avalanche) submit(env *labs.Env, k int, j job) {
	d := &s.defences[k]
	j.since = env.Now()
	l := j.line()
	// A connection that has just been given back belongs to who waits for it.
	first := d.lines[l].q.Len() == 0 && (d.on[swBulkhead] || d.waiting() == 0)
	if in := d.room(l); in >= 0 && first {
		s.work(env, k, in, j)
		return
	}
	s.measure(env, d)
	// What was accepted is kept until it is done: it may be late, it is never forgotten.
	deadline, accepted := env.Now()+s.patience, j.kind == jobOrder && d.on[swQueue]
	if accepted {
		deadline = math.MaxInt64
	}
	if _, ok := d.lines[l].q.PushAt(env.Now(), deadline); !ok.OK {
		s.fail(env, k, j, evLoseFull)
		return
	}
	d.lines[l].jobs = append(d.lines[l].jobs, j)
	if accepted {
		who := entService
		if d.on[swLocal] {
			who = entLine
		}
		s.tell(env, k, evAccept, who, j.mark, int64(d.lines[l].q.Len()))
	}
	if !accepted && !d.lines[l].armed {
		d.lines[l].armed = true
		env.At(deadline, kindGiveUp, uint16(k), int64(l), 0)
	}
	s.level(env, k)
}

// room is an instance with a connection for a line, −1 when there is none.
func (d *defence) room(l int) int {
	for i := range d.fleet[:d.ready] {
		if d.fleet[i].places.Room(l) > 0 {
			return i
		}
	}
	return -1
}

// work lets a job have a connection. While more connections are busy than the database has cores, all queries take longer.
func (s *avalanche) work(env *labs.Env, k, in int, j job) {
	d := &s.defences[k]
	permit, _ := d.fleet[in].places.Take(j.line())
	s.measure(env, d)
	d.busy++
	queries := int64(1)
	if j.kind == jobOrder {
		queries = coreQueries
		if d.level.WritesNow() {
			queries += laterQueries
		}
	}
	took := scaled(queries*s.query, s.slower, million) * max(d.busy, s.cores) / s.cores
	slot := d.works.Take(working{job: j, permit: permit, instance: in})
	env.At(env.Now()+took, kindDone, uint16(k), int64(slot), 0)
	s.level(env, k)
}

// done ends a job and gives its connection back.
func (s *avalanche) done(env *labs.Env, k int, slot int32) {
	d := &s.defences[k]
	w := d.works.All[slot]
	d.works.Free(int64(slot))
	d.fleet[w.instance].places.Release(w.permit)
	s.measure(env, d)
	d.busy--
	switch w.kind {
	case jobOrder:
		s.fulfil(env, k, &w.job)
		return
	case jobLoad, jobBare, jobWarm:
		s.loaded(env, k, &w.job)
	}
	s.report(env, k, &w.job, breaker.Success)
}

// ordered ends an order that is done, in time or late.
func (s *avalanche) fulfil(env *labs.Env, k int, j *job) {
	took, what := env.Now()-j.since, evDone
	if took > s.promise {
		what = evDoneLate
		s.delay(env, k, j)
	}
	if k != s.judged {
		return
	}
	s.orderDone++
	s.longest = max(s.longest, took)
	env.Add(colDone, 1)
	env.Emit(what, entService, j.mark, took)
}

// delay counts an order that has taken longer than was promised.
func (s *avalanche) delay(env *labs.Env, k int, j *job) {
	s.defences[k].late++
	if k == s.judged {
		env.Add(colLate, 1)
		env.Fail(checkInTime, j.mark, env.Now()-j.since, s.promise)
	}
}

// overdue counts at the end of the run the orders that are not done yet and are late already.
func (s *avalanche) overdue(env *labs.Env, k int) {
	p := &s.defences[k].pool
	for i := range p.works.All {
		if w := &p.works.All[i]; w.kind == jobOrder && env.Now()-w.since > s.promise && !p.works.Vacant(int64(i)) {
			s.delay(env, k, &w.job)
		}
	}
	l := &p.lines[lineOrders]
	for i := l.head; i < len(l.jobs) && env.Now()-l.jobs[i].since > s.promise; i++ {
		s.delay(env, k, &l.jobs[i])
	}
}

// feed gives free connections to those who wait: with a bulkhead each line has its own, orders first; without, who has waited longest.
func (s *avalanche) feed(env *labs.Env, k int) {
	d := &s.defences[k]
	for {
		best, in := -1, -1
		for l := range d.lines {
			if d.lines[l].q.Len() == 0 {
				continue
			}
			r := d.room(l)
			if r < 0 {
				continue
			}
			if best < 0 || !d.on[swBulkhead] && d.lines[l].jobs[d.lines[l].head].since < d.lines[best].jobs[d.lines[best].head].since {
				best, in = l, r
			}
		}
		if best < 0 {
			break
		}
		w, ok := d.lines[best].q.PopAt(env.Now())
		if !ok {
			break
		}
		s.measure(env, d)
		j := d.lines[best].pop()
		if w.Fate != queue.Served {
			s.fail(env, k, j, evLoseWait)
			continue
		}
		s.work(env, k, in, j)
	}
	s.level(env, k)
}

// giveUp takes out of a line who may wait no longer, and comes back when the next one's time is over.
func (s *avalanche) giveUp(env *labs.Env, k, l int) {
	d := &s.defences[k]
	ln := &d.lines[l]
	ln.armed = false
	for {
		if _, ok := ln.q.LateAt(env.Now()); !ok {
			break
		}
		s.measure(env, d)
		s.fail(env, k, ln.pop(), evLoseWait)
	}
	if ln.q.Len() > 0 && !ln.armed {
		ln.armed = true
		env.At(ln.jobs[ln.head].since+s.patience, kindGiveUp, uint16(k), int64(l), 0)
	}
	s.level(env, k)
}

// fail ends a job that got no connection.
func (s *avalanche) fail(env *labs.Env, k int, j job, how int) {
	switch j.kind {
	case jobOrder:
		s.lose(env, k, j.mark, env.Now()-j.since, how)
		return
	case jobLoad:
		s.unload(env, k, &j)
	case jobBare:
		s.refuse(env, k, j.page)
	}
	s.tell(env, k, evGiveUp, entPool, int64(j.key)+1, env.Now()-j.since)
	s.report(env, k, &j, breaker.Failure)
}

// lose counts an order that will never be.
func (s *avalanche) lose(env *labs.Env, k int, order, waited int64, how int) {
	d := &s.defences[k]
	d.lost++
	env.Set(colEach+k, d.lost)
	if k != s.judged {
		return
	}
	s.lostBy[how-evLosePage]++
	if s.firstLost == 0 {
		s.firstLost = env.Now()
	}
	env.Add(colLost, 1)
	env.Emit(how, entService, order, waited)
	env.Fail(checkOrders, order, waited, d.waiting())
}

// level tells how full the pool of the judged combination is.
func (s *avalanche) level(env *labs.Env, k int) {
	if k != s.judged {
		return
	}
	d := &s.defences[k]
	env.Set(colBusy, d.busy)
	env.Set(colWaiting, d.waiting())
	env.Set(colBacklog, int64(d.lines[lineOrders].q.Len()))
}

// tell emits what happens in the judged combination.
func (s *avalanche) tell(env *labs.Env, k, what, who int, a, b int64) {
	if k == s.judged {
		env.Emit(what, who, a, b)
	}
}
