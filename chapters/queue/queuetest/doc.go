// Package queuetest checks that a bounded queue with deadlines keeps its promises. It is the suite that this project's own queues pass, and
// it takes anybody's: whatever lets somebody wait and takes somebody out can be tested, in a few lines and well under a second.
//
// # How to check your own queue
//
// 1. Give it the three methods of Queue. Who waits is a number that the suite chooses and never uses twice.
//
// 2. Say in which order it serves, and choose the claims. A queue without deadlines, or without a way to give up, leaves those claims out.
//
//	func TestMine(t *testing.T) {
//		queuetest.Run(t, queuetest.Target{
//			New:    func(depth int) queuetest.Queue { return newMine(depth) },
//			Claims: queuetest.Full,
//		})
//	}
//
// # What a failure says
//
// Each claim is a subtest of its own. A failure names the seed of the schedule and the last calls, so that it can be stepped through:
//
//	cancels: seed 0: 0 gives up: true, want false
//	  at 1: 0 comes → waits
//	  at 2: 0 gives up → true
//	  at 3: next → nobody
//	  at 4: 1 comes → waits
//	  at 5: 0 gives up → true
//
// Schedules are the same in each run.
//
// # What it does not show
//
// A pass is no proof. Rates, shedding and speed are not tested: turn them off. The suite starts goroutines only for the Concurrent claim;
// run that one with -race as well.
package queuetest
