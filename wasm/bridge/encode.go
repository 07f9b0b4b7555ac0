package bridge

import (
	"strconv"

	"seedbed/labs"
)

// Sections of a reply, laid out as those of a trace's canonical bytes: all lengths little-endian, every part padded to 8 bytes, so
// that typed arrays may be laid over the numbers.

const (
	typeNumbers = 0
	typeText    = 1
)

func appendHead(b []byte, name string, kind uint32, count int) []byte {
	b = appendU32(b, uint32(len(name)))
	b = appendU32(b, kind)
	b = appendI64(b, int64(count))
	return pad(append(b, name...))
}

func appendText(b []byte, name, text string) []byte {
	b = appendHead(b, name, typeText, len(text))
	return pad(append(b, text...))
}

func appendNumbers(b []byte, name string, values ...int64) []byte {
	b = appendHead(b, name, typeNumbers, len(values))
	for _, v := range values {
		b = appendI64(b, v)
	}
	return b
}

func appendLogged(b []byte, log []labs.Logged, at int64) []byte {
	split := 0
	for split < len(log) && log[split].At < at {
		split++
	}
	fields := [...]struct {
		name string
		get  func(e *labs.Logged) int64
	}{
		{"at", func(e *labs.Logged) int64 { return e.At }},
		{"n", func(e *labs.Logged) int64 { return e.N }},
		{"kind", func(e *labs.Logged) int64 { return int64(e.Kind) }},
		{"entity", func(e *labs.Logged) int64 { return int64(e.Entity) }},
		{"a", func(e *labs.Logged) int64 { return e.A }},
		{"b", func(e *labs.Logged) int64 { return e.B }},
	}
	for _, f := range fields {
		b = appendHead(b, f.name, typeNumbers, len(log))
		for i := range log {
			b = appendI64(b, f.get(&log[i]))
		}
	}
	return appendNumbers(b, "split", int64(split))
}

func appendU32(b []byte, v uint32) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

func appendI64(b []byte, v int64) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56))
}

func pad(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

// appendError tells why a call failed: an input that cannot run, or a bound that a run met.
func appendError(b []byte, err error) []byte {
	var j object
	switch e := err.(type) {
	case *labs.Error:
		j.open()
		j.text("code", e.Code)
		j.text("field", e.Field)
		j.text("got", e.Got)
		j.text("want", e.Want)
		j.text("text", e.Error())
	case *labs.Bound:
		j.open()
		j.text("code", e.Code)
		j.number("at", e.At)
		j.text("text", e.Error())
	default:
		return appendFault(b, "failed", err.Error())
	}
	return appendText(b, "error", string(j.close()))
}

// appendFault tells of a fault that is not the input's.
func appendFault(b []byte, code, text string) []byte {
	var j object
	j.open()
	j.text("code", code)
	j.text("text", text)
	return appendText(b, "error", string(j.close()))
}

// appendLayout appends a layout as JSON; absent fields have their zero value.
func appendLayout(b []byte, l *labs.Layout) []byte {
	j := object{b: b}
	j.open()
	j.list("columns", len(l.Columns), func(i int) {
		c := &l.Columns[i]
		j.open()
		j.text("name", c.Name)
		j.text("unit", c.Unit.Code())
		j.number("gather", int64(c.Gather))
		j.shut('}')
	})
	j.list("entities", len(l.Entities), func(i int) { j.entity(&l.Entities[i]) })
	j.list("links", len(l.Links), func(i int) {
		j.open()
		j.text("from", l.Links[i].From)
		j.text("to", l.Links[i].To)
		j.shut('}')
	})
	j.list("plots", len(l.Plots), func(i int) {
		p := &l.Plots[i]
		j.open()
		j.text("name", p.Name)
		j.list("columns", len(p.Columns), func(k int) { j.string(p.Columns[k]) })
		j.number("bound", p.Bound)
		j.shut('}')
	})
	if len(l.Panels) > 0 {
		j.panels(l)
	}
	return j.close()
}

func (j *object) panels(l *labs.Layout) {
	j.list("panels", len(l.Panels), func(i int) {
		p := &l.Panels[i]
		j.open()
		j.text("name", p.Name)
		j.text("kind", p.Kind.String())
		j.list("words", len(p.Words), func(k int) { j.string(p.Words[k]) })
		j.shut('}')
	})
}

func (j *object) entity(e *labs.Entity) {
	j.open()
	j.text("name", e.Name)
	j.text("label", e.Label)
	j.number("n", int64(e.N))
	j.text("kind", e.Kind.String())
	j.number("rank", int64(e.Rank))
	j.number("row", int64(e.Row))
	if e.Judged {
		j.number("judged", 1)
	}
	j.text("level", e.Level)
	j.number("full", e.Full)
	j.text("passed", e.Passed)
	j.text("refused", e.Refused)
	j.text("down", e.Down)
	j.shut('}')
}

// object writes JSON by hand: encoding/json would cost readers 200 KB of module.
type object struct{ b []byte }

func (j *object) open() {
	j.comma()
	j.b = append(j.b, '{')
}

func (j *object) shut(bracket byte) { j.b = append(j.b, bracket) }

func (j *object) close() []byte {
	j.shut('}')
	return j.b
}

// comma parts a value from the one before it.
func (j *object) comma() {
	if n := len(j.b); n > 0 && j.b[n-1] != '{' && j.b[n-1] != '[' && j.b[n-1] != ':' {
		j.b = append(j.b, ',')
	}
}

func (j *object) key(name string) {
	j.string(name)
	j.b = append(j.b, ':')
}

// text adds a field, unless it is empty.
func (j *object) text(name, v string) {
	if v != "" {
		j.key(name)
		j.string(v)
	}
}

// number adds a field, unless it is 0.
func (j *object) number(name string, v int64) {
	if v != 0 {
		j.key(name)
		j.b = strconv.AppendInt(j.b, v, 10)
	}
}

func (j *object) list(name string, n int, item func(i int)) {
	j.key(name)
	j.b = append(j.b, '[')
	for i := range n {
		item(i)
	}
	j.shut(']')
}

// string quotes as JSON wants it. Text that is not UTF-8 cannot come from a layout, but can from a Spec in an error: its bytes become
// the replacement character.
func (j *object) string(s string) {
	j.comma()
	j.b = append(j.b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			j.b = append(j.b, '\\', byte(r))
		case r < 0x20:
			j.b = append(j.b, `\u00`...)
			j.b = append(j.b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			j.b = append(j.b, string(r)...)
		}
	}
	j.b = append(j.b, '"')
}
