package lab

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"testing"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/text"
)

// texts are read once: what is wrong with those of others is that package's tests.
var texts = sync.OnceValue(func() *text.Texts {
	all, _ := text.Load(content.FS)
	return all
})

// input is what a page hands over for a Spec; run says whether its run is needed too.
func input(t *testing.T, lang text.Lang, spec string, run bool) Input {
	t.Helper()
	s, err := labs.Parse(spec, catalog.Find)
	if err != nil {
		t.Fatal(err)
	}
	var trace *labs.Trace
	if run {
		if trace, err = labs.Run(s, labs.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	layout := s.Lab.Layout(s.Config(nil))
	return Input{
		Spec: &s, Trace: trace, Layout: &layout, Words: texts().Lab(lang, s.Lab.ID), UI: texts().UI(lang), Lang: lang, ID: "lab-7", Heading: 3,
		Places: Places{Base: "https://seedbed.test", Worker: "/w.js", Module: "/m.wasm", Runs: "/api/runs"},
	}
}

// component draws a lab as a page would.
func component(t *testing.T, lang text.Lang, spec string, more func(in *Input)) string {
	t.Helper()
	in := input(t, lang, spec, true)
	if more != nil {
		more(&in)
	}
	var b strings.Builder
	if err := Component(NewModel(in)).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fields are the named fields of the form with their values, as a browser would send them.
func fields(html string) string {
	var query []string
	for _, m := range regexp.MustCompile(`<input id="lab-7-([a-z-]+)" name="[a-z-]+"[^>]* value="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		query = append(query, m[1]+"="+m[2])
	}
	for _, m := range regexp.MustCompile(`(?s)<select id="lab-7-([a-z-]+)".*?<option value="([^"]*)" selected`).FindAllStringSubmatch(html, -1) {
		query = append(query, m[1]+"="+m[2])
	}
	for _, m := range regexp.MustCompile(`<input type="hidden" name="do" value="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		query = append(query, "do="+m[1])
	}
	return strings.Join(query, "&")
}

// TestFormAsksForTheRunThatIsShown: a reader without script who sends the form unchanged gets the same run.
func TestFormAsksForTheRunThatIsShown(t *testing.T) {
	for _, lab := range catalog.All() {
		for _, p := range lab.Presets {
			want, err := labs.ParseQuery(lab, p.Query)
			if err != nil {
				t.Fatal(err)
			}
			query := fields(component(t, text.EN, want.Text(), nil))
			got, err := labs.ParseQuery(lab, query)
			if err != nil {
				t.Errorf("%s %s: the form would send %s: %v", lab.ID, p.Name, query, err)
				continue
			}
			if got.Text() != want.Text() {
				t.Errorf("%s %s: the form asks for %s, shown is %s", lab.ID, p.Name, got.Text(), want.Text())
			}
		}
	}
}

// TestMarkupKeepsThePolicy: no script that runs, no style, no handler, whatever the texts say.
func TestMarkupKeepsThePolicy(t *testing.T) {
	html := component(t, text.ZH, "window-edge?use=fixed&do=1s:burst", func(in *Input) { in.Question = "a <em>question</em>" })
	for what, pattern := range map[string]string{
		"a style attribute": `\sstyle="`, "a style element": `<style`, "an event handler": `\son[a-z]+="`, "a script that runs": `<script(?: src| type="(?:text/javascript|module)"|>)`,
	} {
		if m := regexp.MustCompile(pattern).FindString(html); m != "" {
			t.Errorf("the markup has %s: %s", what, m)
		}
	}
	if !strings.Contains(html, "a <em>question</em>") {
		t.Error("the chapter's own question is not there")
	}
}

// TestDataEndsWithItsScript: no text can close the element that holds the data.
func TestDataEndsWithItsScript(t *testing.T) {
	html := component(t, text.EN, "token-bucket", func(in *Input) {
		words := *in.Words
		words.Title = `</script><script src="https://elsewhere.test/x.js"></script>`
		in.Words = &words
	})
	if strings.Contains(html, "<script src") {
		t.Fatal("a title became a script")
	}
	_, rest, _ := strings.Cut(html, `<script type="application/json">`)
	text, _, _ := strings.Cut(rest, "</script>")
	var data struct {
		Lab, Spec, Digest, Module string
		Title                     string
		Words, Faults             map[string]string
		Params                    []struct{ Name, Label string }
		Presets                   []struct{ Query string }
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatalf("the data is not JSON: %v", err)
	}
	if data.Lab != "token-bucket" || data.Module != "/m.wasm" || len(data.Digest) != 32 || !strings.HasPrefix(data.Title, "</script>") {
		t.Errorf("got %+v", data)
	}
	if len(data.Params) == 0 || data.Params[0].Label == "" || len(data.Words) < 30 {
		t.Errorf("the data lacks words: %d params, %d words", len(data.Params), len(data.Words))
	}
}

// TestWithoutEngineTheComponentSaysSo, and still has picture, form and verdicts.
func TestWithoutEngineTheComponentSaysSo(t *testing.T) {
	html := component(t, text.EN, "window-edge?use=fixed", func(in *Input) { in.Places = Places{} })
	for _, want := range []string{"has not been built", "<svg", `name="limit"`, "200 admitted within 2 ms"} {
		if !strings.Contains(html, want) {
			t.Errorf("the component without an engine lacks %q", want)
		}
	}
}

// TestCompactSaysLittle: a frame has three settings at once, no prediction, no footer.
func TestCompactSaysLittle(t *testing.T) {
	predict := func(in *Input) {
		other, _ := labs.Parse("window-edge?use=fixed", catalog.Find)
		in.Predict = &Predict{Question: "what?", Spec: &other, Metric: 1, Values: []int64{100, 200}}
	}
	whole := component(t, text.EN, "window-edge", predict)
	compact := component(t, text.EN, "window-edge", func(in *Input) { predict(in); in.Compact = true })
	for _, part := range []string{`data-part="predict"`, "lab-foot", `data-part="story"`} {
		if !strings.Contains(whole, part) || strings.Contains(compact, part) {
			t.Errorf("%s: whole has it: %v, compact has it: %v", part, strings.Contains(whole, part), strings.Contains(compact, part))
		}
	}
	before, _, _ := strings.Cut(compact, "<details class=\"lab-more\"")
	if n := strings.Count(before, `data-field=`); n != 3 {
		t.Errorf("a compact component shows %d settings at once, want 3", n)
	}
}

// TestGoalIsSaidBeforeAnyRun, with where the shown run stands.
func TestGoalIsSaidBeforeAnyRun(t *testing.T) {
	html := component(t, text.EN, "window-edge?use=fixed", func(in *Input) {
		in.Goal = &Goal{Metric: in.Spec.Lab.Metric("peak"), Most: true, Bound: 100}
	})
	if want := "Goal: most in any window at most 100; here it is 200."; !strings.Contains(html, want) {
		t.Errorf("the component does not say %q", want)
	}
}

// TestOldLinkSaysThatItIsOld: what an old link shows may differ from what was seen then.
func TestOldLinkSaysThatItIsOld(t *testing.T) {
	lab := *catalog.Find("window-edge")
	html := component(t, text.EN, "window-edge", func(in *Input) {
		lab.Version = 2
		old := *in.Spec
		old.Lab, old.Version = &lab, 1
		in.Spec = &old
	})
	if !strings.Contains(html, "made for version 1") {
		t.Error("a link to version 1 of a lab that is at version 2 does not say so")
	}
}

// TestSheetAddsUp: the table of the plots' data loses nothing.
func TestSheetAddsUp(t *testing.T) {
	c := labs.Series{Column: labs.Column{Gather: labs.Sum}, Values: make([]int64, 2000)}
	for i := range c.Values {
		c.Values[i] = int64(i % 7)
	}
	total := int64(0)
	for from := 0; from < 2000; from += 100 {
		total += gathered(&c, from, from+100)
	}
	if want := gathered(&c, 0, 2000); total != want {
		t.Errorf("twenty rows add up to %d, all rows to %d", total, want)
	}
	c.Gather = labs.Peak
	if got := gathered(&c, 0, 10); got != 6 {
		t.Errorf("a peak of %d, want 6", got)
	}
	c.Gather = labs.Last
	if got := gathered(&c, 0, 10); got != 2 {
		t.Errorf("a last value of %d, want 2", got)
	}
}
