//go:build !js

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seedbed/labs/catalog"
)

// free are the packages that the labs may link beyond what an empty program with syscall/js does: they cost readers next to nothing.
var free = []string{
	"bytes", "cmp", "errors", "io", "iter", "math", "math/bits", "slices", "sort", "strconv", "strings", "sync", "sync/atomic",
	"unicode", "unicode/utf8", "unsafe",
}

// TestModuleLinksOnlyWhatIsFree keeps fmt (130 KB of module), time (38), reflect, context, os, math/big, encoding/…, and whatever else
// a library may pull in some day, out of what every reader downloads.
func TestModuleLinksOnlyWhatIsFree(t *testing.T) {
	base := floor(t)
	for dir, sure := range map[string]string{".": "seedbed/labs", "calc": "seedbed/chapters/calc"} {
		ours := deps(t, dir)
		if !slices.Contains(ours, sure) {
			t.Fatalf("the module of %s does not link %s: this test looks at the wrong program", dir, sure)
		}
		for _, p := range ours {
			switch {
			case slices.Contains(base, p), slices.Contains(free, p), strings.HasPrefix(p, "seedbed/"), strings.HasPrefix(p, "internal/"):
			default:
				t.Errorf("the module of %s links %s (imported by %s); it may link only %s", dir, p, strings.Join(importers(t, dir, p), ", "), strings.Join(free, ", "))
			}
		}
	}
}

// TestRaftsModuleLinksNoMoreThanRaftDoes: its labs have a module of their own because the library links fmt, math/big, crypto/rand and
// more. What is linked past it is what every module may hold, and reflect, with which labs/quota reaches the library's election time-outs.
func TestRaftsModuleLinksNoMoreThanRaftDoes(t *testing.T) {
	const raft = "go.etcd.io/raft/v3"
	imports := map[string][]string{}
	for _, line := range list(t, ".", `{{.ImportPath}} {{join .Imports " "}}`, "-tags", "quota") {
		words := strings.Fields(line)
		imports[words[0]] = words[1:]
	}
	if imports[raft] == nil || imports["seedbed/labs/quota"] == nil {
		t.Fatal("the module of Raft's labs does not link Raft: this test looks at the wrong program")
	}
	base := floor(t)
	seen := map[string]bool{}
	var follow func(p string)
	follow = func(p string) {
		if seen[p] || p == raft || strings.HasPrefix(p, raft+"/") {
			return
		}
		seen[p] = true
		for _, q := range imports[p] {
			follow(q)
		}
	}
	follow("seedbed/wasm")
	for p := range seen {
		switch {
		case slices.Contains(base, p), slices.Contains(free, p), strings.HasPrefix(p, "seedbed/"), strings.HasPrefix(p, "internal/"), p == "reflect":
		default:
			t.Errorf("Raft's module links %s, and not for Raft's sake", p)
		}
	}
}

// TestAllButRaft: the program without a tag, by which the others are judged, has every part but Raft's.
func TestAllButRaft(t *testing.T) {
	ours := deps(t, ".")
	for _, part := range catalog.Parts() {
		if has, want := slices.Contains(ours, "seedbed/labs/catalog/"+part.Name), part.Name != "quota"; has != want {
			t.Errorf("without a tag the program has the part %s: %v, want %v", part.Name, has, want)
		}
	}
}

// floor lists what an empty program with syscall/js links.
func floor(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module empty\n\ngo 1.26\n")
	write("main.go", "package main\n\nimport \"syscall/js\"\n\nfunc main() { js.Global() }\n")
	return deps(t, dir)
}

// deps lists the packages that the program in dir links in a browser.
func deps(t *testing.T, dir string) []string {
	t.Helper()
	return list(t, dir, "{{.ImportPath}}")
}

// importers lists the packages of ours that import p.
func importers(t *testing.T, dir, p string) []string {
	t.Helper()
	var found []string
	for _, line := range list(t, dir, `{{.ImportPath}} {{join .Imports " "}}`) {
		words := strings.Fields(line)
		if slices.Contains(words[1:], p) {
			found = append(found, words[0])
		}
	}
	return found
}

func list(t *testing.T, dir, format string, flags ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"list", "-deps", "-f", format}, flags...), ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v", dir, err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
