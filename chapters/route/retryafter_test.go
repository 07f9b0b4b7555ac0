package route_test

import (
	"math"
	"net/http"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"seedbed/chapters/route"
)

// noon is Sunday, 6 November 1994, 08:49:37 GMT, the example of RFC 9110.
const noon = 784111777

// TestTrap49RetryAfter (go-retryablehttp#297, whoop-mcp#17): what a server may send and what it must not. 9223372037 s in nanoseconds
// is past what an int64 holds; read carelessly it is a negative sleep, a retry storm.
func TestTrap49RetryAfter(t *testing.T) {
	const not = -1
	for value, want := range map[string]int64{
		"0":                              0,
		"120":                            120 * second,
		" 7\t":                           7 * second,
		"000000000000000000000000000009": 9 * second,
		"9223372036":                     9223372036 * second,
		"9223372037":                     math.MaxInt64,
		"999999":                         999999 * second,
		"99999999999999999999999999999":  math.MaxInt64,
		"Sun, 06 Nov 1994 08:49:39 GMT":  2 * second,
		"Sunday, 06-Nov-94 08:49:39 GMT": 2 * second,
		"Sun Nov  6 08:49:39 1994":       2 * second,
		"Sun, 06 Nov 1994 08:49:37 GMT":  0,
		"Sun, 06 Nov 1993 08:49:39 GMT":  0, // past: at once
		"Fri, 31 Dec 9999 23:59:59 GMT":  math.MaxInt64,
		"-1":                             not,
		"+1":                             not,
		"1.5":                            not,
		"1 000":                          not,
		"1s":                             not,
		"0x10":                           not,
		"١":                              not,
		"":                               not,
		" ":                              not,
		"soon":                           not,
		"Sun, 06 Nov 1994 08:49:37":      not,
		"Sun, 06 Nov 1994 08:49:37 PST":  not,
		"Sun, 31 Nov 1994 08:49:37 GMT":  not,
		"Sun, 29 Feb 1995 08:49:37 GMT":  not,
		"Sun, 06 Nov 1994 24:00:00 GMT":  not,
		"Sun, 06 Nov 1994 23:59:60 GMT":  not,
		"sun, 06 nov 1994 08:49:37 GMT":  not,
		"Xyz, 06 Nov 1994 08:49:37 GMT":  not,
		"Sun, -6 Nov 1994 08:49:37 GMT":  not,
		"1, 2":                           not,
	} {
		got, ok := route.ParseRetryAfter(value, noon)
		if !ok {
			got = not
		}
		if got != want {
			t.Errorf("%q: %d, want %d", value, got, want)
		}
	}
}

// TestTrap49WhatWasToldIsClamped: whatever is told, the wait lies in 0..Cap; what is within Cap is kept to, with jitter on top; what is
// beyond is not waited for, and those who were told the same do not come back in one instant.
func TestTrap49WhatWasToldIsClamped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := route.Backoff{Base: rapid.Int64Range(0, 10*second).Draw(t, "base"), Cap: rapid.Int64Range(0, 60*second).Draw(t, "cap")}
		told := rapid.OneOf(rapid.Int64Range(-1, 120*second), rapid.Int64()).Draw(t, "told")
		n := rapid.Int64Range(1, 100).Draw(t, "retry")
		got := b.After(told, n, newSource(rapid.Uint64().Draw(t, "seed")))
		if got < 0 || got > b.Cap || told >= 0 && told <= b.Cap && got < told {
			t.Fatalf("told %d with %+v: wait %d", told, b, got)
		}
	})
	b := route.Backoff{Base: second, Cap: 30 * second}
	for _, c := range []struct{ told, low, high int64 }{
		{-1, 0, second}, {5 * second, 5 * second, 6 * second}, {30 * second, 30 * second, 30 * second}, {999999 * second, 15 * second, 30 * second},
	} {
		if low, high := b.After(c.told, 1, &fixed{0}), b.After(c.told, 1, &fixed{math.MaxInt64}); min(low, high) != c.low || max(low, high) != c.high {
			t.Errorf("told %d: waits of %d..%d, want %d..%d", c.told, min(low, high), max(low, high), c.low, c.high)
		}
	}
}

// TestRetryAfterSeconds: rounded up, so that who keeps to it does not come too early.
func TestRetryAfterSeconds(t *testing.T) {
	for ns, want := range map[int64]int64{route.Never: 0, 0: 0, 1: 1, second: 1, second + 1: 2, math.MaxInt64: 9223372037} {
		if got := route.RetryAfterSeconds(ns); got != want {
			t.Errorf("%d ns: %d s, want %d", ns, got, want)
		}
	}
}

