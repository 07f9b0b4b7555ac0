package picture

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The server has no fonts, so widths are estimated by those of DejaVu Sans, the widest of the usual system fonts: a label that fits
// by this estimate fits in the browser, too.

// advances are the widths of the characters from U+0020 to U+007E, in thousandths of an em, as DejaVu Sans 2.37 has them.
var advances = [95]uint16{
	317, 400, 459, 837, 636, 950, 779, 274, 390, 390, 500, 837, 317, 360, 317, 336, // space to /
	636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 336, 336, 837, 837, 837, 530, // 0 to ?
	1000, 684, 686, 698, 770, 631, 575, 774, 751, 294, 294, 655, 557, 862, 748, 787, // @ to O
	603, 787, 694, 634, 610, 731, 684, 988, 685, 610, 685, 390, 336, 390, 837, 500, // P to _
	500, 612, 634, 549, 634, 615, 352, 634, 633, 277, 277, 579, 277, 974, 633, 611, // ` to o
	634, 634, 411, 520, 392, 633, 591, 817, 591, 591, 524, 636, 336, 636, 837, // p to ~
}

// face is how a line of text is set, as far as its width goes.
type face struct {
	size float64
	bold bool
}

func regular(size float64) face { return face{size: size} }
func bold(size float64) face    { return face{size, true} }

// boldness is how much wider semibold Latin letters are.
const boldness = 1.13

// advance is the estimated width of one character.
func (f face) advance(r rune) float64 {
	em := 0.9
	switch {
	case isWide(r):
		return f.size
	case r >= ' ' && r <= '~':
		em = float64(advances[r-' ']) / 1000
	case r == '·' || r == '’' || r == '‘':
		em = 0.32
	case r == '…':
		em = 1
	case r < 0x250:
		em = 0.64
	}
	if f.bold {
		em *= boldness
	}
	return em * f.size
}

// isWide is true for the characters that take a full square: Chinese and its punctuation.
func isWide(r rune) bool {
	return unicode.Is(unicode.Han, r) || r >= 0x3000 && r <= 0x30FF || r >= 0xFF00 && r <= 0xFF60
}

// width is the estimated width of a line of text.
func (f face) width(s string) float64 {
	w := 0.0
	for _, r := range s {
		w += f.advance(r)
	}
	return w
}

// clip cuts a line so that it fits, and shows by an ellipsis that it was cut.
func (f face) clip(s string, room float64) string {
	if f.width(s) <= room {
		return s
	}
	for len(s) > 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = strings.TrimRight(s[:len(s)-n], " ")
		if f.width(s)+f.advance('…') <= room {
			break
		}
	}
	return s + "…"
}

// wrap breaks text into at most so many lines, between words and between Chinese characters; the last line is cut when text is left.
func (f face) wrap(s string, room float64, most int) []string {
	var lines []string
	rest := strings.TrimSpace(s)
	for rest != "" {
		if len(lines) == most-1 || f.width(rest) <= room {
			return append(lines, f.clip(rest, room))
		}
		n := f.breakAt(rest, room)
		lines = append(lines, strings.TrimRight(rest[:n], " "))
		rest = strings.TrimLeft(rest[n:], " ")
	}
	return lines
}

// balance wraps text into as few lines as wrap does, but as even as they can be, so that no word stands alone on the last.
func (f face) balance(s string, room float64, most int) []string {
	lines := f.wrap(s, room, most)
	if len(lines) < 2 || strings.HasSuffix(lines[len(lines)-1], "…") {
		return lines
	}
	for narrower := room - 4; narrower > room/2; narrower -= 4 {
		even := f.wrap(s, narrower, most+1)
		if len(even) > len(lines) {
			break
		}
		lines = even
	}
	return lines
}

// breakAt is how many bytes of the text go on one line: the last place within the room where a line may end, or, in a word that is
// wider than the room, the last character that fits.
func (f face) breakAt(s string, room float64) int {
	w, last, fits := 0.0, 0, 0
	var before rune
	for i, r := range s {
		if i > 0 && mayBreak(before, r) {
			last = i
		}
		w += f.advance(r)
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
