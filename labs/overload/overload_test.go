package overload_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
	"seedbed/labs/overload"
)

const (
	million = 1_000_000
	second  = 1_000_000_000
)

var all = []*labs.Lab{overload.CircuitBreaker, overload.Bulkhead, overload.PeakShaving, overload.DegradeLadder, overload.AdaptiveLimit}

// Every claim of a preset is held over 200 seeds.
func TestPresetsHoldOverSeeds(t *testing.T) {
	for _, lab := range all {
		drawn, fixed := split(lab)
		labtest.Claims(t, 200, drawn)
		labtest.Presets(t, fixed, 1)
	}
}

// split parts the presets in which nothing is drawn, so that every seed is the same run, from the others.
func split(lab *labs.Lab) (drawn, fixed *labs.Lab) {
	d, f := *lab, *lab
	d.Presets, f.Presets = nil, nil
	for _, p := range lab.Presets {
		if p.Name == "ten-thousand" {
			f.Presets = append(f.Presets, p)
		} else {
			d.Presets = append(d.Presets, p)
		}
	}
	return &d, &f
}

func TestTranscripts(t *testing.T) { labtest.Transcripts(t, all...) }

func TestAnEventAllocatesNothing(t *testing.T) {
	labtest.Allocations(t, overload.CircuitBreaker, "length=400")
	labtest.Allocations(t, overload.CircuitBreaker, "use=none&window=calls&trouble=hang&places=50&begin=0&lasts=600&length=600")
	labtest.Allocations(t, overload.Bulkhead, "use=shared&begin=0&lasts=600&length=400")
	labtest.Allocations(t, overload.Bulkhead, "use=reserved&breakers=each&begin=0&lasts=600&length=400")
	labtest.Allocations(t, overload.DegradeLadder, "rate=100&begin=0&lasts=600&length=400&open=50")
	labtest.Allocations(t, overload.PeakShaving, "use=deadline&rate=200&serve=50&lasts=0&length=600")
	labtest.Allocations(t, overload.AdaptiveLimit, "rate=1000&change=slow&length=600")
}

