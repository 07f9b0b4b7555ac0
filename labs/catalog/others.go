//go:build !core

package catalog

import (
	"seedbed/labs"
	"seedbed/labs/limits"
	"seedbed/labs/rings"
	"seedbed/labs/routing"
	"seedbed/labs/sharding"
)

// others is the labs that only the whole module holds.
var others = []*labs.Lab{
	routing.LittlesLaw,
	routing.RouteCapacity,
	routing.RetryStorm,
	routing.Recovery,
	limits.CapacityTest,
	rings.HashRing,
	rings.WeightedRing,
	rings.Takeover,
	sharding.HotOwner,
	sharding.ShardMigrate,
	sharding.ScatterGather,
}
