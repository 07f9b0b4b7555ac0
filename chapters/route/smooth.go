package route

// smooth is nginx's smooth weighted round robin (nginx, src/http/ngx_http_upstream_round_robin.c, 2012): every candidate's current
// weight grows by its weight, the largest is chosen, the first among equals, and pays the sum of what was handed out. So the current
// weights always sum to 0, are all 0 again after Σw picks, and a heavy peer's turns lie between those of the others.
//
// Who is no candidate for a while, being full or unhealthy, keeps its current weight, as in nginx. That is never worth much more than
// one pick, so who comes back makes up for nothing.
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

// level takes peer i, which leaves or will have no weight, out of the turns, and spreads its current weight over the others, so that the
// sum stays 0.
func (p *Pool) level(i int) {
	rest := p.peers[i].current
	p.peers[i].current, p.peers[i].Weight = 0, 0
	p.spread(rest)
}

// spread adds rest evenly to the current weights of the peers with weight. Without any, all begin anew.
func (p *Pool) spread(rest int64) {
	n := int64(0)
	for i := range p.peers {
		if p.peers[i].Weight > 0 {
			n++
		}
	}
	for i := range p.peers {
		q := &p.peers[i]
		switch {
		case n == 0 && rest != 0:
			q.current = 0
		case q.Weight > 0:
			share := rest / n
			q.current += share
			rest -= share
			n--
		}
	}
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
	p.spread(-sum)
}

// Current is the current weight of peer i in the sense of smooth weighted round robin, in 1/WeightUnit.
func (p *Pool) Current(i int) int64 { return p.peers[i].current }