// The figures of the text, each from the run that it stands for.
func TestFigures(t *testing.T) {
	const crowd = "rate=0&lasts=0&tokens=0&serve=500&depth=100000&promise=201&length=210&do=1s:burst::120000"
	for _, c := range []struct {
		lab                 *labs.Lab
		name, query, metric string
		want, within        int64
	}{
		{overload.CircuitBreaker, "it opens after a little more than two seconds", "", "trip", 2_600_000_000, 400_000_000},
		{overload.CircuitBreaker, "the time-out comes on top", "trouble=hang&places=1000", "trip", 3_000_000_000, 400_000_000},
		{overload.CircuitBreaker, "and probes three times", "", "openings", 3, 0},
		{overload.CircuitBreaker, "what never opens is not open for as long as the trouble lasts", "failing=20&cold=0", "trip", 12_000_000_000, 0},
		{overload.CircuitBreaker, "nor does an opening after it count", "failing=20&do=20s:open", "trip", 12_000_000_000, 0},
		{overload.CircuitBreaker, "open for longer, it opens again", "use=at-once&open=22&length=60", "for-nothing.at-once", 2, 0},
		{overload.CircuitBreaker, "what refuses at once is soon back", "line=0", "back.none", 4_000_000_000, 0},
		{overload.CircuitBreaker, "one of a few calls in ten, and nothing is judged", "lasts=0&rate=0.2&noise=10&length=600", "openings", 0, 0},
		{overload.CircuitBreaker, "a median is no time-out: half of the calls fail", "lasts=0&timeout=3&use=none", "answered-share", 490_000, 20_000},
		{overload.CircuitBreaker, "who is told no is answered", "lasts=0&business=70", "answered-share", 987_000, 5000},
		{overload.CircuitBreaker, "while a no counts as a failure hardly anybody is", "lasts=0&business=70&blame=counted", "answered-share", 8000, 7000},
		{overload.CircuitBreaker, "lost for good, it stays half-open", "lease=3600&do=8s:lose::3", "half-open", 22_500_000_000, 500_000_000},
		{overload.Bulkhead, "with a pool for each nobody else notices", "", "answered.reviews.separate", 1_000_000, 0},
		{overload.Bulkhead, "nor does the core", "", "answered.stock.separate", 1_000_000, 0},
		{overload.Bulkhead, "one pool for all turns orders away", "use=shared", "answered.stock.shared", 680_000, 60_000},
		{overload.Bulkhead, "walls turn away one in six on a busy evening", "lasts=0&recommend=500&length=10", "answered.recommend.separate", 833_000, 35_000},
		{overload.Bulkhead, "while half of the places are empty", "lasts=0&recommend=500&length=10", "idle.separate", 30, 2},
		{overload.Bulkhead, "four places for five calls", "lasts=0&core-places=4", "answered.stock.separate", 800_000, 40_000},
		{overload.PeakShaving, "the last of a hundred thousand waits 200 s", crowd, "oldest.bounded", 200*second - 2*million, 0},
		{overload.PeakShaving, "and then the line is empty", crowd, "drained", 200*second - 2*million, 0},
		{overload.PeakShaving, "beyond a hundred thousand everybody is refused", crowd, "refused.bounded", 20_000, 0},
		{overload.PeakShaving, "a second's line serves less than half as many in the peak", "", "served.short", 815, 80},
		{overload.PeakShaving, "as the long one", "", "served.bounded", 1790, 80},
		{overload.PeakShaving, "without a valley a longer line serves no more", "rate=30&lasts=0&tokens=0&depth=100&length=60", "served.bounded", 1495, 20},
		{overload.PeakShaving, "than a short one", "rate=30&lasts=0&tokens=0&depth=100&length=60", "served.short", 1495, 20},
		{overload.AdaptiveLimit, "two hundred in flight wait for two seconds", "use=static&limit=200&lasts=0&length=14", "p99.static", 2_060_000_000, 80_000_000},
		{overload.AdaptiveLimit, "three of ten places answer three tenths", "use=static&limit=3&lasts=0&length=14", "answered.static", 400, 20},
		{overload.AdaptiveLimit, "a good number takes a third of a second with three places", "use=static&limit=8", "p99.static", 330_000_000, 30_000_000},
		{overload.AdaptiveLimit, "fifty at once wait for half a second", "use=static&limit=60&lasts=0&rate=80&arrive=in-bursts&length=12.5", "p99.static", 530_000_000, 40_000_000},
		{overload.AdaptiveLimit, "and all of them are answered", "use=static&limit=60&lasts=0&rate=80&arrive=in-bursts&length=12.5", "answered.static", 1000, 0},
		{overload.AdaptiveLimit, "AIMD that calls the usual late ends in ones", "use=aimd&change=slow&lasts=18", "limit", 2, 1},
	} {
		trace := labtest.Run(t, c.lab, c.query)
		if got := labtest.Metric(t, c.lab, trace, c.metric); got < c.want-c.within || got > c.want+c.within {
			t.Errorf("%s: %s?%s: %s is %d, want %d ± %d", c.name, c.lab.ID, c.query, c.metric, got, c.want, c.within)
		}
	}
}

// A run that is continued from a checkpoint is the run.
func TestACloneGoesOnAlike(t *testing.T) {
	for _, c := range []struct {
		lab   *labs.Lab
		query string
	}{
		{overload.CircuitBreaker, "rate=60"},
		{overload.CircuitBreaker, "use=at-once&rate=60&window=calls&do=8s:lose::3"},
		{overload.CircuitBreaker, "use=none&rate=60&trouble=hang&places=100"},
		{overload.Bulkhead, "use=shared&stock=20&recommend=60&reviews=20"},
		{overload.Bulkhead, "use=reserved&breakers=each&stock=20&recommend=60&reviews=20"},
		{overload.DegradeLadder, "length=30&do=14s:crash:worker"},
		{overload.DegradeLadder, "peak=12&begin=1&lasts=8&length=20&kept=memory&do=5s:hold-2::40&do=9s:crash:worker"},
		{overload.PeakShaving, "length=40&do=10s:slow:consumer:3"},
		{overload.PeakShaving, "use=deadline&length=60&promise=20&do=10s:slow:consumer:3&do=30s:heal:consumer"},
		{overload.AdaptiveLimit, "use=bbr&callers=2&joins=3"},
	} {
		labtest.Copies(t, c.lab, c.query)
	}
}

