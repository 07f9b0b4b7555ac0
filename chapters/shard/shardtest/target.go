package shardtest

import (
	"strings"
	"testing"

	"seedbed/chapters/shard"
)

// Target is a store under test and what it promises.
type Target struct {
	// New returns an empty store of that name, closed for everybody. Each call returns another one.
	New func(name string) shard.Store

	// Reopen closes a store and opens it again. Only Durable needs it.
	Reopen func(shard.Store) shard.Store

	// Trim lets a store forget its log up to a position. Where it is nil, logs are whole.
	Trim func(s shard.Store, upTo int64) error

	// Seeds is how many sequences of calls each claim is tried on; 0 means 100.
	Seeds int

	Claims Claim
}

// Claim is a set of promises.
type Claim uint

// The promises, each a subtest named as its constant in lower case.
const (
	// Gated: reads and writes are taken or refused by their term and the store's mode, and orders change the mode, by the law of
	// shard.Gate.
	Gated Claim = 1 << iota
	// Versioned: a write takes the next version, or a given one that is greater; a tombstone is a version too; keys have a range.
	Versioned
	// Logged: each write is one change at the next position, with its term and its row; copies are not logged; a log that was
	// trimmed says so.
	Logged
	// Applied: a batch takes each row that is new or greater in version, all or none, and only when the cursor is the expected one.
	Applied
	// Listed: rows come in the order of their keys, from a key on, tombstones too, as many as were asked for.
	Listed
	// Digested: a digest covers the rows of its range, says where to go on, and at which positions it was taken.
	Digested
	// Emptied: a reset drops rows, log and cursor of a closed store, and no other; positions go on.
	Emptied
	// Moves: a migration there, back, and there again loses nothing, with writes between any two steps.
	Moves
	// Durable: closing and opening the store changes nothing.
	Durable
	// Concurrent: from many goroutines, versions and positions have no gap and no double, and after a fence nothing is acknowledged.
	Concurrent

	// Full is every claim but Durable and Concurrent.
	Full = Durable - 1
)

// TB is the part of *testing.T that the checks use. A recording implementation shows that a check can fail.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// check is one claim and how it is tried: by a mix of calls, or by a function of its own.
type check struct {
	claim Claim
	name  string
	mix   mix
	run   func(TB, *Target)
}

var checks = []check{
	{Gated, "gated", mix{read: 3, write: 3, turn: 4}, nil},
	{Versioned, "versioned", mix{write: 7, read: 3, open: true}, nil},
	{Logged, "logged", mix{write: 5, log: 4, apply: 1, turn: 1, trim: 1, open: true}, nil},
	{Applied, "applied", mix{apply: 6, rows: 3, turn: 1}, nil},
	{Listed, "listed", mix{apply: 3, write: 2, rows: 5, turn: 1}, nil},
	{Digested, "digested", mix{apply: 3, write: 3, digest: 5, turn: 1}, nil},
	{Emptied, "emptied", mix{apply: 3, write: 2, turn: 2, reset: 3, rows: 1, log: 1, digest: 1}, nil},
	{Moves, "moves", mix{}, moves},
	{Durable, "durable", mix{read: 1, write: 3, apply: 3, turn: 2, reset: 1, rows: 1, log: 1, trim: 1, reopen: 3}, nil},
	{Concurrent, "concurrent", mix{}, concurrent},
}

// String is the names of the claims, joined by "|".
func (c Claim) String() string {
	var names []string
	for _, k := range checks {
		if c&k.claim != 0 {
			names = append(names, k.name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "|")
}

// Run tries each claim of the target in a subtest. It fails at once when the target itself makes no sense.
func Run(t *testing.T, target Target) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for _, c := range checks {
		if target.Claims&c.claim != 0 {
			t.Run(c.name, func(t *testing.T) { c.try(t, &target) })
		}
	}
}

// Check is Run without subtests, for a TB of one's own.
func Check(t TB, target Target) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for _, c := range checks {
		if target.Claims&c.claim != 0 {
			c.try(t, &target)
		}
	}
}

// sound reports whether there is anything to test, and sets what was left out.
func (g *Target) sound(t TB) bool {
	t.Helper()
	switch {
	case g.New == nil:
		t.Errorf("target: New is nil; it must return an empty store")
	case g.Claims == 0:
		t.Errorf("target: no claims; start with shardtest.Full")
	case g.Claims&Durable != 0 && g.Reopen == nil:
		t.Errorf("target: Durable needs Reopen")
	default:
		if g.Seeds == 0 {
			g.Seeds = 100
		}
		return true
	}
	return false
}

// try plays a claim's mix, or runs its function.
func (c *check) try(t TB, g *Target) {
	t.Helper()
	if c.run != nil {
		c.run(t, g)
		return
	}
	for seed := range g.Seeds {
		if why := g.play(&c.mix, uint64(seed)); why != "" {
			t.Errorf("%s: seed %d: %s", c.name, seed, why)
			return
		}
	}
}
