package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"

	"seedbed/labs"
)

// everything is one address of each kind that a GET answers well.
var everything = []struct{ path, kind string }{
	{"/en/", "text/html; charset=utf-8"},
	{"/zh/", "text/html; charset=utf-8"},
	{"/en/chapters/windows", "text/html; charset=utf-8"},
	{"/zh/chapters/start", "text/html; charset=utf-8"},
	{"/en/labs/", "text/html; charset=utf-8"},
	{"/zh/labs/window-edge", "text/html; charset=utf-8"},
	{"/zh/labs/window-edge?use=fixed", "text/html; charset=utf-8"},
	{"/en/labs/window-edge?use=fixed&at=1s", "text/html; charset=utf-8"},
	{"/en/glossary/", "text/html; charset=utf-8"},
	{"/zh/decisions/", "text/html; charset=utf-8"},
	{"/en/decisions/DL-1", "text/html; charset=utf-8"},
	{"/zh/evidence/", "text/html; charset=utf-8"},
	{"/en/evidence/max-conns", "text/html; charset=utf-8"},
	{"/zh/guides/api", "text/html; charset=utf-8"},
	{"/embed/en/token-bucket", "text/html; charset=utf-8"},
	{"/embed/zh/token-bucket?rate=20", "text/html; charset=utf-8"},
	{"/embed.js", "text/javascript; charset=utf-8"},
	{"/oembed?url=http://example.com/en/labs/window-edge", "application/json"},
	{"/labs/window-edge.svg", "image/svg+xml"},
	{"/labs/window-edge.svg?use=fixed&narrow=1&lang=zh", "image/svg+xml"},
	{"/labs/window-edge.json?use=fixed", "application/json"},
	{"/api/labs", "application/json"},
	{"/api/labs/window-edge", "application/json"},
	{"/static/gen/site-1.css", "text/css; charset=utf-8"},
	{"/static/gen/core-1.wasm", "application/wasm"},
	{"/static/gen/core-1.wasm", "application/wasm"},
	{"/favicon.svg", "image/svg+xml"},
	{"/robots.txt", "text/plain; charset=utf-8"},
	{"/healthz", "text/plain; charset=utf-8"},
	{"/readyz", "text/plain; charset=utf-8"},
	{"/metrics", "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"},
}

