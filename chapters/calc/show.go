package calc

import (
	"strconv"
	"strings"
)

// Show is the value of a name for people: in the given unit, or where that is empty as the author wrote it: an input as it stands, a
// result in the unit and with the decimals of its check, and anything else as Value.Text has it. The error is a *Error.
func (s *Sheet) Show(name, unit string) (Text, error) {
	t, err := s.show(name, unit)
	if err != nil {
		return t, err
	}
	return t, nil
}

func (s *Sheet) show(name, unit string) (t Text, err *Error) {
	i := s.find(name)
	if i < 0 {
		return t, s.unknown(&token{text: name})
	}
	l := s.lines[i]
	if l.Err != nil || l.root == nil {
		return t, l.Err
	}
	if unit == "" {
		return l.Shown()[0], nil
	}
	u, err := readUnit(unit)
	if err != nil {
		return t, err
	}
	v, err := l.Value.in(u.or())
	if err != nil {
		return t, err
	}
	if l.Input && l.root.literal().of.unit.String() == u.String() {
		return l.literalText(), nil
	}
	p := &usual
	for _, c := range l.checks {
		if c.unit.text == u.String() {
			p = c.precision(l.moved)
		}
	}
	return v.tell(p), nil
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
		v, _ := l.Value.in(c.unit) // of its kind, as judge saw
		out[i] = v.tell(c.precision(l.moved))
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
	cut := 0
	for cut < len(number) && number[cut] != '.' && number[cut] != 'e' {
		cut++
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
		if n.of.unit != nil {
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
		minus := ""
		if n.n < 0 {
			minus = "−"
		}
		w.sign("^" + minus + strconv.Itoa(max(n.n, -n.n)))
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
	for i, l := range s.lines {
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
			b.WriteString([2]string{" # => ", " = "}[min(k, 1)] + c.text())
		}
		b.WriteByte('\n')
	}
	return b.String()
}
