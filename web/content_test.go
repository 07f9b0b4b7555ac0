package web

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"seedbed/content"
	"seedbed/web/picture"
)

// notes is what somebody wrote of their own: one good chapter with a picture, one full of faults, a lab's text, nothing else.
func notes() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"en/chapters/01-mine.md":   file("---\ntitle: Mine\nupdated: 2026-03-01\n---\n\nSee ![a box](box.svg) and {=window-edge?use=fixed#admitted}.\n\n## One {#one}\n\n```lab window-edge\n```\n"),
		"en/chapters/02-bad.md":    file("No front matter.\n\n## No id\n\n{=nowhere#x} and [[nothing]]\n\n```lab window-edge?limit=0\n```\n"),
		"en/chapters/box.svg":      file("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
		"zh/chapters/01-mine.md":   file("---\ntitle: 我的\ntranslates: 2026-01-01\n---\n\n好。\n"),
		"en/labs/window-edge.yaml": file("title: My own title\nnonsense: 1\n"),
		"en/chapters/.hidden.md":   file("x"),
	}
}

func TestSomebodysOwnNotes(t *testing.T) {
	s, _, _ := newSite(t, func(c *Config) { c.Content = Overlay(notes(), content.FS) })
	mine := get(s, "/en/chapters/mine")
	body := mine.Body.String()
	for _, want := range []string{"<title>Mine · Seedbed</title>", `<seedbed-lab`, ">200</a>", `src="/en/chapters/box.svg" alt="a box"`, `<h2 id="one">`, `href="/zh/chapters/mine"`, "Skip to the text"} {
		if !strings.Contains(body, want) {
			t.Errorf("their chapter lacks %s", want)
		}
	}
	if got := get(s, "/en/chapters/box.svg"); got.Code != http.StatusOK || got.Header().Get("Content-Type") != "image/svg+xml" {
		t.Errorf("their picture: %d %s", got.Code, got.Header().Get("Content-Type"))
	}
	if got := get(s, "/zh/chapters/mine").Body.String(); !strings.Contains(got, "2026-03-01") || !strings.Contains(got, "callout") {
		t.Error("a text that follows an older one does not say so")
	}
	bad := get(s, "/en/chapters/bad")
	if bad.Code != http.StatusOK || !strings.Contains(bad.Body.String(), "No front matter.") {
		t.Errorf("a file with faults: %d, want the page as good as it can be", bad.Code)
	}
	if strings.Contains(bad.Body.String(), "02-bad.md:") {
		t.Error("readers are shown the faults of the content")
	}
	if got := get(s, "/en/chapters/windows"); got.Code != http.StatusNotFound {
		t.Errorf("our chapter among theirs: %d, want 404", got.Code)
	}
	if got := get(s, "/en/labs/window-edge").Body.String(); !strings.Contains(got, "My own title") || !strings.Contains(got, "no-window-over-limit") {
		t.Error("their text of a lab is not used, or what it lacks is not shown in codes")
	}
	if got := get(s, "/en/labs/token-bucket"); got.Code != http.StatusOK || strings.Contains(got.Body.String(), "<h1 id=\"lab-title\">token-bucket") {
		t.Errorf("a lab of ours: %d, want it with our texts", got.Code)
	}
	var found []string
	for _, p := range s.Problems() {
		found = append(found, p.Error())
	}
	all := strings.Join(found, "\n")
	for _, want := range []string{
		"en/chapters/02-bad.md:1: no front matter", "en/chapters/02-bad.md:3: heading", "en/chapters/02-bad.md:5: ", "[[nothing]] is not in the glossary",
		"en/chapters/02-bad.md:7: window-edge: limit: 0 is outside", "en/labs/window-edge.yaml:2: ",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no problem says %q:\n%s", want, all)
		}
	}
	dev, _, _ := newSite(t, func(c *Config) { c.Content, c.Dev = Overlay(notes(), content.FS), true })
	if got := get(dev, "/en/chapters/bad").Body.String(); !strings.Contains(got, "en/chapters/02-bad.md:3: heading") {
		t.Error("while developing, a page does not show the faults of its text")
	}
}

