package quota

import (
	pb "go.etcd.io/raft/v3/raftpb"

	"seedbed/labs"
)

// judge is what an observer knows who sees everything, in true time.
type judge struct {
	period  int64 // that runs
	spent   int64 // in it
	leaders []int8
	log     []uint64 // by index: what the first replica applied there
	wellAt  int64    // since when the replicas that one can count on have been the same, and a majority; −1: they are none
	well    int
}

func (j *judge) begin() { j.wellAt, j.well = 0, -1 }

// judgeQuota holds every second of true time to the limit.
func (s *run) judgeQuota(env *labs.Env, request int64) {
	j := &s.judge
	if p := env.Now() / period; p != j.period {
		j.period, j.spent = p, 0
		env.Set(columnSpent, 0)
	}
	j.spent++
	env.Set(columnSpent, j.spent)
	s.counts[metricPeak] = max(s.counts[metricPeak], j.spent)
	if j.spent > s.cfg.limit {
		s.counts[metricOver]++
		env.Fail(checkQuota, request, j.spent, s.cfg.limit, j.period+1)
	}
}

// judgeLeader holds every term to one leader.
func (s *run) judgeLeader(env *labs.Env, term int64, i int) {
	j := &s.judge
	s.counts[metricTerms]++
	for int64(len(j.leaders)) <= term {
		j.leaders = append(j.leaders, 0)
	}
	if first := int(j.leaders[term]); first != 0 && first != i+1 {
		env.Fail(checkLeader, s.counts[metricRequests], term, int64(first), int64(i+1))
		return
	}
	j.leaders[term] = int8(i + 1)
}

// judgeLogs holds what replicas apply to what the first of them applied there.
func (s *run) judgeLogs(env *labs.Env, i int, e *pb.Entry) {
	if !s.judge.agrees(e) {
		env.Fail(checkLogs, s.counts[metricRequests], int64(e.GetIndex()), int64(i+1))
	}
	s.counts[metricEntries] = max(s.counts[metricEntries], int64(len(s.judge.log))-firstIndex)
}

// firstIndex is the first entry of a log: those before are the replicas' common beginning.
const firstIndex = 2

// agrees is false when another entry was applied there before.
func (j *judge) agrees(e *pb.Entry) bool {
	f := e.GetTerm()*0x9E3779B185EBCA87 + 1
	for _, b := range e.GetData() {
		f = (f ^ uint64(b)) * 0x100000001b3
	}
	for uint64(len(j.log)) <= e.GetIndex() {
		j.log = append(j.log, 0)
	}
	if j.log[e.GetIndex()] == 0 {
		j.log[e.GetIndex()] = f
	}
	return j.log[e.GetIndex()] == f
}

// patience is for how long a majority may need to go on without a minority: to notice, to elect, perhaps twice, and for the services to
// find out.
func (s *run) patience() int64 { return 4*s.cfg.election + 10*s.cfg.timeout + 2*s.cfg.failover }

// judgeServes holds the replicas to their purpose: while a majority of them is well, a service that reaches them gets answers.
func (s *run) judgeServes(env *labs.Env, i int) {
	v, j := &s.service[i], &s.judge
	if s.process[i].cut || j.wellAt < 0 || env.Now()-max(v.unheard, v.clearAt, j.wellAt) <= s.patience() {
		return
	}
	env.Fail(checkServes, s.counts[metricRequests], int64(i+1), env.Now()-v.unheard, int64(j.well))
}

// count finds the replicas that one can count on: they run, reach each other, write in reasonable time, and nobody meddles with them.
func (s *run) count(env *labs.Env) {
	j, well := &s.judge, 0
	for i := range s.cfg.replicas {
		if p := &s.process[services+i]; !p.down && !p.cut && p.disk <= slowest {
			well++
		}
	}
	j.well, j.wellAt = well, env.Now()
	if 2*well <= s.cfg.replicas {
		j.wellAt = -1
	}
}

// overtake notes that i leads now, while some that led before may not know.
func (s *run) overtake(env *labs.Env, i int) {
	for k := range s.cfg.replicas {
		if r := &s.replica[k]; k != i && !s.process[services+k].down && (r.is.leads() || r.primary) && r.overtook < 0 {
			r.overtook = env.Now()
		}
	}
}

// outlived measures for how long i went on leading after somebody else began to.
func (s *run) outlived(env *labs.Env, i int) {
	if r := &s.replica[i]; r.overtook >= 0 {
		s.counts[metricOutlived] = max(s.counts[metricOutlived], env.Now()-r.overtook)
		r.overtook = -1
	}
}
