package calc

import (
	"strconv"
	"strings"
)

// kind of a token.
type kind uint8

const (
	end    kind = iota
	number      // text is its digits without grouping: 1100000, 0.5, 5e6
	name        // a word: a name, a unit, a function
	sign        // one of + - * / ^ ( ) , = and a currency's sign, % ‰ ·
	bad         // a character that means nothing here
)

type token struct {
	kind kind
	text string
	col  int  // of its first character, from 1
	gap  bool // white space before it
}

// shown is how a message names a token.
func (t *token) shown() string {
	if t.kind == end {
		return "the end of the line"
	}
	return t.text
}

// plainRune is a character as the language knows it: full-width forms, which Chinese keyboards give, are their plain ones, and the
// signs of printed arithmetic are those of programs. Columns stay the same.
func plainRune(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E:
		return r - 0xFEE0
	case r == 0x3000 || r == 0xA0 || r == 0x202F || r == 0x2009 || r == '\t' || r == '\r':
		return ' '
	}
	switch r {
	case '×':
		return '*'
	case '÷':
		return '/'
	case '−':
		return '-'
	case '⋅':
		return '·'
	case '￥':
		return '¥'
	}
	return r
}

// signs are the characters that stand for themselves.
const signs = "+-*/^(),=$€¥%‰·"

// lexer cuts one line into tokens.
type lexer struct {
	runes []rune // plain
	at    int
	col   int // of runes[0]
	depth int // of brackets: within them a comma parts arguments, elsewhere it may group digits
}

func (l *lexer) next() *token {
	gap := l.at == 0
	for l.at < len(l.runes) && l.runes[l.at] == ' ' {
		l.at++
		gap = true
	}
	t := &token{col: l.col + l.at, gap: gap}
	if l.at == len(l.runes) {
		return t
	}
	from, r := l.at, l.runes[l.at]
	switch {
	case isDigit(r):
		t.kind, t.text = number, l.number()
		return t
	case isLetter(r):
		for l.at < len(l.runes) && (isLetter(l.runes[l.at]) || isDigit(l.runes[l.at])) {
			l.at++
		}
		t.kind = name
	case strings.Contains(signs, string(r)):
		l.at++
		t.kind = sign
		switch r {
		case '(':
			l.depth++
		case ')':
			l.depth--
		}
	default:
		l.at++
		t.kind = bad
	}
	t.text = string(l.runes[from:l.at])
	return t
}

// number reads digits, a point with digits, a power of ten. Digits are grouped by _ or, outside brackets, by commas in threes.
func (l *lexer) number() string {
	var b strings.Builder
	l.digits(&b)
	if l.peek(0) == '.' && isDigit(l.peek(1)) {
		b.WriteByte('.')
		l.at++
		l.digits(&b)
	}
	if l.peek(0) == 'e' {
		signed := 0
		if p := l.peek(1); p == '-' || p == '+' {
			signed = 1
		}
		if isDigit(l.peek(1 + signed)) {
			b.WriteByte('e')
			if l.peek(1) == '-' {
				b.WriteByte('-')
			}
			l.at += 1 + signed
			l.digits(&b)
		}
	}
	return b.String()
}

func (l *lexer) digits(b *strings.Builder) {
	for {
		switch {
		case isDigit(l.peek(0)):
			b.WriteRune(l.peek(0))
			l.at++
		case l.peek(0) == '_' && isDigit(l.peek(1)):
			l.at++
		case l.peek(0) == ',' && l.depth == 0 && isDigit(l.peek(1)) && isDigit(l.peek(2)) && isDigit(l.peek(3)) && !isDigit(l.peek(4)):
			l.at++
		default:
			return
		}
	}
}

// peek is the character n places on, 0 beyond the end.
func (l *lexer) peek(n int) rune {
	if l.at+n < len(l.runes) {
		return l.runes[l.at+n]
	}
	return 0
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// isLetter is true for what a name may have: letters, and beyond ASCII all that is neither punctuation nor a sign. The tables of
// package unicode would say it better, and readers would download them.
func isLetter(r rune) bool {
	switch {
	case r < 0x80:
		return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	case r < 0xC0:
		return r == 'µ' || r == 'ª' || r == 'º'
	}
	return r != '×' && r != '÷' && (r < 0x2000 || r >= 0x2C00) && (r < 0x3000 || r >= 0x3040) && (r < 0xFE00 || r >= 0xFF10) && r != 0xFFFD
}

// Bounds of a number as it is written.
const (
	maxDigits   = 30
	maxExponent = 77
)

// value reads a number token exactly.
func (t *token) value() (*ratio, *Error) {
	mantissa, exponent, _ := strings.Cut(t.text, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	shift, ok := 0, true
	if exponent != "" {
		n, err := strconv.Atoi(exponent)
		shift, ok = n, err == nil && n <= maxExponent && n >= -maxExponent
	}
	if digits := whole + fraction; ok && len(digits) <= maxDigits {
		shift -= len(fraction)
		if v := reduced(false, natOfDigits(digits).mul(pow10(shift)), pow10(-shift)); v != nil {
			return v, nil
		}
	}
	return nil, fault("too-fine", t.col, t.text, "30 digits, and e77 at most")
}
