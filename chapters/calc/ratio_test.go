package calc

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The twin of nat and ratio is math/big, which may not be linked but may be asked.

func (a nat) big() *big.Int {
	out := new(big.Int)
	for i := len(a) - 1; i >= 0; i-- {
		out.Lsh(out, 32).Or(out, big.NewInt(int64(a[i])))
	}
	return out
}

func (a *ratio) big() *big.Rat {
	out := new(big.Rat).SetFrac(a.num.big(), a.below.big())
	if a.negative {
		out.Neg(out)
	}
	return out
}

// limbs prefers the values at which carries and guesses go wrong.
var limbs = rapid.OneOf(rapid.Uint32(), rapid.SampledFrom([]uint32{0, 1, 1 << 31, 1<<31 - 1, 1<<32 - 1}))

func nats(most int) *rapid.Generator[nat] {
	return rapid.Custom(func(t *rapid.T) nat { return nat(rapid.SliceOfN(limbs, 0, most).Draw(t, "limbs")).trim() })
}

var ratios = rapid.Custom(func(t *rapid.T) *ratio {
	den := nats(4).Filter(func(n nat) bool { return !n.zero() }).Draw(t, "below")
	r := reduced(rapid.Bool().Draw(t, "negative"), nats(4).Draw(t, "above"), den)
	if r == nil {
		t.Fatal("four limbs are beyond the bound")
	}
	return r
})

func TestNaturalsAreThoseOfMathBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := nats(9).Draw(t, "a"), nats(6).Draw(t, "b")
		same := func(what string, got nat, want *big.Int) {
			t.Helper()
			if got.big().Cmp(want) != 0 {
				t.Fatalf("%s: got %v, want %v", what, got.big(), want)
			}
			if len(got) > 0 && got[len(got)-1] == 0 {
				t.Fatalf("%s: %v has a leading zero", what, got)
			}
		}
		x, y := a.big(), b.big()
		same("a+b", a.add(b), new(big.Int).Add(x, y))
		same("a·b", a.mul(b), new(big.Int).Mul(x, y))
		same("√a", a.sqrt(), new(big.Int).Sqrt(x))
		if a.cmp(b) >= 0 {
			same("a−b", a.sub(b), new(big.Int).Sub(x, y))
		}
		if got, want := a.cmp(b), x.Cmp(y); got != want {
			t.Fatalf("cmp: got %d, want %d", got, want)
		}
		if got, want := a.bits(), x.BitLen(); got != want {
			t.Fatalf("bits: got %d, want %d", got, want)
		}
		if got, want := a.decimal(), x.String(); got != want {
			t.Fatalf("decimal: got %s, want %s", got, want)
		}
		same("digits", natOfDigits(x.String()), x)
		if !b.zero() {
			q, r := a.div(b)
			wantQ, wantR := new(big.Int).QuoRem(x, y, new(big.Int))
			same("a div b", q, wantQ)
			same("a mod b", r, wantR)
		}
		if !a.zero() && !b.zero() {
			same("gcd", a.gcd(b), new(big.Int).GCD(nil, nil, x, y))
		}
	})
}

// The guess of algorithm D is one too large in about two of 2^32 divisions: random limbs do not meet such a case, these do.
func TestDivisionGivesBackAGuessThatWasTooLarge(t *testing.T) {
	for _, c := range [][2]nat{
		{{3, 0, 0x80000000}, {1, 0, 0x20000000}}, // Hacker's Delight, divmnu: the add-back step
		{{0, 0, 0x8000, 0x7fff}, {1, 0, 0x8000}}, //
		{{0, 0xfffe, 0x8000}, {0xffff, 0x8000}},  //
		{{0, 0xffffffff, 0x80000000, 0x7fffffff}, {1, 0, 0x80000000}},
	} {
		q, r := c[0].div(c[1])
		wantQ, wantR := new(big.Int).QuoRem(c[0].big(), c[1].big(), new(big.Int))
		if q.big().Cmp(wantQ) != 0 || r.big().Cmp(wantR) != 0 {
			t.Errorf("%v div %v: got %v rest %v, want %v rest %v", c[0].big(), c[1].big(), q.big(), r.big(), wantQ, wantR)
		}
	}
}

func TestRatiosAreThoseOfMathBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := ratios.Draw(t, "a"), ratios.Draw(t, "b")
		x, y := a.big(), b.big()
		same := func(what string, got *ratio, want *big.Rat) {
			t.Helper()
			ok := got != nil
			fits := want.Num().BitLen() <= maxBits && want.Denom().BitLen() <= maxBits
			if ok != fits {
				t.Fatalf("%s: ok %v of %v, which has %d and %d bits", what, ok, want, want.Num().BitLen(), want.Denom().BitLen())
			}
			if ok && got.big().Cmp(want) != 0 {
				t.Fatalf("%s: got %v, want %v", what, got.big(), want)
			}
		}
		same("a+b", a.add(b), new(big.Rat).Add(x, y))
		same("a·b", a.mul(b), new(big.Rat).Mul(x, y))
		if !b.zero() {
			same("a/b", a.quo(b), new(big.Rat).Quo(x, y))
		}
		if got, want := a.cmp(b), x.Cmp(y); got != want {
			t.Fatalf("cmp: got %d, want %d", got, want)
		}
		floor := new(big.Int).Div(x.Num(), x.Denom()) // Euclid's, which is the floor for a divisor above 0
		same("floor", a.floor(), new(big.Rat).SetInt(floor))
		decimals := rapid.IntRange(0, 30).Draw(t, "decimals")
		before, after, exact := a.rounded(decimals)
		text := before
		if decimals > 0 {
			text += "." + after
		}
		if want := new(big.Rat).Abs(x).FloatString(decimals); text != want { // rounds half away from zero
			t.Fatalf("rounded to %d: got %s, want %s", decimals, text, want)
		}
		if back, _ := new(big.Rat).SetString(text); exact != (back.Cmp(new(big.Rat).Abs(x)) == 0) {
			t.Fatalf("rounded to %d: exact %v of %v, which gives %s", decimals, exact, x, text)
		}
		if !a.zero() {
			checkMagnitude(t, a)
		}
	})
}

func checkMagnitude(t *rapid.T, a *ratio) {
	place := a.magnitude()
	ten := func(n int) *big.Rat {
		p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
		if n < 0 {
			p.Inv(p)
		}
		return p
	}
	x := new(big.Rat).Abs(a.big())
	if x.Cmp(ten(place)) < 0 || x.Cmp(ten(place+1)) >= 0 {
		t.Fatalf("magnitude of %v: got %d", x, place)
	}
}

// A root is exact where it can be, and else right in rootDigits digits.
func TestRoots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Custom(func(t *rapid.T) *ratio {
			den := nats(2).Filter(func(n nat) bool { return !n.zero() }).Draw(t, "below")
			return reduced(false, nats(2).Draw(t, "above"), den)
		}).Draw(t, "a")
		if square := a.mul(a); square != nil {
			if root := square.sqrt(); root == nil || root.cmp(a) != 0 {
				t.Fatalf("the root of the square of %v: got %v", a.big(), root.big())
			}
		}
		root := a.sqrt()
		if root == nil {
			t.Fatalf("no root of %v", a.big())
		}
		const bits = 400
		want := new(big.Float).SetPrec(bits).Sqrt(new(big.Float).SetPrec(bits).SetRat(a.big()))
		got := new(big.Float).SetPrec(bits).SetRat(root.big())
		if a.zero() {
			return
		}
		// Text to rootDigits digits, cut like ours would hide a carry: the relative error says it straight.
		off := new(big.Float).SetPrec(bits).Sub(want, got)
		off.Quo(off, want).Abs(off)
		if bound, _ := new(big.Float).SetPrec(bits).SetString("1e-" + "29"); off.Cmp(bound) > 0 {
			t.Fatalf("root of %v: got %v, want %v", a.big(), got.Text('g', 40), want.Text('g', 40))
		}
	})
}

func TestPowers(t *testing.T) {
	for _, c := range []struct {
		base *ratio
		n    int
		want string
	}{
		{ratioOf(2, 1), 10, "1024"},
		{ratioOf(2, 1), 0, "1"},
		{ratioOf(2, 1), -3, "1/8"},
		{ratioOf(10, 1).neg(), 3, "-1000"},
	} {
		got := c.base.pow(c.n)
		if want, _ := new(big.Rat).SetString(c.want); got == nil || got.big().Cmp(want) != 0 {
			t.Errorf("%v^%d: got %v, want %s", c.base.big(), c.n, got.big(), c.want)
		}
	}
	if ratioOf(10, 1).pow(80) != nil {
		t.Error("10^80 fits, want an overflow: it has 266 bits")
	}
	if digits := strings.Repeat("9", 90); natOfDigits(digits).decimal() != digits {
		t.Errorf("ninety nines do not come back")
	}
}
