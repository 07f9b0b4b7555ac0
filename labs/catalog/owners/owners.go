// Package owners lists the labs of rings and shards: who owns a key, and how that changes. One WebAssembly module holds them.
package owners

import (
	"seedbed/labs"
	"seedbed/labs/rings"
	"seedbed/labs/sharding"
)

// Labs are in the order in which people see them. The slice must not be written.
var Labs = []*labs.Lab{
	rings.HashRing,
	rings.WeightedRing,
	rings.Takeover,
	sharding.HotOwner,
	sharding.ShardMigrate,
	sharding.ScatterGather,
}
