package page

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"

	"seedbed/chapters/calc"
	"seedbed/content"
	words "seedbed/web/text"
)

const calcPage = "```calc At the peak\npeak = 360 req/s\nout = peak * 20 KiB # => 7.03 MiB/s\n```\n\n{=peak}, {=out}, {=out in Mbit/s}.\n\n" +
	"```calc\nlater = out * 2\n```\n"

func TestPageKnowsItsSums(t *testing.T) {
	p, problems := Parse([]byte("---\ntitle: T\n---\n"+calcPage), Options{File: "en/chapters/00-x.md"})
	for _, problem := range problems {
		t.Error(problem)
	}
	if got, want := len(p.Calcs), 2; got != want {
		t.Fatalf("%d blocks, want %d", got, want)
	}
	if got, want := *p.Calcs[1], (Calc{First: 2, Last: 3, Line: 11}); got.First != want.First || got.Last != want.Last || got.Line != want.Line {
		t.Errorf("second block %+v, want %+v", got, want)
	}
	var got []string
	for _, sum := range p.Sums {
		got = append(got, sum.Name+" in "+sum.Unit)
	}
	if got, want := strings.Join(got, ", "), "peak in , out in , out in Mbit/s"; got != want {
		t.Errorf("sums %s, want %s", got, want)
	}
}

var calcData = regexp.MustCompile(`data-calc-sheet="([^"]*)"`)

// What the script is told must be enough to compute every value that it will write, and to write it as the server did.
func TestScriptIsToldTheSheet(t *testing.T) {
	p, _ := Parse([]byte(calcPage), Options{File: "en/chapters/00-x.md"})
	r := toyRenderer("en")
	r.Worker, r.Module = "/w.js", "/m.wasm"
	text, _ := p.HTML(r)
	found := calcData.FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		t.Fatalf("%d elements have the sheet, want 1", len(found))
	}
	var data struct{ Worker, Module, Sheet string }
	if err := json.Unmarshal([]byte(html.UnescapeString(found[0][1])), &data); err != nil {
		t.Fatal(err)
	}
	if data.Worker != "/w.js" || data.Module != "/m.wasm" {
		t.Errorf("engine %q, %q, want /w.js, /m.wasm", data.Worker, data.Module)
	}
	sheet, errs := calc.Parse(data.Sheet)
	if len(errs) > 0 {
		t.Fatalf("the sheet that the script is told: %v", errs[0])
	}
	views := regexp.MustCompile(`data-calc="([^"]*)" (?:data-sign|href="[^>]*)>([^<]*)<`).FindAllStringSubmatch(text, -1)
	if len(views) != 4 { // out and later in their blocks, out twice in the text; inputs hold elements
		t.Errorf("%d values that are not inputs, want 4: %v", len(views), views)
	}
	for _, view := range views {
		name, unit, _ := strings.Cut(html.UnescapeString(view[1]), " in ")
		shown, err := sheet.Show(name, unit)
		if got, want := strings.TrimLeft(view[2], "=≈ "), shown.String(); err != nil || got != want {
			t.Errorf("%s: the page has %q, the script computes %q (%v)", view[1], got, want, err)
		}
	}
	r.Module = ""
	if text, _ := p.HTML(r); calcData.MatchString(text) {
		t.Error("without a module nothing can be changed, but the page says that it can")
	}
}

// Every word that a block or its script may ask for exists, in both languages.
func TestCalcWordsExist(t *testing.T) {
	texts, err := words.Load(content.FS)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := Parse([]byte("```calc\nx = 1\n```\n"), Options{File: "en/chapters/00-x.md"})
	for _, lang := range words.Langs {
		r := toyRenderer(string(lang))
		asked := 0
		r.Word = func(key string, _ ...string) string {
			asked++
			if !texts.UI(lang).Has(key) {
				t.Errorf("%s: no word %s", lang, key)
			}
			return key
		}
		p.HTML(r)
		if asked < len(readerFaults) {
			t.Errorf("%s: only %d words were asked for", lang, asked)
		}
	}
}
