package main

import (
	"bytes"
	"crypto/sha512"
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func TestBuildLeavesEachAssetInThreeForms(t *testing.T) {
	b := newColdFixture(t)
	built := mustBuild(t, b)
	m := readManifest(t, b)
	if m.Build != built.Build || len(m.Build) != 16 {
		t.Errorf("manifest.json has build %q, the builder said %q; want the same 16 digits", m.Build, built.Build)
	}
	want := map[string]bool{".keep": true, manifestName: true}
	for _, name := range []string{"core.wasm", "gateway.wasm", "owners.wasm", "caches.wasm", "resilience.wasm", "consistency.wasm", "incidents.wasm", "quota.wasm", "calc.wasm", "worker.js", "lab.js", "frame.js", "embed.js", "site.js", "site.css"} {
		rec, ok := m.Assets[name]
		if !ok {
			t.Errorf("manifest has no %s", name)
			continue
		}
		plain := read(t, b.out, rec.File)
		br, gz := read(t, b.out, rec.File+".br"), read(t, b.out, rec.File+".gz")
		if !bytes.Equal(unbrotli(t, br), plain) || !bytes.Equal(ungzip(t, gz), plain) {
			t.Errorf("%s: its compressed forms do not unpack to it", rec.File)
		}
		if rec.Size != len(plain) || rec.Brotli != len(br) || rec.Gzip != len(gz) {
			t.Errorf("%s: manifest says %d, %d, %d bytes; the files have %d, %d, %d", name, rec.Size, rec.Brotli, rec.Gzip, len(plain), len(br), len(gz))
		}
		sum := sha512.Sum384(plain)
		if got, want := rec.Integrity, "sha384-"+base64.StdEncoding.EncodeToString(sum[:]); got != want {
			t.Errorf("%s: integrity %s, want %s", name, got, want)
		}
		if name == "embed.js" {
			if rec.File != name {
				t.Errorf("embed.js is served as %s; other sites name it plainly", rec.File)
			}
		} else if rec.File != hashedName(name, plain) || rec.File == name {
			t.Errorf("%s is served as %s, want %s", name, rec.File, hashedName(name, plain))
		}
		want[rec.File], want[rec.File+".br"], want[rec.File+".gz"] = true, true, true
	}
	for name, info := range listing(t, b) {
		if !want[name] {
			t.Errorf("%s was left behind", name)
		}
		if name != ".keep" && info.Mode().Perm() != 0o644 {
			t.Errorf("%s has mode %v, want 0644", name, info.Mode().Perm())
		}
	}
}

func TestBundlesHoldWhatTheirImportsSay(t *testing.T) {
	b := newFixture(t)
	m := mustBuild(t, b)
	text := func(name string) string { return string(read(t, b.out, m.Assets[name].File)) }
	if s := text("worker.js"); !strings.Contains(s, "globalThis.Go=") || !strings.Contains(s, "The Go Authors") {
		t.Errorf("worker.js lacks Go's wasm_exec.js or its copyright notice: %.80s…", s)
	}
	if s := text("lab.js"); !strings.Contains(s, "hello ") || strings.Contains(s, "import") {
		t.Errorf("lab.js should hold its import's code and no import: %s", s)
	}
	if s := text("site.css"); !strings.Contains(s, "--ink") || strings.Contains(s, "@import") || !strings.Contains(s, "body p{") {
		t.Errorf("site.css should hold its import's rules, with nesting undone: %s", s)
	}
	if s := text("owners.wasm"); !strings.HasPrefix(s, "\x00asm") {
		t.Errorf("owners.wasm begins with %q, want the WebAssembly magic", s[:4])
	}
}

func TestSecondBuildTouchesNothing(t *testing.T) {
	b := newFixture(t)
	mustBuild(t, b)
	before := listing(t, b)
	mustBuild(t, b)
	for name, info := range listing(t, b) {
		if old := before[name]; old == nil || !os.SameFile(old, info) || !old.ModTime().Equal(info.ModTime()) {
			t.Errorf("%s was written again", name)
		}
	}
}

func TestChangeRenamesOnlyWhatItReaches(t *testing.T) {
	b := newFixture(t)
	first := mustBuild(t, b)
	const source = "web/client/shared.ts" // site.js and lab.js import it
	put(t, b.root, source, strings.Replace(fixture[source], "hello", "welcome", 1))
	second := mustBuild(t, b)
	for name, rec := range second.Assets {
		changed := rec.File != first.Assets[name].File
		if want := name == "site.js" || name == "lab.js"; changed != want {
			t.Errorf("%s: renamed is %v, want %v", name, changed, want)
		}
	}
	if second.Build == first.Build {
		t.Errorf("build id %s did not change", first.Build)
	}
	for _, suffix := range []string{"", ".br", ".gz"} {
		if old := first.Assets["lab.js"].File + suffix; listing(t, b)[old] != nil {
			t.Errorf("%s of the first build is still there", old)
		}
	}

	put(t, b.root, source, fixture[source])
	if third := mustBuild(t, b); third.Build != first.Build {
		t.Errorf("the first sources again give build %s, want %s", third.Build, first.Build)
	}
	if packed, _ := filepath.Glob(filepath.Join(b.cache, cachePrefix+"*")); len(packed) != 2*len(first.Assets) {
		t.Errorf("the cache holds %d files, want two for each of %d assets", len(packed), len(first.Assets))
	}
}

func TestOtherFolderSameBytes(t *testing.T) {
	one, two := newFixture(t), newFixture(t)
	if a, b := mustBuild(t, one), mustBuild(t, two); a.Build != b.Build {
		t.Errorf("equal sources in two folders give builds %s and %s", a.Build, b.Build)
	}
}

func TestMissingEntryPointsAreNamed(t *testing.T) {
	b := newFixture(t)
	for _, gone := range []string{"web/client/lab/main.ts", "web/client/css/site.css", "wasm/main.go", "wasm/main_js.go"} {
		if err := os.Remove(filepath.Join(b.root, filepath.FromSlash(gone))); err != nil {
			t.Fatal(err)
		}
	}
	_, err := b.build()
	if err == nil {
		t.Fatal("built without three of its sources")
	}
	for _, want := range []string{
		"web/client/lab/main.ts: no such file; it is the entry point of lab.js",
		"web/client/css/site.css: no such file; it is the entry point of site.css",
		"wasm: no Go files; they are the source of core.wasm",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error is\n%v\nand lacks %q", err, want)
		}
	}
}

