package labs_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"seedbed/labs"
)

// sameLab compares Specs by the identity of their lab: a Lab holds functions.
var sameLab = cmp.Options{cmp.Comparer(func(a, b *labs.Lab) bool { return a == b }), cmpopts.EquateEmpty()}

func TestCanonicalText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"tally", "tally?v=3"},
		{"tally?", "tally?v=3"},
		{"tally?use=none&v=2", "tally?v=2&use=none"},
		{"tally?seed=7&stay=0.05s&rate=10k", "tally?v=3&rate=10000&stay=50&seed=7"},
		{"tally?stay=20", "tally?v=3"}, // the default is left out
		{"tally?seed=1", "tally?v=3"},
		{"tally?do=1.5s:crowd::9&do=0.2:shut:door", "tally?v=3&do=0.2s:shut:door&do=1.5s:crowd::9"},
		{"tally?do=1500ms:crowd", "tally?v=3&do=1.5s:crowd"},
		{"tally?do=1s:crowd::5", "tally?v=3&do=1s:crowd"}, // the action's default value is left out
		{"tally?do=1s%3Acrowd", "tally?v=3&do=1s:crowd"},
		{"tally?&&rate=200&", "tally?v=3&rate=200"},
		{"tally?at=1.25s&seed=18446744073709551615", "tally?v=3&seed=18446744073709551615&at=1.25s"},
		{"tally?input=" + strings.Repeat("0a", 16), "tally?v=3&input=" + strings.Repeat("0a", 16)},
	} {
		spec, err := labs.Parse(c.text, find)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := spec.Text(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestBadSpecsSayWhatWhereAndWhatWouldBeRight(t *testing.T) {
	for _, c := range []struct{ text, code, message string }{
		{"nosuch?rate=1", "unknown-lab", "lab: nosuch is not known"},
		{"", "unknown-lab", "lab is empty; it is one of the labs"},
		{"tally?rate=0", "out-of-range", "rate: 0 is outside 0.1..1000000 per second"},
		{"tally?rate=-5", "out-of-range", "rate: -5 is outside"},
		{"tally?rate=NaN", "not-a-number", "rate: NaN is not a number here; write it as 50 or 50/s"},
		{"tally?rate=1e400", "too-large", "rate: 1e400 is too large"},
		{"tally?rate=", "not-a-number", "rate is empty; write it as 50 or 50/s"},
		{"tally?use=both", "unknown-choice", "use: both is not known; it is one of gate, none"},
		{"tally?colour=red", "unknown-parameter", "tally: the parameter colour is not known; it is one of use, rate, stay"},
		{"tally?rate=500&rate=600", "twice", "spec: rate is given twice"},
		{"tally?seed=-1", "not-a-seed", "seed: -1 does not fit"},
		{"tally?seed=18446744073709551616", "not-a-seed", "seed: 18446744073709551616"},
		{"tally?v=4", "newer-version", "v: 4 is newer than this build knows, 3"},
		{"tally?v=0", "bad-version", "v: 0 does not fit"},
		{"tally?rate=%zz", "bad-escape", "rate=%zz"},
		{"tally?rate=5%", "bad-escape", "rate=5%"},
		{"tally?do=crowd", "bad-action", "do: crowd does not fit"},
		{"tally?do=x:crowd", "not-a-number", "do: x is not a number"},
		{"tally?do=-1s:crowd", "bad-instant", "do: -1s does not fit"},
		{"tally?do=1s:dance", "unknown-verb", "do: the verb dance is not known; it is one of shut, crowd"},
		{"tally?do=1s:shut", "wants-target", "one of door"},
		{"tally?do=1s:shut:window", "unknown-target", "do: the target window is not known; it is one of door"},
		{"tally?do=1s:shut:door:3", "no-value", "shut takes no value"},
		{"tally?do=1s:crowd:door", "no-target", "crowd takes no target"},
		{"tally?do=1s:crowd::0", "out-of-range", "people: 0 is outside 1..100"},
		{"tally?do=2s:crowd", "out-of-range", "do: 2s:crowd is outside 0..2 s"},
		{"tally?stay=3s", "conflict", "stay: a stay longer than the run"},
		{"tally?input=abc", "wrong-input", "input: abc"},
		{"tally?at=-1", "bad-instant", "at: -1"},
		{"tally?rate=5" + strings.Repeat("0", 9<<10), "too-long", "spec: 9228 bytes are more than the 8192 allowed"},
		{"tally?" + strings.Repeat("do=1s:crowd&", 201), "too-many-actions", "do: 201 actions are more than the 200 allowed"},
	} {
		_, err := labs.Parse(c.text, find)
		e, ok := err.(*labs.Error)
		if !ok || e.Code != c.code || !strings.Contains(e.Error(), c.message) {
			t.Errorf("%.60s: got %v, want %s: …%s…", c.text, err, c.code, c.message)
		}
		if ok && (strings.Contains(e.Error(), "\n") || len(e.Error()) > 300) {
			t.Errorf("%.60s: the message is not one short line: %q", c.text, e.Error())
		}
	}
}

func TestSetLeavesTheSpecAloneOnAnError(t *testing.T) {
	spec, err := labs.Parse("tally?rate=500&seed=7&do=1s:crowd", find)
	if err != nil {
		t.Fatal(err)
	}
	before := spec.Text()
	for key, value := range map[string]string{"rate": "0", "use": "x", "seed": "x", "v": "99", "do": "1s:x", "at": "x", "input": "x", "y": "x"} {
		if spec.Set(key, value) == nil {
			t.Errorf("%s=%s was taken", key, value)
		}
	}
	if spec.Text() != before {
		t.Errorf("the Spec became %s, want %s", spec.Text(), before)
	}
}

// drawSpec makes any valid Spec of the tally lab.
func drawSpec(t *rapid.T) labs.Spec {
	s := labs.New(tally)
	for i := range tally.Params {
		p := &tally.Params[i]
		if p.Choices != nil {
			s.Values[i] = rapid.Int64Range(0, int64(len(p.Choices)-1)).Draw(t, p.Name)
			continue
		}
		s.Values[i] = rapid.Int64Range(p.Min, p.Max).Draw(t, p.Name)
	}
	stay, length := tally.Param("stay"), tally.Param("length")
	s.Values[stay] = min(s.Values[stay], s.Values[length])
	s.Values[length] = max(s.Values[length], s.Values[stay])
	s.Seed = rapid.Uint64().Draw(t, "seed")
	for range rapid.IntRange(0, 5).Draw(t, "actions") {
		at := rapid.Int64Range(0, s.Values[length]-1).Draw(t, "at")
		text := labs.Seconds.Format(at) + "s:shut:door"
		if rapid.Bool().Draw(t, "crowd") {
			text = labs.Seconds.Format(at) + "s:crowd::" + strconv.Itoa(rapid.IntRange(1, 100).Draw(t, "people"))
		}
		if err := s.Set("do", text); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestSpecRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t)
		got, err := labs.Parse(spec.Text(), find)
		if err != nil {
			t.Fatalf("%s: %v", spec.Text(), err)
		}
		if diff := cmp.Diff(got, spec, sameLab); diff != "" {
			t.Fatalf("%s came back different (got −, want +):\n%s", spec.Text(), diff)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"tally", "tally?v=1&rate=50&seed=7&do=1.5s:crowd::7", "tally?rate=%35", "tally?at=1e-3&do=0:shut:door", "tally?x", "?", "tally?=&=="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := labs.Parse(text, find)
		if err != nil {
			if _, ok := err.(*labs.Error); !ok {
				t.Fatalf("%q: %T is not an *Error", text, err)
			}
			return
		}
		canonical := spec.Text()
		again, err := labs.Parse(canonical, find)
		if err != nil || again.Text() != canonical {
			t.Fatalf("%q became %q, which came back as %q, %v", text, canonical, again.Text(), err)
		}
	})
}
