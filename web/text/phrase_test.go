package text_test

import (
	"fmt"
	"strings"
	"testing"

	"seedbed/labs"
	"seedbed/web/text"
)

func TestSentencesOfALab(t *testing.T) {
	texts := loadToy(t)
	spec, layout := toySpec(t, "nodes=2&do=250ms:burst::1&do=1.5s:kill:node-2&do=2s:burst&do=3s:paint:node-1:red&do=4s:paint:node-1")
	broken := labs.Verdict{Check: "never-over", At: 1_001_000_000, Request: 1501, Facts: [labs.MaxFacts]int64{1501, 2_000_000}, Count: 1}
	often := broken
	often.Count = 12_000
	gate, node := layout.Entity("gate"), layout.Entity("node-2")
	for _, row := range []struct {
		name   string
		tell   func(l *text.Lab) string
		en, zh string
	}{
		{"check holds", func(l *text.Lab) string { return l.Verdict(&spec, &layout, 0, labs.Verdict{OK: true}) },
			"the open gate admits at most 1,500 in 1 s", "敞开的门在 1 s 内最多放过 1,500 个"},
		{"check broken once", func(l *text.Lab) string { return l.Verdict(&spec, &layout, 0, broken) },
			"the open gate admitted 1,501 within 2 ms, at 1.001 s, with request 1,501; the limit is 1,500; 1 time in all",
			"1.001 s，请求 1,501：敞开的门在 2 ms 内放过了 1,501 个，上限是 1,500；共 1 次"},
		{"check broken often", func(l *text.Lab) string { return l.Broken(&spec, &layout, 0, often) },
			"the open gate admitted 1,501 within 2 ms, at 1.001 s, with request 1,501; the limit is 1,500; 12,000 times in all",
			"1.001 s，请求 1,501：敞开的门在 2 ms 内放过了 1,501 个，上限是 1,500；共 12,000 次"},
		{"event with two values", func(l *text.Lab) string {
			return l.Phrase(&spec, &layout, labs.Logged{Kind: 0, Entity: uint16(gate), A: 7, B: 3})
		}, "gate admits request 7, 3 of 1,500", "门放过请求 7，3/1,500"},
		{"event at a numbered entity", func(l *text.Lab) string {
			return l.Phrase(&spec, &layout, labs.Logged{At: 1e9, Kind: 1, Entity: uint16(node)})
		}, "node 2 is down since 1 s", "节点 2 从 1 s 起不可用"},
		{"action with a value", func(l *text.Lab) string {
			return l.Phrase(&spec, &layout, labs.Logged{Kind: labs.MarkAction, A: 0})
		}, "a burst of 1 request arrives at 250 ms", "250 ms 来了 1 个请求"},
		{"action with a target", func(l *text.Lab) string {
			return l.Phrase(&spec, &layout, labs.Logged{Kind: labs.MarkAction, A: 1})
		}, "node 2 goes down", "节点 2 停了"},
		{"action with its default", func(l *text.Lab) string {
			return l.Phrase(&spec, &layout, labs.Logged{Kind: labs.MarkAction, A: 2})
		}, "a burst of 50 requests arrives at 2 s", "2 s 来了 50 个请求"},
		{"action with a choice", func(l *text.Lab) string {
			return l.Phrase(&spec, &layout, labs.Logged{Kind: labs.MarkAction, A: 3})
		}, "node 1 turns bright red", "节点 1 变成大红"},
		{"action with its default choice", func(l *text.Lab) string {
			return l.Phrase(&spec, &layout, labs.Logged{Kind: labs.MarkAction, A: 4})
		}, "node 1 turns plain", "节点 1 变成本色"},
		{"violation", func(l *text.Lab) string {
			return l.Phrase(&spec, &layout, labs.Logged{Kind: labs.MarkViolation, Entity: 0, A: 1501})
		}, "✗ never over the limit", "✗ 不超上限"},
		{"event that the lab does not have", func(l *text.Lab) string {
			return l.Phrase(&spec, &layout, labs.Logged{Kind: 99})
		}, "", ""},
		{"label that holds its number", func(l *text.Lab) string { return l.Entity(&layout.Entities[0]) }, "client 1", "客户端 1"},
		{"entity without a number", func(l *text.Lab) string { return l.Entity(&layout.Entities[gate]) }, "gate", "门"},
		{"column", func(l *text.Lab) string { return l.Column(&layout, "depth") }, "depth", "深度"},
		{"column of one of many", func(l *text.Lab) string { return l.Column(&layout, "held.node-2") }, "held by node 2", "节点2里的"},
		{"column of none", func(l *text.Lab) string { return l.Column(&layout, "held.moon") }, "", ""},
		{"entity without a text", func(l *text.Lab) string { return l.Entity(&labs.Entity{Name: "moon"}) }, "moon", "moon"},
		{"value of an enum", func(l *text.Lab) string { return l.Value(&toy.Params[0], 1) }, "shut gate", "关着的门"},
		{"value of a number", func(l *text.Lab) string { return l.Value(&toy.Params[2], 1e9) }, "1 s", "1 s"},
	} {
		if got := row.tell(texts.Lab(text.EN, "toy")); got != row.en {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, got, row.en)
		}
		if got := row.tell(texts.Lab(text.ZH, "toy")); got != row.zh {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, got, row.zh)
		}
	}
}

