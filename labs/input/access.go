package input

import "bytes"

// accessParser reads the Common and Combined log formats:
//
//	client ident user [time] "request" status bytes "referer" "agent"
//
// What follows the status is not looked at, so Common, Combined and longer lines
// are one. In front, Apache's vhost_combined and others have the virtual host.
type accessParser struct {
	opts *Options
	// The last time and its text: lines of a busy second have the same, and to
	// compare is a fifth of the work of reading.
	text []byte
	at   int64
}

func (p *accessParser) timeName() string { return "" }

func (p *accessParser) parse(line []byte) (record, Verdict) {
	quote := bytes.IndexByte(line, '"')
	if quote < 0 {
		quote = len(line)
	}
	at, before, after, v := p.bracket(line, quote)
	if v != Request {
		return record{}, v
	}
	rest := bytes.TrimLeft(line[after:], " \t")
	if len(rest) == 0 {
		return record{}, CutOff
	}
	if rest[0] != '"' {
		// Some put further fields between the time and the request.
		if rest = line[min(quote, len(line)):]; len(rest) == 0 {
			return record{}, NoRequest
		}
	}
	request, v := quoted(rest)
	if v != Request {
		return record{}, v
	}
	target, v := requestTarget(request)
	if v != Request {
		return record{}, v
	}
	rec := record{at: at}
	switch p.opts.Key {
	case ByClient:
		rec.key = clientOf(line[:before])
	case ByPath:
		rec.key = pathOf(target)
	}
	return rec, Request
}

// bracket finds the time in brackets before the first quote, and returns it with
// the places where the bracket opens and where the line goes on after it. A user
// name may have brackets too, so each is tried.
func (p *accessParser) bracket(line []byte, quote int) (at int64, before, after int, v Verdict) {
	v = NoTime
	for i := 0; i < quote; i++ {
		if line[i] != '[' || i > 0 && !isBlank(line[i-1]) {
			continue
		}
		end := bytes.IndexByte(line[i:], ']')
		if end < 0 {
			continue
		}
		text := line[i+1 : i+end]
		if len(p.text) > 0 && bytes.Equal(text, p.text) {
			return p.at, i, i + end + 1, Request
		}
		t, w := parseInstant(text, p.opts.Unit, p.opts.ZoneOffset)
		if w == Request {
			p.at, p.text = t, append(p.text[:0], text...)
			return t, i, i + end + 1, Request
		}
		if w != NoTime {
			v = w
		}
	}
	return 0, 0, 0, v
}

// quoted returns what stands in the quotes that b starts with. A quote inside is
// written \" or \x22, but not by all: so the closing one is the first that a
// status follows, or that ends a full request, or the line.
func quoted(b []byte) ([]byte, Verdict) {
	v := CutOff
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			inner, rest := b[1:i], b[i+1:]
			if len(rest) == 0 || startsWithStatus(rest) || isFullRequest(inner) {
				return inner, Request
			}
			v = NoStatus
		}
	}
	return nil, v
}

// startsWithStatus: a space, then three digits or a minus, as a field.
func startsWithStatus(b []byte) bool {
	s := scan{b: b}
	if !s.eat(' ') {
		return false
	}
	if !s.eat('-') {
		if _, ok := s.number(3, 3); !ok {
			return false
		}
	}
	return s.done() || s.eat(' ') || s.eat('\t')
}

// isFullRequest: it ends as HTTP/1.1 does, with a space before.
func isFullRequest(request []byte) bool {
	n := len(request)
	return n > 9 && request[n-9] == ' ' && string(request[n-8:n-3]) == "HTTP/" &&
		isDigit(request[n-3]) && request[n-2] == '.' && isDigit(request[n-1])
}

