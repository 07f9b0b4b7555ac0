package routing

import (
	"testing"

	"seedbed/labs"
)

// storm runs a query whose events all fit the log.
func storm(t *testing.T, query string, seed uint64) *labs.Trace {
	t.Helper()
	trace := run(t, RetryStorm, query, seed)
	if trace.Truncated() {
		t.Fatalf("retry-storm?%s has more events than the log holds", query)
	}
	return trace
}

// The twin of both checks reads the log and keeps a count for each request: the first to break a promise is the one that the verdict
// names, and how often it was broken is how often the verdict says.
func TestVerdictsOfAStormAreThoseOfItsLog(t *testing.T) {
	const short = "begin=2&lasts=3&length=11&rate=40&queue=60"
	for _, query := range []string{
		short, short + "&use=backoff", short + "&use=naive", short + "&use=none", short + "&repeat=unkeyed&use=naive", short + "&repeat=never&use=backoff",
		short + "&trouble=errors&use=naive", short + "&throttle=on", short + "&percent=50&floor=0", short + "&percent=0&floor=0&use=backoff",
	} {
		for seed := uint64(1); seed <= 3; seed++ {
			spec, err := labs.ParseQuery(RetryStorm, query)
			if err != nil {
				t.Fatal(err)
			}
			cfg := spec.Config(nil)
			trace := storm(t, query, seed)
			twin := judgeLog(trace, cfg.Int("percent"), cfg.Int("floor"))
			for check, want := range twin.first {
				v := trace.Verdicts[check]
				if v.OK != (want == 0) || (want > 0 && v.Request != want) || v.Count != twin.broken[check] {
					t.Errorf("retry-storm?%s seed %d: %s is broken first by %d, %d times; the log says by %d, %d times", query, seed, v.Check, v.Request, v.Count, want, twin.broken[check])
				}
			}
			use := callers[cfg.Int("use")]
			for name, want := range map[string]int64{"sent": twin.sent, "effects": twin.effects, "duplicates." + use: twin.broken[checkDuplicate], "amplification." + use: labs.PerMillion(twin.sent, twin.requests)} {
				if got := metric(RetryStorm, trace, name); got != want {
					t.Errorf("retry-storm?%s seed %d: %s is %d, the log says %d", query, seed, name, got, want)
				}
			}
		}
	}
}

// logTwin is what the events of the judged caller add up to.
type logTwin struct {
	requests, sent, effects int64
	first, broken           [2]int64
}

func judgeLog(trace *labs.Trace, percentPPM, floorMilli int64) (w logTwin) {
	retries, effects := int64(0), map[int64]int64{}
	fail := func(check int, request int64) {
		if w.broken[check]++; w.broken[check] == 1 {
			w.first[check] = request
		}
	}
	for _, e := range trace.Log {
		switch e.Kind {
		case stormSend, stormThrottle:
			if e.B == 1 {
				w.requests++
			}
			if e.Kind == stormSend {
				w.sent++
			}
		case stormWait:
			retries++
			allowed := float64(w.requests)*float64(percentPPM)/1e6 + float64(floorMilli)/1000*float64(e.At)/1e9
			if float64(retries) > allowed+1e-6 {
				fail(checkAmplification, e.A)
			}
		case stormEffect:
			w.effects++
			if effects[e.A]++; effects[e.A] > 1 {
				fail(checkDuplicate, e.A)
			}
		}
	}
	return w
}

// No call makes more attempts than it may, none waits longer than the cap, and none begins one after its deadline.
func TestAttemptsKeepTheirBounds(t *testing.T) {
	trace := storm(t, "use=backoff&begin=2&lasts=3&length=11&rate=40&attempts=3&cap=700&deadline=3", 1)
	began, most := map[int64]int64{}, int64(0)
	for _, e := range trace.Log {
		switch {
		case e.Kind == stormSend && e.B == 1:
			began[e.A] = e.At
		case e.Kind == stormSend && e.At >= began[e.A]+3*second:
			t.Errorf("request %d is tried again %d ns after it began, its deadline is 3 s", e.A, e.At-began[e.A])
		case e.Kind == stormWait && e.B > 700_000_000:
			t.Errorf("request %d waits for %d ns, more than 700 ms", e.A, e.B)
		}
		if e.Kind == stormSend {
			most = max(most, e.B)
		}
	}
	if most != 3 {
		t.Errorf("the most attempts of a call are %d, want 3", most)
	}
}

