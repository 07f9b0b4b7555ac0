// Package caches lists the labs of caches and hot keys, which one WebAssembly module holds.
package caches

import (
	"seedbed/labs"
	"seedbed/labs/caching"
	"seedbed/labs/hotkeys"
)

// Labs are in the order in which people see them. The slice must not be written.
var Labs = []*labs.Lab{
	caching.Avalanche,
	caching.Breakdown,
	caching.Penetration,
	caching.Eviction,
	hotkeys.HotKey,
}
