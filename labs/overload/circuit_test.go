package overload

import (
	"testing"

	"seedbed/labs"
)

// run runs a query with a seed, and wants every event of it in the log.
func run(t *testing.T, lab *labs.Lab, query string, seed uint64) *labs.Trace {
	t.Helper()
	spec, err := labs.ParseQuery(lab, query)
	if err != nil {
		t.Fatalf("%s?%s: %v", lab.ID, query, err)
	}
	spec.Seed = seed
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		t.Fatalf("%s: %v", spec.Text(), err)
	}
	return trace
}

func metric(t *testing.T, lab *labs.Lab, trace *labs.Trace, name string) int64 {
	t.Helper()
	i := lab.Metric(name)
	if i < 0 {
		t.Fatalf("%s has no metric %s", lab.ID, name)
	}
	return trace.Metrics[i]
}

// The twin reads the log and keeps the whole window, call by call: it says at which ends the breaker has to change, and whether trouble
// had anything to do with it.
func TestVerdictsOfABreakerAreThoseOfItsLog(t *testing.T) {
	const short = "window=calls&last=40&rate=60&service=20&length=28"
	for _, query := range []string{
		short, short + "&use=at-once", short + "&trouble=slow&places=1000", short + "&trouble=hang&places=1000&probes=3", short + "&failing=60",
		short + "&lasts=0&business=60&blame=counted", short + "&lasts=0&timeout=12&min=5", short + "&lasts=0&noise=20&min=1&probes=1", short + "&failures=30&slows=20",
	} {
		for seed := uint64(1); seed <= 4; seed++ {
			trace := run(t, CircuitBreaker, query, seed)
			if trace.Truncated() {
				t.Fatalf("circuit-breaker?%s has more events than the log holds", query)
			}
			spec, _ := labs.ParseQuery(CircuitBreaker, query)
			w := newTwin(spec.Config(nil))
			for i, e := range trace.Log {
				w.follow(t, query, e, i+1 < len(trace.Log) && trace.Log[i+1].N == e.N, trace.Log[min(i+1, len(trace.Log)-1)])
			}
			use := guards[spec.Config(nil).Int("use")]
			for name, want := range map[string]int64{"openings": w.openings, "for-nothing." + use: w.forNothing, "failed." + use: w.failed, "refused." + use: w.refused} {
				if got := metric(t, CircuitBreaker, trace, name); got != want {
					t.Errorf("circuit-breaker?%s seed %d: %s is %d, the log says %d", query, seed, name, got, want)
				}
			}
			if v := trace.Verdicts[checkNoise]; v.Count != w.forNothing || v.OK != (w.forNothing == 0) || (!v.OK && v.Request != w.first) {
				t.Errorf("circuit-breaker?%s seed %d: %+v, the log has %d openings for nothing, the first by %d", query, seed, v, w.forNothing, w.first)
			}
		}
	}
}

// ended is a call as the twin remembers it.
type ended struct{ failed, late, struck bool }

type twin struct {
	last, least, probes, failures, slows, slowAfter int64
	counted                                         bool

	half                                         bool
	since                                        int64 // ns: when the present generation began
	seen                                         []ended
	from, to                                     int64 // ns: the trouble
	openings, forNothing, failed, refused, first int64
}

func newTwin(c labs.Config) *twin {
	return &twin{
		last: c.Int("last"), least: c.Int("min"), probes: c.Int("probes"), failures: c.Int("failures"), slows: c.Int("slows"), slowAfter: c.Int("slow-after"),
		counted: c.Choice("blame") == "counted", since: -1, from: -1, to: -1,
	}
}

// follow takes one event; next is the one after it, which belongs to the same step of the run when same says so.
func (w *twin) follow(t *testing.T, query string, e labs.Logged, same bool, next labs.Logged) {
	t.Helper()
	switch e.Kind {
	case circuitRefuse, circuitNoProbe, circuitHeldBack:
		w.refused++
	case circuitState, circuitState + 1, circuitState + 2, circuitState + 3:
		if int(e.Kind) == circuitState {
			w.openings++
		}
		if int(e.Kind) < circuitState+2 || w.half {
			w.seen, w.since = nil, e.At
		}
		w.half = int(e.Kind) == circuitState+1
	case circuitTrouble, circuitTrouble + 1, circuitTrouble + 2:
		w.from = e.At
	case circuitTrouble + 3:
		w.to = e.At
	case circuitAnswer, circuitDecline, circuitError, circuitTimeOut:
		bad := e.Kind == circuitError || e.Kind == circuitTimeOut
		if bad {
			w.failed++
		}
		began := e.At - e.B
		if began < w.since {
			return // it decides nothing
		}
		struck := w.from >= 0 && began >= w.from && (w.to < 0 || began < w.to)
		opens := w.end(ended{failed: bad || (e.Kind == circuitDecline && w.counted), late: w.slows > 0 && e.B > w.slowAfter, struck: struck})
		if did := same && int(next.Kind) == circuitState; did != opens {
			t.Fatalf("circuit-breaker?%s: at %d ns request %d ends and the breaker opens is %v, the twin says %v", query, e.At, e.A, did, opens)
		}
		if opens && !w.trouble() {
			if w.forNothing++; w.forNothing == 1 {
				w.first = e.A
			}
		}
	}
}

