package route

// leastConn chooses the candidate with the fewest requests in flight for its weight. Among equals smooth weighted round robin
// decides, and only their current weights move, as in nginx (src/http/modules/ngx_http_upstream_least_conn_module.c).
func (p *Pool) leastConn(from set) int {
	best, ties := from.from(0), false
	least, weight := p.load(best, 0)
	for i := from.from(best + 1); i >= 0; i = from.from(i + 1) {
		n, w := p.load(i, 0)
		switch compareRatios(n, w, least, weight) {
		case -1:
			best, least, weight, ties = i, n, w, false
		case 0:
			ties = true
		}
	}
	if !ties {
		return best
	}
	// As smooth, over the equals, of which best is the first.
	total := int64(0)
	for i := best; i >= 0; i = from.from(i + 1) {
		n, w := p.load(i, 0)
		if compareRatios(n, w, least, weight) != 0 {
			continue
		}
		q := &p.peers[i]
		q.current += w
		total += w
		if q.current > p.peers[best].current {
			best = i
		}
	}
	p.peers[best].current -= total
	return best
}

// load is what peer i has to do, in requests/fraction, with plus requests more, and its weight.
func (p *Pool) load(i int, plus int64) (n, weight int64) {
	q := &p.peers[i]
	return (q.conns+plus)*fraction + p.busyNow(q), p.weight(q)
}

// maxBusy bounds the penalties of one peer: as many as there can be requests.
const maxBusy = MaxInFlight * fraction

// blame adds one failure to the penalties of a peer. Each fades with FailurePenalty as its mean lifetime, so a peer that fails f times
// a second carries f × FailurePenalty of them: by Little's law, what it would have in flight if a failure took that long.
func (p *Pool) blame(q *peer) {
	q.busy = min(p.busyNow(q)+fraction, maxBusy)
	q.busyAt = p.now
}

func (p *Pool) busyNow(q *peer) int64 {
	if q.busy == 0 {
		return 0
	}
	return decayed(q.busy, since(q.busyAt, p.now), p.cfg.FailurePenalty)
}
