package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linkedHouse is a module for the browser, with a package that drags in fmt.
var linkedHouse = tree{
	"wasm/main_js.go":                "package main\n\nimport \"seedbed/labs\"\n",
	"labs/a.go":                      "package labs\n\nimport (\n\t\"strconv\"\n\t\"text/template\"\n)\n",
	"chapters/limiter/wait/block.go": "package wait\n",
}

func TestLinkedPackages(t *testing.T) {
	h := houseOf(t, linkedHouse)
	pkg := func(path string, imports ...string) listedPackage {
		return listedPackage{ImportPath: path, Imports: imports}
	}
	floor := []listedPackage{pkg("runtime"), pkg("syscall/js", "runtime")}
	clean := []listedPackage{
		pkg("runtime"), pkg("syscall/js", "runtime"), pkg("strconv"),
		pkg("seedbed/labs", "strconv"), pkg("seedbed/wasm", "syscall/js", "seedbed/labs"),
	}
	if got := h.judgeLinked(clean, floor); len(got) > 0 {
		t.Errorf("a clean module: %v", got)
	}

	dirty := []listedPackage{
		pkg("runtime"), pkg("fmt", "runtime"), pkg("text/template", "fmt"),
		pkg("seedbed/labs", "text/template"), pkg("seedbed/wasm", "seedbed/labs"),
	}
	got := h.judgeLinked(dirty, floor)
	if want := "labs/a.go:5: the labs' WebAssembly module links fmt (seedbed/wasm → seedbed/labs → text/template → fmt): it is 100 KiB of module; use strconv and typed errors"; len(got) != 1 || got[0].String() != want {
		t.Errorf("got %v\nwant %s", got, want)
	}
	if got := h.judgeLinked(dirty, append(floor, pkg("fmt"))); len(got) > 0 {
		t.Errorf("what an empty program links is held against the module: %v", got)
	}

	for path, want := range map[string]string{
		"seedbed/chapters/limiter/wait": "it waits (block.go)",
		"seedbed/labs/quota":            "it links Raft",
		"seedbed/labs/catalog/quota":    "it links Raft",
		"seedbed/web/page":              "it is not of the shared module",
		"golang.org/x/time/rate":        "no other module's code is in it",
		"encoding/json":                 "encoding/binary links reflect, the others fmt; write bytes by hand",
		"seedbed/labs/sim":              "",
		"internal/reflectlite":          "",
	} {
		if got := h.unlinkable(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// The real go command, on a module on disk.
func TestLinkedAsTheGoCommandSees(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	root := t.TempDir()
	for name, text := range (tree{
		"go.mod":          "module seedbed\n\ngo 1.26\n",
		"wasm/main_js.go": "package main\n\nimport (\n\t\"slices\"\n\t\"strconv\"\n\t\"syscall/js\"\n\n\t\"seedbed/labs\"\n)\n\nfunc main() { js.Global().Set(strconv.Itoa(slices.Max(labs.A)), 1) }\n",
		"labs/a.go":       "package labs\n\nvar A = []int{1}\n",
	}) {
		write(t, filepath.Join(root, name), text)
	}
	h, err := open(root)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.check([]rule{checkLinked}); len(got) > 0 {
		t.Errorf("a clean module: %v", got)
	}

	write(t, filepath.Join(root, "labs/a.go"), "package labs\n\nimport \"unique\"\nimport \"os\"\n\nvar A = []int{os.Getpid()}\nvar B = unique.Make(1)\n")
	if h, err = open(root); err != nil {
		t.Fatal(err)
	}
	got := h.check([]rule{checkLinked})
	if !slices.ContainsFunc(got, func(p problem) bool {
		return strings.Contains(p.text, " links os (seedbed/wasm → seedbed/labs → os): ")
	}) {
		t.Errorf("got %v, want one that says how os is linked", got)
	}
	for _, p := range got {
		if p.path != "labs/a.go" || p.line != 4 {
			t.Errorf("%s, want it at labs/a.go:4, the import of os", p)
		}
	}
}
