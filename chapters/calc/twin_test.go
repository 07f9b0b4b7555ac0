package calc

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// dumb is an expression with what math/big says that it is: a number of bytes, seconds and money. nil where it has no value.
type dumb struct {
	text string
	n    *big.Rat
	dim  [3]int
}

// twinUnits are units with what one of each is, written down by hand from the standards.
var twinUnits = []dumb{
	{"", rat("1"), [3]int{}},
	{" req", rat("1"), [3]int{}},
	{" k", rat("1000"), [3]int{}},
	{" 万次", rat("10000"), [3]int{}},
	{"%", rat("1/100"), [3]int{}},
	{" B", rat("1"), [3]int{1}},
	{" kB", rat("1000"), [3]int{1}},
	{" GB", rat("1000000000"), [3]int{1}},
	{" KiB", rat("1024"), [3]int{1}},
	{" MiB", rat("1048576"), [3]int{1}},
	{" Mbit", rat("125000"), [3]int{1}},
	{" ms", rat("1/1000"), [3]int{0, 1}},
	{" s", rat("1"), [3]int{0, 1}},
	{" min", rat("60"), [3]int{0, 1}},
	{" days", rat("86400"), [3]int{0, 1}},
	{" month", rat("2628000"), [3]int{0, 1}},
	{" req/s", rat("1"), [3]int{0, -1}},
	{" M req/day", rat("1000000/86400"), [3]int{0, -1}},
	{" MiB/s", rat("1048576"), [3]int{1, -1}},
	{" $", rat("1"), [3]int{0, 0, 1}},
	{" $/(GB·month)", rat("1/2628000000000000"), [3]int{-1, -1, 1}},
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return r
}

// expressions draws an expression in which every operation stands in a bracket.
func expressions(t *rapid.T, depth int) dumb {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		u := rapid.SampledFrom(twinUnits).Draw(t, "unit")
		digits := rapid.StringMatching(`(0|[1-9][0-9]{0,4})(\.[0-9]{1,3})?`).Draw(t, "digits")
		return dumb{digits + u.text, new(big.Rat).Mul(rat(digits), u.n), u.dim}
	}
	a := expressions(t, depth-1)
	switch op := rapid.SampledFrom([]string{"+", "-", "*", "/", "^", "neg", "min", "max", "ceil"}).Draw(t, "op"); op {
	case "neg":
		a.text = "(-" + a.text + ")"
		if a.n != nil {
			a.n = new(big.Rat).Neg(a.n)
		}
		return a
	case "^":
		a.text = "((" + a.text + ") ^ 2)"
		if a.n != nil {
			a.n = new(big.Rat).Mul(a.n, a.n)
		}
		for i := range a.dim {
			a.dim[i] *= 2
		}
		return a
	case "ceil":
		a.text = "ceil(" + a.text + ")"
		if a.dim != [3]int{} {
			a.n = nil
		}
		if a.n != nil {
			up := new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(a.n.Num()), a.n.Denom()))
			a.n = new(big.Rat).SetInt(up)
		}
		return a
	default:
		return both(op, a, expressions(t, depth-1))
	}
}

// both joins two expressions.
func both(op string, a, b dumb) dumb {
	out := dumb{text: "(" + a.text + " " + op + " " + b.text + ")", dim: a.dim}
	if op == "min" || op == "max" {
		out.text = op + "(" + a.text + ", " + b.text + ")"
	}
	for i := range out.dim {
		switch op {
		case "*":
			out.dim[i] += b.dim[i]
		case "/":
			out.dim[i] -= b.dim[i]
		}
	}
	if a.n == nil || b.n == nil || op != "*" && op != "/" && a.dim != b.dim {
		return out
	}
	switch op {
	case "+":
		out.n = new(big.Rat).Add(a.n, b.n)
	case "-":
		out.n = new(big.Rat).Sub(a.n, b.n)
	case "*":
		out.n = new(big.Rat).Mul(a.n, b.n)
	case "/":
		if b.n.Sign() != 0 {
			out.n = new(big.Rat).Quo(a.n, b.n)
		}
	case "min", "max":
		out.n = a.n
		if less := b.n.Cmp(a.n) < 0; less == (op == "min") {
			out.n = b.n
		}
	}
	return out
}

// Whatever is computed is what math/big says, exactly; whatever has no value there has none here. The only other reason for a fault is
// a bound.
func TestExpressionsAreThoseOfMathBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := expressions(t, 4)
		s, errs := Parse("x = " + want.text)
		if len(errs) > 0 {
			switch errs[0].Code {
			case "overflow", "too-high":
				return
			}
			if want.n != nil {
				t.Fatalf("%s: %v, want %v", want.text, errs[0], want.n)
			}
			return
		}
		got := s.lines[0].Value
		if want.n == nil {
			t.Fatalf("%s: got %v, want a fault", want.text, got)
		}
		if got.amount.big().Cmp(want.n) != 0 {
			t.Fatalf("%s: got %v, want %v", want.text, got.amount.big(), want.n)
		}
		if dim := [3]int{int(got.dim[bytes]), int(got.dim[seconds]), int(got.dim[dollars])}; dim != want.dim {
			t.Fatalf("%s: got dimension %v, want %v", want.text, dim, want.dim)
		}
		checkTold(t, got)
	})
}

// checkTold reads the number that is told back, and holds it against the value: to three digits, and exactly where it says so.
func checkTold(t *rapid.T, v Value) {
	text := v.Text()
	back, errs := Parse("x = " + text.String())
	if len(errs) > 0 {
		t.Fatalf("%s does not parse: %v", text, errs[0])
	}
	got, want := back.lines[0].Value.amount.big(), v.amount.big()
	if text.Exact != (got.Cmp(want) == 0) {
		t.Fatalf("%s says exact: %v; it stands for %v", text, text.Exact, want)
	}
	if want.Sign() == 0 {
		return
	}
	off := new(big.Rat).Sub(got, want)
	if off.Quo(off, want).Abs(off).Cmp(rat("5/1000")) > 0 {
		t.Fatalf("%s stands for %v: off by more than half of the third digit", text, want)
	}
}

// What is printed with few brackets is what was written with many.
func TestExprKeepsItsMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := expressions(t, 4)
		s, _ := Parse("x = " + e.text)
		printed := s.String()
		if printed == "" {
			return // beyond a bound while it was read
		}
		again, _ := Parse(printed)
		a, b := s.lines[0], again.lines[0]
		if (a.Err == nil) != (b.Err == nil) || a.Value.number().cmp(b.Value.number()) != 0 || a.Value.dim != b.Value.dim {
			t.Fatalf("%s\nis printed as %s\nwhich is %v (%v), want %v (%v)", e.text, printed, b.Value, b.Err, a.Value, a.Err)
		}
		if again.String() != printed {
			t.Fatalf("%s is printed as\n%sand that as\n%s", e.text, printed, again)
		}
		if strings.Count(printed, "(") > strings.Count(e.text, "(") {
			t.Fatalf("%s is printed with more brackets: %s", e.text, printed)
		}
	})
}
