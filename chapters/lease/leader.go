package lease

// MaxNodes bounds a Leader's group.
const MaxNodes = 64

// LeaderConfig describes a Leader.
type LeaderConfig struct {
	Nodes    int   // in the group, the leader itself counted, 1..MaxNodes
	Election int64 // ns, 1..MaxDuration: a follower that has heard a leader votes for nobody else for so long, by its own clock
	Drift    int64 // parts of a million by which clocks may be off, 0..MaxDrift
}

// Leader is what the leader of a quorum may answer by its own clock alone, without asking again: while a majority has promised to vote for
// nobody else, nobody else can lead (Ongaro, "Consensus: Bridging Theory and Practice", 2014, section 6.4.1).
//
//   - The promise counts from when the heartbeat was sent, not from when its answer came: the follower may have made it at any instant between.
//   - It lasts Span(Election, Drift), which is less than Election (etcd-io/raft#166).
//   - From the first word of a handover there is none: who is told to stand votes at once and asks others to (etcd-io/raft#99).
//   - A leader that stalls notices on its own: no answers, no lease.
//
// That is enough to answer reads. Whatever was given away under it, such as quota, lives on until it ends by itself: the next leader
// counts it, or waits. O(Nodes) an answer, flat. The zero value leads nothing.
type Leader struct {
	cfg     LeaderConfig
	sent    [MaxNodes]int64 // of the newest heartbeat that each has answered
	heard   [MaxNodes]bool
	handing bool
}

// NewLeader is for the node at index 0 of a group, which has not heard of anybody yet. It returns a *RangeError for a field out of range.
func NewLeader(cfg LeaderConfig) (Leader, error) {
	err := firstOf(
		within("nodes", int64(cfg.Nodes), 1, MaxNodes, ""),
		within("election", cfg.Election, 1, MaxDuration, "ns"),
		within("drift", cfg.Drift, 0, MaxDrift, "parts of a million"))
	if err != nil {
		return Leader{}, err
	}
	return Leader{cfg: cfg}, nil
}

// Answered takes in that a node, 1..Nodes−1, has answered a heartbeat that the leader sent at that instant of its own clock, in its own term.
// Others are ignored, and so are answers to heartbeats older than one that it has answered.
func (l *Leader) Answered(node int, sent int64) {
	if node < 1 || node >= l.cfg.Nodes || l.heard[node] && sent <= l.sent[node] {
		return
	}
	l.heard[node], l.sent[node] = true, sent
}

// Handover ends the lease: the leader is about to ask another to lead. With false it begins again from answers to come: promises of before
// may have been broken by the handover.
func (l *Leader) Handover(begins bool) {
	l.handing = begins
	l.heard = [MaxNodes]bool{}
}

// LeadsAt reports whether nobody else can lead at now, and until when that is known; the instant is 0 when it does not.
func (l *Leader) LeadsAt(now int64) (until int64, ok bool) {
	if l.cfg.Nodes == 0 || l.handing {
		return 0, false
	}
	others := l.cfg.Nodes / 2 // that make a majority with the leader
	if others == 0 {
		return maxInt64, true
	}
	// The newest instant that so many others have answered or outrun.
	newest, found := int64(minInt64), false
	for i := range l.cfg.Nodes {
		if !l.heard[i] {
			continue
		}
		n := 0
		for j := range l.cfg.Nodes {
			if l.heard[j] && l.sent[j] >= l.sent[i] {
				n++
			}
		}
		if n >= others {
			newest, found = max(newest, l.sent[i]), true
		}
	}
	if !found {
		return 0, false
	}
	until = later(newest, Span(l.cfg.Election, l.cfg.Drift))
	if now >= until {
		return 0, false
	}
	return until, true
}
