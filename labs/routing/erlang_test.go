package routing

import (
	"math"
	"testing"
)

func TestErlangAndPoisson(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
		within    float64
	}{
		// Printed in any table of Erlang B: 10 erlang on 10 trunks lose 21.46 %, 1 on 1 half.
		{"10 on 10", erlangB(10, 10), 0.2146, 0.0001},
		{"1 on 1", erlangB(1, 1), 0.5, 1e-12},
		{"464 on 500, pooled", erlangB(464, 500), 0.0048, 0.0001},
		{"464 as two halves of 250", erlangB(232, 250), 0.0144, 0.0001},
		{"a load of nothing", erlangB(0, 5), 0, 0},
		{"no places", erlangB(5, 0), 1, 0},
		{"Poisson 464 over 500", poissonOver(464, 500), 0.0461, 0.001},
		{"Poisson 1 over 0", poissonOver(1, 0), 1 - math.Exp(-1), 1e-12},
		{"Poisson 3 over 5", poissonOver(3, 5), 0.083918, 1e-6},
		{"nobody is over", poissonOver(2, 400), 0, 1e-12},
	} {
		if math.Abs(c.got-c.want) > c.within {
			t.Errorf("%s: got %.6f, want %.6f", c.name, c.got, c.want)
		}
	}
	n := placesFor(464, 0.001)
	if erlangB(464, n) > 0.001 || erlangB(464, n-1) <= 0.001 || n < 515 || n > 525 {
		t.Errorf("0.1 %% of 464 needs %d places, want the least, about 520", n)
	}
}
