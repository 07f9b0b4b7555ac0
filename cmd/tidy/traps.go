package main

import (
	"fmt"
	"go/ast"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// family is a group of traps: faults that well-known libraries have, and ours
// must not. Each has a number, and a test named for it: TestTrap07…
type family struct {
	name        string
	first, last int
	when        string   // they are due as soon as this file or folder exists
	in          []string // folders whose tests count
}

// families are all traps, in order of their numbers.
var families = []family{
	{"limiters", 1, 23, "chapters/limiter", []string{"chapters/limiter"}},
	{"adaptive limits", 24, 24, "content/en/labs/adaptive-limit.yaml", []string{"chapters", "labs/limits"}},
	{"quota leases", 25, 25, "chapters/quota", []string{"chapters/quota", "labs/quota"}},
	{"rings", 26, 41, "chapters/ring", []string{"chapters/ring"}},
	{"balancing", 42, 48, "chapters/route", []string{"chapters/route"}},
	{"breakers and retries", 49, 58, "chapters/breaker", []string{"chapters/breaker", "chapters/route"}},
	{"queues", 59, 59, "chapters/queue", []string{"chapters/queue"}},
	{"caches", 60, 65, "chapters/cache", []string{"chapters/cache"}},
	{"sketches", 66, 66, "chapters/hotkey", []string{"chapters/hotkey"}},
	{"migration", 67, 70, "chapters/shard", []string{"chapters/shard", "chapters/lease", "labs/sharding"}},
	{"Raft", 71, 71, "labs/quota", []string{"labs/quota", "chapters/quota", "chapters/lease"}},
}

// again are traps into which a second package can fall by code of its own, and
// needs tests of its own.
var again = []family{
	{"queues of a gateway", 59, 59, "chapters/route", []string{"chapters/route"}},
	{"filters of a cache", 66, 66, "chapters/cache", []string{"chapters/cache"}},
}

// due reports whether the family's code exists.
func (fam family) due(h *house) bool {
	for _, f := range h.files {
		if within(f.folder, fam.when) {
			return true
		}
	}
	_, err := fs.Stat(os.DirFS(filepath.Join(h.root, ".")), fam.when)
	return h.root != "" && err == nil
}

var trapName = regexp.MustCompile(`^TestTrap(\d\d)(\D|$)`)

// missing are the family's numbers that have no test.
func (fam family) missing(h *house) []int {
	tested := make(map[int]bool)
	for _, f := range h.files {
		if !f.test() || !fam.holds(f.folder) {
			continue
		}
		for fn := range f.declared() {
			if m := trapName.FindStringSubmatch(fn.Name.Name); m != nil && !skips(fn) {
				n, _ := strconv.Atoi(m[1]) // two digits
				tested[n] = true
			}
		}
	}
	var out []int
	for n := fam.first; n <= fam.last; n++ {
		if !tested[n] {
			out = append(out, n)
		}
	}
	return out
}

func (fam family) holds(folder string) bool {
	for _, dir := range fam.in {
		if within(folder, dir) {
			return true
		}
	}
	return false
}

// skips reports whether a test can pass without having tested anything: it is
// empty, or skips itself.
func skips(fn *ast.FuncDecl) bool {
	if fn.Body == nil || len(fn.Body.List) == 0 {
		return true
	}
	for n := range ast.Preorder(fn.Body) {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			switch sel.Sel.Name {
			case "Skip", "Skipf", "SkipNow":
				return true
			}
		}
	}
	return false
}

// checkTraps finds families whose code exists and whose traps lack a test.
func checkTraps(h *house) []problem {
	var out []problem
	for _, fam := range slices.Concat(families, again) {
		if missing := fam.missing(h); fam.due(h) && len(missing) > 0 {
			out = append(out, problem{fam.when, 1, fmt.Sprintf("%s: no test for trap %s (TestTrapNN… in %s)", fam.name, spans(missing), strings.Join(fam.in, ", "))})
		}
	}
	return out
}

// printTraps shows, for each family, what is tested and what is not.
func printTraps(w io.Writer, h *house) {
	for _, fam := range slices.Concat(families, again) {
		missing := fam.missing(h)
		state := "all tested"
		switch {
		case !fam.due(h):
			state = "not due: no " + fam.when
		case len(missing) > 0:
			state = "no test for " + spans(missing)
		}
		fmt.Fprintf(w, "%2d–%2d %-22s %s\n", fam.first, fam.last, fam.name, state)
	}
}

// spans writes ascending numbers shortly: 3, 7–9.
func spans(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if i == j {
			parts = append(parts, strconv.Itoa(numbers[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d–%d", numbers[i], numbers[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}
