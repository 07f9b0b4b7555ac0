package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"seedbed/content"
	"seedbed/web"
)

// Wrong flags and a busy port are one line each that says what would be right; exit 1.
func TestServeRefuses(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	empty, stray := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(stray, "en", "notes"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(stray, "en", "notes", "first.md"), []byte("First.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"--addr", busy.Addr().String()}, "serve: " + busy.Addr().String() + " is in use; choose another with --addr, or make run ARGS=\"--addr :9000\""},
		{[]string{"--addr", "nowhere"}, "serve: nowhere is no address to listen at ("},
		{[]string{"--addr", "127.0.0.1:99999"}, "write it as 127.0.0.1:8080 or :8080"},
		{[]string{"--content", empty}, "serve: --content: " + empty + " has neither a folder en nor a folder zh"},
		{[]string{"--content", filepath.Join(empty, "absent")}, "has neither a folder en nor a folder zh"},
		{[]string{"--content", stray}, "serve: --content: " + stray + " has no chapter; notes stand in en/chapters/01-name.md"},
		{[]string{"--base-url", "notes.example.org"}, "serve: --base-url: notes.example.org is not a site's address; write it as https://notes.example.org"},
		{[]string{"--base-url", "https://notes.example.org/sub"}, "is not a site's address"},
		{[]string{"--report-to", "javascript:alert(1)"}, "serve: --report-to: javascript:alert(1) is neither an https nor a mailto address"},
		{[]string{"--dev"}, "serve: --dev builds what it serves; run it at the root of the module"},
		{[]string{"--port", "80"}, "--port: there is no such flag"},
		{[]string{"--addr"}, "--addr: its value is missing"},
		{[]string{"--content", ""}, "--content: its value is missing"},
		{[]string{"here"}, "serve: here is one argument too many"},
	} {
		got := seedbed(t, append([]string{"serve"}, row.args...)...)
		if got.code != exitBad || got.out != "" || !strings.Contains(got.errout, row.want) || strings.Count(got.errout, "\n") != 1 {
			t.Errorf("serve %q: exit %d, %q, %q; want exit 1 and the one line %q", row.args, got.code, got.out, got.errout, row.want)
		}
	}
	if got := start(t, t.Context(), wallClock, map[string]string{"LANG": "zh_CN.UTF-8"}, "serve", "--addr", busy.Addr().String()); !strings.Contains(got.errout, "已被占用；请用 --addr 另选一个") {
		t.Errorf("in Chinese: %q", got.errout)
	}
}

// serving runs `seedbed serve` until the test ends, and returns its address once it can be asked, and how it ended.
func serveFor(t *testing.T, args ...string) (url string, stop context.CancelFunc, ended <-chan int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() {
		defer in.Close()
		code <- run(append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), world{strings.NewReader(""), in, io.Discard, os.Getenv, ctx, wallClock, 0})
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("serve ended with %d", <-code)
	}
	_, url, found := strings.Cut(strings.TrimSpace(line), "http://")
	if !found {
		t.Fatalf("the first line is %q, want the address", line)
	}
	return "http://" + strings.TrimSuffix(url, "/"), stop, code
}

func body(t *testing.T, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(b)
}

// The site is served, somebody's own notes by the same program, and the end is 0 and leaves the address free.
func TestServeAndStop(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "en", "chapters"), 0o755); err != nil {
		t.Fatal(err)
	}
	note := "---\ntitle: My note\n---\n\nIt admits {=window-edge?use=fixed#admitted}.\n"
	if err := os.WriteFile(filepath.Join(dir, "en", "chapters", "01-mine.md"), []byte(note), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args       []string
		path, want string
	}{
		{nil, "/zh/chapters/start", "<html lang=\"zh-Hans\""},
		{[]string{"--content", dir, "--base-url", "https://notes.example.org", "--report-to", "mailto:notes@example.org"}, "/en/chapters/mine", ">200</a>"},
	} {
		url, stop, ended := serveFor(t, row.args...)
		if code, page := body(t, url+row.path); code != http.StatusOK || !strings.Contains(page, row.want) {
			t.Errorf("serve %q: %s is %d, want 200 and %s", row.args, row.path, code, row.want)
		}
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("serve %q ended with %d, want 0", row.args, code)
		}
		if _, err := http.Get(url + "/healthz"); err == nil {
			t.Errorf("serve %q still answers", row.args)
		} else if errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// TestBrokenContentIsRefused: a program whose words cannot be read says so in one line of plain English, whatever it was asked for;
// `check` tells it with all other faults, in words of the other language. Each row spoils one file of the program's own.
func TestBrokenContentIsRefused(t *testing.T) {
	for _, row := range []struct {
		file, text string
		args       []string
		code       int
		want       string
	}{
		{"en/ui.yaml", "cli.check.found: one: two\n", []string{"lab", "list"}, exitFault, "content/en/ui.yaml:1: is not YAML: mapping values are not allowed in this context"},
		{"zh/ui.yaml", "- 一\n", []string{"lab", "list", "--lang", "zh"}, exitFault, "content/zh/ui.yaml:1: the file wants a mapping"},
		{"zh/labs/window-edge.yaml", "title: [", []string{"lab", "list"}, exitFault, "content/zh/labs/window-edge.yaml:1: is not YAML: "},
		{"en/ui.yaml", "cli.check.found: one: two\n", []string{"serve", "--addr", "127.0.0.1:0"}, exitFault, "content/en/ui.yaml:1: is not YAML"},
		{"en/glossary/terms.yaml", "a: b: c\n", []string{"serve", "--addr", "127.0.0.1:0"}, exitFault, "content/en/glossary/terms.yaml:1: is not YAML"},
		{"en/chapters/04-windows.md", "---\ntitle: one: two\n---\n", []string{"serve", "--addr", "127.0.0.1:0"}, exitFault, "content/en/chapters/04-windows.md:2: is not YAML"},
		{"en/ui.yaml", "cli.check.found: one: two\n", []string{"check"}, exitViolated, "个问题"},
	} {
		var out, errout bytes.Buffer
		ctx, stop := context.WithTimeout(t.Context(), wallClock) // a site that is served all the same ends by this
		code := runOn(spoilt{content.FS, row.file, row.text}, row.args, world{strings.NewReader(""), &out, &errout, func(string) string { return "" }, ctx, wallClock, 0})
		stop()
		if code != row.code || !strings.Contains(errout.String(), row.want) || strings.Count(errout.String(), "\n") != 1 || strings.Contains(errout.String(), "⟨") {
			t.Errorf("%s spoilt, %q: exit %d, %q; want exit %d and one line with %q", row.file, row.args, code, errout.String(), row.code, row.want)
		}
		if row.code == exitViolated && !strings.Contains(out.String(), row.file+":1: is not YAML") {
			t.Errorf("check does not tell the fault:\n%s", out.String())
		}
	}
}

