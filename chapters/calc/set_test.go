package calc

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func names(s *Sheet, indexes []int) []string {
	var out []string
	for _, i := range indexes {
		out = append(out, s.lines[i].Name)
	}
	return out
}

func TestSetComputesWhatDependsOnItAndNothingElse(t *testing.T) {
	s := sheet(t, gateway)
	before := s.String()
	untouched := show(t, s, "metadata", "")
	changed, err := s.Set("long_time", "10")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(names(s, changed), []string{"long_time", "conns", "twice", "slots"}); diff != "" {
		t.Errorf("computed: got − want +\n%s", diff)
	}
	for _, c := range []struct{ name, want string }{
		{"long_time", "10 s"}, {"conns", "864"}, {"twice", "1,664"}, {"slots", "940"}, {"metadata", untouched},
	} {
		if got := show(t, s, c.name, ""); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	s.Reset()
	if got := s.String(); got != before {
		t.Errorf("after Reset: got\n%swant\n%s", got, before)
	}
	if got := show(t, s, "conns", ""); got != "464" {
		t.Errorf("conns after Reset: got %s, want 464", got)
	}
}

func TestSetReadsNumbersAsReadersWriteThem(t *testing.T) {
	for _, c := range []struct{ given, text, want string }{
		{"360 req/s", "720", "720 req/s"},
		{"360 req/s", " 1,000 ", "1,000 req/s"},
		{"360 req/s", "1_000", "1,000 req/s"},
		{"360 req/s", "７２０", "720 req/s"},
		{"360 req/s", "0.5", "0.5 req/s"},
		{"360 req/s", "-3", "−3 req/s"},
		{"360 req/s", "−3", "−3 req/s"},
		{"360 req/s", "20 k/s", "20 k/s"},
		{"360 req/s", "1200 reads/min", "1,200 reads/min"},
		{"20 KiB", "1 MB", "1 MB"},
		{"55 %", "60", "60%"},
		{"55 %", "0.6", "0.6%"},
		{"55 %", "60％", "60%"},
		{"$0.02/(GB·month)", "0.05", "$0.05/(GB·month)"},
		{"0.02 $/(GB·month)", "$0.05/GB/month", "$0.05/(GB·month)"},
		{"$5/month", "-3", "−$3/month"},
		{"1.1 M req/day", "2", "2 M req/day"},
		{"110 万次/天", "200", "200 万次/天"},
		{"4", "5", "5"},
		{"4", "5 nodes", "5 nodes"},
		{"4", "(5)", "5"},
		{"4", "5e6", "5e6"},
	} {
		s := sheet(t, "x = "+c.given+"\ny = x * 2")
		if _, err := s.Set("x", c.text); err != nil {
			t.Errorf("%s set to %q: %v", c.given, c.text, err)
		}
		if got := show(t, s, "x", ""); got != c.want {
			t.Errorf("%s set to %q: got %s, want %s", c.given, c.text, got, c.want)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	const source = "x = 360 req/s\ny = x * 2\nz = 5 KiB"
	for _, c := range []struct{ name, text, code, want string }{
		{"x", "", "not-a-number", " is not a number with a unit; write it as 360 req/s"},
		{"x", "many", "not-a-number", "many is not a number with a unit; write it as 360 req/s"},
		{"x", "1 + 1", "not-a-number", "1 + 1 is not a number with a unit; write it as 360 req/s"},
		{"x", "y", "not-a-number", "y is not a number with a unit; write it as 360 req/s"},
		{"x", "1e99", "not-a-number", "1e99 is not a number with a unit; write it as 360 req/s"},
		{"x", strings.Repeat("9", 300), "not-a-number", strings.Repeat("9", 60) + "… is not a number with a unit; write it as 360 req/s"},
		{"x", "5 KiB", "wrong-unit", "cannot tell KiB in req/s"},
		{"z", "5 req/s", "wrong-unit", "cannot tell req/s in KiB"},
		{"y", "5", "not-an-input", "y is computed; only a line that is one number with its unit can be set"},
		{"w", "5", "unknown-name", "w is not known; set above are z, y, x"},
	} {
		s := sheet(t, source)
		before := s.String()
		_, err := s.Set(c.name, c.text)
		var fault *Error
		if !errors.As(err, &fault) || fault.Code != c.code || fault.Text() != c.want {
			t.Errorf("%s set to %q: got %v, want %s: %s", c.name, c.text, err, c.code, c.want)
		}
		if got := s.String(); got != before {
			t.Errorf("%s set to %q: refused, and the sheet is now\n%s", c.name, c.text, got)
		}
	}
}

// What a reader sets may take a value away from other lines; setting it again gives it back.
func TestSetMayLeaveLinesWithoutAValue(t *testing.T) {
	s := sheet(t, "x = 4\ny = 8 / x\nz = y + 1 # => 3\nw = 5")
	if _, err := s.Set("x", "0"); err != nil {
		t.Fatal(err)
	}
	if l, _ := s.Line("y"); l.Err == nil || l.Err.Code != "zero-division" || l.Err.Line != 2 {
		t.Errorf("y: got %v, want a division by zero in line 2", l.Err)
	}
	if l, _ := s.Line("z"); l.Err == nil || l.Err.Code != "unknown" {
		t.Errorf("z: got %v, want unknown", l.Err)
	}
	if _, err := s.Set("x", "8"); err != nil {
		t.Fatal(err)
	}
	if got := show(t, s, "z", ""); got != "2" {
		t.Errorf("z: got %s, want 2", got)
	}
}

func TestClonesAreIndependent(t *testing.T) {
	s := sheet(t, "x = 4\ny = x * 2")
	c := s.Clone()
	if _, err := c.Set("x", "5"); err != nil {
		t.Fatal(err)
	}
	if got, want := show(t, s, "y", "")+" "+show(t, c, "y", ""), "8 10"; got != want {
		t.Errorf("original and clone: got %s, want %s", got, want)
	}
}

// Setting an input must be the same as having written the number in the first place, for every line, whatever was set before.
func TestSetIsLikeWritingIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "lines")
		lines, inputs := make([]string, n), []int{}
		for i := range lines {
			if i == 0 || rapid.IntRange(0, 2).Draw(t, "kind") == 0 {
				lines[i] = rapid.StringMatching(`[1-9][0-9]{0,2}`).Draw(t, "number")
				inputs = append(inputs, i)
				continue
			}
			a, b := rapid.IntRange(0, i-1).Draw(t, "left"), rapid.IntRange(0, i-1).Draw(t, "right")
			lines[i] = "v" + string(rune('a'+a)) + rapid.SampledFrom([]string{" + ", " - ", " * ", " / "}).Draw(t, "op") + "v" + string(rune('a'+b))
		}
		source := func() string {
			var b strings.Builder
			for i, line := range lines {
				b.WriteString("v" + string(rune('a'+i)) + " = " + line + "\n")
			}
			return b.String()
		}
		s, _ := Parse(source())
		for range 3 {
			i := rapid.SampledFrom(inputs).Draw(t, "input")
			lines[i] = rapid.StringMatching(`[1-9]?[0-9]`).Draw(t, "value")
			changed, err := s.Set("v"+string(rune('a'+i)), lines[i])
			if err != nil {
				t.Fatal(err)
			}
			want, _ := Parse(source())
			reached := map[string]bool{"v" + string(rune('a'+i)): true}
			for k := range lines {
				name := "v" + string(rune('a'+k))
				for _, word := range strings.Fields(lines[k]) {
					reached[name] = reached[name] || reached[word]
				}
				got, fresh := s.lines[k], want.lines[k]
				if (got.Err == nil) != (fresh.Err == nil) || got.Value.number().cmp(fresh.Value.number()) != 0 {
					t.Fatalf("%s: set to %v (%v), written %v (%v)", name, got.Value, got.Err, fresh.Value, fresh.Err)
				}
			}
			if got, want := len(changed), len(reached)-unreached(reached); got != want {
				t.Fatalf("%d lines were computed, want %d: %v", got, want, names(s, changed))
			}
		}
		s.Reset()
		for k, l := range s.lines {
			if l.root != l.given {
				t.Fatalf("line %d is not the author's after Reset", k)
			}
		}
	})
}

