// Package ringtest checks that a consistent hash keeps its promises. It is the suite that this project's own rings pass, and it takes
// anybody's: whatever can answer "who owns this key among these members?" can be tested, in a few lines and well under a second.
//
// # How to check your own ring
//
// 1. Say how it is built and asked. A ring that is changed in place gets a With that changes it and returns it:
//
//	target := ringtest.Target[*mine.Ring]{
//		New: func(members []ring.Member) (*mine.Ring, error) {
//			r := mine.New()
//			for _, m := range members {
//				r.Add(m.Name)
//			}
//			return r, nil
//		},
//		Owner: func(r *mine.Ring, key string) (string, bool) { name := r.Get(key); return name, name != "" },
//		With: func(r *mine.Ring, members []ring.Member) (*mine.Ring, error) {
//			r.Set(members)
//			return r, nil
//		},
//	}
//
// 2. Choose the claims. Full is all that a ring on a circle can promise; remove one only when the documentation of yours says that it
// does not hold, and Weighted when it knows no weights.
//
//	target.Claims = ringtest.Full &^ ringtest.Weighted
//	ringtest.Run(t, target)
//
// # What a failure says
//
// Each claim is a subtest of its own. A failure names the claim, the seed and what shows it:
//
//	minimal: seed 0: with 15 members and then without node-6, 1742 of 2000 keys moved without a reason; such as key-0, from node-12
//	to node-14
//
// Members and keys are the same in each run. Names are such as occur, addresses and numbered hosts, and such as run together when they
// are written without a mark between them: 1, 1a, 11, a. A panic fails the claim in which it happens. A ring that never returns is not
// stopped: run the tests with a -timeout.
//
// # What it does not show
//
// A pass is no proof, and speed is not tested. The suite starts goroutines only for the Immutable claim; run that one with -race too.
package ringtest
