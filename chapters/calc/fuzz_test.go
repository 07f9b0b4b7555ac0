package calc

import (
	"strings"
	"testing"
)

// Whatever the text: no panic, every fault has its place, and what is printed means what was written.
func FuzzSheet(f *testing.F) {
	for _, source := range []string{
		gateway, sharding,
		"a = 5 MiB + 3 req/s\nb = a * 2\nc = d\nd = 1",
		"峰值 = 110 万次/天 # ＃备注\n带宽 ＝ 峰值 × （20 KiB － 1 B） # => 0.25 MiB/s",
		"a = -(2 ^ -3) ^ 2 / sqrt(2)\nb = max(a, 1,000, 2)\nc = 5 % / 3 ‰",
		"a = $5/(GB·month·s^2)\nb = 1_000.5e-7 k\nc = ((((1",
		"a = 1e77 * 1e77\nb = 0.0000000001e-77",
		"d = 5\n= 5\na == 5\na = 5 # => \nb = 5 # => 5 = 5 = 5 # x # => 6",
	} {
		f.Add(source, "a", "7 MiB", "kB/s")
		f.Add(source, "reads", "-1,000", "×")
	}
	f.Fuzz(func(t *testing.T, source, name, text, unit string) {
		s, errs := Parse(source)
		for _, err := range errs {
			if err.Line < 1 || err.Col < 0 || err.Text() == "" || err.Code == "unknown" {
				t.Fatalf("%q: a fault without a place or a text: %+v", source, err)
			}
		}
		printed := s.String()
		again, _ := Parse(printed)
		if got := again.String(); got != printed {
			t.Fatalf("%q\nis printed as\n%sand that as\n%s", source, printed, got)
		}
		for i := range s.lines {
			l := s.lines[i]
			if l.Err == nil && l.Name != "" {
				same(t, l, again)
			}
		}
		_, _ = s.Show(name, unit)
		changed, err := s.Set(name, text)
		if err != nil && s.String() != printed {
			t.Fatalf("%q: %q is refused (%v), and the sheet is now\n%s", source, text, err, s)
		}
		if err == nil && len(changed) == 0 {
			t.Fatalf("%q: set to %q, and nothing was computed", source, text)
		}
		_, _ = s.Show(name, unit)
		s.Reset()
		if got := s.String(); got != printed {
			t.Fatalf("%q: after Reset\n%s", source, got)
		}
	})
}

// same holds a line against the one of that name in a sheet that was printed.
func same(t *testing.T, l *Line, again *Sheet) {
	t.Helper()
	other, ok := again.Line(l.Name)
	if !ok || other.Err != nil {
		t.Fatalf("%s is lost when it is printed: %+v", l.Name, other)
	}
	if l.Value.number().cmp(other.Value.number()) != 0 || l.Value.dim != other.Value.dim || l.Input != other.Input {
		t.Fatalf("%s: printed it is %v, want %v", l.Name, other.Value, l.Value)
	}
	got, want := other.Shown(), l.Shown()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: printed it is told as %v, want %v", l.Name, got, want)
		}
	}
}

func FuzzUnit(f *testing.F) {
	for _, text := range []string{"MiB/s", "M req/day", "$/(GB·month)", "万次/天", "×", "s^2/B^3", "%", "B·s·B", "/s/s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := ParseUnit(text)
		if err != nil {
			return
		}
		again, err := ParseUnit(u.String())
		if err != nil || again.String() != u.String() || again.or().dim != u.or().dim || again.or().scale.cmp(u.or().scale) != 0 {
			t.Fatalf("%q is %q, and that is %q (%v)", text, u, again, err)
		}
		if strings.Contains(u.String(), "  ") {
			t.Fatalf("%q is written %q", text, u)
		}
	})
}
