// Package limitertest checks that a rate limiter keeps its promises. It is the suite that this project's own limiters pass, and it
// takes anybody's: whatever can answer "may n units pass at instant now?" can be tested, in a few lines and well under a second.
//
// # How to check your own limiter
//
// 1. Give it the one door. A limiter that takes its time from the caller needs an adapter of one line; AllowFunc makes one from a
// function that only says yes or no:
//
//	New: func() limiter.Limiter {
//		l := mylimit.New(100, time.Second)
//		return limitertest.AllowFunc(func(now, n int64) bool { return l.AllowN(time.Unix(0, now), int(n)) })
//	}
//
// A limiter that reads a clock itself needs that clock replaced; testing/synctest can do it.
//
// 2. Write down what it promises: at most Burst + Rate·t in any span t, and, if it is a window, at most Limit in any span shorter
// than Window. Nobody can test a limiter that promises nothing.
//
// 3. Choose the claims. Full is all that a Decision can say; YesNo is what remains for a limiter that says only yes or no. Start with
// these and remove a claim only when the limiter's documentation says that it does not hold.
//
//	func TestMine(t *testing.T) {
//		limitertest.Run(t, limitertest.Target{
//			New:    newMine,
//			Limit:  100,
//			Burst:  100, Rate: limiter.PerSecond(100),
//			Claims: limitertest.YesNo,
//		})
//	}
//
// # What a failure says
//
// Each claim is a subtest of its own. A failure names the claim, the seed of its schedule, what was admitted and what was promised,
// and the calls that show it, so that it can be stepped through by hand; the example of this package shows one.
//
// Schedules are made from the target's own times: bursts at one instant, steps of a nanosecond around the interval of one unit and
// around the window, long pauses. They are the same in each run.
//
// # What it does not show
//
// A pass is no proof. Fairness between callers, what is shared between machines, and speed are not tested. The suite starts
// goroutines only for the Concurrent claim; run that one with -race as well.
package limitertest
