// Package rings holds the labs about which node owns a key. Each is one file and one value; package catalog lists them.
//
//	hash-ring   how evenly keys lie, and how many move when a node comes or goes
//
// The structures are those of chapters/ring. A lab that compares has a parameter `use`: the checks judge that structure, and the
// others are asked about the same keys beside it.
package rings
