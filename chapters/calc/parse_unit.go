package calc

import "strings"

// unit reads what stands behind a number: words joined by ·, then / with a word, or several in a bracket, close behind it. A / with a
// space behind it divides.
func (p *parser) unit(b *builder) (*Unit, *Error) {
	from := p.tok()
	p.multiplier(b)
	if t := p.tok(); t.kind == name || p.is("%") || p.is("‰") || p.atMoney() {
		if err := p.words(b, 1, true); err != nil {
			return nil, err
		}
	}
	for {
		below, err := p.below()
		if err != nil || !below {
			u := b.unit()
			if b.high {
				err = fault("too-high", from.col, "", "8")
			}
			return u, err
		}
		p.at++
		open := p.take("(")
		if err := p.words(b, -1, open); err != nil {
			return nil, err
		}
		if open && !p.take(")") {
			return nil, p.wrong("a unit's bracket holds words joined by · and is closed by )")
		}
		if !open && p.is("·") {
			return nil, p.wrong("put what stands below the line into a bracket, as in $/(GB·month)")
		}
	}
}

// wrong is a token that a unit cannot have.
func (p *parser) wrong(want string) *Error {
	return fault("unexpected", p.tok().col, p.tok().shown(), want)
}

// multiplier reads k, M, 万 …, also where a Chinese word follows without a space: 万次.
func (p *parser) multiplier(b *builder) {
	t := p.tok()
	if t.kind != name {
		return
	}
	if log := multiplierOf(t.text); log != 0 {
		b.multiply(t.text, log)
		p.at++
		return
	}
	for _, han := range []string{"万", "亿"} {
		if rest, ok := strings.CutPrefix(t.text, han); ok {
			b.multiply(han, multiplierOf(han))
			t.text = rest
		}
	}
}

// words reads a word with its power, or several joined by ·, above the line (1) or below it (−1).
func (p *parser) words(b *builder, above int, several bool) *Error {
	for {
		t := p.tok()
		w := wordOf(t.text)
		if w == nil {
			return p.notUnit(t)
		}
		p.at++
		power := 1
		if !p.tok().gap && p.take("^") {
			n, ok := p.exponent()
			if !ok || n < 1 || n > maxPower {
				return fault("too-high", t.col, "", "8")
			}
			power = n
		}
		b.add(w, power, above)
		if !several || !p.take("·") {
			return nil
		}
	}
}

func (p *parser) notUnit(t *token) *Error {
	switch {
	case t.kind == end:
		return fault("no-value", t.col, "", "a unit stands here")
	case p.sheet.find(t.text) >= 0:
		return fault("unknown-unit", t.col, t.text, "it is a name; put an operator before it")
	}
	return fault("unknown-unit", t.col, t.shown(), hint(t.text))
}

// below reports whether the unit goes on below a line: a / with a unit close behind it.
func (p *parser) below() (bool, *Error) {
	next := p.ahead(1)
	if !p.is("/") || next.gap {
		return false, nil
	}
	if p.aheadIs(1, "(") {
		next = p.ahead(2)
	}
	switch {
	case multiplierOf(next.text) != 0:
		return false, fault("unknown-unit", next.col, next.text, "a multiplier stands before the unit, not below its line")
	case wordOf(next.text) == nil:
		return false, nil
	case p.sheet.find(next.text) >= 0:
		return false, fault("either", next.col, next.text, "a space behind the / for the name")
	}
	return true, nil
}

// ParseUnit reads a unit as it stands behind a number: "MiB/s", "M req/day", "$/(GB·month)", "×". The error is a *Error.
func ParseUnit(text string) (*Unit, error) {
	u, err := readUnit(text)
	if err != nil {
		return nil, err
	}
	return u, nil
}

func readUnit(text string) (*Unit, *Error) {
	p := parser{sheet: &Sheet{}, toks: tokens(plain([]rune(text)), 1)}
	u, err := p.shownUnit(&builder{})
	if err == nil && p.tok().kind != end {
		err = p.wrong("a unit ends here")
	}
	return u, err
}

// shownUnit is a unit in which a result is told. There a × may stand for "times".
func (p *parser) shownUnit(b *builder) (*Unit, *Error) {
	if p.take("*") {
		b.add(&word{text: "×", scale: one}, 1, 1)
		return b.unit(), nil
	}
	return p.unit(b)
}