// end adds a call to what is judged, and says whether that opens the breaker.
func (w *twin) end(c ended) bool {
	w.seen = append(w.seen, c)
	n := w.probes
	if !w.half {
		if int64(len(w.seen)) > w.last {
			w.seen = w.seen[1:]
		}
		if n = int64(len(w.seen)); n < w.least {
			return false
		}
	}
	failed, late := int64(0), int64(0)
	for _, x := range w.seen {
		failed += labs.Bit(x.failed)
		late += labs.Bit(x.late)
	}
	return failed*million >= w.failures*n || (w.slows > 0 && late*million >= w.slows*n)
}

// trouble is whether it struck a bad call of those that are judged.
func (w *twin) trouble() bool {
	for _, x := range w.seen {
		if x.struck && (x.failed || x.late) {
			return true
		}
	}
	return false
}

// What happens to the breaker, step by step.
func TestTheWayOfABreaker(t *testing.T) {
	trace := run(t, CircuitBreaker, "", 1)
	want := []struct {
		kind         int
		from, before int64 // ms
	}{
		{circuitTrouble, 3000, 3000}, {circuitState, 5000, 6500}, {circuitState + 1, 9000, 10_600}, {circuitState, 9000, 10_700},
		{circuitState + 1, 13_000, 14_700}, {circuitState, 13_000, 14_800}, {circuitTrouble + int(troubleNone), 15_000, 15_000},
		{circuitState + 1, 17_000, 19_000}, {circuitState + 2, 17_000, 19_200}, {circuitState + 3, 27_000, 29_200},
	}
	if len(trace.Marks) != len(want) {
		t.Fatalf("%d marks, want %d: %+v", len(trace.Marks), len(want), trace.Marks)
	}
	for i, m := range trace.Marks {
		if w := want[i]; int(m.Kind) != w.kind || m.At < w.from*million || m.At > w.before*million {
			t.Errorf("step t%d is %s at %d ns, want %s within %d..%d ms", i, CircuitBreaker.Events[m.Kind].Name, m.At, CircuitBreaker.Events[w.kind].Name, w.from, w.before)
		}
	}
	recovering := trace.Marks[8].At
	share := trace.Column("share.gradual")
	for _, c := range []struct{ after, percent int64 }{{1, 19}, {5, 55}, {8, 82}, {11, 100}} {
		if got := share.Values[(recovering+c.after*second)/trace.Grain] / percent; got < c.percent-2 || got > c.percent+1 {
			t.Errorf("%d s into the ramp %d %% pass, want %d", c.after, got, c.percent)
		}
	}
}

// The price of each way, over seeds: who reopens at once opens again, who has no breaker waits, and is not answered again.
func TestWaysToCallDiffer(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		trace := run(t, CircuitBreaker, "", seed)
		at := func(name string) int64 { return metric(t, CircuitBreaker, trace, name) }
		if at("for-nothing.gradual") != 0 || at("for-nothing.at-once") == 0 {
			t.Errorf("seed %d: opened for nothing %d times gradually and %d times at once", seed, at("for-nothing.gradual"), at("for-nothing.at-once"))
		}
		if at("failed.none") < 4*at("failed.gradual") {
			t.Errorf("seed %d: %d calls failed with a breaker and %d without, want four times as many", seed, at("failed.gradual"), at("failed.none"))
		}
		// Of the 16 s that follow the trouble, and may be judged, he has not one good second.
		if none, gradual, once := at("back.none"), at("back.gradual"), at("back.at-once"); none != 16*second || gradual > 13*second || once < gradual {
			t.Errorf("seed %d: not well for %d ns without a breaker, %d gradually and %d at once", seed, none, gradual, once)
		}
		hang := run(t, CircuitBreaker, "trouble=hang&places=1000", seed)
		if with, without := metric(t, CircuitBreaker, hang, "waited.gradual"), metric(t, CircuitBreaker, hang, "waited.none"); without < 3*with {
			t.Errorf("seed %d: callers of what hangs waited %d ns with a breaker and %d without, want three times as long", seed, with, without)
		}
	}
}

