package pmath

import "math"

// Log returns the natural logarithm. Log(NaN) = NaN, Log(x < 0) = NaN,
// Log(±0) = −Inf, Log(+Inf) = +Inf, Log(1) = +0.
func Log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	}
	return logPlus(x, 0)
}

// Log1p returns ln(1+x), also where 1+x would lose the digits of x.
// Log1p(NaN) = NaN, Log1p(x < −1) = NaN, Log1p(−1) = −Inf, Log1p(+Inf) = +Inf,
// Log1p(±0) = ±0.
func Log1p(x float64) float64 {
	switch {
	case x != x || x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	case x > math.MaxFloat64 || math.Abs(x) < 0x1p-54: // x²/2 is below the rounding of x
		return x
	}
	// What the sum drops is exact when the smaller summand is what is left of it.
	sum := 1 + x
	dropped := x - (sum - 1)
	if x >= 1 {
		dropped = 1 - (sum - x)
	}
	return logPlus(sum, dropped/sum)
}

// logPlus returns ln x + c for positive finite x and a c so small that it only
// corrects the rounding of x.
//
// x = 2^k·(1+f) with 1+f between √½ and √2; with s = f/(2+f), ln(1+f) is
// 2s + s·R(s²) and 2s is f − f²/2 + s·f²/2. The sum goes from small to large.
func logPlus(x, c float64) float64 {
	m, k := split(x, sqrt2Mantissa)
	f := m - 1
	half := mul(mul(0.5, f), f)
	s := f / (2 + f)
	z := mul(s, s)
	w := mul(z, z)
	even := mul(w, log2+mul(w, log4+mul(w, log6)))
	odd := mul(z, log1+mul(w, log3+mul(w, log5+mul(w, log7))))
	small := mul(s, half+(even+odd)) + (mul(float64(k), ln2Lo) + c)
	return mul(float64(k), ln2Hi) - ((half - small) - f)
}

const (
	fractionBits         = 1<<52 - 1
	one           uint64 = 0x3ff << 52
	sqrt2Mantissa uint64 = 0x6a09e667f3bcd // fraction bits of √2
	sqrt3Mantissa uint64 = 0xbb67ae8584caa // fraction bits of √3
)

// split returns m and k with x = 2^k·m, for positive finite x: m is in [1, 2),
// but halved where its fraction bits are above limit.
func split(x float64, limit uint64) (m float64, k int) {
	if x < 0x1p-1022 {
		x, k = mul(x, 0x1p54), -54
	}
	u := math.Float64bits(x)
	k += int(u>>52) - 1023
	fraction := u & fractionBits
	if fraction > limit {
		return math.Float64frombits(fraction + (one - 1<<52)), k + 1
	}
	return math.Float64frombits(fraction + one), k
}

// Log2 returns the binary logarithm; exact for powers of two. Log2(NaN) = NaN,
// Log2(x < 0) = NaN, Log2(±0) = −Inf, Log2(+Inf) = +Inf.
func Log2(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	}
	hi, lo := log2Parts(x)
	return hi + lo
}

// log2Parts returns log₂ x as hi + lo for positive finite x, where hi has at
// most 21 bits and the sum is good to about 2^−67 of itself: more digits than
// one float64 has, because Pow multiplies them by up to 1075.
//
// x = 2^k·m; with the centre c = 1 or 1.5 that is nearer to m,
// s = (m−c)/(m+c) is at most 0.1011, and log₂(m/c) is
// 2/(3 ln 2)·s·(3 + s² + s⁴·polynomial). Each factor is held as a top part, of
// 21 bits so that products of tops are exact, and the rest.
func log2Parts(x float64) (hi, lo float64) {
	m, k := split(x, sqrt3Mantissa)
	c, cLogHi, cLogLo := 1.0, 0.0, 0.0
	if m >= sqrtOf1p5 {
		c, cLogHi, cLogLo = 1.5, log2of1p5Hi, log2of1p5Lo
	}

	// s, and s = sHi + sLo with the rest from the exact remainder of the division.
	num, den := m-c, m+c
	s := num / den
	sHi := top(s)
	denHi := top(den)
	denLo := m - (denHi - c)
	sLo := ((num - mul(sHi, denHi)) - mul(sHi, denLo)) / den

	// 3 + s² + s⁴·polynomial = tHi + tLo.
	z := mul(s, s)
	r := mul(mul(z, z), pow1+mul(z, pow2+mul(z, pow3+mul(z, pow4+mul(z, pow5+mul(z, pow6))))))
	r += mul(sLo, sHi+s)
	square := mul(sHi, sHi)
	tHi := top(3 + square + r)
	tLo := r - ((tHi - 3) - square)

	// s·t = pHi + pLo, then times 2/(3 ln 2) = zHi + zLo.
	u := mul(sHi, tHi)
	v := mul(sLo, tHi) + mul(tLo, s)
	pHi := top(u + v)
	pLo := v - (pHi - u)
	zHi := mul(twoThirdsHi, pHi)
	zLo := mul(twoThirdsLo, pHi) + mul(pLo, twoThirds) + cLogLo

	n := float64(k)
	hi = top(((zHi + zLo) + cLogHi) + n)
	return hi, zLo - (((hi - n) - cLogHi) - zHi)
}

// sqrtOf1p5 is √1.5: below it 1 is the nearer centre by ratio.
const sqrtOf1p5 = 1.224744871391589
