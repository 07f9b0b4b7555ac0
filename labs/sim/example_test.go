package sim_test

import (
	"fmt"

	"seedbed/labs/sim"
)

// One server, requests that come at random and take 800 µs each: the loop that every lab is made of.
func Example() {
	arrivals := sim.Arrivals{Pattern: sim.Poisson, Rate: 1_000_000, Stop: 1_000_000_000, Stream: sim.NewStream(7, "client")}
	var queue sim.Queue
	var latency sim.Histogram
	var free int64 // instant from which the server is idle
	next := func() {
		if at, _, ok := arrivals.Next(); ok {
			queue.Push(sim.Event{At: at})
		}
	}
	for next(); ; next() {
		e, ok := queue.Pop()
		if !ok {
			break
		}
		free = max(free, e.At) + 800_000
		latency.Add(free - e.At)
	}
	fmt.Println("served:", latency.Count(), "of about 1000")
	fmt.Println("the p99 is longer than the mean:", latency.Quantile(990_000) > latency.Mean())
	// Output:
	// served: 1032 of about 1000
	// the p99 is longer than the mean: true
}
