package route

// Outlier ejects a peer that fails several times in a row, as Envoy's consecutive-5xx detector does (envoyproxy/envoy, arch_overview,
// upstream/outlier).
type Outlier struct {
	Consecutive  int64 // failures in a row, 0..1_000_000; 0 ejects nobody
	BaseEjection int64 // ns, 1..MaxDuration: the n-th ejection soon after another lasts n × this
	MaxEjection  int64 // ns, BaseEjection..MaxDuration: but never longer than this
	Interval     int64 // ns, 1..MaxDuration: each spent in health forgets one ejection
	MaxPercent   int64 // 0..100: no ejection that would put more than so many percent of the peers out, be it the first
}

// EnvoyOutlier is Envoy's default: 5 failures, 30 s × n up to 300 s, an interval of 10 s, at most 10 percent. With fewer than ten
// peers it therefore ejects nobody.
func EnvoyOutlier() Outlier {
	return Outlier{Consecutive: 5, BaseEjection: 30 * second, MaxEjection: 300 * second, Interval: 10 * second, MaxPercent: 10}
}

func (o *Outlier) check() error {
	if o.Consecutive == 0 && *o == (Outlier{}) {
		return nil
	}
	return firstOf(
		within("consecutive failures", o.Consecutive, 0, 1_000_000, ""),
		within("base ejection", o.BaseEjection, 1, MaxDuration, "ns"),
		within("max ejection", o.MaxEjection, o.BaseEjection, MaxDuration, "ns"),
		within("interval", o.Interval, 1, MaxDuration, "ns"),
		within("max ejection percent", o.MaxPercent, 0, 100, ""),
	)
}

// Probe lets a peer that comes back prove itself by a few requests before it gets its share.
type Probe struct {
	Conns     int64 // requests at a time, 0..MaxInFlight; 0 means no probing
	Successes int64 // so many must succeed, 1..1_000_000
	Timeout   int64 // ns, 1..MaxDuration: when none of the probes in flight is done for so long, they count as failed: a lost one blocks nothing
}

func (b *Probe) check() error {
	if *b == (Probe{}) {
		return nil
	}
	return firstOf(
		within("probe connections", b.Conns, 1, MaxInFlight, "requests"),
		within("probe successes", b.Successes, 1, 1_000_000, ""),
		within("probe timeout", b.Timeout, 1, MaxDuration, "ns"),
	)
}

// judge lets the outcome of a request of this era decide about its peer.
func (p *Pool) judge(i int, s leaseSlot, o Outcome) {
	q := &p.peers[i]
	if s.probe {
		q.until = maxInt64
		if q.probes--; q.probes > 0 {
			p.expectProbe(q)
		}
	}
	switch {
	case o == Ignored || !q.state.healthy():
	case o == Success && s.probe:
		q.fails = 0
		if q.passed++; q.passed >= p.cfg.Probe.Successes {
			p.warm(i, p.now)
		}
	case o == Success:
		q.fails = 0
	case s.probe:
		p.eject(i, p.now)
	default:
		q.fails++
		if c := p.cfg.Outlier.Consecutive; c > 0 && q.fails >= c {
			q.fails = 0
			p.eject(i, p.now)
		}
	}
}

// expectProbe sets the instant at which the probes in flight count as lost.
func (p *Pool) expectProbe(q *peer) {
	q.until = later(p.now, p.cfg.Probe.Timeout)
	p.wake = min(p.wake, q.until)
}

// eject puts peer i out, if so many may be. A peer whose probe failed and that may not be put out begins its probes again.
func (p *Pool) eject(i int, at int64) {
	q := &p.peers[i]
	o := &p.cfg.Outlier
	if o.Consecutive == 0 || q.Weight == 0 || int64(p.ejected+1)*100 > o.MaxPercent*int64(p.members) {
		if q.state == Probing {
			p.enter(i, Probing, at, maxInt64)
		}
		return
	}
	calm := since(q.calm, at) / o.Interval
	q.ejections = max(0, q.ejections-calm)
	if mulUpTo(o.BaseEjection, q.ejections, o.MaxEjection) < o.MaxEjection {
		q.ejections++
	}
	p.enter(i, Ejected, at, later(at, mulUpTo(o.BaseEjection, q.ejections, o.MaxEjection)))
}

// Ejections is by how many base times the next ejection of peer i would be longer than the first, were it to come at once.
func (p *Pool) Ejections(i int) int64 {
	q := &p.peers[i]
	if p.cfg.Outlier.Interval == 0 || !q.state.healthy() {
		return q.ejections
	}
	return max(0, q.ejections-since(q.calm, p.now)/p.cfg.Outlier.Interval)
}
