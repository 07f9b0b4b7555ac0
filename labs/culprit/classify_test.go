package culprit

import (
	"math"
	"testing"

	"seedbed/labs"
)

// What a simple reader takes from each panel: a few numbers of one run, none of which knows what is wrong.
type panel uint8

const (
	ofMetrics panel = iota
	ofTraces
	ofLogs
	nPanel
)

func (p panel) String() string { return [...]string{"metrics", "traces", "logs"}[p] }

// sight is what was seen of one case.
type sight struct {
	cause   cause
	place   int
	blamed  int // the service in which most time or most failures of bad traces lie
	numbers [nPanel][]float64
}

// see runs a case and reads its panels.
func see(t *testing.T, number uint64) sight {
	t.Helper()
	spec := labs.New(Culprit)
	spec.Values[0], spec.Seed = int64(number), number
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := draw(int64(number))
	s := sight{cause: in.cause, place: in.place}
	from := alarmOf(trace)
	if from == 0 {
		t.Fatalf("case %d (%s at %s): nobody is alarmed", number, causes[in.cause], services[in.place].name)
	}
	if from < in.onset {
		t.Fatalf("case %d: the alarm came at %d s, before anything was wrong", number, from/second)
	}
	s.blamed = blamed(trace, from)
	s.numbers = [nPanel][]float64{metricsSeen(trace, from), tracesSeen(trace, from), linesSeen(trace, from)}
	return s
}

func alarmOf(trace *labs.Trace) int64 {
	for _, m := range trace.Marks {
		if m.Kind == eventAlarm {
			return m.At
		}
	}
	return 0
}

// calm is how long nothing is wrong in any case.
const calm = 40 * second

// metricsSeen compares the service that changed most with itself in calm times: its median, its 99th percentile, its errors, its calls and
// the use of its workers, at once and at the end, the use before the alarm, and how often all is as ever.
func metricsSeen(trace *labs.Trace, from int64) []float64 {
	column := func(who, what int) []int64 { return trace.Columns[columnsEach*who+what].Values }
	mean := func(values []int64, from, to int64) float64 {
		sum, rows := 0.0, values[from/trace.Grain:to/trace.Grain]
		for _, v := range rows {
			sum += float64(v)
		}
		return sum / float64(len(rows))
	}
	ratio := func(a, b float64) float64 { return math.Log((a + 1e-3) / (b + 1e-3)) }
	var best []float64
	most := -1.0
	for who := range nPlace {
		ok, failed, p50, p99, busy := column(who, columnOK), column(who, columnFailed), column(who, columnP50), column(who, columnP99), column(who, columnBusy)
		errors := func(a, b int64) float64 { f := mean(failed, a, b); return f / (f + mean(ok, a, b) + 1e-9) }
		late := int64(length - 60*second)
		early := min(from+30*second, late)
		asEver, rows := 0.0, p99[from/trace.Grain:]
		for _, v := range rows {
			if float64(v) < 1.5*mean(p99, 10*second, calm) {
				asEver++
			}
		}
		seen := []float64{
			ratio(mean(p50, late, length), mean(p50, 10*second, calm)), ratio(mean(p99, late, length), mean(p99, 10*second, calm)),
			ratio(mean(p50, from, early), mean(p50, 10*second, calm)), ratio(mean(p99, from, early), mean(p99, 10*second, calm)),
			10 * errors(late, length), 10 * errors(from, early),
			ratio(mean(ok, late, length)+mean(failed, late, length), mean(ok, 10*second, calm)),
			ratio(mean(busy, late, length), mean(busy, 10*second, calm)), ratio(mean(busy, from, early), mean(busy, 10*second, calm)),
			5 * asEver / float64(len(rows)), ratio(mean(busy, from-25*second, from-5*second), mean(busy, 10*second, calm)),
			ratio(0.01+errors(late, length), 0.01+errors(from, early)),
		}
		score := math.Abs(seen[0]) + math.Abs(seen[1]) + seen[4] + math.Abs(seen[6])
		if who == coupons {
			score *= 1.2 // who calls it shows the same
		}
		if score > most {
			best, most = seen, score
		}
	}
	return best
}

