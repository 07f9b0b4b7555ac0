package calc_test

import (
	"fmt"

	"seedbed/chapters/calc"
)

// How much a gateway carries at its peak, and what happens when the answers grow.
func Example() {
	sheet, errs := calc.Parse(`
peak    = 360 req/s          # the busiest second
payload = 20 KiB
out     = peak * payload     # => 7.03 MiB/s = 58.98 Mbit/s
conns   = peak * 0.2 s
`)
	for _, err := range errs {
		fmt.Println(err)
	}
	show := func() {
		for _, l := range sheet.Lines() {
			fmt.Print(l.Name, " = ")
			for _, part := range l.Expr() {
				fmt.Print(part.Text)
			}
			fmt.Println(" →", l.Shown())
		}
	}
	show()

	changed, err := sheet.Set("payload", "2 MB")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("computed again:", len(changed))
	show()
	// Output:
	// peak = 360 req/s → [360 req/s]
	// payload = 20 KiB → [20 KiB]
	// out = peak × payload → [7.03 MiB/s 58.98 Mbit/s]
	// conns = peak × 0.2 s → [72]
	// computed again: 2
	// peak = 360 req/s → [360 req/s]
	// payload = 2 MB → [2 MB]
	// out = peak × payload → [686.65 MiB/s 5,760 Mbit/s]
	// conns = peak × 0.2 s → [72]
}

// Quantities of different kinds do not mix, and a result that is not the one written is a fault.
func ExampleParse_faults() {
	_, errs := calc.Parse("size = 5 MiB\nrate = 3 req/s\ntotal = size + rate\ntwice = rate * 2 # => 7 req/s")
	for _, err := range errs {
		fmt.Println(err)
	}
	// Output:
	// line 3, column 14: cannot add req/s to MiB
	// line 4, column 23: 7 req/s is written, but it is 6 req/s
}

// One value, told in several units.
func ExampleSheet_Show() {
	sheet, _ := calc.Parse("rows = 0.4 M writes/day * 1000 B * 365 days * 2")
	for _, unit := range []string{"", "TB", "GiB", "Gbit"} {
		text, err := sheet.Show("rows", unit)
		fmt.Println(text, text.Exact, err)
	}
	_, err := sheet.Show("rows", "req/s")
	fmt.Println(err)
	// Output:
	// 292 GB true <nil>
	// 0.292 TB true <nil>
	// 271.95 GiB false <nil>
	// 2,336 Gbit true <nil>
	// cannot tell GB in req/s
}
