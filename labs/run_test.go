package labs_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"seedbed/labs"
	"seedbed/labs/sim"
)

func parse(t testing.TB, text string) labs.Spec {
	t.Helper()
	spec, err := labs.Parse(text, find)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func run(t testing.TB, text string) *labs.Trace {
	t.Helper()
	trace, err := labs.Run(parse(t, text), labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func TestARunIsAFunctionOfItsSpec(t *testing.T) {
	base := run(t, "tally?do=1s:crowd")
	for _, c := range []struct {
		text string
		same bool
	}{
		{"tally?do=1s:crowd", true},
		{"tally?do=1s:crowd&at=0.5s", true}, // where the view opens is no part of the run
		{"tally?do=1s:crowd&seed=2", false},
		{"tally?do=1s:crowd::6", false},
		{"tally", false},
	} {
		if got := run(t, c.text).Digest() == base.Digest(); got != c.same {
			t.Errorf("%s: same digest is %v, want %v", c.text, got, c.same)
		}
	}
	if len(base.Digest()) != 32 {
		t.Errorf("digest %q has not 32 digits", base.Digest())
	}
}

// Two runs that record the same rows and log but differ in one event far beyond the log still differ in the digest.
func TestTheDigestSeesEveryEvent(t *testing.T) {
	trace := run(t, "tally?rate=10k&length=10s&room=1000")
	if !trace.Truncated() || trace.Handled < 2*labs.MaxLog {
		t.Fatalf("the run has %d events, too few to pass the log", trace.Handled)
	}
	before := trace.Digest()
	trace.Fold ^= 1
	if trace.Digest() == before {
		t.Error("the fold over all events is not in the digest")
	}
	trace.Fold ^= 1
	for name, change := range map[string]func(){
		"a row":     func() { trace.Columns[1].Values[7]++ },
		"an event":  func() { trace.Log[99].A++ },
		"a metric":  func() { trace.Metrics[0]++ },
		"a verdict": func() { trace.Verdicts[0].Count++ },
	} {
		was := trace.Digest()
		change()
		if trace.Digest() == was {
			t.Errorf("changing %s left the digest as it was", name)
		}
	}
}

func TestAdvanceInAnySlicesIsTheSameRun(t *testing.T) {
	spec := parse(t, "tally?rate=500&length=1s&do=0.5s:crowd")
	rapid.Check(t, func(t *rapid.T) {
		whole, err := labs.Run(spec, labs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := labs.Begin(spec, labs.Options{Seek: rapid.Bool().Draw(t, "seek")})
		if err != nil {
			t.Fatal(err)
		}
		for done := false; !done; {
			if r.Trace() != nil {
				t.Fatal("there is a trace before the end")
			}
			if done, err = r.Advance(rapid.IntRange(1, 300).Draw(t, "slice")); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(r.Trace().Append(nil), whole.Append(nil)) {
			t.Fatal("slices changed the trace")
		}
	})
}

func TestRowsGatherWhatHappened(t *testing.T) {
	trace := run(t, "tally?rate=1k&length=2s")
	entered := trace.Column("entered")
	var sum int64
	for _, v := range entered.Values {
		sum += v
	}
	if sum != trace.Metrics[0] {
		t.Errorf("the rows sum to %d, want the metric %d", sum, trace.Metrics[0])
	}
	if rows := len(entered.Values); rows != 2000 || trace.Grain != 1_000_000 {
		t.Errorf("got %d rows of %d ns, want 2000 of 1 ms", rows, trace.Grain)
	}
	inside, most := trace.Column("inside").Values, trace.Column("most").Values
	for i := range inside {
		if most[i] < inside[i] || most[i] > 4 {
			t.Fatalf("row %d: peak %d, last %d, want last ≤ peak ≤ 4", i, most[i], inside[i])
		}
		if i > 0 && most[i] < inside[i-1] {
			t.Fatalf("row %d: peak %d is below the level %d that it began with", i, most[i], inside[i-1])
		}
	}
}

func TestGrainKeepsToTheRows(t *testing.T) {
	for _, length := range []string{"0.001", "0.1", "1.9999", "2", "2.0001", "7", "99.9", "100"} {
		trace := run(t, "tally?stay=1&rate=1&length="+length)
		rows := int64(len(trace.Columns[0].Values))
		if rows > labs.MaxRows || rows*trace.Grain < trace.Horizon || (rows-1)*trace.Grain >= trace.Horizon {
			t.Errorf("%s s: %d rows of %d ns do not cover %d ns", length, rows, trace.Grain, trace.Horizon)
		}
	}
}

func TestACounterexampleNamesCheckInstantAndRequest(t *testing.T) {
	trace := run(t, "tally?use=none&rate=10&do=0.25s:crowd::9")
	v := trace.Verdicts[0]
	if v.OK || trace.OK() || v.Check != "within-room" || v.At != 250_000_000 || v.Facts[0] != 5 || v.Count < 5 {
		t.Fatalf("got %+v, want within-room broken at 0.25 s with 5 inside, five times or more", v)
	}
	i := slices.IndexFunc(trace.Marks, func(m labs.Logged) bool { return m.Kind == labs.MarkViolation })
	if i < 1 || trace.Marks[0].Kind != labs.MarkAction || trace.Marks[i].A != v.Request {
		t.Errorf("marks %+v, want the action and then the violation by request %d", trace.Marks, v.Request)
	}
}

func TestAnActionComesBeforeAllElseAtItsInstant(t *testing.T) {
	spec := parse(t, "tally?do=0.5s:shut:door&input="+digestOfTest)
	trace, err := labs.Run(spec, labs.Options{Input: []int64{400_000_000, 500_000_000, 600_000_000}, InputDigest: digestOfTest})
	if err != nil {
		t.Fatal(err)
	}
	if trace.Metrics[0] != 1 || trace.Metrics[1] != 2 {
		t.Errorf("entered %d, turned away %d, want 1 and 2: the door is shut before the arrival of that instant", trace.Metrics[0], trace.Metrics[1])
	}
}

const digestOfTest = "00112233445566778899aabbccddeeff"

func TestInputMustFitTheSpec(t *testing.T) {
	with, without := parse(t, "tally?input="+digestOfTest), parse(t, "tally")
	for _, c := range []struct {
		name string
		spec labs.Spec
		opts labs.Options
		code string
	}{
		{"a log that the Spec does not name", without, labs.Options{Input: []int64{1}, InputDigest: digestOfTest}, "wrong-input"},
		{"a Spec whose log is missing", with, labs.Options{}, "needs-input"},
		{"another log", with, labs.Options{Input: []int64{1}, InputDigest: "x"}, "wrong-input"},
	} {
		_, err := labs.Run(c.spec, c.opts)
		var e *labs.Error
		if !errors.As(err, &e) || e.Code != c.code {
			t.Errorf("%s: got %v, want %s", c.name, err, c.code)
		}
	}
}

func TestRunsStopAtTheirBounds(t *testing.T) {
	var b *labs.Bound
	_, err := labs.Run(parse(t, "tally?use=none&rate=1000000&length=100s"), labs.Options{})
	if !errors.As(err, &b) || b.Code != "events" || b.At == 0 {
		t.Errorf("got %v, want the bound on events", err)
	}
	asked := 0
	_, err = labs.Run(parse(t, "tally?rate=1000000&length=100s"), labs.Options{Stop: func() bool { asked++; return asked > 3 }})
	if !errors.As(err, &b) || b.Code != "cancelled" {
		t.Errorf("got %v, want cancelled", err)
	}
}

// Replay must show what the run did, wherever in it, whatever checkpoints were kept: its twin is the full log of a short run.
func TestReplayShowsTheEventsOfTheRun(t *testing.T) {
	spec := parse(t, "tally?rate=2000&length=2s&do=1s:crowd&stay=3")
	for _, seek := range []bool{false, true} {
		r, err := labs.Begin(spec, labs.Options{Seek: seek})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Advance(1 << 30); err != nil {
			t.Fatal(err)
		}
		log, digest := r.Trace().Log, r.Trace().Digest()
		for _, at := range []int64{0, 1, 1_000_000, 300_000_000, 999_999_999, 1_000_000_000, 1_000_000_001, 1_999_999_999, 2_000_000_000} {
			i, _ := slices.BinarySearchFunc(log, at, func(e labs.Logged, at int64) int {
				if e.At < at {
					return -1
				}
				return 1
			})
			want := log[max(0, i-40):min(len(log), i+25)]
			if diff := cmp.Diff(r.Replay(at, 40, 25), slices.Clone(want)); diff != "" {
				t.Fatalf("seek %v at %d ns (got −, want +):\n%s", seek, at, diff)
			}
		}
		if r.Trace().Digest() != digest {
			t.Error("replaying changed the run")
		}
	}
}

// Actions may be dear, and two hundred of them are few events.
func TestStopIsAskedAtEachAction(t *testing.T) {
	asked := 0
	spec := parse(t, "tally?rate=1&length=1s&do=0.1s:crowd&do=0.2s:crowd&do=0.3s:crowd")
	stop := func() bool { asked++; return asked == 4 }
	_, err := labs.Run(spec, labs.Options{Stop: stop})
	var bound *labs.Bound
	if !errors.As(err, &bound) || bound.Code != "cancelled" || bound.At != 300_000_000 {
		t.Errorf("told to stop at the third action, got %v after %d questions, want a stop at 0.3 s", err, asked)
	}
}

// swelling is a state that says it has become 64 KiB larger with each event.
type swelling struct{ n int }

func (s *swelling) Handle(env *labs.Env, _ sim.Event) { s.n++; env.At(env.Now()+1, 0, 0, 0, 0) }
func (s *swelling) Act(*labs.Env, labs.Do)            {}
func (s *swelling) Finish(*labs.Env)                  {}
func (s *swelling) Clone() labs.State                 { c := *s; return &c }
func (s *swelling) Bytes() int                        { return s.n << 16 }

// A run that takes more and more memory ends, at the same instant in slices of any size: a server and a browser's tab both have little.
func TestMemoryIsBounded(t *testing.T) {
	lab := &labs.Lab{
		ID: "swelling", Version: 1,
		Horizon: func(labs.Config) int64 { return 1e6 },
		Layout:  func(labs.Config) labs.Layout { return labs.Layout{} },
		Start: func(_ labs.Config, env *labs.Env) labs.State {
			env.At(0, 0, 0, 0, 0)
			return &swelling{}
		},
	}
	for _, slice := range []int{1, 1000, 1 << 20} {
		r, err := labs.Begin(labs.New(lab), labs.Options{})
		for done := false; err == nil && !done; {
			done, err = r.Advance(slice)
		}
		var b *labs.Bound
		if !errors.As(err, &b) || b.Code != "memory" || b.At != 1<<13-1 {
			t.Errorf("in slices of %d: %v, want the bound on memory at the 8192nd event", slice, err)
		}
	}
}
