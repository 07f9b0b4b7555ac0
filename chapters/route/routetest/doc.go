// Package routetest checks that a load balancer keeps its promises. It is the suite that this project's own policies pass, and it takes
// anybody's: whatever can answer "to which peer?" can be tested, in a few lines and well under a second.
//
// # How to check your own balancer
//
// 1. Give it the three methods of Balancer. Peers are indexes into the list that New gets.
//
// 2. Choose the claims. Always holds for every balancer that looks at health and room; Turns, Even and Evades are what a policy
// promises on top. Start with all that your policy is meant to keep, and remove one only when its documentation says so.
//
//	func TestMine(t *testing.T) {
//		routetest.Run(t, routetest.Target{
//			New:    func(peers []route.Peer, seed uint64) routetest.Balancer { return newMine(peers, seed) },
//			Claims: routetest.Always | routetest.Even,
//		})
//	}
//
// # What a failure says
//
// Each claim is a subtest of its own. A failure names the seed of the schedule and the last calls, so that it can be stepped through:
//
//	within-room: seed 3: peer 1 has 3 in flight, room for 2
//	  at 4000000: done, peer 0
//	  at 5000000: pick → peer 1
//
// Schedules are the same in each run.
//
// # What it does not show
//
// A pass is no proof. Nothing is called from several goroutines, speed is not measured, and panic modes are not known here: a
// balancer that disregards health when few peers are healthy should have that turned off for the test.
package routetest
