package caching_test

import (
	"slices"
	"strings"
	"testing"

	"seedbed/labs"
	"seedbed/labs/caching"
	"seedbed/labs/labtest"
)

// fell is a number of a run of cache-avalanche.
func fell(t *testing.T, query, metric string) int64 {
	t.Helper()
	return labtest.Metric(t, caching.Avalanche, labtest.Run(t, caching.Avalanche, query), metric)
}

// Every read has one outcome, or still waits at the end, and the run says how many of each.
func TestEveryReadHasOneOutcome(t *testing.T) {
	for _, use := range []string{"jitter", "same-ttl", "mutex", "stale", "logical", "ahead", "prewarm", "two-level"} {
		for _, rest := range []string{"", "&loads=0", "&edge=30", "&do=5s:kill:redis&do=12s:revive:redis", "&do=3s:expire:redis&do=9s:load::300"} {
			query := "use=" + use + rest
			trace := labtest.Run(t, caching.Avalanche, query)
			metric := func(name string) int64 { return labtest.Metric(t, caching.Avalanche, trace, name) }
			open := metric("reads") - metric("edge") - metric("fresh") - metric("old") - metric("waited") - metric("refused") - metric("failed") - metric("waiting")
			if open != 0 {
				t.Errorf("%s: %d of %d reads have no outcome", query, open, metric("reads"))
			}
			if got, want := metric("refused")+metric("failed"), metric("unserved."+use); got != want {
				t.Errorf("%s: %d reads are refused or fail, %d have no answer", query, got, want)
			}
			column := func(name string) (sum int64) {
				for _, v := range trace.Column(name).Values {
					sum += v
				}
				return sum
			}
			for name, want := range map[string]int64{
				"fresh": metric("fresh"), "old": metric("old"), "waited": metric("waited"), "unserved": metric("unserved." + use),
				"orders": metric("orders"), "lost": metric("lost." + use), "edge": metric("edge"),
			} {
				if got := column(name); got != want {
					t.Errorf("%s: the column %s adds up to %d, the run measured %d", query, name, got, want)
				}
			}
		}
	}
}

// wants is one who wanted a connection, as the log tells it.
type wants struct {
	at    int64
	order bool
}

// The pool's dumb twin: everybody who wanted a connection, read from the log, in one line. It must find as many without a free connection,
// and as many orders that waited for too long, as the verdicts count.
func TestAvalancheChecksAgreeWithTheLog(t *testing.T) {
	const connections, query, patience, horizon = 20, 200_000_000, 500_000_000, 8 * second
	const load, order, lose = 3, 7, 8
	for _, plan := range []string{"use=same-ttl", "use=mutex&loads=0", "use=stale", "use=stale&loads=0", "use=ahead&ahead=1&loads=0", "use=two-level&do=1s:kill:redis"} {
		spec, actions, _ := strings.Cut(plan, "&do=")
		spec += "&lead=3&length=8"
		if actions != "" {
			spec += "&do=" + actions
		}
		trace := labtest.Run(t, caching.Avalanche, spec)
		if trace.Truncated() {
			t.Fatal("the log is cut off, so the test shows nothing")
		}
		var all []wants
		for _, e := range trace.Log {
			switch e.Kind {
			case load:
				all = append(all, wants{e.At, false})
			case order:
				all = append(all, wants{e.At + query - e.B, true})
			case lose:
				all = append(all, wants{e.At - e.B, true})
			}
		}
		slices.SortStableFunc(all, func(a, b wants) int { return int(a.at - b.at) })
		var free [connections]int64
		full, lost := int64(0), int64(0)
		for _, j := range all {
			i := 0
			for k := range free {
				if free[k] < free[i] {
					i = k
				}
			}
			begin := max(j.at, free[i])
			if begin > j.at {
				full++
			}
			switch {
			case begin < j.at+patience:
				free[i] = begin + query
			case j.order && j.at+patience < horizon:
				lost++
			}
		}
		if trace.Verdicts[0].Count < full || trace.Verdicts[1].Count != lost {
			t.Errorf("%s: the verdicts count %d without a connection and %d orders lost, the twin %d and %d", spec, trace.Verdicts[0].Count, trace.Verdicts[1].Count, full, lost)
		}
		// Orders that still wait at the end are not in the log.
		if most := full + 10; trace.Verdicts[0].Count > most {
			t.Errorf("%s: the verdict counts %d without a connection, the twin %d", spec, trace.Verdicts[0].Count, full)
		}
	}
}

