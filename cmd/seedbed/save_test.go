package main

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSaveKeepsWhatStandsThere: a picture goes into what a name stands for; only a regular file is replaced, and by none but one.
func TestSaveKeepsWhatStandsThere(t *testing.T) {
	draw := func(t *testing.T, file string) {
		t.Helper()
		if got := seedbed(t, "lab", "run", "window-edge", "use=log", "--svg", file); got.code != 0 || got.errout != "" {
			t.Fatalf("exit %d, %q; want 0", got.code, got.errout)
		}
	}
	want := []byte(seedbed(t, "lab", "run", "window-edge", "use=log", "--svg", "-").out)
	holds := func(t *testing.T, file string) {
		t.Helper()
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s holds %d bytes (%v), want the picture, %d bytes", filepath.Base(file), len(got), err, len(want))
		}
	}
	is := func(t *testing.T, file string, kind fs.FileMode) {
		t.Helper()
		if about, err := os.Lstat(file); err != nil || about.Mode().Type() != kind {
			t.Errorf("%s is %v (%v) afterwards, want it to stay %v", filepath.Base(file), about.Mode().Type(), err, kind)
		}
	}
	t.Run("a pipe", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "pipe.svg")
		if err := syscall.Mkfifo(file, 0o600); err != nil {
			t.Skip(err)
		}
		end, err := os.OpenFile(file, os.O_RDWR, 0) // both ends, so that nobody waits for the other
		if err != nil {
			t.Fatal(err)
		}
		defer end.Close()
		read := readAway(end, len(want))
		draw(t, file)
		is(t, file, fs.ModeNamedPipe)
		end.Write([]byte(strings.Repeat("\n", len(want)))) // ends the reader, should nothing have come
		if got := <-read; !bytes.Equal(got, want) {
			t.Error("what came through the pipe is not the picture")
		}
	})
	t.Run("a link", func(t *testing.T) {
		dir := t.TempDir()
		file, link := filepath.Join(dir, "sub", "file.svg"), filepath.Join(dir, "link.svg")
		if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join("sub", "file.svg"), link); err != nil {
			t.Skip(err)
		}
		for range 2 { // the file is not there, then it is
			draw(t, link)
			is(t, link, fs.ModeSymlink)
			holds(t, file)
		}
	})
}

// TestSaveReplacesAFileAsAWhole: it keeps its mode, nothing is left beside it, and a folder is refused.
func TestSaveReplacesAFileAsAWhole(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file.svg")
	if err := os.WriteFile(file, []byte("old and longer"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := put(file, []byte("new")); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if about, e := os.Stat(file); err != nil || e != nil || string(got) != "new" || about.Mode() != 0o600 {
		t.Errorf("%q with %v (%v, %v), want the new text with the mode of the old", got, about.Mode(), err, e)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v (%v) are left, want the file alone", left, err)
	}
	if got := seedbed(t, "lab", "run", "window-edge", "use=log", "--svg", dir); got.code != exitBad || !strings.Contains(got.errout, "is a directory") {
		t.Errorf("a folder: exit %d, %q; want 1 and the reason", got.code, got.errout)
	}
	if about, err := os.Stat(dir); err != nil || !about.IsDir() {
		t.Errorf("the folder is %v (%v) afterwards", about, err)
	}
}

// readAway reads so many bytes of a pipe, or what came before it failed.
func readAway(pipe io.Reader, n int) <-chan []byte {
	read := make(chan []byte)
	go func() {
		got := make([]byte, n)
		m, _ := io.ReadFull(pipe, got) // what came tells enough
		read <- got[:m]
	}()
	return read
}
