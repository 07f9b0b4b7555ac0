package page

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seedbed/labs"
	words "seedbed/web/text"
)

var update = flag.Bool("update", false, "write the goldens")

// toy is a lab that is only described: the package never runs one.
var toy = &labs.Lab{
	ID: "toy", Version: 1, Family: "toys",
	Params: []labs.Param{
		{Name: "rate", Unit: labs.PerSecond, Min: 1e3, Max: 100e3, Default: 50e3},
		{Name: "use", Choices: []string{"fixed", "log"}},
	},
	Actions: []labs.Action{{Verb: "kill", Targets: []string{"c"}}},
	Checks:  []labs.Check{{Name: "holds"}},
	Metrics: []labs.Quantity{{Name: "admitted"}, {Name: "wait", Unit: labs.Nanos}, {Name: "memory", Unit: labs.Bytes}, {Name: "rate", Unit: labs.PerSecond}},
	Presets: []labs.Preset{{Name: "default", Query: "rate=20"}, {Name: "storm", Query: "rate=100&seed=7", Breaks: "holds"}},
	Horizon: func(labs.Config) int64 { return 60e9 },
	Layout: func(labs.Config) labs.Layout {
		return labs.Layout{Entities: []labs.Entity{{Name: "c"}}}
	},
}

func find(id string) *labs.Lab {
	if id == toy.ID {
		return toy
	}
	return nil
}

// toyRenderer computes metrics as a run of the toy would: everything follows from the rate.
func toyRenderer(lang string) Renderer {
	return Renderer{
		Lang: lang,
		Word: func(key string, named ...string) string { return "<" + key + ">" + strings.Join(named, "=") },
		Lab: func(l *Lab, t LabText) (string, error) {
			return "<toy spec=" + l.Spec.Text() + ">" + t.Question + "|" + t.Predict + "</toy>", nil
		},
		Metric: func(spec labs.Spec, metric int) (int64, error) {
			rate := spec.Values[0]
			if rate == 99e3 {
				return 0, &labs.Bound{Code: "events", At: 1e9}
			}
			return [...]int64{rate / 500, 1e12 / rate, rate * 1000, rate}[metric], nil
		},
		Number: func(u labs.Unit, v int64) string { return words.Number(words.Lang(lang), u, v) },
		Worker: "/worker.js", Module: "/calc.wasm",
	}
}

const glossaryText = `token-bucket:
  term: token bucket
  also: [buckets]
  text: Holds tokens; see [[rate]].
  see: [rate]
rate:
  term: rate
  text: So many *per second*.
`

func glossary(t *testing.T) *Glossary {
	t.Helper()
	g, problems := ParseGlossary([]byte(glossaryText), Options{File: "en/glossary/terms.yaml"})
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return g
}

// TestPages holds each testdata/*.md against its .html beside it: the text's HTML, then every problem. The folder name of a file's
// language is the part of its name before the first hyphen.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".md")
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lang, _, _ := strings.Cut(name, "-")
			p, problems := Parse(src, Options{File: lang + "/chapters/" + name + ".md", Find: find, Glossary: glossary(t)})
			got, more := p.HTML(toyRenderer(lang))
			got += "\n-- problems --\n"
			for _, problem := range append(problems, more...) {
				got += problem.Error() + "\n"
			}
			golden := strings.TrimSuffix(file, ".md") + ".html"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(got, string(want)); diff != "" {
				t.Errorf("%s: got − want +\n%s", golden, diff)
			}
		})
	}
}

func TestPageKnowsWhatItHolds(t *testing.T) {
	src := "---\ntitle: T\n---\n\n## One {#one}\n\n```lab toy?rate=20\n```\n\n[a](04-windows.md#cost) [b](lab:use=log) {=toy#wait} [[buckets]] #DL-3\n"
	p, problems := Parse([]byte(src), Options{File: "en/chapters/00-x.md", Find: find, Glossary: glossary(t)})
	for _, problem := range problems {
		t.Error(problem)
	}
	if got, want := p.Headings[0], (Heading{Level: 2, ID: "one", Text: "One", Line: 5}); got != want {
		t.Errorf("heading %+v, want %+v", got, want)
	}
	if got, want := p.Labs[0].Spec.Text(), "toy?v=1&rate=20"; got != want {
		t.Errorf("lab %q, want %q", got, want)
	}
	if got := p.Labs[0].Level; got != 3 {
		t.Errorf("the lab in a section of level 2 has a title of level %d, want 3", got)
	}
	if got, want := p.Links[0].Target, (Target{Kind: Chapter, ID: "windows", Fragment: "cost"}); got != want {
		t.Errorf("link %+v, want %+v", got, want)
	}
	if got, want := p.Drives[0].Spec.Text(), "toy?v=1&rate=20&use=log"; got != want {
		t.Errorf("drive %q, want %q", got, want)
	}
	if got, want := p.Numbers[0].Spec.Text(), "toy?v=1&rate=20"; got != want {
		t.Errorf("a lab without a query is %q, want its first preset %q", got, want)
	}
	if got, want := p.Terms[0].ID, "token-bucket"; got != want {
		t.Errorf("term %q, want %q", got, want)
	}
	if got, want := p.Decisions[0].ID, "DL-3"; got != want {
		t.Errorf("decision %q, want %q", got, want)
	}
	if !p.HasAnchor("one") || !p.HasAnchor("") || p.HasAnchor("two") {
		t.Error("anchors: the page has one, and its top, and no two")
	}
}
