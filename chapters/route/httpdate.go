package route

import "strings"

// ParseHTTPDate reads a date in one of the three forms of HTTP (RFC 9110, 5.6.7) and returns seconds since 1970:
//
//	Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate, the one in use
//	Sunday, 06-Nov-94 08:49:37 GMT    RFC 850, obsolete
//	Sun Nov  6 08:49:37 1994          asctime, obsolete
//
// A year of two digits is the latest that puts the date not more than 50 years after nowUnix. Letter case counts, as the RFC says. The
// name of the day must be one; whether it is the right one is not looked at. A leap second, :60, is not understood.
func ParseHTTPDate(s string, nowUnix int64) (unix int64, ok bool) {
	for _, day := range days {
		if rest, ok := strings.CutPrefix(s, day[:3]+", "); ok {
			return imfDate(rest)
		}
		if rest, ok := strings.CutPrefix(s, day+", "); ok {
			return rfc850Date(rest, nowUnix)
		}
		if rest, ok := strings.CutPrefix(s, day[:3]+" "); ok {
			return asctimeDate(rest)
		}
	}
	return 0, false
}

var (
	days   = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	months = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)

func imfDate(s string) (int64, bool) {
	const form = "06 Nov 1994 08:49:37 GMT"
	if len(s) != len(form) || s[2] != ' ' || s[6] != ' ' || s[11] != ' ' || s[20:] != " GMT" {
		return 0, false
	}
	return unixOf(number(s[7:11]), s[3:6], number(s[0:2]), s[12:20])
}

func rfc850Date(s string, nowUnix int64) (int64, bool) {
	const form = "06-Nov-94 08:49:37 GMT"
	if len(s) != len(form) || s[2] != '-' || s[6] != '-' || s[9] != ' ' || s[18:] != " GMT" {
		return 0, false
	}
	short := number(s[7:9])
	if short < 0 {
		return 0, false
	}
	nowUnix = min(max(nowUnix, 0), lastUnix)
	limit, _, _ := civil(nowUnix)
	limit += 50
	year := limit - (limit-short)%100
	at, ok := unixOf(year, s[3:6], number(s[0:2]), s[10:18])
	if at > yearsLater(nowUnix, 50) {
		return unixOf(year-100, s[3:6], number(s[0:2]), s[10:18])
	}
	return at, ok
}

// lastUnix is the last second of the year 9999, the last that an HTTP-date can name.
const lastUnix = 253402300799

func asctimeDate(s string) (int64, bool) {
	const form = "Nov  6 08:49:37 1994"
	if len(s) != len(form) || s[3] != ' ' || s[6] != ' ' || s[15] != ' ' {
		return 0, false
	}
	day := s[4:6]
	if day[0] == ' ' {
		day = day[1:]
	}
	return unixOf(number(s[16:20]), s[0:3], number(day), s[7:15])
}

// unixOf is the second of a date and a time "08:49:37"; a number below 0 is not one.
func unixOf(year int64, month string, day int64, clock string) (int64, bool) {
	m := int64(0)
	for i, name := range months {
		if name == month {
			m = int64(i + 1)
		}
	}
	if m == 0 || year < 0 || day < 1 || day > monthDays(year, m) || clock[2] != ':' || clock[5] != ':' {
		return 0, false
	}
	h, min, sec := number(clock[0:2]), number(clock[3:5]), number(clock[6:8])
	if h < 0 || h > 23 || min < 0 || min > 59 || sec < 0 || sec > 59 {
		return 0, false
	}
	return daysSince1970(year, m, day)*86400 + h*3600 + min*60 + sec, true
}

// number reads digits, −1 for anything else.
func number(s string) int64 {
	n := int64(0)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n
}

func leap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func monthDays(year, month int64) int64 {
	switch month {
	case 2:
		if leap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysSince1970 counts in years that begin in March, so that the leap day is the last (Hinnant, "chrono-Compatible Low-Level Date
// Algorithms", days_from_civil).
func daysSince1970(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := floorDiv(year, 400)
	ofEra := year - era*400
	ofYear := (153*(month-3)+2)/5 + day - 1
	return era*146097 + ofEra*365 + ofEra/4 - ofEra/100 + ofYear - 719468
}

// civil is the date of a second (the same source, civil_from_days).
func civil(unix int64) (year, month, day int64) {
	z := floorDiv(unix, 86400) + 719468
	era := floorDiv(z, 146097)
	ofEra := z - era*146097
	year = (ofEra - ofEra/1460 + ofEra/36524 - ofEra/146096) / 365
	ofYear := ofEra - (365*year + year/4 - year/100)
	month = (5*ofYear+2)/153 + 3
	day = ofYear - (153*(month-3)+2)/5 + 1
	if month > 12 {
		month -= 12
		year++
	}
	return year + era*400, month, day
}

// yearsLater is the same day and time so many years later, 1 March for a leap day that is not there.
func yearsLater(unix, years int64) int64 {
	year, month, day := civil(unix)
	return daysSince1970(year+years, month, day)*86400 + unix - floorDiv(unix, 86400)*86400
}
