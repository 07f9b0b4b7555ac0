// Package catalog lists the labs that pages, the command line and the browser can run, by hand: nothing registers itself.
//
// The list has parts, one a folder here, and each part is what one WebAssembly module holds: a reader of the first chapters should not
// download the labs of all later ones. Another lab is a line in its part; another part is a folder, a line in parts, a file in wasm that
// names it, a place in wasm/labs_all_js.go, and a line in cmd/assets. Whoever imports this package links Raft; its part alone is in no
// module but its own.
package catalog

import (
	"seedbed/labs"
	"seedbed/labs/catalog/caches"
	"seedbed/labs/catalog/consistency"
	"seedbed/labs/catalog/core"
	"seedbed/labs/catalog/gateway"
	"seedbed/labs/catalog/incidents"
	"seedbed/labs/catalog/owners"
	"seedbed/labs/catalog/quota"
	"seedbed/labs/catalog/resilience"
)

// Part is the labs of some chapters that belong together.
type Part struct {
	Name string // also of its WebAssembly module, before the dot
	Labs []*labs.Lab
}

// parts are in the order of the chapters.
var parts = []Part{
	{"core", core.Labs},
	{"gateway", gateway.Labs},
	{"owners", owners.Labs},
	{"quota", quota.Labs},
	{"caches", caches.Labs},
	{"resilience", resilience.Labs},
	{"consistency", consistency.Labs},
	{"incidents", incidents.Labs},
}

var all = together()

func together() (all []*labs.Lab) {
	for _, p := range parts {
		all = append(all, p.Labs...)
	}
	return all
}

// Parts returns the parts in the order of the chapters. The slice must not be written.
func Parts() []Part { return parts }

// All returns the labs in the order in which people see them. The slice must not be written.
func All() []*labs.Lab { return all }

// PartOf is the name of the part that has the lab of that id, or "".
func PartOf(id string) string {
	for _, p := range parts {
		if labs.Among(p.Labs)(id) != nil {
			return p.Name
		}
	}
	return ""
}

// Find returns the lab of that id, or nil. It is a labs.Find.
func Find(id string) *labs.Lab { return labs.Among(all)(id) }
