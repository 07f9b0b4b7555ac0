package check_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/check"
	"seedbed/web/text"
)

// good reads testdata/good: notes in two languages without a fault. Tests spoil one thing and expect one fault.
func good(t *testing.T) map[string]string {
	t.Helper()
	root, files := os.DirFS("testdata/good"), map[string]string{}
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := fs.ReadFile(root, path)
		files[path] = string(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func judge(files map[string]string) []string {
	fsys := fstest.MapFS{}
	for name, src := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(src)}
	}
	return list(check.Content(fsys, catalog.All()))
}

func list(problems []*text.Problem) []string {
	all := make([]string, len(problems))
	for i, p := range problems {
		all[i] = p.Error()
	}
	return all
}

func TestGoodContentHasNoProblem(t *testing.T) {
	for name, files := range map[string]map[string]string{"two languages": good(t), "one language": only(good(t), "en/"), "the other": only(good(t), "zh/")} {
		if got := judge(files); len(got) > 0 {
			t.Errorf("%s:\n%s", name, strings.Join(got, "\n"))
		}
	}
}

func only(files map[string]string, prefix string) map[string]string {
	kept := map[string]string{}
	for name, src := range files {
		if strings.HasPrefix(name, prefix) {
			kept[name] = src
		}
	}
	return kept
}

// TestOurContent holds what is served to the same.
func TestOurContent(t *testing.T) {
	for _, p := range check.Content(content.FS, catalog.All()) {
		t.Error("content/" + p.Error())
	}
}

// The files of testdata/good.
const (
	edges, costs, decision, terms         = "en/chapters/01-edges.md", "en/chapters/02-costs.md", "en/decisions/DL-1-integers.md", "en/glossary/terms.yaml"
	evidence, zhEvidence                  = "en/evidence/real-limit.md", "zh/evidence/real-limit.md"
	zhEdges, zhCosts, zhDecision, zhTerms = "zh/chapters/01-edges.md", "zh/chapters/02-costs.md", "zh/decisions/DL-1-integers.md", "zh/glossary/terms.yaml"
)

