package web

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/page"
)

// A sheet is computed by a module that the page's labs load anyway, and never by the one that cannot.
func TestASheetIsComputedByAModuleThatIsThere(t *testing.T) {
	fence := func(ids ...string) (all []*page.Lab) {
		for _, id := range ids {
			all = append(all, &page.Lab{Spec: labs.New(catalog.Find(id))})
		}
		return all
	}
	for _, c := range []struct {
		name string
		page page.Page
		want string
	}{
		{"no lab", page.Page{}, "gateway.wasm"},
		{"labs of the core", page.Page{Labs: fence("window-edge", "layered-limit")}, "gateway.wasm"},
		{"one other lab among them", page.Page{Labs: fence("window-edge", "hash-ring")}, "owners.wasm"},
		{"labs of one part", page.Page{Labs: fence("littles-law", "recovery")}, "gateway.wasm"},
	} {
		if got := sheetModule(&c.page); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
