package main

import (
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// tree is a house in memory: text by path.
type tree map[string]string

// houseOf parses a tree; the packages of chapters and labs get types, with
// imports from the standard library only.
func houseOf(t *testing.T, files tree) *house {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	h, err := parse(fsys)
	if err != nil {
		t.Fatal(err)
	}
	exports, err := stdExports()
	if err != nil {
		t.Fatal(err)
	}
	byFolder := make(map[string][]string)
	for _, f := range h.code(typedFolders...) {
		if !strings.HasSuffix(f.path, "_js.go") {
			byFolder[f.folder] = append(byFolder[f.folder], f.path[len(f.folder)+1:])
		}
	}
	for folder, names := range byFolder {
		h.checkPackage(folder, names, exports)
	}
	return h
}

// stdExports is the compiler's export data of what the fixtures import.
var stdExports = sync.OnceValues(func() (map[string]string, error) {
	packages, err := goList(".", nil, "-export", "-deps", "cmp", "context", "iter", "maps", "math", "math/rand/v2", "slices", "sync", "time", "unsafe")
	exports := make(map[string]string)
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	return exports, err
})

// breach is what a rule must say: where, and a part of the sentence.
type breach struct {
	at  string // file:line
	say string
}

// ruleCase is one fixture: with no breach wanted, the rule must be silent.
type ruleCase struct {
	name  string
	files tree
	want  []breach
}

// tryRule runs a rule over fixtures.
func tryRule(t *testing.T, r rule, cases []ruleCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := houseOf(t, c.files)
			got := h.check([]rule{r})
			for i := range max(len(got), len(c.want)) {
				switch {
				case i >= len(c.want):
					t.Errorf("unexpected: %s", got[i])
				case i >= len(got):
					t.Errorf("nothing at %s, want %q", c.want[i].at, c.want[i].say)
				case !strings.HasPrefix(got[i].String(), c.want[i].at+": ") || !strings.Contains(got[i].text, c.want[i].say):
					t.Errorf("got %s\nwant %s: …%s…", got[i], c.want[i].at, c.want[i].say)
				}
			}
		})
	}
}
