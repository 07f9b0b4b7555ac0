package pmath_test

import (
	"fmt"

	"seedbed/chapters/pmath"
)

// An exponential waiting time, as a simulation draws it: from a uniform share of
// (0, 1], in integer nanoseconds, the same on every platform.
func ExampleLog() {
	const mean = 20e6 // 20 ms
	share := 0.125
	fmt.Println(pmath.Round64(-mean * pmath.Log(share)))
	// Output: 41588831
}