// spoiled is one change of one file, and how the fault that it makes begins; none for a change that is well.
var spoiled = []struct{ file, old, new, want string }{
	// Links.
	{edges, "(02-costs.md#memory)", "(02-costs.md#memry)", "en/chapters/01-edges.md:14: 02-costs.md#memry: en/chapters/02-costs.md has no heading {#memry}"},
	{edges, "(02-costs.md#memory)", "(03-costs.md)", ""},
	{edges, "(02-costs.md#memory)", "(02-cost.md)", "en/chapters/01-edges.md:14: 02-cost.md: there is no such chapter; chapters are edges, costs"},
	{edges, "(#run)", "(#walk)", "en/chapters/01-edges.md:15: #walk: en/chapters/01-edges.md has no heading {#walk}"},
	{edges, "(/labs/window-edge?use=log)", "(/labs/window-egde)", "en/chapters/01-edges.md:14: /labs/window-egde: lab: window-egde is not known; it is one of the labs that `seedbed lab list` prints"},
	{edges, "(/labs/window-edge?use=log)", "(/labs/window-edge?use=lag)", "en/chapters/01-edges.md:14: /labs/window-edge?use=lag: use: lag is not known; it is one of fixed, two-counter, log, buckets"},
	{edges, "terms.yaml#burst)", "terms.yaml#bust)", "en/chapters/01-edges.md:15: ../glossary/terms.yaml#bust: the glossary has no term with the id bust"},
	{edges, "DL-1-integers.md)", "DL-2-floats.md)", "en/chapters/01-edges.md:15: ../decisions/DL-2-floats.md: there is no such decision"},
	{edges, "real-limit.md#raw", "real-limits.md", "en/chapters/01-edges.md:15: ../evidence/real-limits.md: there is no such evidence"},
	{edges, "real-limit.md#raw", "real-limit.md#row", "en/chapters/01-edges.md:15: ../evidence/real-limit.md#row: en/evidence/real-limit.md has no heading {#row}"},
	{edges, " #DL-1,", " #DL-12,", "en/chapters/01-edges.md:15: #DL-12: there is no such decision in en/decisions"},
	{edges, "(02-costs.md#memory)", "(ftp://example.org)", `en/chapters/01-edges.md:14: "ftp://example.org": links lead to https, http, mailto, lab:, files of the content, or addresses of this site`},
	{edges, "(02-costs.md#memory)", "(https://)", `en/chapters/01-edges.md:14: "https://" leads nowhere; write the whole address`},
	{edges, "(02-costs.md#memory)", "(mailto:nobody)", `en/chapters/01-edges.md:14: "mailto:nobody" leads nowhere; write the whole address`},
	{edges, "A [[burst]] is", "![a box](missing.png) A [[burst]] is", "en/chapters/01-edges.md:10: missing.png: there is no such file beside this one"},
	{edges, "[a term](../glossary/terms.yaml#burst)", "![a box](box.png)", "en/chapters/01-edges.md:15: box.png: there is no such file beside this one"},
	{edges, "(02-costs.md#memory)", "(../guides/api.md)", "en/chapters/01-edges.md:14: ../guides/api.md: there is no such guide"},
	// Labs and numbers.
	{edges, "```lab window-edge?use=fixed", "```lab window-edgy", "en/chapters/01-edges.md:17: lab: window-edgy is not known; it is one of the labs that `seedbed lab list` prints"},
	{edges, "{=window-edge?use=fixed#admitted}", "{=window-edge?use=fixed#fame}", "en/chapters/01-edges.md:14: window-edge: the metric fame is not known; it is one of offered, admitted, refused, peak, span, rate, admitted.fixed, peak.fixed, memory.fixed, admitted.two-counter, peak.two-counter, memory.two-counter, admitted.log, peak.log, memory.log, admitted.buckets, peak.buckets, memory.buckets"},
	{edges, "{=window-edge?use=fixed#admitted}", "{=window-edge?limit=0#admitted}", "en/chapters/01-edges.md:14: window-edge: limit: 0 is outside 1..100000"},
	{edges, "{=window-edge?use=fixed#admitted}", "{=window-edge?traffic=steady&rate=1000000&length=1000#admitted}", "en/chapters/01-edges.md:14: {=window-edge?traffic=steady&rate=1000000&length=1000#admitted}: run: stopped at"},
	{edges, "choices: [100, 200]", "choices: [100, 300]", "en/chapters/01-edges.md:20: predict: none of the choices is right; admitted of window-edge?v=1&use=fixed&first=100&gap=1500 is 200"},
	{edges, "at-most: 150", "at-most: 250", "en/chapters/01-edges.md:17: goal: reached before anybody tries; admitted is 200 already"},
	{edges, "at-most: 150", "at-least: 150", "en/chapters/01-edges.md:17: goal: reached before anybody tries; admitted is 200 already"},
	{edges, "(lab:use=log)", "(lab:preset=moon)", "en/chapters/01-edges.md:27: lab:preset=moon: preset: moon is not known; it is one of default, "},
	// Front matter.
	{edges, "summary: What an edge admits.\n", "", "en/chapters/01-edges.md:1: summary is missing in the front matter"},
	{edges, "order: 1", "order: 3", "en/chapters/01-edges.md:4: order: 3 is not the number in the file's name, 1"},
	{edges, "labs: [window-edge]", "labs: [token-bucket]", "en/chapters/01-edges.md:5: labs: [token-bucket] is not what the text uses, in its order: [window-edge]"},
	{edges, "terms: [burst]", "terms: [bust]", "en/chapters/01-edges.md:6: terms: bust is not in the glossary"},
	{edges, "A [[burst]] is", "A burst is", "en/chapters/01-edges.md:6: terms: burst is not in the text; write it as [[…]] where it is introduced"},
	{edges, "terms: [burst]", "terms: [burst, burst]", "en/chapters/01-edges.md:6: terms: burst is named twice"},
	{edges, "updated: 2026-11-01", "updated: yesterday", `en/chapters/01-edges.md:7: updated: "yesterday" is not a date; write it as 2026-01-31`},
	{costs, "uses: [edges]", "uses: [moons]", "en/chapters/02-costs.md:5: uses: moons is not a chapter; it is one of edges, costs"},
	{costs, "uses: [edges]", "uses: [costs]", "en/chapters/02-costs.md:5: uses: costs does not come before this chapter"},
	{decision, "metric: one digest\n", "", "en/decisions/DL-1-integers.md:1: metric is missing in the front matter"},
	{decision, "id: DL-1", "id: DL-7", "en/decisions/DL-1-integers.md:2: id: DL-7 is not that of the file's name, DL-1"},
	{decision, "status: accepted", "status: agreed", "en/decisions/DL-1-integers.md:5: status: agreed is not known; it is one of proposed, accepted, rejected, deprecated, superseded"},
	{decision, "updated:", "supersedes: [DL-9]\nupdated:", "en/decisions/DL-1-integers.md:8: supersedes: DL-9 is not a decision"},
	{decision, "updated:", "supersedes: [DL-1]\nupdated:", "en/decisions/DL-1-integers.md:8: supersedes: DL-1 has the status accepted; write superseded there"},
	{evidence, "against: [nginx 1.22.1]\n", "", "en/evidence/real-limit.md:1: against is missing in the front matter"},
	{evidence, "nginx 1.22.1", "nginx", "en/evidence/real-limit.md:6: against: nginx does not say which version; write it as nginx 1.22.1"},
	{evidence, "labs: [window-edge]", "labs: [window-egde]", "en/evidence/real-limit.md:5: labs: window-egde is not a lab"},
	{evidence, "labs: [window-edge]", "labs: [window-edge, window-edge]", "en/evidence/real-limit.md:5: labs: window-edge is named twice"},
	{evidence, "date: 2026-11-01\n", "", "en/evidence/real-limit.md:1: date is missing in the front matter"},
	// Two languages.
	{zhEvidence, "nginx 1.22.1", "nginx 1.24.0", "zh/evidence/real-limit.md:6: against: nginx 1.24.0 is not that of en/evidence/real-limit.md: nginx 1.22.1"},
	{zhEvidence, "labs: [window-edge]", "labs: [token-bucket]", "zh/evidence/real-limit.md:5: labs: token-bucket is not that of en/evidence/real-limit.md: window-edge"},
	{zhEvidence, "{#raw}", "{#row}", "zh/evidence/real-limit.md:12: heading ## {#row} stands where en/evidence/real-limit.md:11 has ## {#raw}"},
	{zhEdges, "translates: 2026-11-01", "translates: 2026-10-01", "zh/chapters/01-edges.md:8: translates: 2026-10-01 is not the date of en/chapters/01-edges.md, 2026-11-01; bring the text up to date"},
	{zhEdges, "translates: 2026-11-01\n", "", "zh/chapters/01-edges.md:1: translates is missing in the front matter; write the date of the text that it follows, 2026-11-01"},
	{zhEdges, "{#run}", "{#go}", "zh/chapters/01-edges.md:13: heading ## {#go} stands where en/chapters/01-edges.md:12 has ## {#run}"},
	{zhEdges, "## 运行 {#run}\n", "", "zh/chapters/01-edges.md: heading ## {#run} of en/chapters/01-edges.md:12 is missing"},
	{zhCosts, "一些", "## 更多 {#more}\n\n一些", "zh/chapters/02-costs.md:12: heading {#more} is not in en/chapters/02-costs.md"},
	{zhEdges, "```lab window-edge?use=fixed", "```lab window-edge?use=two-counter", "zh/chapters/01-edges.md:17: the lab window-edge?v=1&use=two-counter stands where en/chapters/01-edges.md:17 has window-edge?v=1&use=fixed"},
	{zhEdges, "goal: {metric: admitted, at-most: 150}\n", "", "zh/chapters/01-edges.md:17: the lab asks for a prediction or a goal in one language only; see en/chapters/01-edges.md:17"},
	{zhEdges, "- question: 为什么？", "- question: 又为什么？\n  kind: choice\n  choices:\n    - {text: 甲, right: true, why: 因为}\n    - {text: 乙, why: 不对}\n- question: 为什么？", "zh/chapters/01-edges.md: 2 quiz questions, and en/chapters/01-edges.md has 1"},
	{zhDecision, "status: accepted", "status: rejected", "zh/decisions/DL-1-integers.md:5: status: rejected is not that of en/decisions/DL-1-integers.md: accepted"},
	{terms, "burst:", "gcra:\n  term: GCRA\n  also: []\n  text: One number.\n  see: []\nburst:", "zh/glossary/terms.yaml: gcra is missing; en/glossary/terms.yaml:1 has it"},
	// Chinese.
	{zhEdges, "[[突发]]是一下来很多。", "[[突发]]是一下,来很多。", "zh/chapters/01-edges.md:11: half-width , in “下,”; write ，"},
	{zhEdges, "question: 之后呢？", "question: 之后呢?", "zh/chapters/01-edges.md:20: half-width ? in “呢?”; write ？"},
	{zhEdges, "summary: 边缘放过多少。", "summary: 边缘:放过多少。", "zh/chapters/01-edges.md:3: half-width : in “缘:”; write ："},
	{zhCosts, "一些（不多），", "一些(不多)，", "zh/chapters/02-costs.md:12: half-width ( in “(不多)”; write （…）"},
	{zhTerms, "text: 一下来很多。", "text: 一下;来很多。", "zh/glossary/terms.yaml:4: half-width ; in “下;”; write ；"},
	{zhEdges, "[[突发]]是一下来很多。", "[[突发]]是**一下来很多。", "zh/chapters/01-edges.md:11: ** stays visible here: it opens or closes nothing; pair it, or write \\*\\*"},
	{zhEdges, "[[突发]]是一下来很多。", "[[突发]]是`一下,来`很多。", ""},
}

