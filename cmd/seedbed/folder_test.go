package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNotesStayInTheirFolder: what leads out of the folder, has no end or no bound is a finding, is not waited for, and is not served;
// a link within the folder is a file like others.
func TestNotesStayInTheirFolder(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.md")
	chapters := filepath.Join(dir, "en", "chapters")
	if err := os.MkdirAll(chapters, 0o755); err != nil {
		t.Fatal(err)
	}
	const front = "---\ntitle: T\nsummary: S.\norder: ORDER\nupdated: 2026-11-01\n---\n\n"
	write := func(file, order, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(strings.Replace(front, "ORDER", order, 1)+text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(outside, "2", "Kept from everybody.")
	write(filepath.Join(chapters, "01-note.md"), "1", "Text.")
	write(filepath.Join(chapters, "04-long.md"), "4", strings.Repeat("long ", mostText/5))
	write(filepath.Join(dir, "within.md"), "5", "Linked within.")
	for _, err := range []error{
		os.Symlink(outside, filepath.Join(chapters, "02-out.md")),
		os.Symlink(outside, filepath.Join(chapters, "out.png")),
		syscall.Mkfifo(filepath.Join(chapters, "03-pipe.md"), 0o644),
		os.Symlink("../../within.md", filepath.Join(chapters, "05-within.md")),
	} {
		if err != nil {
			t.Skip(err)
		}
	}
	got := seedbed(t, "check", dir)
	want := ""
	for _, line := range []string{"02-out.md: cannot be read: path escapes from parent", "03-pipe.md: cannot be read: not a regular file", "04-long.md: cannot be read: larger than 1 MiB", "out.png: cannot be read: path escapes from parent"} {
		want += filepath.Join(chapters, line) + "\n"
	}
	if got.out != want || got.code != exitViolated {
		t.Errorf("check: exit %d\n%swant 2 and\n%s", got.code, got.out, want)
	}
	url, stop, ended := serveFor(t, "--content", dir)
	defer func() { stop(); <-ended }()
	for path, says := range map[string]string{"/en/chapters/note": "Text.", "/en/chapters/within": "Linked within."} {
		if code, page := body(t, url+path); code != http.StatusOK || !strings.Contains(page, says) {
			t.Errorf("%s: %d, want 200 and %q", path, code, says)
		}
	}
	for _, path := range []string{"/en/chapters/out", "/en/chapters/out.png", "/en/chapters/pipe"} {
		if _, page := body(t, url+path); strings.Contains(page, "Kept from everybody") {
			t.Errorf("%s is served from without the folder", path)
		}
	}
}

// TestNamesOfFilesCannotSteerATerminal: one problem is one line, without a code that a terminal obeys.
func TestNamesOfFilesCannotSteerATerminal(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "en", "chapters"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, odd := range []string{"\x1b[31m", "\n", "\u009b2J", "\x9b2J", "\u202e"} {
		file := filepath.Join(dir, "en", "chapters", "01-"+odd+".md")
		if err := os.WriteFile(file, []byte("Text.\n"), 0o644); err != nil {
			t.Skip(err)
		}
		got := seedbed(t, "check", dir)
		if got.code != exitViolated || strings.Count(got.out, "\n") < 1 {
			t.Errorf("%q: exit %d, %q; want it to be a fault", odd, got.code, got.out)
		}
		for line := range strings.Lines(got.out) {
			if !strings.HasPrefix(line, dir) || strings.ContainsAny(strings.TrimSuffix(line, "\n"), "\x1b\n\u009b\u202e") || strings.Contains(line, "\x9b2J") {
				t.Errorf("%q: the line %q reaches the terminal", odd, line)
			}
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}
