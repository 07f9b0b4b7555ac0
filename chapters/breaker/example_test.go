package breaker_test

import (
	"errors"
	"fmt"
	"time"

	"seedbed/chapters/breaker"
)

// A dependency fails, is left alone, is probed, and gets its traffic back.
func Example() {
	b, err := breaker.NewBreaker(breaker.Config{
		Window: 20, MinCalls: 4, FailurePercent: 50,
		OpenFor: 10_000_000_000, Probes: 2, Lease: 3_000_000_000, Ramp: 4_000_000_000, FirstPercent: 25,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tell := func(now int64, c breaker.Changes) {
		for i := range c.Len() {
			fmt.Printf("%2d s: %v → %v (%v)\n", now/1e9, c.At(i).From, c.At(i).To, c.At(i).Cause)
		}
	}
	call := func(seconds int64, o breaker.Outcome) {
		now := seconds * 1e9
		t, d := b.AskAt(now)
		tell(now, d.Changes)
		if !d.OK {
			fmt.Printf("%2d s: refused, %v\n", seconds, d.Reason)
			return
		}
		tell(now, b.DoneAt(now, t, o).Changes)
	}
	for range 4 {
		call(1, breaker.Failure)
	}
	call(2, breaker.Success)
	call(11, breaker.Success)
	call(11, breaker.Success)
	for range 4 {
		call(11, breaker.Success)
	}
	call(15, breaker.Success)
	// Output:
	//  1 s: closed → open (failure rate)
	//  2 s: refused, open
	// 11 s: open → half-open (open over)
	// 11 s: half-open → recovering (probes passed)
	// 11 s: refused, ramping
	// 11 s: refused, ramping
	// 11 s: refused, ramping
	// 15 s: recovering → closed (ramp over)
}

// In a server: a clock that only goes forward, a function that says what an error means, and an answer at hand when the circuit is open.
func ExampleDo() {
	start := time.Now()
	l, err := breaker.NewLocked(breaker.Resilience4j(), func() int64 { return int64(time.Since(start)) })
	if err != nil {
		fmt.Println(err)
		return
	}
	errNotFound := errors.New("404")
	judge := func(err error) breaker.Outcome {
		switch {
		case err == nil:
			return breaker.Success
		case errors.Is(err, errNotFound):
			return breaker.Business
		}
		return breaker.Failure
	}
	reviews := func() (string, error) {
		v, err := breaker.Do(l, func() (string, error) { return "five stars", nil }, judge)
		var refused *breaker.RefusedError
		if errors.As(err, &refused) {
			return "no reviews at the moment", nil
		}
		return v, err
	}
	fmt.Println(reviews())
	l.Open()
	fmt.Println(reviews())
	// Output:
	// five stars <nil>
	// no reviews at the moment <nil>
}

// Recommendations hang. With places of its own, stock does not feel it.
func ExampleSet() {
	s, err := breaker.NewSet(breaker.SetConfig{Places: 50, Dependencies: []breaker.Dependency{
		{Name: "stock", Breaker: breaker.Resilience4j(), Reserved: 30, Max: 50},
		{Name: "recommendations", Breaker: breaker.Resilience4j(), Max: 20},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ask := func(name string, times int) (passed int, last breaker.Decision) {
		for range times {
			if _, last = s.AskAt(0, s.Find(name)); last.OK {
				passed++
			}
		}
		return passed, last
	}
	for _, name := range []string{"recommendations", "stock"} {
		passed, last := ask(name, 30)
		fmt.Printf("%s: %d of 30 pass, then %v\n", name, passed, last.Reason)
	}
	// Output:
	// recommendations: 20 of 30 pass, then full
	// stock: 30 of 30 pass, then granted
}