// A dependency is warmed by the calls that it finishes, and by nothing else.
func TestOnlyWhatIsFinishedWarms(t *testing.T) {
	for _, c := range []struct {
		name, query string
		column      string
		at          int64 // s
		low, high   int64 // percent warm then
	}{
		{"warm until something happens", "", "warm.none", 14, 100, 100},
		{"a line of callers that go keeps it cold", "", "warm.none", 30, 15, 45},
		{"an open breaker does not warm it, however long", "use=at-once&open=60&length=60", "warm.at-once", 59, 0, 0},
		{"a growing share warms it", "", "warm.gradual", 28, 100, 100},
		{"nor does it stay cold when nobody may wait", "line=0", "warm.none", 21, 100, 100},
		{"nothing takes longer than usual", "cold=0", "warm.none", 19, 100, 100},
	} {
		trace := run(t, CircuitBreaker, c.query, 1)
		if got := trace.Column(c.column).Values[c.at*second/trace.Grain] / percent; got < c.low || got > c.high {
			t.Errorf("%s: circuit-breaker?%s: %d %% warm at %d s, want %d to %d", c.name, c.query, got, c.at, c.low, c.high)
		}
	}
}

// Nobody is in a dependency, nor waits for it, for longer than its time-out: what has come in goes out, in the end without a rest.
func TestADependencyEmpties(t *testing.T) {
	for _, query := range []string{"trouble=hang&places=1", "trouble=slow&line=3", "cold=10000&places=2", "do=16s:burst::5000&line=100", "timeout=1&places=1"} {
		trace := run(t, CircuitBreaker, query+"&rate=100&length=20&do=5s:open", 1)
		spec, _ := labs.ParseQuery(CircuitBreaker, query)
		most := spec.Config(nil).Int("places") + spec.Config(nil).Int("line")
		for _, g := range guards {
			for i, v := range trace.Column("inside." + g).Values {
				if v > most {
					t.Fatalf("%s: %d calls in the dependency of %s at row %d, which has room for %d", query, v, g, i, most)
				}
			}
		}
		inside := trace.Column("inside.gradual").Values
		if row := (5*second + 2*second) / trace.Grain; inside[row] != 0 { // opened by hand at 5 s, until 9 s
			t.Errorf("%s: %d calls are in a dependency that nobody has called for two time-outs", query, inside[row])
		}
	}
}

// A probe that is lost keeps others out for its lease, and for no longer.
func TestALostProbeHoldsForItsLease(t *testing.T) {
	for _, lease := range []int64{1, 2, 4} {
		for seed := uint64(1); seed <= 5; seed++ {
			trace := run(t, CircuitBreaker, "lease="+labs.Count.Format(lease)+"&do=8s:lose::3", seed)
			// The last of the three went out a little after it became half-open.
			if got := metric(t, CircuitBreaker, trace, "half-open"); got < lease*second || got > lease*second+second/5 {
				t.Errorf("seed %d: half-open for %d ns with a lease of %d s", seed, got, lease)
			}
			if got := metric(t, CircuitBreaker, trace, "lost"); got != 3 {
				t.Errorf("seed %d: %d calls were lost, want 3", seed, got)
			}
		}
	}
}

// Without trouble nothing happens, and actions do what the parameters do.
func TestActionsTurnTheTrouble(t *testing.T) {
	calm := run(t, CircuitBreaker, "lasts=0", 1)
	for _, name := range []string{"openings", "trip", "half-open", "lost", "refused.gradual", "refused.at-once", "back.none"} {
		if got := metric(t, CircuitBreaker, calm, name); got != 0 {
			t.Errorf("%s is %d in a run without trouble", name, got)
		}
	}
	for _, c := range []struct{ planned, acted string }{
		{"", "lasts=0&do=3s:errors:dependency&do=15s:heal:dependency"},
		{"trouble=slow&places=1000", "trouble=slow&places=1000&lasts=0&do=3s:slow:dependency&do=15s:heal:dependency"},
		{"trouble=hang&places=1000", "lasts=0&places=1000&do=3s:hang:dependency&do=15s:heal:dependency"},
	} {
		planned, acted := run(t, CircuitBreaker, c.planned, 1), run(t, CircuitBreaker, c.acted, 1)
		for i, m := range CircuitBreaker.Metrics {
			if planned.Metrics[i] != acted.Metrics[i] {
				t.Errorf("%s: %s is %d as planned and %d by actions", c.planned, m.Name, planned.Metrics[i], acted.Metrics[i])
			}
		}
	}
	burst := run(t, CircuitBreaker, "lasts=0&do=1s:burst::200", 1)
	if got, want := metric(t, CircuitBreaker, burst, "requests"), metric(t, CircuitBreaker, calm, "requests")+200; got != want {
		t.Errorf("with a burst of 200 there are %d requests, want %d", got, want)
	}
	// Opened by hand it refuses until it is closed by hand, and that is no opening for nothing.
	hand := run(t, CircuitBreaker, "lasts=0&do=1s:open&do=3s:close", 1)
	if got := metric(t, CircuitBreaker, hand, "refused.gradual"); got < 300 || got > 500 || !hand.Verdicts[checkNoise].OK {
		t.Errorf("two seconds open by hand refused %d of 200 a second, with the verdict %+v", got, hand.Verdicts[checkNoise])
	}
}
