// Package sharding holds the labs about data that lies on several shards: who owns it, what a hot owner does, what a question over
// all of them costs, and how ownership moves. Each is one file and one value; package catalog lists them.
//
//	hot-owner        what helps when one owner has more than half of the reads
//	scatter-gather   what a question over many shards costs, and how old the copy is that answers it instead
package sharding
