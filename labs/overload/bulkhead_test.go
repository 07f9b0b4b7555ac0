package overload

import (
	"testing"

	"seedbed/labs"
)

// The twin reads the log and counts who holds what: nobody gets a place where there is none, nobody is turned away from a free one,
// nobody waits longer than the patience, and the orders that were turned away are those of the verdict.
func TestVerdictsOfABulkheadAreThoseOfItsLog(t *testing.T) {
	const short = "length=8&begin=1&lasts=4&places=24&core-places=8&stock=50&recommend=60&reviews=40"
	for _, query := range []string{
		short, short + "&use=reserved", short + "&use=shared", short + "&use=shared&patience=0", short + "&use=reserved&line=3&victim=reviews",
		short + "&use=shared&breakers=each", short + "&breakers=one&trouble=errors&do=2s:burst:recommend:300", short + "&trouble=slow&use=reserved&do=2s:hang:stock&do=4s:heal:stock",
		short + "&use=shared&do=6s:burst:reviews:60",
	} {
		for seed := uint64(1); seed <= 4; seed++ {
			trace := run(t, Bulkhead, query, seed)
			if trace.Truncated() {
				t.Fatalf("bulkhead?%s has more events than the log holds", query)
			}
			spec, _ := labs.ParseQuery(Bulkhead, query)
			c := spec.Config(nil)
			w := holds{
				use: int(c.Int("use")), places: c.Int("places"), core: c.Int("core-places"), patience: c.Int("patience"), most: c.Int("line"),
				grace: c.Int("timeout") + c.Int("patience"), breakers: c.Int("breakers") != breakersNone,
			}
			for _, e := range trace.Log {
				w.follow(t, query, e)
			}
			if v := trace.Verdicts[checkCore]; v.Count != w.harmed || v.OK != (w.harmed == 0) || (!v.OK && v.Request != w.first) {
				t.Errorf("bulkhead?%s seed %d: %+v, the log has %d orders turned away, the first %d", query, seed, v, w.harmed, w.first)
			}
			for i, name := range callees {
				if got, want := metric(t, Bulkhead, trace, "answered."+name+"."+hulls[w.use]), labs.PerMillion(w.answered[i], w.settled[i]); got != want {
					t.Errorf("bulkhead?%s seed %d: %d ppm of %s are answered, the log says %d", query, seed, got, name, want)
				}
			}
		}
	}
}

// holds is who holds what, by the log.
type holds struct {
	use                                 int
	places, core, patience, most, grace int64
	breakers                            bool

	held, settled, answered [nCallee]int64
	ill                     bool
	healed                  int64
	harmed, first           int64
}

// room is how many places a callee could take, counted place by place.
func (w *holds) room(i int) int64 {
	rest := w.places - w.core
	own := [nCallee]int64{w.core, rest - rest/2, rest / 2}
	switch w.use {
	case hullSeparate:
		return own[i] - w.held[i]
	case hullReserved:
		common := rest - max(0, w.held[calleeStock]-w.core) - w.held[calleeRecommend] - w.held[calleeReviews]
		if i == calleeStock {
			return max(0, w.core-w.held[i]) + common
		}
		return common
	}
	return w.places - w.held[0] - w.held[1] - w.held[2]
}

func (w *holds) follow(t *testing.T, query string, e labs.Logged) {
	t.Helper()
	switch i := int(e.Entity); e.Kind {
	case bulkheadCall:
		i -= entityCallee
		if w.room(i) < 1 || e.B > w.patience {
			t.Fatalf("bulkhead?%s: at %d ns request %d begins its call after %d ns, with room for %d", query, e.At, e.A, e.B, w.room(i))
		}
		w.held[i]++
	case bulkheadAnswer, bulkheadError, bulkheadTimeOut:
		i -= entityCallee
		w.held[i]--
		w.settled[i]++
		w.answered[i] += labs.Bit(e.Kind == bulkheadAnswer)
	case bulkheadFull, bulkheadGiveUp, bulkheadCutOff:
		i -= entityPlaces
		switch {
		case e.Kind == bulkheadCutOff && !w.breakers:
			t.Fatalf("bulkhead?%s: request %d is cut off, and there is no breaker", query, e.A)
		case e.Kind == bulkheadGiveUp && e.B != w.patience:
			t.Fatalf("bulkhead?%s: request %d gives up after %d ns, want %d", query, e.A, e.B, w.patience)
		case e.Kind != bulkheadCutOff && w.room(i) > 0:
			t.Fatalf("bulkhead?%s: at %d ns request %d is turned away, with room for %d", query, e.At, e.A, w.room(i))
		case e.Kind == bulkheadFull && w.patience > 0 && e.B != w.most:
			t.Fatalf("bulkhead?%s: request %d is turned away with %d waiting, want %d", query, e.A, e.B, w.most)
		}
		w.settled[i]++
		if i == calleeStock && !w.ill && e.At >= w.healed {
			if w.harmed++; w.harmed == 1 {
				w.first = e.A
			}
		}
	case bulkheadTrouble, bulkheadTrouble + 1, bulkheadTrouble + 2:
		w.ill = w.ill || i == entityCallee
	case bulkheadTrouble + 3:
		if i == entityCallee && w.ill {
			w.ill, w.healed = false, e.At+w.grace
		}
	}
}

