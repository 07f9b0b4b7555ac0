// Package catalog lists the labs that pages, the command line and the browser can run, by hand: nothing registers itself.
//
// The list has two parts, because a reader of the first chapters should not download every later one. The core is what the small
// WebAssembly module holds (built with the tag `core`); the others come with the whole module.
package catalog

import (
	"slices"

	"seedbed/labs"
	"seedbed/labs/limits"
)

// core is the labs of the small module.
var core = []*labs.Lab{
	limits.WindowEdge,
	limits.TokenBucket,
	limits.LayeredLimit,
}

// all is in the order in which people see the labs.
var all = append(slices.Clip(core), others...)

// All returns the labs in the order in which people see them. The slice must not be written.
func All() []*labs.Lab { return all }

// InCore is true for a lab that the small module holds too.
func InCore(id string) bool {
	return slices.ContainsFunc(core, func(l *labs.Lab) bool { return l.ID == id })
}

// Find returns the lab of that id, or nil. It is a labs.Find.
func Find(id string) *labs.Lab {
	for _, l := range all {
		if l.ID == id {
			return l
		}
	}
	return nil
}
