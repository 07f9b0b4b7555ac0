package main

import (
	"path"
	"slices"
	"strings"
)

// wing says what the code of one folder may import. The longest folder that
// holds a file is the one that counts. In the lists, "std" is the standard
// library, "other" any module that is not the house's, and "x/..." is x and all below it.
type wing struct {
	folder string
	may    []string
	not    []string // taken away from may
	why    string
}

// law is the import law by folder. Nothing lists seedbed/cmd but cmd itself.
var law = []wing{
	{"chapters", []string{"std", "seedbed/chapters/..."}, nil,
		"an algorithm works in any Go server, by copying its folder"},
	{"chapters/pmath", []string{"std"}, nil,
		"it is a leaf that the others may import"},
	{"chapters/hashing", []string{"std"}, nil,
		"it is a leaf that the others may import"},

	{"labs", []string{"std", "seedbed/chapters/...", "seedbed/labs/..."}, nil,
		"labs show chapters"},
	{"labs/quota", []string{"std", "seedbed/chapters/...", "seedbed/labs/...", "go.etcd.io/raft/v3/..."}, []string{"seedbed/labs/catalog/..."},
		"these labs have a module of their own, for Raft's sake"},

	{"wasm", []string{"std", "seedbed/chapters/...", "seedbed/labs/...", "seedbed/wasm/..."}, []string{"seedbed/labs/catalog"},
		"it carries the labs into the browser, part by part, and knows no server; the list of all parts links Raft"},

	{"content", []string{"std"}, nil,
		"it is text, and the one file that embeds it"},

	{"web", []string{"std", "other", "seedbed/web/...", "seedbed/content/...", "seedbed/chapters/...", "seedbed/labs/..."}, nil,
		"it serves the house and does not start it"},
	{"web/view", []string{"std", "other", "seedbed/web/...", "seedbed/content/...", "seedbed/chapters/...", "seedbed/labs/..."},
		[]string{"seedbed/web", "seedbed/web/store/...", "net/http/..."},
		"a view is a function of its model: no store, no request"},
	{"web/workshop", []string{"std", "other", "seedbed/web/...", "seedbed/content/...", "seedbed/chapters/...", "seedbed/labs/..."},
		[]string{"seedbed/web", "seedbed/web/store/...", "seedbed/web/view/...", "net/http/...", "database/sql/..."},
		"the rules of a room know neither SQL nor HTTP; it defines the interface that the store fulfils"},

	{"cmd", []string{"std", "other", "seedbed/..."}, nil,
		"it starts everything"},
}

// confined says which folders alone may import a package.
type confined struct {
	pkg string
	in  func(*file) bool
	say string // the place, in words
	why string
}

// only are the packages that have one home.
var only = []confined{
	{"syscall/js", jsFile, "files of wasm named *_js.go",
		"the border to the browser is a file wide, so that all else is tested natively"},
	{"database/sql/...", below("web/store"), "web/store", "one place knows SQL"},
	{"modernc.org/sqlite/...", below("web/store"), "web/store", "one place knows SQL"},
	{"github.com/jackc/pgx/v5/...", func(f *file) bool { return within(f.folder, "web/store") || within(f.folder, "cmd/reality") }, "web/store and cmd/reality",
		"one place knows SQL; the other asks what a pool of connections does"},
	{"github.com/labstack/echo/v4/...", func(f *file) bool { return f.folder == "web" }, "the top package of web",
		"one package knows the router, so that no page depends on it"},
	{"github.com/yuin/goldmark/...", below("web/page"), "web/page", "one package knows the Markdown library"},
	{"go.etcd.io/raft/v3/...", below("labs/quota"), "labs/quota", "whoever links it has a module three times as large"},
	{"seedbed/labs/quota/...", below("labs/catalog/quota"), "labs/catalog/quota", "whoever links it links Raft"},
	{"seedbed/labs/catalog/quota", raftListed, "labs/catalog and wasm/labs_quota_js.go", "whoever links it links Raft"},
	{"C", func(*file) bool { return false }, "no file", "the binary is static and cross-compiles"},
}

func below(dir string) func(*file) bool {
	return func(f *file) bool { return within(f.folder, dir) }
}

// raftListed is true of the two files that list Raft's labs: that of all parts, and that of their own module.
func raftListed(f *file) bool {
	return f.folder == "labs/catalog" || f.path == "wasm/labs_quota_js.go"
}

func jsFile(f *file) bool {
	return within(f.folder, "wasm") && strings.HasSuffix(f.path, "_js.go")
}

// checkImports holds each file to its folder's row, keeps conformance suites
// out of code that is not a test, and labs off the code that waits.
func checkImports(h *house) []problem {
	waits := make(map[string]bool)
	for _, f := range h.files {
		if f.block() {
			waits[modulePath+"/"+f.folder] = true
		}
	}
	var out []problem
	for _, f := range h.files {
		if f.nested || f.test() {
			continue
		}
		row := wingOf(f.folder)
		if row == nil {
			out = append(out, h.at(f.ast.Package, "Go code in %s: no row of the import law in cmd/tidy/law.go covers it", f.folder))
			continue
		}
		for _, spec := range f.ast.Imports {
			p := importPath(spec)
			folder, ours := strings.CutPrefix(p, modulePath+"/")
			switch {
			case spec.Name != nil && spec.Name.Name == ".":
				out = append(out, h.at(spec.Pos(), "dot import of %s: it hides where a name comes from", p))
			case !listed(p, row.may) || listed(p, row.not):
				out = append(out, h.at(spec.Pos(), "%s may not import %s: %s", row.folder, p, row.why))
			case ours && isSuite(folder) && !f.suite():
				out = append(out, h.at(spec.Pos(), "%s is a conformance suite: only tests import it", p))
			case waits[p] && (within(f.folder, "labs") || within(f.folder, "wasm")):
				out = append(out, h.at(spec.Pos(), "%s waits (block.go): a lab's time is virtual", p))
			}
		}
	}
	return out
}

// checkOnly holds packages to their homes.
func checkOnly(h *house) []problem {
	var out []problem
	for _, f := range h.files {
		if f.nested || f.test() {
			continue
		}
		for _, spec := range f.ast.Imports {
			for _, row := range only {
				if listed(importPath(spec), []string{row.pkg}) && !row.in(f) {
					out = append(out, h.at(spec.Pos(), "%s belongs in %s: %s", importPath(spec), row.say, row.why))
				}
			}
		}
	}
	return out
}

// wingOf is the row with the longest folder that holds the given one, or nil.
func wingOf(folder string) *wing {
	var best *wing
	for i := range law {
		row := &law[i]
		if within(folder, row.folder) && (best == nil || len(row.folder) > len(best.folder)) {
			best = row
		}
	}
	return best
}

// listed reports whether an import path is covered by a list of the law.
func listed(p string, list []string) bool {
	first, _, _ := strings.Cut(p, "/")
	ours := first == modulePath
	std := !ours && !strings.Contains(first, ".")
	return slices.ContainsFunc(list, func(entry string) bool {
		switch entry {
		case "std":
			return std
		case "other":
			return !ours && !std
		}
		return p == entry || path.Base(entry) == "..." && within(p, path.Dir(entry))
	})
}
