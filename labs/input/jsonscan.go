package input

import "bytes"

// jsonKind is what a JSON value is.
type jsonKind uint8

const (
	jsonString jsonKind = iota
	jsonNumber
	jsonObject
	jsonOther // an array, true, false, null
)

// maxDepth is how deep values may lie inside each other.
const maxDepth = 64

// jsonScan checks one JSON text (RFC 8259) and hands out the members of objects
// on its way. It keeps nothing, so a line costs what its bytes cost.
type jsonScan struct {
	scan
	scratch []byte
}

// visit gets each member of an object: the value without quotes and escapes if it
// is a string, as it stands if it is a number, else nothing.
type visit func(name, value []byte, kind jsonKind, depth int)

// object reads an object at the given depth; members of objects inside it are
// visited too, one depth more. See may be nil.
func (s *jsonScan) object(depth int, see visit) bool {
	if depth > maxDepth || !s.eat('{') {
		return false
	}
	s.space()
	if s.eat('}') {
		return true
	}
	for {
		s.space()
		name, ok := s.text()
		s.space()
		if !ok || !s.eat(':') {
			return false
		}
		s.space()
		if !s.member(name, depth, see) {
			return false
		}
		s.space()
		if s.eat('}') {
			return true
		}
		if !s.eat(',') {
			return false
		}
	}
}

func (s *jsonScan) member(name []byte, depth int, see visit) bool {
	switch c := s.peek(); {
	case c == '"':
		value, ok := s.text()
		if ok && see != nil {
			see(name, value, jsonString, depth)
		}
		return ok
	case c == '-' || isDigit(c):
		from := s.i
		ok := s.numeral()
		if ok && see != nil {
			see(name, s.b[from:s.i], jsonNumber, depth)
		}
		return ok
	case c == '{':
		if see != nil {
			see(name, nil, jsonObject, depth)
		}
		if depth > 1 || string(name) != "request" {
			see = nil
		}
		return s.object(depth+1, see)
	}
	if see != nil {
		see(name, nil, jsonOther, depth)
	}
	return s.value(depth + 1)
}

// value reads any value without a look at it.
func (s *jsonScan) value(depth int) bool {
	switch c := s.peek(); {
	case c == '{':
		return s.object(depth, nil)
	case c == '[':
		return s.array(depth)
	case c == '"':
		_, ok := s.text()
		return ok
	case c == '-' || isDigit(c):
		return s.numeral()
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(s.b[min(s.i, len(s.b)):], []byte(word)) {
			s.i += len(word)
			return true
		}
	}
	return false
}

func (s *jsonScan) array(depth int) bool {
	if depth > maxDepth || !s.eat('[') {
		return false
	}
	s.space()
	if s.eat(']') {
		return true
	}
	for {
		s.space()
		if !s.value(depth + 1) {
			return false
		}
		s.space()
		if s.eat(']') {
			return true
		}
		if !s.eat(',') {
			return false
		}
	}
}

func (s *jsonScan) space() {
	for !s.done() {
		if c := s.b[s.i]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return
		}
		s.i++
	}
}

// numeral reads -?int[.frac][e±exp].
func (s *jsonScan) numeral() bool {
	s.eat('-')
	digits := func() bool {
		from := s.i
		for isDigit(s.peek()) {
			s.i++
		}
		return s.i > from
	}
	if !s.eat('0') && !digits() || s.eat('.') && !digits() {
		return false
	}
	if s.eat('e') || s.eat('E') {
		if !s.eat('+') {
			s.eat('-')
		}
		return digits()
	}
	return true
}

// text reads a string and returns it without quotes and escapes.
func (s *jsonScan) text() ([]byte, bool) {
	if !s.eat('"') {
		return nil, false
	}
	b, from := s.b, s.i // locals: half of a line's bytes pass here
	for i := from; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			s.i = i + 1
			return b[from:i], true
		case c == '\\':
			s.i = i
			return s.escaped(from)
		case c < ' ':
			return nil, false
		}
	}
	return nil, false
}

// escaped goes on with a string at its first backslash.
func (s *jsonScan) escaped(from int) ([]byte, bool) {
	start := len(s.scratch)
	s.scratch = append(s.scratch, s.b[from:s.i]...)
	for !s.done() {
		c := s.next()
		switch {
		case c == '"':
			return s.scratch[start:len(s.scratch):len(s.scratch)], true
		case c < ' ':
			return nil, false
		case c != '\\':
			s.scratch = append(s.scratch, c)
			continue
		}
		c = s.next()
		if c == 'u' {
			r, ok := s.codePoint()
			if !ok {
				return nil, false
			}
			s.scratch = append(s.scratch, string(r)...)
			continue
		}
		i := bytes.IndexByte([]byte(`"\/bfnrt`), c)
		if i < 0 || c == 0 {
			return nil, false
		}
		s.scratch = append(s.scratch, "\"\\/\b\f\n\r\t"[i])
	}
	return nil, false
}

// codePoint reads the four digits of \u, and the second half of a pair; half a
// pair alone becomes the replacement character, as string(rune) makes it.
func (s *jsonScan) codePoint() (rune, bool) {
	r, ok := s.hex4()
	if !ok || r < 0xD800 || r > 0xDBFF || s.i+1 >= len(s.b) || s.b[s.i] != '\\' || s.b[s.i+1] != 'u' {
		return r, ok
	}
	at := s.i
	s.i += 2
	low, ok := s.hex4()
	if !ok {
		return 0, false
	}
	if low < 0xDC00 || low > 0xDFFF {
		s.i = at
		return 0xFFFD, true
	}
	return 0x10000 + (r-0xD800)<<10 + (low - 0xDC00), true
}

func (s *jsonScan) hex4() (r rune, ok bool) {
	for range 4 {
		c := s.next()
		switch {
		case isDigit(c):
			r = r<<4 + rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 + rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