func TestProblems(t *testing.T) {
	for _, row := range spoiled {
		files := good(t)
		if !strings.Contains(files[row.file], row.old) {
			t.Fatalf("%s has no %q to spoil", row.file, row.old)
		}
		files[row.file] = strings.Replace(files[row.file], row.old, row.new, 1)
		got := judge(files)
		if row.want == "" {
			if len(got) > 0 {
				t.Errorf("%q is good: got\n%s", row.new, strings.Join(got, "\n"))
			}
			continue
		}
		if !containsPrefix(got, row.want) {
			t.Errorf("%q:\ngot  %s\nwant %s", row.new, strings.Join(got, "\n     "), row.want)
		}
		if len(got) > 4 {
			t.Errorf("%q: one fault is told %d times:\n%s", row.new, len(got), strings.Join(got, "\n"))
		}
	}
}

func containsPrefix(list []string, want string) bool {
	for _, s := range list {
		if strings.HasPrefix(s, want) {
			return true
		}
	}
	return false
}

func TestProblemsOfFiles(t *testing.T) {
	for _, row := range []struct {
		name string
		turn func(files map[string]string)
		want string
	}{
		{"no Chinese page", func(f map[string]string) { delete(f, "zh/chapters/02-costs.md") }, "zh/chapters/02-costs.md: is missing; en/chapters/02-costs.md is there"},
		{"no English page", func(f map[string]string) {
			f["zh/chapters/03-more.md"] = strings.Replace(f["zh/chapters/02-costs.md"], "order: 2", "order: 3", 1)
		}, "en/chapters/03-more.md: is missing; zh/chapters/03-more.md is there"},
		{"same address", func(f map[string]string) { f["en/chapters/05-costs.md"] = f["en/chapters/02-costs.md"] }, "en/chapters/05-costs.md: has the address of en/chapters/02-costs.md; rename one of them"},
		{"bad name", func(f map[string]string) { f["en/chapters/Costs 2.md"] = f["en/chapters/02-costs.md"] }, "en/chapters/Costs 2.md: the name of a chapter's file is NN-slug.md, in lower-case ASCII"},
		{"texts of no lab", func(f map[string]string) { f["en/labs/moon.yaml"] = "title: Moon" }, "en/labs/moon.yaml: there is no lab moon; its texts belong to nothing"},
		{"no texts of a lab", func(f map[string]string) { f["en/ui.yaml"] = "a: b" }, "zh/labs/window-edge.yaml: is missing; the lab window-edge has no texts in this language"},
		{"not YAML", func(f map[string]string) { f["zh/glossary/terms.yaml"] = "burst: [" }, "zh/glossary/terms.yaml:1: "},
		{"not YAML in front", func(f map[string]string) { f["en/chapters/02-costs.md"] = "---\ntitle: a: b\n---\n" }, "en/chapters/02-costs.md:2: is not YAML: "},
		{"stray", func(f map[string]string) { f["en/first.md"] = "First." }, "en/first.md: no page is made of it; a chapter is en/chapters/NN-slug.md"},
		{"too deep", func(f map[string]string) { f["zh/chapters/more/01-x.md"] = "x" }, "zh/chapters/more/01-x.md: no page is made of it; a chapter is zh/chapters/NN-slug.md"},
		{"guide without its front matter", func(f map[string]string) { f["en/guides/x.md"] = "---\ntitle: x\n---\n" }, "en/guides/x.md:1: summary is missing in the front matter"},
		{"no chapter", func(f map[string]string) {
			for name := range f {
				if strings.Contains(name, "/chapters/") {
					delete(f, name)
				}
			}
		}, "en: no chapter is here; chapters are en/chapters/NN-slug.md"},
		{"nothing at all", func(f map[string]string) { clear(f) }, ".: no content is here; it wants a folder en or zh with chapters/*.md"},
	} {
		files := good(t)
		row.turn(files)
		if got := judge(files); !containsPrefix(got, row.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, strings.Join(got, "\n     "), row.want)
		}
	}
}