func unreached(reached map[string]bool) int {
	n := 0
	for _, is := range reached {
		if !is {
			n++
		}
	}
	return n
}

// A result that the author wrote with few digits has enough of them when it changes, in each of its units alike; set back, it is the
// author's again.
func TestAChangedResultHasEnoughDigits(t *testing.T) {
	s := sheet(t, "n = 20\nx = n * 0.25 s # => 5 s = 5000 ms\ny = x / 3 # => 2 s\nz = 10 s / 3 # => 3 s")
	for _, c := range []struct{ n, x, ms, y, z string }{
		{"5", "1.25 s", "1,250 ms", "0.417 s", "3 s"},
		{"1", "0.25 s", "250 ms", "0.0833 s", "3 s"},
		{"50", "12.5 s", "12,500 ms", "4.17 s", "3 s"},
	} {
		if _, err := s.Set("n", c.n); err != nil {
			t.Fatal(err)
		}
		for _, v := range []struct{ name, unit, want string }{{"x", "", c.x}, {"x", "ms", c.ms}, {"y", "", c.y}, {"z", "", c.z}} {
			if got := show(t, s, v.name, v.unit); got != v.want {
				t.Errorf("n = %s: %s %s: got %s, want %s", c.n, v.name, v.unit, got, v.want)
			}
		}
	}
	s.Reset()
	if got := show(t, s, "x", "") + ", " + show(t, s, "y", ""); got != "5 s, 2 s" {
		t.Errorf("after Reset: got %s, want 5 s, 2 s", got)
	}
}
