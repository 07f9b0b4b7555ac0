package route

// smooth is nginx's smooth weighted round robin (nginx, src/http/ngx_http_upstream_round_robin.c, 2012): every candidate's current
// weight grows by its weight, the largest is chosen, the first among equals, and pays the sum of what was handed out. So the current
// weights always sum to 0, are all 0 again after Σw picks, and a heavy peer's turns lie between those of the others.
//
// A candidate that is full for the moment keeps its current weight, as in nginx; one that leaves for its health gives it to the
// others (level).
func (p *Pool) smooth(from set) int {
	best, total := -1, int64(0)
	for i := from.from(0); i >= 0; i = from.from(i + 1) {
		q := &p.peers[i]
		w := p.weight(q)
		q.current += w
		total += w
		if best < 0 || q.current > p.peers[best].current {
			best = i
		}
	}
	if best >= 0 {
		p.peers[best].current -= total
	}
	return best
}

// level sets the current weight of peer i to 0 and spreads it over the other peers in rotation, so that the sum stays 0. A peer that
// was away thus comes back without a claim and without a debt: no burst, and no fast.
func (p *Pool) level(i int) {
	rest := p.peers[i].current
	p.peers[i].current = 0
	p.spread(rest, i)
}

// spread adds rest evenly to the current weights of the peers in rotation but one. Without any, all begin anew.
func (p *Pool) spread(rest int64, but int) {
	if rest == 0 {
		return
	}
	n := int64(0)
	for i := range p.peers {
		if p.takesTurns(i, but) {
			n++
		}
	}
	for i := range p.peers {
		switch {
		case n == 0 && rest != 0:
			p.peers[i].current = 0
		case p.takesTurns(i, but):
			share := rest / n
			p.peers[i].current += share
			rest -= share
			n--
		}
	}
}

func (p *Pool) takesTurns(i, but int) bool {
	q := &p.peers[i]
	return i != but && q.Weight > 0 && q.state.healthy()
}

// rescale brings current weights from one sum of weights to another, so that each peer keeps the part of a turn that it had won, and
// the sum is 0 again.
func (p *Pool) rescale(before, after int64) {
	if before == after {
		return
	}
	sum := int64(0)
	for i := range p.peers {
		q := &p.peers[i]
		if before == 0 || after == 0 {
			q.current = 0
		} else {
			q.current = mulDiv(q.current, after, before)
		}
		sum += q.current
	}
	p.spread(-sum, -1)
}

// Current is the current weight of peer i in the sense of smooth weighted round robin, in 1/WeightUnit.
func (p *Pool) Current(i int) int64 { return p.peers[i].current }
