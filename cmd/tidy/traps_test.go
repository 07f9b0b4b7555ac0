package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The table holds each number once, from 1 to 71, in order.
func TestFamiliesCoverAllTraps(t *testing.T) {
	next := 1
	for _, fam := range families {
		if fam.first != next || fam.last < fam.first {
			t.Errorf("%s: traps %d–%d, want the first to be %d", fam.name, fam.first, fam.last, next)
		}
		if len(fam.in) == 0 || fam.when == "" {
			t.Errorf("%s: no place for its tests or no sign that they are due", fam.name)
		}
		next = fam.last + 1
	}
	if next != 72 {
		t.Errorf("the last trap is %d, want 71", next-1)
	}
}

func TestTrapsNeedTests(t *testing.T) {
	body := "(t *testing.T) { t.Error() }\n"
	all := "package queue\n\nfunc TestTrap59Full" + body
	caches := "package cache\n\n"
	for _, name := range []string{"60", "61LoaderRunsOnce", "62_SetThenGet", "63", "64", "65", "66"} {
		caches += "func TestTrap" + name + body
	}
	balancing := "package route\n\n"
	for n := 42; n <= 48; n++ {
		balancing += "func TestTrap" + strconv.Itoa(n) + body
	}
	tryRule(t, checkTraps, []ruleCase{
		{"not due", tree{"chapters/pmath/a.go": "package pmath\n"}, nil},
		{"all tested", tree{
			"chapters/queue/a_test.go":       all,
			"chapters/cache/a.go":            "package cache\n",
			"chapters/cache/sub/all_test.go": caches,
		}, nil},
		{"some missing, one elsewhere, one not a test, one with another number", tree{
			"chapters/cache/a.go":      "package cache\n\nfunc TestTrap61() {}\n",
			"chapters/cache/a_test.go": "package cache\n\nfunc TestTrap60" + body + "func TestTrap640" + body,
			"chapters/ring2/a_test.go": "package ring2\n\nfunc TestTrap62" + body,
		}, []breach{
			{"chapters/cache:1", "no test for trap 61–65 (TestTrapNN… in chapters/cache)"},
			{"chapters/cache:1", "no test for trap 66"},
		}},
		{"a second package needs its own", tree{
			"chapters/queue/a_test.go": all,
			"chapters/route/a.go":      "package route\n",
			"chapters/route/a_test.go": balancing,
		}, []breach{{"chapters/route:1", "no test for trap 59 (TestTrapNN… in chapters/route)"}}},
		{"and its own is none for the first", tree{
			"chapters/queue/a.go":      "package queue\n",
			"chapters/route/a_test.go": balancing + "func TestTrap59Line" + body,
		}, []breach{{"chapters/queue:1", "no test for trap 59"}}},
		{"empty or skipped is no test", tree{
			"chapters/queue/a_test.go": "package queue\n\nfunc TestTrap59(t *testing.T) {}\n",
			"chapters/quota/a_test.go": "package quota\n\nfunc TestTrap25(t *testing.T) { t.Skip(\"later\") }\n",
		}, []breach{
			{"chapters/queue:1", "no test for trap 59"},
			{"chapters/quota:1", "no test for trap 25"},
		}},
	})
}

func TestTrapsBecomeDueByAFileThatIsNoGo(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "go.mod"), "module seedbed\n")
	write(t, filepath.Join(root, "content/en/labs/adaptive-limit.yaml"), "title: x\n")
	h, err := open(root)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.check([]rule{checkTraps}); len(got) != 1 || !strings.Contains(got[0].text, "no test for trap 24") {
		t.Errorf("got %v, want trap 24", got)
	}
	var out bytes.Buffer
	printTraps(&out, h)
	for _, want := range []string{
		" 1–23 limiters               not due: no chapters/limiter\n",
		"24–24 adaptive limits        no test for 24\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the list lacks %q:\n%s", want, &out)
		}
	}
}

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		numbers []int
		want    string
	}{
		{nil, ""},
		{[]int{4}, "4"},
		{[]int{1, 2, 3, 7, 9, 10}, "1–3, 7, 9–10"},
	} {
		if got := spans(c.numbers); got != c.want {
			t.Errorf("%v: %q, want %q", c.numbers, got, c.want)
		}
	}
}
