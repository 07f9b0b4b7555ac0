package pmath_test

import (
	"math"
	"testing"

	"seedbed/chapters/pmath"
)

var (
	inf  = math.Inf(1)
	nan  = math.NaN()
	neg0 = math.Copysign(0, -1)
)

const (
	smallest  = math.SmallestNonzeroFloat64
	minNormal = 0x1p-1022
	biggest   = math.MaxFloat64
)

// same compares bits, so that −0 is not 0 and there is one NaN.
func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

func TestSpecialCasesOfOneArgument(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(float64) float64
		rows [][2]float64 // input, result
	}{
		{"Exp", pmath.Exp, [][2]float64{
			{nan, nan}, {inf, inf}, {-inf, 0}, {0, 1}, {neg0, 1}, {smallest, 1}, {-minNormal, 1},
			{1, math.E}, {709.78, 1.7928227943945155e+308}, {709.79, inf}, {1e308, inf},
			{-708.5, 2.006132305331306e-308}, {-745.13, smallest}, {-745.2, 0}, {-1e308, 0}}},
		{"Expm1", pmath.Expm1, [][2]float64{
			{nan, nan}, {inf, inf}, {-inf, -1}, {0, 0}, {neg0, neg0}, {smallest, smallest}, {-minNormal, -minNormal},
			{1e-9, 1.0000000005000001e-09}, {709.79, inf}, {-37.5, -1}, {-40, -1}, {-1e308, -1}}},
		{"Log", pmath.Log, [][2]float64{
			{nan, nan}, {inf, inf}, {-inf, nan}, {0, -inf}, {neg0, -inf}, {-1, nan}, {-smallest, nan}, {1, 0},
			{math.E, 1}, {2, math.Ln2}, {smallest, -744.4400719213812}, {minNormal, -708.3964185322641}, {biggest, 709.782712893384}}},
		{"Log1p", pmath.Log1p, [][2]float64{
			{nan, nan}, {inf, inf}, {-inf, nan}, {-1, -inf}, {-1.0000000000000002, nan}, {0, 0}, {neg0, neg0},
			{smallest, smallest}, {-minNormal, -minNormal}, {1, math.Ln2}, {1e-9, 9.999999995e-10}, {biggest, 709.782712893384}}},
		{"Log2", pmath.Log2, [][2]float64{
			{nan, nan}, {inf, inf}, {-inf, nan}, {0, -inf}, {neg0, -inf}, {-1, nan}, {1, 0}, {8, 3}, {0.125, -3},
			{smallest, -1074}, {minNormal, -1022}, {biggest, 1024}}},
		{"Sqrt", pmath.Sqrt, [][2]float64{{nan, nan}, {inf, inf}, {-1, nan}, {0, 0}, {neg0, neg0}, {2, math.Sqrt2}, {9, 3}}},
	} {
		for _, row := range c.rows {
			got := c.f(row[0])
			if !same(got, row[1]) {
				t.Errorf("%s(%v) = %v (%#x), want %v", c.name, row[0], got, math.Float64bits(got), row[1])
			}
		}
	}
}

func TestLog2OfEveryPowerOfTwo(t *testing.T) {
	for k := -1074; k <= 1023; k++ {
		if got := pmath.Log2(math.Ldexp(1, k)); got != float64(k) {
			t.Errorf("Log2(2^%d) = %v", k, got)
		}
	}
}

// TestPowSpecialCases takes every pair of notable values. Package math follows
// C99 for the special ones and is the measure there; where the result is an
// ordinary number the 320-bit reference is, since math.Pow is far off for some.
func TestPowSpecialCases(t *testing.T) {
	values := []float64{0, neg0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, inf, -inf, nan, smallest, -smallest, minNormal, -minNormal,
		biggest, -biggest, 1 - 0x1p-53, -(1 - 0x1p-53), 1 + 0x1p-52, -(1 + 0x1p-52), 1<<53 - 1, -(1<<53 - 1), 1 << 53, 1<<53 + 2, 0x1p63, -0x1p63, 0x1p64, -0x1p64, 1e300, -1e300, 1e-300, 1075, -1075}
	ordinary := 0
	for _, x := range values {
		for _, y := range values {
			got, want := pmath.Pow(x, y), math.Pow(x, y)
			if want != want {
				want = nan
			}
			if same(got, want) {
				continue
			}
			ordinary++
			truth := bigExp(bigNew().Mul(bigOf(y), bigLog(bigOf(math.Abs(x)))))
			if off := ulps(math.Abs(got), truth); off > 0.75 || math.Signbit(got) != math.Signbit(want) {
				t.Errorf("Pow(%v, %v) = %v, off by %.2f ulp; package math %v", x, y, got, off, want)
			}
		}
	}
	if ordinary > len(values)*len(values)/10 {
		t.Errorf("%d pairs fell through to the reference; most should have been special", ordinary)
	}
}

