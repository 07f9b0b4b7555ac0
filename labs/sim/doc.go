// Package sim is the machinery under every lab: virtual time, an event queue, named streams of random numbers, arrivals, service
// times and latency histograms.
//
// Time is virtual: an int64 of nanoseconds since the start of the run, which moves only when the next event is taken. Nothing here
// reads a clock, draws from a global source or depends on the order of a map, and every float passes through chapters/pmath, so a
// run gives the same bits natively, in WebAssembly and on arm64.
//
// Everything is a flat value: copying a Stream, an Arrivals or a Histogram copies its whole state, and a Queue is one slice. That
// is what makes a checkpoint of a run a handful of copies.
//
// It does not know what a lab is (package labs does), and it does not record anything.
package sim
