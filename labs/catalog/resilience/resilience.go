// Package resilience lists the labs of breakers, bulkheads, queues and what else keeps a service from falling with what it calls, or of
// what it is asked for, which one WebAssembly module holds.
package resilience

import (
	"seedbed/labs"
	"seedbed/labs/overload"
)

// Labs are in the order in which people see them. The slice must not be written.
var Labs = []*labs.Lab{
	overload.CircuitBreaker,
	overload.Bulkhead,
	overload.PeakShaving,
	overload.DegradeLadder,
	overload.AdaptiveLimit,
}
