package culprit

import (
	"strconv"
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
)

func TestPresets(t *testing.T)     { labtest.Presets(t, Culprit, 3) }
func TestTranscripts(t *testing.T) { labtest.Transcripts(t, Culprit) }
func TestCopies(t *testing.T)      { labtest.Copies(t, Culprit, "case=231") }

// A run has fewer events than labtest.Allocations asks for: an event is a whole order, with all that it calls.
func TestAnOrderAllocatesNothing(t *testing.T) {
	r, err := labs.Begin(labtest.Spec(t, Culprit, "case=91&rate=30&sampling=0&keep=none&slow-db=10000&slow-http=10000"), labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const orders = 2000
	advance := func() {
		if done, err := r.Advance(orders); done || err != nil {
			t.Fatalf("the run ended after %d events (%v)", r.Handled(), err)
		}
	}
	advance()
	if allocs := testing.AllocsPerRun(1, advance) / orders; allocs > 0.1 { // what is recorded grows
		t.Errorf("%.3f allocations an order, want none", allocs)
	}
}

// What comes of each accusation in the case of the worked example, whose alarm comes at 60 s.
func TestAccusations(t *testing.T) {
	for _, c := range []struct {
		name, query string
		came        []int
		points      int64
		wrong       int64
		ok          bool
	}{
		{"an open case", "case=91", nil, 0, 0, true},
		{"at the alarm", "do=61s:accuse:coupons:big-batch", []int{eventRight}, 100, 0, true},
		{"after ninety seconds", "do=150s:accuse:coupons:big-batch", []int{eventRight}, 70, 0, true},
		{"before the alarm", "do=59s:accuse:coupons:big-batch", []int{eventTooEarly}, 0, 0, true},
		{"of nothing", "do=150s:accuse:coupons", []int{eventNoCause}, 0, 0, true},
		{"the place alone", "do=150s:accuse:coupons:hot-key", []int{eventWrongCause}, 0, 1, false},
		{"the cause alone", "do=150s:accuse:payment:big-batch", []int{eventWrongPlace}, 0, 1, false},
		{"neither", "do=150s:accuse:payment:hot-key", []int{eventWrong}, 0, 1, false},
		{"right after wrong", "do=120s:accuse:payment:hot-key&do=150s:accuse:coupons:big-batch", []int{eventWrong, eventRight}, 50, 1, true},
		{"once it is closed", "do=61s:accuse:coupons:big-batch&do=90s:accuse:payment:hot-key", []int{eventRight, eventClosed}, 100, 0, true},
		{"in time without the minute", "do=239s:accuse:payment:hot-key&do=240s:accuse:coupons:big-batch", []int{eventWrong, eventTooLate}, 0, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			trace := labtest.Run(t, Culprit, c.query)
			var came []int
			for _, m := range trace.Marks {
				if m.Kind > eventAlarm && int(m.Kind) < len(Culprit.Events) {
					came = append(came, int(m.Kind))
				}
			}
			if len(came) != len(c.came) {
				t.Fatalf("%s: came to %v, want %v", c.query, came, c.came)
			}
			for i := range came {
				if came[i] != c.came[i] {
					t.Errorf("%s: accusation %d came to %s, want %s", c.query, i+1, Culprit.Events[came[i]].Name, Culprit.Events[c.came[i]].Name)
				}
			}
			points, wrong := labtest.Metric(t, Culprit, trace, "points"), labtest.Metric(t, Culprit, trace, "wrong")
			if points != c.points || wrong != c.wrong || trace.OK() != c.ok {
				t.Errorf("%s: %d points, %d wrong, checks hold %v; want %d, %d, %v", c.query, points, wrong, trace.OK(), c.points, c.wrong, c.ok)
			}
		})
	}
}