// TestNotesHaveOurWords: their text may use our terms, and the pages of ours that come with theirs lead nowhere that is not there.
func TestNotesHaveOurWords(t *testing.T) {
	theirs := notes()
	delete(theirs, "en/chapters/02-bad.md")
	theirs["en/chapters/03-words.md"] = &fstest.MapFile{Data: []byte("---\ntitle: Words\n---\n\nA [[token bucket]].\n")}
	s, _, _ := newSite(t, func(c *Config) { c.Content = Overlay(theirs, content.FS) })
	if got := get(s, "/en/chapters/words").Body.String(); !strings.Contains(got, `href="/en/glossary/#token-bucket"`) {
		t.Error("a term of ours in their text does not lead to the glossary")
	}
	checkLinks(t, s)
}

// TestColumnsShareTheirWords: the columns of many nodes have one text, with the node's number in it. Of more nodes than have lanes a chart
// names the columns.
func TestColumnsShareTheirWords(t *testing.T) {
	got := get(theSite(), "/labs/weighted-ring.svg?nodes=12&lang=en").Body.String()
	if !strings.Contains(got, "node 3, at") || strings.Contains(got, "use.node") {
		t.Error("a picture names columns of nodes by their codes, want them by the words that they share")
	}
}

func TestOurContentHasNoProblems(t *testing.T) {
	for _, p := range theSite().Problems() {
		t.Error(p)
	}
}

func TestOverlay(t *testing.T) {
	o := Overlay(notes(), content.FS)
	names := func(dir string) (list []string) {
		entries, err := fs.ReadDir(o, dir)
		if err != nil {
			t.Errorf("%s: %v", dir, err)
		}
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return list
	}
	if got := strings.Join(names("en"), " "); got != "chapters glossary guides labs ui.yaml" {
		t.Errorf("en holds %s, want their chapters, both one's labs, and our glossary, guides and ui.yaml", got)
	}
	labs := strings.Join(names("en/labs"), " ")
	if !strings.Contains(labs, "window-edge.yaml") || !strings.Contains(labs, "token-bucket.yaml") || strings.Count(labs, "window-edge") != 1 {
		t.Errorf("en/labs holds %s", labs)
	}
	if got, err := fs.ReadFile(o, "en/labs/window-edge.yaml"); err != nil || !strings.HasPrefix(string(got), "title: My own") {
		t.Errorf("%q %v, want theirs", got, err)
	}
	if _, err := fs.ReadFile(o, "en/chapters/04-windows.md"); err == nil {
		t.Error("our chapters shine through")
	}
	for _, lang := range []string{"en", "zh"} {
		terms, err := fs.ReadFile(o, lang+"/glossary/terms.yaml")
		if err != nil || !strings.Contains(string(terms), "\ntoken-bucket:\n") || strings.Contains(string(terms), "chapters/") {
			t.Errorf("%s: our terms: %v; want them without what leads to our chapters", lang, err)
		}
	}
	theirs := notes()
	theirs["en/glossary/terms.yaml"] = &fstest.MapFile{Data: []byte("mine: {term: mine, text: Mine.}\n")}
	if got, err := fs.ReadFile(Overlay(theirs, content.FS), "en/glossary/terms.yaml"); err != nil || !strings.HasPrefix(string(got), "mine:") {
		t.Errorf("%.20q %v, want their glossary alone", got, err)
	}
}

// The stylesheet and the pictures colour the same things alike.
func TestStylesheetHasThePalette(t *testing.T) {
	css, err := os.ReadFile(filepath.Join("client", "css", "tokens.css"))
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := os.ReadFile(filepath.Join("client", "css", "picture.css"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^ +--([a-z0-9]+): var\(--day, (#[0-9a-f]{6})\) var\(--night, (#[0-9a-f]{6})\);$`)
	styled := map[string][2]string{}
	for _, m := range line.FindAllStringSubmatch(string(css), -1) {
		styled[m[1]] = [2]string{m[2], m[3]}
	}
	for _, token := range picture.Tokens {
		if got, want := styled[token.Name], ([2]string{token.Light, token.Dark}); got != want {
			t.Errorf("--%s is %v in the stylesheet, want %v as in pictures", token.Name, got, want)
		}
		if rule := ".picture ." + token.Name + " {\n    color: var(--" + token.Name + ");"; !strings.Contains(string(pictures), rule) {
			t.Errorf("picture.css does not colour .%s", token.Name)
		}
		delete(styled, token.Name)
	}
	for name := range styled { // order cannot matter: each is an error of its own
		t.Errorf("--%s is a colour that pictures do not know", name)
	}
}