func TestWords(t *testing.T) {
	texts := loadToy(t)
	words := texts.UI(text.EN)
	for _, row := range []struct{ n, want string }{{"0", "0 labs"}, {"1", "1 lab"}, {"2", "2 labs"}} {
		if got := words.Get("lab.count", "n", row.n); got != row.want {
			t.Errorf("n=%s: %q, want %q", row.n, got, row.want)
		}
	}
	if !words.Has("verdict.holds") || words.Has("verdict.hold") {
		t.Error("Has does not tell what is there")
	}
	if got := fmt.Sprint(texts.UI(text.ZH).Under("lab.")); got != "map[count:{n} 个实验]" {
		t.Errorf("Under: %s", got)
	}
	if got := texts.UI(text.ZH).Lang(); got != text.ZH {
		t.Errorf("Lang: %s", got)
	}
}

// TestWordsHelpOneAnother: what one language lacks is said in the other, whole or in part; errors, which English says by itself, are not.
func TestWordsHelpOneAnother(t *testing.T) {
	files := toyFiles(t)
	spoil(t, files, "en/ui.yaml", "verdict.holds: holds", "other: other")
	texts, err := text.Load(files)
	if err == nil {
		t.Fatal("a missing word is no fault")
	}
	if got, want := texts.UI(text.EN).Get("verdict.holds"), texts.UI(text.ZH).Get("verdict.holds"); got != want || texts.UI(text.EN).Has("verdict.holds") {
		t.Errorf("%q, want the other language's %q", got, want)
	}
	spoil(t, files, "en/ui.yaml", "other: other", "other: one: two")
	texts, err = text.Load(files)
	if p := text.Broken(text.Problems(err)); p == nil || p.File != "en/ui.yaml" || p.Line != 2 {
		t.Errorf("broken: %v, want en/ui.yaml:2", p)
	}
	if got := texts.UI(text.EN).Get("lab.count", "n", "3"); got != "3 个实验" {
		t.Errorf("of a file that cannot be read: %q", got)
	}
	for key := range texts.UI(text.EN).Under("") {
		if strings.HasPrefix(key, "lab-error.") {
			t.Errorf("English was lent %s", key)
		}
	}
	if len(texts.UI(text.EN).Under("lab.")) == 0 {
		t.Error("a part is not lent")
	}
}

// TestWrongWordsPanicUnderTest: a key or a value that is missing stops the test that meets it.
func TestWrongWordsPanicUnderTest(t *testing.T) {
	words := loadToy(t).UI(text.EN)
	for want, get := range map[string]func(){
		"text: en/ui.yaml has no key lab.cuont":                 func() { words.Get("lab.cuont") },
		"text: lab.count in en names {n}, which was not given":  func() { words.Get("lab.count", "m", "1") },
		"text: lab.count was given a name without its value: n": func() { words.Get("lab.count", "n") },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, want) {
					t.Errorf("got %s, want %s", got, want)
				}
			}()
			get()
		}()
	}
}

func TestLang(t *testing.T) {
	for lang, want := range map[text.Lang]bool{"en": true, "zh": true, "fr": false, "": false, "EN": false} {
		if got := lang.Known(); got != want {
			t.Errorf("%q known: %v, want %v", lang, got, want)
		}
	}
}
