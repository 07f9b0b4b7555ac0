package input

import "math"

// Unit is what a bare number of a log counts.
type Unit uint8

// The units. BySize takes seconds below 10^10, which is the year 2286, then
// milliseconds below 10^13, microseconds below 10^16, and nanoseconds: right for
// every time since 1970 from April of that year on.
const (
	BySize Unit = iota
	InSeconds
	InMillis
	InMicros
	InNanos
)

// digits is how many decimal digits one step of the unit has in nanoseconds.
func (u Unit) digits(order int) int {
	switch {
	case u == InSeconds || u == BySize && order <= 10:
		return 9
	case u == InMillis || u == BySize && order <= 13:
		return 6
	case u == InMicros || u == BySize && order <= 16:
		return 3
	}
	return 0
}

// parseInstant reads an instant in any of the forms that logs use and returns it
// in ns since 1970. What has not the look of a time is NoTime, what has it and
// is none is BadTime.
func parseInstant(b []byte, unit Unit, zoneOffset int) (int64, Verdict) {
	switch {
	case len(b) == 0 || !isDigit(b[0]) && b[0] != '-':
		return 0, NoTime
	case len(b) >= 10 && (b[4] == '-' || b[4] == '/'):
		return parseISO(b, zoneOffset)
	case len(b) >= 11 && b[2] == '/' && !isDigit(b[3]):
		return parseCommon(b, zoneOffset)
	}
	return parseNumber(b, unit)
}

// parseNumber reads a decimal number, with an exponent if need be, exactly: a
// float64 of today's seconds is good to 240 ns only.
func parseNumber(b []byte, unit Unit) (int64, Verdict) {
	s := scan{b: b}
	negative := s.eat('-')
	if !isDigit(s.peek()) {
		return 0, NoTime
	}
	// mantissa·10^exponent, with the first 19 digits that count.
	var mantissa uint64
	digits, exponent, fraction := 0, 0, false
	for ; ; s.i++ {
		c := s.peek()
		if c == '.' && !fraction {
			fraction = true
			continue
		}
		if !isDigit(c) {
			break
		}
		if digits < 19 {
			mantissa = mantissa*10 + uint64(c-'0')
			if mantissa > 0 {
				digits++
			}
			if fraction {
				exponent--
			}
		} else if !fraction {
			exponent++
		}
	}
	if s.eat('e') || s.eat('E') {
		sign := 1
		if s.eat('-') {
			sign = -1
		} else {
			s.eat('+')
		}
		e, ok := s.number(1, 3)
		if !ok {
			return 0, BadTime
		}
		exponent += sign * e
	}
	switch {
	case !s.done():
		return 0, BadTime
	case mantissa == 0:
		return 0, Request
	case negative:
		return 0, OutOfEra
	}
	return shift10(mantissa, exponent+unit.digits(digits+exponent))
}

// shift10 returns m·10^e, cut off below a nanosecond.
func shift10(m uint64, e int) (int64, Verdict) {
	for ; e < 0 && m > 0; e++ {
		m /= 10
	}
	for ; e > 0; e-- {
		if m > math.MaxInt64/10 {
			return 0, OutOfEra
		}
		m *= 10
	}
	if m > math.MaxInt64 {
		return 0, OutOfEra
	}
	return int64(m), Request
}

// parseISO reads 2006-01-02T15:04:05.999999999Z and its relatives: RFC 3339, the
// ISO form without a colon in the zone, a space or nothing else between date and
// time, slashes in the date, a comma before the fraction, no seconds.
func parseISO(b []byte, zoneOffset int) (int64, Verdict) {
	s := scan{b: b}
	var t stamp
	var ok [5]bool
	t.year, ok[0] = s.number(4, 4)
	separator := s.next()
	t.month, ok[1] = s.number(1, 2)
	if s.next() != separator {
		return 0, BadTime
	}
	t.day, ok[2] = s.number(1, 2)
	if !s.eat('T') && !s.eat('t') {
		for s.eat(' ') {
		}
	}
	t.hour, ok[3] = s.number(2, 2)
	if !s.eat(':') {
		return 0, BadTime
	}
	t.minute, ok[4] = s.number(2, 2)
	if ok != [5]bool{true, true, true, true, true} || s.eat(':') && !t.seconds(&s) {
		return 0, BadTime
	}
	return t.end(&s, zoneOffset)
}

// parseCommon reads 02/Jan/2006:15:04:05 -0700, with a fraction if there is one.
func parseCommon(b []byte, zoneOffset int) (int64, Verdict) {
	s := scan{b: b}
	var t stamp
	var ok [4]bool
	t.day, ok[0] = s.number(2, 2)
	slash := s.eat('/')
	t.month = s.monthName()
	slash = slash && s.eat('/')
	t.year, ok[1] = s.number(4, 4)
	colon := s.eat(':')
	t.hour, ok[2] = s.number(2, 2)
	colon = colon && s.eat(':')
	t.minute, ok[3] = s.number(2, 2)
	colon = colon && s.eat(':')
	if !slash || !colon || ok != [4]bool{true, true, true, true} || !t.seconds(&s) {
		return 0, BadTime
	}
	return t.end(&s, zoneOffset)
}

