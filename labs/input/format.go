package input

import "bytes"

// Format is how a log is written.
type Format uint8

// The formats.
const (
	Auto     Format = iota // look at the first lines
	Access                 // Common or Combined log format
	JSON                   // one object a line
	CSV                    // a table with a column of times
	Instants               // one instant a line
	formats
)

var formatNames = [formats]string{"auto", "access", "json", "csv", "instants"}

// String is the name that ParseFormat reads.
func (f Format) String() string { return formatNames[f] }

// ParseFormat reads a format's name; common and combined are names of access too.
func ParseFormat(name string) (Format, error) {
	if name == "common" || name == "combined" {
		return Access, nil
	}
	for f, n := range formatNames {
		if n == name {
			return Format(f), nil
		}
	}
	return Auto, &Error{Code: "unknown-format", Got: excerpt([]byte(name))}
}

func formatList() string {
	list := ""
	for f, n := range formatNames {
		if f > 0 {
			list += ", "
		}
		list += n
	}
	return list
}

// record is what a line says: when, and by which key. The key is only good until
// the next line.
type record struct {
	at  int64 // ns since 1970
	key []byte
}

// parser reads lines of one format, given to it in order. It may learn from them
// (a header), so each log has its own.
type parser interface {
	// parse judges a line that is not blank and does not start with #.
	parse(line []byte) (record, Verdict)
	// timeName is the name under which the times stood, if they have one.
	timeName() string
}

func newParser(f Format, opts *Options) parser {
	switch f {
	case JSON:
		return &jsonParser{opts: opts}
	case CSV:
		return &csvParser{opts: opts}
	case Instants:
		return &instantParser{opts: opts}
	}
	return &accessParser{opts: opts}
}

// parseLine handles what all formats have in common. Bytes of zero at the start
// are the hole that a rotation by truncation leaves before the next line.
func parseLine(p parser, line []byte) (record, Verdict) {
	line = bytes.Trim(line, " \x00") // not tabs: an empty first column starts with one
	if len(bytes.TrimSpace(line)) == 0 || line[0] == '#' {
		return record{}, Comment
	}
	return p.parse(line)
}

// detect returns the format that makes the most requests of the lines; of two
// that make as many, the one that asks more of a line; Auto when none makes any.
func detect(lines []heldLine, opts *Options) Format {
	best, most := Auto, 0
	for _, f := range [...]Format{JSON, Access, Instants, CSV} {
		p, n := newParser(f, opts), 0
		for _, l := range lines {
			if l.long {
				continue
			}
			if _, v := parseLine(p, l.text); v == Request {
				n++
			}
		}
		if n > most {
			best, most = f, n
		}
	}
	return best
}

// looksLike goes by the first line that is no comment, so that the complaints
// about lines that no format takes are the fitting ones.
func looksLike(lines []heldLine) Format {
	for _, l := range lines {
		text := bytes.TrimSpace(l.text)
		switch {
		case len(text) == 0 || text[0] == '#':
		case text[0] == '{':
			return JSON
		case bytes.IndexByte(text, ',') >= 0 && bytes.IndexByte(text, '"') < 0:
			return CSV
		default:
			return Access
		}
	}
	return Access
}

// instantParser reads lines that are nothing but an instant.
type instantParser struct {
	opts *Options
	seen bool // a line was read, so a name is no header any more
	name string
	unit Unit
}

func (p *instantParser) timeName() string { return p.name }

func (p *instantParser) parse(line []byte) (record, Verdict) {
	line = bytes.TrimSpace(line)
	at, v := parseInstant(line, orUnit(p.opts.Unit, p.unit), p.opts.ZoneOffset)
	if v == NoTime && !p.seen {
		if rank, unit := timeRank(line, p.opts.TimeName); rank > 0 {
			p.seen, p.name, p.unit = true, string(line), unit
			return record{}, Comment
		}
	}
	p.seen = true
	return record{at: at}, v
}

func orUnit(u, otherwise Unit) Unit {
	if u != BySize {
		return u
	}
	return otherwise
}
