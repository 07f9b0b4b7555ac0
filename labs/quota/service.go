package quota

import (
	grants "seedbed/chapters/quota"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// service is one of those who spend the limit. It asks for units when it has none, and spends its own share when nobody answers.
type service struct {
	arrivals sim.Arrivals
	held     grants.Spender // what was granted
	own      grants.Spender // its own share
	home     int            // replica that it asks whom to ask
	leader   int            // whom that names, or nobody
	waiting  []waiter
	head     int   // of waiting
	open     int64 // asks that are not answered
	dry      int64 // by its clock: until then nothing is to be had
	starting bool  // the coordinator has not been heard yet
	alone    bool  // it does not answer any more
	aloneAt  int64 // since
	mayAt    int64 // by its clock: from then on it may spend its own share, when that was not reserved
	heardAt  int64 // when the coordinator answered last
	unheard  int64 // when the first of the asks was sent that have been in vain since the last answer; −1: none has
	clearAt  int64 // since when nothing stands between it and the replicas
}

// waiter is a request that waits for units.
type waiter struct{ at, number int64 }

// ask is one that is under way.
type ask struct {
	asked
	at   int64
	hops int
	open bool
}

// openService makes a service that is to start soon, and its traffic.
func (s *run) openService(c labs.Config, env *labs.Env, i int) {
	v := &s.service[i]
	share := c.Int("skew")
	if i > 0 {
		share = (million - share) / 2
	}
	v.arrivals = sim.Arrivals{
		Pattern: sim.Poisson, Start: trafficAt, Rate: c.Int("demand") * share / million, Stream: env.Stream("quota/" + serviceName(i)),
	}
	v.home, v.leader, v.unheard = i, nobody, -1
	s.process[i].down = true
	env.At(openingAt, atBack, uint16(i), 0, 0)
	s.next(env, i)
}

func (s *run) next(env *labs.Env, i int) {
	if at, _, ok := s.service[i].arrivals.Next(); ok {
		env.At(at, atArrive, uint16(i), 0, 0)
	}
}

// begin starts a service: before all else it asks whether the coordinator is there. One that has run before has forgotten what it spent.
func (s *run) begin(env *labs.Env, i int) {
	v, now := &s.service[i], s.process[i].now(env.Now())
	spender := func(reserve int64) grants.Spender {
		p, err := grants.NewSpender(grants.SpenderConfig{Node: uint64(i), Period: period, Reserve: reserve, Drift: s.cfg.drift})
		if err != nil {
			panic("quota: " + err.Error()) // the parameters' ranges lie within the spender's
		}
		return p
	}
	v.held, v.own = spender(0), spender(0)
	if s.cfg.local != localNone {
		v.own = spender(s.cfg.reserve)
	}
	if s.process[i].life > 1 {
		v.own.RecoverAt(now)
	}
	v.open, v.dry, v.alone, v.unheard, v.clearAt, v.leader = 0, now, false, -1, env.Now(), nobody
	v.starting = s.cfg.use != useLocal
	if v.starting {
		s.ask(env, i)
	}
	s.showService(env, i)
}

// arrive is a request: spend what is held, else wait for an answer, else spend the own share, else turn away.
func (s *run) arrive(env *labs.Env, i int) {
	s.next(env, i)
	v, p := &s.service[i], &s.process[i]
	s.counts[metricRequests]++
	number := s.counts[metricRequests]
	now := p.now(env.Now())
	switch {
	case p.down || v.starting:
		s.refuse(env, i, number, eventRefuse)
	case v.held.TakeAt(now, 1):
		s.admit(env, i, number, 0)
		if s.cfg.batch >= 4 && v.open == 0 && now >= v.dry && v.held.LeftAt(now) < s.cfg.batch/4 {
			s.ask(env, i) // before it runs out
		}
	case s.cfg.use == useLocal || v.alone || now < v.dry:
		s.alone(env, i, number, eventRefuse)
	default:
		v.waiting = append(v.waiting, waiter{env.Now(), number})
		s.want(env, i)
	}
	s.showService(env, i)
}

// want asks until as much is on its way as there are requests that wait.
func (s *run) want(env *labs.Env, i int) {
	v := &s.service[i]
	for int64(len(v.waiting)-v.head) > v.open*s.cfg.batch {
		s.ask(env, i)
	}
}

// alone spends the own share for a request, or turns it away.
func (s *run) alone(env *labs.Env, i int, number int64, why int) {
	v := &s.service[i]
	now := s.process[i].now(env.Now())
	may := s.cfg.local == localReserved || v.alone && (s.cfg.local == localAtOnce || now >= v.mayAt)
	if may && v.own.TakeAt(now, 1) {
		s.counts[metricOwn]++
		env.Add(columnService+i*nOfService+ofOwn, 1)
		env.Emit(eventOwn, entityService+i, number, 0)
		s.spend(env, i, number)
		return
	}
	s.refuse(env, i, number, why)
}

func (s *run) admit(env *labs.Env, i int, number, wait int64) {
	s.waits.Add(wait)
	env.Emit(eventAdmit, entityService+i, number, wait)
	s.spend(env, i, number)
}

// spend counts a unit, from wherever it came.
func (s *run) spend(env *labs.Env, i int, number int64) {
	s.counts[metricAdmitted]++
	env.Add(columnService+i*nOfService+ofAdmitted, 1)
	s.judgeQuota(env, number)
}

func (s *run) refuse(env *labs.Env, i int, number int64, why int) {
	s.counts[metricRefused]++
	env.Add(columnService+i*nOfService+ofRefused, 1)
	env.Emit(why, entityService+i, number, 0)
}

// ask sends an ask to the leader, as far as it is known.
func (s *run) ask(env *labs.Env, i int) {
	slot := int32(len(s.asks))
	if n := len(s.freeAsks); n > 0 {
		slot, s.freeAsks = s.freeAsks[n-1], s.freeAsks[:n-1]
	} else {
		s.asks = append(s.asks, ask{})
	}
	s.askNo++
	s.counts[metricAsks]++
	s.service[i].open++
	s.asks[slot] = ask{at: env.Now(), open: true, asked: asked{
		slot: slot, number: s.askNo, from: i, sent: s.process[i].now(env.Now()), want: s.cfg.batch,
	}}
	env.At(env.Now()+s.cfg.timeout, atTimeout, 0, int64(slot), s.askNo)
	to := s.service[i].leader
	if to == nobody {
		to = s.service[i].home
	}
	s.send(env, mail{kind: mailAsk, from: int16(i), to: int16(services + to), ask: s.asks[slot].asked})
}

// close forgets an ask; false when that has happened before.
func (s *run) close(slot int32, number int64) bool {
	a := &s.asks[slot]
	if !a.open || a.number != number {
		return false
	}
	a.open = false
	s.freeAsks = append(s.freeAsks, slot)
	s.service[a.from].open--
	return true
}

// answered takes in an answer. One that comes too late is no sign of health, but what it grants is granted.
func (s *run) answered(env *labs.Env, i int, m *mail) {
	v, now := &s.service[i], s.process[i].now(env.Now())
	if m.answer.why == notMe {
		s.redirect(env, i, m)
		return
	}
	if s.close(m.ask.slot, m.ask.number) {
		s.heard(env, i)
	}
	switch g := m.answer.grant; m.answer.why {
	case granted:
		g.TTL -= 2 * s.cfg.clocks
		v.held.Granted(now, m.ask.sent, g)
		for v.head < len(v.waiting) && v.held.TakeAt(now, 1) {
			w := v.waiting[v.head]
			v.head++
			s.admit(env, i, w.number, env.Now()-w.at)
		}
	case spent:
		v.dry = max(v.dry, now+m.answer.rest+2*s.cfg.clocks)
		s.flush(env, i, env.Now(), eventRefuse)
	case notYet:
		v.dry = max(v.dry, now+quietFor)
		s.flush(env, i, env.Now(), eventRefuse)
	}
	s.shorten(i)
	s.want(env, i)
	s.showService(env, i)
}

// redirect sends an ask on to whom the answer names.
func (s *run) redirect(env *labs.Env, i int, m *mail) {
	a := &s.asks[m.ask.slot]
	if !a.open || a.number != m.ask.number {
		return
	}
	s.service[i].leader = m.leader
	if a.hops++; m.leader != nobody && a.hops < 4 {
		s.send(env, mail{kind: mailAsk, from: int16(i), to: int16(services + m.leader), ask: a.asked})
	}
}

// heard is that the coordinator answers.
func (s *run) heard(env *labs.Env, i int) {
	v := &s.service[i]
	if v.unheard >= 0 {
		s.counts[metricSilence] = max(s.counts[metricSilence], env.Now()-v.unheard)
	}
	v.unheard, v.heardAt = -1, env.Now()
	if v.starting {
		v.starting = false
		env.Emit(eventStart, entityService+i, 0, 0)
	}
	if v.alone {
		s.aloneUntil(env, i)
		v.alone = false
		env.Emit(eventCalm, entityService+i, 0, 0)
	}
}

// expired is an ask that was in vain: ask another replica next, and once nobody answers go on alone.
func (s *run) expired(env *labs.Env, slot int32, number int64) {
	a := s.asks[slot]
	if !s.close(slot, number) {
		return
	}
	i := a.from
	v := &s.service[i]
	s.counts[metricUnanswered]++
	v.home, v.leader = (v.home+1)%s.cfg.replicas, nobody
	if v.unheard < 0 {
		v.unheard = a.at
	}
	s.judgeServes(env, i)
	if v.starting && s.cfg.degrades || !v.starting && !v.alone && v.heardAt < a.at {
		v.starting, v.alone, v.aloneAt = false, true, env.Now()
		v.mayAt = s.process[i].now(env.Now()) + s.lengthened(period+2*s.cfg.election)
		env.Emit(eventAlarm, entityService+i, env.Now()-v.unheard, 0)
	}
	before := env.Now() - s.cfg.timeout
	if v.alone {
		before = env.Now()
	}
	s.flush(env, i, before, eventUnanswered)
	if (v.alone || v.starting) && v.open == 0 {
		s.ask(env, i)
	}
	s.want(env, i)
	s.showService(env, i)
}

// flush lets the requests that have waited since before then wait no longer.
func (s *run) flush(env *labs.Env, i int, before int64, why int) {
	v := &s.service[i]
	for v.head < len(v.waiting) && v.waiting[v.head].at <= before {
		v.head++
		s.alone(env, i, v.waiting[v.head-1].number, why)
	}
	s.shorten(i)
}

// shorten drops waiters that wait no more.
func (s *run) shorten(i int) {
	v := &s.service[i]
	if v.head == len(v.waiting) {
		v.waiting, v.head = v.waiting[:0], 0
	}
}

// aloneUntil adds up for how long the service was on its own.
func (s *run) aloneUntil(env *labs.Env, i int) {
	if v := &s.service[i]; v.alone {
		s.counts[metricAlone] += env.Now() - v.aloneAt
		v.aloneAt = env.Now()
	}
}

func (s *run) showService(env *labs.Env, i int) {
	v, at := &s.service[i], columnService+i*nOfService
	env.Set(at+ofWaiting, int64(len(v.waiting)-v.head))
	env.Set(at+ofAlone, number(v.alone))
	env.Set(at+ofServiceDown, number(s.process[i].down || v.starting))
}

func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
