package input

import "bytes"

// jsonParser reads one JSON object a line. It knows the access logs of Caddy (its
// request is an object inside), Traefik and nginx by their keys, and goes by
// general names otherwise.
type jsonParser struct {
	opts *Options
	name string // the key that gave the first time
	now  jsonLine
}

// jsonLine is what has been found of the current line.
type jsonLine struct {
	at       int64
	timeRank int // of the time found, 0: none yet
	bad      Verdict
	badRank  int // of the best time that could not be read
	timeKey  []byte

	key     []byte
	keyRank int

	message   bool    // it has a logger's keys
	repeated  bool    // Caddy's second line about a request that failed
	request   bool    // it has a request's keys
	requested Verdict // what the request line, if there is one, was found to be
}

func (p *jsonParser) timeName() string { return p.name }

func (p *jsonParser) parse(line []byte) (record, Verdict) {
	line = bytes.TrimSpace(line)
	p.now = jsonLine{}
	s := jsonScan{scan: scan{b: line}}
	if s.peek() != '{' || !s.object(1, p.member) || !s.done() {
		return record{}, NotJSON
	}
	l := &p.now
	switch {
	case l.requested.Rejected():
		return record{}, l.requested
	case l.repeated, l.message && !l.request && p.opts.TimeName == "":
		return record{}, NoRequest
	case l.timeRank == 0 && l.badRank > 0:
		return record{}, l.bad
	case l.timeRank == 0:
		return record{}, NoTime
	}
	if p.name == "" {
		p.name = string(l.timeKey)
	}
	return record{at: l.at, key: p.key(l.key)}, Request
}

func (p *jsonParser) key(value []byte) []byte {
	switch {
	case p.opts.KeyName != "":
		return value
	case p.opts.Key == ByPath:
		if target, v := requestTarget(value); v == Request {
			return pathOf(target)
		}
		return pathOf(value)
	}
	if value = withoutPort(value); string(value) == "-" {
		return nil
	}
	return value
}

// member looks at one key and its value: a text, a number, or an object that is
// gone into one level deep.
func (p *jsonParser) member(name, value []byte, kind jsonKind, depth int) {
	l := &p.now
	if depth == 1 {
		switch string(name) {
		case "level", "logger", "msg", "message":
			l.message = true
		case "request", "RequestMethod", "RequestPath", "ClientHost", "StartUTC", "request_uri", "request_method",
			"remote_addr", "remote_ip", "client_ip", "method", "uri", "path", "status", "http":
			l.request = true
		}
		if string(name) == "request" && kind == jsonString {
			_, l.requested = requestTarget(value)
		}
		if string(name) == "logger" && bytes.HasPrefix(value, []byte("http.log.error")) {
			l.repeated = true
		}
	}
	if kind != jsonString && kind != jsonNumber {
		return
	}
	if depth == 1 {
		p.time(name, value)
	}
	rank := keyRank(name, p.opts)
	if rank > 0 && depth == 1 {
		rank += len(clientNames) + len(pathNames) // what stands outside goes before what stands inside
	}
	if rank > l.keyRank {
		l.keyRank, l.key = rank, value
	}
}

func (p *jsonParser) time(name, value []byte) {
	l := &p.now
	rank, unit := timeRank(name, p.opts.TimeName)
	if rank == 0 {
		return
	}
	switch at, v := parseInstant(value, orUnit(p.opts.Unit, unit), p.opts.ZoneOffset); {
	case v == Request && rank > l.timeRank:
		l.at, l.timeRank, l.timeKey = at, rank, name
	case v != Request && rank > l.badRank:
		if v == NoTime {
			v = BadTime // the key promised one
		}
		l.bad, l.badRank = v, rank
	}
}
