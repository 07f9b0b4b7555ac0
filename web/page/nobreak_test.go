package page

import (
	"strings"
	"testing"
)

// In the rows, ~ is a no-break space.
func TestSpacesThatMayNotBreak(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		// A number and the symbol of its unit.
		{"after 100 ms, 5 s or 20 KiB", "after 100~ms, 5~s or 20~KiB"},
		{"below 70 %; 58.98 Mbit/s, 400 reads/s", "below 70~%; 58.98~Mbit/s, 400~reads/s"},
		{"耗时100 ms，上限8 MB的", "耗时100~ms，上限8~MB的"},
		{"**Calls take 100 ms**", "<strong>Calls take 100~ms</strong>"},
		{"takes *5* s and {=toy#wait} %", "takes <em>5</em>~s and {=toy#wait}~%"},
		{"2 L − 1, at most 1.1 M", "2~L~−~1, at most 1.1~M"},
		// Words part from their numbers, and letters that only begin like a symbol are words.
		{"100 requests, 40 a second, 5 such, 3 min. and 2 minutes", "100 requests, 40 a second, 5 such, 3~min. and 2 minutes"},
		{"the ms and s of v1 ms", "the ms and s of v1~ms"},
		{"5 either/or", "5 either/or"},
		// Signs between two spaces.
		{"8 × 5 = 40 of 50", "8~×~5~=~40 of 50"},
		{"有40 / 0.8 = 50个", "有40~/~0.8~=~50个"},
		{"*b* + *r* × window", "<em>b</em>~+~<em>r</em>~×~window"},
		{"1 − *x* ≤ 2", "1~−~<em>x</em>~≤~2"},
		{"and/or, a+ b, c +d", "and/or, a+ b, c +d"},
		// What is not prose stays as it was typed.
		{"`8 × 5 ms`", "<code>8 × 5 ms</code>"},
		{"8 ×\n5", "8 ×\n5"},
		{"8\u00a0ms", "8~ms"},
	} {
		if got, want := bold(t, c.src), "<p>"+strings.ReplaceAll(c.want, "~", noBreak)+"</p>"; got != want {
			t.Errorf("%q: got %q, want %q", c.src, got, want)
		}
	}
}

func TestQuizQuestionsKeepNumberAndUnitTogether(t *testing.T) {
	src := "---\ntitle: T\n---\n\n```quiz\n- question: Calls take 100 ms. Why?\n  choices:\n    - {text: 8 × 5 = 40, right: true, why: In 5 s.}\n    - {text: \"40\", why: In 1 s.}\n```\n"
	p, problems := Parse([]byte(src), Options{File: "en/chapters/00-x.md"})
	html, more := p.HTML(toyRenderer("en"))
	for _, problem := range append(problems, more...) {
		t.Error(problem)
	}
	for _, want := range []string{"100~ms", "8~×~5~=~40", "5~s", "1~s"} {
		if !strings.Contains(html, strings.ReplaceAll(want, "~", noBreak)) {
			t.Errorf("the quiz lacks %q (~ is a no-break space):\n%s", want, html)
		}
	}
}
