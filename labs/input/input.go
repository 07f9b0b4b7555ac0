// Package input turns an access log, or any list of instants, into arrivals that
// drive a lab.
//
// # What it reads
//
// Lines of text in one of four formats, named or detected from the first lines:
//
//   - Access: Common and Combined log format of Apache and nginx, with a virtual
//     host in front, further fields behind, and fractions of seconds where the
//     log has them.
//   - JSON: one object a line. The keys of Caddy, Traefik and nginx are known, and
//     the general ones: ts, time, timestamp, @timestamp.
//   - CSV: comma, semicolon, tab or bar; quoted fields; a header, or a first row
//     in which a time is found.
//   - Instants: one instant a line and nothing else.
//
// An instant is RFC 3339 or like it (2006-01-02 15:04:05, any zone written as an
// offset, UTC without one), the form of the Common format, or a number: seconds
// below 10^10, milliseconds below 10^13, microseconds below 10^16, nanoseconds
// beyond, unless the column's name or the options say which. So numbers from
// zero are seconds of a trace that starts at zero.
//
// # What it promises
//
// Each line ends with one [Verdict]: a request, a comment, or the reason why it is
// not a request; the counts add up to the lines. Requests are sorted by instant,
// those of one instant in the order of the file, and the report says how many
// lines were out of order and by how much. Instants become int64 nanoseconds from
// the first one. Nothing is made up: a log that writes whole seconds gives many
// requests at one instant, the report gives that resolution, and only
// [SpreadEvenly] spaces them out. The same bytes give the same arrivals, cut into
// chunks in any way.
//
// Memory is bounded: lines of up to [MaxLine] bytes (a longer one is counted as
// such and skipped), [MaxRequests] requests (one more is an error), [MaxKeys] keys
// of [MaxName] bytes: about 100 MB at the very most, 16 bytes a request while
// reading and 12 more at the end.
//
// # What it does not do
//
// It opens no file and unpacks nothing: callers hand it plain bytes. It does not
// read W3C extended logs with the date and time in two columns, dates without a
// year (syslog), or quoted CSV fields that go over several lines.
package input

import "bytes"

// The bounds of what a Reader keeps.
const (
	MaxLine     = 64 << 10  // bytes of a line, without its end
	MaxRequests = 2_000_000 // requests of a log
	MaxKeys     = 1 << 16   // different keys; requests with others are counted as Unkeyed
	MaxName     = 256       // bytes of a key; longer ones are cut
)

// Options say how to read a log. The zero value detects the format, takes the
// client's address as the key, reads dates without a zone as UTC, and leaves
// requests where the log puts them.
type Options struct {
	Format Format
	Key    KeyField
	Spread Spread
	// TimeName and KeyName, where set, name the JSON key or CSV column to use,
	// regardless of upper and lower case.
	TimeName, KeyName string
	// Unit is what a bare number counts; by its size when left out.
	Unit Unit
	// ZoneOffset is seconds east of UTC for dates that name no zone, within a day.
	ZoneOffset int
}

// KeyField is what a request is known by, for labs that look for hot keys.
type KeyField uint8

// The fields that can be keys.
const (
	ByClient KeyField = iota // address of the client
	ByPath                   // path of the request, without its query
	NoKey
)

// Reader reads one log, given to it in chunks. Use NewReader; it is not safe for
// concurrent use.
type Reader struct {
	opts   Options
	parser parser     // nil until the format is known
	head   []heldLine // lines that wait for that
	held   int        // bytes in head
	tryAt  int        // lines at which the format is looked for next

	line    []byte // the unfinished line
	skip    bool   // the unfinished line is over MaxLine, its rest is dropped
	started bool   // the first bytes have been looked at
	closed  bool
	err     error

	entries []entry
	keys    keyTable
	latest  int64 // greatest instant so far
	report  Report
}

// heldLine is a line that waits for the format to be known.
type heldLine struct {
	text []byte
	long bool
}

// The format is looked for at this many lines, and again at twice as many while
// none of them is a request in any format, until this many bytes are held: a log
// may open with pages of something else.
const (
	headLines = 64
	headBytes = 256 << 10
)

// NewReader returns a reader of one log.
func NewReader(opts Options) *Reader {
	r := &Reader{opts: opts, keys: newKeyTable(), tryAt: headLines}
	if opts.Format != Auto {
		r.choose(opts.Format)
	}
	return r
}

