package input

import "strconv"

// Verdict is what became of a line.
type Verdict uint8

// The verdicts. All after Comment are reasons why a line is not a request.
const (
	Request   Verdict = iota
	Comment           // blank, starts with #, or the header of a table
	TooLong           // over MaxLine
	NoTime            // no time where the format has it
	BadTime           // a time that cannot be read, or a day that does not exist
	OutOfEra          // before 1970 or after 2261
	CutOff            // ends inside a quoted field
	NoRequest         // a connection that asked nothing, or a message about something else
	NotHTTP           // what was sent is no HTTP request: TLS on a plain port, a probe
	Preface           // the opening of an HTTP/2 connection, logged as if it were a request
	NoStatus          // no status follows the request
	NotJSON           // not one JSON object
	verdicts
)

var verdictTexts = [verdicts]struct{ code, text string }{
	Request:   {"request", "a request"},
	Comment:   {"comment", "a comment"},
	TooLong:   {"too-long", "longer than 64 KiB"},
	NoTime:    {"no-time", "no time in it"},
	BadTime:   {"bad-time", "a time that cannot be read"},
	OutOfEra:  {"out-of-era", "a time before 1970 or after 2261"},
	CutOff:    {"cut-off", "cut off inside a quoted field"},
	NoRequest: {"no-request", "no request in it"},
	NotHTTP:   {"not-http", "bytes that are no HTTP request"},
	Preface:   {"preface", "the opening of an HTTP/2 connection"},
	NoStatus:  {"no-status", "no status after the request"},
	NotJSON:   {"not-json", "not a JSON object"},
}

// Code is the name by which texts in other languages are found.
func (v Verdict) Code() string { return verdictTexts[v].code }

// String says it in English.
func (v Verdict) String() string { return verdictTexts[v].text }

// Rejected is true when the line is neither a request nor a comment.
func (v Verdict) Rejected() bool { return v > Comment }

// Verdicts lists all, for tables and for the test that each has its text.
func Verdicts() []Verdict {
	all := make([]Verdict, verdicts)
	for i := range all {
		all[i] = Verdict(i)
	}
	return all
}

// Reject is a line that is not a request.
type Reject struct {
	Line int // from 1
	Why  Verdict
	Text string // its beginning, quoted as in Go, so that no byte of it can harm a terminal
}

// maxRejects is how many rejected lines a report shows.
const maxRejects = 20

// Report tells what a log held. Times are in ns.
type Report struct {
	Format   Format
	TimeName string // the JSON key or CSV column that gave the times, where there is one

	Lines  int
	Counts [verdicts]int // by Verdict; they add up to Lines
	First  []Reject      // the first 20 rejected lines

	Start      int64 // the first request, ns since 1970 UTC (or as the numbers of the log count)
	Span       int64 // from the first request to the last
	LargestGap int64 // between two neighbours: a hole in the log, or one line with a wrong date

	OutOfOrder  int   // lines earlier than one before them
	MaxDisorder int64 // by how much at most

	// Resolution is the coarsest step, of a minute, a second or a power of ten
	// below it, that every instant is a multiple of: what the log can tell apart.
	Resolution int64
	Shared     int // requests at the same instant as another
	MostShared int // the most at one instant, before any spreading

	Keys    int // different keys
	Unkeyed int // requests without a key, or with one that the table has no room for
}

// Requests, Comments and Rejected add up to Lines.
func (r *Report) Requests() int { return r.Counts[Request] }

// Comments counts blank lines, lines that start with #, and headers.
func (r *Report) Comments() int { return r.Counts[Comment] }

// Rejected counts the lines that are not requests.
func (r *Report) Rejected() (n int) {
	for v, count := range r.Counts {
		if Verdict(v).Rejected() {
			n += count
		}
	}
	return n
}

func (r *Report) add(v Verdict, line []byte) {
	r.Lines++
	r.Counts[v]++
	if v.Rejected() && len(r.First) < maxRejects {
		r.First = append(r.First, Reject{Line: r.Lines, Why: v, Text: excerpt(line)})
	}
}

func (r *Report) noRequests() error {
	if len(r.First) == 0 {
		return &Error{Code: "empty"}
	}
	return &Error{Code: "no-requests", Line: r.First[0].Line, Why: r.First[0].Why, Got: r.First[0].Text}
}

func excerpt(line []byte) string {
	const most = 80
	if len(line) <= most {
		return strconv.Quote(string(line))
	}
	cut := most
	for cut > most-4 && line[cut]&0xC0 == 0x80 { // not inside a character
		cut--
	}
	return strconv.Quote(string(line[:cut])) + "…"
}

// Error is a log that cannot be used. Codes: empty, no-requests, too-many, gzip,
// utf-16, closed, unknown-format.
type Error struct {
	Code string
	Line int     // from 1, 0 where no line is to blame
	Why  Verdict // no-requests: what is wrong with that line
	Got  string  // what stood there
}

// Error says what is wrong, where, and what would be right.
func (e *Error) Error() string {
	at := "log: "
	if e.Line > 0 {
		at += "line " + strconv.Itoa(e.Line) + ": "
	}
	switch e.Code {
	case "empty":
		return at + "no line but comments; a log has one request a line"
	case "no-requests":
		return at + e.Why.String() + " (" + e.Got + "), and no other line is a request; name the format if it was taken for another"
	case "too-many":
		return at + "more than " + strconv.Itoa(MaxRequests) + " requests; cut the log to a shorter span"
	case "gzip":
		return at + "these bytes are gzip; unpack them first"
	case "utf-16":
		return at + "this text is UTF-16; save it as UTF-8"
	case "unknown-format":
		return at + "format " + e.Got + " is not known; it is one of " + formatList()
	}
	return at + "it has been closed; make a new reader for another log"
}
