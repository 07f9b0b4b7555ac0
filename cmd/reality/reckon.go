package main

import (
	"fmt"
	"slices"
	"time"

	"seedbed/labs"
	"seedbed/labs/caching"
)

// result is what became of the readers of one run, real or reckoned.
type result struct {
	expiries, loads int
	waiters         int
	p99, longest    time.Duration // of those who waited
	pool, orders    time.Duration // p99 of waits for a connection, and of orders
	query           time.Duration // median
	lines           []string      // one an expiry
	reckoned        *result
}

// perExpiry is the loads of one expiry.
func (r *result) perExpiry() float64 { return float64(r.loads) / float64(max(r.expiries, 1)) }

func (r *result) put(p *paper, name string) {
	p.fact(name+".expiries", r.expiries)
	p.fact(name+".loads", r.loads)
	p.fact(name+".per-expiry", fmt.Sprintf("%.1f", r.perExpiry()))
	p.fact(name+".waiters", r.waiters)
	for what, d := range map[string]time.Duration{"p99": r.p99, "longest": r.longest, "pool": r.pool, "orders": r.orders, "query": r.query} {
		p.fact(name+"."+what, d.Milliseconds())
	}
}

// quantile is the value below which so many percent are; 0 of none.
func quantile(of []time.Duration, percent int) time.Duration {
	if len(of) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(of))
	return s[min(len(s)-1, len(s)*percent/100)]
}

// summary counts expiries as the lab does: one begins with a load when none is under way, and ends when none is any more.
func summary(loads []load, ends, waits []time.Duration) result {
	r := result{loads: len(loads), waiters: len(waits), p99: quantile(waits, 99), longest: quantile(waits, 100)}
	open, from, n := time.Duration(0), time.Duration(0), 0
	tell := func() {
		if n > 0 {
			r.lines = append(r.lines, fmt.Sprintf("at %5d ms  %3d loads, the last is back after %4d ms", from.Milliseconds(), n, (open-from).Milliseconds()))
		}
	}
	for i, l := range loads {
		if n == 0 || l.at > open {
			tell()
			r.expiries++
			from, n = l.at, 0
		}
		n++
		open = max(open, ends[i])
	}
	tell()
	return r
}

// reckon is the way with the same arrivals before a pool that hands its connections out in order of asking, and queries that all take equally long.
func (w renewal) reckon(reads []read, query time.Duration) result {
	type landing struct {
		at      time.Duration
		process int
	}
	free := make([]time.Duration, w.pool)
	flying := make([]time.Duration, max(w.processes, 1)) // when the flight of a process lands
	var air []landing                                    // in order, because the pool is
	var loads []load
	var ends, waits []time.Duration
	expires := time.Duration(-1)
	for _, r := range reads {
		for len(air) > 0 && air[0].at <= r.at {
			expires, air = air[0].at+stampTTL, air[1:]
		}
		if r.at < expires {
			continue
		}
		if w.processes > 0 && flying[r.process] > r.at {
			waits = append(waits, flying[r.process]-r.at)
			continue
		}
		k := 0
		for i := range free {
			if free[i] < free[k] {
				k = i
			}
		}
		start := max(r.at, free[k])
		if w.again && len(air) > 0 && air[0].at <= start {
			waits = append(waits, start-r.at)
			continue
		}
		free[k] = start + query
		flying[r.process] = free[k]
		air = append(air, landing{free[k], r.process})
		loads, ends, waits = append(loads, load{at: r.at, waited: start - r.at, ran: query}), append(ends, free[k]), append(waits, free[k]-r.at)
	}
	r := summary(loads, ends, waits)
	var waited []time.Duration
	for _, l := range loads {
		waited = append(waited, l.waited)
	}
	r.pool, r.query = quantile(waited, 99), query
	return r
}

// labMetric is what a lab measures, as it writes it, and as a number.
func labMetric(lab *labs.Lab, query, metric string) (string, int64, error) {
	spec, err := labs.ParseQuery(lab, query)
	if err != nil {
		return "", 0, err
	}
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		return "", 0, err
	}
	i := lab.Metric(metric)
	return lab.Metrics[i].Unit.Format(trace.Metrics[i]), trace.Metrics[i], nil
}

// besideLab puts down what the lab cache-breakdown says to the same.
func (r *result) besideLab(p *paper, name, use string) error {
	query := fmt.Sprintf("use=%s&reads=%d&ttl=%g&load=%d&processes=%d&length=%g",
		use, stampReads, stampTTL.Seconds(), stampLoad.Milliseconds(), stampProcesses, stampLength.Seconds())
	for _, metric := range []string{"expiries", "loads", "per-expiry", "longest"} {
		text, n, err := labMetric(caching.Breakdown, query, metric+"."+use)
		if err != nil {
			return err
		}
		switch metric {
		case "longest":
			text = fmt.Sprint(n / 1_000_000)
		case "per-expiry":
			text = fmt.Sprintf("%.1f", float64(n)/1_000_000)
		}
		p.fact(name+".lab."+metric, text)
	}
	return nil
}

// claimStampede is what the text says. Times are a busy machine's, and so the bounds are wide.
func claimStampede(p *paper, r map[string]result) {
	in := func(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
	near := func(a, b, part float64) bool { return a >= b*(1-part) && a <= b*(1+part) }
	wide, none, process, lease, again := r["wide"], r["none"], r["process"], r["lease"], r["again"]
	p.claim(again.perExpiry() <= 2*stampPool && again.longest < none.longest/2,
		"no agreement, looking again: %.1f loads an expiry and %v at most, instead of %.1f and %v", again.perExpiry(), in(again.longest), none.perExpiry(), in(none.longest))
	p.claim(lease.loads == lease.expiries, "one single flight: %d loads in %d expiries", lease.loads, lease.expiries)
	p.claim(process.perExpiry() > 1 && process.perExpiry() <= stampProcesses, "one a process: %.1f loads an expiry", process.perExpiry())
	expected := 1 + stampReads*stampLoad.Seconds()
	p.claim(near(wide.perExpiry(), expected, 0.4), "no agreement, a connection for each: %.1f loads an expiry, reads times load is %.1f", wide.perExpiry(), expected)
	p.claim(wide.pool < none.pool/2, "no agreement, a connection for each: p99 of waiting for one is %v instead of %v", in(wide.pool), in(none.pool))
	p.claim(none.longest > 3*stampLoad && none.orders > stampLoad, "no agreement, %d connections: the longest wait is %v, p99 of orders %v", stampPool, in(none.longest), in(none.orders))
	p.claim(lease.p99 < none.p99/2 && lease.orders < none.orders/2, "one single flight: p99 is %v instead of %v, of orders %v instead of %v", in(lease.p99), in(none.p99), in(lease.orders), in(none.orders))
	for _, w := range renewals {
		of := r[w.name]
		p.claim(near(float64(of.loads), float64(of.reckoned.loads), 0.25), "%s: %d loads, reckoned %d", w.name, of.loads, of.reckoned.loads)
	}
	p.claim(near(none.longest.Seconds(), none.reckoned.longest.Seconds(), 0.4), "no agreement: the longest wait is %v, reckoned %v", in(none.longest), in(none.reckoned.longest))
}