// Write takes the next bytes of the log; chunks may end anywhere, p is not kept.
// The error, if any, is an *Error and final: every later call returns it too.
func (r *Reader) Write(p []byte) (int, error) {
	if r.closed {
		return 0, &Error{Code: "closed"}
	}
	n := len(p)
	for len(p) > 0 && r.err == nil {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			r.gather(p)
			break
		}
		if len(r.line) == 0 && !r.skip && end <= MaxLine {
			r.take(p[:end], false) // the whole line lies in p: no copy
		} else {
			r.gather(p[:end])
			r.endLine()
		}
		p = p[end+1:]
	}
	if r.err != nil {
		return 0, r.err
	}
	return n, nil
}

// gather adds to the unfinished line, up to the bound.
func (r *Reader) gather(p []byte) {
	if r.skip = r.skip || len(r.line)+len(p) > MaxLine+1; r.skip { // one more for a \r
		p = p[:max(0, min(len(p), MaxLine-len(r.line)))]
	}
	r.line = append(r.line, p...)
}

func (r *Reader) endLine() {
	line, long := r.line, r.skip
	r.line, r.skip = r.line[:0], false
	r.take(line, long)
}

// take has a whole line; long says that it is only the beginning of one.
func (r *Reader) take(line []byte, long bool) {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	long = long || len(line) > MaxLine
	if !r.started {
		r.started = true
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
		if r.err = foreign(line); r.err != nil {
			return
		}
	}
	if r.parser != nil {
		r.judge(line, long)
		return
	}
	r.head = append(r.head, heldLine{bytes.Clone(line), long})
	r.held += len(line) + 1
	if len(r.head) >= r.tryAt || r.held >= headBytes {
		r.decide(r.held >= headBytes)
		r.tryAt *= 2
	}
}

// decide settles the format and judges the lines that waited for it. Unless it
// must, it does so only when some line is a request.
func (r *Reader) decide(must bool) {
	f := detect(r.head, &r.opts)
	if f == Auto && !must {
		return
	}
	if f == Auto {
		f = looksLike(r.head)
	}
	r.choose(f)
	for _, l := range r.head {
		if r.err == nil {
			r.judge(l.text, l.long)
		}
	}
	r.head = nil
}

func (r *Reader) choose(f Format) {
	r.report.Format = f
	r.parser = newParser(f, &r.opts)
}

// judge gives a line its verdict and keeps its request.
func (r *Reader) judge(line []byte, long bool) {
	rec, v := record{}, TooLong
	if !long {
		rec, v = parseLine(r.parser, line)
	}
	if v == Request && len(r.entries) >= MaxRequests {
		r.err = &Error{Code: "too-many", Line: r.report.Lines + 1}
		return
	}
	r.report.add(v, line)
	if v != Request {
		return
	}
	if len(r.entries) > 0 && rec.at < r.latest {
		r.report.OutOfOrder++
		r.report.MaxDisorder = max(r.report.MaxDisorder, r.latest-rec.at)
	}
	r.latest = max(r.latest, rec.at)
	key := noKey
	if r.opts.Key != NoKey {
		key = r.keys.id(rec.key)
	}
	r.entries = append(r.entries, entry{at: rec.at, key: key, seq: int32(len(r.entries))})
}

// Close ends the log and returns its arrivals and what there is to say about it.
// The error is an *Error: the one of Write, or that no line is a request. The
// report is good in every case, so that a caller can show what stood there.
func (r *Reader) Close() (Arrivals, Report, error) {
	if r.closed {
		return Arrivals{}, r.report, &Error{Code: "closed"}
	}
	if r.err == nil && (len(r.line) > 0 || r.skip) {
		r.endLine()
	}
	if r.err == nil && r.parser == nil && len(r.head) > 0 {
		r.decide(true)
	}
	r.closed, r.line, r.head = true, nil, nil
	if r.parser != nil {
		r.report.TimeName = r.parser.timeName()
	}
	if r.err != nil {
		return Arrivals{}, r.report, r.err
	}
	if len(r.entries) == 0 {
		return Arrivals{}, r.report, r.report.noRequests()
	}
	a := r.report.finish(r.entries, &r.keys, r.opts.Spread)
	r.entries = nil
	return a, r.report, nil
}

// foreign recognises by their first bytes what is no text, and says what to do.
func foreign(line []byte) error {
	switch {
	case bytes.HasPrefix(line, []byte{0x1f, 0x8b}):
		return &Error{Code: "gzip", Line: 1}
	case bytes.HasPrefix(line, []byte{0xff, 0xfe}), bytes.HasPrefix(line, []byte{0xfe, 0xff}):
		return &Error{Code: "utf-16", Line: 1}
	}
	return nil
}
