// Package limits holds the labs about rate limits. Each is one file and one value; package catalog lists them.
//
//	window-edge     what each window algorithm admits at the edge of its window, and what keeping the promise costs
//	token-bucket    what a rate and a burst promise together, counted in five ways
//	capacity-test   how many machines a peak needs, and whether they are there in time
//	layered-limit   a rate for the cheap action, permits for the dear one, against one rate for both
//
// The limiters are those of chapters/limiter, driven by simulated arrivals. A lab that compares has a parameter `use`: the checks
// judge that algorithm, and the others see the very same requests beside it as shadows.
package limits
