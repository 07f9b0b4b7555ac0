package route

// Policy is how a Pool chooses among the peers that may be chosen.
type Policy uint8

// The policies; the package comment compares them.
const (
	RoundRobin Policy = iota
	Smooth
	LeastConn
	TwoChoices
	PeakEWMA
	nPolicy
)

var policies = [nPolicy]string{"round robin", "smooth weighted round robin", "least connections", "two choices", "peak EWMA"}

// String is the policy in words.
func (p Policy) String() string { return nameOf(policies[:], uint8(p)) }

// Config describes a Pool. Times are ns, 0..MaxDuration unless said otherwise.
type Config struct {
	Policy Policy
	Peers  []Peer // at most MaxPeers; copied

	// PanicPercent: with fewer than so many percent of the peers healthy, health is disregarded. 0..100; 0 never, Envoy's default is
	// 50.
	PanicPercent int64
	// MaxInFlight is the most requests in flight in all, 0..MaxInFlight; 0 means that bound itself.
	MaxInFlight int64
	SlowStart   SlowStart
	Outlier     Outlier
	Probe       Probe
	// EWMADecay is the mean lifetime of a latency in PeakEWMA; 0 means 10 s, Finagle's default.
	EWMADecay int64
	// FailurePenalty is how long a failure counts as if it were still in flight, on average, for LeastConn, TwoChoices and PeakEWMA;
	// 0 means not at all. Choose about the time a healthy peer would need for all the requests that a broken one should not get: a
	// peer that always fails receives about one request per penalty for each one that another has in flight.
	FailurePenalty int64
	// RetryAfter is what a refusal asks for at least; 0 means 1 s. RetrySpread is up to how much longer, at random, lest all who were
	// refused together come back together.
	RetryAfter, RetrySpread int64
}

func (c *Config) check() error {
	return firstOf(
		within("policy", int64(c.Policy), 0, int64(nPolicy)-1, ""),
		within("panic percent", c.PanicPercent, 0, 100, ""),
		within("max in flight", c.MaxInFlight, 0, MaxInFlight, "requests"),
		c.SlowStart.check(),
		c.Outlier.check(),
		c.Probe.check(),
		within("EWMA decay", c.EWMADecay, 0, MaxDuration, "ns"),
		within("failure penalty", c.FailurePenalty, 0, MaxDuration, "ns"),
		within("retry after", c.RetryAfter, 0, MaxDuration/2, "ns"),
		within("retry spread", c.RetrySpread, 0, MaxDuration/2, "ns"),
	)
}

// Pool balances requests over peers. A pick is O(peers) for Smooth and LeastConn and O(peers/64) for the others, without allocation
// unless more requests are in flight than ever before.
type Pool struct {
	cfg     Config // without its peers
	now     int64  // newest instant seen
	wake    int64  // no peer changes by time alone before
	cursor  int    // RoundRobin: where the next turn begins
	peers   []peer
	ready   set // may be chosen: healthy, with weight and room
	roomy   set // with weight and room, whatever their health
	tried   set // scratch of PickOtherAt
	members int // peers with weight
	healthy int // of these
	ejected int // of these
	leases  leases
	extra   int64 // leases finished that were not in flight
}

// NewPool returns a *RangeError or *NameError for what cannot be. The first peers count as healthy and warm.
func NewPool(cfg Config) (Pool, error) {
	if err := firstOf(cfg.check(), checkPeers(cfg.Peers)); err != nil {
		return Pool{}, err
	}
	peers := cfg.Peers
	cfg.Peers = nil
	if cfg.MaxInFlight == 0 {
		cfg.MaxInFlight = MaxInFlight
	}
	if cfg.EWMADecay == 0 {
		cfg.EWMADecay = 10 * second
	}
	if cfg.RetryAfter == 0 {
		cfg.RetryAfter = second
	}
	p := Pool{cfg: cfg, now: minInt64, wake: maxInt64, peers: make([]peer, len(peers))}
	for i, c := range peers {
		p.peers[i] = peer{Peer: c, since: minInt64, until: maxInt64, calm: minInt64}
	}
	p.index()
	return p, nil
}

// PickAt sends a request to a peer, or refuses it. r may be nil for RoundRobin, Smooth and LeastConn without RetrySpread.
func (p *Pool) PickAt(now int64, r Source) Decision {
	p.advance(now)
	from, panicking := p.candidates()
	return p.pick(from, panicking, r)
}

// PickOtherAt is PickAt that avoids the peers tried already, unless no other may be chosen: what a retry wants.
func (p *Pool) PickOtherAt(now int64, tried []int, r Source) Decision {
	p.advance(now)
	from, panicking := p.candidates()
	copy(p.tried, from)
	for _, i := range tried {
		if i >= 0 && i < len(p.peers) {
			p.tried.put(i, false)
		}
	}
	if p.tried.from(0) >= 0 {
		from = p.tried
	}
	return p.pick(from, panicking, r)
}

