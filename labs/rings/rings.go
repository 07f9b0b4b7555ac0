// Package rings holds the labs about which node owns a key. Each is one value; package catalog lists them.
//
//	hash-ring      how evenly keys lie, and how many move when a node comes or goes
//	weighted-ring  whether weights that follow the machines' use cool a hot one or make it flap
//	takeover       who inherits what a dead node had, all at once or by steps
//
// The structures are those of chapters/ring. A lab that compares has a parameter `use`: the checks judge that structure, and the
// others are asked about the same keys beside it.
package rings
