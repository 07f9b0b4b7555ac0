package web

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"seedbed/labs"
	"seedbed/labs/catalog"
)

// problemOf reads problem details.
func problemOf(t *testing.T, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("Content-Type %q, want application/problem+json", got)
	}
	var p map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	if p["type"] != "about:blank" || p["status"] != float64(w.Code) || p["title"] != http.StatusText(w.Code) {
		t.Errorf("problem %v, want about:blank with the status %d and its title", p, w.Code)
	}
	return p
}

func TestBadSpecNamesTheParameterAndItsRange(t *testing.T) {
	long := "limit=1" + strings.Repeat("0", labs.MaxSpecText)
	for _, c := range []struct{ query, code, field, en, zh string }{
		{"limit=0", "out-of-range", "limit", "limit: 0 is outside 1..100000", "limit：0 超出范围"},
		{"limit=NaN", "not-a-number", "limit", "limit: NaN is not a number", "limit："},
		{"limit=1e400", "too-large", "limit", "limit: 1e400 is too large", "limit："},
		{"limit=-1", "out-of-range", "limit", "limit: -1 is outside 1..100000", "limit："},
		{"limit=", "not-a-number", "limit", "limit is empty; write it as 50", "limit：不能为空；写作 50"},
		{"colour=red", "unknown-parameter", "window-edge", "colour is not known; it is one of use, limit", "colour"},
		{"do=1s:explode", "unknown-verb", "do", "do: the verb explode", "explode"},
		{"v=99", "newer-version", "v", "v: 99 is newer", "99"},
		{"input=0123456789abcdef0123456789abcdef", "needs-input", "input", "the run needs the log", "日志"},
		{"limit=%zz", "bad-escape", "spec", "a % is followed by two hex digits", "%"},
		{long, "too-long", "spec", "are more than the 8192 allowed", "8192"},
	} {
		for lang, want := range map[string]string{"en": c.en, "zh": c.zh} {
			got := get(theSite(), "/"+lang+"/labs/window-edge?"+c.query)
			if got.Code != http.StatusBadRequest || !strings.Contains(got.Header().Get("Content-Type"), "text/html") {
				t.Errorf("%s, %.40s: %d %s, want a page with 400", lang, c.query, got.Code, got.Header().Get("Content-Type"))
			}
			if !strings.Contains(got.Body.String(), want) {
				t.Errorf("%s, %.40s: the page does not say %q", lang, c.query, want)
			}
			if !strings.Contains(got.Body.String(), `href="/`+lang+`/labs/window-edge"`) {
				t.Errorf("%s, %.40s: the page does not lead back to the lab", lang, c.query)
			}
		}
		p := problemOf(t, ask(theSite(), http.MethodPost, "/api/runs", "window-edge?"+c.query))
		if len(c.query) > 8000 {
			continue // the body is too large before it is a Spec
		}
		if p["status"] != 400.0 || p["code"] != c.code || p["field"] != c.field || !strings.Contains(p["detail"].(string), c.en) {
			t.Errorf("%.40s: problem %v, want code %s, field %s, and %q", c.query, p, c.code, c.field, c.en)
		}
	}
	p := problemOf(t, ask(theSite(), http.MethodPost, "/api/runs", "window-edge?limit=0", "Accept-Language", "zh"))
	if !strings.Contains(p["detail"].(string), "超出范围") {
		t.Errorf("asked in Chinese: %v", p["detail"])
	}
}

