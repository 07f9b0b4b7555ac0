package main

import (
	"fmt"
	"go/ast"
	"path"
	"strings"
)

// limits of length, in lines: a file has one purpose and is read in one sitting,
// a function fits a screen.
const (
	maxFile     = 400
	maxTestFile = 600
	maxFunction = 70
)

// lineLimit is the most lines that a file may have, 0 for a kind that is not counted.
func lineLimit(name string) int {
	switch ext := path.Ext(name); {
	case strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, ".test.ts"):
		return maxTestFile
	case ext == ".go", ext == ".ts", ext == ".css", ext == ".templ":
		return maxFile
	}
	return 0
}

// checkSizes finds files and functions that are too long. Generated files are
// as long as their source makes them.
func checkSizes(h *house) []problem {
	var out []problem
	tooLong := func(name string, lines int) {
		if limit := lineLimit(name); lines > limit {
			out = append(out, problem{name, limit + 1, fmt.Sprintf("file of %d lines, at most %d: give each purpose its own", lines, limit)})
		}
	}
	for _, s := range h.other {
		tooLong(s.path, s.lines)
	}
	for _, f := range h.files {
		if f.generated {
			continue
		}
		tooLong(f.path, f.lines)
		for _, decl := range f.ast.Decls {
			for _, fn := range functions(decl) {
				lines := h.fset.Position(fn.End()).Line - h.fset.Position(fn.Pos()).Line + 1
				if lines > maxFunction {
					out = append(out, h.at(fn.Pos(), "function of %d lines, at most %d", lines, maxFunction))
				}
			}
		}
	}
	return out
}

// functions are the outermost functions of a declaration: itself, or the
// literals in its values.
func functions(decl ast.Decl) []ast.Node {
	if fn, ok := decl.(*ast.FuncDecl); ok {
		// Without the comment, which is as long as it needs to be.
		return []ast.Node{&ast.FuncDecl{Name: fn.Name, Recv: fn.Recv, Type: fn.Type, Body: fn.Body}}
	}
	var out []ast.Node
	ast.Inspect(decl, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			out = append(out, lit)
		}
		return !ok
	})
	return out
}
