package consistency_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/consistency"
	"seedbed/labs/labtest"
)

// run runs a query with a seed.
func run(t *testing.T, lab *labs.Lab, query string, seed uint64) (*labs.Trace, func(string) int64) {
	t.Helper()
	spec := labtest.Spec(t, lab, query)
	spec.Seed = seed
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if trace.Truncated() {
		t.Fatal("the log is cut off, so the test shows nothing")
	}
	return trace, func(name string) int64 { return labtest.Metric(t, lab, trace, name) }
}

// The log is judged again by itself: a hit finds what was committed last, an answer is old only when it is told to be, and those that are
// too old are violations.
func TestStaleAnswersAgreeWithTheLog(t *testing.T) {
	const hit, old, fill, fillOld, commit, del, set = 0, 1, 3, 4, 6, 8, 9
	const within = second
	told := 0
	for _, query := range []string{
		"", "fill=plain&from=replica&slow=50", "use=double&fill=plain&from=replica&writes=5", "use=log&fill=version&from=replica&lost=20",
		"use=before&fill=plain&writes=5&query=100", "use=set&fill=plain&writes=20&hop=400", "lost=30",
	} {
		for seed := uint64(1); seed <= 5; seed++ {
			trace, metric := run(t, consistency.Invalidate, query, seed)
			use := consistency.Invalidate.Params[0].Choices[labtest.Spec(t, consistency.Invalidate, query).Values[0]]
			newest, kept := [100]int64{}, [100]int64{}
			stale, late, put := int64(0), int64(0), int64(0)
			for _, e := range trace.Log {
				switch e.Kind {
				case commit:
					newest[e.A] = e.B
				case fill, fillOld, set:
					kept[e.A] = e.B
				case del:
					kept[e.A] = -1
				case hit:
					if kept[e.B] != newest[e.B] {
						t.Fatalf("%s seed %d: request %d hits version %d of key %d as new, and %d was committed", query, seed, e.A, kept[e.B], e.B, newest[e.B])
					}
				case old:
					stale++
					if e.B > within {
						late++
					}
				}
				if e.Kind == fillOld {
					put++
					if kept[e.A] == newest[e.A] {
						t.Fatalf("%s seed %d: key %d is filled with the newest version, and told to be old", query, seed, e.A)
					}
				}
			}
			told += int(stale)
			if stale != metric("old."+use) || put != metric("put-back."+use) || late != trace.Verdicts[0].Count {
				t.Errorf("%s seed %d: %d old answers, %d too old, %d put back in the log; the run says %d, %d and %d", query, seed, stale, late, put,
					metric("old."+use), trace.Verdicts[0].Count, metric("put-back."+use))
			}
		}
	}
	if told < 1000 {
		t.Errorf("%d old answers in all: the test shows little", told)
	}
}

// What bounds the age of an answer, for each way, over many seeds: a message, the second delete's delay, the relay's delay.
func TestBoundsOfAge(t *testing.T) {
	const ms = second / 1000
	for _, c := range []struct {
		query, metric string
		most          int64
	}{
		{"fill=lease", "longest.delete", 3 * ms},
		{"fill=lease", "longest.log", 53 * ms},
		{"fill=version&from=replica", "longest.delete", 3 * ms},
		{"fill=version&from=replica", "longest.log", 53 * ms},
		{"fill=lease&from=replica&tail=replica", "longest.log", (300 + 50 + 3) * ms},
		{"fill=plain&from=replica", "longest.double", (900 + 3) * ms},
		{"fill=version&from=replica&writes=20&hop=400", "longest.set", 600 * ms},
	} {
		for seed := uint64(1); seed <= 10; seed++ {
			if _, metric := run(t, consistency.Invalidate, c.query, seed); metric(c.metric) > c.most {
				t.Errorf("%s seed %d: %s is %d ns, want at most %d", c.query, seed, c.metric, metric(c.metric), c.most)
			}
		}
	}
}

// The figures of the text, each from the run that it stands for.
func TestFigures(t *testing.T) {
	race := "&writes=0&keys=2&slow=0&do=5s:write:writers&do=5s:stall:readers&do=5.5s:write:writers"
	for _, c := range []struct {
		lab                 *labs.Lab
		name, query, metric string
		want, within        int64
	}{
		{consistency.Invalidate, "the slow reader puts one value back", "fill=plain" + race, "put-back.delete", 1, 0},
		{consistency.Invalidate, "which stays to the end of the run", "fill=plain" + race, "longest.delete", 14_400_000_000, 100_000_000},
		{consistency.Invalidate, "unless its token is void", "fill=lease" + race, "put-back.delete", 0, 0},
		{consistency.Invalidate, "or its version is old", "fill=version" + race, "refused.delete", 1, 0},
		{consistency.Invalidate, "a stopped relay makes the cache as old as its stop", "use=log&fill=version&do=8s:stop:relay&do=14s:start:relay", "longest.log", 6_000_000_000, 500_000_000},
		{consistency.Fencing, "one late write destroys what others wrote", "use=none&work=1000&every=0&length=20&do=0.3s:pause:client-1", "stale.none", 1, 0},
		{consistency.Fencing, "a fence refuses it", "work=1000&every=0&length=20&do=0.3s:pause:client-1", "refused.fence", 1, 0},
		{consistency.Fencing, "a token that is seen by writes alone lets it in", "use=late&work=1000&every=0&length=20&do=0.3s:pause:client-1:3.1", "lost.late", 1, 0},
		{consistency.Fencing, "two believe for more than a second", "use=none&look=write&jobs=100&work=300&every=0&slow=30&length=20&do=0.3s:cut:client-1", "both", 1_200_000_000, 150_000_000},
		{consistency.Fencing, "never with a drift that is allowed for", "use=none&look=write&jobs=100&work=300&every=0&slow=30&drift=30&length=20&do=0.3s:cut:client-1", "both", 0, 0},
	} {
		trace := labtest.Run(t, c.lab, c.query)
		if got := labtest.Metric(t, c.lab, trace, c.metric); got < c.want-c.within || got > c.want+c.within {
			t.Errorf("%s: %s?%s: %s is %d, want %d ± %d", c.name, c.lab.ID, c.query, c.metric, got, c.want, c.within)
		}
	}
}