func TestNothingThere(t *testing.T) {
	for _, path := range []string{"/nothing", "/en/nothing", "/zh/chapters/nothing", "/en/labs/nothing", "/zh/labs/nothing?limit=1", "/embed/en/nothing", "/labs/nothing.svg", "/labs/window-edge", "/labs/window-edge.png", "/static/nothing.js", "/fr/", "/en/decisions/DL-999", "/en/evidence/nothing", "/en/chapters/../../go.mod"} {
		got := get(theSite(), path)
		want := "There is no such page"
		if strings.HasPrefix(path, "/zh/") {
			want = "没有这个页面"
		}
		if got.Code != http.StatusNotFound || !strings.Contains(got.Body.String(), want) || got.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d, Cache-Control %q; want a page with 404 that says %q", path, got.Code, got.Header().Get("Cache-Control"), want)
		}
	}
	if got := get(theSite(), "/nothing", "Accept-Language", "zh"); !strings.Contains(got.Body.String(), "没有这个页面") {
		t.Error("a page for nothing without a language is not in the reader's")
	}
	for path, code := range map[string]string{"/api/nothing": "not-found", "/api/labs/nothing": "unknown-lab", "/labs/nothing.json": "unknown-lab", "/oembed?url=https://elsewhere.example/x": "not-found"} {
		if p := problemOf(t, get(theSite(), path)); p["status"] != 404.0 || p["code"] != code {
			t.Errorf("%s: %v, want 404 %s", path, p, code)
		}
	}
	if p := problemOf(t, ask(theSite(), http.MethodPost, "/api/runs", "nothing?x=1")); p["status"] != 404.0 || p["code"] != "unknown-lab" || p["field"] != "lab" {
		t.Errorf("a run of no lab: %v, want 404 unknown-lab", p)
	}
}

func TestMethodsThatAreNotTaken(t *testing.T) {
	got := ask(theSite(), http.MethodPost, "/en/labs/window-edge", "")
	if got.Code != http.StatusMethodNotAllowed || !strings.Contains(got.Header().Get("Allow"), "GET") {
		t.Errorf("POST to a page: %d, Allow %q; want 405 that allows GET", got.Code, got.Header().Get("Allow"))
	}
	if p := problemOf(t, get(theSite(), "/api/runs")); p["status"] != 405.0 {
		t.Errorf("GET of runs: %v, want 405", p)
	}
}

