//go:build race

package shardstore_test

// underRace is true when the race detector watches, which makes SQLite in Go ten times slower: tests then do a part of their work.
const underRace = true