// stamp is a date and a time of day as they stand in a log.
type stamp struct{ year, month, day, hour, minute, second, nanos int }

// seconds reads ss and an optional fraction.
func (t *stamp) seconds(s *scan) (ok bool) {
	if t.second, ok = s.number(2, 2); !ok {
		return false
	}
	if !s.eat('.') && !s.eat(',') {
		return true
	}
	if !isDigit(s.peek()) {
		return false
	}
	for unit := 100_000_000; isDigit(s.peek()); unit /= 10 {
		t.nanos += int(s.next()-'0') * unit // beyond nanoseconds unit is 0
	}
	return true
}

// end reads the zone and puts the instant together. A second of 60, a leap
// second, is the first of the next minute: time since 1970 has no place for it.
func (t *stamp) end(s *scan, zoneOffset int) (int64, Verdict) {
	offset, ok := s.zone(zoneOffset)
	if !ok || !s.done() || t.month < 1 || t.month > 12 || t.day < 1 || t.day > daysIn(t.year, t.month) ||
		t.hour > 23 || t.minute > 59 || t.second > 60 {
		return 0, BadTime
	}
	if t.year < 1969 || t.year > 2262 { // 1969 and 2262 may be in it by their zone
		return 0, OutOfEra
	}
	sec := int64(daysFromCivil(t.year, t.month, t.day))*86400 +
		int64(t.hour*3600+t.minute*60+t.second-offset)
	if sec < 0 || sec >= math.MaxInt64/second {
		return 0, OutOfEra
	}
	return sec*second + int64(t.nanos), Request
}

// zone reads Z, UTC, GMT, or an offset such as +05:30, +0530 or +05, after an
// optional space; nothing means otherwise. Seconds east of UTC.
func (s *scan) zone(otherwise int) (offset int, ok bool) {
	s.eat(' ')
	if s.done() {
		return otherwise, true
	}
	switch c := s.next(); c {
	case 'Z', 'z':
		return 0, true
	case 'U':
		return 0, s.eat('T') && s.eat('C')
	case 'G':
		return 0, s.eat('M') && s.eat('T')
	case '+', '-':
		h, ok := s.number(2, 2)
		m := 0
		if s.eat(':') || isDigit(s.peek()) {
			var okay bool
			m, okay = s.number(2, 2)
			ok = ok && okay
		}
		if c == '-' {
			h, m = -h, -m
		}
		return h*3600 + m*60, ok && -24 < h && h < 24 && -60 < m && m < 60
	}
	return 0, false
}

// daysFromCivil returns the days from 1970-01-01 to a date of the Gregorian
// calendar: years start in March, so that the leap day is the last of its year,
// and 400 years are always 146097 days. Method: Howard Hinnant, "chrono-Compatible
// Low-Level Date Algorithms", days_from_civil. For years from 1.
func daysFromCivil(year, month, day int) int {
	if month <= 2 {
		year--
		month += 12
	}
	era := year / 400
	ofEra := year - era*400
	ofYear := (153*(month-3)+2)/5 + day - 1
	return era*146097 + ofEra*365 + ofEra/4 - ofEra/100 + ofYear - 719468
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// scan reads a short text from left to right; past the end every byte is 0.
type scan struct {
	b []byte
	i int
}

func (s *scan) done() bool { return s.i >= len(s.b) }

func (s *scan) peek() byte {
	if s.done() {
		return 0
	}
	return s.b[s.i]
}

func (s *scan) next() byte {
	c := s.peek()
	s.i++
	return c
}

func (s *scan) eat(c byte) bool {
	if s.peek() != c || s.done() {
		return false
	}
	s.i++
	return true
}

// number reads between least and most digits.
func (s *scan) number(least, most int) (n int, ok bool) {
	count := 0
	for count < most && isDigit(s.peek()) {
		n = n*10 + int(s.next()-'0')
		count++
	}
	return n, count >= least
}

// monthName reads the three letters of a month, in upper or lower case; 0 when
// they are none.
func (s *scan) monthName() int {
	var name uint32
	for range 3 {
		name = name<<8 | uint32(s.next()|0x20)
	}
	for m, n := range months {
		if n == name {
			return m + 1
		}
	}
	return 0
}

// months holds the three letters of each month in one number, which is five
// times as fast to look for in WebAssembly as strings are.
var months = [12]uint32{
	'j'<<16 | 'a'<<8 | 'n', 'f'<<16 | 'e'<<8 | 'b', 'm'<<16 | 'a'<<8 | 'r', 'a'<<16 | 'p'<<8 | 'r',
	'm'<<16 | 'a'<<8 | 'y', 'j'<<16 | 'u'<<8 | 'n', 'j'<<16 | 'u'<<8 | 'l', 'a'<<16 | 'u'<<8 | 'g',
	's'<<16 | 'e'<<8 | 'p', 'o'<<16 | 'c'<<8 | 't', 'n'<<16 | 'o'<<8 | 'v', 'd'<<16 | 'e'<<8 | 'c',
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
