package route

// roundRobin takes the next candidate after the last one chosen, whatever its weight.
func (p *Pool) roundRobin(from set) int {
	i := from.from(p.cursor)
	if i < 0 {
		i = from.from(0)
	}
	p.cursor = i + 1
	return i
}

// scatterWork bounds what Scatter may cost: picks × peers.
const scatterWork = 1 << 24

// Scatter moves a new pool to a random place in its cycle of picks, for RoundRobin, Smooth and LeastConn. Gateways that start
// together with the same peers would otherwise choose the same peer together, each time. The place is drawn from the cycle of picks,
// not from the peers: weights 5, 1, 1 have seven places, not three. A cycle too long to walk (2^24 steps of one peer) is entered
// within its first part.
func (p *Pool) Scatter(r Source) {
	n := int64(len(p.peers))
	if n == 0 || p.cfg.Policy > LeastConn {
		return
	}
	if p.cfg.Policy == RoundRobin {
		p.cursor = int(r.Below(n))
		return
	}
	for k := r.Below(min(p.cycle(), scatterWork/n)); k > 0; k-- {
		p.smooth(p.ready)
	}
}

// cycle is after how many picks Smooth begins anew while nothing changes: the sum of the weights over their common divisor.
func (p *Pool) cycle() int64 {
	var sum, g int64
	for i := p.ready.from(0); i >= 0; i = p.ready.from(i + 1) {
		w := p.weight(&p.peers[i])
		sum += w
		g = gcd(g, w)
	}
	if g == 0 {
		return 0
	}
	return sum / g
}
