package page

import (
	"math"
	"testing"

	"seedbed/labs"
)

func TestNumbersInANamedUnit(t *testing.T) {
	for _, c := range []struct {
		unit labs.Unit
		v    int64
		want string
	}{
		{labs.MiB, 24_000_000, "22.89 MiB"},
		{labs.KiB, 1024, "1 KiB"},
		{labs.Bytes, 1_234_567, "1,234,567 B"},
		{labs.Seconds, 1_001_000_000, "1 s"},
		{labs.Millis, 1_001_000_000, "1,001 ms"},
		{labs.Millis, 1_005_000, "1.01 ms"}, // half up
		{labs.Millis, 1_004_999, "1 ms"},
		{labs.Seconds, 999_999_999, "1 s"},
		{labs.Micros, 2_500, "2.5 µs"},
		{labs.Percent, 125_000, "12.5%"},
		{labs.Ratio, 125_000, "0.13"},
		{labs.Seconds, -2_500_000_000, "−2.5 s"},
		{labs.Nanos, math.MaxInt64, "9,223,372,036,854,775,807 ns"},
		{labs.Nanos, math.MinInt64, "−9,223,372,036,854,775,808 ns"},
		{labs.Nanos, 0, "0 ns"},
	} {
		if got := inUnit(c.unit, c.v); got != c.want {
			t.Errorf("%d in %s: got %q, want %q", c.v, c.unit.Code(), got, c.want)
		}
	}
}

// Every unit must be known to the package: a new one of labs would otherwise not be found by its code.
func TestUnitsAreAllOfLabs(t *testing.T) {
	for i, u := range units {
		if int(u) != i {
			t.Errorf("unit %d is %s, want the order of labs", i, u.Code())
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("labs has a unit beyond the last that is known here")
		}
	}()
	_ = labs.Unit(len(units)).Code()
}