// TestEachSpecRunsOnce: a number that stands in the text fifty times costs one run.
func TestEachSpecRunsOnce(t *testing.T) {
	runs := 0
	lab := *catalog.Find("window-edge")
	start := lab.Start
	lab.Start = func(c labs.Config, env *labs.Env) labs.State { runs++; return start(c, env) }
	files := only(good(t), "en/")
	files["en/chapters/02-costs.md"] += strings.Repeat("{=window-edge?use=buckets#admitted} ", 50)
	fsys := fstest.MapFS{}
	for name, src := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(src)}
	}
	if got := list(check.Content(fsys, []*labs.Lab{&lab})); len(got) > 0 {
		t.Fatal(strings.Join(got, "\n"))
	}
	// The fence with its number, the prediction, the link that drives it, and the fifty numbers: four Specs.
	if runs != 4 {
		t.Error(fmt.Sprint(runs, " runs, want 4"))
	}
}

// TestRunsOfNotesAreBoundedTogether: notes full of slow runs are judged in the time of a few, and each number that was not computed is
// told. Time is the bubble's.
func TestRunsOfNotesAreBoundedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		lab := *catalog.Find("window-edge")
		start := lab.Start
		lab.Start = func(c labs.Config, env *labs.Env) labs.State {
			runs++
			time.Sleep(7 * time.Second)
			return start(c, env)
		}
		var note strings.Builder
		note.WriteString("---\ntitle: T\nsummary: S.\norder: 1\nupdated: 2026-11-01\n---\n\n")
		for i := range 30 {
			fmt.Fprintf(&note, "{=window-edge?use=buckets&limit=%d#admitted}\n", i+50)
		}
		notes := fstest.MapFS{"en/chapters/01-note.md": {Data: []byte(note.String())}}
		begin := time.Now()
		got := list(check.Notes(notes, notes, []*labs.Lab{&lab}))
		if took := time.Since(begin); took > 70*time.Second || runs < 5 {
			t.Errorf("%d runs in %v, want as many as begin within a minute", runs, took)
		}
		if len(got) != 30-runs || !strings.Contains(got[0], "not run, because") {
			t.Errorf("%d runs of 30, and the faults are\n%s", runs, strings.Join(got, "\n"))
		}
	})
}

