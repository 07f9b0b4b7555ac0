package sampling_test

import (
	"fmt"
	"math"
	"testing"

	"seedbed/chapters/sampling"
)

func ExampleHead() {
	kept := 0
	for id := range uint64(100_000) {
		if sampling.Head(id, 1000) { // one in a thousand
			kept++
		}
	}
	fmt.Println("kept:", kept, "of 100,000")
	// Output: kept: 84 of 100,000
}

func TestHeadKeepsItsShare(t *testing.T) {
	const n = 400_000
	for _, ppm := range []int64{1000, 10_000, 250_000, 900_000} {
		kept := 0.0
		for id := range uint64(n) {
			if sampling.Head(id, ppm) {
				kept++
			}
		}
		want := n * float64(ppm) / sampling.Million
		if spread := 5 * math.Sqrt(want); math.Abs(kept-want) > spread {
			t.Errorf("%d ppm: kept %.0f of %d, want %.0f within %.0f", ppm, kept, n, want, spread)
		}
	}
}

func TestHeadAtItsEndsAndWithin(t *testing.T) {
	for id := range uint64(20_000) {
		if sampling.Head(id, 0) || !sampling.Head(id, sampling.Million) {
			t.Fatalf("trace %d: a share of nothing kept it, or a share of one did not", id)
		}
		if sampling.Head(id, 1000) && !sampling.Head(id, 10_000) {
			t.Fatalf("trace %d is kept at the smaller share and not at the larger", id)
		}
	}
}

func TestTail(t *testing.T) {
	tail := sampling.Tail{Slow: 500, Most: 2, Span: 1000}
	for _, c := range []struct {
		at, took int64
		failed   bool
		want     bool
	}{
		{10, 500, false, false}, // slow is longer than the bound, not as long
		{20, 501, false, true},
		{30, 3, true, true},
		{999, 900, true, false}, // two are kept already
		{1000, 900, false, true},
		{990, 900, false, true}, // late, and counted where it comes
		{1999, 900, false, false},
		{5000, 900, false, true},
	} {
		if got := tail.Keep(c.at, c.took, c.failed); got != c.want {
			t.Errorf("at %d, took %d, failed %v: kept is %v, want %v", c.at, c.took, c.failed, got, c.want)
		}
	}
	if (&sampling.Tail{}).Keep(0, 1, true) {
		t.Error("the zero value kept a trace")
	}
}
