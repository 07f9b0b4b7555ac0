package main

import (
	"testing"
	"time"

	"seedbed/labs/caching"
)

const ms = time.Millisecond

// every is n readers, one each gap, in turn of so many processes.
func every(n int, gap time.Duration, processes int) (all []read) {
	for i := range n {
		all = append(all, read{at: time.Duration(i) * gap, process: i % processes})
	}
	return all
}

// TestReckon: readers each 10 ms, a query of 100 ms.
func TestReckon(t *testing.T) {
	for _, c := range []struct {
		way                    renewal
		readers                int
		expiries, loads, waits int
		longest, pool          time.Duration
	}{
		{renewal{"whoever misses, a connection for each", "", 0, 100, false}, 100, 1, 10, 10, 100 * ms, 0},
		{renewal{"whoever misses, two connections", "", 0, 2, false}, 100, 1, 10, 10, 420 * ms, 320 * ms}, // the ninth and tenth are fifth in line
		{renewal{"looking again, two connections", "", 0, 2, true}, 100, 1, 2, 10, 100 * ms, 0},
		{renewal{"one in all", "", 1, 2, false}, 100, 1, 1, 10, 100 * ms, 0},
		{renewal{"one in each of four", "", 4, 8, false}, 100, 1, 4, 10, 100 * ms, 0},
		{renewal{"one in each of four, one connection", "", 4, 1, false}, 100, 1, 4, 10, 370 * ms, 270 * ms},
		{renewal{"the key ends", "", 1, 2, false}, 180, 2, 2, 20, 100 * ms, 0}, // at 1.6 s
	} {
		got := c.way.reckon(every(c.readers, 10*ms, max(c.way.processes, 1)), 100*ms)
		if got.expiries != c.expiries || got.loads != c.loads || got.waiters != c.waits || got.longest != c.longest || got.pool != c.pool {
			t.Errorf("%s: %d loads in %d expiries, %d wait up to %v and for a connection %v; want %d in %d, %d, %v, %v", c.way.name,
				got.loads, got.expiries, got.waiters, got.longest, got.pool, c.loads, c.expiries, c.waits, c.longest, c.pool)
		}
	}
}

// TestSummary: an expiry begins with a load when none is under way.
func TestSummary(t *testing.T) {
	loads := []load{{at: 0}, {at: 10 * ms}, {at: 200 * ms}, {at: 205 * ms}}
	ends := []time.Duration{100 * ms, 150 * ms, 300 * ms, 290 * ms}
	got := summary(loads, ends, []time.Duration{3 * ms, 100 * ms, 2 * ms})
	if got.expiries != 2 || got.perExpiry() != 2 || got.longest != 100*ms || len(got.lines) != 2 {
		t.Errorf("got %+v", got)
	}
	if want := "at   200 ms    2 loads, the last is back after  100 ms"; len(got.lines) == 2 && got.lines[1] != want {
		t.Errorf("got %q, want %q", got.lines[1], want)
	}
	if q := quantile(nil, 99); q != 0 {
		t.Errorf("the quantile of nothing is %v", q)
	}
}

// TestBesideLab: the lab is asked with the numbers of the real run, and each way by its name.
func TestBesideLab(t *testing.T) {
	p := newPaper()
	for _, w := range renewals {
		if w.use == "" {
			continue
		}
		if err := (&result{}).besideLab(p, w.name, w.use); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.facts["lease.lab.per-expiry"]; got != "1.0" {
		t.Errorf("one in all: %s loads an expiry in the lab", got)
	}
	if got := p.facts["none.lab.longest"]; got != "100" {
		t.Errorf("whoever misses waits %s ms in the lab, want one load", got)
	}
	if _, _, err := labMetric(caching.Breakdown, "use=moon", "loads.none"); err == nil {
		t.Error("the lab takes a way that there is none of")
	}
}

// TestClaims: what a healthy run gives holds, and a run without single flight does not pass for one with it.
func TestClaims(t *testing.T) {
	good := func() map[string]result {
		all := map[string]result{
			"wide":    {expiries: 6, loads: 246, p99: 100 * ms, longest: 101 * ms},
			"none":    {expiries: 5, loads: 205, p99: 560 * ms, longest: 610 * ms, pool: 450 * ms, orders: 400 * ms},
			"again":   {expiries: 6, loads: 54, p99: 180 * ms, longest: 190 * ms},
			"process": {expiries: 6, loads: 24, p99: 101 * ms, longest: 102 * ms},
			"lease":   {expiries: 6, loads: 6, p99: 100 * ms, longest: 101 * ms, orders: 2 * ms},
		}
		for name, r := range all {
			same := r
			r.reckoned = &same
			all[name] = r
		}
		return all
	}
	holds := func(r map[string]result) bool {
		p := newPaper()
		claimStampede(p, r)
		for _, c := range p.claims {
			if !c.holds {
				return false
			}
		}
		return true
	}
	if !holds(good()) {
		t.Error("a healthy run is refused")
	}
	for _, name := range []string{"lease", "process", "wide", "again"} {
		bad := good()
		r := bad[name]
		r.loads *= 2
		r.reckoned = &r
		bad[name] = r
		if holds(bad) {
			t.Errorf("%s with twice the loads passes", name)
		}
	}
}