func TestEveryRouteAnswersGetAndHead(t *testing.T) {
	server := httptest.NewServer(theSite()) // a recorder would not do to HEAD what net/http does
	defer server.Close()
	server.Client().Transport.(*http.Transport).DisableCompression = true // or it would ask for gzip by itself, in GET alone
	ask := func(method, path string) (*http.Response, int) {
		r, err := http.NewRequest(method, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "example.com"
		response, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response, len(body)
	}
	for _, c := range everything {
		got, n := ask(http.MethodGet, c.path)
		if got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != c.kind || n == 0 {
			t.Errorf("GET %s: %d %s, %d bytes; want 200 %s", c.path, got.StatusCode, got.Header.Get("Content-Type"), n, c.kind)
			continue
		}
		head, n := ask(http.MethodHead, c.path)
		if head.StatusCode != http.StatusOK || n != 0 {
			t.Errorf("HEAD %s: %d with %d bytes, want 200 and none", c.path, head.StatusCode, n)
		}
		for _, h := range []http.Header{got.Header, head.Header} {
			for _, own := range []string{"X-Request-Id", "Date"} {
				h.Del(own)
			}
			if c.path == "/metrics" {
				h.Del("Content-Length") // it counts the request before it
			}
		}
		if diff := cmp.Diff(head.Header, got.Header); diff != "" {
			t.Errorf("HEAD %s has other fields than GET: got − want +\n%s", c.path, diff)
		}
	}
}

func TestPagesComeCompressedAndAreKnownAgain(t *testing.T) {
	s := theSite()
	for _, path := range []string{"/en/chapters/windows", "/zh/labs/window-edge?use=fixed", "/embed/en/window-edge?use=fixed", "/labs/window-edge.svg", "/labs/window-edge.json", "/api/labs/window-edge"} {
		plain := get(s, path)
		if vary := plain.Header().Get("Vary"); !strings.Contains(vary, "Accept-Encoding") {
			t.Errorf("%s: Vary %q, want Accept-Encoding in it", path, vary)
		}
		tags := map[string]bool{}
		for _, encoding := range []string{"", "gzip", "br"} {
			got := get(s, path, "Accept-Encoding", encoding)
			if got.Header().Get("Content-Encoding") != encoding {
				t.Errorf("%s: asked for %q, got %q", path, encoding, got.Header().Get("Content-Encoding"))
			}
			if body := decode(t, encoding, got.Body.Bytes()); !bytes.Equal(body, plain.Body.Bytes()) {
				t.Errorf("%s: %s holds another text than the plain body", path, encoding)
			}
			tag := got.Header().Get("ETag")
			if tag == "" || tags[tag] {
				t.Errorf("%s: ETag %q of %q, want one of its own", path, tag, encoding)
			}
			tags[tag] = true
			again := get(s, path, "Accept-Encoding", encoding, "If-None-Match", `"other", W/`+tag)
			if again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("ETag") != tag || again.Header().Get("Content-Type") != "" {
				t.Errorf("%s: asked again with its ETag: %d, %d bytes, %v; want 304 and nothing", path, again.Code, again.Body.Len(), again.Header())
			}
			if changed := get(s, path, "Accept-Encoding", encoding, "If-None-Match", `"other"`); changed.Code != http.StatusOK {
				t.Errorf("%s: asked with another ETag: %d, want 200", path, changed.Code)
			}
		}
	}
}

func decode(t *testing.T, encoding string, body []byte) []byte {
	t.Helper()
	var r io.Reader = bytes.NewReader(body)
	var err error
	switch encoding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "br":
		r = brotli.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func TestAssetsAreServedAsTheyWereBuilt(t *testing.T) {
	s := theSite()
	for encoding, want := range map[string]string{"br": "brotli of css", "gzip": "gzip of css", "br;q=0, gzip;q=0.5": "gzip of css", "zstd, br;q=1.0": "brotli of css"} {
		got := get(s, "/static/gen/site-1.css", "Accept-Encoding", encoding)
		if got.Body.String() != want {
			t.Errorf("Accept-Encoding %s: %q, want %q", encoding, got.Body.String(), want)
		}
		if cache := got.Header().Get("Cache-Control"); cache != "public, max-age=31536000, immutable" {
			t.Errorf("Cache-Control %q, want for ever", cache)
		}
	}
	if got := get(s, "/static/gen/site-0.css"); got.Code != http.StatusNotFound {
		t.Errorf("an asset of another build: %d, want 404", got.Code)
	}
	if got := get(s, "/static/gen/manifest.json"); got.Code != http.StatusNotFound {
		t.Errorf("the manifest: %d, want 404: it is not an asset", got.Code)
	}
	if cache := get(s, "/embed.js").Header().Get("Cache-Control"); strings.Contains(cache, "immutable") {
		t.Errorf("/embed.js: Cache-Control %q, but it keeps its name over builds", cache)
	}
}

func TestFrontPicksTheLanguage(t *testing.T) {
	s := theSite()
	for _, c := range []struct{ accept, cookie, want string }{
		{"", "", "/en/"},
		{"zh-CN,zh;q=0.9,en;q=0.8", "", "/zh/"},
		{"en;q=0.5, zh;q=0.9", "", "/zh/"},
		{"ZH-Hant-TW", "", "/zh/"},
		{"fr,de", "", "/en/"},
		{"zh;q=0, en", "", "/en/"},
		{"zh;q=x", "", "/en/"},
		{"zh", "en", "/en/"},
		{"en", "zh", "/zh/"},
		{"zh", "fr", "/zh/"},
	} {
		fields := []string{"Accept-Language", c.accept}
		if c.cookie != "" {
			fields = append(fields, "Cookie", "seedbed-lang="+c.cookie)
		}
		got := get(s, "/", fields...)
		if got.Code != http.StatusFound || got.Header().Get("Location") != c.want {
			t.Errorf("Accept-Language %q, choice %q: %d %s, want 302 %s", c.accept, c.cookie, got.Code, got.Header().Get("Location"), c.want)
		}
		if vary := got.Header().Get("Vary"); vary != "Accept-Language, Cookie" {
			t.Errorf("Vary %q, want Accept-Language, Cookie", vary)
		}
	}
}

func TestAddressesAreCorrected(t *testing.T) {
	for from, to := range map[string]string{
		"/en": "/en/", "/zh/labs": "/zh/labs/", "/en/glossary": "/en/glossary/", "/zh/chapters/": "/zh/#chapters", "/favicon.ico": "/favicon.svg",
	} {
		got := get(theSite(), from)
		if got.Code != http.StatusPermanentRedirect || got.Header().Get("Location") != to {
			t.Errorf("%s: %d %s, want 308 %s", from, got.Code, got.Header().Get("Location"), to)
		}
	}
}

var (
	inlineScript = regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>`)
	forbidden    = regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+=|javascript:`)
)

// Every page of the site, whatever the content: the frame's promises hold, and nothing in it is against its policy.
func TestEveryPageKeepsThePromises(t *testing.T) {
	s := theSite()
	now := s.site.Load()
	pages := 0
	for path, d := range now.documents {
		if d.forms[identity].fields.Get("Content-Type") != htmlType {
			continue
		}
		pages++
		checkPage(t, path, string(d.forms[identity].body))
	}
	if pages < 20 {
		t.Errorf("%d pages, want the whole site's", pages)
	}
	for _, path := range []string{"/en/labs/window-edge?use=fixed&do=", "/embed/zh/layered-limit", "/zh/nothing", "/en/labs/window-edge?limit=0"} {
		checkPage(t, path, get(s, path).Body.String())
	}
}

func checkPage(t *testing.T, path, html string) {
	t.Helper()
	lang := `<html lang="en"`
	if strings.HasPrefix(strings.TrimPrefix(path, "/embed"), "/zh/") {
		lang = `<html lang="zh-Hans"`
	}
	for want, n := range map[string]int{
		lang: 1, "<h1": 1, `class="skip"`: 1, `<meta name="seedbed-build" content="b01d">`: 1, "<main": 1, "<title>": -1, `<!doctype html>`: 1,
	} {
		if got := strings.Count(html, want); got != n && n >= 0 || got == 0 {
			t.Errorf("%s: %q stands there %d times, want %d", path, want, got, n)
		}
	}
	for _, tag := range inlineScript.FindAllString(html, -1) {
		if !strings.Contains(tag, " src=") && !strings.Contains(tag, `type="application/json"`) {
			t.Errorf("%s: inline script %s", path, tag)
		}
	}
	if found := forbidden.FindString(html); found != "" {
		t.Errorf("%s: %q is against the page's policy", path, found)
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if ids[m[1]] {
			t.Errorf("%s: the id %q is used twice", path, m[1])
		}
		ids[m[1]] = true
	}
}

// follow asks for an address. Runs are only read, not run: each lab's own tests run its presets.
func follow(s *Server, target string) int {
	path, query, _ := strings.Cut(target, "?")
	file := path[strings.LastIndex(path, "/")+1:]
	id, _, _ := strings.Cut(file, ".")
	if lab := s.find(id); lab != nil && query != "" {
		query, _, _ = cutView(query)
		if _, err := labs.ParseQuery(lab, query); err != nil {
			return http.StatusBadRequest
		}
		target = path[:len(path)-len(file)] + file
	}
	return get(s, target).Code
}

// The links of every page that stay on the site lead somewhere, and their anchors exist.
func TestNoLinkOfTheSiteIsBroken(t *testing.T) {
	if asked := checkLinks(t, theSite()); asked < 30 {
		t.Errorf("%d addresses were found, want many more", asked)
	}
}

// checkLinks follows every link of every page, and returns how many addresses there were.
func checkLinks(t *testing.T, s *Server) int {
	t.Helper()
	now := s.site.Load()
	href := regexp.MustCompile(`\s(?:href|src)="([^"]*)"`)
	asked := map[string]int{}
	for path, d := range now.documents {
		if d.forms[identity].fields.Get("Content-Type") != htmlType {
			continue
		}
		for _, m := range href.FindAllStringSubmatch(string(d.forms[identity].body), -1) {
			target := strings.ReplaceAll(m[1], "&amp;", "&")
			target, anchor, _ := strings.Cut(target, "#")
			if strings.HasPrefix(target, "http") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			if target == "" {
				target = path
			}
			if _, done := asked[target]; !done {
				asked[target] = follow(s, target)
			}
			if code := asked[target]; code != http.StatusOK {
				t.Errorf("%s links %s, which answers %d", path, m[1], code)
			}
			if to := now.documents[target]; anchor != "" && to != nil && !strings.Contains(string(to.forms[identity].body), `id="`+anchor+`"`) {
				t.Errorf("%s links %s, where there is no such anchor", path, m[1])
			}
		}
	}
	return len(asked)
}
