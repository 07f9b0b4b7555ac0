// Package breakertest checks that a circuit breaker keeps its promises. It is the suite that this project's own breaker passes, and it
// takes anybody's: whatever can answer "may this call be made?" can be tested, in a few lines and well under a second.
//
// # How to check your own breaker
//
// 1. Give it the one method of Breaker. One that reads a clock itself needs that clock replaced; testing/synctest can do it.
//
// 2. Write down how it is configured: Target has a field for each number that matters.
//
// 3. Choose the claims. Always is what every breaker can promise. Leases is what few can: most are held half-open for ever by a probe
// that nobody reports.
//
//	func TestMine(t *testing.T) {
//		breakertest.Run(t, breakertest.Target{
//			New:      func() breakertest.Breaker { return newMine() },
//			MinCalls: 20, FailurePercent: 50, Window: 100, OpenFor: 10e9, Probes: 3, Lease: 2e9,
//			Claims:   breakertest.Full,
//		})
//	}
//
// # What a failure says
//
// Each claim is a subtest of its own. A failure names the seed of the schedule and the last calls, so that it can be stepped through:
//
//	stale: seed 0: a success from before the circuit opened makes room among the probes
//	  at 1000000535: call 10 → passes
//	  at 1000000535: call 1 ends, success
//	  at 1000000535: call 11 → passes
//
// Schedules are the same in each run.
//
// # What it does not show
//
// A pass is no proof. Slow calls, the forgetting of a window of time and speed are not tested. The suite starts goroutines only for the
// Concurrent claim; run that one with -race as well.
package breakertest
