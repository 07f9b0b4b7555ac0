package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

const kib = 1024

// budget is a bar on what a reader fetches, in bytes of brotli 11.
type budget struct {
	what   string
	assets []string
	limit  int // 0: shown without a bar
}

var budgets = []budget{
	{"WebAssembly module of the first chapters", []string{"core.wasm"}, 520 * kib},
	{"WebAssembly module of capacity and routing", []string{"gateway.wasm"}, 600 * kib},
	{"WebAssembly module of rings and shards", []string{"owners.wasm"}, 600 * kib},
	{"WebAssembly module of caches", []string{"caches.wasm"}, 600 * kib},
	{"WebAssembly module of breakers, queues and ladders", []string{"resilience.wasm"}, 600 * kib},
	{"WebAssembly module of invalidation and locks", []string{"consistency.wasm"}, 600 * kib},
	{"WebAssembly module of incidents", []string{"incidents.wasm"}, 600 * kib},
	{"WebAssembly module of Raft, loaded when its lab is run", []string{"quota.wasm"}, 1300 * kib},
	{"WebAssembly module of sheets, loaded when a number is changed", []string{"calc.wasm"}, 520 * kib},
	{"script of a page with labs", []string{"site.js", "lab.js", "worker.js"}, 60 * kib},
	{"script of an embedded lab", []string{"frame.js", "worker.js"}, 60 * kib},
	{"loader on another site", []string{"embed.js"}, 0},
	{"stylesheet", []string{"site.css"}, 0},
}

// row is one line of the table.
type row struct {
	what          string
	of            string // what was added up
	plain, brotli int    // bytes
	limit         int    // 0: none
}

// measure adds up the budgets of a build, and the page when one is given.
func measure(m manifest, page string) ([]row, error) {
	var rows []row
	for _, b := range budgets {
		r := row{what: b.what, of: strings.Join(b.assets, " + "), limit: b.limit}
		for _, name := range b.assets {
			rec, ok := m.Assets[name]
			if !ok {
				return nil, fmt.Errorf("budget of %s: no asset %s in the build", b.what, name)
			}
			r.plain += rec.Size
			r.brotli += rec.Brotli
		}
		rows = append(rows, r)
	}
	if page == "" {
		return rows, nil
	}
	r, err := measurePage(m, page)
	return append(rows, r), err
}

// printSizes writes the table and reports whether each row is within its budget.
func printSizes(w io.Writer, rows []row) bool {
	held := true
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "what\tplain KiB\tbrotli KiB\tbudget KiB\t\tof")
	for _, r := range rows {
		limit, verdict := "–", ""
		if r.limit > 0 {
			limit, verdict = fmt.Sprint(r.limit/kib), "ok"
			if r.brotli > r.limit {
				verdict = "OVER"
				held = false
			}
		}
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%s\t%s\t%s\n", r.what, float64(r.plain)/kib, float64(r.brotli)/kib, limit, verdict, r.of)
	}
	t.Flush()
	return held
}
