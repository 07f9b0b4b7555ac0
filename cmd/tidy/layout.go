package main

import (
	"go/ast"
	"slices"
	"strings"
)

// topFolders and topFiles are all that may lie in the root.
var (
	topFolders = []string{
		"cmd", "chapters", "wasm", "labs", "web", "content", ".ci", ".git",
		"bin", // built, and ignored by git
	}
	topFiles = []string{"go.mod", "go.sum", "Makefile", "README.md", "LICENSE", ".gitignore"}
)

// checkLayout keeps the root to the rooms of the house.
func checkLayout(h *house) []problem {
	var out []problem
	for _, e := range h.top {
		switch {
		case slices.Contains(topFiles, e.Name()), e.IsDir() && slices.Contains(topFolders, e.Name()):
		case e.Name() == ".git": // a file in a linked work tree
		default:
			out = append(out, problem{e.Name(), 1, "the root holds only the folders " + strings.Join(topFolders[:6], ", ") + " and the files " + strings.Join(topFiles, ", ")})
		}
	}
	return out
}

// checkPackageComments finds packages that do not say what they are for. A
// folder with tests alone needs no comment.
func checkPackageComments(h *house) []problem {
	first := make(map[string]*file)
	said := make(map[string]bool)
	for _, f := range h.files {
		if f.test() {
			continue
		}
		if first[f.folder] == nil {
			first[f.folder] = f
		}
		if f.ast.Doc == nil || f.generated {
			continue
		}
		text := f.ast.Doc.Text()
		name := f.ast.Name.Name
		if name == "main" && text != "" || strings.HasPrefix(text, "Package "+name+" ") {
			said[f.folder] = true
		}
	}
	var out []problem
	for folder, f := range first { // order: check sorts the breaches
		if !said[folder] {
			want := "Package " + f.ast.Name.Name + " …"
			if f.ast.Name.Name == "main" {
				want = "what the command does"
			}
			out = append(out, h.at(f.ast.Package, "no file of %s has a package comment (%s): what it is, why, its contract, what it does not do", folder, want))
		}
	}
	return out
}

// declared are the names of a file's functions without receiver.
func (f *file) declared() func(yield func(*ast.FuncDecl) bool) {
	return func(yield func(*ast.FuncDecl) bool) {
		for _, decl := range f.ast.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && !yield(fn) {
				return
			}
		}
	}
}
