package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
)

// fixture is a module with the least of each entry point.
var fixture = map[string]string{
	"go.mod":               "module seedbed\n\ngo 1.26\n",
	"wasm/main_js.go":      "package main\n\nimport \"syscall/js\"\n\nfunc main() { js.Global().Set(\"seedbed\", 1); select {} }\n",
	"wasm/main.go":         "//go:build !js\n\npackage main\n\nfunc main() {}\n",
	"wasm/calc/main_js.go": "package main\n\nfunc main() {}\n",
	"web/static/gen/.keep": "",

	"web/client/css/tokens.css":         ":root { --ink: #123456; }\n",
	"web/client/css/site.css":           "@import \"./tokens.css\";\nbody { color: var(--ink); & p { margin: 0; } }\n",
	"web/client/site/main.ts":           "import { greet } from \"../shared\";\ndocument.title = greet(\"site\");\n",
	"web/client/shared.ts":              "export function greet(name: string): string { return `hello ${name}`; }\n",
	"web/client/lab/main.ts":            "import { greet } from \"../shared\";\nconsole.log(greet(\"lab\"));\n",
	"web/client/worker/worker.ts":       "import \"go:wasm_exec\";\npostMessage(\"ready\");\n",
	"web/client/embed/frame.ts":         "console.log(\"frame\");\n",
	"web/client/embed/loader.ts":        "console.log(\"loader\");\n",
	"web/client/shared.test.ts":         "import { greet } from \"./shared\";\nif (greet(\"a\") !== \"hello a\") throw new Error(\"greet\");\n",
	"web/client/node_modules/x.test.ts": "this is not ours to bundle (\n",
}

// newFixture lays the module out in a temporary folder, with what an earlier build of it compressed: nine modules of a megabyte each, which
// took nine tenths of these tests' time. Modules and bundles are compiled anew.
func newFixture(t *testing.T) *builder {
	t.Helper()
	b := newColdFixture(t)
	for name, data := range compressed() {
		put(t, b.cache, name, string(data))
	}
	return b
}

// compressed is what a build of the fixture leaves compressed, by name of the file in the cache; nothing where it could not be built, and
// then each test says why.
var compressed = sync.OnceValue(func() map[string][]byte {
	root, err := os.MkdirTemp("", "seedbed-assets-")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(root)
	for name, text := range fixture {
		path := filepath.Join(root, filepath.FromSlash(name))
		if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, []byte(text), 0o644) != nil {
			return nil
		}
	}
	b := newBuilder(root, true)
	if _, err := b.build(); err != nil {
		return nil
	}
	paths, err := filepath.Glob(filepath.Join(b.cache, cachePrefix+"*"))
	if err != nil {
		return nil
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			return nil
		}
	}
	return files
})

// newColdFixture lays the module out in a temporary folder, and nothing else.
func newColdFixture(t *testing.T) *builder {
	t.Helper()
	root := t.TempDir()
	for name, text := range fixture {
		put(t, root, name, text)
	}
	return newBuilder(root, true)
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func mustBuild(t *testing.T, b *builder) manifest {
	t.Helper()
	m, err := b.build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func read(t *testing.T, parts ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readManifest is what a server would see.
func readManifest(t *testing.T, b *builder) manifest {
	t.Helper()
	var m manifest
	if err := json.Unmarshal(read(t, b.out, manifestName), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// listing is every file in the served folder.
func listing(t *testing.T, b *builder) map[string]os.FileInfo {
	t.Helper()
	files, err := os.ReadDir(b.out)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]os.FileInfo, len(files))
	for _, f := range files {
		if out[f.Name()], err = f.Info(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func unbrotli(t *testing.T, data []byte) []byte {
	t.Helper()
	out, err := io.ReadAll(brotli.NewReader(bytes.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func ungzip(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