// requestTarget judges a request line and returns its target.
func requestTarget(request []byte) ([]byte, Verdict) {
	if len(request) == 0 || string(request) == "-" {
		return nil, NoRequest
	}
	if string(request) == "PRI * HTTP/2.0" {
		return nil, Preface
	}
	space := bytes.IndexByte(request, ' ')
	if space < 1 || !isMethod(request[:space]) {
		return nil, NotHTTP
	}
	// The protocol is cut off at the last space, since targets may hold raw ones;
	// HTTP/0.9 has none.
	target := request[space+1:]
	if last := bytes.LastIndex(target, []byte(" HTTP/")); last >= 0 {
		target = target[:last]
	}
	switch {
	case len(target) == 0:
		return nil, NotHTTP
	case target[0] == '/', target[0] == '*', bytes.Contains(target, []byte("://")), string(request[:space]) == "CONNECT":
		return target, Request
	}
	return nil, NotHTTP
}

// isMethod: a token of RFC 9110, section 5.6.2, that starts with a letter.
func isMethod(b []byte) bool {
	if len(b) > 32 || !isLetter(b[0]) {
		return false
	}
	for _, c := range b {
		if !isLetter(c) && !isDigit(c) && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) < 0 {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// clientOf finds the client among the fields before the time: the first of a list
// of forwarding addresses, without its port. The minus of a missing field is none.
func clientOf(fields []byte) []byte {
	first, rest := field(fields)
	if isVirtualHost(first, rest) {
		first, _ = field(rest)
	}
	if comma := bytes.IndexByte(first, ','); comma > 0 {
		first = first[:comma]
	}
	if first = withoutPort(first); string(first) == "-" {
		return nil
	}
	return first
}

// isVirtualHost says that the first field is the virtual host, with the client
// after it. Then four or more fields precede the time. A user name with spaces or
// a list of addresses makes four too, so the two fields must look like it.
func isVirtualHost(first, rest []byte) bool {
	second, more := field(rest)
	third, fourth := field(more)
	if len(third) == 0 || len(fourth) == 0 || string(second) == "-" || bytes.HasSuffix(first, []byte{','}) {
		return false
	}
	return isAddress(withoutPort(second)) || len(withoutPort(first)) < len(first) || !isAddress(first)
}

// field cuts off the first of some fields.
func field(b []byte) (first, rest []byte) {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	end := 0
	for end < len(b) && !isBlank(b[end]) {
		end++
	}
	first, rest = b[:end], b[end:]
	for len(rest) > 0 && isBlank(rest[0]) {
		rest = rest[1:]
	}
	return first, rest
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isAddress: it has the look of an IPv4 or IPv6 address.
func isAddress(b []byte) bool {
	dots, colons := 0, 0
	for _, c := range b {
		switch {
		case c == '.':
			dots++
		case c == ':':
			colons++
		case isDigit(c) || c == '%' || c == '[' || c == ']' || 'a' <= c|0x20 && c|0x20 <= 'f':
		default:
			return false
		}
	}
	return dots == 3 && colons == 0 || colons >= 2
}

// withoutPort cuts brackets and port off an address: [2001:db8::1]:443 and
// 192.0.2.1:443. An IPv6 address without brackets has no port.
func withoutPort(b []byte) []byte {
	if len(b) > 0 && b[0] == '[' {
		if end := bytes.IndexByte(b, ']'); end > 0 {
			return b[1:end]
		}
		return b
	}
	colon := bytes.IndexByte(b, ':')
	if colon < 1 || colon != bytes.LastIndexByte(b, ':') || colon == len(b)-1 {
		return b
	}
	for _, c := range b[colon+1:] {
		if !isDigit(c) {
			return b
		}
	}
	return b[:colon]
}

// pathOf returns the path of a target, without scheme, host and query.
func pathOf(target []byte) []byte {
	if i := bytes.IndexAny(target, "?#"); i >= 0 {
		target = target[:i]
	}
	if i := bytes.Index(target, []byte("://")); i >= 0 && bytes.IndexByte(target[:i], '/') < 0 {
		host := target[i+3:]
		slash := bytes.IndexByte(host, '/')
		if slash < 0 {
			return []byte{'/'}
		}
		return host[slash:]
	}
	return target
}
