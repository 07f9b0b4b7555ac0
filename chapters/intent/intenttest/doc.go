// Package intenttest checks that a store keeps the promises on which a log of intents rests. It is the suite that this project's own
// stores pass, and it takes anybody's.
//
// # How to check your own store
//
// Say how to make an empty one, and, if it is durable, how to close and open it:
//
//	func TestMine(t *testing.T) {
//		intenttest.Run(t, intenttest.Target{
//			New:    func() intent.Store { return mine.Open(filepath.Join(t.TempDir(), "intents")) },
//			Reopen: func(s intent.Store) intent.Store { … },
//			Claims: intenttest.Full | intenttest.Durable,
//		})
//	}
//
// # What a failure says
//
// Each claim is a subtest of its own. A failure names the claim and the seed of the records, and the first record that is not what was
// appended:
//
//	ordered: seed 0: record 1 is {4 1 2 -9223372036854775808 "line"}, want {4 1 2 -9223372036854775808 "line\nline\r\n"}
//
// Records are the same in each run. Among them are bodies that are empty, long, and no text, and numbers at both ends of their range.
//
// # What it does not show
//
// A pass is no proof. Speed is not tested, nor what happens when power fails: Durable only closes and opens, and a store that ought to
// survive more needs a test that kills it.
package intenttest
