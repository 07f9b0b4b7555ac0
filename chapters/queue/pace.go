package queue

// pace is when a consumer with a rate takes the next one. Its instants lie Per/N apart, as exact fractions, so they drift neither way;
// one that is no whole nanosecond is rounded up. Who is served late by less than a turn does not make the others later; but a whole
// turn that nobody used is gone, and the pace begins anew. So in any span t at most t × N/Per and two are served.
type pace struct {
	rate Rate
	due  int64 // the next instant, ⌊due + part/N⌋
	part int64 // of a nanosecond, in N-ths, 0..N−1
}

func newPace(r Rate) pace { return pace{rate: r, due: minInt64} }

func (p *pace) known() bool { return p.rate.N > 0 }

// at is the whole nanosecond from which on the next one may be served.
func (p *pace) at() int64 {
	if p.part > 0 {
		return later(p.due, 1)
	}
	return p.due
}

func (p *pace) ready(now int64) bool { return !p.known() || now >= p.at() }

// start is the instant from which the turns are counted at now, with its part of a nanosecond.
func (p *pace) start(now int64) (from, part int64) {
	if since(p.at(), now) >= p.rate.Per/p.rate.N+1 {
		return now, 0
	}
	return p.due, p.part
}

// turn is when the one behind so many others is served, if somebody looks whenever it is due, and the first time at now.
func (p *pace) turn(now, ahead int64) int64 {
	if !p.known() {
		return now
	}
	from, part := p.start(now)
	d, rest := mulAddDiv(ahead, p.rate.Per, part, p.rate.N)
	if rest > 0 {
		d = later(d, 1)
	}
	return max(now, later(from, d))
}

// serve moves on by one.
func (p *pace) serve(now int64) {
	if !p.known() {
		return
	}
	from, part := p.start(now)
	d, rest := mulAddDiv(1, p.rate.Per, part, p.rate.N)
	p.due, p.part = later(from, d), rest
}