// What each way to share costs, over seeds: one pool harms the core, a kept part does not, and only walls all round keep the third.
func TestWaysToShareDiffer(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		trace := run(t, Bulkhead, "", seed)
		at := func(name string) int64 { return metric(t, Bulkhead, trace, name) }
		for _, c := range []struct {
			name      string
			low, high int64 // percent
		}{
			{"answered.stock.separate", 100, 100}, {"answered.reviews.separate", 100, 100},
			{"answered.stock.reserved", 100, 100}, {"answered.reviews.reserved", 40, 80},
			{"answered.stock.shared", 40, 80}, {"answered.reviews.shared", 40, 80},
		} {
			if got := at(c.name); got < c.low*percent || got > c.high*percent {
				t.Errorf("seed %d: %s is %d ppm, want %d to %d %%", seed, c.name, got, c.low, c.high)
			}
		}
		busy := run(t, Bulkhead, "lasts=0&recommend=500&length=10", seed)
		if walls, common := metric(t, Bulkhead, busy, "answered.recommend.separate"), metric(t, Bulkhead, busy, "answered.recommend.reserved"); walls > 880_000 || common < 999_000 {
			t.Errorf("seed %d: on a busy evening walls answer %d ppm of the recommendations and a common rest %d", seed, walls, common)
		}
		if idle := metric(t, Bulkhead, busy, "idle.separate"); idle < 25 {
			t.Errorf("seed %d: behind walls %d places are free when somebody is turned away, want nearly half of 60", seed, idle)
		}
	}
}

// A breaker beside the wall gives places back; a wall needs none.
func TestABreakerGivesPlacesBack(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		alone := metric(t, Bulkhead, run(t, Bulkhead, "use=reserved", seed), "answered.reviews.reserved")
		with := metric(t, Bulkhead, run(t, Bulkhead, "use=reserved&breakers=each", seed), "answered.reviews.reserved")
		if with < alone+150_000 {
			t.Errorf("seed %d: %d ppm of the reviews are answered with a breaker and %d without, want far more", seed, with, alone)
		}
	}
}

func TestActionsTurnTheTroubleOfACallee(t *testing.T) {
	for _, what := range []string{"hang", "slow", "errors"} {
		planned := run(t, Bulkhead, "victim=reviews&trouble="+what, 1)
		acted := run(t, Bulkhead, "lasts=0&do=5s:"+what+":reviews&do=15s:heal:reviews", 1)
		for i, m := range Bulkhead.Metrics {
			if planned.Metrics[i] != acted.Metrics[i] {
				t.Errorf("%s: %s is %d as planned and %d by actions", what, m.Name, planned.Metrics[i], acted.Metrics[i])
			}
		}
	}
	calm, burst := run(t, Bulkhead, "lasts=0", 1), run(t, Bulkhead, "lasts=0&do=1s:burst:recommend:200", 1)
	if got, want := metric(t, Bulkhead, burst, "requests.recommend"), metric(t, Bulkhead, calm, "requests.recommend")+200; got != want {
		t.Errorf("with a burst of 200 there are %d requests, want %d", got, want)
	}
	// Trouble of the core itself is no harm that others do to it.
	if v := run(t, Bulkhead, "lasts=0&do=2s:hang:stock&do=8s:heal:stock", 1).Verdicts[checkCore]; !v.OK {
		t.Errorf("the stock hung, and the core is said to be harmed: %+v", v)
	}
}