// tracesSeen is where the time of bad traces went: to a service's own work, to waiting, to the cache, the database, others; how many spans
// failed and how quickly, how often a call was made again, and whether they are about the same article or large.
func tracesSeen(trace *labs.Trace, from int64) []float64 {
	seen := make([]float64, 8)
	about, size, n := map[int64]float64{}, 0.0, 0.0
	for _, h := range trace.Shapes {
		if h.Entity != entityOf(nService)+panelTraces || h.At < from {
			continue
		}
		n++
		about[h.Values[labs.TraceAbout]]++
		size += float64(h.Values[labs.TraceSize])
		spans := h.Values[labs.TraceHead:]
		var inner [maxSpans + 1]int64
		for ; len(spans) > 0; spans = spans[labs.SpanNumbers:] {
			inner[spans[labs.SpanParent]] += spans[labs.SpanTook]
		}
		count := 0.0
		for spans = h.Values[labs.TraceHead:]; len(spans) > 0; spans = spans[labs.SpanNumbers:] {
			took := float64(spans[labs.SpanTook]) / milli
			switch spans[labs.SpanWord] {
			case wordHandle:
				if self := took - float64(inner[spans[labs.SpanID]]+spans[labs.SpanWaited])/milli; self > 150 {
					seen[0] += self
				}
				seen[1] += float64(spans[labs.SpanWaited]) / milli
				count++
			case wordCache:
				seen[2] += took
			case wordQuery:
				seen[3] += took
			case wordOutside:
				seen[4] += took
			}
			if spans[labs.SpanOutcome] >= 0 && spans[labs.SpanOutcome] != codeTimeout && took < 20 {
				seen[5]++
			}
			if spans[labs.SpanOutcome] == codeTimeout {
				seen[6]++
			}
		}
		seen[7] += count
	}
	for i := range seen {
		seen[i] = math.Log1p(seen[i] / max(n, 1))
	}
	most := 0.0
	for _, v := range about { // order cannot matter: the largest is looked for
		most = max(most, v)
	}
	return append(seen, most/max(n, 1), math.Log1p(size/max(n, 1)))
}

// blamed is the place that bad traces point at: each votes for the service of its deepest span that failed by itself or, where none did,
// for the one that took or waited longest without its callees.
func blamed(trace *labs.Trace, from int64) int {
	var votes [nService]int
	for _, h := range trace.Shapes {
		if h.Entity != entityOf(nService)+panelTraces || h.At < from {
			continue
		}
		var own, failed [nService + 1]int64
		for spans := h.Values[labs.TraceHead:]; len(spans) > 0; spans = spans[labs.SpanNumbers:] {
			who := spans[labs.SpanEntity]
			own[who] += spans[labs.SpanTook]
			if parent := spans[labs.SpanParent]; parent > 0 {
				above := h.Values[labs.TraceHead+(parent-1)*labs.SpanNumbers:]
				own[above[labs.SpanEntity]] -= min(spans[labs.SpanTook], above[labs.SpanTook])
			}
			if spans[labs.SpanOutcome] >= 0 && spans[labs.SpanOutcome] != codeTimeout {
				failed[who] = spans[labs.SpanID]
			}
		}
		best := entityOf(cart)
		for who := range own {
			if failed[who] > failed[best] || failed[who] == failed[best] && own[who] > own[best] {
				best = who
			}
		}
		votes[best-1]++
	}
	best := 0
	for who, n := range votes {
		if n > votes[best] {
			best = who
		}
	}
	return best
}