// Before the run each key has been loaded again whenever it ended, so that the ends lie as thick as they do in the long run: about
// keys ÷ (2 × spread) a second while they are spread over the first turn.
func TestThePastOfSpreadEnds(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		spec := labtest.Spec(t, caching.Avalanche, "keys=10000&spread=600&skew=0&reads=1000&length=10&lead=0&loads=0")
		spec.Seed = seed
		trace, err := labs.Run(spec, labs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// 30 ± 10 min, looked at after 30 min: 8.3 of 10,000 keys end each second, and a tenth of those that have ended is asked for in
		// the next: 8.3 × 10 − 83 × (1 − 1/e) = 30.5 loads in 10 s. Had nobody asked before the run, half of all reads would load.
		if loads := labtest.Metric(t, caching.Avalanche, trace, "loads.jitter"); loads < 10 || loads > 55 {
			t.Errorf("seed %d: %d keys are loaded, want about 30", seed, loads)
		}
	}
}

// What layers in front are good for: copies that count their life from the same instant end at the same instant.
func TestALocalCacheEndsWithWhatItWasTakenFrom(t *testing.T) {
	fresh := "use=two-level&stale=0&loads=0"
	if got, alone := fell(t, fresh, "lost.two-level"), fell(t, fresh, "lost.mutex"); got == 0 || got < alone/2 {
		t.Errorf("behind a local cache that keeps to the end %d orders are lost, %d without one; want about as many", got, alone)
	}
	if got := fell(t, "use=two-level", "lost.two-level"); got != 0 {
		t.Errorf("with ten loads at once %d orders are lost", got)
	}
}

// Each process has a local cache of its own. The more there are the less each has seen, so that fewer reads find anything there when the
// cache behind them dies, and one that is in no cache is refused; with unbounded loads each process loads for itself.
func TestEachProcessHasALocalCacheOfItsOwn(t *testing.T) {
	dies := "use=two-level&local=5&length=16&do=8s:kill:redis"
	refused := int64(-1)
	for _, processes := range []string{"1", "5", "25"} {
		got := fell(t, dies+"&processes="+processes, "refused")
		if got <= refused {
			t.Errorf("with %s processes %d reads are refused, with fewer %d", processes, got, refused)
		}
		refused = got
	}
	few, many := "use=two-level&loads=0&keys=10&stale=0&patience=60000&processes=1", "use=two-level&loads=0&keys=10&stale=0&patience=60000&processes=20"
	if one, each := fell(t, few, "loads.two-level"), fell(t, many, "loads.two-level"); each < 5*one {
		t.Errorf("twenty processes load %d times, one %d", each, one)
	}
}

// A lock for each key hardly helps where thousands are missing: over many seeds it saves fewer than half of the orders that are lost without
// it, and a bound over all keys saves every one.
func TestALockForEachKeyHardlyHelps(t *testing.T) {
	var none, lock, bound int64
	for seed := uint64(1); seed <= 30; seed++ {
		spec := labtest.Spec(t, caching.Avalanche, "loads=0")
		spec.Seed = seed
		trace, err := labs.Run(spec, labs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		none += labtest.Metric(t, caching.Avalanche, trace, "lost.same-ttl")
		lock += labtest.Metric(t, caching.Avalanche, trace, "lost.mutex")
		spec = labtest.Spec(t, caching.Avalanche, "")
		spec.Seed = seed
		if trace, err = labs.Run(spec, labs.Options{}); err != nil {
			t.Fatal(err)
		}
		bound += labtest.Metric(t, caching.Avalanche, trace, "lost.mutex")
	}
	if none == 0 || 2*lock < none || bound != 0 {
		t.Errorf("%d orders are lost without a lock, %d with one a key, %d with a bound over all; want at least half as many, and none", none, lock, bound)
	}
}

// Killing and reviving is heard once.
func TestTheCacheDiesAndComesBack(t *testing.T) {
	trace := labtest.Run(t, caching.Avalanche, "do=2s:kill:redis&do=3s:kill:redis&do=6s:revive:redis&do=7s:revive:redis&do=8s:expire:redis")
	var got []uint16
	for _, m := range trace.Marks {
		if m.Kind < labs.MarkAction {
			got = append(got, m.Kind)
		}
	}
	if want := []uint16{10, 11, 9, 9}; len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("the marks are %v, want %v: dies, comes back, everything ends, and again as planned", got, want)
	}
	if down := trace.Column("down").Values; down[4*second/trace.Grain] != 1 || down[7*second/trace.Grain] != 0 {
		t.Error("the column down does not tell")
	}
	if a, b := fell(t, "do=1s:load::300", "reads"), fell(t, "", "reads"); a < 2*b {
		t.Errorf("with three times the load %d reads came, %d without", a, b)
	}
}

func TestAvalancheRefusesWhatCannotBe(t *testing.T) {
	for _, c := range []struct{ query, field string }{{"ttl=10", "lead"}, {"ttl=60&spread=55", "spread"}, {"ttl=60&spread=10&ahead=61", "ahead"}} {
		_, err := labs.ParseQuery(caching.Avalanche, c.query)
		if e, ok := err.(*labs.Error); !ok || e.Code != "conflict" || e.Field != c.field {
			t.Errorf("cache-avalanche?%s: got %v, want a conflict of %s", c.query, err, c.field)
		}
	}
}
