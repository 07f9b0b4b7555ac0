package calc

import (
	"strconv"
	"strings"
)

// Add reads more lines, which may use those that are there. The first of them is counted as first.
func (s *Sheet) Add(source string, first int) []*Error {
	if s.size += len(source); s.size > MaxSource {
		return []*Error{{Code: "too-long", Line: first, Got: strconv.Itoa(s.size) + " bytes", Want: strconv.Itoa(MaxSource)}}
	}
	var raw [][]rune
	for line := range strings.SplitSeq(strings.TrimSuffix(source, "\n"), "\n") {
		raw = append(raw, []rune(line))
	}
	var errs []*Error
	for i, line := range raw {
		if strings.TrimSpace(string(line)) == "" {
			continue
		}
		if len(s.lines) == MaxLines {
			return append(errs, &Error{Code: "too-many-lines", Line: first + i, Got: strconv.Itoa(MaxLines+1) + " lines", Want: strconv.Itoa(MaxLines)})
		}
		l, faults := s.read(line)
		l.No = first + i
		for _, err := range faults {
			err.Line, err.Name = l.No, l.Name
			if err.Code == "unknown-name" {
				later(err, raw[i:], l.No)
			}
			if err.Code != "unknown" {
				errs = append(errs, err)
			}
		}
		s.lines = append(s.lines, l)
	}
	return errs
}

// later makes an unknown name one that is set in one of the lines given, which are counted from no.
func later(err *Error, lines [][]rune, no int) {
	for i, line := range lines {
		toks := tokens(plain(line), 1)
		if toks[0].kind == name && toks[0].text == err.Got && len(toks) > 1 && toks[1].is("=") {
			err.Code, err.Want = "later-name", strconv.Itoa(no+i)
			return
		}
	}
}

func plain(line []rune) []rune {
	out := make([]rune, len(line))
	for i, r := range line {
		out[i] = plainRune(r)
	}
	return out
}

// read reads one line and computes it.
func (s *Sheet) read(raw []rune) (Line, []*Error) {
	var l Line
	if len(raw) > maxLine {
		l.Err = fault("too-long", 0, strconv.Itoa(len(raw))+" characters of a line", strconv.Itoa(maxLine))
		return l, []*Error{l.Err}
	}
	runes := plain(raw)
	code, remark := cutRemark(runes, 0)
	toks := tokens(runes[:code], 1)
	if toks[0].kind == end {
		l.Note = noteOf(raw[remark:])
		return l, nil
	}
	checked := runes[code:code] // what stands behind =>
	checkCol := 0
	if from, ok := arrow(runes, remark); ok {
		var upTo int
		upTo, remark = cutRemark(runes, from)
		checked, checkCol = runes[from:upTo], from+1
	}
	l.Note = noteOf(raw[min(remark, len(raw)):])
	bad := func(err *Error) (Line, []*Error) {
		l.Err = err
		return l, []*Error{err}
	}
	if len(toks) < 2 || toks[0].kind != name || !toks[1].is("=") {
		return bad(fault("unexpected", toks[0].col, toks[0].shown(), "a line is NAME = VALUE, as in peak = 360 req/s"))
	}
	if err := s.nameable(toks[0]); err != nil {
		return bad(err)
	}
	l.Name = toks[0].text
	p := parser{sheet: s, toks: toks, at: 2}
	l.root = p.whole()
	if p.err != nil {
		l.root = nil
		return bad(p.err)
	}
	l.given, l.needs = l.root, l.root.needs(nil)
	l.Input = l.root.literal() != nil
	if checkCol > 0 {
		p := parser{sheet: s, toks: tokens(checked, checkCol)}
		l.checks = p.results()
		if p.err != nil {
			l.checks = nil
			return bad(p.err)
		}
	}
	s.compute(&l)
	if l.Err != nil {
		return l, []*Error{l.Err}
	}
	return l, l.judge()
}

// cutRemark finds the first # from a place on: where it stands, and where what follows it begins.
func cutRemark(runes []rune, from int) (code, remark int) {
	for i := from; i < len(runes); i++ {
		if runes[i] == '#' {
			return i, i + 1
		}
	}
	return len(runes), len(runes)
}

// arrow is where a checked result begins, if a remark is one.
func arrow(runes []rune, from int) (int, bool) {
	for from < len(runes) && runes[from] == ' ' {
		from++
	}
	if from+1 < len(runes) && runes[from] == '=' && runes[from+1] == '>' {
		return from + 2, true
	}
	return 0, false
}

func noteOf(runes []rune) string { return strings.TrimSpace(strings.TrimLeft(string(runes), "#＃ ")) }

