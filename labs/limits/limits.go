// Package limits holds the labs about rate limits. Each is one file and one value; package catalog lists them.
//
//	window-edge     what each window algorithm admits at the edge of its window, and what keeping the promise costs
//
// The limiters are those of chapters/limiter, driven by simulated arrivals. A lab that compares has a parameter `use`: the checks
// judge that algorithm, and the others see the very same requests beside it as shadows.
package limits
