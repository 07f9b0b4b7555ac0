package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// text is long and uneven enough that the two levels differ.
var text = func() []byte {
	var b bytes.Buffer
	for i := range 4000 {
		b.WriteString(strings.Repeat(string(rune('a'+i*i%23)), 1+i%5))
		b.WriteString(" token bucket ")
	}
	return b.Bytes()
}()

func TestFastAndBestCompression(t *testing.T) {
	dir := t.TempDir()
	a := asset{name: "a.js", data: text}
	pack := func(fast bool) packed {
		t.Helper()
		p, err := cache{dir: dir, fast: fast}.pack(a)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	fast := pack(true)
	best := pack(false)
	if len(best.brotli) >= len(fast.brotli) {
		t.Errorf("best is %d bytes, fast %d; want best smaller", len(best.brotli), len(fast.brotli))
	}
	if again := pack(true); !bytes.Equal(again.brotli, best.brotli) {
		t.Error("a fast build did not take the best bytes although they were there")
	}
	if fast.file() != best.file() {
		t.Errorf("names %s and %s differ; they follow from the plain bytes", fast.file(), best.file())
	}
}

func TestCacheIsReadAndNotRecomputed(t *testing.T) {
	c := cache{dir: t.TempDir()}
	a := asset{name: "a.js", data: text}
	if _, err := c.pack(a); err != nil {
		t.Fatal(err)
	}
	mark := []byte("from the cache")
	if err := os.WriteFile(c.path(text, "br", brotliBest), mark, 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := c.pack(a)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(p.brotli, mark) {
		t.Error("the second pack compressed again")
	}
	if err := c.prune(nil); err != nil {
		t.Fatal(err)
	}
	if p, _ = c.pack(a); bytes.Equal(p.brotli, mark) {
		t.Error("prune kept what no asset needs")
	}
}

func TestWriteFileLeavesNoTemporaryFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/taken", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(dir+"/taken", []byte("x")); err == nil {
		t.Error("wrote over a folder")
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Errorf("left %v, want only the folder", files)
	}
}
