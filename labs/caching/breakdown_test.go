package caching_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/caching"
	"seedbed/labs/labtest"
)

// broke runs cache-breakdown.
func broke(t *testing.T, query string, seed uint64) (trace *labs.Trace, metric func(string) int64) {
	t.Helper()
	spec := labtest.Spec(t, caching.Breakdown, query)
	spec.Seed = seed
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return trace, func(name string) int64 { return labtest.Metric(t, caching.Breakdown, trace, name) }
}

// XFetch alone loads e times an expiry where reads are dense compared to the load, and where they are sparse about once and once more for
// each read that falls into it.
func TestEarlyLoadsETimesOrAboutOnce(t *testing.T) {
	for _, c := range []struct {
		query     string
		low, high int64 // parts per million
	}{
		{"use=early&reads=200&ttl=5&length=1500", 2_500_000, 2_940_000},         // product 100: e is 2.718
		{"use=early&reads=1000&ttl=5&length=1000", 2_450_000, 2_990_000},        // product 500
		{"use=early&reads=2&ttl=20&load=100&length=3600", 1_080_000, 1_340_000}, // product 0.2
		{"use=early&reads=2&ttl=20&load=10&length=3600", 1_000_000, 1_070_000},  // product 0.02
	} {
		loads, expiries := int64(0), int64(0)
		for seed := uint64(1); seed <= 3; seed++ {
			_, metric := broke(t, c.query, seed)
			loads, expiries = loads+metric("loads.early"), expiries+metric("expiries.early")
		}
		if got := loads * 1_000_000 / expiries; got < c.low || got > c.high {
			t.Errorf("%s: %d loads in %d expiries, %d ppm each, want %d to %d", c.query, loads, expiries, got, c.low, c.high)
		}
	}
}

// The log is judged again by itself: a load that begins while another is under way, and readers who wait too long.
func TestBreakdownChecksAgreeWithTheLog(t *testing.T) {
	const load, wait, land, hang = 2, 3, 4, 6
	for _, query := range []string{"length=40", "use=none&reads=50", "use=per-process&reads=80", "use=early&reads=80&ttl=3", "reads=80&timeout=600&lost=2", "use=logical&lost=2&reads=80"} {
		for seed := uint64(1); seed <= 5; seed++ {
			trace, metric := broke(t, query, seed)
			if trace.Truncated() {
				t.Fatal("the log is cut off, so the test shows nothing")
			}
			lost := int64(0)
			if labtest.Spec(t, caching.Breakdown, query).Values[caching.Breakdown.Param("lost")] > 0 {
				lost = 2
			}
			air, loads, double, hung, answered := 0, int64(0), int64(0), int64(0), int64(0)
			for _, e := range trace.Log {
				switch e.Kind {
				case load:
					if loads++; air > 0 {
						double++
					}
					if loads != lost {
						air++
					}
				case land:
					air--
					answered += e.B
				case hang:
					hung++
				}
			}
			if trace.Verdicts[0].Count != double || trace.Verdicts[1].Count != hung || metric("hung") != hung || metric("waited") != answered {
				t.Errorf("%s seed %d: the verdicts count %d and %d, the log %d and %d", query, seed, trace.Verdicts[0].Count, trace.Verdicts[1].Count, double, hung)
			}
		}
	}
}

// Whoever asks is answered, hangs, is lost with its load, or still waits at the end, and the run says how many of each.
func TestEveryReaderHasOneOutcome(t *testing.T) {
	for _, use := range []string{"lease", "early-lease", "logical", "per-process", "early", "none"} {
		for _, rest := range []string{"", "&lost=2", "&timeout=600&lost=2", "&do=3s:write&do=13s:write&do=3.2s:lose", "&timeout=0.3"} {
			query := "use=" + use + rest
			_, metric := broke(t, query, 1)
			sum := metric("fresh") + metric("old") + metric("waited") + metric("hung") + metric("gone") + metric("waiting")
			if sum != metric("reads") {
				t.Errorf("%s: %d of %d readers have an outcome", query, sum, metric("reads"))
			}
		}
	}
}