// TestNotesHaveOurTerms: notes without a glossary may use ours, and only ours; what is wrong in ours is not theirs.
func TestNotesHaveOurTerms(t *testing.T) {
	const note = "en/chapters/01-note.md"
	notes := fstest.MapFS{note: {Data: []byte("---\ntitle: T\nsummary: S.\norder: 1\nterms: [mine]\nupdated: 2026-11-01\n---\n\nA [[mine]].\n")}}
	ours := fstest.MapFS{"en/glossary/terms.yaml": {Data: []byte("mine: {term: mine, text: \"Ours, and [nowhere](../chapters/01-nowhere.md).\"}\n")}}
	if got := list(check.Notes(notes, ours, catalog.All())); len(got) > 0 {
		t.Errorf("a term of ours: %v", got)
	}
	notes[note].Data = bytes.Replace(notes[note].Data, []byte("A [[mine]]"), []byte("[[mine]] [[QPS]]"), 1)
	if got := list(check.Notes(notes, ours, catalog.All())); len(got) != 1 || !strings.HasPrefix(got[0], note+":9: [[QPS]] is not in the glossary") {
		t.Errorf("a term of nobody: %v", got)
	}
	notes["en/glossary/terms.yaml"] = &fstest.MapFile{Data: []byte("qps: {term: QPS, text: Queries a second.}\n")}
	if got := list(check.Notes(notes, ours, catalog.All())); !containsPrefix(got, note+":9: [[mine]] is not in the glossary") {
		t.Errorf("their glossary in the place of ours: %v", got)
	}
}

// TestBroken tells what cannot be read from what is only wrong.
func TestBroken(t *testing.T) {
	if p := check.Broken(content.FS); p != nil {
		t.Error(p)
	}
	for file, want := range map[string]string{
		"en/chapters/01-edges.md": "en/chapters/01-edges.md:2: is not YAML: ", "zh/glossary/terms.yaml": "zh/glossary/terms.yaml:2: is not YAML: ",
		"en/decisions/DL-1-integers.md": "en/decisions/DL-1-integers.md:2: is not YAML: ", "en/evidence/real-limit.md": "en/evidence/real-limit.md:2: is not YAML: ",
	} {
		fsys := fstest.MapFS{}
		for name, src := range good(t) {
			fsys[name] = &fstest.MapFile{Data: []byte(src)}
		}
		fsys[file].Data = []byte("---\na: b: c\n---\n")
		if p := check.Broken(fsys); p == nil || !strings.HasPrefix(p.Error(), want) {
			t.Errorf("%s: %v, want %s", file, p, want)
		}
		fsys[file].Data = []byte("wrong: 1\n")
		if p := check.Broken(fsys); p != nil {
			t.Errorf("%s is wrong and can be read: %v", file, p)
		}
	}
}
