package calc

import (
	"strconv"
	"strings"
)

// Add reads more lines, which may use those that are there. The first of them is counted as first.
func (s *Sheet) Add(source string, first int) []*Error {
	var errs []*Error
	add := func(no int, err *Error) {
		err.Line = no
		errs = append(errs, err)
	}
	if s.size += len(source); s.size > MaxSource {
		add(first, fault("too-long", 0, strconv.Itoa(s.size)+" bytes", "16384"))
		return errs
	}
	rest := source
	for no := first; rest != ""; no++ {
		line, below, _ := strings.Cut(rest, "\n")
		if strings.TrimSpace(line) != "" {
			if len(s.lines) == MaxLines {
				add(no, fault("too-many-lines", 0, "201 lines", "200"))
				return errs
			}
			l := &Line{No: no}
			for _, err := range s.read(l, []rune(line)) {
				err.Name = l.Name
				if err.Code == "unknown-name" {
					later(err, rest, no)
				}
				if err.Line = no; err.Code != "unknown" {
					add(no, err)
				}
			}
			s.lines = append(s.lines, l)
		}
		rest = below
	}
	return errs
}

// later makes an unknown name one that is set in one of the lines given, which are counted from no.
func later(err *Error, lines string, no int) {
	for ; lines != ""; no++ {
		line, below, _ := strings.Cut(lines, "\n")
		toks := tokens(plain([]rune(line)), 1)
		if toks[0].text == err.Got && toks[0].kind == name && toks[1].text == "=" {
			err.Code, err.Want = "later-name", strconv.Itoa(no)
			return
		}
		lines = below
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
func (s *Sheet) read(l *Line, raw []rune) []*Error {
	err := s.assign(l, raw)
	if err == nil {
		s.compute(l)
		err = l.Err
	}
	if err != nil {
		l.Err = err
		return []*Error{err}
	}
	return l.judge()
}

// assign reads one line.
func (s *Sheet) assign(l *Line, raw []rune) *Error {
	if len(raw) > maxLine {
		return fault("too-long", 0, strconv.Itoa(len(raw))+" characters of a line", "500")
	}
	runes := plain(raw)
	code := hash(runes, 0)
	from, result := arrow(runes, code)
	upTo := hash(runes, result)
	l.Note = noteOf(raw[code:from])
	if more := noteOf(raw[upTo:]); l.Note == "" {
		l.Note = more
	} else if more != "" {
		l.Note += " " + more
	}
	p := parser{sheet: s, toks: tokens(runes[:code], 1)}
	named := p.tok()
	if named.kind == end && from < len(runes) {
		return fault("unexpected", from+1, "# =>", "a result stands in the line that it is of")
	}
	if named.kind == end {
		return nil
	}
	if named.kind != name || !p.aheadIs(1, "=") {
		return p.wrong("a line is NAME = VALUE, as in peak = 360 req/s")
	}
	if err := s.nameable(named); err != nil {
		return err
	}
	l.Name = named.text
	p.at = 2
	root := p.whole()
	if p.err == nil && from < len(runes) {
		p.at, p.toks = 0, tokens(runes[result:upTo], result+1)
		l.checks = p.results()
		if again, _ := arrow(runes, upTo); again < len(runes) {
			p.fail(fault("unexpected", again+1, "a second # =>", "one holds all results, joined by ="))
		}
	}
	if p.err != nil {
		l.checks = nil
		return p.err
	}
	l.root, l.given, l.needs, l.Input = root, root, root.needs(nil), root.literal() != nil
	return nil
}

// hash is where the first # from a place on stands, or the end.
func hash(runes []rune, from int) int {
	for from < len(runes) && runes[from] != '#' {
		from++
	}
	return from
}

// arrow finds # => from a place on: where it begins, and where the result behind it does. Both are the end where there is none.
func arrow(runes []rune, at int) (from, result int) {
	for ; at < len(runes); at = hash(runes, at+1) {
		next := at + 1
		for next < len(runes) && runes[next] == ' ' {
			next++
		}
		if next+1 < len(runes) && runes[next] == '=' && runes[next+1] == '>' {
			return at, next + 2
		}
	}
	return len(runes), len(runes)
}

// noteOf is a remark without its #.
func noteOf(runes []rune) string {
	for len(runes) > 0 && (plainRune(runes[0]) == '#' || plainRune(runes[0]) == ' ') {
		runes = runes[1:]
	}
	return strings.TrimSpace(string(runes))
}

// nameable says why a word cannot be a line's name.
func (s *Sheet) nameable(t *token) *Error {
	if i := s.find(t.text); i >= 0 {
		return fault("twice", t.col, t.text, strconv.Itoa(s.lines[i].No))
	}
	what := ""
	if w := wordOf(t.text); w != nil && !w.noun {
		what = "a unit"
	} else if multiplierOf(t.text) != 0 {
		what = "a multiplier"
	} else if argumentsOf(t.text) != 0 {
		what = "a function"
	} else if t.text == "in" {
		what = "a word of the language"
	}
	if what != "" {
		return fault("reserved", t.col, t.text, what)
	}
	if n := len([]rune(t.text)); n > maxName {
		return fault("too-long", t.col, strconv.Itoa(n)+" characters of a name", "40")
	}
	return nil
}

// unknown says what a name may have been meant for.
func (s *Sheet) unknown(t *token) *Error {
	want := "no name is set above"
	if wordOf(t.text) != nil {
		want = "as a unit it stands right behind a number: (1 " + t.text + ")"
		return fault("unknown-name", t.col, t.text, want)
	}
	for i, n := len(s.lines)-1, 0; i >= 0 && n < 8; i-- {
		switch l := s.lines[i]; {
		case l.Name == "":
			continue
		case n == 0:
			want = "set above are " + l.Name
		default:
			want += ", " + l.Name
		}
		n++
	}
	return fault("unknown-name", t.col, t.text, want)
}

// check is a result as the author wrote it: # => 7.03 MiB/s.
type check struct {
	value    *ratio // in the unit
	decimals int
	unit     *Unit
	number   string // as written, without grouping
	col      int
}

// results reads what the author says that a line is: values joined by =.
func (p *parser) results() []*check {
	var out []*check
	for {
		c, err := p.result()
		if err != nil {
			p.fail(err)
			return nil
		}
		out = append(out, c)
		if p.tok().kind == end {
			return out
		}
		if !p.take("=") {
			p.unexpected("a result is a number with its unit; another follows =, a remark #")
			return nil
		}
	}
}

func (p *parser) result() (*check, *Error) {
	c := &check{col: p.tok().col}
	minus := ""
	if p.take("-") {
		minus = "−"
	}
	b := p.money()
	t := p.tok()
	if t.kind != number || strings.IndexByte(t.text, 'e') >= 0 {
		return c, fault("not-a-number", t.col, t.shown(), "7.03 MiB/s")
	}
	var err *Error
	if c.value, err = t.value(); err != nil {
		return c, err
	}
	if c.number = minus + t.text; minus != "" {
		c.value = c.value.neg()
	}
	_, decimals, _ := strings.Cut(t.text, ".")
	c.decimals = len(decimals)
	p.at++
	c.unit, err = p.shownUnit(b)
	c.unit = c.unit.or()
	return c, err
}

// judge holds a computed line against what the author wrote, and lets it be told in the author's unit.
func (l *Line) judge() []*Error {
	var errs []*Error
	for i, c := range l.checks {
		if l.Value.dim != c.unit.dim {
			errs = append(errs, fault("wrong-unit", c.col, l.Value.kind(), c.unit.kind()))
			l.checks = l.checks[:i:i]
			break
		}
		n := l.Value.amount.quo(c.unit.scale)
		if n == nil {
			n = zero // beyond what a check could say
		}
		before, after, _ := n.rounded(c.decimals)
		v := reduced(n.negative, natOfDigits(before+after), pow10(c.decimals))
		if v == nil || v.cmp(c.value) != 0 {
			is := pointed(before, after, c.decimals)
			if n.negative {
				is = "−" + is
			}
			errs = append(errs, fault("not-equal", c.col, c.text(), c.unit.around(is, true).String()))
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
// author kept them. A result that is no more the author's has three digits at least: 5 s may have become 1.25 s.
func (c *check) precision(moved bool) *precision {
	p := &precision{usual: c.decimals}
	for _, r := range c.number {
		if r >= '1' && r <= '9' || r == '0' && p.digits > 0 {
			p.digits++
		}
	}
	p.digits = min(p.digits, usual.digits)
	if moved {
		p.digits = usual.digits
	}
	if c.number[len(c.number)-1] == '0' {
		p.least = c.decimals
	}
	return p
}

// text is the result as it was written.
func (c *check) text() string { return c.unit.around(digitsGrouped(c.number), true).String() }
