//go:build !race

package shardstore_test

const underRace = false
