package limits_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
	"seedbed/labs/limits"
)

var all = []*labs.Lab{limits.WindowEdge, limits.TokenBucket, limits.LayeredLimit, limits.CapacityTest}

// Every claim of a preset is held over 200 seeds.
func TestPresetsHoldOverSeeds(t *testing.T) { labtest.Claims(t, 200, all...) }

func TestTranscripts(t *testing.T) { labtest.Transcripts(t, all...) }

func TestAnEventAllocatesNothing(t *testing.T) {
	labtest.Allocations(t, limits.WindowEdge, "traffic=steady&rate=100000&length=10")
	labtest.Allocations(t, limits.WindowEdge, "traffic=poisson&limit=5000&rate=100000&length=10")
	labtest.Allocations(t, limits.TokenBucket, "rate=10000&size=0&offer=100000&length=10")
	labtest.Allocations(t, limits.CapacityTest, "base=220&length=600")
	labtest.Allocations(t, limits.LayeredLimit, "detail=10000&length=20")
	labtest.Allocations(t, limits.LayeredLimit, "use=qps-only&detail=1000&qps=100000&length=60")
}

// The figures of the text, each from the run that it stands for.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		lab                 *labs.Lab
		name, query, metric string
		want                int64
	}{
		{limits.WindowEdge, "a fixed window admits both bursts", "use=fixed", "admitted", 200},
		{limits.WindowEdge, "within 2 ms", "use=fixed", "span", 2_000_000},
		{limits.WindowEdge, "a log admits one", "", "admitted", 100},
		{limits.WindowEdge, "so do 101 buckets of 10 ms", "use=buckets", "admitted", 100},
		{limits.WindowEdge, "100 buckets do not", "use=buckets&spare=0&first=9.9&gap=990.2", "peak", 200},
		{limits.WindowEdge, "101 buckets do at the same instants", "use=buckets&first=9.9&gap=990.2", "peak", 100},
		{limits.WindowEdge, "two counters admit 199 of a late burst", "use=two-counter&gap=991", "peak", 199},
		{limits.WindowEdge, "eleven buckets let greedy arrivals have 10/11 of the limit", "use=buckets&buckets=10&traffic=steady&rate=1000&length=11", "rate", 90_909},
		{limits.WindowEdge, "a log remembers each admission", "", "memory.log", 824},
		{limits.WindowEdge, "a fixed window remembers two numbers", "", "memory.fixed", 16},
		{limits.TokenBucket, "after a pause the burst passes at once", "", "at-once", 100},
		{limits.TokenBucket, "then the rate", "", "sustained", 50_000},
		{limits.TokenBucket, "the queue makes the last of the burst wait its turn", "use=queue", "longest-delay", 1_980_000_000},
		{limits.TokenBucket, "GCRA remembers one number", "", "memory.gcra", 8},
		{limits.TokenBucket, "a burst of one loses every second request that comes a little early", "burst=1&size=20&offer=60", "sustained", 30_000},
		{limits.TokenBucket, "the naive bucket loses one in twenty to rounding", "use=naive&rate=10&burst=1&start=0&size=0&offer=100&length=2", "admitted", 19},
		{limits.CapacityTest, "220 a second need eleven machines of 28 at three quarters", "", "needed", 11},
		{limits.LayeredLimit, "the pool is never full when permits guard it", "", "peak-waiting", 0},
	} {
		trace := labtest.Run(t, c.lab, c.query)
		if got := labtest.Metric(t, c.lab, trace, c.metric); got != c.want {
			t.Errorf("%s: %s?%s: %s is %d, want %d", c.name, c.lab.ID, c.query, c.metric, got, c.want)
		}
	}
}

// Stale timestamps: the naive bucket pays the same ten milliseconds out again and again, the others do not.
func TestStaleTimestampsMintNothing(t *testing.T) {
	trace := labtest.Run(t, limits.TokenBucket, "use=gcra&rate=100&start=0&size=0&offer=10000&stale=10&length=1")
	for _, kind := range []string{"token", "policer", "queue", "gcra"} {
		if got := labtest.Metric(t, limits.TokenBucket, trace, "admitted."+kind); got > 200 {
			t.Errorf("%s admitted %d in one second, more than burst 100 + rate 100", kind, got)
		}
	}
	if got := labtest.Metric(t, limits.TokenBucket, trace, "admitted.naive"); got < 5000 {
		t.Errorf("naive admitted %d, too few for a bucket that a stale clock refills", got)
	}
}

// Without the gateway's limits the processes still guard the pool: two levels are there so that either may fail.
func TestProcessesGuardThePoolAlone(t *testing.T) {
	trace := labtest.Run(t, limits.LayeredLimit, "suggest=5000&goal=50&length=5&do=1s:bypass:gateway")
	if v := trace.Verdicts[0]; !v.OK {
		t.Errorf("the pool was exhausted: %+v", v)
	}
	if got := labtest.Metric(t, limits.LayeredLimit, trace, "refused-at-nodes"); got == 0 {
		t.Error("no process refused anything, so the test shows nothing")
	}
}

func TestCombinationsThatCannotBeAreRefused(t *testing.T) {
	for _, c := range []struct {
		lab          *labs.Lab
		query, field string
	}{
		{limits.WindowEdge, "use=buckets&buckets=7&window=1000", "buckets"},
		{limits.LayeredLimit, "permits=1&nodes=2", "permits"},
	} {
		_, err := labs.ParseQuery(c.lab, c.query)
		if e, ok := err.(*labs.Error); !ok || e.Code != "conflict" || e.Field != c.field {
			t.Errorf("%s?%s: got %v, want a conflict of %s", c.lab.ID, c.query, err, c.field)
		}
	}
}

// When nobody is answered at the peak, nobody has been fast: the quantiles tell how long there has been no answer.
func TestNobodyAnsweredIsNotFast(t *testing.T) {
	for _, c := range []struct {
		query    string
		p99, p50 int64 // ns, within the mean gap of the peak's first arrival
		answered int64
	}{
		{"use=fixed&nodes=1&do=50s:kill:node-1", 60_000_000_000 / 100 * 99, 30_000_000_000, 0},
		{"use=fixed&nodes=1&start=100&ramp=30", 0, 0, -1}, // the run ends before the peak: nothing is promised
	} {
		trace := labtest.Run(t, limits.CapacityTest, c.query)
		p99, p50 := labtest.Metric(t, limits.CapacityTest, trace, "p99"), labtest.Metric(t, limits.CapacityTest, trace, "p50")
		if p99 > c.p99 || p99 < c.p99-50_000_000 || p50 > c.p50 || p50 < c.p50-50_000_000 {
			t.Errorf("%s: p99 is %d ns and p50 %d, want %d and %d", c.query, p99, p50, c.p99, c.p50)
		}
		v := trace.Verdicts[0]
		if v.OK != (c.answered < 0) {
			t.Errorf("%s: the objective holds: %v", c.query, v.OK)
		}
		if !v.OK && (v.Facts[0] != p99 || v.Facts[2] != c.answered) {
			t.Errorf("%s: the verdict tells %v, want %d first and %d answered", c.query, v.Facts, p99, c.answered)
		}
	}
}