func TestBrokenSourceNamesFileAndLineAndPublishesNothing(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"script", "web/client/lab/main.ts", "const a = 1;\nconst = 2;\n", "web/client/lab/main.ts:2: "},
		{"import", "web/client/site/main.ts", "import \"./gone\";\n", "web/client/site/main.ts:1: Could not resolve"},
		{"import from Go", "web/client/worker/worker.ts", "import \"go:fmt\";\n", "the only import from Go is go:wasm_exec"},
		{"style", "web/client/css/site.css", "p { color: red;\n", "web/client/css/site.css:"},
		{"style in a script", "web/client/lab/main.ts", "import \"../css/tokens.css\";\n", "lab.css: a file that no entry asks for"},
		{"Go", "wasm/main_js.go", "package main\n\nfunc main() { missing() }\n", "main_js.go:3:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newFixture(t)
			mustBuild(t, b)
			before := listing(t, b)
			put(t, b.root, c.file, c.text)
			_, err := b.build()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
			after := listing(t, b)
			for name, info := range before {
				if after[name] == nil || !os.SameFile(info, after[name]) {
					t.Errorf("%s of the good build is gone", name)
				}
			}
		})
	}
}

func TestBuildsAtOnceWaitForEachOther(t *testing.T) {
	b := newColdFixture(t)
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() { _, errs[i] = newBuilder(b.root, true).build() })
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			t.Errorf("build %d: %v", i, err)
		}
	}
	m := readManifest(t, b)
	if got, want := len(listing(t, b)), 2+3*len(m.Assets); got != want {
		t.Errorf("%d files are there, want %d", got, want)
	}
}

// Eight writers add one to a number in a file, two hundred times each, by
// reading and writing it: without the lock some of the additions are lost.
func TestLockLetsOneInAtATime(t *testing.T) {
	dir := t.TempDir()
	count := filepath.Join(dir, "count")
	put(t, dir, "count", "0")
	add := func() error {
		unlock, err := lock(filepath.Join(dir, "lock"))
		if err != nil {
			return err
		}
		defer unlock()
		text, err := os.ReadFile(count)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(text))
		if err != nil {
			return err
		}
		return os.WriteFile(count, []byte(strconv.Itoa(n+1)), 0o644)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if err := add(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if got := string(read(t, count)); got != "1600" {
		t.Errorf("the number is %s, want 1600", got)
	}
}

func TestContentThatCannotBeReadStopsTheBuild(t *testing.T) {
	b := newFixture(t)
	put(t, b.root, "content/en/ui.yaml", "a: one\nb: one: two\n")
	put(t, b.root, "content/zh/ui.yaml", "a: 一\n")
	if _, err := b.build(); err == nil || err.Error() != "content/en/ui.yaml:2: is not YAML: mapping values are not allowed in this context" {
		t.Errorf("got %v, want the file and the line", err)
	}
	put(t, b.root, "content/en/ui.yaml", "a: one\nb: \"one: two\"\n") // zh lacks a word: a fault for check, and no reason to stop
	if _, err := b.build(); err != nil {
		t.Errorf("what can be read: %v", err)
	}
}
