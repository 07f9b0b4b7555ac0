package web

import (
	"testing"

	"seedbed/chapters/calc"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/page"
)

// A page loads the small module only where that runs everything on it.
func TestAPageLoadsTheSmallestModuleThatRunsIt(t *testing.T) {
	fence := func(ids ...string) (all []*page.Lab) {
		for _, id := range ids {
			all = append(all, &page.Lab{Spec: labs.New(catalog.Find(id))})
		}
		return all
	}
	sheet, _ := calc.Parse("a = 1")
	for _, c := range []struct {
		name string
		page page.Page
		want string
	}{
		{"no lab", page.Page{}, "core.wasm"},
		{"labs of the core", page.Page{Labs: fence("window-edge", "layered-limit")}, "core.wasm"},
		{"one other lab among them", page.Page{Labs: fence("window-edge", "littles-law")}, "seedbed.wasm"},
		{"a calculation", page.Page{Labs: fence("window-edge"), Sheet: sheet, Calcs: []*page.Calc{{}}}, "seedbed.wasm"},
	} {
		if got := moduleFor(&c.page); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