// nameable says why a word cannot be a line's name.
func (s *Sheet) nameable(t token) *Error {
	if i := s.find(t.text); i >= 0 {
		return fault("twice", t.col, t.text, strconv.Itoa(s.lines[i].No))
	}
	what := ""
	if w, ok := wordOf(t.text); ok && !w.noun {
		what = "a unit"
	} else if _, ok := multiplierOf(t.text); ok {
		what = "a multiplier"
	} else if _, ok := functionOf(t.text); ok {
		what = "a function"
	} else if t.text == "in" {
		what = "a word of the language"
	}
	if what != "" {
		return fault("reserved", t.col, t.text, what)
	}
	if n := len([]rune(t.text)); n > maxName {
		return fault("too-long", t.col, strconv.Itoa(n)+" characters of a name", strconv.Itoa(maxName))
	}
	return nil
}

// unknown says what a name may have been meant for.
func (s *Sheet) unknown(t token) *Error {
	if _, ok := wordOf(t.text); ok {
		return fault("unknown-name", t.col, t.text, "as a unit it stands right behind a number: (1 "+t.text+")")
	}
	var names []string
	for i := len(s.lines) - 1; i >= 0 && len(names) < 8; i-- {
		if s.lines[i].Name != "" {
			names = append(names, s.lines[i].Name)
		}
	}
	if names == nil {
		return fault("unknown-name", t.col, t.text, "no name is set above")
	}
	return fault("unknown-name", t.col, t.text, "set above are "+strings.Join(names, ", "))
}

// check is a result as the author wrote it: # => 7.03 MiB/s.
type check struct {
	value    ratio // in the unit
	decimals int
	unit     Unit
	number   string // as written, without grouping
	col      int
}

// results reads what the author says that a line is: values joined by =.
func (p *parser) results() []check {
	var out []check
	for {
		c, err := p.result()
		if err != nil {
			p.fail(err)
			return nil
		}
		out = append(out, c)
		switch {
		case p.tok().is("="):
			p.at++
		case p.tok().kind == end:
			return out
		default:
			p.unexpected("a result is a number with its unit; another follows =, a remark #")
			return nil
		}
	}
}

func (p *parser) result() (check, *Error) {
	c := check{col: p.tok().col}
	negative := p.tok().is("-")
	if negative {
		p.at++
	}
	var b builder
	if t := p.tok(); isMoney(t) {
		w, _ := wordOf(t.text)
		b.add(w, 1, 1)
		p.at++
	}
	t := p.tok()
	if t.kind != number || strings.Contains(t.text, "e") {
		return c, fault("not-a-number", t.col, t.shown(), "7.03 MiB/s")
	}
	var err *Error
	if c.value, err = t.value(); err != nil {
		return c, err
	}
	c.number = t.text
	if negative {
		c.value, c.number = c.value.neg(), "−"+c.number
	}
	_, decimals, _ := strings.Cut(t.text, ".")
	c.decimals = len(decimals)
	p.at++
	c.unit, err = p.shownUnit(&b)
	return c, err
}

// judge holds a computed line against what the author wrote, and lets it be told in the author's unit.
func (l *Line) judge() []*Error {
	var errs []*Error
	for i, c := range l.checks {
		if l.Value.dim != c.unit.dim {
			errs = append(errs, fault("wrong-unit", c.col, l.Value.kind(), unitName(c.unit)))
			l.checks = l.checks[:i:i]
			break
		}
		n, ok := l.Value.amount.quo(c.unit.factor())
		if !ok {
			n = ratio{} // beyond what a check could say
		}
		before, after, _ := n.rounded(c.decimals)
		if v, _ := reduced(n.negative, natOfDigits(before+after), pow10(c.decimals)); v.cmp(c.value) != 0 {
			is := pointed(before, after, c.decimals)
			if n.negative && !v.zero() {
				is = "−" + is
			}
			errs = append(errs, fault("not-equal", c.col, c.text().String(), c.unit.around(is, true).String()))
		}
	}
	l.inherit()
	return errs
}

// inherit lets what uses this line be told in the unit of its result.
func (l *Line) inherit() {
	if len(l.checks) > 0 && l.Err == nil {
		l.Value.unit = l.checks[0].unit
	}
}

// precision tells a result as its author did; where its number becomes smaller, no less of it. Zeros at the end are kept where the
// author kept them.
func (c check) precision() precision {
	digits := strings.TrimLeft(strings.ReplaceAll(c.number, ".", ""), "−0")
	p := precision{usual: c.decimals, digits: min(len(digits), usual.digits)}
	if strings.HasSuffix(c.number, "0") {
		p.least = c.decimals
	}
	return p
}

// text is the result as it was written.
func (c check) text() Text {
	return c.unit.around(digitsGrouped(c.number), true)
}
