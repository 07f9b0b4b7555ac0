package route

// Peak EWMA (twitter/finagle, finagle-core, loadbalancer/PeakEwma.scala). The cost of a peer is a moving average of its latencies
// whose weights fade with the time between observations, e^(−Δt/decay), but a latency above the average replaces it at once. What is
// compared is cost × (requests in flight + 1). On idle, the cost fades too, so that a peer once slow is tried again.
//
// Three things differ from Finagle. A latency is compared with the cost faded to now, so that it does not matter whether somebody looked
// at the cost in between. A peer without any latency yet costs as much as the dearest of the others, not nothing: else a new
// peer, or one that answers nothing, draws everything until its first answer. And a failure never lowers the cost: else a peer that
// fails at once is the fastest of all.

// maxCost bounds a latency: 2^46 ns, 19 hours.
const maxCost = 1 << 46

// observe learns a latency.
func (p *Pool) observe(q *peer, took int64, o Outcome) {
	rtt := min(took, maxCost) * fraction
	cost := p.costNow(q)
	if o == Failure && (!q.known || rtt <= cost) {
		return // it says nothing about how fast the peer answers
	}
	if rtt > cost || !q.known {
		cost = rtt
	} else {
		cost = rtt + decayed(q.cost-rtt, since(q.costAt, p.now), p.cfg.EWMADecay)
	}
	q.cost, q.costAt, q.known = cost, p.now, true
}

// costNow is the cost of a peer faded to now, in ns/fraction.
func (p *Pool) costNow(q *peer) int64 {
	return decayed(q.cost, since(q.costAt, p.now), p.cfg.EWMADecay)
}

// dearest is the highest cost of a peer that has one.
func (p *Pool) dearest() int64 {
	top := int64(0)
	for i := range p.peers {
		if q := &p.peers[i]; q.known {
			top = max(top, p.costNow(q))
		}
	}
	return top
}

// Cost is the cost of peer i in ns as of the newest instant seen, rounded down, and false while it has none of its own: then it is
// that of the dearest peer.
func (p *Pool) Cost(i int) (ns int64, known bool) {
	q := &p.peers[i]
	if !q.known {
		return p.dearest() / fraction, false
	}
	return p.costNow(q) / fraction, true
}

// compareCost is the sign of the difference of two peers' cost × load ÷ weight. The products need more than 64 bits; float64 rounds
// them, the same way everywhere.
func (p *Pool) compareCost(i, j int) int {
	a, b := p.score(i), p.score(j)
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (p *Pool) score(i int) float64 {
	q := &p.peers[i]
	cost := p.costNow(q)
	if !q.known {
		cost = p.dearest()
	}
	// Without any latency at all the loads decide.
	n, w := p.load(i, 1)
	return float64(max(cost, 1)) * float64(n) / float64(w)
}
