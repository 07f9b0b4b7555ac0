//go:build !core && !gateway && !owners && !caches && !resilience && !consistency && !incidents && !quota

package main

import (
	"slices"

	"seedbed/labs/catalog/caches"
	"seedbed/labs/catalog/consistency"
	"seedbed/labs/catalog/core"
	"seedbed/labs/catalog/gateway"
	"seedbed/labs/catalog/incidents"
	"seedbed/labs/catalog/owners"
	"seedbed/labs/catalog/resilience"
)

// here are all labs but those of Raft: what this program links, no module but theirs may exceed.
var here = slices.Concat(core.Labs, gateway.Labs, owners.Labs, caches.Labs, resilience.Labs, consistency.Labs, incidents.Labs)
