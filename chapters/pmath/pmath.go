// Package pmath holds the few elementary functions that simulations need, with
// the same bits on every platform.
//
// Package math does not promise that: some functions are assembly on some
// architectures, so that Exp and Pow differ between amd64 and WebAssembly in the
// last bit, and arm64 and others fuse x*y + z into one rounding. A run whose
// digest must be equal on the server, in the browser and in the tests cannot use
// them. Everything here is built from operations that IEEE 754 defines exactly
// (+, −, ×, ÷, square root, conversion in range), in a fixed order, and each
// product is written float64(x*y), for which the language forbids fusing.
//
// Contract:
//   - Exp, Expm1, Log, Log1p, Log2, Pow: the same bits for the same bits. The
//     largest errors measured against 320-bit arithmetic, on 40,000 samples of
//     each kind of input, are 0.67 ulp (units in the last place) for Exp, 1.01 for
//     Expm1, 0.75 for Log, 0.80 for Log1p, 0.51 for Log2 and 0.73 for Pow;
//     accuracy_test.go holds them near that.
//   - Special cases are those of the same function in package math. A NaN result
//     is always the one of math.NaN, since the payload that an operation leaves
//     in a NaN differs by processor.
//   - Round64 and Floor64 turn a float into an int64 for every input. A plain
//     conversion out of range gives another number on each platform.
//   - Pure functions: no allocation, safe for concurrent use, O(1).
//
// Not here: trigonometry (a normal variate is had from Log and Sqrt by the polar
// method), float32, and rounding modes other than to nearest even.
//
// Methods and coefficients are those of fdlibm as kept in FreeBSD's lib/msun:
// e_exp.c, e_log.c, e_pow.c; see coefficients.go. The code is written anew.
package pmath

import "math"

// Sqrt returns the square root, which IEEE 754 wants exact to the last bit
// everywhere: math.Sqrt serves, but for the NaN of a negative x, whose bits it
// leaves to the processor. Sqrt(−0) = −0.
func Sqrt(x float64) float64 {
	if x >= 0 {
		return math.Sqrt(x)
	}
	return math.NaN()
}

// Round64 returns the integer nearest to x, halves away from zero. What does not
// fit becomes the nearest int64 that exists, and NaN becomes 0.
func Round64(x float64) int64 {
	i, exact := toInt64(x)
	if exact {
		return i
	}
	// The fraction is exact: i and x are near enough that their difference fits.
	switch part := x - float64(i); {
	case part >= 0.5:
		return i + 1
	case part <= -0.5:
		return i - 1
	}
	return i
}

// Floor64 returns the largest integer that is not above x. What does not fit
// becomes the nearest int64 that exists, and NaN becomes 0.
func Floor64(x float64) int64 {
	i, exact := toInt64(x)
	if !exact && x < float64(i) {
		return i - 1
	}
	return i
}

// toInt64 cuts x off toward zero, clamped. Exact says that nothing is left to
// round: x is an integer, out of range, or NaN.
func toInt64(x float64) (i int64, exact bool) {
	const limit = 1 << 63
	switch {
	case x != x:
		return 0, true
	case x >= limit:
		return math.MaxInt64, true
	case x <= -limit:
		return math.MinInt64, true
	}
	i = int64(x)
	return i, float64(i) == x
}

// mul is the product, rounded. The conversion is what keeps the compiler from
// fusing it with an addition that follows; it survives inlining.
func mul(x, y float64) float64 { return float64(x * y) }

// top keeps the upper 21 bits of the significand, so that the product of two
// such numbers is exact.
func top(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ (1<<32 - 1))
}

// scale returns y·2^k with a single rounding. The caller sees to it that y is
// between 1/4 and 4 in size and k between −1100 and 1100.
func scale(y float64, k int) float64 {
	switch {
	case k > 1020: // in two steps, since 2^1024 is no float64; the first is exact
		return mul(mul(y, powerOf2(1020)), powerOf2(k-1020))
	case k < -1020: // likewise: only the step into the subnormals may round
		return mul(mul(y, powerOf2(k+128)), powerOf2(-128))
	}
	return mul(y, powerOf2(k))
}

// powerOf2 returns 2^k for k in −1022..1023.
func powerOf2(k int) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// nearest returns the integer next to x for |x| below 2^31; which of the two at
// a half does not matter to the reductions that call it.
func nearest(x float64) int {
	if x < 0 {
		return int(x - 0.5)
	}
	return int(x + 0.5)
}
