// Package adaptivetest checks that a limit which follows a service keeps its promises. It is the suite that this project's own limits pass, and
// it takes anybody's: whatever can be told of a request, and asked for a number, can be tested in a few lines and well under a second.
//
// # How to check your own limit
//
// 1. Give it the two methods of Limit. One that reads a clock itself needs that clock replaced; testing/synctest can do it.
//
// 2. Write down its range, how many requests make it move, and for how long it believes in its fastest latency.
//
// 3. Choose the claims. Always is what every limit can promise.
//
//	func TestMine(t *testing.T) {
//		adaptivetest.Run(t, adaptivetest.Target{
//			New: func() adaptivetest.Limit { return newMine() },
//			Min: 1, Max: 200, Pace: 10e6, Samples: 1, Life: 10e9,
//			Claims: adaptivetest.Always,
//		})
//	}
//
// # What a failure says
//
// Each claim is a subtest of its own, tried with several seeds. A failure names the seed and the limit before and after:
//
//	drops: seed 0: a request was dropped, and the limit went from 20 to 20
//
// # What it does not show
//
// A pass is no proof, and says nothing of how soon the right limit is found, nor how near to it. Nothing is called from several goroutines.
package adaptivetest
