package calc

// Value is an exact quantity: a number of base units, and what it is of. Its zero value is the plain number 0. It is immutable, and
// so safe for concurrent use.
type Value struct {
	amount ratio // in bytes, seconds, money and their products
	dim    dimension
	unit   Unit // in which it is told; the zero Unit leaves the choice to Text
	chosen bool // the unit was asked for, and stays however large the number
	binary bool // some part of it was counted by 1024
}

// quantity is so many of a unit.
func quantity(n ratio, u Unit) (Value, *Error) {
	amount, ok := n.mul(u.factor())
	if !ok {
		return Value{}, overflow()
	}
	return Value{amount: amount, dim: u.dim, unit: u, binary: u.binary}, nil
}

func overflow() *Error { return fault("overflow", 0, "", "77 digits above or below the line") }

// In is the same quantity, to be told in the given unit. The error is a *Error with the code wrong-unit.
func (v Value) In(u Unit) (Value, error) {
	if v.dim != u.dim {
		return v, fault("wrong-unit", 0, v.kind(), unitName(u))
	}
	v.unit, v.chosen, v.binary = u, true, u.binary
	return v, nil
}

// unitName is a unit as a message names it.
func unitName(u Unit) string {
	if u.text == "" {
		return "a plain number"
	}
	return u.text
}

// kind is what a quantity is told in, for messages: "req/s", "MiB", "a plain number".
func (v Value) kind() string {
	if v.unit.text != "" {
		return v.unit.text
	}
	return unitName(v.ownUnit())
}

// sum is a + b, or a − b.
func sum(a, b Value, code string) (Value, *Error) {
	if a.dim != b.dim {
		return a, fault(code, 0, b.kind(), a.kind())
	}
	amount := b.amount
	if code == "subtract" {
		amount = amount.neg()
	}
	total, ok := a.amount.add(amount)
	if !ok {
		return a, overflow()
	}
	unit := a.unit
	if unit.text == "" {
		unit = b.unit
	}
	return Value{amount: total, dim: a.dim, unit: unit, binary: a.binary || b.binary}, nil
}

func product(a, b Value) (Value, *Error) {
	amount, ok := a.amount.mul(b.amount)
	dim, fits := a.dim.times(b.dim, 1)
	return joined(a, b, amount, dim, ok, fits, a.scaledBy(b, b.scaledBy(a, Unit{})))
}

func quotient(a, b Value) (Value, *Error) {
	if b.amount.zero() {
		return a, fault("zero-division", 0, "", "")
	}
	amount, ok := a.amount.quo(b.amount)
	dim, fits := a.dim.times(b.dim, -1)
	unit := a.scaledBy(b, Unit{})
	if a.share() && b.share() {
		unit = Unit{} // how many times one share is the other
	}
	return joined(a, b, amount, dim, ok, fits, unit)
}

func joined(a, b Value, amount ratio, dim dimension, ok, fits bool, unit Unit) (Value, *Error) {
	if !fits {
		return a, fault("too-high", 0, "", "8")
	}
	if !ok {
		return a, overflow()
	}
	v := Value{amount: amount, dim: dim, unit: unit, binary: a.binary || b.binary}
	if unit.dim != dim {
		v.unit = Unit{}
	}
	return v, nil
}

// scaledBy is the unit of a where b only makes it more or less, else the other unit: 360 req/s times 2 is still told in req/s. Two
// things that are counted leave none: 4 nodes times 250 conns are neither.
func (v Value) scaledBy(b Value, other Unit) Unit {
	switch {
	case !b.dim.none():
		return other
	case !v.dim.none(), b.unit.text == "" && !v.share():
		return v.unit
	case b.share() && (!v.share() || v.unit.text == b.unit.text):
		return v.unit
	}
	return other
}

// share is true for a number that is told in % or ‰.
func (v Value) share() bool {
	return v.dim.none() && (v.unit.text == "%" || v.unit.text == "‰")
}

// power is vⁿ.
func power(v Value, n int) (Value, *Error) {
	if n < 0 && v.amount.zero() {
		return v, fault("zero-division", 0, "", "")
	}
	out := Value{binary: v.binary}
	for i := range v.dim {
		p := int(v.dim[i]) * n
		if p > maxPower || p < -maxPower {
			return v, fault("too-high", 0, "", "8")
		}
		out.dim[i] = int8(p)
	}
	var ok bool
	if out.amount, ok = v.amount.pow(n); !ok {
		return v, overflow()
	}
	return out, nil
}

func negated(v Value) Value {
	v.amount = v.amount.neg()
	return v
}

// function is what may be called, with how many arguments.
type function struct {
	name string
	min  int
	max  int
}

var functions = [...]function{{"min", 1, 32}, {"max", 1, 32}, {"ceil", 1, 1}, {"floor", 1, 1}, {"round", 1, 1}, {"sqrt", 1, 1}}

func functionOf(name string) (function, bool) {
	for _, f := range functions {
		if f.name == name {
			return f, true
		}
	}
	return function{}, false
}

// apply calls a function; the number of arguments is right.
func apply(name string, args []Value) (Value, *Error) {
	v := args[0]
	switch name {
	case "min", "max":
		for _, a := range args[1:] {
			if a.dim != v.dim {
				return v, fault("compare", 0, v.kind(), a.kind())
			}
			if less := a.amount.cmp(v.amount) < 0; less == (name == "min") {
				v = a
			}
		}
		return v, nil
	case "sqrt":
		return root(v)
	}
	if !v.dim.none() {
		return v, fault("not-a-count", 0, v.kind(), "divide it by a unit first, as in "+name+"(x / (1 "+v.kind()+"))")
	}
	switch name {
	case "floor":
		v.amount = v.amount.floor()
	case "ceil":
		v.amount = v.amount.neg().floor().neg()
	case "round":
		before, _, _ := v.amount.rounded(0)
		v.amount = ratio{negative: v.amount.negative && before != "0", num: natOfDigits(before)}
	}
	if v.share() {
		v.unit = Unit{}
	}
	return v, nil
}

// root is the square root.
func root(v Value) (Value, *Error) {
	if v.amount.negative {
		return v, fault("negative-root", 0, v.Text().String(), "")
	}
	out := Value{binary: v.binary}
	for i := range v.dim {
		if v.dim[i]%2 != 0 {
			return v, fault("odd-root", 0, v.kind(), "")
		}
		out.dim[i] = v.dim[i] / 2
	}
	var ok bool
	if out.amount, ok = v.amount.sqrt(); !ok {
		return v, overflow()
	}
	return out, nil
}
