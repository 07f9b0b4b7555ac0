package direct

import "bytes"

var (
	lineEnd  = []byte("\r\n")
	protocol = []byte(" HTTP/1.1")
)

// parse reads one request from the beginning of b, which holds what has been read so far. It returns how many bytes the request
// takes, 0 when it is not simple.
func parse(b []byte, r *Request) int {
	*r = Request{}
	line, rest, found := bytes.Cut(b, lineEnd)
	if !found {
		return 0
	}
	switch {
	case bytes.HasPrefix(line, []byte("GET ")):
		line = line[4:]
	case bytes.HasPrefix(line, []byte("HEAD ")):
		line, r.Head = line[5:], true
	default:
		return 0
	}
	path, ok := bytes.CutSuffix(line, protocol)
	if !ok || !plainPath(path) {
		return 0
	}
	r.Path = string(path)
	hosts := 0
	for {
		line, rest, found = bytes.Cut(rest, lineEnd)
		if !found {
			return 0 // the header is not whole
		}
		if len(line) == 0 {
			break
		}
		name, value, ok := field(line)
		if !ok {
			return 0
		}
		switch {
		case fold(name, "host"):
			hosts++
			if !plainHost(value) {
				return 0
			}
		case fold(name, "accept-encoding"):
			if r.AcceptEncoding != "" {
				return 0
			}
			r.AcceptEncoding = string(value)
		case fold(name, "if-none-match"):
			if r.IfNoneMatch != "" {
				return 0
			}
			r.IfNoneMatch = string(value)
		case fold(name, "connection"):
			if !fold(value, "keep-alive") {
				return 0
			}
		case fold(name, "content-length"), fold(name, "transfer-encoding"), fold(name, "expect"), fold(name, "upgrade"), fold(name, "trailer"):
			return 0
		}
	}
	if hosts != 1 {
		return 0
	}
	return len(b) - len(rest)
}

// plainPath is true for a path that stands for itself: nothing to decode, no query, no dots to resolve.
func plainPath(p []byte) bool {
	if len(p) == 0 || p[0] != '/' || bytes.Contains(p, []byte("//")) || bytes.Contains(p, []byte("/.")) {
		return false
	}
	for _, c := range p {
		if !letterOrDigit(c) && c != '/' && c != '.' && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// field takes a header field apart; ok is false for one whose form is not beyond doubt.
func field(line []byte) (name, value []byte, ok bool) {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 {
		return nil, nil, false
	}
	name = line[:colon]
	for _, c := range name {
		if !letterOrDigit(c) && c != '-' {
			return nil, nil, false
		}
	}
	value = bytes.Trim(line[colon+1:], " \t")
	for _, c := range value {
		if c < 0x20 || c > 0x7E {
			return nil, nil, false
		}
	}
	return name, value, true
}

func plainHost(h []byte) bool {
	for _, c := range h {
		if !letterOrDigit(c) && c != '.' && c != '-' && c != ':' && c != '[' && c != ']' {
			return false
		}
	}
	return len(h) > 0
}

func letterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// fold compares with a word in lower case.
func fold(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i := range b {
		c := b[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
