package calc

// ratio is an exact fraction in lowest terms. It is never written after it was made. Sums, differences, products and quotients of
// ratios are exact, so that 1/3 · 3 is 1 and a rate per day comes back whole when it is taken times a day; rounding happens where a
// number is shown, and in sqrt.
//
// Operations give nil where the result is beyond the bound. They work on pointers because in WebAssembly each copy of a struct is
// spelled out word by word, and readers download it.
type ratio struct {
	negative   bool
	num, below nat // below is not 0
}

// maxBits bounds what a fraction may need above and below its line: 77 decimal digits each. What needs more is an overflow.
const maxBits = 256

var (
	natOne = nat{1}
	zero   = &ratio{below: natOne}
	one    = &ratio{num: natOne, below: natOne}
)

// reduced is num/below in lowest terms, nil when that is beyond the bound. below is not 0.
func reduced(negative bool, num, below nat) *ratio {
	if num.zero() {
		return zero
	}
	if d := num.gcd(below); !d.one() {
		num, _ = num.div(d)
		below, _ = below.div(d)
	}
	if num.bits() > maxBits || below.bits() > maxBits {
		return nil
	}
	return &ratio{negative, num, below}
}

func ratioOf(num, below uint64) *ratio { return reduced(false, natOf(num), natOf(below)) }

func (a *ratio) zero() bool { return a.num.zero() }

func (a *ratio) neg() *ratio { return &ratio{!a.negative && !a.zero(), a.num, a.below} }

func (a *ratio) abs() *ratio { return &ratio{false, a.num, a.below} }

func (a *ratio) inverse() *ratio { return &ratio{a.negative, a.below, a.num} }

func (a *ratio) add(b *ratio) *ratio {
	x, y := a.num.mul(b.below), b.num.mul(a.below)
	below := a.below.mul(b.below)
	switch {
	case a.negative == b.negative:
		return reduced(a.negative, x.add(y), below)
	case x.cmp(y) >= 0:
		return reduced(a.negative, x.sub(y), below)
	}
	return reduced(b.negative, y.sub(x), below)
}

func (a *ratio) mul(b *ratio) *ratio {
	return reduced(a.negative != b.negative, a.num.mul(b.num), a.below.mul(b.below))
}

// quo is a/b for b ≠ 0.
func (a *ratio) quo(b *ratio) *ratio { return a.mul(b.inverse()) }

func (a *ratio) cmp(b *ratio) int {
	c := 1
	if a.negative == b.negative {
		c = a.num.mul(b.below).cmp(b.num.mul(a.below))
	}
	if a.negative {
		return -c
	}
	return c
}

// pow is aⁿ; a ≠ 0 where n < 0.
func (a *ratio) pow(n int) *ratio {
	if n < 0 {
		a, n = a.inverse(), -n
	}
	out := one
	for ; n > 0 && out != nil; n-- {
		out = out.mul(a)
	}
	return out
}

// floor is the largest whole number that is not above a.
func (a *ratio) floor() *ratio {
	q, rest := a.num.div(a.below)
	if a.negative && !rest.zero() {
		q = q.add(natOne)
	}
	return reduced(a.negative, q, natOne)
}

// rootDigits is how many digits of a root are right where it has no end.
const rootDigits = 30

// sqrt is the root of a ≥ 0: exact where it is a fraction, else cut off after at least rootDigits digits.
func (a *ratio) sqrt() *ratio {
	n, d := a.num.sqrt(), a.below.sqrt()
	if n.mul(n).cmp(a.num) == 0 && d.mul(d).cmp(a.below) == 0 {
		return reduced(false, n, d)
	}
	// √a = √(a·10^2k) / 10^k, with k such that the root above the line has the digits: its highest is at half the place of a's.
	k := max(rootDigits-a.magnitude()>>1, 0)
	above, _ := a.num.mul(pow10(2 * k)).div(a.below)
	return reduced(false, above.sqrt(), pow10(k))
}

// rounded is a to so many decimals, half away from zero, without its sign: the digits before the point and those after it. exact
// tells that nothing was cut.
func (a *ratio) rounded(decimals int) (before, after string, exact bool) {
	q, rest := a.num.mul(pow10(decimals)).div(a.below)
	if rest.add(rest).cmp(a.below) >= 0 {
		q = q.add(natOne)
	}
	digits := q.decimal()
	for len(digits) <= decimals {
		digits = "0" + digits
	}
	return digits[:len(digits)-decimals], digits[len(digits)-decimals:], rest.zero()
}

// magnitude is the place of the highest digit of a ≠ 0: 2 for 360, 0 for 1, −2 for 0.039.
func (a *ratio) magnitude() int {
	whole, rest := a.num.div(a.below)
	if !whole.zero() {
		return len(whole.decimal()) - 1
	}
	place := 0
	for rest.cmp(a.below) < 0 {
		rest = rest.mul(nat{10})
		place--
	}
	return place
}
