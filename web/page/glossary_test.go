package page

import (
	"strings"
	"testing"
)

func TestGlossary(t *testing.T) {
	g := glossary(t)
	if got := g.Find("Buckets"); got == nil || got.ID != "token-bucket" {
		t.Errorf("Buckets: got %v, want token-bucket", got)
	}
	html, problems := g.HTML(g.ByID("token-bucket"), toyRenderer("en"))
	if want := `Holds tokens; see <a class="term" href="/en/glossary/#rate" title="So many per second.">rate</a>.`; html != want || len(problems) > 0 {
		t.Errorf("got %s %v, want %s", html, problems, want)
	}
	if g.ByID("token bucket") != nil {
		t.Error("a term's name is not its id")
	}
}

func TestGlossaryProblems(t *testing.T) {
	const src = `token-bucket:
  term: token bucket
  text: Holds tokens; see [[nothing]].
  see: [absent]
Rate:
  term: rate
  text: So many.
rate2:
  term: token bucket
  text: The same.
empty:
  term: nobody explains
odd:
  term: odd
  text: Odd.
  colour: red
`
	g, problems := ParseGlossary([]byte(src), Options{File: "en/glossary/terms.yaml"})
	var got strings.Builder
	for _, p := range problems {
		got.WriteString(p.Error() + "\n")
	}
	const want = `en/glossary/terms.yaml:1: token-bucket: see names "absent", which is not a term
en/glossary/terms.yaml:3: [[nothing]] is not in the glossary; add it to glossary/terms.yaml of "en", or write it without brackets
en/glossary/terms.yaml:5: term id "Rate" is not lower-case ASCII letters and digits with hyphens
en/glossary/terms.yaml:8: rate2: "token bucket" already means token-bucket
en/glossary/terms.yaml:11: empty: wants term and text
en/glossary/terms.yaml:16: the key colour is not known here; it is one of term, also, text, see
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	if len(g.Terms) == 0 {
		t.Error("a glossary with faults shows nothing; want what could be read")
	}
}
