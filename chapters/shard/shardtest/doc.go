// Package shardtest checks that a store keeps the promises on which a migration rests. It is the suite that this project's own stores
// pass, in memory and on SQLite, and it takes anybody's.
//
// # How to check your own store
//
// Say how to make an empty one, and, if it is durable, how to close and open it:
//
//	func TestMine(t *testing.T) {
//		shardtest.Run(t, shardtest.Target{
//			New:    func(name string) shard.Store { return mine.Open(filepath.Join(t.TempDir(), name)) },
//			Reopen: func(s shard.Store) shard.Store { … },
//			Claims: shardtest.Full | shardtest.Durable,
//		})
//	}
//
// # How it judges
//
// Beside the store goes a twin of some eighty plain lines: a map of rows, a list of changes, and the law of the gate written out once
// more, without the code that it judges. Both get the same calls, drawn from a seed: terms that are too old, foreign, right or unheard
// of, rows in versions that go up and down, batches and orders that were decided on an old view. Every answer, every refusal with its
// reason, and the state after it must be the twin's; what was refused must have changed nothing. Each claim is a mix of calls of its
// own, so that its name tells where to look, and a failure shows the calls that led there.
//
// # What it does not show
//
// A pass is no proof. Speed is not tested, nor what happens when power fails: Durable only closes and opens, and a store that ought
// to survive more needs a test that kills it.
package shardtest
