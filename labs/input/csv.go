package input

import "bytes"

// csvParser reads a table, as RFC 4180 has it but for fields that go over several
// lines. The first line that names a column of times, or has a time in one, says
// where times stand and what separates the columns.
type csvParser struct {
	opts    *Options
	known   bool
	comma   byte
	timeCol int
	keyCol  int // -1: none
	unit    Unit
	name    string
	scratch []byte
}

func (p *csvParser) timeName() string { return p.name }

func (p *csvParser) parse(line []byte) (record, Verdict) {
	p.scratch = p.scratch[:0]
	if !p.known {
		if p.header(line) {
			return record{}, Comment
		}
		if !p.firstRow(line) {
			return record{}, NoTime
		}
	}
	return p.row(line)
}

func (p *csvParser) row(line []byte) (record, Verdict) {
	var rec record
	when := NoTime
	v := p.fields(line, p.comma, func(column int, value []byte) {
		if column == p.timeCol {
			rec.at, when = parseInstant(value, p.unit, p.opts.ZoneOffset)
		}
		if column == p.keyCol {
			rec.key = p.key(value)
		}
	})
	if v != Request {
		return record{}, v
	}
	return rec, when
}

func (p *csvParser) key(value []byte) []byte {
	switch {
	case p.opts.KeyName != "":
		return value
	case p.opts.Key == ByPath:
		if target, v := requestTarget(value); v == Request { // a column with whole request lines
			return pathOf(target)
		}
		return pathOf(value)
	}
	return withoutPort(value)
}

// separators are tried in this order.
var separators = [...]byte{',', '\t', ';', '|'}

// header takes the line as the names of the columns, if one of them is known as a
// time.
func (p *csvParser) header(line []byte) bool {
	for _, comma := range separators {
		bestTime, bestKey := 0, 0
		key := -1
		p.fields(line, comma, func(column int, name []byte) {
			if rank, unit := timeRank(name, p.opts.TimeName); rank > bestTime {
				bestTime, p.timeCol, p.unit, p.name = rank, column, unit, string(name)
			}
			if rank := keyRank(name, p.opts); rank > bestKey {
				bestKey, key = rank, column
			}
		})
		if bestTime > 0 {
			p.known, p.comma, p.keyCol, p.unit = true, comma, key, orUnit(p.opts.Unit, p.unit)
			return true
		}
	}
	return false
}

// firstRow finds the columns of a table without a header by their looks: the time
// is the first that reads as one, but a date or a number of at least ten digits
// before a short one, which may be anything. A table has two columns at least.
func (p *csvParser) firstRow(line []byte) bool {
	for _, comma := range separators {
		columns, long, key := 0, false, -1
		timeCol := -1
		v := p.fields(line, comma, func(column int, value []byte) {
			columns++
			if _, v := parseInstant(value, p.opts.Unit, p.opts.ZoneOffset); v == Request && (timeCol < 0 || !long && len(value) >= 10) {
				timeCol, long = column, len(value) >= 10
			} else if key < 0 && p.looksLikeKey(value) {
				key = column
			}
		})
		if v == Request && columns > 1 && timeCol >= 0 {
			p.known, p.comma, p.timeCol, p.keyCol, p.unit = true, comma, timeCol, key, p.opts.Unit
			return true
		}
	}
	return false
}

func (p *csvParser) looksLikeKey(value []byte) bool {
	switch p.opts.Key {
	case ByClient:
		return isAddress(withoutPort(value))
	case ByPath:
		return len(value) > 0 && value[0] == '/'
	}
	return false
}

// fields gives each field of a line to take, without its quotes and the spaces
// around it. Fields are good until the next line.
func (p *csvParser) fields(line []byte, comma byte, take func(column int, value []byte)) Verdict {
	for column := 0; ; column++ {
		start := bytes.TrimLeft(line, " ")
		if len(start) > 0 && start[0] == '"' {
			value, rest, ok := p.unquote(start[1:])
			if !ok {
				return CutOff
			}
			take(column, bytes.TrimSpace(value))
			if line = bytes.TrimLeft(rest, " "); len(line) > 0 && line[0] != comma {
				return CutOff // something after a closing quote: it was not the closing one
			}
			if len(line) == 0 {
				return Request
			}
			line = line[1:]
			continue
		}
		end := bytes.IndexByte(line, comma)
		if end < 0 {
			take(column, bytes.TrimSpace(line))
			return Request
		}
		take(column, bytes.TrimSpace(line[:end]))
		line = line[end+1:]
	}
}

// unquote reads up to the closing quote; two quotes inside are one.
func (p *csvParser) unquote(b []byte) (value, rest []byte, ok bool) {
	for i := 0; i < len(b); i++ {
		if b[i] != '"' {
			continue
		}
		if i+1 == len(b) || b[i+1] != '"' {
			return b[:i], b[i+1:], true
		}
		return p.unquoteDoubled(b)
	}
	return nil, nil, false
}

func (p *csvParser) unquoteDoubled(b []byte) (value, rest []byte, ok bool) {
	from := len(p.scratch)
	for i := 0; i < len(b); i++ {
		if b[i] == '"' {
			if i+1 == len(b) || b[i+1] != '"' {
				return p.scratch[from:len(p.scratch):len(p.scratch)], b[i+1:], true
			}
			i++
		}
		p.scratch = append(p.scratch, b[i])
	}
	return nil, nil, false
}
