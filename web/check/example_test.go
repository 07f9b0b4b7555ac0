package check_test

import (
	"fmt"
	"testing/fstest"

	"seedbed/labs/catalog"
	"seedbed/web/check"
)

func ExampleContent() {
	notes := fstest.MapFS{"en/chapters/01-edges.md": {Data: []byte("---\ntitle: Edges\nsummary: What an edge admits.\norder: 1\nupdated: 2026-11-01\n---\n\nIt admits {=window-edge?limit=0#admitted}.\n")}}
	for _, p := range check.Content(notes, catalog.All()) {
		fmt.Println(p)
	}
	// Output: en/chapters/01-edges.md:8: window-edge: limit: 0 is outside 1..100000
}
