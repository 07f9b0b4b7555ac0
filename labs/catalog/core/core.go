// Package core lists the labs of the first chapters, which one WebAssembly module holds.
package core

import (
	"seedbed/labs"
	"seedbed/labs/limits"
)

// Labs are in the order in which people see them. The slice must not be written.
var Labs = []*labs.Lab{
	limits.WindowEdge,
	limits.TokenBucket,
	limits.LayeredLimit,
}