func TestRunsOverTheAPI(t *testing.T) {
	for _, c := range []struct{ body, spec string }{
		{"window-edge?use=fixed", "window-edge?v=1&use=fixed"},
		{" window-edge?v=1&use=fixed\n", "window-edge?v=1&use=fixed"},
		{"window-edge", "window-edge?v=1"},
	} {
		got := ask(theSite(), http.MethodPost, "/api/runs", c.body)
		var answer struct {
			Spec, Digest string
			Metrics      map[string]json.Number
			Checks       []struct {
				Name string
				OK   bool
			}
		}
		if err := json.Unmarshal(got.Body.Bytes(), &answer); err != nil || got.Code != http.StatusOK {
			t.Fatalf("%q: %d %v %s", c.body, got.Code, err, got.Body)
		}
		spec, err := labs.Parse(c.spec, catalog.Find)
		if err != nil {
			t.Fatal(err)
		}
		want, err := labs.Run(spec, labs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if answer.Spec != c.spec || answer.Digest != want.Digest() {
			t.Errorf("%q: %s %s, want %s %s", c.body, answer.Spec, answer.Digest, c.spec, want.Digest())
		}
		if len(answer.Checks) != 1 || answer.Checks[0].OK != want.OK() || answer.Metrics["admitted"] != json.Number(spec.Lab.Metrics[spec.Lab.Metric("admitted")].Unit.Format(want.Metrics[spec.Lab.Metric("admitted")])) {
			t.Errorf("%q: %+v, want the checks and metrics of the run", c.body, answer)
		}
		if cache := got.Header().Get("Cache-Control"); cache != "no-store" {
			t.Errorf("Cache-Control %q, want no-store", cache)
		}
	}
	if p := problemOf(t, ask(theSite(), http.MethodPost, "/api/runs", strings.Repeat("x", 9<<10))); p["status"] != 413.0 || p["code"] != "too-large" {
		t.Errorf("9 KiB: %v, want 413", p)
	}
}

func TestFaultsAreOursAndAreLogged(t *testing.T) {
	lab := toy(func() { panic("no such shard") })
	s, _, log := newSite(t, func(c *Config) { c.Content = bareContent(); c.Labs = []*labs.Lab{lab} })
	got := get(s, "/en/labs/toy?n=1")
	id := got.Header().Get("X-Request-Id")
	if got.Code != http.StatusInternalServerError || id == "" || !strings.Contains(got.Body.String(), id) || strings.Contains(got.Body.String(), "no such shard") {
		t.Errorf("%d: %s; want a page with 500 that names the request and says nothing of the inside", got.Code, got.Body)
	}
	for _, want := range []string{"level=ERROR", "no such shard", id, "toyState", "route=/en/labs/:id"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
	if p := problemOf(t, ask(s, http.MethodPost, "/api/runs", "toy?n=2")); p["status"] != 500.0 || p["code"] != "fault" || p["request"] == "" {
		t.Errorf("problem %v, want 500 with the request's id", p)
	}
}

// The longest Spec is the same at every address: its text, with the lab's id, has 8192 bytes.
func TestALongSpecIsTakenAlikeEverywhere(t *testing.T) {
	for _, more := range []int{0, 1} {
		query := longQuery(labs.MaxSpecText + more - len("window-edge?"))
		want := map[int]int{0: http.StatusOK, 1: http.StatusBadRequest}[more]
		for _, got := range []*httptest.ResponseRecorder{
			ask(theSite(), http.MethodPost, "/api/runs", "window-edge?"+query), get(theSite(), "/labs/window-edge.json?"+query),
			get(theSite(), "/labs/window-edge.svg?lang=zh&"+query), get(theSite(), "/en/labs/window-edge?"+query), get(theSite(), "/embed/en/window-edge?"+query),
			get(theSite(), "/oembed?url="+urlEscape("http://example.com/en/labs/window-edge?"+query)),
		} {
			if got.Code != want || more > 0 && !strings.Contains(got.Body.String(), "8193") {
				t.Errorf("%d bytes: %d %.200s, want %d", labs.MaxSpecText+more, got.Code, got.Body, want)
			}
		}
	}
}

// longQuery has so many bytes of window-edge's settings: actions, as many of whose characters are escaped as it takes.
func longQuery(n int) string {
	plain := strings.Repeat("&do=0.1s:burst::1", labs.MaxActions-1)[1:]
	plain += strings.Repeat("1", (n-len(plain))%2) // an escape adds two
	escapes := (n - len(plain)) / 2
	var b strings.Builder
	for _, c := range []byte(plain) {
		if c == '&' || c == '=' || escapes == 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02x", c)
		escapes--
	}
	return b.String()
}

// A body that does not come, or not all of it, is no fault of ours: neither in the answer, nor in the log, nor in the metrics.
func TestABodyThatIsNotSentWhole(t *testing.T) {
	for name, row := range map[string]struct {
		leave  bool // the client ends its side instead of waiting
		body   string
		status int
		code   string
	}{
		"late":               {false, "Content-Length: 50\r\n\r\nwin", http.StatusRequestTimeout, "late-body"},
		"cut":                {true, "Content-Length: 50\r\n\r\nwin", http.StatusBadRequest, "cut-body"},
		"cut within a chunk": {true, "Transfer-Encoding: chunked\r\n\r\n32\r\nwin", http.StatusBadRequest, "cut-body"},
		"no chunk":           {false, "Transfer-Encoding: chunked\r\n\r\nwin\r\n", http.StatusBadRequest, "cut-body"},
	} {
		s, _, log := newSite(t, func(c *Config) { c.Content = bareContent() })
		server := httptest.NewUnstartedServer(s)
		server.Config.ReadTimeout = 50 * time.Millisecond
		server.Start()
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, "POST /api/runs HTTP/1.1\r\nHost: x\r\n"+row.body)
		if row.leave {
			conn.(*net.TCPConn).CloseWrite()
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v, want an answer", name, err)
		}
		var p struct{ Code, Detail string }
		if err := json.NewDecoder(response.Body).Decode(&p); err != nil || response.StatusCode != row.status || p.Code != row.code || !strings.HasPrefix(p.Detail, "The body ") {
			t.Errorf("%s: %d %+v (%v), want %d %s", name, response.StatusCode, p, err, row.status, row.code)
		}
		conn.Close()
		server.Close()
		if strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "status="+strconv.Itoa(row.status)) {
			t.Errorf("%s: the log is\n%s", name, log)
		}
		if strings.Contains(get(s, "/metrics").Body.String(), `status="500"`) {
			t.Errorf("%s: the metrics count a fault", name)
		}
	}
}

// One place maps errors to HTTP; an error that it does not know is a fault of ours.
func TestUnknownErrorsAreFaults(t *testing.T) {
	f := theSite().site.Load().failureOf("en", errors.New("disk on fire"))
	if f.status != http.StatusInternalServerError || !f.ours || f.detail != "" {
		t.Errorf("%+v, want 500 of ours that tells nothing outside", f)
	}
}
