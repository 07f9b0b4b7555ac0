package picture

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seedbed/web/text"
)

// TestWrappedTextFitsAndIsWhole: no line is wider than the room, and but for the last line's ellipsis nothing is lost.
func TestWrappedTextFitsAndIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyName(rapid.SampledFrom(text.Langs).Draw(t, "lang")).Draw(t, "text")
		f := face{rapid.Float64Range(12, 30).Draw(t, "size"), rapid.Bool().Draw(t, "bold")}
		room := f.size * rapid.Float64Range(2, 30).Draw(t, "ems")
		most := rapid.IntRange(1, 6).Draw(t, "most")
		for name, lines := range map[string][]string{"wrap": f.wrap(s, room, most), "balance": f.balance(s, room, most)} {
			if len(lines) > most {
				t.Fatalf("%s: %d lines, more than %d", name, len(lines), most)
			}
			for _, l := range lines {
				if f.width(l) > room+0.001 {
					t.Fatalf("%s: %q is %.1f wide in a room of %.1f", name, l, f.width(l), room)
				}
			}
			got, want := squeeze(strings.Join(lines, "")), squeeze(s)
			if cut, was := strings.CutSuffix(got, "…"); was {
				if !strings.HasPrefix(want, cut) {
					t.Fatalf("%s: %q became %q", name, s, lines)
				}
			} else if got != want {
				t.Fatalf("%s: %q became %q", name, s, lines)
			}
		}
		if a, b := f.wrap(s, room, most), f.balance(s, room, most); len(a) != len(b) {
			t.Fatalf("balanced into %d lines, wrapped into %d", len(b), len(a))
		}
	})
}

func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

func TestLinesEndWhereTheyMay(t *testing.T) {
	for _, c := range []struct {
		text string
		room float64 // in ems
		want string
	}{
		{"no window over the limit", 6, "no window|over the|limit"},
		{"滑动日志放行的请求，都不超过上限", 9, "滑动日志放行的请|求，都不超过上限"}, // a comma does not begin a line
		{"漏桶（排队）", 3, "漏桶|（排|队）"},                    // nor does a bracket end one
		{"window-edge?v=1&use=fixed&gap=2", 11, "window-edge?v=1&|use=fixed&gap=2"},
	} {
		if got := strings.Join(regular(10).wrap(c.text, c.room*10, 5), "|"); got != c.want {
			t.Errorf("%q in %.0f em becomes %q, want %q", c.text, c.room, got, c.want)
		}
	}
}

func TestBriefNumbers(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want string
	}{{0, "0"}, {999, "999"}, {1000, "1,000"}, {9_999, "9,999"}, {10_000, "10k"}, {61_749, "61.7k"}, {24_691_356_000, "24.7G"}, {-15_000, "-15k"}, {999_999, "1M"}} {
		if got := letters(c.n); got != c.want {
			t.Errorf("%d is told as %s, want %s", c.n, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64().Draw(t, "v")
		if v == -1<<63 {
			return // has no opposite
		}
		r := digits(v, 4)
		if d := float64(r) - float64(v); d > 0.0006*abs(v)+0.5 || -d > 0.0006*abs(v)+0.5 {
			t.Fatalf("%d is rounded to %d", v, r)
		}
	})
}

func abs(v int64) float64 { return max(float64(v), -float64(v)) }
