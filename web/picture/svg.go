package picture

import (
	"math"
	"strconv"
)

// attr is one attribute of an element. Values are escaped when they are written, so no other code of this package escapes anything.
type attr struct{ name, value string }

// num is a length or coordinate, to a tenth of a unit.
func num(name string, v float64) attr { return attr{name, tenth(v)} }

// tenth rounds to one decimal, without trailing zeros: more would only make the bytes many, and floats differ in their last digits.
func tenth(v float64) string { return string(appendTenth(nil, v)) }

// tenths is a length as it will be written, in tenths: two that are equal here are equal in the picture.
func tenths(v float64) int64 { return int64(math.Round(v * 10)) }

func appendTenth(b []byte, v float64) []byte {
	n := tenths(v)
	if n < 0 {
		b = append(b, '-')
		n = -n
	}
	b = strconv.AppendInt(b, n/10, 10)
	if n%10 != 0 {
		b = append(b, '.', byte('0'+n%10))
	}
	return b
}

// paint is how an element gets a token's colour: by class where a stylesheet reaches it, and by the attribute, which is weaker than
// any stylesheet, where none does, as in a feed. Shapes fill or stroke themselves with currentColor.
func paint(token string) []attr {
	return []attr{{"class", token}, {"color", light(token)}}
}

// writer writes one SVG document. Elements are closed in the order that they were opened; it knows nothing of what is drawn.
type writer struct {
	b    []byte
	open []string
}

// begin opens an element.
func (w *writer) begin(name string, attrs ...attr) {
	w.tag(name, attrs)
	w.b = append(w.b, '>')
	w.open = append(w.open, name)
}

// end closes the element that was opened last.
func (w *writer) end() {
	last := len(w.open) - 1
	w.b = append(w.b, "</"...)
	w.b = append(w.b, w.open[last]...)
	w.b = append(w.b, '>')
	w.open = w.open[:last]
}

// leaf writes an element without content.
func (w *writer) leaf(name string, attrs ...attr) {
	w.tag(name, attrs)
	w.b = append(w.b, "/>"...)
}

// chars writes text content.
func (w *writer) chars(s string) { w.b = appendEscaped(w.b, s) }

// element writes an element that holds nothing but text.
func (w *writer) element(name, content string, attrs ...attr) {
	w.begin(name, attrs...)
	w.chars(content)
	w.end()
}

// newline parts the document into lines that a person can compare.
func (w *writer) newline() { w.b = append(w.b, '\n') }

func (w *writer) tag(name string, attrs []attr) {
	w.b = append(w.b, '<')
	w.b = append(w.b, name...)
	for _, a := range attrs {
		w.b = append(w.b, ' ')
		w.b = append(w.b, a.name...)
		w.b = append(w.b, '=', '"')
		w.b = appendEscaped(w.b, a.value)
		w.b = append(w.b, '"')
	}
}

// appendEscaped writes text so that it is itself in XML content and in a quoted attribute. Characters that XML cannot hold, and bytes
// that are not UTF-8, become U+FFFD.
func appendEscaped(b []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '"':
			b = append(b, "&#34;"...)
		case r < 0x20 && r != '\n' && r != '\t', r == 0xFFFE, r == 0xFFFF:
			b = append(b, "\uFFFD"...)
		default:
			b = append(b, string(r)...)
		}
	}
	return b
}

// path builds the data of a path, in absolute coordinates.
type path struct{ b []byte }

func (p *path) move(x, y float64) *path { return p.to('M', x, y) }
func (p *path) line(x, y float64) *path { return p.to('L', x, y) }
func (p *path) across(x float64) *path  { return p.to('H', x) }
func (p *path) down(y float64) *path    { return p.to('V', y) }
func (p *path) close() *path            { p.b = append(p.b, 'Z'); return p }
func (p *path) empty() bool             { return len(p.b) == 0 }
func (p *path) d() attr                 { return attr{"d", string(p.b)} }

// curve is a cubic from the current point, with two control points.
func (p *path) curve(x1, y1, x2, y2, x, y float64) *path { return p.to('C', x1, y1, x2, y2, x, y) }

// slash is a line from a point up to the right, at 45 degrees.
func (p *path) slash(x, y, by float64) *path {
	p.move(x, y).b = append(p.b, 'l')
	p.b = appendTenth(p.b, by)
	p.b = appendTenth(p.b, -by)
	return p
}

// rect adds a closed rectangle.
func (p *path) rect(x, y, w, h float64) *path {
	return p.move(x, y).across(x + w).down(y + h).across(x).close()
}

// circle adds a closed circle.
func (p *path) circle(x, y, r float64) *path {
	p.move(x-r, y)
	p.to('A', r, r, 0, 1, 1, x+r, y)
	return p.to('A', r, r, 0, 1, 1, x-r, y).close()
}

func (p *path) to(command byte, values ...float64) *path {
	p.b = append(p.b, command)
	for i, v := range values {
		if i > 0 {
			p.b = append(p.b, ' ')
		}
		p.b = appendTenth(p.b, v)
	}
	return p
}