// What a lost load costs: without a time-out everybody who comes later hangs, with one they wait for it and for one load more, and who
// serves what is old does not even notice.
func TestALostLoad(t *testing.T) {
	for _, c := range []struct {
		query         string
		hung, longest int64 // at most
	}{
		{"lost=2", 0, 1_500_000_000},
		{"use=early-lease&lost=2", 0, 1_500_000_000},
		{"use=logical&lost=2", 0, 0},
		{"use=logical&timeout=600&lost=2", 0, 0},
		{"use=none&lost=2", 0, 500_000_000},
	} {
		use := caching.Breakdown.Params[0].Choices[labtest.Spec(t, caching.Breakdown, c.query).Values[0]]
		_, metric := broke(t, c.query, 1)
		if got, longest := metric("hung"), metric("longest."+use); got > c.hung || longest > c.longest {
			t.Errorf("%s: %d hung, the longest wait was %d ns; want at most %d and %d", c.query, got, longest, c.hung, c.longest)
		}
	}
	// Where everybody loads for themselves, those are lost whose own load is lost and nobody else.
	trace, metric := broke(t, "use=none&reads=60&do=10.2s:lose", 1)
	lost := int64(0)
	for _, m := range trace.Marks {
		if m.Kind == 8 {
			lost++
		}
	}
	if lost == 0 || metric("gone") != lost || metric("hung") != 0 {
		t.Errorf("%d loads of their own are lost, %d readers with them, and %d hang", lost, metric("gone"), metric("hung"))
	}
	if _, metric := broke(t, "timeout=600&lost=2", 1); metric("hung") < 1000 {
		t.Errorf("%d hung for a flight that never lands, want everybody who came after it", metric("hung"))
	}
	// With a time-out shorter than the load each flight is overtaken before it lands, for as long as anybody waits.
	if _, metric := broke(t, "timeout=0.3", 1); metric("hung") < 1000 {
		t.Errorf("%d hung for loads that are given up too early, want everybody who came after the first end", metric("hung"))
	}
}

// Who loads has what the load brings, even when it comes too late to be kept. In one process those who came for it have it too, so nobody
// hangs there though nothing is ever kept; through the shared cache the others wait in vain.
func TestALoadThatIsTooLateIsItsLeadersAnswer(t *testing.T) {
	const vain, land = 5, 4
	for _, c := range []struct {
		query string
		hangs bool
	}{
		{"timeout=0.3&patience=1&length=15", true},
		{"use=early-lease&timeout=0.3&patience=1&length=25", true},
		{"use=per-process&timeout=0.3&patience=1&length=15", false},
		{"use=per-process&timeout=0.1&patience=1&length=15", false},
	} {
		trace, metric := broke(t, c.query, 1)
		late, alone := 0, 0
		for i, e := range trace.Log {
			if e.Kind != vain {
				continue
			}
			late++
			if trace.Log[i+1].Kind == land && trace.Log[i+1].B == 1 {
				alone++
			}
		}
		if late == 0 || (metric("hung") > 0) != c.hangs || metric("waited") == 0 {
			t.Errorf("%s: %d loads come too late, %d readers hang, %d are answered", c.query, late, metric("hung"), metric("waited"))
		}
		if c.hangs && alone == 0 {
			t.Errorf("%s: of %d loads that come too late none answers the reader that made it", c.query, late)
		}
	}
}

// A write makes a load that began before it land in vain where there are flights.
func TestAWriteVoidsTheLoadBeforeIt(t *testing.T) {
	const vain = 5
	trace, metric := broke(t, "do=3s:write&do=3.2s:write", 1)
	found := 0
	for _, e := range trace.Log {
		if e.Kind == vain {
			found++
		}
	}
	if found != 1 || metric("expiries.lease") < 3 || !trace.OK() {
		t.Errorf("%d loads landed in vain in %d expiries (%v), want one and no check broken", found, metric("expiries.lease"), trace.OK())
	}
}
