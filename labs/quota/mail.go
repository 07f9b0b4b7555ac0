package quota

import (
	pb "go.etcd.io/raft/v3/raftpb"

	grants "seedbed/chapters/quota"
	"seedbed/labs"
)

// The kinds of mail.
const (
	mailRaft     = iota // what one raft node says to another
	mailBeat            // a store's primary is alive
	mailCopy            // and this is what it has granted
	mailAsk             // a service asks for units
	mailReply           // and is answered
	mailAnnounce        // a replica tells the services next to it whom it takes for the leader
)

// mail is something under way between two processes. Ways keep the order, as TCP does.
type mail struct {
	kind     uint8
	from, to int16
	message  *pb.Message
	stamp    int64 // raft: the sender's clock when it was sent
	echo     int64 // raft, a heartbeat's answer: stamp of the heartbeat that was heard last
	term     int64 // store: of the primary
	pool     grants.Pool
	ask      asked
	answer   answer
	leader   int // reply and announcement: a replica, or nobody
}

// asked is an ask as it travels.
type asked struct {
	slot   int32
	number int64
	from   int   // service
	sent   int64 // by the service's clock
	want   int64
}

// answer is what came of it.
type answer struct {
	why   verdict
	grant grants.Grant
	rest  int64 // ns until the period is over, when all is spent
}

// verdict is an answer in a word.
type verdict uint8

const (
	granted verdict = iota
	spent
	notYet // whoever leads may not decide yet
	notMe  // somebody else leads, or nobody
)

const nobody = -1

// send puts mail on its way. What is sent to or from somebody who is cut off is lost.
func (s *run) send(env *labs.Env, m mail) {
	if s.severed(&m) {
		return
	}
	slot := int32(len(s.mails))
	if n := len(s.free); n > 0 {
		slot, s.free = s.free[n-1], s.free[:n-1]
	} else {
		s.mails = append(s.mails, mail{})
	}
	s.mails[slot] = m
	last := &s.process[m.from].inOrder[m.to]
	*last = max(*last, env.Now()+s.cfg.net/2+s.net.Exp(s.cfg.net/2))
	env.At(*last, atMail, 0, int64(slot), 0)
}

// severed is true when mail cannot pass: a replica that is cut off hears no replica, a service that is cut off hears nobody.
func (s *run) severed(m *mail) bool {
	from, to := &s.process[m.from], &s.process[m.to]
	switch m.kind {
	case mailRaft, mailBeat, mailCopy:
		return from.cut || to.cut
	}
	return m.from < services && from.cut || m.to < services && to.cut
}

// arrived hands mail to whom it is for.
func (s *run) arrived(env *labs.Env, slot int32) {
	m := s.mails[slot]
	s.mails[slot] = mail{}
	s.free = append(s.free, slot)
	if s.process[m.to].down || s.severed(&m) {
		return
	}
	switch m.kind {
	case mailRaft:
		s.hear(env, int(m.to)-services, &m)
	case mailBeat, mailCopy:
		s.heed(env, int(m.to)-services, &m)
	case mailAsk:
		s.decide(env, int(m.to)-services, m.ask)
	case mailReply:
		s.answered(env, int(m.to), &m)
	case mailAnnounce:
		if v := &s.service[m.to]; v.home == int(m.from)-services {
			v.leader = m.leader
		}
	}
}

// reply answers an ask.
func (s *run) reply(env *labs.Env, i int, a asked, what answer, leader int) {
	if what.why == granted {
		env.Add(columnReplica+i*nOfReplica+ofGranted, what.grant.Units)
		env.Emit(eventGrant, entityReplica+i, what.grant.Units, int64(a.from+1))
	}
	s.send(env, mail{kind: mailReply, from: int16(services + i), to: int16(a.from), ask: a, answer: what, leader: leader})
}

// announce tells the services next to replica i whom it takes for the leader.
func (s *run) announce(env *labs.Env, i, leader int) {
	for k := range s.service {
		if s.service[k].home == i {
			s.send(env, mail{kind: mailAnnounce, from: int16(services + i), to: int16(k), leader: leader})
		}
	}
}
