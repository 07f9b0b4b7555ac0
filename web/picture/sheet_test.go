package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// sheet is a drawn picture, read back: what a test can say about it without a browser.
type sheet struct {
	width, height float64
	labels        []label
	problems      []string
}

// label is one line of text with its estimated box, in the picture's units.
type label struct {
	text           string
	size           float64
	x0, y0, x1, y1 float64
}

// state is what an element inherits.
type state struct {
	size, scale, dx, dy float64
	anchor              string
	bold                bool
}

// allowed is every attribute that a picture may use: none that a strict Content-Security-Policy refuses, none that refers to another
// element, by which two pictures on one page could meet.
var allowed = strings.Fields(`xmlns class role lang viewBox width height font-size font-family fill color d stroke stroke-width
	stroke-dasharray stroke-linecap stroke-linejoin fill-opacity x y rx font-weight text-anchor transform`)

// readSheet parses a picture and gathers what is wrong with it as a document.
func readSheet(t testing.TB, svg []byte, standalone bool) *sheet {
	t.Helper()
	s := &sheet{}
	stack := []state{{scale: 1}}
	var text *label
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return s
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			in := s.element(stack[len(stack)-1], token, standalone)
			stack = append(stack, in)
			if token.Name.Local == "text" {
				text = &label{size: in.size * in.scale, x0: in.dx + in.scale*number(token, "x"), y1: in.dy + in.scale*number(token, "y")}
			}
		case xml.EndElement:
			if token.Name.Local == "text" {
				s.add(*text, stack[len(stack)-1])
				text = nil
			}
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if text != nil {
				text.text += string(token)
			}
		}
	}
}

// element judges one element and returns what its children inherit.
func (s *sheet) element(in state, e xml.StartElement, standalone bool) state {
	in.anchor, in.bold = "", false
	class, colour := "", ""
	for _, a := range e.Attr {
		switch name := a.Name.Local; {
		case !slices.Contains(allowed, name):
			s.wrong("<%s> has the attribute %s", e.Name.Local, name)
		case name == "class":
			class = a.Value
		case name == "color":
			colour = a.Value
		case name == "font-size":
			in.size = number(e, name)
		case name == "text-anchor":
			in.anchor = a.Value
		case name == "font-weight":
			in.bold = true
		case name == "transform":
			if _, err := fmt.Sscanf(a.Value, "translate(0 %f) scale(%f)", &in.dy, &in.scale); err != nil {
				s.wrong("transform %q is not one that this test can follow", a.Value)
			}
		case name == "fill" || name == "stroke":
			if a.Value != "none" && a.Value != "currentColor" {
				s.wrong("<%s> is painted %s, not by its class", e.Name.Local, a.Value)
			}
		}
	}
	switch e.Name.Local {
	case "svg":
		fmt.Sscanf(attribute(e, "viewBox"), "0 0 %f %f", &s.width, &s.height)
		if s.width != number(e, "width") || s.height != number(e, "height") {
			s.wrong("the size and the viewBox differ")
		}
	case "style":
		if !standalone {
			s.wrong("an inline picture carries a style")
		}
	case "path", "rect", "text":
		if i := slices.IndexFunc(Tokens, func(t Token) bool { return t.Name == class }); i < 0 || Tokens[i].Light != colour {
			s.wrong("<%s> has class %q and colour %q, which are no token's", e.Name.Local, class, colour)
		}
	case "title", "desc", "g":
	default:
		s.wrong("<%s> is not drawn by anything here", e.Name.Local)
	}
	return in
}

func (s *sheet) wrong(format string, args ...any) {
	s.problems = append(s.problems, fmt.Sprintf(format, args...))
}

// add gives a label its box. The estimate is its own, not the package's: 0.55 em a Latin letter, 0.6 a digit, 0.3 a space or a
// thin sign, 1 em a Chinese character.
func (s *sheet) add(l label, in state) {
	w, square := 0.0, 0.0
	for _, r := range l.text {
		switch {
		case unicode.Is(unicode.Han, r) || r >= 0x3000 && r <= 0x30FF || r >= 0xFF00 && r <= 0xFF60:
			square++
		case r >= '0' && r <= '9':
			w += 0.6
		case strings.ContainsRune(" .,:;'|il!()[]-", r):
			w += 0.3
		default:
			w += 0.55
		}
	}
	if in.bold {
		w *= 1.05
	}
	w = (w + square) * l.size
	switch in.anchor {
	case "middle":
		l.x0 -= w / 2
	case "end":
		l.x0 -= w
	}
	l.x1 = l.x0 + w
	l.y0, l.y1 = l.y1-0.75*l.size, l.y1+0.2*l.size
	s.labels = append(s.labels, l)
}

// faults are all that is wrong: with the document, with the size of text, with labels that meet or leave the picture.
func (s *sheet) faults() []string {
	out := slices.Clone(s.problems)
	for i, a := range s.labels {
		if a.size < 12 {
			out = append(out, fmt.Sprintf("%q is set in %.1f, below 12", a.text, a.size))
		}
		if a.x0 < 0 || a.y0 < 0 || a.x1 > s.width || a.y1 > s.height {
			out = append(out, fmt.Sprintf("%q at %s leaves the picture of %.0f × %.0f", a.text, a.box(), s.width, s.height))
		}
		for _, b := range s.labels[:i] {
			if a.x0 < b.x1-0.5 && b.x0 < a.x1-0.5 && a.y0 < b.y1-0.5 && b.y0 < a.y1-0.5 {
				out = append(out, fmt.Sprintf("%q at %s meets %q at %s", a.text, a.box(), b.text, b.box()))
			}
		}
	}
	return out
}

func (l *label) box() string { return fmt.Sprintf("%.0f,%.0f..%.0f,%.0f", l.x0, l.y0, l.x1, l.y1) }

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func number(e xml.StartElement, name string) float64 {
	v, err := strconv.ParseFloat(attribute(e, name), 64)
	if err != nil {
		return 0
	}
	return v
}

// TestSheetSeesFaults proves that the judge of pictures can judge: each of these is refused.
func TestSheetSeesFaults(t *testing.T) {
	const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" width="100" height="50" font-size="13">`
	for name, body := range map[string]string{
		"below 12":         `<text class="ink" color="#1c222b" x="1" y="20" font-size="11">a</text>`,
		"leaves":           `<text class="ink" color="#1c222b" x="90" y="20">abcdef</text>`,
		"meets":            `<text class="ink" color="#1c222b" x="1" y="20">abc</text><text class="ink" color="#1c222b" x="8" y="22">abc</text>`,
		"attribute style":  `<path class="ink" color="#1c222b" style="fill:red" d="M0 0"/>`,
		"attribute id":     `<path class="ink" color="#1c222b" id="a" d="M0 0"/>`,
		"not by its class": `<path class="ink" color="#1c222b" fill="#ff0000" d="M0 0"/>`,
		"no token's":       `<path class="admit" color="#1c222b" d="M0 0"/>`,
		"carries a style":  `<style>a{}</style>`,
		"not drawn by":     `<script/>`,
	} {
		found := readSheet(t, []byte(open+body+`</svg>`), false).faults()
		if !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, name) }) {
			t.Errorf("%s was not found in %s: %q", name, body, found)
		}
	}
}
