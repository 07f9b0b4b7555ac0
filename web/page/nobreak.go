package page

import (
	"strings"
	"unicode/utf8"
)

// A line does not end between a number and the symbol of its unit, nor within a formula: "100 / ms" and "8 × / 5 = 40" have to be put
// together again by whoever reads them. So the spaces there become no-break spaces when prose is written, and authors type plain ones.
// Words that are counted ("100 requests") may part from their number.

const noBreak = "\u00a0"

// signs are what stands between two spaces in a formula, and in prose nowhere else.
const signs = "×÷−+/=≈≠<>≤≥"

// unitSymbols are the symbols that follow a number after a space. A rate's ("MiB/s", "reads/s") is known by what follows its bar.
var unitSymbols = map[string]bool{
	"ns": true, "µs": true, "ms": true, "s": true, "min": true, "h": true, "d": true,
	"bit": true, "kbit": true, "Mbit": true, "Gbit": true,
	"kB": true, "KB": true, "MB": true, "GB": true, "TB": true, "PB": true, "KiB": true, "MiB": true, "GiB": true, "TiB": true, "PiB": true,
	"kHz": true, "MHz": true, "GHz": true, "QPS": true, "%": true,
}

// unbroken is a piece of prose with no-break spaces for plain ones where no line may end. before is the character that shows in front
// of the piece, 0 when there is none. It is linear in the length of s.
func unbroken(s string, before rune) string {
	if !strings.Contains(s, " ") {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if r != ' ' || !(holdsUnit(s, i, before) || holdsSign(s, i)) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(noBreak)
	}
	return b.String()
}

// holdsUnit is true for a space, at i, between a number and its unit.
func holdsUnit(s string, i int, before rune) bool {
	if i > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:i])
	}
	if before < '0' || before > '9' {
		return false
	}
	rest := s[i+1:]
	return isUnit(rest[:len(rest)-len(strings.TrimLeftFunc(rest, inUnitSymbol))])
}

func inUnitSymbol(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == 'µ' || r == '%' || r == '/'
}

// isUnit is true for the symbol of a unit, and for a capital that stands alone: a byte's B, a variable ("2 L"), a million's M.
func isUnit(symbol string) bool {
	if len(symbol) == 1 && symbol[0] >= 'A' && symbol[0] <= 'Z' {
		return true
	}
	_, per, isRate := strings.Cut(symbol, "/")
	return unitSymbols[symbol] || isRate && unitSymbols[per]
}

// holdsSign is true for a space, at i, before or after a sign of a formula. The sign has a space on its other side too.
func holdsSign(s string, i int) bool {
	next, n := utf8.DecodeRuneInString(s[i+1:])
	if strings.ContainsRune(signs, next) && strings.HasPrefix(s[i+1+n:], " ") {
		return true
	}
	last, n := utf8.DecodeLastRuneInString(s[:i])
	return strings.ContainsRune(signs, last) && strings.HasSuffix(s[:i-n], " ")
}
