package caching_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/caching"
	"seedbed/labs/labtest"
)

// pierced runs cache-penetration.
func pierced(t *testing.T, query string, seed uint64) (trace *labs.Trace, metric func(string) int64) {
	t.Helper()
	spec := labtest.Spec(t, caching.Penetration, query)
	spec.Seed = seed
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return trace, func(name string) int64 { return labtest.Metric(t, caching.Penetration, trace, name) }
}

// The log is judged again by itself: reads of the store within a second, and denials of what had been created.
func TestPenetrationChecksAgreeWithTheLog(t *testing.T) {
	const absent, deny, load, create = 1, 2, 3, 5
	for _, query := range []string{"length=10", "use=none&length=10", "use=null&length=10", "use=null&attack=few&told=rebuild&length=10", "told=rebuild&rebuild=3&length=10"} {
		for seed := uint64(1); seed <= 5; seed++ {
			trace, _ := pierced(t, query, seed)
			if trace.Truncated() {
				t.Fatal("the log is cut off, so the test shows nothing")
			}
			created, within, over, wrong := int64(1000), map[int64]int{}, int64(0), int64(0)
			for _, e := range trace.Log {
				switch e.Kind {
				case create:
					created = e.A
				case load:
					if within[e.At/second]++; within[e.At/second] > 100 {
						over++
					}
				case absent, deny:
					if e.B <= created {
						wrong++
					}
				}
			}
			if trace.Verdicts[0].Count != over || trace.Verdicts[1].Count != wrong {
				t.Errorf("%s seed %d: the verdicts count %d and %d, the log %d and %d", query, seed, trace.Verdicts[0].Count, trace.Verdicts[1].Count, over, wrong)
			}
		}
	}
}

// Each read is answered by one of those that can, and what each way asks the store for adds up.
func TestEveryQuestionHasOneAnswer(t *testing.T) {
	for _, use := range []string{"both", "filter", "null", "none"} {
		for _, rest := range []string{"", "&attack=few", "&told=rebuild&rebuild=2", "&query=900", "&do=3s:attack::100&do=9s:rebuild"} {
			query := "use=" + use + rest
			_, metric := pierced(t, query, 1)
			if got := metric("hits") + metric("absent-hits") + metric("denied") + metric("loads") + metric("joined"); got != metric("reads") {
				t.Errorf("%s: %d of %d reads are accounted for", query, got, metric("reads"))
			}
			if metric("loads") != metric("loads."+use) {
				t.Errorf("%s: the judged way loads %d, the way of that name %d", query, metric("loads"), metric("loads."+use))
			}
		}
	}
}

// Absent answers take the place of real ones: against ids that never come twice, a cache that keeps them asks the store more often than
// one that does not.
func TestNullsPushOutWhatIsThere(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		_, metric := pierced(t, "", seed)
		if metric("loads.null") <= metric("loads.none") || metric("hit-ratio.null") > metric("hit-ratio.none")-200_000 {
			t.Errorf("seed %d: %d loads with nulls kept and %d without, hit ratios %d and %d ppm", seed,
				metric("loads.null"), metric("loads.none"), metric("hit-ratio.null"), metric("hit-ratio.none"))
		}
		if _, roomy := pierced(t, "capacity=5000", seed); roomy("hit-ratio.null") != roomy("hit-ratio.none") {
			t.Errorf("seed %d: with room for all the hit ratios are %d and %d ppm", seed, roomy("hit-ratio.null"), roomy("hit-ratio.none"))
		}
		if _, few := pierced(t, "attack=few&creates=0", seed); few("in-vain.null") > 25 || few("in-vain.none") < 2000 {
			t.Errorf("seed %d: of five absent ids the store is asked %d times with nulls kept and %d without", seed, few("in-vain.null"), few("in-vain.none"))
		}
	}
}

// Keeping what slips through the filter saves queries where the same ids come again, and none where none comes twice.
func TestWhatSlipsThroughIsWorthKeepingIfItComesAgain(t *testing.T) {
	if _, metric := pierced(t, "attack=few&few=50&error=10", 1); metric("in-vain.filter") < 5*metric("in-vain.both") || metric("absent-hits") == 0 {
		t.Errorf("%d queries in vain with the filter alone and %d with both", metric("in-vain.filter"), metric("in-vain.both"))
	}
	if _, metric := pierced(t, "", 1); metric("in-vain.filter") != metric("in-vain.both") || metric("absent-hits") != 0 {
		t.Errorf("of ids that never come twice %d queries in vain with the filter alone and %d with both", metric("in-vain.filter"), metric("in-vain.both"))
	}
}

// The filter passes about what it is made for, and far more once it holds far more.
func TestTheFilterPassesWhatItIsMadeFor(t *testing.T) {
	for _, c := range []struct {
		query     string
		low, high int64 // parts per million of what is absent
	}{
		{"reads=1000&absent=100&ids=1000&sized=1000&creates=0", 6_000, 15_000},
		{"reads=1000&absent=100&ids=1000&sized=1000&error=0.1&creates=0", 200, 2_200},
		{"reads=1000&absent=100&ids=1000&sized=500&creates=0", 130_000, 190_000}, // (1 − e^(−7·1000/4793))^7
		{"reads=1000&absent=100&ids=1000&sized=100&creates=0", 950_000, 1_000_000},
	} {
		_, metric := pierced(t, c.query, 1)
		if got := metric("passed"); got < c.low || got > c.high {
			t.Errorf("%s: %d ppm pass, want %d to %d", c.query, got, c.low, c.high)
		}
		if got, says := metric("passed"), metric("filter-error"); got < says*3/4-300 || got > says*5/4+300 {
			t.Errorf("%s: %d ppm pass, the filter says %d", c.query, got, says)
		}
	}
}

// A filter that is made anew denies what came since, for at most as long as one lasts; so does a kept absence.
func TestWhoIsToldLateDenies(t *testing.T) {
	for _, c := range []struct {
		query string
		most  int64 // ns
	}{
		{"told=rebuild&rebuild=3", 3 * second},
		{"use=null&attack=few&told=rebuild", 5 * second},
	} {
		for seed := uint64(1); seed <= 10; seed++ {
			trace, _ := pierced(t, c.query, seed)
			if v := trace.Verdicts[1]; v.OK || v.Facts[1] > c.most {
				t.Errorf("%s seed %d: %+v, want a denial of what is at most %d ns old", c.query, seed, v, c.most)
			}
		}
	}
	// A load that read before the id was created brings the absence back after it was deleted, unless the deletion makes it void.
	for query, denies := range map[string]bool{"told=delete&query=1100": true, "query=1100": false, "told=delete": false, "told=delete&query=900": false} {
		if _, metric := pierced(t, "use=null&attack=few&"+query, 1); (metric("false-negatives") > 0) != denies {
			t.Errorf("%s: %d denials, which is to be so: %v", query, metric("false-negatives"), denies)
		}
	}
	// Made anew by hand a moment after each id is created, it denies none that is older.
	trace, metric := pierced(t, "told=rebuild&creates=0&do=5s:rebuild", 1)
	if metric("false-negatives") != 0 || len(trace.Marks) != 3 {
		t.Errorf("%d denials and %d marks where nothing is created, want 0, and the action with its rebuild and the planned one", metric("false-negatives"), len(trace.Marks))
	}
}
