// Package catalog lists the labs of the shared module, by hand: what a page, the command line and the browser can run is what
// stands here, and nothing registers itself.
package catalog

import (
	"seedbed/labs"
	"seedbed/labs/limits"
	"seedbed/labs/rings"
	"seedbed/labs/routing"
	"seedbed/labs/sharding"
)

// all is in the order in which people see the labs.
var all = []*labs.Lab{
	limits.WindowEdge,
	limits.TokenBucket,
	limits.LayeredLimit,
	routing.LittlesLaw,
	routing.RouteCapacity,
	routing.RetryStorm,
	routing.Recovery,
	limits.CapacityTest,
	rings.HashRing,
	sharding.HotOwner,
	sharding.ShardMigrate,
	sharding.ScatterGather,
}

// All returns the labs in the order in which people see them. The slice must not be written.
func All() []*labs.Lab { return all }

// Find returns the lab of that id, or nil. It is a labs.Find.
func Find(id string) *labs.Lab {
	for _, l := range all {
		if l.ID == id {
			return l
		}
	}
	return nil
}
