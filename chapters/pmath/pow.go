package pmath

import "math"

// Pow returns x^y, with the special cases of math.Pow (C99, annex F): Pow(x, 0)
// and Pow(1, y) are 1 even for NaN; a negative x with a y that is no integer is
// NaN. Where x^y is an integer that a float64 holds, it is exact for integers x
// and y.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	case y == 1:
		return x
	}
	whole, odd := parity(y)
	negative := odd && math.Signbit(x)
	magnitude := math.Abs(x)
	switch {
	case math.Abs(y) > math.MaxFloat64:
		return powInf(magnitude, y > 0)
	case x == 0 || magnitude > math.MaxFloat64:
		z := 0.0
		if (x == 0) == (y < 0) {
			z = math.Inf(1)
		}
		return withSign(z, negative)
	case x < 0 && !whole:
		return math.NaN()
	}
	return withSign(powPositive(magnitude, y), negative)
}

// powInf returns magnitude^±Inf.
func powInf(magnitude float64, up bool) float64 {
	switch {
	case magnitude == 1:
		return 1
	case (magnitude > 1) == up:
		return math.Inf(1)
	}
	return 0
}

func withSign(z float64, negative bool) float64 {
	if negative {
		return -z
	}
	return z
}

// parity says whether y is an integer, and an odd one. From 2^53 on every
// float64 is an even integer.
func parity(y float64) (whole, odd bool) {
	a := math.Abs(y)
	if a >= 1<<53 {
		return true, false
	}
	i := int64(a)
	return float64(i) == a, float64(i) == a && i&1 == 1
}

// powPositive returns x^y = 2^(y·log₂ x) for positive finite x and finite y.
func powPositive(x, y float64) float64 {
	if x == 1 {
		return 1
	}
	// The number next to 1 has |log₂| > 2^−53, so such a y always ends outside.
	if math.Abs(y) >= 0x1p64 {
		return powInf(x, y > 0)
	}

	// y·log₂ x = pHi + pLo; the product of the tops is exact.
	lHi, lLo := log2Parts(x)
	yHi := top(y)
	pHi := mul(yHi, lHi)
	pLo := mul(y-yHi, lHi) + mul(y, lLo)
	switch z := pHi + pLo; {
	case z > 1025:
		return math.Inf(1)
	case z < -1080:
		return 0
	}
	return twoTo(pHi, pLo)
}

// twoTo returns 2^(hi+lo) for a hi with at most 42 bits and a sum within
// −1080..1025. With the fraction t of the sum, 2^t = e^(t·ln 2), and t·ln 2 is
// taken as z plus a rest w.
func twoTo(hi, lo float64) float64 {
	k := 0
	if math.Abs(hi+lo) > 0.5 {
		k = nearest(hi + lo)
		hi -= float64(k)
	}
	t := top(hi + lo)
	u := mul(t, ln2Top)
	v := mul(lo-(t-hi), ln2) + mul(t, ln2Bottom)
	z := u + v
	w := v - (z - u)
	c := expCorrection(z)
	// e^(z+w) = 1 + z + z·c/(2−c) + w·(1+z) but for what is too small to count.
	return scale(sum3(1, z, mul(z, c)/(2-c)+(w+mul(z, w))), k)
}
