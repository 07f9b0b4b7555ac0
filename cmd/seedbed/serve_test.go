package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Wrong flags and a busy port are one line each that says what would be right; exit 1.
func TestServeRefuses(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	empty := t.TempDir()
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"--addr", busy.Addr().String()}, "serve: " + busy.Addr().String() + " is in use; choose another with --addr"},
		{[]string{"--addr", "nowhere"}, "serve: nowhere is no address to listen at ("},
		{[]string{"--addr", "127.0.0.1:99999"}, "write it as 127.0.0.1:8080 or :8080"},
		{[]string{"--content", empty}, "serve: --content: " + empty + " has neither a folder en nor a folder zh"},
		{[]string{"--content", filepath.Join(empty, "absent")}, "has neither a folder en nor a folder zh"},
		{[]string{"--base-url", "notes.example.org"}, "serve: --base-url: notes.example.org is not a site's address; write it as https://notes.example.org"},
		{[]string{"--base-url", "https://notes.example.org/sub"}, "is not a site's address"},
		{[]string{"--report-to", "javascript:alert(1)"}, "serve: --report-to: javascript:alert(1) is neither an https nor a mailto address"},
		{[]string{"--dev"}, "serve: --dev builds what it serves; run it at the root of the module"},
		{[]string{"--port", "80"}, "--port: there is no such flag"},
		{[]string{"--addr"}, "--addr: its value is missing"},
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