// spoilt is content with one file replaced.
type spoilt struct {
	fs.FS
	file, text string
}

func (s spoilt) Open(name string) (fs.File, error) {
	if name == s.file {
		return fstest.MapFS{name: {Data: []byte(s.text)}}.Open(name)
	}
	return s.FS.Open(name)
}

// TestNobodyWaitsForASiteThatIsNotThere: while pages are drawn the address takes nobody, and a stop in that time ends the start well.
func TestNobodyWaitsForASiteThatIsNotThere(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	slow := held{content.FS, "en/chapters/04-windows.md", make(chan struct{}), make(chan struct{}), &sync.Once{}}
	var out, errout bytes.Buffer
	code := make(chan int)
	go func() {
		code <- runOn(slow, []string{"serve", "--addr", addr}, world{strings.NewReader(""), &out, &errout, func(string) string { return "" }, ctx, wallClock, 0})
	}()
	<-slow.reached
	if conn, err := net.Dial("tcp", addr); err == nil {
		conn.Close()
		t.Error("the address takes a connection while the pages are drawn, want it refused")
	}
	stop()
	close(slow.gate)
	if got := <-code; got != 0 || out.Len() > 0 || errout.Len() > 0 && !strings.Contains(errout.String(), "built without its styles") {
		t.Errorf("stopped while the pages were drawn: exit %d, %q, %q; want 0 and no word of a start", got, out.String(), errout.String())
	}
}

// held is content of which one file is read only when a gate opens.
type held struct {
	fs.FS
	file          string
	reached, gate chan struct{}
	once          *sync.Once
}

func (h held) Open(name string) (fs.File, error) {
	if name == h.file {
		h.once.Do(func() { close(h.reached) })
		<-h.gate
	}
	return h.FS.Open(name)
}

// TestServeWarnsOfWhatCheckFinds: the two have one list.
func TestServeWarnsOfWhatCheckFinds(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "en", "chapters"), 0o755); err != nil {
		t.Fatal(err)
	}
	note := "---\ntitle: Mine\n---\n\n[[nope]], ![x](missing.png), [v](https://), {=window-edge?limit=0#admitted}, [c](02-c.md).\n"
	if err := os.WriteFile(filepath.Join(dir, "en", "chapters", "01-mine.md"), []byte(note), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "en", "stray.md"), []byte("x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	checked := strings.Split(strings.TrimSpace(seedbed(t, "check", dir).out), "\n")
	if len(checked) < 7 {
		t.Fatalf("check found %q", checked)
	}
	ctx, stop := context.WithCancel(t.Context())
	var warned bytes.Buffer
	out, in := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run([]string{"serve", "--addr", "127.0.0.1:0", "--content", dir}, world{strings.NewReader(""), in, &warned, os.Getenv, ctx, wallClock, 0})
		in.Close()
	}()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Errorf("not served: %v", err)
	}
	stop()
	<-done
	for _, problem := range checked {
		problem = strings.TrimPrefix(problem, dir+string(filepath.Separator))
		if !strings.Contains(warned.String(), strings.ReplaceAll(problem, `"`, `\"`)) {
			t.Errorf("serve does not warn of %s:\n%s", problem, warned.String())
		}
	}
	if got := strings.Count(warned.String(), "problem="); got != len(checked) {
		t.Errorf("serve warns of %d problems, check of %d", got, len(checked))
	}
}

// TestServeSaysWhenItIsUnbuilt: a program without what `make assets` leaves says so, once.
func TestServeSaysWhenItIsUnbuilt(t *testing.T) {
	for _, row := range []struct {
		static fs.FS
		want   int
	}{
		{fstest.MapFS{"theme.js": {}, "dev.js": {}, "favicon.svg": {}}, 1},
		{fstest.MapFS{"theme.js": {}, "dev.js": {}, "favicon.svg": {}, "gen/manifest.json": {Data: []byte(`{"build":"b"}`)}}, 0},
	} {
		var errout bytes.Buffer
		a := newApp(nil, world{err: &errout, getenv: func(string) string { return "" }, context: t.Context()}, content.FS)
		config, err := a.siteConfig(&serving{})
		if err != nil {
			t.Fatal(err)
		}
		config.Static = row.static
		site, err := web.New(config)
		if err != nil {
			t.Fatal(err)
		}
		a.warn(site, nil, config.Log)
		if got := strings.Count(errout.String(), "built without its styles and scripts"); got != row.want || strings.Count(errout.String(), "\n") != row.want {
			t.Errorf("%d files: %q, want the warning %d times", len(row.static.(fstest.MapFS)), errout.String(), row.want)
		}
	}
}
