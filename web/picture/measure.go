package picture

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The server has no fonts, so widths are estimated, in ems, on the wide side of the usual system fonts: a label that fits by this
// estimate fits in the browser, too.

// advance is the estimated width of one character, in ems.
func advance(r rune) float64 {
	switch {
	case isWide(r):
		return 1
	case r >= '0' && r <= '9':
		return 0.62
	case r == ' ':
		return 0.32
	case strings.ContainsRune("il.,:;'|!·", r):
		return 0.34
	case strings.ContainsRune("fjrt()[]-/", r):
		return 0.42
	case strings.ContainsRune("mwMW%@—", r):
		return 0.95
	case unicode.IsUpper(r):
		return 0.7
	case r < 0x250:
		return 0.6
	}
	return 0.9
}

// isWide is true for the characters that take a full square: Chinese and its punctuation.
func isWide(r rune) bool {
	return unicode.Is(unicode.Han, r) || r >= 0x3000 && r <= 0x30FF || r >= 0xFF00 && r <= 0xFF60
}

// width is the estimated width of a line of text at a font size.
func width(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		w += advance(r)
	}
	return w * size
}

// boldWidth is the same for semibold text, which is a little wider.
func boldWidth(s string, size float64) float64 { return width(s, size) * 1.07 }

// clip cuts a line so that it fits, and shows by an ellipsis that it was cut.
func clip(s string, size, room float64) string {
	if width(s, size) <= room {
		return s
	}
	for len(s) > 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = strings.TrimRight(s[:len(s)-n], " ")
		if width(s, size)+size*0.9 <= room {
			break
		}
	}
	return s + "…"
}

// wrap breaks text into at most so many lines, between words and between Chinese characters; the last line is cut when text is left.
func wrap(s string, size, room float64, most int) []string {
	var lines []string
	rest := strings.TrimSpace(s)
	for rest != "" {
		if len(lines) == most-1 || width(rest, size) <= room {
			return append(lines, clip(rest, size, room))
		}
		n := breakAt(rest, size, room)
		lines = append(lines, strings.TrimRight(rest[:n], " "))
		rest = strings.TrimLeft(rest[n:], " ")
	}
	return lines
}

// breakAt is how many bytes of the text go on one line: the last place within the room where a line may end, or, in a word that is
// wider than the room, the last character that fits.
func breakAt(s string, size, room float64) int {
	w, last, fits := 0.0, 0, 0
	var before rune
	for i, r := range s {
		if i > 0 && mayBreak(before, r) {
			last = i
		}
		w += advance(r) * size
		if w > room && i > 0 && r != ' ' {
			break
		}
		fits = i + utf8.RuneLen(r)
		before = r
	}
	if last > 0 {
		return last
	}
	return max(fits, 1)
}

// mayBreak tells whether a line may end between two characters.
func mayBreak(a, b rune) bool {
	switch {
	case strings.ContainsRune("，。、；：？！）》」』”’％%", b), strings.ContainsRune("（《「『“‘", a):
		return false
	case b == ' ':
		return false
	case a == ' ', a == '&':
		return true
	}
	return isWide(a) || isWide(b)
}
