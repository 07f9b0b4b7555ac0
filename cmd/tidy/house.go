package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// modulePath is the name in go.mod, and so the beginning of the house's import paths.
const modulePath = "seedbed"

// house is the source tree as the rules see it.
type house struct {
	root    string // on disk; empty in tests of single rules
	fset    *token.FileSet
	top     []fs.DirEntry // what lies in the root
	files   []*file       // Go, in order of path
	other   []source      // sources in other languages
	nested  []string      // folders with a go.mod of their own
	untyped []problem     // what kept types from being known
}

// source is a file of which only the length matters.
type source struct {
	path  string
	lines int
}

// file is one Go file.
type file struct {
	path      string // slash-separated, from the root
	folder    string // its directory, "." for the root
	ast       *ast.File
	lines     int
	generated bool
	nested    bool        // belongs to a nested module
	info      *types.Info // nil where no rule asks for types
}

// problem is one breach, at one line.
type problem struct {
	path string
	line int
	text string
}

func (p problem) String() string { return fmt.Sprintf("%s:%d: %s", p.path, p.line, p.text) }

// rule finds the breaches of one part of the law.
type rule func(*house) []problem

// rules are all of them.
var rules = []rule{
	checkLayout,
	checkImports,
	checkOnly,
	checkBans,
	checkStatements,
	checkExactMath,
	checkTyped,
	checkMapOrder,
	checkFusing,
	checkFloatToInt,
	checkLinked,
	checkSizes,
	checkPackageComments,
	checkTraps,
}

// check applies rules and returns the breaches in order of place, each once.
func (h *house) check(rules []rule) []problem {
	var all []problem
	for _, r := range rules {
		all = append(all, r(h)...)
	}
	slices.SortFunc(all, func(a, b problem) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line), cmp.Compare(a.text, b.text))
	})
	return slices.Compact(all)
}

// skipped are folders that hold no source of ours.
var skipped = []string{".git", "bin", "node_modules", "testdata", "web/static/gen", "web/static/vendor"}

// parse reads every source file below the root of fsys.
func parse(fsys fs.FS) (*house, error) {
	h := &house{fset: token.NewFileSet()}
	var err error
	if h.top, err = fs.ReadDir(fsys, "."); err != nil {
		return nil, err
	}
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if slices.Contains(skipped, name) || slices.Contains(skipped, d.Name()) {
				return fs.SkipDir
			}
			return nil
		case d.Name() == "go.mod" && name != "go.mod":
			h.nested = append(h.nested, path.Dir(name))
			return nil
		}
		return h.add(fsys, name)
	})
	if err != nil {
		return nil, err
	}
	for _, f := range h.files {
		f.nested = slices.ContainsFunc(h.nested, func(dir string) bool { return within(f.folder, dir) })
	}
	return h, nil
}

// add parses one file where it is Go, and counts its lines where it is another source.
func (h *house) add(fsys fs.FS, name string) error {
	ext := path.Ext(name)
	if ext != ".go" && lineLimit(name) == 0 {
		return nil
	}
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	lines := bytes.Count(text, []byte("\n"))
	if ext != ".go" {
		h.other = append(h.other, source{name, lines})
		return nil
	}
	tree, err := parser.ParseFile(h.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	h.files = append(h.files, &file{
		path:      name,
		folder:    path.Dir(name),
		ast:       tree,
		lines:     lines,
		generated: ast.IsGenerated(tree),
	})
	return nil
}

// at makes a problem of a place in a file.
func (h *house) at(pos token.Pos, format string, args ...any) problem {
	p := h.fset.Position(pos)
	return problem{p.Filename, p.Line, fmt.Sprintf(format, args...)}
}

// code is every file that the law on imports and calls covers: the house's own
// modules' without tests and conformance suites.
func (h *house) code(folders ...string) []*file {
	var out []*file
	for _, f := range h.files {
		covered := slices.ContainsFunc(folders, func(dir string) bool { return within(f.folder, dir) })
		if covered && !f.nested && !f.test() && !f.suite() {
			out = append(out, f)
		}
	}
	return out
}

// test reports whether the go command builds the file for tests only.
func (f *file) test() bool { return strings.HasSuffix(f.path, "_test.go") }

// suite reports whether the file belongs to an exported conformance suite.
func (f *file) suite() bool { return isSuite(f.folder) }

// isSuite reports whether a folder is a conformance suite: chapters/NAME/NAMEtest,
// or labs/labtest, which holds a lab to the contract.
func isSuite(folder string) bool {
	return folder == "labs/labtest" || within(folder, "chapters") && path.Base(folder) == path.Base(path.Dir(folder))+"test"
}

// block reports whether the file may wait: block.go in a folder of its own
// below a family, chapters/FAMILY/FOLDER/block.go.
func (f *file) block() bool {
	return path.Base(f.path) == "block.go" && within(f.folder, "chapters") && strings.Count(f.folder, "/") >= 2
}

// imports are the file's import paths by the names they have in it. A blank or
// dot import is left out: nothing is called through it.
func (f *file) imports() map[string]string {
	out := make(map[string]string, len(f.ast.Imports))
	for _, spec := range f.ast.Imports {
		p := importPath(spec)
		name := path.Base(p)
		if isVersion(name) {
			name = path.Base(path.Dir(p))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name != "_" && name != "." {
			out[name] = p
		}
	}
	return out
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		panic(err) // the parser took it for a string
	}
	return p
}

// isVersion reports whether a path element is a major version: v2, v3 …
func isVersion(s string) bool {
	_, err := strconv.Atoi(strings.TrimPrefix(s, "v"))
	return err == nil && strings.HasPrefix(s, "v")
}

// within reports whether a slash-separated path is dir or lies below it.
func within(p, dir string) bool {
	return p == dir || strings.HasPrefix(p, dir+"/")
}

// saying returns the lines on which a comment begins with mark and goes on with a reason.
func (h *house) saying(f *file, mark string) map[int]bool {
	out := make(map[int]bool)
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			reason, ok := strings.CutPrefix(c.Text, "// "+mark)
			if ok && strings.TrimSpace(reason) != "" {
				out[h.fset.Position(c.Pos()).Line] = true
			}
		}
	}
	return out
}