// candidates are the peers among which the policy may choose.
func (p *Pool) candidates() (from set, panicking bool) {
	if p.Panicking() {
		return p.roomy, true
	}
	return p.ready, false
}

func (p *Pool) pick(from set, panicking bool, r Source) Decision {
	if from.from(0) < 0 || p.leases.inFlight() >= p.cfg.MaxInFlight {
		return p.refuse(panicking, r)
	}
	var i int
	switch p.cfg.Policy {
	case Smooth:
		i = p.smooth(from)
	case LeastConn:
		i = p.leastConn(from)
	case TwoChoices, PeakEWMA:
		i = p.twoChoices(from, r)
	default:
		i = p.roundRobin(from)
	}
	return Decision{OK: true, Panic: panicking, Peer: i, Lease: p.send(i)}
}

// refuse says why nothing was chosen, and when it is worth to ask again.
func (p *Pool) refuse(panicking bool, r Source) Decision {
	d := Decision{Panic: panicking, Reason: AllFull, Peer: -1, RetryAfter: p.cfg.RetryAfter}
	if p.healthy == 0 && !panicking {
		d.Reason = NoneHealthy
		// The next return is the first instant at which the answer can be another.
		if back := p.nextReturn(); back < maxInt64 {
			d.RetryAfter = max(d.RetryAfter, since(p.now, back))
		}
	}
	if p.cfg.RetrySpread > 0 && r != nil {
		d.RetryAfter = later(d.RetryAfter, r.Below(p.cfg.RetrySpread+1))
	}
	return d
}

// send counts a request to peer i.
func (p *Pool) send(i int) Lease {
	q := &p.peers[i]
	probe := q.state == Probing
	q.conns++
	if probe {
		if q.probes++; q.probes == 1 {
			p.expectProbe(q)
		}
	}
	p.refresh(i)
	return p.leases.take(leaseSlot{began: p.now, era: q.era, peer: int32(i), probe: probe})
}

// Done is what the end of a request changed.
type Done struct {
	OK     bool  // false: the lease was not in flight, and nothing changed
	Peer   int   // index of its peer, −1 when that has left the pool
	Took   int64 // ns since the pick
	Before State // of the peer; with Ignored, and for a peer that has left, equal to After
	After  State
}

// DoneAt ends a request: it frees the place and learns from the outcome.
func (p *Pool) DoneAt(now int64, l Lease, o Outcome) Done {
	p.advance(now)
	s, ok := p.leases.end(l)
	if !ok {
		p.extra++
		return Done{Peer: -1}
	}
	d := Done{OK: true, Peer: int(s.peer), Took: since(s.began, p.now)}
	if s.peer < 0 {
		return d
	}
	i := d.Peer
	q := &p.peers[i]
	q.conns--
	d.Before = q.state
	if p.cfg.Policy == PeakEWMA && o != Ignored {
		p.observe(q, d.Took, o)
	}
	if o == Failure && p.cfg.FailurePenalty > 0 {
		p.blame(q)
	}
	if s.era == q.era {
		p.judge(i, s, o)
	}
	p.refresh(i)
	d.After = q.state
	return d
}

// Panicking reports whether health is disregarded, as of the newest instant seen.
func (p *Pool) Panicking() bool {
	return int64(p.healthy)*100 < p.cfg.PanicPercent*int64(p.members)
}

// Len is the number of peers.
func (p *Pool) Len() int { return len(p.peers) }

// Peer is the configuration of peer i.
func (p *Pool) Peer(i int) Peer { return p.peers[i].Peer }

// Find is the index of the peer of a name, −1 when there is none. O(peers).
func (p *Pool) Find(name string) int {
	for i := range p.peers {
		if p.peers[i].Name == name {
			return i
		}
	}
	return -1
}

// InFlight is how many requests peer i has in flight.
func (p *Pool) InFlight(i int) int64 { return p.peers[i].conns }

// Total is how many requests are in flight, those of peers that have left included.
func (p *Pool) Total() int64 { return p.leases.inFlight() }

// Extra is how many leases were finished that were not in flight: a caller's mistakes.
func (p *Pool) Extra() int64 { return p.extra }

// Clone returns an independent copy. A lease in flight is in flight in both, and is finished once in each.
func (p *Pool) Clone() Pool {
	c := *p
	c.peers = append([]peer(nil), p.peers...)
	c.ready = append(set(nil), p.ready...)
	c.roomy = append(set(nil), p.roomy...)
	c.tried = append(set(nil), p.tried...)
	c.leases = p.leases.clone()
	return c
}

// Size is the bytes of state: of each peer, three bits of sets, and of each request that was in flight at the busiest moment.
func (p *Pool) Size() int {
	return len(p.peers)*peerBytes + 3*8*len(p.ready) + p.leases.size() + 8*wordsOfPool
}
