// Package gateway lists the labs of capacity and routing, which one WebAssembly module holds.
package gateway

import (
	"seedbed/labs"
	"seedbed/labs/limits"
	"seedbed/labs/routing"
)

// Labs are in the order in which people see them. The slice must not be written.
var Labs = []*labs.Lab{
	routing.LittlesLaw,
	routing.RouteCapacity,
	routing.RetryStorm,
	routing.Recovery,
	limits.CapacityTest,
}
