package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sharedModule is the main package of the labs' WebAssembly modules. Without a
// build tag it holds all labs but Raft's.
const sharedModule = "wasm"

var wasmEnv = []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}

// checkLinked finds what the shared module must not link. The bans on imports
// see the house's own lines; this sees what the standard library drags in
// (iter and slices do not link reflect today; another release may).
//
// What an empty program with syscall/js links cannot be avoided and is taken
// off. That program is measured each time and not listed here, because it
// changes with Go's releases. Today none of its packages is a banned one.
func checkLinked(h *house) []problem {
	if h.root == "" || len(h.code(sharedModule)) == 0 {
		return nil
	}
	packages, err := goList(h.root, wasmEnv, "-deps", "./"+sharedModule)
	if err != nil {
		return []problem{{sharedModule, 1, err.Error()}}
	}
	floor, err := emptyProgram()
	if err != nil {
		return []problem{{sharedModule, 1, err.Error()}}
	}
	return h.judgeLinked(packages, floor)
}

// emptyProgram lists the packages of the least program for the browser.
func emptyProgram() ([]listedPackage, error) {
	dir, err := os.MkdirTemp("", "tidy")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	const text = "package main\n\nimport \"syscall/js\"\n\nfunc main() { js.Global() }\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o644); err != nil {
		return nil, err
	}
	return goList(dir, append(slices.Clone(wasmEnv), "GO111MODULE=off"), "-deps", "main.go")
}

// judgeLinked holds the module's packages against the bans, less the floor.
func (h *house) judgeLinked(packages, floor []listedPackage) []problem {
	free := make(map[string]bool)
	for _, p := range floor {
		free[p.ImportPath] = true
	}
	root := modulePath + "/" + sharedModule
	var out []problem
	for _, p := range packages {
		why := h.unlinkable(p.ImportPath)
		if why == "" || free[p.ImportPath] {
			continue
		}
		chain := chainTo(packages, root, p.ImportPath)
		place := h.importOf(chain)
		place.text = fmt.Sprintf("the labs' WebAssembly module links %s (%s): %s", p.ImportPath, strings.Join(chain, " → "), why)
		out = append(out, place)
	}
	return out
}

// unlinkable says why the shared module must not hold a package, or nothing.
func (h *house) unlinkable(p string) string {
	folder, ours := strings.CutPrefix(p, modulePath+"/")
	switch {
	case ours && (within(folder, "labs/quota") || within(folder, "labs/catalog/quota")):
		return "it links Raft"
	case ours && linked.holds(folder):
		for _, f := range h.files {
			if f.folder == folder && f.block() {
				return "it waits (block.go)"
			}
		}
		return ""
	case ours:
		return "it is not of the shared module"
	case strings.Contains(p, "."):
		return "no other module's code is in it"
	}
	for _, b := range bans {
		if b.names == nil && b.in.say == linked.say && listed(p, []string{b.pkg}) {
			return b.why
		}
	}
	return ""
}

// chainTo is a shortest way of imports from one package to another.
func chainTo(packages []listedPackage, from, to string) []string {
	imports := make(map[string][]string, len(packages))
	for _, p := range packages {
		imports[p.ImportPath] = p.Imports
	}
	before := map[string]string{from: from}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at == to {
			break
		}
		for _, next := range imports[at] {
			if before[next] == "" {
				before[next] = at
				queue = append(queue, next)
			}
		}
	}
	chain := []string{to}
	for at := to; at != from && before[at] != ""; {
		at = before[at]
		chain = append(chain, at)
	}
	slices.Reverse(chain)
	return chain
}

// importOf is the line where the last package of the house in a chain imports the next.
func (h *house) importOf(chain []string) problem {
	place := problem{path: sharedModule, line: 1}
	for i, p := range chain[:len(chain)-1] {
		folder, ours := strings.CutPrefix(p, modulePath+"/")
		if !ours {
			break
		}
		for _, f := range h.files {
			if f.folder != folder || f.test() {
				continue
			}
			for _, spec := range f.ast.Imports {
				if importPath(spec) == chain[i+1] {
					place = h.at(spec.Pos(), "")
				}
			}
		}
	}
	return place
}
