package quota

import (
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"

	"seedbed/chapters/lease"
	grants "seedbed/chapters/quota"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// electionTick is how many ticks make an election time-out; a heartbeat is sent each tick.
const electionTick = 10

// replica is one of those who decide: a raft node, or a copy of a store.
type replica struct {
	node    *raft.RawNode
	ticks   *int // the node's own field: see electionTicks
	patient int  // what stands there
	drawn   role // for which it was drawn
	random  sim.Stream
	disk    *raft.MemoryStorage
	writing bool
	ready   raft.Ready
	since   int64 // when it began to write

	pool     grants.Pool
	lease    lease.Leader
	handing  bool // it is handing over, and has no lease
	is       role
	decides  uint64 // term in which its first entry was applied: it may decide
	terms    int    // first entries that it has applied
	dry      int64  // start of the period in which nothing was left
	heard    [2]int64
	leader   int
	overtook int64 // when somebody else began to lead while it still did; −1: nobody

	store
}

// role is what a raft node is, and in which term.
type role struct {
	state raft.StateType
	term  uint64
}

func (r role) leads() bool { return r.state == raft.StateLeader }

// found makes replica i with an empty disk, and starts it. The first one stands for election at once.
func (s *run) found(env *labs.Env, i int) {
	r := &s.replica[i]
	r.random = env.Stream("quota/" + replicaName(i))
	r.pool, r.leader, r.dry = s.newPool(), nobody, -period
	if s.cfg.use == useStore {
		s.foundStore(env, i)
		return
	}
	s.format(i)
	s.boot(env, i)
	if i == 0 {
		_ = r.node.Campaign() // it has a configuration and no leader, so it can
		s.pump(env, i)
	}
}

// format empties a disk, but for who the replicas are.
func (s *run) format(i int) {
	r := &s.replica[i]
	r.disk = raft.NewMemoryStorage()
	voters := make([]uint64, s.cfg.replicas)
	for k := range voters {
		voters[k] = uint64(k + 1)
	}
	one := uint64(1)
	err := r.disk.ApplySnapshot(&pb.Snapshot{Metadata: &pb.SnapshotMetadata{ConfState: &pb.ConfState{Voters: voters}, Index: &one, Term: &one}})
	if err == nil {
		err = r.disk.SetHardState(&pb.HardState{Term: &one, Commit: &one})
	}
	if err != nil {
		panic("quota: an empty disk refuses its beginning: " + err.Error())
	}
}

// boot starts a raft node from its disk.
func (s *run) boot(env *labs.Env, i int) {
	r, p := &s.replica[i], &s.process[services+i]
	p.down = false
	p.life++
	s.turn = i
	node, err := raft.NewRawNode(&raft.Config{
		ID: uint64(i + 1), ElectionTick: electionTick, HeartbeatTick: 1, Storage: r.disk, MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 256,
		CheckQuorum: true, PreVote: true, DisableProposalForwarding: true, Logger: silent{},
	})
	if err != nil {
		panic("quota: " + err.Error()) // none of these depends on a parameter
	}
	r.node, r.ticks = node, electionTicks(node)
	r.writing, r.ready, r.pool, r.is, r.decides, r.terms, r.leader, r.overtook = false, raft.Ready{}, s.newPool(), role{}, 0, 0, nobody, -1
	r.handing, r.heard = false, [2]int64{}
	r.dry = -period
	s.draw(r, role{})
	env.At(env.Now()+r.random.Below(s.cfg.tick), atTick, uint16(i), p.life, 0) // no two machines tick together
}

// draw draws an election time-out of one to two times the ticks of one, as the library does.
func (s *run) draw(r *replica, is role) {
	r.drawn, r.patient = is, electionTick+int(r.random.Below(electionTick))
}

// tick moves a node's time on. Its patience is written each time, because the library may have drawn another, from a source that differs
// by run.
func (s *run) tick(env *labs.Env, i int) {
	r := &s.replica[i]
	s.turn = i
	if r.drawn != r.is {
		s.draw(r, r.is)
	}
	*r.ticks = r.patient
	r.node.Tick()
	s.pump(env, i)
}

// hear gives a node what another says.
func (s *run) hear(env *labs.Env, i int, m *mail) {
	r := &s.replica[i]
	s.turn = i
	_ = r.node.Step(m.message) // of one that is no longer wanted it says so
	switch m.message.GetType() {
	case pb.MsgHeartbeat:
		if st := r.node.BasicStatus(); st.GetTerm() == m.message.GetTerm() {
			r.heard = [2]int64{int64(st.GetTerm()), m.stamp}
		}
	case pb.MsgHeartbeatResp:
		if r.is.leads() && r.is.term == m.message.GetTerm() && m.echo != 0 {
			r.lease.Answered((int(m.from)-services-i+s.cfg.replicas)%s.cfg.replicas, m.echo)
		}
	}
	s.pump(env, i)
}

// pump carries out what a node has to do, one Ready after the other. What must be on disk is written first, and takes its time; nothing
// that depends on it leaves before.
func (s *run) pump(env *labs.Env, i int) {
	r, p := &s.replica[i], &s.process[services+i]
	for !r.writing && r.node.HasReady() {
		r.ready = r.node.Ready()
		if r.ready.MustSync && p.disk > 0 {
			r.writing, r.since = true, env.Now()
			env.At(env.Now()+p.disk, atWritten, uint16(i), p.life, 0)
			break
		}
		s.finish(env, i)
	}
	s.observe(env, i)
}

// written ends a write, which may have taken too long for one who leads.
func (s *run) written(env *labs.Env, i int) {
	r := &s.replica[i]
	s.turn = i
	s.finish(env, i)
	if s.cfg.handsOver && r.is.leads() && !r.handing && env.Now()-r.since >= s.cfg.timeout/2 {
		s.handOver(env, i, s.closest(i))
	}
	s.pump(env, i)
}

// closest is the follower of i whose log reaches farthest.
func (s *run) closest(i int) int {
	best, most := nobody, uint64(0)
	s.replica[i].node.WithProgress(func(id uint64, _ raft.ProgressType, p tracker.Progress) {
		if id != uint64(i+1) && p.RecentActive && p.Match > most {
			best, most = int(id)-1, p.Match
		}
	})
	return best
}

// handOver asks another to lead; from the first word on, the leader's lease is over.
func (s *run) handOver(env *labs.Env, i, to int) {
	if to == nobody || to == i || !s.replica[i].is.leads() {
		return
	}
	r := &s.replica[i]
	s.turn, r.handing = i, true
	r.lease.Handover(true)
	r.node.TransferLeader(uint64(to + 1))
	env.Emit(eventTransfer, entityReplica+to, int64(r.is.term), 0)
	s.pump(env, i)
}

// finish persists, sends and applies what is ready.
func (s *run) finish(env *labs.Env, i int) {
	r, p := &s.replica[i], &s.process[services+i]
	rd := r.ready
	r.writing = false
	if !raft.IsEmptyHardState(rd.HardState) {
		_ = r.disk.SetHardState(rd.HardState) // in memory nothing can fail
	}
	_ = r.disk.Append(rd.Entries)
	for _, m := range rd.Messages {
		out := mail{kind: mailRaft, from: int16(services + i), to: int16(services - 1 + int(m.GetTo())), message: m, stamp: p.now(env.Now())}
		if m.GetType() == pb.MsgHeartbeatResp && r.heard[0] == int64(m.GetTerm()) {
			out.echo = r.heard[1]
		}
		s.send(env, out)
	}
	for _, e := range rd.CommittedEntries {
		s.judgeLogs(env, i, e)
		if data := e.GetData(); len(data) > 0 {
			s.apply(env, i, decode(data))
		}
	}
	r.node.Advance(rd)
	r.ready = raft.Ready{}
}

// observe notices what has become of a node.
func (s *run) observe(env *labs.Env, i int) {
	r := &s.replica[i]
	st := r.node.BasicStatus()
	is := role{st.RaftState, st.GetTerm()}
	if is.leads() && is != r.is {
		s.outlived(env, i)
		r.is = is
		s.leads(env, i)
	} else if r.is.leads() && !is.leads() {
		s.outlived(env, i)
		env.Emit(eventFollow, entityReplica+i, int64(is.term), 0)
	}
	r.is = is
	if r.handing && st.LeadTransferee == 0 {
		r.handing = false
		r.lease.Handover(false)
	}
	if leader := int(st.Lead) - 1; leader != r.leader {
		r.leader = leader
		s.announce(env, i, leader)
	}
	s.showReplica(env, i, is.leads(), int64(is.term), int64(st.GetCommit()))
}

// leads is that node i has become the leader: it writes into the log that its term begins.
func (s *run) leads(env *labs.Env, i int) {
	r := &s.replica[i]
	env.Emit(eventLead, entityReplica+i, int64(r.is.term), 0)
	s.overtake(env, i)
	s.judgeLeader(env, int64(r.is.term), i)
	l, err := lease.NewLeader(lease.LeaderConfig{
		// A follower counts ticks, and the first may come at once.
		Nodes: s.cfg.replicas, Election: (electionTick - 1) * s.cfg.tick, Drift: s.cfg.drift,
	})
	if err != nil {
		panic("quota: " + err.Error()) // the parameters' ranges lie within the lease's
	}
	r.lease = l
	_ = r.node.Propose(encode(entry{kind: entryTerm, stamp: s.stamp(env, i), want: int64(r.is.term)})) // if it is dropped, so is the leader
}

// decide answers an ask, or sees to it that the log does.
func (s *run) decide(env *labs.Env, i int, a asked) {
	r := &s.replica[i]
	s.turn = i
	if s.cfg.use == useStore {
		s.decideStore(env, i, a)
		return
	}
	if !r.is.leads() {
		s.reply(env, i, a, answer{why: notMe}, r.leader)
		return
	}
	stamp := s.stamp(env, i)
	if r.decides != r.is.term {
		s.reply(env, i, a, answer{why: notYet}, i)
		return
	}
	if s.cfg.use == useLeases {
		if _, ok := r.lease.LeadsAt(s.process[services+i].now(env.Now())); !ok {
			s.reply(env, i, a, answer{why: notYet}, i)
			return
		}
		g, why := r.pool.GrantAt(stamp, uint64(a.from), a.want)
		s.reply(env, i, a, outcome(g, why, stamp), i)
		return
	}
	if stamp < r.dry+period { // refusing needs nobody's consent
		s.reply(env, i, a, answer{why: spent, rest: r.dry + period - stamp}, i)
		return
	}
	e := entry{kind: entryGrant, stamp: stamp, asked: a, origin: i, life: s.process[services+i].life}
	if r.node.Propose(encode(e)) != nil {
		s.reply(env, i, a, answer{why: notYet}, i)
		return
	}
	s.pump(env, i)
}

// apply carries out an entry of the log, as every replica does.
func (s *run) apply(env *labs.Env, i int, e entry) {
	r := &s.replica[i]
	switch e.kind {
	case entryTerm:
		// What was granted before is in the log, unless it never was: then it must be over first.
		known := s.cfg.local != localLate && s.cfg.use != useLeases || r.terms == 0
		if s.cfg.use == useLeases {
			r.pool = s.newPool()
		}
		r.terms++
		r.pool.TakeOverAt(e.stamp, e.want, known, e.stamp)
		r.decides = uint64(e.want)
		if !known && r.is.leads() && r.is.term == r.decides {
			env.Emit(eventQuiet, entityReplica+i, e.want, 0)
		}
	case entryGrant:
		g, why := r.pool.GrantAt(e.stamp, uint64(e.from), e.asked.want)
		if why == grants.Spent {
			r.dry = floor(e.stamp)
		}
		if e.origin == i && e.life == s.process[services+i].life {
			s.reply(env, i, e.asked, outcome(g, why, e.stamp), i)
		}
	}
}

// outcome is what a pool said, as it is told to a service.
func outcome(g grants.Grant, why grants.Reason, stamp int64) answer {
	switch why {
	case grants.Granted:
		return answer{why: granted, grant: g}
	case grants.Quiet:
		return answer{why: notYet}
	}
	return answer{why: spent, rest: floor(stamp) + period - stamp}
}

// floor is the start of the period in which an instant lies.
func floor(at int64) int64 {
	rest := at % period
	if rest < 0 {
		rest += period
	}
	return at - rest
}

func (s *run) showReplica(env *labs.Env, i int, leads bool, term, log int64) {
	at := columnReplica + i*nOfReplica
	env.Set(at+ofLeads, number(leads))
	env.Set(at+ofTerm, term)
	env.Set(at+ofLog, log)
	leaders := int64(0)
	for k := range s.cfg.replicas {
		if r := &s.replica[k]; !s.process[services+k].down && (r.is.leads() || r.primary) {
			leaders++
		}
	}
	env.Set(columnLeaders, leaders)
}
