package quota

import (
	"strings"

	"seedbed/labs"
)

// Act carries out what the reader does.
func (s *run) Act(env *labs.Env, do labs.Do) {
	defer s.halt(env)
	at := int(do.Target[1] - '1')
	who := at
	if strings.HasPrefix(do.Target, "r") {
		who = services + at
	}
	if who >= services && s.cfg.use == useLocal {
		return // nobody asks it
	}
	p := &s.process[who]
	switch do.Verb {
	case verbCrash:
		s.crash(env, who)
	case verbPartition, verbCut:
		p.cut = true
		env.Emit(eventPartition, entityService+who, 0, 0)
	case verbHeal:
		s.heal(env, who)
		env.Emit(eventHeal, entityService+who, 0, 0)
	case verbSlow:
		p.disk = do.Value
		env.Emit(eventSlow, entityService+who, do.Value, 0)
	case verbDrift:
		p.local, p.base, p.rate, p.wrong = p.now(env.Now()), env.Now(), do.Value, true
		env.Emit(eventDrift, entityService+who, do.Value, 0)
	case verbTransfer:
		s.transfer(env, at)
	}
	s.count(env)
}

// heal undoes what was done to a process. A clock that went wrong is set right, and a service whose clock was set no longer believes in
// what it counted by it.
func (s *run) heal(env *labs.Env, who int) {
	p := &s.process[who]
	p.cut, p.disk = false, s.cfg.disk
	if p.wrong {
		p.local, p.base, p.rate, p.wrong = env.Now(), env.Now(), million, false
	}
	if who >= services {
		return
	}
	v := &s.service[who]
	v.clearAt = env.Now()
	v.held.RecoverAt(p.now(env.Now()))
	v.own.RecoverAt(p.now(env.Now()))
	v.dry = 0
}

// transfer asks whoever leads to let replica i lead.
func (s *run) transfer(env *labs.Env, i int) {
	if s.cfg.use == useStore || s.process[services+i].down {
		return
	}
	for k := range s.cfg.replicas {
		if !s.process[services+k].down && s.replica[k].is.leads() {
			s.handOver(env, k, i)
		}
	}
}

// crash takes a process away for a while, with all that it has not written down.
func (s *run) crash(env *labs.Env, who int) {
	p := &s.process[who]
	if p.down {
		return
	}
	p.down = true
	env.Emit(eventCrash, entityService+who, 0, 0)
	stay := s.cfg.down
	if who < services {
		s.aloneUntil(env, who)
		s.service[who].alone = false
		for slot := range s.asks {
			if a := &s.asks[slot]; a.open && a.from == who {
				s.close(int32(slot), a.number)
			}
		}
		v := &s.service[who]
		for ; v.head < len(v.waiting); v.head++ {
			s.refuse(env, who, v.waiting[v.head].number, eventUnanswered)
		}
		s.shorten(who)
		s.showService(env, who)
	} else {
		s.fall(env, who-services)
		if s.cfg.use == useLeases {
			stay += s.lengthened(s.cfg.election) // it has forgotten for whom it promised to vote
		}
	}
	env.At(env.Now()+stay, atBack, uint16(who), 0, 0)
}

// fall is what becomes of a replica that stops.
func (s *run) fall(env *labs.Env, i int) {
	s.process[services+i].down = true
	s.outlived(env, i)
	s.replica[i].is = role{}
	env.Set(columnReplica+i*nOfReplica+ofLeads, 0)
	env.Set(columnReplica+i*nOfReplica+ofReplicaDown, 1)
}

// back lets a process run again, or for the first time.
func (s *run) back(env *labs.Env, who int) {
	p := &s.process[who]
	if p.life > 0 {
		env.Emit(eventBack, entityService+who, 0, 0)
	}
	if who < services {
		p.down = false
		p.life++
		s.begin(env, who)
		s.count(env)
		return
	}
	i := who - services
	if s.cfg.use == useStore {
		s.bootStore(env, i)
	} else {
		if s.cfg.forgets {
			s.format(i)
		}
		s.boot(env, i)
	}
	env.Set(columnReplica+i*nOfReplica+ofReplicaDown, 0)
	s.count(env)
}
