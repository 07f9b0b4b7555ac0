package catalog_test

import (
	"fmt"

	"seedbed/labs"
	"seedbed/labs/catalog"
)

// A Spec is one line of text, and a run is a function of it.
func Example() {
	spec, err := labs.Parse("window-edge?use=fixed&seed=7", catalog.Find)
	if err != nil {
		fmt.Println(err)
		return
	}
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := trace.Verdicts[0]
	fmt.Println(spec.Text())
	fmt.Println(v.Check, "holds:", v.OK)
	fmt.Println("admitted", v.Facts[0], "in", labs.Millis.Format(v.Facts[1]), "ms, by request", v.Request)
	// Output:
	// window-edge?v=1&use=fixed&seed=7
	// no-window-over-limit holds: false
	// admitted 200 in 2 ms, by request 101
}

// What a lab may not do is told before anything runs.
func ExampleFind() {
	_, err := labs.Parse("window-edge?limit=0", catalog.Find)
	fmt.Println(err)
	// Output: limit: 0 is outside 1..100000
}
