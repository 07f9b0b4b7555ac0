package adaptive_test

import (
	"fmt"
	"time"

	"seedbed/chapters/adaptive"
)

// A server puts one gate before its handlers: Locked, with a monotonic clock that starts at 0. Here the instants are written out.
func Example() {
	limit, err := adaptive.NewGradient(adaptive.GradientConfig{
		Common: adaptive.Usual(), Tolerance: 1500, Smoothing: 200, Life: int64(10 * time.Second),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	gate := adaptive.NewGate(&limit)
	passed := 0
	var last adaptive.Ticket
	for range 30 {
		if t, ok := gate.TakeAt(0); ok {
			passed++
			last = t
		}
	}
	fmt.Println(passed, "of 30 pass at once,", gate.InFlight(), "are in flight")
	gate.DoneAt(int64(50*time.Millisecond), last, adaptive.Dropped)
	fmt.Println("one timed out: the limit is", gate.Limit())
	// Output:
	// 20 of 30 pass at once, 20 are in flight
	// one timed out: the limit is 18
}

// 40 places of 10 ms, and half more requests than they can serve: where each limit stands after 20 s, and how long requests take.
func Example_compare() {
	limits := all(adaptive.Usual())
	limits["fixed at 200"] = adaptive.Fixed(200)
	limits["fixed at 10"] = adaptive.Fixed(10)
	for _, name := range []string{"fixed at 200", "fixed at 10", "aimd", "vegas", "gradient", "bbr"} {
		s := newServer(limits[name], 40, 1)
		s.run(6000, 10*ms, 10*second)
		s.run(6000, 10*ms, 10*second)
		fmt.Printf("%s: limit %d, %d served a second, p99 %d ms\n", name, s.gate.Limit(), len(s.took)/10, s.p99()/ms)
	}
	// Output:
	// fixed at 200: limit 200, 4001 served a second, p99 52 ms
	// fixed at 10: limit 10, 981 served a second, p99 12 ms
	// aimd: limit 142, 3998 served a second, p99 38 ms
	// vegas: limit 40, 3855 served a second, p99 12 ms
	// gradient: limit 46, 3987 served a second, p99 14 ms
	// bbr: limit 52, 3811 served a second, p99 14 ms
}