// TestDatesAreNetHTTPs: over all days that a year of four digits can name, in all three forms, as net/http reads them.
func TestDatesAreNetHTTPs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), 253402300799).Draw(t, "unix"), 0).UTC()
		for _, form := range []string{http.TimeFormat, time.ANSIC} {
			s := at.Format(form)
			want, err := http.ParseTime(s)
			if got, ok := route.ParseHTTPDate(s, noon); err != nil || !ok || got != want.Unix() {
				t.Fatalf("%q: %d, %v, want %d, %v", s, got, ok, want.Unix(), err)
			}
		}
		// With two digits: the same instant when it lies within 50 years of now.
		s := at.Format("Monday, 02-Jan-06 15:04:05 GMT")
		if at.Year() < 2000 {
			return
		}
		for _, years := range []int{-49, -1, 0, 1, 49} {
			now := at.AddDate(years, 0, 0)
			if now.Year() > 9900 {
				continue
			}
			if got, ok := route.ParseHTTPDate(s, now.Unix()); !ok || got != at.Unix() {
				t.Fatalf("%q read in %d: %d, %v, want %d", s, now.Year(), got, ok, at.Unix())
			}
		}
	})
}

// TestTwoDigitYears: more than 50 years ahead is the past (RFC 9110, 5.6.7).
func TestTwoDigitYears(t *testing.T) {
	for _, c := range []struct {
		day  string
		year int
	}{
		{"Saturday, 05-Nov-44", 2044}, {"Sunday, 06-Nov-44", 2044}, {"Monday, 07-Nov-44", 1944}, {"Sunday, 06-Nov-45", 1945}, {"Sunday, 06-Nov-00", 2000},
	} {
		got, ok := route.ParseHTTPDate(c.day+" 08:49:37 GMT", noon)
		if year := time.Unix(got, 0).UTC().Year(); !ok || year != c.year {
			t.Errorf("%s read in 1994: %d, want %d", c.day, year, c.year)
		}
	}
}

// FuzzRetryAfter: nothing a stranger sends panics or gives a negative wait, and what we read as a date net/http reads alike.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"120", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun Nov 16 08:49:37 1994", "-1", "Mon, "} {
		f.Add(s, int64(noon))
	}
	f.Fuzz(func(t *testing.T, s string, now int64) {
		ns, ok := route.ParseRetryAfter(s, now)
		if ns < 0 || !ok && ns != 0 {
			t.Fatalf("%q at %d: %d, %v", s, now, ns, ok)
		}
		at, ok := route.ParseHTTPDate(s, noon)
		if !ok {
			return
		}
		want, err := http.ParseTime(s)
		if err != nil {
			t.Fatalf("%q: %d, and net/http says %v", s, at, err)
		}
		if d := at - want.Unix(); d != 0 && len(s) < 29 { // a two-digit year may be of another century
			return
		} else if d != 0 {
			t.Fatalf("%q: %d, and net/http says %d", s, at, want.Unix())
		}
	})
}

// TestTrap58Backoff (storm#220, retry4j#36, agenda#1748): no overflow, never past the cap, never falling, for whatever numbers.
func TestTrap58Backoff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := route.Backoff{Base: rapid.Int64().Draw(t, "base"), Cap: rapid.Int64().Draw(t, "cap")}
		n := rapid.Int64().Draw(t, "n")
		got := b.Ceiling(n)
		if got < 0 || got > max(0, b.Cap) {
			t.Fatalf("%+v, retry %d: a ceiling of %d", b, n, got)
		}
		if n < math.MaxInt64 && b.Ceiling(n+1) < got {
			t.Fatalf("%+v: the ceiling falls from %d to %d after retry %d", b, got, b.Ceiling(n+1), n)
		}
		if w := b.Wait(n, newSource(uint64(n))); w < 0 || w > got {
			t.Fatalf("%+v, retry %d: a wait of %d under a ceiling of %d", b, n, w, got)
		}
	})
	b := route.Backoff{Base: 100 * millisecond, Cap: 10 * second}
	for n, want := range map[int64]int64{-5: 100, 0: 100, 1: 100, 2: 200, 3: 400, 7: 6400, 8: 10_000, 64: 10_000, 1000: 10_000, math.MaxInt64: 10_000} {
		if got := b.Ceiling(n); got != want*millisecond {
			t.Errorf("retry %d: %d, want %d ms", n, got, want)
		}
	}
	// Both ends of the range are drawn, and a ceiling of 0 asks for no random number of nothing.
	if low, high := b.Wait(3, &fixed{0}), b.Wait(3, &fixed{math.MaxInt64}); low != 0 || high != 400*millisecond {
		t.Errorf("waits of %d..%d before retry 3, want 0..400 ms", low, high)
	}
	if got := (route.Backoff{}).Wait(1, newSource(1)); got != 0 {
		t.Errorf("the zero backoff waits %d", got)
	}
}

// TestFullJitterSpreads: the waits are spread evenly over the range, not bunched at its end.
func TestFullJitterSpreads(t *testing.T) {
	b := route.Backoff{Base: 1000, Cap: 1000}
	r := newSource(3)
	var tenths [10]int
	for range 10_000 {
		tenths[min(b.Wait(1, r)/100, 9)]++
	}
	for i, n := range tenths {
		if n < 850 || n > 1150 { // five deviations of 30
			t.Errorf("%d of 10000 waits in tenth "+strconv.Itoa(i)+", want about 1000", n)
		}
	}
}
