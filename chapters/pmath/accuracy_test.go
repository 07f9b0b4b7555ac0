package pmath_test

import (
	"math"
	"math/big"
	"testing"

	"seedbed/chapters/hashing"
	"seedbed/chapters/pmath"
)

// The dumb twins: the same functions by series in 320-bit arithmetic, so that an
// error can be stated against the true value and not against package math, which
// itself is off by up to one ulp.

const bigBits = 320

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(bigBits).SetFloat64(x) }
func bigNew() *big.Float         { return new(big.Float).SetPrec(bigBits) }

// bigExp halves x until the Taylor series is short, and squares as often.
func bigExp(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return bigOf(1)
	}
	halvings := max(0, x.MantExp(nil)+16)
	r := bigNew().SetMantExp(x, -halvings)
	sum, term := bigOf(1), bigOf(1)
	for n := 1; term.Sign() != 0 && term.MantExp(nil) > -bigBits; n++ {
		term.Mul(term, r).Quo(term, bigOf(float64(n)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog starts from package math and takes two of Halley's steps, each of which
// triples the digits.
func bigLog(x *big.Float) *big.Float {
	mant := bigNew()
	exponent := x.MantExp(mant)
	m, _ := mant.Float64()
	y := bigNew().Add(bigOf(math.Log(m)), bigNew().Mul(bigOf(float64(exponent)), bigOf(math.Ln2)))
	for range 3 {
		e := bigExp(y)
		step := bigNew().Quo(bigNew().Sub(x, e), bigNew().Add(x, e))
		y.Add(y, step.Add(step, step))
	}
	return y
}

var bigLn2 = bigLog(bigOf(2))

// ulps returns how far got is from want, in units of the last place of want.
func ulps(got float64, want *big.Float) float64 {
	nearest, _ := want.Float64()
	if math.IsInf(got, 0) || math.IsInf(nearest, 0) {
		if got == nearest {
			return 0
		}
		return math.Inf(1)
	}
	// One ulp of a float64 in [2^(e−1), 2^e) is 2^(e−53), never below 2^−1074.
	unit := max(want.MantExp(nil)-53, -1074)
	d := bigNew().Sub(bigOf(got), want)
	off, _ := d.SetMantExp(d, -unit).Float64()
	return math.Abs(off)
}

// draw is a stream of test inputs: Mix64 over a counter, the same everywhere.
type draw uint64

func (d *draw) bits() uint64 {
	*d += 0x9E3779B97F4A7C15
	return hashing.Mix64(uint64(*d))
}

// between is uniform in [lo, hi).
func (d *draw) between(lo, hi float64) float64 {
	return lo + float64((hi-lo)*(float64(d.bits()>>11)*0x1p-53))
}

// positive is a positive finite float64 with any exponent, subnormals included.
func (d *draw) positive() float64 {
	for {
		if x := math.Float64frombits(d.bits() >> 1); x > 0 && x <= math.MaxFloat64 {
			return x
		}
	}
}

// near is 1 + δ with δ of any size from 2^−52 to 1/2, either sign.
func (d *draw) near1() float64 {
	return 1 + float64(d.between(-1, 1)*math.Ldexp(0.5, -int(d.bits()%52)))
}

// accuracy is one function over one kind of input: want is the true value, and
// limit the largest error in ulp that we promise.
type accuracy struct {
	name  string
	limit float64
	input func(*draw) (x, y float64)
	got   func(x, y float64) float64
	want  func(x, y float64) *big.Float
	std   func(x, y float64) float64 // nil where package math is no measure
}

func accuracies() []accuracy {
	exp := func(x, _ float64) *big.Float { return bigExp(bigOf(x)) }
	expm1 := func(x, _ float64) *big.Float { return bigNew().Sub(bigExp(bigOf(x)), bigOf(1)) }
	log := func(x, _ float64) *big.Float { return bigLog(bigOf(x)) }
	log1p := func(x, _ float64) *big.Float {
		if math.Abs(x) > 0x1p-60 {
			return bigLog(bigNew().Add(bigOf(1), bigOf(x)))
		}
		// 1+x would not fit in bigBits; x − x²/2 leaves out less than 2^−120 of x.
		square := bigNew().Mul(bigOf(x), bigOf(x))
		return bigNew().Sub(bigOf(x), square.Quo(square, bigOf(2)))
	}
	lb := func(x, _ float64) *big.Float { return bigNew().Quo(bigLog(bigOf(x)), bigLn2) }
	pow := func(x, y float64) *big.Float { return bigExp(bigNew().Mul(bigOf(y), bigLog(bigOf(x)))) }
	one := func(f func(float64) float64) func(x, y float64) float64 {
		return func(x, _ float64) float64 { return f(x) }
	}
	in := func(f func(*draw) float64) func(*draw) (x, y float64) {
		return func(d *draw) (float64, float64) { return f(d), 0 }
	}
	small := func(d *draw) float64 { return d.between(-1, 1) * math.Ldexp(1, -int(d.bits()%60)) }
	// Any y whose power stays within the range, and somewhat beyond it.
	powAny := func(d *draw) (x, y float64) {
		x = d.positive()
		return x, d.between(-1100, 1100) / math.Log2(x)
	}
	powNear1 := func(d *draw) (x, y float64) {
		for x = d.near1(); x == 1; x = d.near1() {
		}
		return x, d.between(-1000, 1000) / math.Log2(x)
	}
	powShare := func(d *draw) (x, y float64) { return d.between(0, 1), -1 / d.between(0.5, 4) }
	return []accuracy{
		{"exp/whole range", 0.70, in(func(d *draw) float64 { return d.between(-750, 712) }), one(pmath.Exp), exp, one(math.Exp)},
		{"exp/small", 0.70, in(func(d *draw) float64 { return d.between(-3, 3) }), one(pmath.Exp), exp, one(math.Exp)},
		{"exp/tiny", 0.70, in(small), one(pmath.Exp), exp, one(math.Exp)},
		{"expm1/whole range", 1.05, in(func(d *draw) float64 { return d.between(-45, 712) }), one(pmath.Expm1), expm1, one(math.Expm1)},
		{"expm1/small", 1.05, in(func(d *draw) float64 { return d.between(-3, 3) }), one(pmath.Expm1), expm1, one(math.Expm1)},
		{"expm1/tiny", 1.05, in(small), one(pmath.Expm1), expm1, one(math.Expm1)},
		{"log/any", 0.80, in((*draw).positive), one(pmath.Log), log, one(math.Log)},
		{"log/share", 0.80, in(func(d *draw) float64 { return 1 - d.between(0, 1) }), one(pmath.Log), log, one(math.Log)},
		{"log/near 1", 0.80, in((*draw).near1), one(pmath.Log), log, one(math.Log)},
		{"log1p/any", 0.85, in((*draw).positive), one(pmath.Log1p), log1p, one(math.Log1p)},
		{"log1p/share", 0.85, in(func(d *draw) float64 { return d.between(-1, 1) }), one(pmath.Log1p), log1p, one(math.Log1p)},
		{"log1p/tiny", 0.85, in(small), one(pmath.Log1p), log1p, one(math.Log1p)},
		{"log2/any", 0.51, in((*draw).positive), one(pmath.Log2), lb, nil},
		{"log2/near 1", 0.51, in((*draw).near1), one(pmath.Log2), lb, nil},
		{"pow/any", 0.75, powAny, pmath.Pow, pow, nil},
		{"pow/near 1", 0.75, powNear1, pmath.Pow, pow, nil},
		{"pow/share", 0.75, powShare, pmath.Pow, pow, math.Pow},
	}
}

func TestErrorsInUlps(t *testing.T) {
	const samples = 1500
	for i, a := range accuracies() {
		d := draw(i)
		worst, at, atY := 0.0, 0.0, 0.0
		for range samples {
			x, y := a.input(&d)
			want := a.want(x, y)
			if want.Sign() == 0 {
				continue // log 1, log2 1: in the table of special cases
			}
			if off := ulps(a.got(x, y), want); off > worst {
				worst, at, atY = off, x, y
			}
		}
		t.Logf("%-18s worst of %d samples: %.3f ulp at %v, %v", a.name, samples, worst, at, atY)
		if worst > a.limit {
			t.Errorf("%s: %.3f ulp at %v, %v; the limit is %v", a.name, worst, at, atY, a.limit)
		}
		if worst == 0 {
			t.Errorf("%s: no error at all, so nothing was measured", a.name)
		}
	}
}

// TestAgainstPackageMath looks at more inputs than the slow reference can. Both
// sides are off by less than an ulp or so, hence a few steps apart at most. Left
// out is what package math has wrong on amd64 in Go 1.26, which the reference
// above covers: Exp above 709.4 is +Inf, Log of a subnormal is that of another
// number, Log2 near 1 and Pow with a large exponent are off by many steps.
func TestAgainstPackageMath(t *testing.T) {
	const samples = 100_000
	for i, a := range accuracies() {
		if a.std == nil {
			continue
		}
		const limit = 4
		d := draw(1000 + i)
		differ, worst, at, atY := 0, uint64(0), 0.0, 0.0
		for range samples {
			x, y := a.input(&d)
			got, std := a.got(x, y), a.std(x, y)
			if x > 709.4 && std > math.MaxFloat64 || math.Abs(x) < 0x1p-1022 || math.Abs(got) < 0x1p-1022 {
				continue
			}
			steps := max(math.Float64bits(got), math.Float64bits(std)) - min(math.Float64bits(got), math.Float64bits(std))
			if steps > 0 {
				differ++
			}
			if steps > worst {
				worst, at, atY = steps, x, y
			}
		}
		t.Logf("%-18s differs from package math in %d of %d, by at most %d steps", a.name, differ, samples, worst)
		if worst > limit {
			t.Errorf("%s: %v, package math %v at %v, %v: %d steps apart, at most %d expected",
				a.name, a.got(at, atY), a.std(at, atY), at, atY, worst, limit)
		}
	}
}
