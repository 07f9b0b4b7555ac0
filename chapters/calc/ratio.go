package calc

import "strings"

// ratio is an exact fraction in lowest terms. Its zero value is 0. Sums, differences, products and quotients of ratios are exact, so
// that 1/3 · 3 is 1 and a rate per day comes back whole when it is taken times a day; rounding happens where a number is shown, and
// in sqrt.
type ratio struct {
	negative bool
	num, den nat // den nil: 1
}

// maxBits bounds what a fraction may need above and below its line: 77 decimal digits each. What needs more is an overflow.
const maxBits = 256

func ratioOf(n uint64) ratio { return ratio{num: natOf(n)} }

func (a ratio) below() nat {
	if a.den == nil {
		return nat{1}
	}
	return a.den
}

// reduced is num/den in lowest terms, and false when that is beyond the bound. den is not 0.
func reduced(negative bool, num, den nat) (ratio, bool) {
	if num.zero() {
		return ratio{}, true
	}
	if d := num.gcd(den); !d.one() {
		num, _ = num.div(d)
		den, _ = den.div(d)
	}
	if num.bits() > maxBits || den.bits() > maxBits {
		return ratio{}, false
	}
	if den.one() {
		den = nil
	}
	return ratio{negative, num, den}, true
}

func (a ratio) zero() bool { return a.num.zero() }

func (a ratio) neg() ratio {
	a.negative = !a.negative && !a.zero()
	return a
}

func (a ratio) abs() ratio {
	a.negative = false
	return a
}

func (a ratio) add(b ratio) (ratio, bool) {
	x, y := a.num.mul(b.below()), b.num.mul(a.below())
	den := a.below().mul(b.below())
	switch {
	case a.negative == b.negative:
		return reduced(a.negative, x.add(y), den)
	case x.cmp(y) >= 0:
		return reduced(a.negative, x.sub(y), den)
	}
	return reduced(b.negative, y.sub(x), den)
}

func (a ratio) mul(b ratio) (ratio, bool) {
	return reduced(a.negative != b.negative, a.num.mul(b.num), a.below().mul(b.below()))
}

// quo is a/b for b ≠ 0.
func (a ratio) quo(b ratio) (ratio, bool) {
	return reduced(a.negative != b.negative, a.num.mul(b.below()), a.below().mul(b.num))
}

func (a ratio) cmp(b ratio) int {
	if a.negative != b.negative {
		if a.negative {
			return -1
		}
		return 1
	}
	c := a.num.mul(b.below()).cmp(b.num.mul(a.below()))
	if a.negative {
		return -c
	}
	return c
}

// pow is aⁿ; a ≠ 0 where n < 0.
func (a ratio) pow(n int) (ratio, bool) {
	if n < 0 {
		inverse, ok := ratioOf(1).quo(a)
		if !ok {
			return ratio{}, false
		}
		return inverse.pow(-n)
	}
	out, ok := ratioOf(1), true
	for ; n > 0 && ok; n-- {
		out, ok = out.mul(a)
	}
	return out, ok
}

// floor is the largest whole number that is not above a.
func (a ratio) floor() ratio {
	q, rest := a.num.div(a.below())
	if a.negative && !rest.zero() {
		q = q.add(nat{1})
	}
	out, _ := reduced(a.negative, q, nat{1})
	return out
}

// rootDigits is how many digits of a root are right where it has no end.
const rootDigits = 30

// sqrt is the root of a ≥ 0: exact where it is a fraction, else cut off after at least rootDigits digits.
func (a ratio) sqrt() (ratio, bool) {
	n, d := a.num.sqrt(), a.below().sqrt()
	if n.mul(n).cmp(a.num) == 0 && d.mul(d).cmp(a.below()) == 0 {
		return reduced(false, n, d)
	}
	// √a = √(a·10^2k) / 10^k, with k such that the root above the line has the digits: its highest is at half the place of a's.
	k := max(rootDigits-floorHalf(a.magnitude()), 0)
	above, _ := a.num.mul(pow10(2 * k)).div(a.below())
	return reduced(false, above.sqrt(), pow10(k))
}

func floorHalf(n int) int { return n >> 1 }

// rounded is a to so many decimals, half away from zero, without its sign: the digits before the point and those after it. exact
// tells that nothing was cut.
func (a ratio) rounded(decimals int) (before, after string, exact bool) {
	num := a.num.mul(pow10(decimals))
	q, rest := num.div(a.below())
	exact = rest.zero()
	if rest.add(rest).cmp(a.below()) >= 0 {
		q = q.add(nat{1})
	}
	digits := q.decimal()
	if len(digits) <= decimals {
		digits = strings.Repeat("0", decimals+1-len(digits)) + digits
	}
	return digits[:len(digits)-decimals], digits[len(digits)-decimals:], exact
}

// magnitude is the place of the highest digit of a ≠ 0: 2 for 360, 0 for 1, −2 for 0.039.
func (a ratio) magnitude() int {
	whole, rest := a.num.div(a.below())
	if !whole.zero() {
		return len(whole.decimal()) - 1
	}
	place := 0
	for rest.cmp(a.below()) < 0 {
		rest = rest.mul(nat{10})
		place--
	}
	return place
}
