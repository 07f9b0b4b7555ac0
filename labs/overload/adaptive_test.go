package overload

import (
	"testing"

	"seedbed/labs"
)

// The twin reads the log: nobody is let in beyond the limit or refused below it, and the spans that fail are those of the verdicts.
func TestVerdictsOfALimitAreThoseOfItsLog(t *testing.T) {
	for _, query := range []string{
		"", "use=aimd&change=slow", "use=vegas&change=neighbour", "use=bbr&length=24", "use=static", "use=static&limit=3&floor=90", "use=static&limit=200&lasts=0&length=14",
		"use=gradient&do=3s:burst::80&do=6s:resize:service:5&do=18s:heal:service&settle=2&lasts=0", "rate=80&arrive=in-bursts&settle=0", "span=0.7&settle=1&slo=300",
	} {
		for seed := uint64(1); seed <= 4; seed++ {
			trace := run(t, AdaptiveLimit, query, seed)
			if trace.Truncated() {
				t.Fatalf("adaptive-limit?%s has more events than the log holds", query)
			}
			spec, _ := labs.ParseQuery(AdaptiveLimit, query)
			w := newGateTwin(spec.Config(nil))
			for _, e := range trace.Log {
				w.follow(t, query, e)
			}
			for w.end <= trace.Horizon {
				w.close()
			}
			for i, want := range [2][]int64{w.unheld, w.starved} {
				v := trace.Verdicts[i]
				if v.Count != int64(len(want)) || (len(want) > 0 && v.At != want[0]) {
					t.Errorf("adaptive-limit?%s seed %d: %+v, the log has %s violated at %v", query, seed, v, v.Check, want)
				}
			}
			for name, want := range map[string]int64{"answered." + followers[w.use]: w.answered, "limit": w.limit, "refused": w.refused, "in-flight": w.inside} {
				if got := metric(t, AdaptiveLimit, trace, name); got != want {
					t.Errorf("adaptive-limit?%s seed %d: %s is %d, the log says %d", query, seed, name, got, want)
				}
			}
		}
	}
}

// gateTwin is one limit of one caller as the log tells of it.
type gateTwin struct {
	use                                           int
	limit, inside, places, usual, service, factor int64
	slo, floor, settle, span, end, changed        int64
	slow, crowded                                 bool
	asked, letIn, inTime, late, answered, refused int64
	unheld, starved                               []int64 // ends of spans
}

func newGateTwin(c labs.Config) *gateTwin {
	w := &gateTwin{
		use: int(c.Int("use")), limit: c.Int("initial"), places: c.Int("places"), usual: c.Int("places"), service: c.Int("service"), factor: c.Int("factor"),
		slo: c.Int("slo"), floor: c.Int("floor"), settle: c.Int("settle"), span: c.Int("span"), end: c.Int("span"),
	}
	if w.use == followStatic {
		w.limit = c.Int("limit")
	}
	return w
}

func (w *gateTwin) follow(t *testing.T, query string, e labs.Logged) {
	t.Helper()
	for e.At >= w.end {
		w.close()
	}
	switch e.Kind {
	case adaptiveAdmit:
		w.asked++
		w.letIn++
		if w.inside++; w.inside > w.limit || e.B != w.inside {
			t.Fatalf("adaptive-limit?%s: at %d ns request %d is let in as number %d of %d, the log has %d", query, e.At, e.A, e.B, w.limit, w.inside)
		}
	case adaptiveRefuse:
		w.asked++
		w.refused++
		if w.inside < w.limit || e.B != w.limit {
			t.Fatalf("adaptive-limit?%s: at %d ns request %d is refused at a limit of %d, with %d in flight of %d", query, e.At, e.A, e.B, w.inside, w.limit)
		}
	case adaptiveAnswer:
		w.inside--
		w.answered++
		if e.B > w.slo {
			w.late++
		} else {
			w.inTime++
		}
	case adaptiveMove:
		if e.A != w.limit {
			t.Fatalf("adaptive-limit?%s: at %d ns the limit goes from %d, and it was %d", query, e.At, e.A, w.limit)
		}
		w.limit = e.B
	default:
		w.changed = e.At
		switch int(e.Kind) - adaptiveChange {
		case changePlaces:
			w.places = e.B
		case changeSlow:
			w.slow = true
		case changeNeighbour:
			w.crowded = true
		case changeNone:
			w.places, w.slow, w.crowded = w.usual, false, false
		}
	}
}