// Backoff spreads retries and bounds nothing: while nothing is answered each request makes all its attempts. So does no backoff.
// Both storms outlive their cause, a budget's does not.
func TestAStormOutlivesItsCauseWithoutABudget(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		trace := run(t, RetryStorm, "", seed)
		at := func(name string) int64 { return metric(RetryStorm, trace, name) }
		for _, c := range []string{"naive", "backoff"} {
			if got := at("recovery." + c); got < 17*second {
				t.Errorf("seed %d: %s recovered within %d ns, while the run went on for 17 s that can be judged", seed, c, got)
			}
			if got := at("amplification." + c); got < 2_000_000 {
				t.Errorf("seed %d: %s sent only %d ppm of what was asked for", seed, c, got)
			}
		}
		for _, c := range []string{"budget", "none"} {
			if got := at("recovery." + c); got > 8*second {
				t.Errorf("seed %d: %s took %d ns to recover", seed, c, got)
			}
		}
		if at("amplification.none") != 1_000_000 || at("duplicates.none") != 0 {
			t.Errorf("seed %d: who never retries sent %d ppm and did %d twice", seed, at("amplification.none"), at("duplicates.none"))
		}
	}
}

// A key lets a POST be repeated with one effect; without a key it is either not repeated or done twice.
func TestKeysMakeRepeatingSafe(t *testing.T) {
	at := func(query, name string) int64 { return metric(RetryStorm, run(t, RetryStorm, query, 1), name) }
	if got := at("repeat=unkeyed&use=naive", "duplicates.naive"); got < 50 {
		t.Errorf("a storm of unkeyed POSTs had %d effects too many, want many", got)
	}
	for _, use := range callers {
		if got := at("use="+use, "duplicates."+use); got != 0 {
			t.Errorf("%s with keys had %d effects too many", use, got)
		}
	}
	if at("use=naive", "replays") == 0 {
		t.Error("no attempt was answered from the key store, so the test shows nothing")
	}
	if at("repeat=never", "unsafe") == 0 {
		t.Error("no POST was kept from being repeated, so the test shows nothing")
	}
	if got := at("posts=0&repeat=unkeyed&use=naive", "effects"); got != 0 {
		t.Errorf("requests that change nothing had %d effects", got)
	}
}

// Errors that come at once cost a backend nothing, so there is nothing to recover from when they end.
func TestFastErrorsLeaveNoStorm(t *testing.T) {
	trace := run(t, RetryStorm, "trouble=errors&use=naive", 1)
	for _, c := range callers {
		if got := metric(RetryStorm, trace, "recovery."+c); got != 0 {
			t.Errorf("%s took %d ns to recover from errors", c, got)
		}
	}
}

// A throttle forgets refusals only with its window: one that remembers for longer than the trouble lasted keeps refusing long after.
func TestAThrottleRemembersForItsWindow(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		short := metric(RetryStorm, run(t, RetryStorm, "throttle=on", seed), "success-after.budget")
		long := metric(RetryStorm, run(t, RetryStorm, "throttle=on&window=10", seed), "success-after.budget")
		if short < 600_000 || 2*long > short {
			t.Errorf("seed %d: after the trouble %d ppm are answered with a window of 2 s and %d with 10 s, want most of them and at most half as many", seed, short, long)
		}
	}
}

func TestActionsTurnTheTrouble(t *testing.T) {
	planned := run(t, RetryStorm, "", 1)
	acted := run(t, RetryStorm, "lasts=0&do=10s:slow:backend&do=20s:heal:backend", 1)
	for i, m := range RetryStorm.Metrics {
		if planned.Metrics[i] != acted.Metrics[i] {
			t.Errorf("%s is %d as planned and %d by actions", m.Name, planned.Metrics[i], acted.Metrics[i])
		}
	}
	if got := metric(RetryStorm, run(t, RetryStorm, "lasts=0&do=10s:fail:backend&length=12", 1), "success-share"); got > 900_000 {
		t.Errorf("%d ppm were answered by a backend that answers nothing for a sixth of the time", got)
	}
	burst := run(t, RetryStorm, "lasts=0&do=10s:burst::200", 1)
	if got, calm := metric(RetryStorm, burst, "requests"), metric(RetryStorm, run(t, RetryStorm, "lasts=0", 1), "requests"); got != calm+200 {
		t.Errorf("a burst of 200 brought %d requests", got-calm)
	}
}
