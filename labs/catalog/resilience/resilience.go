// Package resilience lists the labs of breakers, bulkheads and what else keeps callers from falling with what they call, which one
// WebAssembly module holds.
package resilience

import (
	"seedbed/labs"
	"seedbed/labs/overload"
)

// Labs are in the order in which people see them. The slice must not be written.
var Labs = []*labs.Lab{
	overload.CircuitBreaker,
	overload.Bulkhead,
}