// close judges the span that is over.
func (w *gateTwin) close() {
	if w.end-w.span >= w.changed+w.settle {
		if 99*w.late > w.inTime { // more than one of a hundred
			w.unheld = append(w.unheld, w.end)
		}
		fifths := 5 * w.service // of five requests
		switch {
		case w.slow:
			fifths *= w.factor
		case w.crowded:
			fifths += w.service * (w.factor - 1)
		}
		due := min(w.asked, 5*w.places*w.span/fifths)
		if due >= 10 && w.letIn*million < w.floor*due {
			w.starved = append(w.starved, w.end)
		}
	}
	w.asked, w.letIn, w.inTime, w.late = 0, 0, 0, 0
	w.end += w.span
}

// What each limit costs, over seeds: the one that stands still is late while places are away, those that learn are not, and they lose
// little of what the service can do.
func TestLimitsDiffer(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		trace := run(t, AdaptiveLimit, "", seed)
		at := func(name string) int64 { return metric(t, AdaptiveLimit, trace, name) }
		if at("late.static") < 100 || at("late.vegas") > 20 || at("late.gradient") > 20 {
			t.Errorf("seed %d: %d late with a limit that stands still, %d with Vegas, %d with gradient", seed, at("late.static"), at("late.vegas"), at("late.gradient"))
		}
		for _, name := range followers {
			if at("answered."+name)*100 < 80*at("could") || at("answered."+name) > at("could")*102/100 {
				t.Errorf("seed %d: %s answered %d of the %d that the service could", seed, name, at("answered."+name), at("could"))
			}
		}
		saw := run(t, AdaptiveLimit, "lasts=0&late=500", seed)
		if got := metric(t, AdaptiveLimit, saw, "p99.aimd"); got < 500_000_000 || got > 560_000_000 {
			t.Errorf("seed %d: the p99 of AIMD is %d ns when it calls 500 ms late, want hardly more", seed, got)
		}
	}
}

// Two callers share what there is, whichever limit they use, but for the newcomer whose base nobody renews.
func TestTwoCallersShare(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		for _, use := range followers[:followBBR] {
			trace := run(t, AdaptiveLimit, "use="+use+"&lasts=0&callers=2", seed)
			if got := metric(t, AdaptiveLimit, trace, "second"); got < 42*percent || got > 58*percent {
				t.Errorf("seed %d: two of %s from the beginning, and the second has %d ppm of what is let in", seed, use, got)
			}
		}
		old := run(t, AdaptiveLimit, "lasts=0&callers=2&joins=8&life=60&length=40", seed)
		own := func(name string) int64 { v := old.Column("own." + name).Values; return v[len(v)-1] }
		if own("second") < 2*own("first") {
			t.Errorf("seed %d: the newcomer ends with a limit of %d and the other with %d, want twice as much", seed, own("second"), own("first"))
		}
	}
}

func TestActionsChangeTheService(t *testing.T) {
	for _, c := range []struct{ planned, acted string }{
		{"", "lasts=0&do=8s:resize:service&do=18s:heal:service"},
		{"to=20", "lasts=0&do=8s:resize:service:20&do=18s:heal:service"},
		{"change=slow", "lasts=0&do=8s:slow:service&do=18s:heal:service"},
		{"change=neighbour", "lasts=0&do=8s:neighbour:service&do=18s:heal:service"},
	} {
		planned, acted := run(t, AdaptiveLimit, c.planned, 1), run(t, AdaptiveLimit, c.acted, 1)
		for i, m := range AdaptiveLimit.Metrics {
			if planned.Metrics[i] != acted.Metrics[i] {
				t.Errorf("%s: %s is %d as planned and %d by actions", c.planned, m.Name, planned.Metrics[i], acted.Metrics[i])
			}
		}
	}
	calm, burst := run(t, AdaptiveLimit, "lasts=0", 1), run(t, AdaptiveLimit, "lasts=0&do=1s:burst::200", 1)
	if got, want := metric(t, AdaptiveLimit, burst, "requests"), metric(t, AdaptiveLimit, calm, "requests")+200; got != want {
		t.Errorf("with a burst of 200 there are %d requests, want %d", got, want)
	}
}
