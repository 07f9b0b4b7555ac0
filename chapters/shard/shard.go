// Package shard moves the ownership of data from one shard to another without losing a write that was acknowledged.
//
// # The pieces
//
// A [Store] is one partition's copy on one shard: rows with versions, a log of what its owner wrote, and a [Gate]. The [Map] says for
// each partition which shard owns it, and under which epoch; it is never changed, each change is a new version of it. A [Term] is an
// epoch and the one writer that it belongs to. Every read and every write carries the term of the route that it came by, and the
// store itself refuses it when that is not the term which it serves: a router may be stale, a store may not.
//
// A [Migration] is a state machine that holds no state. Each call of Step reads the map and both stores, does a bounded piece of work,
// and leaves the new position where the data is:
//
//	plan            drop what an earlier attempt left in the target; from here on the log counts
//	snapshot        copy the rows in the order of their keys, while writes go on
//	replay          carry over the log from where it stood at the plan
//	catch up        until the log is carried to its end in one step
//	fence           the source takes no more writes: its log ends here, at the fence position
//	fence replay    carry the log to exactly that position
//	verify          compare both, range by range, by digests, at that one position
//	cut over        try the way back, close the source, open the target under a new epoch, publish the map
//	drain           refuse or forward stale routes; keep the old copy up to date, so that going back stays possible
//	clean up        empty the old copy
//
// # What it promises
//
//   - No acknowledged write is lost, by a migration or by rolling one back. A row's version never goes back, in no copy.
//   - An epoch has one writer. Epochs only grow, and none is used again: also undoing a migration takes a new one.
//   - After the fence no write of an older epoch is taken. Reads are served by the source until the cut-over and by the target after it,
//     never by both.
//   - A crash between any two operations of a store or of the map loses nothing: a new Migration goes on from what they say. So does a
//     second one at the same time; one of the two is refused by the stores or by the map, and may try again.
//   - RollBack is possible at each step. Before the cut-over it opens the source again; after it, it is a migration in the other
//     direction that starts from the copy kept while draining, under a higher epoch.
//
// All of it rests on three habits. Rows move by "insert, or update if the version is greater", deletions as tombstones, so that a
// change may come twice and in any order. The target keeps its position in the same transaction as the rows, and moves it only from
// where the migration last saw it. And a decision (move, undo, cut over) is one compare-and-set of the map; gates follow it.
//
// # What it does not do
//
// It reads no clock, waits for nothing, starts no goroutine; instants are int64 nanoseconds that the caller passes. It does not split
// or merge partitions, write to two shards, or drop tombstones: those may go only when no copy and no log older than them is left.
// A fence that nobody watches stays: who watches the one that calls Step must call Step or RollBack in its place.
//
// Sources: fencing tokens as in Kleppmann, "How to do distributed locking" (2016); a snapshot that overlaps with the log and is
// repaired by it as in Andreakis and Papapanagiotou, "DBLog" (2020); cut-over, reverse stream and diff as in Vitess's VReplication.
package shard

// Key is a row's key, 0 ≤ key < End. What belongs to one owner should lie together, as with owner<<32 | id: then an owner's rows are
// one range, and a key tells the way by itself.
type Key int64

// End is above every key.
const End Key = 1 << 62

// Row is one row in one version.
type Row struct {
	Key     Key
	Version int64  // from 1, growing with each write of the row; 0 when there is no such row
	Deleted bool   // a tombstone: the row is gone, and its version remembers that
	Value   string // empty in a tombstone
}

// Change is one entry of an owner's log.
type Change struct {
	Position int64 // from 1, one more with each change of the store
	Term     Term  // under which it was written
	Row      Row   // as it was then
}

// Term is an epoch and its one writer: the name of the store that owns the partition in that epoch. A route is a term.
type Term struct {
	Epoch  int64 // from 1
	Writer string
}

// Cursor is how far a store has come with what it receives from another. The store keeps it beside the rows, in one transaction. A
// store that was emptied has one with nothing but the term of the order, a new store has none.
type Cursor struct {
	Term    Term  // of the migration
	Step    Step  // what is to be done next
	Next    Key   // snapshot and verify: the first key not yet done
	Applied int64 // position in the other's log up to which everything is here
	Since   int64 // instant at which draining began
}

// State is what a store says of itself, all of one instant.
type State struct {
	Gate   Gate
	Cursor Cursor
	Head   int64 // position of the newest change in its log; 0 when there never was one
}

// Batch is rows from another store, and the cursor that says so.
type Batch struct {
	Term   Term
	Was    Cursor // the cursor that must be there; another one refuses the batch
	Cursor Cursor // the cursor from now on
	Rows   []Row
}

// Store is one partition's copy on one shard. [Memory] is one in memory; package shardtest holds others to the same.
//
// Each method is one transaction: it happens whole or not at all, it is durable when it returns without error, and no two overlap.
// Turn waits for writes that began before it, so that after a fence nothing more is acknowledged. An error that is not a *[Refused]
// or *[GapError] leaves open whether the transaction happened.
//
// Slices that a store returns belong to it until the next call, and are not to be written.
type Store interface {
	// Name is the writer's name in the terms that this store serves.
	Name() string
	State() (State, error)
	// Read returns the row in the version that is there: Version 0 when there is none, Deleted when there was one.
	Read(t Term, k Key) (Row, error)
	// Write writes a row and logs it. Its version is the next one when r.Version is 0; a given one must be greater than what is there.
	// It returns the row as it was written.
	Write(t Term, r Row) (Row, error)
	// Rows returns at most n rows from a key on, tombstones too, in the order of keys.
	Rows(from Key, n int) ([]Row, error)
	// Log returns at most n changes after a position, in order, or a *GapError when some of them are no longer kept.
	Log(after int64, n int) ([]Change, error)
	// Digest digests at most n rows with from ≤ key < to.
	Digest(from, to Key, n int) (Digest, error)
	// Apply takes each row that is new or has a greater version than the one that is there, and logs none of them.
	Apply(b Batch) error
	// Turn opens, fences, closes or empties the store.
	Turn(o Order) error
}

// Grant opens a store that never received a copy: the first owner of a partition takes its seat so, at the instant now. A migration
// opens its target itself.
func Grant(s Store, t Term, now int64) error {
	return s.Turn(Order{Kind: ToOpen, Term: t, At: now})
}