// Parameters drawn from the whole of their ranges, with actions, give a run that ends and measures, or are refused with a reason.
func TestRandomSpecsRunOrAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 2026))
	for _, lab := range all {
		ran := 0
		for range 400 {
			spec := draw(rng, lab)
			r, err := labs.Begin(spec, labs.Options{})
			if e, ok := err.(*labs.Error); ok && (e.Code == "conflict" || e.Code == "too-fine" || e.Code == "out-of-range") {
				continue
			}
			if _, ok := err.(*labs.Bound); ok {
				continue // a trace too large to keep
			}
			if err != nil {
				t.Fatalf("%s: %v", spec.Text(), err)
			}
			done, err := r.Advance(20_000)
			if err != nil {
				t.Fatalf("%s: %v", spec.Text(), err)
			}
			if !done {
				continue
			}
			ran++
			for m, value := range r.Trace().Metrics {
				if value < 0 {
					t.Errorf("%s: %s is %d", spec.Text(), lab.Metrics[m].Name, value)
				}
			}
		}
		if ran < 30 {
			t.Errorf("%s: only %d of the drawn runs came to their end", lab.ID, ran)
		}
	}
}

// draw sets about half of the parameters, evenly over their orders of magnitude, and up to three actions.
func draw(rng *rand.Rand, lab *labs.Lab) labs.Spec {
	s := labs.New(lab)
	s.Seed = rng.Uint64() >> rng.IntN(64)
	for i := range lab.Params {
		p := &lab.Params[i]
		switch {
		case rng.IntN(2) == 0:
		case p.Choices != nil:
			s.Values[i] = rng.Int64N(int64(len(p.Choices)))
		default:
			s.Values[i] = p.Min + int64(rng.Uint64()>>rng.IntN(64)%uint64(p.Max-p.Min+1))
			if p.Unit == labs.Percent { // a part of a percent is refused more often than not
				s.Values[i] -= s.Values[i] % 10_000
				s.Values[i] = max(s.Values[i], p.Min)
			}
		}
	}
	for range rng.IntN(4) {
		a := &lab.Actions[rng.IntN(len(lab.Actions))]
		do := strconv.FormatInt(rng.Int64N(3000), 10) + "ms:" + a.Verb
		if len(a.Targets) > 0 {
			do += ":" + a.Targets[rng.IntN(len(a.Targets))]
		}
		_ = s.Set("do", do)
	}
	return s
}

func TestCombinationsThatCannotBeAreRefused(t *testing.T) {
	for _, c := range []struct {
		lab         *labs.Lab
		query       string
		code, field string
	}{
		{overload.CircuitBreaker, "window=calls&last=10", "conflict", "min"},
		{overload.CircuitBreaker, "failures=0.5", "out-of-range", "failures"},
		{overload.CircuitBreaker, "failures=33.3", "too-fine", "failures"},
		{overload.CircuitBreaker, "slows=0.5", "too-fine", "slows"},
		{overload.CircuitBreaker, "first=12.5", "too-fine", "first"},
		{overload.DegradeLadder, "low=90", "conflict", "low"},
		{overload.Bulkhead, "places=20", "conflict", "core-places"},
		{overload.AdaptiveLimit, "alpha=7", "conflict", "alpha"},
		{overload.AdaptiveLimit, "initial=61", "conflict", "initial"},
		{overload.AdaptiveLimit, "backoff=90.05", "too-fine", "backoff"},
		{overload.AdaptiveLimit, "tolerance=1.0005", "too-fine", "tolerance"},
		{overload.Bulkhead, "core-places=59", "conflict", "core-places"},
	} {
		_, err := labs.ParseQuery(c.lab, c.query)
		if e, ok := err.(*labs.Error); !ok || e.Code != c.code || e.Field != c.field {
			t.Errorf("%s?%s: got %v, want %s of %s", c.lab.ID, c.query, err, c.code, c.field)
		}
	}
}
