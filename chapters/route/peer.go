package route

// State is the health of a peer as a Pool sees it.
type State uint8

// The states. Up, Warming and Probing count as healthy.
const (
	Up      State = iota
	Warming       // back or new, with a part of its weight (slow start)
	Probing       // back from Down or Ejected, with a few requests at a time until they succeed
	Ejected       // failed too often, until its time is over
	Down          // said to be down by SetHealth
	nState
)

var states = [nState]string{"up", "warming", "probing", "ejected", "down"}

// String is the state in words.
func (s State) String() string { return nameOf(states[:], uint8(s)) }

func (s State) healthy() bool { return s <= Probing }

// peer is one peer's state.
type peer struct {
	Peer
	state State
	era   uint32 // moves on with each change of health; results of an older era decide nothing
	conns int64  // requests in flight
	since int64  // when this state began
	// until is when this state ends by time alone: the end of Warming and Ejected, the instant at which the probes in flight count
	// as lost; MaxInt64 otherwise.
	until     int64
	fails     int64 // consecutive failures in this era
	ejections int64 // how many base times the last ejection lasted
	calm      int64 // since when that number shrinks
	probes    int64 // in flight, Probing only
	passed    int64 // probes that succeeded, Probing only
	current   int64 // Smooth and ties of LeastConn, in 1/WeightUnit
	cost      int64 // PeakEWMA: latency in ns/fraction, as of costAt
	costAt    int64
	known     bool  // there was a latency to observe
	busy      int64 // penalties in requests/fraction, as of busyAt
	busyAt    int64
}

const (
	peerBytes   = 152
	wordsOfPool = 7
)

// index computes the sets and counts from the peers.
func (p *Pool) index() {
	n := len(p.peers)
	p.ready, p.roomy, p.tried = newSet(n), newSet(n), newSet(n)
	p.members, p.healthy, p.ejected = 0, 0, 0
	for i := range p.peers {
		p.count(i, 1)
		p.refresh(i)
	}
}

// count adds peer i to the counts, or takes it out with by = −1.
func (p *Pool) count(i, by int) {
	q := &p.peers[i]
	if q.Weight == 0 {
		return
	}
	p.members += by
	if q.state.healthy() {
		p.healthy += by
	}
	if q.state == Ejected {
		p.ejected += by
	}
}

// refresh says anew whether peer i may be chosen.
func (p *Pool) refresh(i int) {
	q := &p.peers[i]
	roomy := q.Weight > 0 && (q.MaxConns == 0 || q.conns < q.MaxConns)
	p.roomy.put(i, roomy)
	p.ready.put(i, roomy && q.state.healthy() && !(q.state == Probing && q.probes >= p.cfg.Probe.Conns))
}

// enter is the one place where a peer's state changes. A change of health begins a new era; from Warming to Up nothing does but the
// end of the warming.
func (p *Pool) enter(i int, s State, at, until int64) {
	q := &p.peers[i]
	p.count(i, -1)
	if s != Up || q.state != Warming {
		q.era++
		q.fails, q.probes, q.passed = 0, 0, 0
	}
	q.state, q.since, q.until = s, at, until
	p.count(i, 1)
	p.refresh(i)
	p.wake = min(p.wake, until)
}

// SetHealth says what an active check or an operator found out, and reports whether that changed the peer's state. Up again, an
// ejection is forgotten too, but not how often there was one; the peer probes or warms up before it is Up. Down again is no change.
func (p *Pool) SetHealth(now int64, i int, up bool) bool {
	p.advance(now)
	q := &p.peers[i]
	switch {
	case up == (q.state != Down):
		return false
	case up:
		p.back(i, p.now)
	default:
		p.enter(i, Down, p.now, maxInt64)
	}
	return true
}

// back lets a peer return at an instant: by probes, if any are wanted, then by slow start, if wanted.
func (p *Pool) back(i int, at int64) {
	p.peers[i].calm = at
	if p.cfg.Probe.Conns > 0 {
		p.enter(i, Probing, at, maxInt64)
		return
	}
	p.warm(i, at)
}

// warm begins the slow start.
func (p *Pool) warm(i int, at int64) {
	if w := p.cfg.SlowStart.Window; w > 0 {
		p.enter(i, Warming, at, later(at, w))
		return
	}
	p.enter(i, Up, at, maxInt64)
}

// advance lets time pass: ejections and warm-ups end, lost probes count as failed, each at its own instant.
func (p *Pool) advance(now int64) {
	p.now = max(p.now, now)
	if p.now < p.wake {
		return
	}
	for i := range p.peers {
		q := &p.peers[i]
		// An ejection may be followed by a warm-up that has passed as well.
		for q.until <= p.now && q.until < maxInt64 {
			switch q.state {
			case Ejected:
				p.back(i, q.until)
			case Probing:
				p.eject(i, q.until)
			default:
				p.enter(i, Up, q.until, maxInt64)
			}
		}
	}
	p.NextChange()
}

// AdvanceAt lets time pass without a request, so that State and Panicking are those of now.
func (p *Pool) AdvanceAt(now int64) { p.advance(now) }

// NextChange is the next instant at which a peer's state changes by time alone, MaxInt64 when none does. O(peers).
func (p *Pool) NextChange() int64 {
	p.wake = maxInt64
	for i := range p.peers {
		p.wake = min(p.wake, p.peers[i].until)
	}
	return p.wake
}

// nextReturn is the earliest end of an ejection, MaxInt64 when there is none.
func (p *Pool) nextReturn() int64 {
	at := int64(maxInt64)
	for i := range p.peers {
		if q := &p.peers[i]; q.state == Ejected && q.Weight > 0 {
			at = min(at, q.until)
		}
	}
	return at
}

// State is the state of peer i as of the newest instant seen.
func (p *Pool) State(i int) State { return p.peers[i].state }

// Since is when peer i entered its state, the least int64 when it was made in it.
func (p *Pool) Since(i int) int64 { return p.peers[i].since }
