// Package cachetest checks that a cache keeps its promises. It is the suite that this project's own caches and loaders pass, and it
// takes anybody's.
//
// # How to check your own cache
//
// 1. Say how it is made and asked. Keys are strings and values are numbers; now is an instant in nanoseconds. A cache that reads a
// clock itself needs that clock replaced, or leaves the claims Expires and Ends out and ignores now:
//
//	target := cachetest.Target[*mine.Cache]{
//		New:    func(capacity int) *mine.Cache { return mine.New(capacity) },
//		Get:    func(c *mine.Cache, _ int64, key string) (int, bool) { return c.Get(key) },
//		Set:    func(c *mine.Cache, _ int64, key string, value int, _ int64) { c.Set(key, value) },
//		Delete: func(c *mine.Cache, key string) { c.Remove(key) },
//		Len:    func(c *mine.Cache) int { return c.Len() },
//	}
//
// 2. Choose the claims. Full is all that a cache can promise; remove a claim only when the documentation of yours says that it does
// not hold.
//
//	target.Claims = cachetest.Full &^ (cachetest.Expires | cachetest.Ends)
//	cachetest.Run(t, target)
//
// # How to check your own single flight
//
// A LoadTarget needs one function, which loads a key once for all who ask meanwhile. RunLoad starts goroutines, and waits in real
// time only for what never comes: run it with -race too, and with a -timeout.
//
// # What a failure says
//
// Each claim is a subtest of its own. A failure names the claim, the seed and the step, what was found and what was promised:
//
//	kept: capacity 8, seed 0, step 17: key k3 is gone right after it was set
//
// Steps are the same in each run. A panic fails the claim in which it happens.
//
// # What it does not show
//
// A pass is no proof. Speed, bytes and hit ratios on the traffic that you have are not tested; Scans tries one kind only.
package cachetest
