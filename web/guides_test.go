package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/check"
	"seedbed/web/page"
	"seedbed/web/runs"
	"seedbed/web/text"
)

var update = flag.Bool("update", false, "write the answers of the API into its guides")

// guideText is a guide as it is written.
func guideText(t *testing.T, lang text.Lang, slug string) string {
	t.Helper()
	src, err := fs.ReadFile(content.FS, string(lang)+"/guides/"+slug+".md")
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

var wholeExample = regexp.MustCompile("(?s)````text\n(.*?)\n````")

// TestTheGuidesExampleIsGood: the file that the guide shows has no fault and uses all there is to use; with one letter changed it has.
func TestTheGuidesExampleIsGood(t *testing.T) {
	for _, lang := range text.Langs {
		m := wholeExample.FindStringSubmatch(guideText(t, lang, "notes"))
		if m == nil {
			t.Fatalf("%s: the guide shows no file", lang)
		}
		name := string(lang) + "/chapters/01-burst.md"
		if !strings.Contains(guideText(t, lang, "notes"), "notes/"+name) {
			t.Errorf("%s: the guide does not say that its file is %s", lang, name)
		}
		notes := fstest.MapFS{name: {Data: []byte(m[1] + "\n")}}
		for _, p := range check.Notes(notes, Overlay(notes, content.FS), catalog.All()) {
			t.Error(p)
		}
		p, _ := page.Parse([]byte(m[1]), page.Options{File: name, Find: catalog.Find})
		if len(p.Labs) == 0 || p.Labs[0].Predict == nil || len(p.Drives) == 0 || len(p.Numbers) == 0 || len(p.Calcs) == 0 || len(p.Sums) == 0 ||
			len(p.Quizzes) == 0 || len(p.Terms) == 0 || len(p.Links) == 0 || len(p.Headings) == 0 {
			t.Errorf("%s: the example leaves something out that the guide explains", lang)
		}
		notes[name].Data = []byte(strings.Replace(m[1], "# => 5 s", "# => 6 s", 1))
		if found := check.Notes(notes, Overlay(notes, content.FS), catalog.All()); len(found) != 1 {
			t.Errorf("%s: a wrong result in the example has %d faults, want 1", lang, len(found))
		}
	}
}

// TestNotesWithTextsOfTheirOwn: a text that is served in the place of ours is judged alone, beside ours, and only in the languages that
// are there.
func TestNotesWithTextsOfTheirOwn(t *testing.T) {
	ours := func(name string) *fstest.MapFile {
		src, err := fs.ReadFile(content.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		return &fstest.MapFile{Data: src}
	}
	const lab, words = "en/labs/token-bucket.yaml", "en/ui.yaml"
	notes := fstest.MapFS{
		"en/chapters/01-note.md": {Data: []byte("---\ntitle: T\nsummary: S.\norder: 1\nupdated: 2026-11-01\n---\n\nText.\n")},
		lab:                      ours(lab), words: ours(words),
	}
	judge := func() []*text.Problem { return check.Notes(notes, Overlay(notes, content.FS), catalog.All()) }
	for _, p := range judge() {
		t.Errorf("as ours are: %v", p)
	}
	notes[lab].Data = bytes.Replace(notes[lab].Data, []byte("\nmetrics:\n"), []byte("\nmetrics:\n  nope: {label: nope}\n"), 1)
	notes[words].Data = append(notes[words].Data, "zz.end: {open\n"...)
	found := judge()
	for _, file := range []string{lab, words} {
		if !slices.ContainsFunc(found, func(p *text.Problem) bool { return p.File == file }) {
			t.Errorf("%s is spoilt: the faults are %v", file, found)
		}
	}
	for _, p := range found {
		if p.File != lab && p.File != words {
			t.Errorf("%v is not a fault of theirs", p)
		}
	}
}

// TestTheGuideNamesEveryKey: the keys are those that a fault lists when a key is wrong.
func TestTheGuideNamesEveryKey(t *testing.T) {
	for kind, src := range map[string]string{
		"front matter": "---\ntitle: x\nwrong: 1\n---\n",
		"lab":          "---\ntitle: x\n---\n\n```lab token-bucket\nwrong: 1\n```\n",
		"predict":      "---\ntitle: x\n---\n\n```lab token-bucket\npredict: {wrong: 1}\n```\n",
		"goal":         "---\ntitle: x\n---\n\n```lab token-bucket\ngoal: {wrong: 1}\n```\n",
		"quiz":         "---\ntitle: x\n---\n\n```quiz\n- wrong: 1\n```\n",
		"choice":       "---\ntitle: x\n---\n\n```quiz\n- choices: [{wrong: 1}]\n```\n",
	} {
		_, problems := page.Parse([]byte(src), page.Options{File: "en/chapters/01-x.md", Find: catalog.Find})
		var keys []string
		for _, p := range problems {
			if _, list, found := strings.Cut(p.Message, "the key wrong is not known here; it is one of "); found {
				keys = strings.Split(list, ", ")
			}
		}
		if len(keys) < 3 {
			t.Errorf("%s: the fault of a wrong key lists %v", kind, keys)
		}
		for _, lang := range text.Langs {
			guide := guideText(t, lang, "notes")
			for _, key := range keys {
				if !strings.Contains(guide, "`"+key+"`") && !strings.Contains(guide, "`"+key+": ") {
					t.Errorf("%s: the guide does not name the key %s of a %s", lang, key, kind)
				}
			}
		}
	}
}

var (
	consoleBlock  = regexp.MustCompile("(?s)```console\n(.*?)```")
	shellWord     = regexp.MustCompile(`'([^']*)'|\S+`)
	requestMember = regexp.MustCompile(`"request":"[^"]*"`)
)

// curl answers a command line of a guide as curl does, of a site at 127.0.0.1:8080.
func curl(t *testing.T, line string) string {
	t.Helper()
	command, pipe, _ := strings.Cut(line, " | head -c ")
	var words []string
	for _, m := range shellWord.FindAllStringSubmatch(command, -1) {
		words = append(words, cmp.Or(m[1], m[0]))
	}
	method, body, target, fields := http.MethodGet, "", "", []string{}
	for i := 1; i < len(words); i++ {
		switch words[i] {
		case "-s":
		case "-d", "--json":
			method, body = http.MethodPost, words[i+1]
			fields = append(fields, "Content-Type", map[string]string{"-d": "application/x-www-form-urlencoded", "--json": jsonType}[words[i]])
			i++
		case "-H":
			name, value, _ := strings.Cut(words[i+1], ": ")
			fields = append(fields, name, value)
			i++
		default:
			target = words[i]
		}
	}
	if words[0] != "curl" || !strings.HasPrefix(target, "http://127.0.0.1:8080/") {
		t.Fatalf("%s: is not understood", line)
	}
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	theSite().ServeHTTP(w, r)
	answer := requestMember.ReplaceAllString(w.Body.String(), `"request":"…"`)
	if n, err := strconv.Atoi(pipe); err == nil {
		answer = answer[:min(n, len(answer))] + "\n"
	}
	return strings.TrimSuffix(answer, "\n") + "\n"
}

// TestTheAPIAnswersAsItsGuideSays compares every command line of the guides with what the site answers.
func TestTheAPIAnswersAsItsGuideSays(t *testing.T) {
	for _, lang := range text.Langs {
		guide, asked := guideText(t, lang, "api"), 0
		now := consoleBlock.ReplaceAllStringFunc(guide, func(block string) string {
			var b strings.Builder
			b.WriteString("```console\n")
			for line := range strings.Lines(consoleBlock.FindStringSubmatch(block)[1]) {
				if command, found := strings.CutPrefix(line, "$ "); found {
					asked++
					b.WriteString(line + curl(t, strings.TrimSpace(command)))
				}
			}
			return b.String() + "```"
		})
		if asked < 8 {
			t.Errorf("%s: %d command lines were found, want all", lang, asked)
		}
		if now == guide {
			continue
		}
		if *update {
			if err := os.WriteFile(filepath.Join("..", "content", string(lang), "guides", "api.md"), []byte(now), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		have, want := strings.Split(guide, "\n"), strings.Split(now, "\n")
		for i := range want {
			if i >= len(have) || have[i] != want[i] {
				t.Errorf("%s/guides/api.md:%d: the site answers otherwise (go test ./web -run Guide -update writes it):\n%s", lang, i+1, want[i])
				break
			}
		}
	}
}

// TestTheGuideNamesWhatIsThere: every address and every bound stands in the guide of the API, and every status that it can give.
func TestTheGuideNamesWhatIsThere(t *testing.T) {
	limits := runs.Defaults(nil, 0)
	var wanted []string
	for _, r := range theSite().echo.Routes() {
		path := strings.ReplaceAll(strings.ReplaceAll(r.Path, "/:id", "/ID"), "/embed/en/", "/embed/LANG/")
		switch {
		case path == "/en", path == "/zh", strings.HasPrefix(path, "/en/"), strings.HasPrefix(path, "/zh/"), strings.HasPrefix(path, "/embed/zh"), strings.HasPrefix(path, "/static"):
		case slices.Contains([]string{"/", "/labs/:file", "/favicon.svg", "/favicon.ico", "/robots.txt"}, path):
		default:
			wanted = append(wanted, path)
		}
	}
	if len(wanted) < 8 {
		t.Fatalf("the routes are %v", wanted)
	}
	for _, n := range []int64{labs.MaxSpecText, labs.MaxActions, limits.Session.Burst, limits.Session.PerMinute, limits.Address.Burst, limits.Address.PerMinute, limits.Time / 1e9, int64(readTimeout / time.Second), embedWidth, embedHeight} {
		wanted = append(wanted, strconv.FormatInt(n, 10))
	}
	for _, code := range []string{"400", "404", "405", "408", "413", "415", "422", "429", "500", "501", "503"} {
		wanted = append(wanted, "| "+code+" |")
	}
	for _, lang := range text.Langs {
		for _, want := range wanted {
			if !strings.Contains(guideText(t, lang, "api"), want) {
				t.Errorf("%s/guides/api.md does not say %s", lang, want)
			}
		}
	}
}

// TestEveryProblemHasItsDetail: what programs are told says what would be right, in both languages.
func TestEveryProblemHasItsDetail(t *testing.T) {
	for _, c := range []struct {
		method, target, kind, body string
		status                     int
		code, en, zh               string
	}{
		{"POST", "/api/runs", "application/json", `{"spec":"nope"}`, 404, "unknown-lab", "lab: nope is not known; /api/labs lists", "没有nope这个实验"},
		{"POST", "/api/runs", "application/json", `{"text":"window-edge"}`, 400, "bad-json", `{"spec": "window-edge?use=fixed"}`, "spec"},
		{"POST", "/api/runs", "application/json", `{"spec":7}`, 400, "bad-json", "one object with the member spec", "spec"},
		{"POST", "/api/runs", "application/json", `window-edge?use=fixed`, 400, "bad-json", "or send the text of the Spec alone", "spec"},
		{"POST", "/api/runs", "application/json", `{"spec":"window-edge"} {}`, 400, "bad-json", "one object", "spec"},
		{"POST", "/api/runs", "application/json", `{"spec":"window-edge"}]`, 400, "bad-json", "one object", "spec"},
		{"POST", "/api/runs", "application/json", `{"spec":"window-edge"},`, 400, "bad-json", "one object", "spec"},
		{"POST", "/api/runs", "", "", 400, "unknown-lab", "lab is empty; /api/labs lists", "lab：不能为空"},
		{"POST", "/api/runs", "multipart/form-data; boundary=x", "--x--", 415, "unsupported-media-type", "multipart/form-data is not taken; send the text of a Spec as text/plain", "不接受multipart/form-data"},
		{"GET", "/api/runs", "", "", 405, "method-not-allowed", "GET is not taken at this address; it takes OPTIONS, POST", "不接受GET"},
		{"GET", "/api/nothing", "", "", 404, "not-found", "/api/nothing is no address of this site; /en/guides/api lists", "/zh/guides/api"},
		{"GET", "/api/labs/nope", "", "", 404, "unknown-lab", "lab: nope is not known", "没有nope这个实验"},
		{"GET", "/labs/nope.json", "", "", 404, "unknown-lab", "lab: nope is not known", "没有nope这个实验"},
		{"GET", "/labs/window-edge.json?limit=", "", "", 400, "not-a-number", "limit is empty; write it as 50", "limit：不能为空；写作 50"},
		{"GET", "/oembed", "", "", 400, "missing", "url is missing; give the address of a lab, such as http://example.com/en/labs/window-edge", "缺少url"},
		{"GET", "/oembed?url=https://elsewhere.example/", "", "", 404, "not-found", "url: https://elsewhere.example/ is not the address of a lab of this site", "不是本站某个实验的地址"},
		{"GET", "/oembed?url=http://example.com/en/labs/nope", "", "", 404, "unknown-lab", "lab: nope is not known", "没有nope这个实验"},
		{"GET", "/oembed?url=http://example.com/en/labs/window-edge&format=xml", "", "", 501, "not-implemented", "format: xml is not given here; leave it out, or write json", "这里不提供xml"},
	} {
		for lang, want := range map[string]string{"en": c.en, "zh": c.zh} {
			p := problemOf(t, ask(theSite(), c.method, c.target, c.body, "Content-Type", c.kind, "Accept-Language", lang))
			detail, _ := p["detail"].(string)
			if p["status"] != float64(c.status) || p["code"] != c.code || !strings.Contains(detail, want) {
				t.Errorf("%s %s %s in %s: %v; want %d %s that says %s", c.method, c.target, c.body, lang, p, c.status, c.code, want)
			}
		}
	}
	// A page says as much.
	for path, want := range map[string]string{"/en/labs/nope": "lab: nope is not known", "/labs/window-edge.png": "/labs/window-edge.svg"} {
		if body := get(theSite(), path).Body.String(); !strings.Contains(body, want) {
			t.Errorf("%s does not say %s", path, want)
		}
	}
}

// TestARunAskedForInJSON: the same answer as for the text, whatever the client calls the body.
func TestARunAskedForInJSON(t *testing.T) {
	want := ask(theSite(), http.MethodPost, "/api/runs", "window-edge?use=fixed").Body.Bytes()
	for _, kind := range []string{"", "text/plain", "application/json", "application/json; charset=utf-8", "application/x-www-form-urlencoded"} {
		got := ask(theSite(), http.MethodPost, "/api/runs", ` {"spec": "window-edge?use=fixed"}`+"\n", "Content-Type", kind)
		if got.Code != http.StatusOK || !bytes.Equal(got.Body.Bytes(), want) || !json.Valid(want) {
			t.Errorf("as %q: %d %s, want 200 %s", kind, got.Code, got.Body, want)
		}
	}
}
