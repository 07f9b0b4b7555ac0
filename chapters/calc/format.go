package calc

import "strings"

// Text is a quantity in parts that every language puts together the same way: "$" "2.22" "/month", "" "7.03" " MiB/s". Digits are
// grouped by commas, the minus is U+2212, and After holds its own space.
type Text struct {
	Before string
	Number string
	After  string
	Exact  bool // nothing was rounded away
}

// String is the parts together. Parse reads it back as an expression.
func (t Text) String() string { return t.Before + t.Number + t.After }

// precision is how much of a number is told.
type precision struct {
	least  int // decimals that are told even when they are zeros
	usual  int // decimals
	digits int // significant digits for which more decimals are told
}

// usual is for numbers whose author said nothing.
var usual = precision{usual: 2, digits: 3}

// Text tells a quantity: in its unit, or in the one that reads best, with two decimals, and with more where three digits would not be
// told otherwise; without trailing zeros.
func (v Value) Text() Text { return v.tell(usual) }

// String is the Text in one.
func (v Value) String() string { return v.Text().String() }

func (v Value) tell(p precision) Text {
	u := v.unit
	if u.text == "" || !v.chosen && !v.readable(u) {
		u = v.ownUnit()
	}
	n, ok := v.amount.quo(u.factor())
	if !ok {
		n, u = v.amount, v.dim.baseUnit() // too small or too large by far; it has a number at least
	}
	number, exact := p.write(n)
	return u.around(number, exact)
}

// around is a number in the unit. A minus goes before a currency's sign: −$5.
func (u Unit) around(number string, exact bool) Text {
	t := Text{Before: u.before, Number: number, After: u.after, Exact: exact}
	if rest, ok := strings.CutPrefix(number, "−"); ok && t.Before != "" {
		t.Before, t.Number = "−"+t.Before, rest
	}
	return t
}

// readable is false for a size or a time whose number is out of proportion to the unit that it inherited: 20,000,000 KiB.
func (v Value) readable(u Unit) bool {
	if v.dim[bytes] == 0 && v.dim[seconds] <= 0 || v.amount.zero() {
		return true
	}
	n, ok := v.amount.quo(u.factor())
	if !ok {
		return false
	}
	place, most := n.magnitude(), 3
	if v.dim[bytes] == 0 {
		most = 2 // minutes are not told in thousands of seconds
	}
	return place >= -1 && place <= most
}

func (p precision) write(n ratio) (string, bool) {
	sign := ""
	if n.negative {
		sign = "−"
	}
	if n.zero() {
		return pointed("0", strings.Repeat("0", p.least), p.least), true
	}
	place := n.magnitude()
	if place < -6 || place > 17 {
		text, exact := p.scientific(n, place)
		return sign + text, exact
	}
	before, after, exact := n.rounded(max(p.usual, p.digits-1-place))
	if strings.Trim(before+after, "0") == "" {
		sign = ""
	}
	return sign + pointed(before, after, p.least), exact
}

// pointed puts digits together, without trailing zeros beyond so many decimals.
func pointed(before, after string, decimals int) string {
	for len(after) > decimals && after[len(after)-1] == '0' {
		after = after[:len(after)-1]
	}
	if after != "" {
		after = "." + after
	}
	return grouped(before) + after
}

// scientific writes a number far from 1: 1.23e-10.
func (p precision) scientific(n ratio, place int) (string, bool) {
	scale := ratio{num: pow10(place)}
	if place < 0 {
		scale = ratio{num: nat{1}, den: pow10(-place)}
	}
	m, ok := n.abs().quo(scale)
	if !ok {
		return "0", false
	}
	before, after, exact := m.rounded(max(p.digits, 1) - 1)
	if before == "10" {
		before = "1"
		place++
	}
	exponent := ""
	if place < 0 {
		exponent, place = "-", -place
	}
	return pointed(before, after, 0) + "e" + exponent + natOf(uint64(place)).decimal(), exact
}

func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// baseUnit is the dimension written out in bases.
func (d dimension) baseUnit() Unit {
	var b builder
	for _, sign := range [2]int8{1, -1} {
		for i, p := range d {
			if w, ok := wordOf(baseNames[i]); ok && p*sign > 0 {
				b.add(w, int(p*sign), sign)
			}
		}
	}
	return b.unit()
}

// ownUnit is the unit in which a quantity reads best when nobody has said: the largest that is not above it, of bytes by 1024 if
// something in it was counted so.
func (v Value) ownUnit() Unit {
	d := v.dim
	size, time := d[bytes], d[seconds]
	d[bytes], d[seconds] = 0, 0
	money := ""
	for i, p := range d {
		if p == 0 {
			continue
		}
		if p != 1 || money != "" {
			return v.dim.baseUnit()
		}
		money = baseNames[i]
	}
	switch {
	case money != "" && size == 0 && time == 0:
		return unitNamed(money)
	case money != "" && size == 0 && time == -1:
		return unitNamed(money + "/month")
	case money != "" && size == -1 && time == 0:
		return unitNamed(money + "/GB")
	case money != "" && size == -1 && time == -1:
		return unitNamed(money + "/(GB·month)")
	case money != "":
	case size == 1 && time == 0:
		return v.largest("B", "", sizes(v.binary))
	case size == 1 && time == -1:
		return v.largest("B", "/s", sizes(v.binary))
	case size == 0 && time == 1:
		return v.largest("s", "", []string{"ns", "us", "ms", "s", "min", "h", "day"})
	case size == 0 && time == -1:
		return v.largest("/s", "", []string{"/day", "/h", "/min", "/s"})
	case size == 0 && time == 0:
		return Unit{}
	}
	return v.dim.baseUnit()
}

func sizes(binary bool) []string {
	if binary {
		return []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	}
	return []string{"B", "kB", "MB", "GB", "TB", "PB"}
}

// largest is the last of some units, which grow, of which there is at least one; of minutes, hours and days, at least two. It is
// the one named for zero where there is nothing.
func (v Value) largest(zero, per string, names []string) Unit {
	if v.amount.zero() {
		return unitNamed(zero + per)
	}
	best := unitNamed(names[0] + per)
	for _, name := range names[1:] {
		u := unitNamed(name + per)
		least := u.factor()
		if name == "min" || name == "h" || name == "day" {
			least, _ = least.mul(ratioOf(2))
		}
		if v.amount.abs().cmp(least) >= 0 {
			best = u
		}
	}
	return best
}

// unitNamed is a unit that is known to exist.
func unitNamed(text string) Unit {
	u, err := ParseUnit(text)
	if err != nil {
		panic("calc: " + text + ": " + err.Error())
	}
	return u
}
