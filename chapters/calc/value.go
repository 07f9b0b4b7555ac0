package calc

// Value is an exact quantity: a number of base units, and what it is of. Its zero value is the plain number 0. It is immutable, and
// so safe for concurrent use.
type Value struct {
	amount *ratio // in bytes, seconds, money and their products; nil is 0
	dim    dimension
	unit   *Unit // in which it is told; nil leaves the choice to Text
	chosen bool  // the unit was asked for, and stays however large the number
	binary bool  // some part of it was counted by 1024
}

func (v *Value) number() *ratio {
	if v.amount == nil {
		return zero
	}
	return v.amount
}

// quantity is so many of a unit.
func quantity(n *ratio, u *Unit) (Value, *Error) {
	return Value{dim: u.or().dim, unit: u, binary: u.or().binary}.with(n.mul(u.or().scale))
}

// with is v with another number, which is nil where it is beyond the bound.
func (v Value) with(n *ratio) (Value, *Error) {
	if n == nil {
		return v, fault("overflow", 0, "", "77 digits above or below the line")
	}
	v.amount = n
	return v, nil
}

// In is the same quantity, to be told in the given unit. The error is a *Error with the code wrong-unit.
func (v Value) In(u *Unit) (Value, error) {
	v, err := v.in(u.or())
	if err != nil {
		return v, err
	}
	return v, nil
}

func (v Value) in(u *Unit) (Value, *Error) {
	if v.dim != u.dim {
		return v, fault("wrong-unit", 0, v.kind(), u.kind())
	}
	v.unit, v.chosen, v.binary = u, true, u.binary
	return v, nil
}

// kind is what a quantity is told in, for messages: "req/s", "MiB", "a plain number".
func (v *Value) kind() string {
	if v.unit != nil {
		return v.unit.kind()
	}
	return v.ownUnit().kind()
}

// sum is a + b for the code add, a − b for subtract.
func sum(a, b *Value, code string) (Value, *Error) {
	if a.dim != b.dim {
		return *a, fault(code, 0, b.kind(), a.kind())
	}
	n := b.amount
	if code == "subtract" {
		n = n.neg()
	}
	v := Value{dim: a.dim, unit: a.unit, binary: a.binary || b.binary}
	if v.unit == nil {
		v.unit = b.unit
	}
	return v.with(a.amount.add(n))
}

// product is a·b for the sign 1, a/b for −1.
func product(a, b *Value, sign int) (Value, *Error) {
	n, unit := b.amount, a.scaledBy(b)
	if sign < 0 {
		if n.zero() {
			return *a, fault("zero-division", 0, "", "")
		}
		n = n.inverse()
		if a.share() && b.share() {
			unit = nil // how many times one share is the other
		}
	} else if unit == nil {
		unit = b.scaledBy(a)
	}
	dim, ok := a.dim.times(b.dim, sign)
	if !ok {
		return *a, fault("too-high", 0, "", "8")
	}
	if unit.or().dim != dim {
		unit = nil
	}
	return Value{dim: dim, unit: unit, binary: a.binary || b.binary}.with(a.amount.mul(n))
}

// scaledBy is the unit of a where b only makes it more or less: 360 req/s times 2 is still told in req/s. Two things that are counted
// leave none: 4 nodes times 250 conns are neither.
func (v *Value) scaledBy(b *Value) *Unit {
	switch {
	case !b.dim.none():
	case !v.dim.none(), b.unit == nil && !v.share():
		return v.unit
	case b.share() && (!v.share() || v.unit.text == b.unit.text):
		return v.unit
	}
	return nil
}

// share is true for a number that is told in % or ‰.
func (v *Value) share() bool {
	return v.dim.none() && v.unit != nil && (v.unit.text == "%" || v.unit.text == "‰")
}

// power is vⁿ.
func power(v *Value, n int) (Value, *Error) {
	if n < 0 && v.amount.zero() {
		return *v, fault("zero-division", 0, "", "")
	}
	out := Value{binary: v.binary}
	for i := range v.dim {
		p := int(v.dim[i]) * n
		if p > maxPower || p < -maxPower {
			return *v, fault("too-high", 0, "", "8")
		}
		out.dim[i] = int8(p)
	}
	return out.with(v.amount.pow(n))
}

// argumentsOf is how many arguments a function takes at most, 0 for what is none. Each takes one at least.
func argumentsOf(function string) int {
	switch function {
	case "min", "max":
		return 32
	case "ceil", "floor", "round", "sqrt":
		return 1
	}
	return 0
}

// apply calls a function; the number of arguments is right.
func apply(name string, args []Value) (Value, *Error) {
	v := args[0]
	switch name {
	case "min", "max":
		for i := range args {
			a := &args[i]
			if a.dim != v.dim {
				return v, fault("compare", 0, v.kind(), a.kind())
			}
			if less := a.amount.cmp(v.amount) < 0; less == (name == "min") {
				v = *a
			}
		}
		return v, nil
	case "sqrt":
		return root(&v)
	}
	if !v.dim.none() {
		return v, fault("not-a-count", 0, v.kind(), "divide it by a unit first, as in "+name+"(x / (1 "+v.kind()+"))")
	}
	if v.share() {
		v.unit = nil
	}
	n := v.amount
	switch name {
	case "floor":
		n = n.floor()
	case "ceil":
		n = n.neg().floor().neg()
	default:
		before, _, _ := n.rounded(0)
		n = reduced(n.negative, natOfDigits(before), natOne)
	}
	return v.with(n)
}

// root is the square root.
func root(v *Value) (Value, *Error) {
	if v.amount.negative {
		return *v, fault("negative-root", 0, v.String(), "")
	}
	out := Value{binary: v.binary}
	for i := range v.dim {
		if v.dim[i]%2 != 0 {
			return *v, fault("odd-root", 0, v.kind(), "")
		}
		out.dim[i] = v.dim[i] / 2
	}
	return out.with(v.amount.sqrt())
}
