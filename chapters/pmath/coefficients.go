package pmath

// The numbers of fdlibm (FreeBSD lib/msun/src/e_exp.c, e_log.c and e_pow.c), by
// which minimax polynomials approximate the functions on their reduced ranges.
// They came with this notice:
//
//	Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved.
//	Permission to use, copy, modify, and distribute this software is freely
//	granted, provided that this notice is preserved.
const (
	// ln 2 in two parts. The first has 33 bits, so that k·ln2Hi is exact for
	// every exponent k.
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
	// 1/ln 2, only to choose k.
	invLn2 = 1.44269504088896338700e+00

	// r·(e^r + 1)/(e^r − 1) = 2 + exp1·r² + … + exp5·r¹⁰ for |r| ≤ ln2/2, to 2^−59.
	exp1 = 1.66666666666666019037e-01
	exp2 = -2.77777777770155933842e-03
	exp3 = 6.61375632143793436117e-05
	exp4 = -1.65339022054652515390e-06
	exp5 = 4.13813679705723846039e-08

	// (ln(1+s) − ln(1−s) − 2s)/s = log1·s² + … + log7·s¹⁴ for |s| ≤ 0.1716, to
	// 2^−58.45.
	log1 = 6.666666666666735130e-01
	log2 = 3.999999999940941908e-01
	log3 = 2.857142874366239149e-01
	log4 = 2.222219843214978396e-01
	log5 = 1.818357216161805012e-01
	log6 = 1.531383769920937332e-01
	log7 = 1.479819860511658591e-01

	// (3/2)·(ln(1+s) − ln(1−s) − 2s − (2/3)s³)/s⁵ = pow1 + pow2·s² + … for
	// |s| ≤ 0.1011.
	pow1 = 5.99999999999994648725e-01
	pow2 = 4.28571428578550184252e-01
	pow3 = 3.33333329818377432918e-01
	pow4 = 2.72728123808534006489e-01
	pow5 = 2.30660745775561754067e-01
	pow6 = 2.06975017800338417784e-01

	// log₂ 1.5 in two parts, the first with 21 bits.
	log2of1p5Hi = 5.84962487220764160156e-01
	log2of1p5Lo = 1.35003920212974897128e-08

	// 2/(3 ln 2), and again in two parts, the first with 21 bits.
	twoThirds   = 9.61796693925975554329e-01
	twoThirdsHi = 9.61796700954437255859e-01
	twoThirdsLo = -7.02846165095275826516e-09

	// ln 2, and again in two parts, the first with 21 bits.
	ln2       = 6.93147180559945286227e-01
	ln2Top    = 6.93147182464599609375e-01
	ln2Bottom = -1.90465429995776804525e-09
)
