package calc

import (
	"strconv"
	"strings"
)

// node is a part of an expression. It is not written after the parser made it.
type node struct {
	op   byte    // # a number, n a name, f a function, ~ a change of sign, and + - * / ^
	text string  // of a name or function; of a number, its digits as they were written
	of   Value   // a number's value
	line int     // a name's line: an index
	n    int     // a power
	args []*node // operands
	col  int
}

// Bounds of an expression.
const (
	maxDepth    = 32
	maxExpPower = 256
)

// parser reads the tokens of one line. The first fault ends it.
type parser struct {
	sheet *Sheet
	toks  []token
	at    int
	depth int
	err   *Error
}

// tokens cuts a piece of a line.
func tokens(runes []rune, col int) []token {
	l := lexer{runes: runes, col: col}
	var out []token
	for {
		t := l.next()
		out = append(out, t)
		if t.kind == end {
			return out
		}
	}
}

func (p *parser) tok() token { return p.toks[p.at] }

// ahead is the token n places on; the end again beyond it.
func (p *parser) ahead(n int) token { return p.toks[min(p.at+n, len(p.toks)-1)] }

// fail notes the first fault, and moves to the end, so that every loop ends.
func (p *parser) fail(err *Error) *node {
	if p.err == nil {
		p.err = err
	}
	p.at = len(p.toks) - 1
	return &node{op: '#'}
}

func (p *parser) unexpected(want string) *node {
	t := p.tok()
	if t.kind == end {
		return p.fail(fault("no-value", t.col, "", want))
	}
	return p.fail(fault("unexpected", t.col, t.shown(), want))
}

const wantValue = "a number with its unit, a name, a function or a bracket stands here"

// whole reads an expression up to the end.
func (p *parser) whole() *node {
	n := p.expression()
	if p.err == nil && p.tok().kind != end {
		switch t := p.tok(); {
		case t.is(")"):
			return p.unexpected("no bracket is open")
		case t.is(","):
			return p.unexpected("group digits in threes, and part arguments of functions alone by commas")
		}
		return p.unexpected("an operator + - * / ^ stands here")
	}
	return n
}

// enter bounds how deep brackets, signs and functions nest.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(fault("too-deep", p.tok().col, strconv.Itoa(p.depth)+" brackets", strconv.Itoa(maxDepth)))
		return false
	}
	return true
}

func (p *parser) expression() *node {
	left := p.term()
	for p.tok().is("+") || p.tok().is("-") {
		t := p.tok()
		p.at++
		left = &node{op: t.text[0], args: []*node{left, p.term()}, col: t.col}
	}
	return left
}

func (p *parser) term() *node {
	left := p.signed()
	for p.tok().is("*") || p.tok().is("/") {
		t := p.tok()
		p.at++
		left = &node{op: t.text[0], args: []*node{left, p.signed()}, col: t.col}
	}
	return left
}

func (p *parser) signed() *node {
	t := p.tok()
	if !t.is("-") {
		return p.powered()
	}
	p.at++
	if !p.enter() {
		return &node{op: '#'}
	}
	n := &node{op: '~', args: []*node{p.signed()}, col: t.col}
	p.depth--
	return n
}

func (p *parser) powered() *node {
	base := p.atom()
	t := p.tok()
	if !t.is("^") {
		return base
	}
	p.at++
	n, ok := p.exponent()
	if !ok {
		return p.fail(fault("bad-power", p.tok().col, p.tok().shown(), "it is a whole number from −"+strconv.Itoa(maxExpPower)+" to "+strconv.Itoa(maxExpPower)))
	}
	if p.tok().is("^") {
		return p.unexpected("put one of the powers into brackets")
	}
	return &node{op: '^', n: n, args: []*node{base}, col: t.col}
}

// exponent reads a small whole number.
func (p *parser) exponent() (int, bool) {
	negative := p.tok().is("-")
	t := p.tok()
	if negative {
		t = p.ahead(1)
	}
	n, err := strconv.Atoi(t.text)
	if t.kind != number || err != nil || n > maxExpPower {
		return 0, false
	}
	p.at++
	if negative {
		p.at++
		n = -n
	}
	return n, true
}

func (p *parser) atom() *node {
	t := p.tok()
	switch {
	case t.kind == number, isMoney(t) && p.ahead(1).kind == number:
		return p.number()
	case t.is("("):
		p.at++
		if !p.enter() {
			return &node{op: '#'}
		}
		n := p.expression()
		p.depth--
		if p.err == nil && !p.tok().is(")") {
			return p.close(t)
		}
		p.at = min(p.at+1, len(p.toks)-1)
		return n
	case t.kind == name && p.ahead(1).is("("):
		return p.call()
	case t.kind == name:
		return p.name()
	}
	return p.unexpected(wantValue)
}

// close reports a bracket that is not closed where another thing stands.
func (p *parser) close(open token) *node {
	if p.tok().kind == end {
		return p.fail(fault("unclosed", open.col, "", ""))
	}
	return p.unexpected("an operator or ) stands here")
}

func (p *parser) call() *node {
	t := p.tok()
	f, known := functionOf(t.text)
	if !known {
		want := "the functions are min, max, ceil, floor, round, sqrt"
		if p.sheet.find(t.text) >= 0 {
			want = "it is a name; write * before the bracket"
		}
		return p.fail(fault("unknown-function", t.col, t.text, want))
	}
	p.at += 2
	if !p.enter() {
		return &node{op: '#'}
	}
	n := &node{op: 'f', text: t.text, col: t.col}
	for {
		n.args = append(n.args, p.expression())
		if !p.tok().is(",") {
			break
		}
		p.at++
	}
	p.depth--
	if p.err != nil {
		return n
	}
	if !p.tok().is(")") {
		return p.close(t)
	}
	p.at++
	if len(n.args) < f.min || len(n.args) > f.max {
		want := "one value"
		if f.max > 1 {
			want = strconv.Itoa(f.min) + " to " + strconv.Itoa(f.max) + " values"
		}
		return p.fail(fault("arguments", t.col, t.text, want))
	}
	return n
}

func (p *parser) name() *node {
	t := p.tok()
	i := p.sheet.find(t.text)
	if i < 0 {
		return p.fail(p.sheet.unknown(t))
	}
	p.at++
	return &node{op: 'n', text: t.text, line: i, col: t.col}
}

func isMoney(t token) bool { return t.kind == sign && strings.Contains("$€¥", t.text) }

// number reads a number with its unit; a currency's sign may stand before it.
func (p *parser) number() *node {
	var b builder
	if t := p.tok(); isMoney(t) {
		w, _ := wordOf(t.text)
		b.add(w, 1, 1)
		p.at++
	}
	t := p.tok()
	n, err := t.value()
	if err != nil {
		return p.fail(err)
	}
	p.at++
	u, err := p.unit(&b)
	if err != nil {
		return p.fail(err)
	}
	v, err := quantity(n, u)
	if err != nil {
		err.Col = t.col
		return p.fail(err)
	}
	return &node{op: '#', text: t.text, of: v, col: t.col}
}
