// Package consistency lists the labs of caches that must follow their store and locks that must not outlive their holder, which one
// WebAssembly module holds.
package consistency

import (
	"seedbed/labs"
	"seedbed/labs/consistency"
)

// Labs are in the order in which people see them. The slice must not be written.
var Labs = []*labs.Lab{
	consistency.Invalidate,
	consistency.Fencing,
}
