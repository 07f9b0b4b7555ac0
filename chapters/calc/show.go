package calc

import "strings"

// Show is the value of a name for people: in the given unit, or where that is empty as the author wrote it: an input as it stands, a
// result in the unit and with the decimals of its check, and anything else as Value.Text has it. The error is a *Error.
func (s *Sheet) Show(name, unit string) (Text, error) {
	i := s.find(name)
	if i < 0 {
		return Text{}, s.unknown(token{text: name})
	}
	l := &s.lines[i]
	if l.Err != nil {
		return Text{}, l.Err
	}
	if unit == "" {
		return l.Shown()[0], nil
	}
	u, err := ParseUnit(unit)
	if err != nil {
		return Text{}, err
	}
	v, err := l.Value.In(u)
	if err != nil {
		return Text{}, err
	}
	if l.Input && l.root.literal().of.unit.text == u.text {
		return l.literalText(), nil
	}
	for _, c := range l.checks {
		if c.unit.text == u.text {
			return v.tell(c.precision()), nil
		}
	}
	return v.Text(), nil
}

// Shown is a line's value for people, as Show has it, followed by the other units in which its author gave the result. It is empty for
// a line without a value.
func (l *Line) Shown() []Text {
	switch {
	case l.Err != nil || l.root == nil:
		return nil
	case l.Input:
		return []Text{l.literalText()}
	case len(l.checks) == 0:
		return []Text{l.Value.Text()}
	}
	out := make([]Text, len(l.checks))
	for i, c := range l.checks {
		v := l.Value
		v.unit, v.chosen = c.unit, true
		out[i] = v.tell(c.precision())
	}
	return out
}

// Others are the units of Shown but the first's, as Show takes them.
func (l *Line) Others() []string {
	var out []string
	for i, c := range l.checks {
		if i > 0 && !l.Input {
			out = append(out, c.unit.text)
		}
	}
	return out
}

// literalText is an input as it stands.
func (l *Line) literalText() Text {
	n, minus := l.root.literal(), ""
	if l.root.op == '~' {
		minus = "−"
	}
	return n.of.unit.around(minus+digitsGrouped(n.text), true)
}

// digitsGrouped groups the digits before the point of a number as it was written.
func digitsGrouped(number string) string {
	sign := ""
	if rest, ok := strings.CutPrefix(number, "−"); ok {
		sign, number = "−", rest
	}
	cut := strings.IndexAny(number, ".e")
	if cut < 0 {
		cut = len(number)
	}
	return sign + grouped(number[:cut]) + number[cut:]
}

// Kind says what a Piece is.
type Kind uint8

// The kinds of pieces.
const (
	Name   Kind = iota // of a line
	Number             // with its unit
	Sign               // an operator with the spaces around it, a bracket, a comma, the name of a function
)

// Piece is a part of an expression, for people: 峰值, 20 KiB, " × ".
type Piece struct {
	Kind Kind
	Text string
}

// Expr is a line's expression in the signs of print, with no more brackets than it needs. The texts together can be parsed.
func (l *Line) Expr() []Piece {
	if l.root == nil {
		return nil
	}
	var w pieces
	w.write(l.root, 1)
	return w.out
}

type pieces struct {
	out   []Piece
	depth int // of brackets, within which digits are not grouped
}

func (w *pieces) sign(text string) { w.out = append(w.out, Piece{Sign, text}) }

// level is how tightly an expression binds.
func (n *node) level() int {
	switch n.op {
	case '+', '-':
		return 1
	case '*', '/':
		return 2
	case '~':
		return 3
	case '^':
		return 4
	case '#':
		if n.of.unit.text != "" {
			return 4 // a power would seem to be the unit's
		}
	}
	return 5
}

var printed = map[byte]string{'+': " + ", '-': " − ", '*': " × ", '/': " ÷ "}

// write writes an expression that stands where level binds.
func (w *pieces) write(n *node, level int) {
	own := n.level()
	if own < level {
		w.bracket(func() { w.write(n, 1) })
		return
	}
	switch n.op {
	case '#':
		digits := n.text
		if w.depth == 0 {
			digits = digitsGrouped(digits)
		}
		w.out = append(w.out, Piece{Number, n.of.unit.around(digits, true).String()})
	case 'n':
		w.out = append(w.out, Piece{Name, n.text})
	case '~':
		w.sign("−")
		w.write(n.args[0], 3)
	case '^':
		w.write(n.args[0], 5)
		exponent := natOf(uint64(max(n.n, -n.n))).decimal()
		if n.n < 0 {
			exponent = "−" + exponent
		}
		w.sign("^" + exponent)
	case 'f':
		w.sign(n.text)
		w.bracket(func() {
			for i, a := range n.args {
				if i > 0 {
					w.sign(", ")
				}
				w.write(a, 1)
			}
		})
	default:
		w.write(n.args[0], own)
		w.sign(printed[n.op])
		w.write(n.args[1], own+1)
	}
}

func (w *pieces) bracket(inside func()) {
	w.sign("(")
	w.depth++
	inside()
	w.depth--
	w.sign(")")
}

// String is the lines that could be read, and need only such, as source: it parses to the same lines, without their remarks.
func (s *Sheet) String() string {
	var b strings.Builder
	left := make([]bool, len(s.lines))
	for i := range s.lines {
		l := &s.lines[i]
		left[i] = l.root == nil
		for _, need := range l.needs {
			left[i] = left[i] || left[need]
		}
		if left[i] {
			continue
		}
		b.WriteString(l.Name + " = ")
		for _, p := range l.Expr() {
			b.WriteString(p.Text)
		}
		for k, c := range l.checks {
			b.WriteString([2]string{" # => ", " = "}[min(k, 1)] + c.text().String())
		}
		b.WriteByte('\n')
	}
	return b.String()
}
