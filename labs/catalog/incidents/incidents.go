// Package incidents lists the labs in which much goes wrong together and has to be seen through, which one WebAssembly module holds.
package incidents

import (
	"seedbed/labs"
	"seedbed/labs/culprit"
	"seedbed/labs/incidents"
)

// Labs are in the order in which people see them. The slice must not be written.
var Labs = []*labs.Lab{
	culprit.Culprit,
	incidents.Avalanche,
}
