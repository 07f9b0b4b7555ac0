package calc

import "strings"

// compute gives a line its value, or the reason why it has none.
func (s *Sheet) compute(l *Line) {
	l.Value, l.Err = Value{}, nil
	if l.root == nil {
		return
	}
	v, err := s.eval(l.root)
	if err != nil {
		err.Line, err.Name = l.No, l.Name
		l.Err = err
		return
	}
	l.Value = v
}

func (s *Sheet) eval(n *node) (Value, *Error) {
	switch n.op {
	case '#':
		return n.of, nil
	case 'n':
		l := s.lines[n.line]
		if l.Err != nil {
			return Value{}, fault("unknown", n.col, n.text, "")
		}
		return l.Value, nil
	}
	args := make([]Value, len(n.args))
	for i, a := range n.args {
		var err *Error
		if args[i], err = s.eval(a); err != nil {
			return Value{}, err
		}
	}
	v, err := n.combine(args)
	if err != nil && err.Col == 0 {
		err.Col = n.col
	}
	return v, err
}

func (n *node) combine(args []Value) (Value, *Error) {
	a, b := &args[0], &args[len(args)-1]
	switch n.op {
	case '+':
		return sum(a, b, "add")
	case '-':
		return sum(a, b, "subtract")
	case '*':
		return product(a, b, 1)
	case '/':
		return product(a, b, -1)
	case '^':
		return power(a, n.n)
	case '~':
		return a.with(a.amount.neg())
	}
	return apply(n.text, args)
}

// needs appends the lines that an expression uses.
func (n *node) needs(out []int) []int {
	if n.op == 'n' {
		out = append(out, n.line)
	}
	for _, a := range n.args {
		out = a.needs(out)
	}
	return out
}

// literal is the number of which an expression consists, nil when it is more than that.
func (n *node) literal() *node {
	if n.op == '~' {
		n = n.args[0]
	}
	if n.op != '#' {
		return nil
	}
	return n
}

// Set gives an input another value and computes what depends on it, and nothing else. It returns the indexes of these lines, the
// input's first. The text is a number, whose unit may be left out where the author's is meant; another unit of the same kind will
// do. On an error, a *Error, the sheet is as before; that a line has no value any more (say, a division by zero) is told by its Err.
func (s *Sheet) Set(name, text string) ([]int, error) {
	i := s.find(name)
	if i < 0 {
		return nil, s.unknown(&token{text: name})
	}
	l := s.lines[i]
	if !l.Input {
		return nil, fault("not-an-input", 0, name, "")
	}
	root, err := s.reading(l, text)
	if err != nil {
		err.Name = name
		return nil, err
	}
	l.root = root
	return s.from(i), nil
}

// reading reads what an input is set to.
func (s *Sheet) reading(l *Line, text string) (*node, *Error) {
	example := l.literalText().String()
	if len(text) > 200 {
		return nil, fault("not-a-number", 0, text, example)
	}
	p := parser{sheet: &Sheet{}, toks: tokens(plain([]rune(strings.TrimSpace(text))), 1)}
	root := p.whole()
	if p.err != nil || root.literal() == nil {
		return nil, fault("not-a-number", 0, text, example)
	}
	of, unit := root.literal(), l.given.literal().of.unit
	if of.of.unit == nil && unit != nil {
		v, err := quantity(of.of.amount, unit)
		if err != nil {
			return nil, err
		}
		of.of = v
	}
	if of.of.dim != unit.or().dim {
		return nil, fault("wrong-unit", 0, of.of.kind(), unit.or().kind())
	}
	return root, nil
}

// from computes a line and those that depend on it. A line comes after all that it needs, so that one pass does it.
func (s *Sheet) from(first int) []int {
	changed := make([]bool, len(s.lines))
	changed[first] = true
	out := []int{first}
	s.again(first)
	for i := first + 1; i < len(s.lines); i++ {
		for _, need := range s.lines[i].needs {
			if changed[need] && !changed[i] {
				changed[i] = true
				out = append(out, i)
				s.again(i)
			}
		}
	}
	return out
}

func (s *Sheet) again(i int) {
	l := s.lines[i]
	s.compute(l)
	l.inherit()
	l.moved = l.root != l.given
	for _, need := range l.needs {
		l.moved = l.moved || s.lines[need].moved
	}
}

// Reset gives every input the author's value again.
func (s *Sheet) Reset() {
	for i, l := range s.lines {
		if l.root != l.given {
			l.root = l.given
			s.from(i)
		}
	}
}

// Clone is an independent copy.
func (s *Sheet) Clone() *Sheet {
	c := &Sheet{lines: make([]*Line, len(s.lines)), size: s.size}
	for i, l := range s.lines {
		own := *l
		c.lines[i] = &own
	}
	return c
}
