package main

import (
	"go/ast"
	"slices"
	"strings"
)

// checkBans finds banned packages where they are imported and banned names where they are used.
func checkBans(h *house) []problem {
	var out []problem
	for _, f := range h.code("chapters", "labs", "wasm", "web/view") {
		whole := make(map[string]bool) // banned already: its names need no line of their own
		for _, spec := range f.ast.Imports {
			p := importPath(spec)
			for _, b := range bans {
				if b.names == nil && b.covers(f) && listed(p, []string{b.pkg}) && !whole[p] {
					whole[p] = true
					out = append(out, h.at(spec.Pos(), "%s is banned in %s: %s%s", p, b.in.say, b.why, blockHint(f, b)))
				}
			}
		}
		for use := range f.uses() {
			for _, b := range bans {
				if b.covers(f) && !whole[use.pkg] && slices.Contains(b.names, use.name) && listed(use.pkg, []string{b.pkg}) {
					out = append(out, h.at(use.at.Pos(), "%s.%s is banned in %s: %s%s", use.pkg, use.name, b.in.say, b.why, blockHint(f, b)))
				}
			}
		}
	}
	return out
}

func (b ban) covers(f *file) bool {
	return b.in.holds(f.folder) && !(b.waits && f.block())
}

// blockHint tells where code that waits may stand, when a file only looks as if it stood there.
func blockHint(f *file, b ban) string {
	if b.waits && strings.HasSuffix(f.path, "/block.go") {
		return " (block.go may, in a folder of its own: chapters/FAMILY/FOLDER)"
	}
	return ""
}

// use is a name of an imported package where code mentions it, called or not.
type use struct {
	pkg, name string
	at        *ast.SelectorExpr
}

// uses yields every mention of an imported name. A variable that hides the
// package's name is taken for the package: rename it.
func (f *file) uses() func(yield func(use) bool) {
	return func(yield func(use) bool) {
		byName := f.imports()
		for n := range ast.Preorder(f.ast) {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			x, ok := sel.X.(*ast.Ident)
			if !ok || byName[x.Name] == "" {
				continue
			}
			if !yield(use{byName[x.Name], sel.Sel.Name, sel}) {
				return
			}
		}
	}
}

// checkStatements finds what starts or chooses between goroutines, and the
// back doors past the other rules.
func checkStatements(h *house) []problem {
	var out []problem
	for _, f := range h.code("chapters", "labs") {
		for n := range ast.Preorder(f.ast) {
			switch n := n.(type) {
			case *ast.GoStmt:
				if !f.block() {
					out = append(out, h.at(n.Pos(), "go statement: goroutines run in another order each time; the caller may start them (code that must wait: block.go)"))
				}
			case *ast.SelectStmt:
				if !f.block() {
					out = append(out, h.at(n.Pos(), "select statement: it picks at random; the caller may wait (code that must wait: block.go)"))
				}
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					out = append(out, h.at(n.Pos(), "func init: what exists is listed in labs/catalog, and nothing happens by being imported"))
				}
			case *ast.ImportSpec:
				if importPath(n) == "unsafe" && !h.saying(f, "unsafe:")[h.fset.Position(n.Pos()).Line] {
					out = append(out, h.at(n.Pos(), "unsafe without a comment // unsafe: on its line that says why"))
				}
			}
		}
		for _, group := range f.ast.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:linkname") {
					out = append(out, h.at(c.Pos(), "go:linkname reaches past a package's surface"))
				}
			}
		}
	}
	return out
}

// checkExactMath holds chapters and labs to the functions of math with the same bits everywhere.
func checkExactMath(h *house) []problem {
	var out []problem
	for _, f := range h.code("chapters", "labs") {
		for use := range f.uses() {
			if use.pkg == "math" && !slices.Contains(exactMath, use.name) {
				out = append(out, h.at(use.at.Pos(), "math.%s may differ in its last bits by platform: use chapters/pmath, or whole numbers", use.name))
			}
			if use.pkg == "math/cmplx" {
				out = append(out, h.at(use.at.Pos(), "math/cmplx may differ in its last bits by platform"))
			}
		}
	}
	return out
}
