package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sized is a build in which every asset has the given brotli size.
func sized(brotli int) manifest {
	m := manifest{Assets: map[string]record{}}
	for _, name := range []string{"core.wasm", "gateway.wasm", "owners.wasm", "caches.wasm", "resilience.wasm", "consistency.wasm", "incidents.wasm", "quota.wasm", "calc.wasm", "worker.js", "lab.js", "frame.js", "embed.js", "site.js", "site.css"} {
		m.Assets[name] = record{File: hashedName(name, nil), Size: 3 * brotli, Brotli: brotli}
	}
	return m
}

func TestSizesAgainstBudgets(t *testing.T) {
	for _, c := range []struct {
		name   string
		brotli int
		held   bool
	}{
		{"all three scripts just fit", 20 * kib, true},
		{"one byte more in each", 20*kib + 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := measure(sized(c.brotli), "")
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if held := printSizes(&out, rows); held != c.held {
				t.Errorf("within budget: %v, want %v\n%s", held, c.held, &out)
			}
			if over := strings.Contains(out.String(), "OVER"); over == c.held {
				t.Errorf("the table says OVER: %v\n%s", over, &out)
			}
		})
	}
}

func TestBudgetOfAnAssetThatIsGone(t *testing.T) {
	m := sized(1)
	delete(m.Assets, "lab.js")
	if _, err := measure(m, ""); err == nil || !strings.Contains(err.Error(), "no asset lab.js") {
		t.Errorf("error is %v, want one that names lab.js", err)
	}
}

func TestPageIsMeasuredWithWhatItNames(t *testing.T) {
	m := sized(1000)
	css, js, lab := m.Assets["site.css"].File, m.Assets["site.js"].File, m.Assets["lab.js"].File
	page := func(t *testing.T, html string) string {
		path := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(path, []byte(html), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	html := `<link rel="stylesheet" href="/static/` + css + `"><script src="/static/` + js + `" defer></script><a href="/static/` + js + `">again</a><script src="/static/` + lab + `"></script>`
	small, err := brotliBytes([]byte(html), brotliBest)
	if err != nil {
		t.Fatal(err)
	}
	r, err := measurePage(m, page(t, html))
	if err != nil {
		t.Fatal(err)
	}
	if want := len(small) + 2000; r.brotli != want {
		t.Errorf("page costs %d bytes, want %d: itself, one style and one script", r.brotli, want)
	}
	if want := "page.html + site.css + site.js"; r.of != want || r.limit != pageLimit {
		t.Errorf("the page is %q under %d, want %q under %d", r.of, r.limit, want, pageLimit)
	}

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/page.html" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, html)
	}))
	defer server.Close()
	if served, err := measurePage(m, server.URL+"/page.html"); err != nil || served != r {
		t.Errorf("the same page from a server: %+v, %v; want %+v", served, err, r)
	}
	if _, err := measurePage(m, server.URL+"/gone"); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("a page that is not there: error is %v, want the status", err)
	}
	for _, c := range []struct{ name, html, want string }{
		{"another build", `<link href="/static/site-0000000000.css">`, "of another one"},
		{"no style", `<script src="/static/` + js + `"></script>`, "names no stylesheet"},
	} {
		if _, err := measurePage(m, page(t, c.html)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestCommandLine(t *testing.T) {
	b := newFixture(t)
	inside := filepath.Join(b.root, "web", "client")
	for _, c := range []struct {
		args []string
		code int
		want string // in what it prints
	}{
		{[]string{"-C", inside, "-fast"}, 0, "15 assets"},
		{[]string{"-C", inside, "-print", "sizes", "-fast"}, 1, "leave out -fast"},
		{[]string{"-C", inside, "-print", "weights"}, 1, "the only thing to print is sizes"},
		{[]string{"-C", inside, "-page", "x.html"}, 1, "-page needs -print sizes"},
		{[]string{"-C", inside, "sizes"}, 1, `unexpected argument "sizes"`},
		{[]string{"-C", "/", "-fast"}, 1, "no go.mod here or above"},
		{[]string{"-nonsense"}, 1, "-nonsense"},
	} {
		var out bytes.Buffer
		if code := run(c.args, &out, &out); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("assets %s: exit %d, want %d, with %q:\n%s", strings.Join(c.args, " "), code, c.code, c.want, &out)
		}
	}
}

func TestClientTestsAreBundled(t *testing.T) {
	b := newFixture(t)
	dir := filepath.Join(b.root, "bin", "client-tests")
	put(t, dir, "gone/old.test.mjs", "throw new Error('its source is gone')")
	if err := bundleTests(b.root, "bin/client-tests"); err != nil {
		t.Fatal(err)
	}
	if s := string(read(t, dir, "shared.test.mjs")); !strings.Contains(s, "hello ") {
		t.Errorf("the bundled test lacks what it imports:\n%s", s)
	}
	if _, err := os.Stat(filepath.Join(dir, "gone", "old.test.mjs")); !os.IsNotExist(err) {
		t.Errorf("a test without a source is still there (%v)", err)
	}
	if err := os.Remove(filepath.Join(b.root, "web/client/shared.test.ts")); err != nil {
		t.Fatal(err)
	}
	if err := bundleTests(b.root, dir); err == nil || !strings.Contains(err.Error(), "no *.test.ts") {
		t.Errorf("error without any test is %v", err)
	}
}
