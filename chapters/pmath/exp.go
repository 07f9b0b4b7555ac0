package pmath

import "math"

// Exp returns e^x. Exp(NaN) = NaN, Exp(+Inf) = +Inf, Exp(−Inf) = 0; too large is
// +Inf, too small is 0 by way of the subnormals.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return math.NaN()
	case x > 710: // e^710 > 2^1024
		return math.Inf(1)
	case x < -746: // e^−746 < 2^−1075, half of the smallest number
		return 0
	}
	r, t, k := expReduced(x)
	return scale(sum3(1, r, t), k)
}

// Expm1 returns e^x − 1, without the loss of digits that the subtraction would
// bring near zero. Expm1(NaN) = NaN, Expm1(+Inf) = +Inf, Expm1(−Inf) = −1,
// Expm1(±0) = ±0.
func Expm1(x float64) float64 {
	switch {
	case x != x:
		return math.NaN()
	case x > 710:
		return math.Inf(1)
	case x < -38: // e^−38 < 2^−54: nothing is left of it beside 1
		return -1
	case x == 0:
		return x // keeps the sign of −0
	}
	r, t, k := expReduced(x)
	switch {
	case k == 0:
		return r + t
	case k > 53: // here −1 is below the rounding of e^x
		return scale(sum3(1, r, t), k)
	}
	return scale(sum3(1-powerOf2(-k), r, t), k)
}

// expReduced returns r, t and k with exp(x) = 2^k·(1 + r + t), |r| ≤ 0.347 and
// t about r²/2, for x in −746..710.
//
// x = k·ln 2 + r − lo, and for the reduced argument q = r − lo, with c as below,
// e^q = 1 + q + q·c/(2−c). Keeping r apart keeps the rounding of the last sum as
// the only one that counts.
func expReduced(x float64) (r, t float64, k int) {
	r, lo := x, 0.0
	if math.Abs(x) > ln2/2 {
		k = nearest(mul(x, invLn2))
		r = x - mul(float64(k), ln2Hi)
		lo = mul(float64(k), ln2Lo)
	}
	q := r - lo
	c := expCorrection(q)
	return r, mul(q, c)/(2-c) - lo, k
}

// sum3 returns a + b + c for |a| ≥ |b| ≥ |c|, with the rounding error of a + b
// given back: it is exact (Dekker's Fast2Sum).
func sum3(a, b, c float64) float64 {
	s := a + b
	return s + ((b - (s - a)) + c)
}

// expCorrection returns r − (exp1·r² + … + exp5·r¹⁰), the c with which
// e^r = 1 + r + r·c/(2−c).
func expCorrection(r float64) float64 {
	z := mul(r, r)
	return r - mul(z, exp1+mul(z, exp2+mul(z, exp3+mul(z, exp4+mul(z, exp5)))))
}