// linesSeen is how often each code was written.
func linesSeen(trace *labs.Trace, from int64) []float64 {
	seen := make([]float64, nWord-codeSlowDB)
	for _, h := range trace.Shapes {
		if h.Entity == entityOf(nService)+panelLines && h.At >= from {
			seen[h.Values[labs.LineCode]-codeSlowDB]++
		}
	}
	for i := range seen {
		seen[i] = math.Log1p(seen[i])
	}
	return seen
}

// classifier is naive Bayes: for each cause, the mean and spread of each number, as if numbers did not know of each other.
type classifier struct {
	mean, spread [nCause][]float64
	n            [nCause]float64
}

func fit(seen []sight, panels ...panel) *classifier {
	var c classifier
	width := len(seen[0].joined(panels))
	for k := range nCause {
		c.mean[k], c.spread[k] = make([]float64, width), make([]float64, width)
	}
	for _, s := range seen {
		c.n[s.cause]++
		for i, v := range s.joined(panels) {
			c.mean[s.cause][i] += v
			c.spread[s.cause][i] += v * v
		}
	}
	for k := range nCause {
		for i := range c.mean[k] {
			c.mean[k][i] /= max(c.n[k], 1)
			c.spread[k][i] = max(0.01, c.spread[k][i]/max(c.n[k], 1)-c.mean[k][i]*c.mean[k][i])
		}
	}
	return &c
}

func (s *sight) joined(panels []panel) (all []float64) {
	for _, p := range panels {
		all = append(all, s.numbers[p]...)
	}
	return all
}

func (c *classifier) name(s *sight, panels ...panel) cause {
	best, most := causeOpen, math.Inf(-1)
	for k := causeOpen + 1; k < nCause; k++ {
		if c.n[k] == 0 {
			continue
		}
		score := math.Log(c.n[k])
		for i, v := range s.joined(panels) {
			d := v - c.mean[k][i]
			score -= d*d/(2*c.spread[k][i]) + math.Log(c.spread[k][i])/2
		}
		if score > most {
			best, most = k, score
		}
	}
	return best
}

// share is how many of the causes a classifier names that was fitted on some cases and asked about others.
func share(fitted, asked []sight, t *testing.T, panels ...panel) float64 {
	c := fit(fitted, panels...)
	right := 0.0
	for i := range asked {
		got := c.name(&asked[i], panels...)
		if got == asked[i].cause {
			right++
		} else if len(panels) == int(nPanel) {
			t.Logf("%s at %s is taken for %s", causes[asked[i].cause], services[asked[i].place].name, causes[got])
		}
	}
	return right / float64(len(asked))
}

func TestNoPanelAloneTellsTheCauseAndAllThreeDo(t *testing.T) {
	const cases = 200
	var fitted, asked []sight
	for n := range uint64(cases) {
		fitted = append(fitted, see(t, 1+n))
		asked = append(asked, see(t, 1+cases+n))
	}
	for p := range nPanel {
		got := share(fitted, asked, t, p)
		t.Logf("%s: %.1f %%", p, got*100)
		if got > 0.60 {
			t.Errorf("%s alone name %.1f %% of the causes, want at most 60 %%", p, got*100)
		}
	}
	for _, pair := range [][]panel{{ofMetrics, ofTraces}, {ofMetrics, ofLogs}, {ofTraces, ofLogs}} {
		t.Logf("%s and %s: %.1f %%", pair[0], pair[1], 100*share(fitted, asked, t, pair...))
	}
	if got := share(fitted, asked, t, ofMetrics, ofTraces, ofLogs); got < 0.95 {
		t.Errorf("all three panels name %.1f %% of the causes, want at least 95 %%", got*100)
	} else {
		t.Logf("all three: %.1f %%", got*100)
	}
	found := 0
	for _, s := range append(fitted, asked...) {
		if s.blamed == s.place {
			found++
		} else {
			t.Logf("%s at %s: the traces point at %s", causes[s.cause], services[s.place].name, services[s.blamed].name)
		}
	}
	if found*100 < 2*cases*95 {
		t.Errorf("the traces point at the right service in %d of %d cases, want 95 %%", found, 2*cases)
	}
}
