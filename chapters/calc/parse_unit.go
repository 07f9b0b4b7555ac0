package calc

import (
	"strconv"
	"strings"
)

// unit reads what stands behind a number: words joined by ·, then / with a word, or several in a bracket, close behind it. A / with a space behind it
// divides.
func (p *parser) unit(b *builder) (Unit, *Error) {
	from := p.tok()
	if log, ok := multiplierOf(from.text); ok && from.kind == name {
		b.multiply(from.text, log)
		p.at++
	} else if rest, log, ok := multiplied(from); ok {
		b.multiply(strings.TrimSuffix(from.text, rest), log)
		p.toks[p.at].text = rest
	}
	if t := p.tok(); t.kind == name || t.kind == sign && strings.Contains("%‰", t.text) || isMoney(t) {
		if err := p.words(b, 1, true); err != nil {
			return Unit{}, err
		}
	}
	for {
		below, err := p.below()
		if err != nil {
			return Unit{}, err
		}
		if !below {
			break
		}
		p.at++
		open := p.tok().is("(")
		if open {
			p.at++
		}
		if err := p.words(b, -1, open); err != nil {
			return Unit{}, err
		}
		if open && !p.tok().is(")") {
			return Unit{}, fault("unexpected", p.tok().col, p.tok().shown(), "a unit's bracket holds words joined by · and is closed by )")
		}
		if open {
			p.at++
		} else if p.tok().is("·") {
			return Unit{}, fault("unexpected", p.tok().col, "·", "put what stands below the line into a bracket, as in $/(GB·month)")
		}
	}
	u := b.unit()
	if b.high {
		return u, fault("too-high", from.col, "", strconv.Itoa(maxPower))
	}
	return u, nil
}

// multiplied cuts 万次 into 万 and 次.
func multiplied(t token) (rest string, log int, ok bool) {
	for _, han := range [...]string{"万", "亿"} {
		if rest, ok = strings.CutPrefix(t.text, han); ok && rest != "" && t.kind == name {
			log, _ = multiplierOf(han)
			return rest, log, true
		}
	}
	return "", 0, false
}

// words reads a word with its power, or several joined by ·, above the line (1) or below it (−1).
func (p *parser) words(b *builder, above int8, several bool) *Error {
	for {
		t := p.tok()
		w, ok := wordOf(t.text)
		if !ok {
			return p.notUnit(t)
		}
		p.at++
		power := 1
		if p.tok().is("^") && !p.tok().gap {
			p.at++
			if power, ok = p.exponent(); !ok || power < 1 || power > maxPower {
				return fault("too-high", t.col, "", strconv.Itoa(maxPower))
			}
		}
		b.add(w, power, above)
		if !several || !p.tok().is("·") {
			return nil
		}
		p.at++
	}
}

func (p *parser) notUnit(t token) *Error {
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
	t, next := p.tok(), p.ahead(1)
	if !t.is("/") || next.gap {
		return false, nil
	}
	if next.is("(") {
		next = p.ahead(2)
	}
	if _, ok := wordOf(next.text); !ok {
		if _, ok := multiplierOf(next.text); ok {
			return false, fault("unknown-unit", next.col, next.text, "a multiplier stands before the unit, not below its line")
		}
		return false, nil
	}
	if p.sheet.find(next.text) >= 0 {
		return false, fault("either", next.col, next.text, "a space behind the / for the name")
	}
	return true, nil
}

// ParseUnit reads a unit as it stands behind a number: "MiB/s", "M req/day", "$/(GB·month)", "×". The error is a *Error.
func ParseUnit(text string) (Unit, error) {
	p := parser{sheet: &Sheet{}, toks: tokens(plain([]rune(text)), 1)}
	u, err := p.shownUnit(&builder{})
	if err == nil && p.tok().kind != end {
		err = fault("unexpected", p.tok().col, p.tok().shown(), "a unit ends here")
	}
	if err != nil {
		return Unit{}, err
	}
	return u, nil
}

// shownUnit is a unit in which a result is told. There a × may stand for "times".
func (p *parser) shownUnit(b *builder) (Unit, *Error) {
	if p.tok().is("*") {
		b.add(word{text: "×", scale: ratioOf(1)}, 1, 1)
		p.at++
		return b.unit(), nil
	}
	return p.unit(b)
}