func TestPowOfIntegersIsExact(t *testing.T) {
	for base := int64(2); base <= 300; base++ {
		product := int64(1)
		for y := 1; ; y++ {
			if product *= base; product > 1<<53 {
				break
			}
			if got := pmath.Pow(float64(base), float64(y)); got != float64(product) {
				t.Errorf("Pow(%d, %d) = %v, want %d", base, y, got, product)
			}
			if got, want := pmath.Pow(-float64(base), float64(y)), float64(product)*float64(1-y%2*2); got != want {
				t.Errorf("Pow(%d, %d) = %v, want %v", -base, y, got, want)
			}
		}
	}
}

func TestPowAtTheEdgesOfTheRange(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{2, 1023, 0x1p1023},
		{2, 1024, inf},
		{-2, 1025, -inf},
		{2, -1074, smallest},
		{2, -1075, 0}, // a tie, to even
		{2, -1074.9, smallest},
		{-2, -1077, neg0},
		{biggest, 1, biggest},
		{biggest, 1 + 0x1p-52, inf},
		{smallest, -1, inf},
		{smallest, 0.5, 2.2227587494850775e-162},
		{1 - 0x1p-53, 0x1p62, 4.377491037052927e-223}, // |y| above 2^31: no branch of its own here
	} {
		if got := pmath.Pow(c.x, c.y); !same(got, c.want) {
			t.Errorf("Pow(%v, %v) = %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

func TestFloatToInteger(t *testing.T) {
	const lo, hi = math.MinInt64, math.MaxInt64
	for _, c := range []struct {
		x            float64
		round, floor int64
	}{
		{nan, 0, 0}, {0, 0, 0}, {neg0, 0, 0}, {smallest, 0, 0}, {-smallest, 0, -1},
		{0.49999999999999994, 0, 0}, {0.5, 1, 0}, {-0.5, -1, -1}, {-0.49999999999999994, 0, -1},
		{1.5, 2, 1}, {2.5, 3, 2}, {-2.5, -3, -3}, {-2.4, -2, -3}, {7, 7, 7}, {-7, -7, -7},
		{1<<52 - 0.5, 1 << 52, 1<<52 - 1}, {1<<53 - 1, 1<<53 - 1, 1<<53 - 1},
		{0x1p62, 1 << 62, 1 << 62}, {0x1p63 - 1024, hi - 1023, hi - 1023},
		{0x1p63, hi, hi}, {1e300, hi, hi}, {inf, hi, hi},
		{-0x1p63, lo, lo}, {-0x1p63 - 2048, lo, lo}, {-inf, lo, lo},
		{3e9, 3e9, 3e9}, {-1, -1, -1},
	} {
		if got := pmath.Round64(c.x); got != c.round {
			t.Errorf("Round64(%v) = %d, want %d", c.x, got, c.round)
		}
		if got := pmath.Floor64(c.x); got != c.floor {
			t.Errorf("Floor64(%v) = %d, want %d", c.x, got, c.floor)
		}
	}
	var d draw
	for range 100_000 {
		x := d.between(-1, 1) * math.Ldexp(1, int(d.bits()%62))
		if got, want := pmath.Round64(x), int64(math.Round(x)); got != want {
			t.Fatalf("Round64(%v) = %d, package math %d", x, got, want)
		}
		if got, want := pmath.Floor64(x), int64(math.Floor(x)); got != want {
			t.Fatalf("Floor64(%v) = %d, package math %d", x, got, want)
		}
	}
}
