package route

// checkPeers returns the first fault of a set of peers.
func checkPeers(peers []Peer) error {
	if err := within("peers", int64(len(peers)), 0, MaxPeers, ""); err != nil {
		return err
	}
	seen := make(map[string]bool, len(peers))
	for _, c := range peers {
		if c.Name == "" || seen[c.Name] {
			return &NameError{Name: c.Name}
		}
		seen[c.Name] = true
		if err := firstOf(
			within("weight of "+c.Name, c.Weight, 0, MaxWeight, ""),
			within("max conns of "+c.Name, c.MaxConns, 0, MaxInFlight, ""),
		); err != nil {
			return err
		}
	}
	return nil
}

// SetPeers changes the set of peers, their weights or their room. A peer that is there before and after, by its name, keeps its
// requests in flight, its health, its latency and its place in the turns. One that is new, or whose weight was 0, warms up. The
// leases of one that leaves stay valid, count in Total and decide nothing. Indexes are those of the new set from now on. On an error
// nothing changes. It allocates.
func (p *Pool) SetPeers(now int64, peers []Peer) error {
	if err := checkPeers(peers); err != nil {
		return err
	}
	p.advance(now)
	next := make(map[string]int, len(peers))
	for i, c := range peers {
		next[c.Name] = i
	}
	before := p.turnWeight()
	moved := make([]int32, len(p.peers)) // new index of each old one, −1 when it leaves
	for i := range p.peers {
		j, stays := next[p.peers[i].Name]
		moved[i] = int32(j)
		if !stays {
			moved[i] = -1
		}
		if !stays || peers[j].Weight == 0 {
			p.level(i)
		}
	}
	p.cursor = movedCursor(p.cursor, moved)
	p.replace(peers, moved)
	for i := range p.leases.slots {
		if s := &p.leases.slots[i]; s.peer >= 0 {
			s.peer = moved[s.peer]
		}
	}
	p.index()
	p.rescale(before, p.turnWeight())
	p.NextChange()
	return nil
}

// replace puts the new peers in place of the old, with the state of those that stay.
func (p *Pool) replace(peers []Peer, moved []int32) {
	old := p.peers
	p.peers = make([]peer, len(peers))
	state, until := Up, int64(maxInt64)
	if w := p.cfg.SlowStart.Window; w > 0 {
		state, until = Warming, later(p.now, w)
	}
	for i, c := range peers {
		p.peers[i] = peer{Peer: c, state: state, since: p.now, until: until, calm: p.now}
	}
	for i, j := range moved {
		if j < 0 {
			continue
		}
		q := old[i]
		if q.Weight == 0 && peers[j].Weight > 0 && q.state == Up {
			q.state, q.since, q.until = state, p.now, until
			q.era++
		}
		q.Peer = peers[j]
		p.peers[j] = q
	}
}

// movedCursor is where the turn goes on: at the first peer from the cursor on that stays.
func movedCursor(cursor int, moved []int32) int {
	for i := cursor; i < len(moved); i++ {
		if moved[i] >= 0 {
			return int(moved[i])
		}
	}
	return 0
}

// turnWeight is the sum of all weights, in 1/WeightUnit.
func (p *Pool) turnWeight() int64 {
	sum := int64(0)
	for i := range p.peers {
		sum += p.peers[i].Weight * WeightUnit
	}
	return sum
}
