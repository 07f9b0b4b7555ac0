package calc

import (
	"strconv"
	"strings"
)

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
func (v Value) Text() Text { return v.tell(&usual) }

// String is the Text in one.
func (v Value) String() string { return v.Text().String() }

func (v *Value) tell(p *precision) Text {
	u := v.unit
	if u == nil || !v.chosen && !v.readable(u) {
		u = v.ownUnit()
	}
	n := v.number().quo(u.scale)
	if n == nil { // too small or too large by far for the unit; it has a number at least
		n, u = v.number(), v.dim.baseUnit()
	}
	number, exact := p.write(n)
	return u.around(number, exact)
}

// around is a number in the unit. A minus goes before a currency's sign: −$5.
func (u *Unit) around(number string, exact bool) Text {
	u = u.or()
	before := u.before
	if rest, ok := strings.CutPrefix(number, "−"); ok && before != "" {
		before, number = "−"+before, rest
	}
	return Text{before, number, u.after, exact}
}

// readable is false for a size or a time whose number is out of proportion to the unit that it inherited: 20,000,000 KiB.
func (v *Value) readable(u *Unit) bool {
	if v.dim[bytes] == 0 && v.dim[seconds] <= 0 || v.number().zero() {
		return true
	}
	n := v.number().quo(u.scale)
	if n == nil {
		return false
	}
	place, most := n.magnitude(), 3
	if v.dim[bytes] == 0 {
		most = 2 // minutes are not told in thousands of seconds
	}
	return place >= -1 && place <= most
}

func (p *precision) write(n *ratio) (string, bool) {
	place := 0
	if !n.zero() {
		place = n.magnitude()
	}
	exponent, decimals := "", max(p.usual, p.digits-1-place)
	if place < -6 || place > 17 {
		// Far from 1: 1.23e-10.
		exponent = "e" + strconv.Itoa(place)
		decimals = max(p.digits, 1) - 1
		if n = n.scaled(-place); n == nil {
			return "0", false // cannot be: the number had room for its digits
		}
	}
	before, after, exact := n.rounded(decimals)
	if exponent != "" && before == "10" {
		before, exponent = "1", "e"+strconv.Itoa(place+1)
	}
	text := pointed(before, after, p.least)
	if n.negative && strings.Trim(before+after, "0") != "" {
		text = "−" + text
	}
	return text + exponent, exact
}

// scaled is n·10^place.
func (a *ratio) scaled(place int) *ratio {
	return reduced(a.negative, a.num.mul(pow10(place)), a.below.mul(pow10(-place)))
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

func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// baseUnit is the dimension written out in bases.
func (d dimension) baseUnit() *Unit {
	var b builder
	for _, sign := range []int{1, -1} {
		for i, name := range baseNames {
			if p := int(d[i]) * sign; p > 0 {
				b.add(wordOf(name), p, sign)
			}
		}
	}
	return b.unit().or()
}

// ownUnit is the unit in which a quantity reads best when nobody has said: the largest that is not above it, of bytes by 1024 if
// something in it was counted so.
func (v *Value) ownUnit() *Unit {
	money, moneys := "", 0
	for i, name := range baseNames {
		if p := v.dim[i]; i > seconds && p != 0 {
			money = name
			moneys += int(p * p)
		}
	}
	ladder := ""
	switch d := v.dim; [3]int{int(d[bytes]), int(d[seconds]), moneys} {
	case [3]int{0, 0, 1}:
		ladder = money
	case [3]int{0, -1, 1}:
		ladder = money + "/month"
	case [3]int{-1, 0, 1}:
		ladder = money + "/GB"
	case [3]int{-1, -1, 1}:
		ladder = money + "/(GB·month)"
	case [3]int{1, 0, 0}:
		ladder = sizes(v.binary, "")
	case [3]int{1, -1, 0}:
		ladder = sizes(v.binary, "/s")
	case [3]int{0, 1, 0}:
		ladder = "s ns us ms s min h day"
	case [3]int{0, -1, 0}:
		ladder = "/s /day /h /min /s"
	}
	var best *Unit
	for i, name := range strings.Fields(ladder) {
		u, _ := readUnit(name)
		switch {
		case u == nil || u.dim != v.dim: // money below the line
		case i == 0 && v.number().zero():
			return u
		case best == nil || i == 1 || v.number().abs().cmp(u.least()) >= 0:
			best = u
		}
	}
	if best == nil {
		return v.dim.baseUnit()
	}
	return best
}

// sizes are the units of sizes, or of sizes a second: first the one for nothing, then all from the smallest.
func sizes(binary bool, per string) string {
	prefixes := []string{"", "", "k", "M", "G", "T", "P"}
	if binary {
		prefixes = []string{"", "", "Ki", "Mi", "Gi", "Ti", "Pi"}
	}
	return strings.Join(prefixes, "B"+per+" ") + "B" + per
}

// least is how much is told in the unit: one, but of minutes, hours and days two.
func (u *Unit) least() *ratio {
	if u.text == "min" || u.text == "h" || u.text == "day" {
		return u.scale.mul(&ratio{num: nat{2}, below: natOne})
	}
	return u.scale
}