// The case is what its number says, whatever the traffic is, and the worked example is the one that the chapter tells.
func TestCasesAreDrawnFromTheirNumbers(t *testing.T) {
	if in := draw(couponIncident); in.cause != bigBatch || in.place != coupons {
		t.Errorf("case %d is %s at %s", couponIncident, causes[in.cause], services[in.place].name)
	}
	var seen [nCause]int
	places := map[int]int{}
	for n := range int64(1400) {
		in := draw(n)
		seen[in.cause]++
		places[in.place]++
		if in.cause == slowThirdParty && !services[in.place].outside {
			t.Errorf("case %d: %s asks nobody outside", n, services[in.place].name)
		}
	}
	for c := causeOpen + 1; c < nCause; c++ {
		if seen[c] < 60 || seen[c] > 150 {
			t.Errorf("%s is drawn %d times in 1400, want about 100", causes[c], seen[c])
		}
	}
	if len(places) != nPlace {
		t.Errorf("causes lie in %d services, want %d", len(places), nPlace)
	}
}

// Nothing but an accusation tells a case from an open one: what is recorded is the same up to the answer's own marks.
func TestTheAnswerStandsOnlyInTheAccusation(t *testing.T) {
	open, solved := labtest.Run(t, Culprit, "case=91"), labtest.Run(t, Culprit, "do=150s:accuse:coupons:big-batch")
	if len(open.Shapes) != len(solved.Shapes) {
		t.Fatalf("%d rows of panels in the open case, %d in the solved one", len(open.Shapes), len(solved.Shapes))
	}
	for i, m := range Culprit.Metrics[metricOrders:] {
		if a, b := open.Metrics[metricOrders+i], solved.Metrics[metricOrders+i]; a != b {
			t.Errorf("%s: %d while open, %d when solved", m.Name, a, b)
		}
	}
}

func TestSamplingDecidesWhatTracesTell(t *testing.T) {
	bad := func(query string) (n int) {
		trace := labtest.Run(t, Culprit, query)
		for _, h := range trace.Shapes {
			if h.Entity == entityOf(nService)+panelTraces && h.Values[labs.TraceHead+labs.SpanTook] > 750*milli {
				n++
			}
		}
		return n
	}
	if n := bad("keep=none&case=91"); n > 3 {
		t.Errorf("one in a thousand as they come kept %d bad traces, want next to none", n)
	}
	if n := bad("case=91"); n < 40 {
		t.Errorf("keeping what turned out bad kept %d bad traces, want dozens", n)
	}
}

// Rows of panels hang together: parents stand before their children, lines belong to spans that there are.
func TestRowsOfPanelsHangTogether(t *testing.T) {
	trace := labtest.Run(t, Culprit, "case=231")
	entities := int64(entityOf(nService))
	for i, h := range trace.Shapes {
		switch h.Entity {
		case int(entities) + panelTraces:
			spans := h.Values[labs.TraceHead:]
			if len(spans) == 0 || len(spans)%labs.SpanNumbers != 0 {
				t.Fatalf("trace %d has %d numbers of spans", h.Values[labs.TraceID], len(spans))
			}
			for id := int64(1); len(spans) > 0; spans, id = spans[labs.SpanNumbers:], id+1 {
				if spans[labs.SpanID] != id || spans[labs.SpanParent] >= id || spans[labs.SpanTook] <= 0 || spans[labs.SpanBegan] < 0 || spans[labs.SpanEntity] >= entities {
					t.Fatalf("span %d of trace %d: %v", id, h.Values[labs.TraceID], spans[:labs.SpanNumbers])
				}
			}
		case int(entities) + panelLines:
			if len(h.Values) != labs.LineNumbers || h.Values[labs.LineSpan] < 1 || h.Values[labs.LineTook] <= 0 || h.Values[labs.LineBusiness] != firstOrder+h.Values[labs.LineTrace] {
				t.Fatalf("line %d: %v", i, h.Values)
			}
		}
	}
}

func TestLinesArePackedWhole(t *testing.T) {
	for _, l := range []line{
		{who: shipping, level: wordError, code: codeConnect, span: maxSpans - 1, trace: 1 << 24, took: 1 << 40},
		{who: gateway, level: wordWarn, code: codeSlowDB, span: -1, trace: 1, took: 1},
	} {
		a, b := l.pack()
		if got := unpack(a, b); got != l {
			t.Errorf("%s: got %+v, want %+v", strconv.FormatInt(l.trace, 10), got, l)
		}
	}
}
