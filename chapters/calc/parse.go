package calc

import "strconv"

// node is a part of an expression. It is not written after the parser made it.
type node struct {
	op   byte    // # a number, n a name, f a function, ~ a change of sign, and + - * / ^
	text string  // of a name or function; of a number, its digits as they were written
	of   Value   // a number's
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
	toks  []*token
	at    int
	depth int
	err   *Error
}

// tokens cuts a piece of a line.
func tokens(runes []rune, col int) []*token {
	l := lexer{runes: runes, col: col}
	var out []*token
	for {
		t := l.next()
		out = append(out, t)
		if t.kind == end {
			return out
		}
	}
}

// ahead is the token n places on; the end again beyond it.
//
//go:noinline
func (p *parser) ahead(n int) *token { return p.toks[min(p.at+n, len(p.toks)-1)] }

func (p *parser) tok() *token { return p.ahead(0) }

// is reports whether the next token is that sign. Like fault it is called everywhere, and so kept out of line.
//
//go:noinline
func (p *parser) is(s string) bool { return p.aheadIs(0, s) }

// aheadIs is is, n places on.
func (p *parser) aheadIs(n int, s string) bool {
	t := p.ahead(n)
	return t.kind == sign && t.text == s
}

// take passes the next token if it is that sign.
func (p *parser) take(s string) bool {
	if !p.is(s) {
		return false
	}
	p.at++
	return true
}

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
	if p.err != nil || p.tok().kind == end {
		return n
	}
	want := "an operator + - * / ^ stands here"
	if p.is(")") {
		want = "no bracket is open"
	} else if p.is(",") {
		want = "group digits in threes, and part arguments of functions alone by commas"
	}
	return p.unexpected(want)
}

// enter bounds how deep brackets, signs and functions nest.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(fault("too-deep", p.tok().col, strconv.Itoa(p.depth)+" brackets", "32"))
	}
	return p.depth <= maxDepth
}

func (p *parser) expression() *node { return p.chain("+", "-", p.term) }

func (p *parser) term() *node { return p.chain("*", "/", p.signed) }

// chain reads operands joined by one of two operators, from the left.
func (p *parser) chain(one, other string, operand func() *node) *node {
	left := operand()
	for p.is(one) || p.is(other) {
		t := p.tok()
		p.at++
		left = &node{op: t.text[0], args: []*node{left, operand()}, col: t.col}
	}
	return left
}

func (p *parser) signed() *node {
	col := p.tok().col
	if !p.take("-") {
		return p.powered()
	}
	n := &node{op: '~', col: col}
	if p.enter() {
		n.args = []*node{p.signed()}
		p.depth--
	}
	return n
}

func (p *parser) powered() *node {
	base := p.atom()
	col := p.tok().col
	if !p.take("^") {
		return base
	}
	n, ok := p.exponent()
	if !ok {
		return p.fail(fault("bad-power", p.tok().col, p.tok().shown(), "it is a whole number from −256 to 256"))
	}
	if p.is("^") {
		return p.unexpected("put one of the powers into brackets")
	}
	return &node{op: '^', n: n, args: []*node{base}, col: col}
}

// exponent reads a small whole number.
func (p *parser) exponent() (int, bool) {
	negative := p.is("-")
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
	case t.kind == number, p.atMoney() && p.ahead(1).kind == number:
		return p.number()
	case p.take("("):
		return p.bracketed(t, p.expression)
	case t.kind == name && p.aheadIs(1, "("):
		return p.call()
	case t.kind == name:
		i := p.sheet.find(t.text)
		if i < 0 {
			return p.fail(p.sheet.unknown(t))
		}
		p.at++
		return &node{op: 'n', text: t.text, line: i, col: t.col}
	}
	return p.unexpected(wantValue)
}

// bracketed reads what stands in a bracket that was opened at a token, and its end.
func (p *parser) bracketed(open *token, inside func() *node) *node {
	if !p.enter() {
		return &node{op: '#'}
	}
	n := inside()
	p.depth--
	switch {
	case p.err != nil, p.take(")"):
		return n
	case p.tok().kind == end:
		return p.fail(fault("unclosed", open.col, "", ""))
	}
	return p.unexpected("an operator or ) stands here")
}

func (p *parser) call() *node {
	t := p.tok()
	most := argumentsOf(t.text)
	if most == 0 {
		want := "the functions are min, max, ceil, floor, round, sqrt"
		if p.sheet.find(t.text) >= 0 {
			want = "it is a name; write * before the bracket"
		}
		return p.fail(fault("unknown-function", t.col, t.text, want))
	}
	p.at += 2
	n := p.bracketed(t, func() *node {
		n := &node{op: 'f', text: t.text, col: t.col, args: []*node{p.expression()}}
		for p.take(",") {
			n.args = append(n.args, p.expression())
		}
		return n
	})
	if p.err != nil || len(n.args) <= most {
		return n
	}
	want := "one value"
	if most > 1 {
		want = "1 to 32 values"
	}
	return p.fail(fault("arguments", t.col, t.text, want))
}

// atMoney reports whether the next token is the sign of a currency.
func (p *parser) atMoney() bool { return p.tok().kind == sign && isMoneySign(p.tok().text) }

// money starts a unit with the sign of a currency, if that stands before the number.
func (p *parser) money() *builder {
	b := &builder{}
	if p.atMoney() {
		b.add(wordOf(p.tok().text), 1, 1)
		p.at++
	}
	return b
}

// number reads a number with its unit; a currency's sign may stand before it.
func (p *parser) number() *node {
	b := p.money()
	t := p.tok()
	n, err := t.value()
	if err != nil {
		return p.fail(err)
	}
	p.at++
	u, err := p.unit(b)
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
