package route

// RetryAfterSeconds is a duration as the header wants it: whole seconds, rounded up, so that nobody comes too early; 0 for what is
// not above 0. A Decision whose RetryAfter is Never is sent without the header.
func RetryAfterSeconds(ns int64) int64 {
	if ns <= 0 {
		return 0
	}
	return (ns-1)/second + 1
}

// ParseRetryAfter reads the value of a Retry-After header (RFC 9110, 10.2.3): whole seconds, or an HTTP-date from which nowUnix, in
// seconds since 1970, is subtracted. It returns nanoseconds, 0 for a date that has passed, at most MaxInt64 for a number however long.
//
// What the RFC does not allow is not understood: an empty value, a sign, a fraction, a word. The caller then falls back to its own
// backoff. The value is what a stranger sent; the caller clamps it (Backoff.After does), or "99999999999" stops it for good.
func ParseRetryAfter(value string, nowUnix int64) (ns int64, ok bool) {
	value = trimOWS(value)
	if value == "" {
		return 0, false
	}
	if value[0] >= '0' && value[0] <= '9' { // digits first: a date begins with a letter
		n := int64(0)
		for i := range len(value) {
			d := value[i] - '0'
			if d > 9 {
				return 0, false
			}
			n = mulUpTo(n, 10, maxInt64/2) + int64(d)
		}
		return mulUpTo(n, second, maxInt64), true
	}
	at, ok := ParseHTTPDate(value, nowUnix)
	if !ok {
		return 0, false
	}
	return mulUpTo(since(nowUnix, at), second, maxInt64), true
}

// trimOWS cuts off the optional white space around a field value (RFC 9110, 5.6.3).
func trimOWS(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}
