package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// typedFolders are those with rules that need types.
var typedFolders = []string{"chapters", "labs"}

// listedPackage is what we read of go list's JSON.
type listedPackage struct {
	ImportPath string
	Name       string
	Export     string // file with the compiler's export data
	Standard   bool
	DepOnly    bool
	GoFiles    []string
	Imports    []string
	Error      *struct{ Err string }
}

// goList runs go list in dir. With -export it compiles what is not compiled yet.
func goList(dir string, env []string, args ...string) ([]listedPackage, error) {
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Name,Export,Standard,DepOnly,GoFiles,Imports,Error"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	var out []listedPackage
	for dec := json.NewDecoder(&stdout); ; {
		var p listedPackage
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		out = append(out, p)
	}
}

// addTypes checks the packages of typedFolders. Each is checked from the syntax
// trees that are there already, its imports from export data, which takes
// milliseconds a package once the build cache has it.
func (h *house) addTypes() error {
	var patterns []string
	for _, dir := range typedFolders {
		if len(h.code(dir)) > 0 {
			patterns = append(patterns, "./"+dir+"/...")
		}
	}
	if patterns == nil {
		return nil
	}
	packages, err := goList(h.root, nil, append([]string{"-e", "-export", "-deps"}, patterns...)...)
	if err != nil {
		return err
	}
	exports := make(map[string]string, len(packages))
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	for _, p := range packages {
		if folder, ours := strings.CutPrefix(p.ImportPath, modulePath+"/"); ours && !p.DepOnly {
			h.checkPackage(folder, p.GoFiles, exports)
		}
	}
	return nil
}

// checkPackage gives types to the named files of a folder. What cannot be
// typed is a breach: the rules could not see it.
func (h *house) checkPackage(folder string, names []string, exports map[string]string) {
	var trees []*ast.File
	var typed []*file
	for _, f := range h.files {
		if f.folder == folder && slices.Contains(names, filepath.Base(f.path)) {
			trees = append(trees, f.ast)
			typed = append(typed, f)
		}
	}
	info := &types.Info{
		Types:      make(map[ast.Expr]types.TypeAndValue),
		Uses:       make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
	conf := types.Config{
		Importer: importer.ForCompiler(h.fset, "gc", func(path string) (io.ReadCloser, error) {
			if exports[path] == "" {
				return nil, fmt.Errorf("%s was not compiled", path)
			}
			return os.Open(exports[path])
		}),
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) && !e.Soft {
				h.untyped = append(h.untyped, h.at(e.Pos, "does not compile: %s", e.Msg))
			}
		},
	}
	// Errors have gone to conf.Error, each with its place.
	_, _ = conf.Check(modulePath+"/"+folder, h.fset, trees, info)
	for _, f := range typed {
		f.info = info
	}
}

// checkTyped reports what the rules with types cannot see: code that does not
// compile, or that a build constraint leaves out here.
func checkTyped(h *house) []problem {
	out := slices.Clone(h.untyped)
	for _, f := range h.code(typedFolders...) {
		if f.info == nil {
			out = append(out, h.at(f.ast.Package, "the build leaves this file out, so no rule can see its types: chapters and labs are the same on every platform"))
		}
	}
	return out
}
