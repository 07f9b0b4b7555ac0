package input

import (
	"math/big"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestInstantsAgainstPackageTime writes any instant in every layout that logs
// use and reads it back.
func TestInstantsAgainstPackageTime(t *testing.T) {
	layouts := []struct {
		layout string
		grain  time.Duration
		zoned  bool
	}{
		{time.RFC3339Nano, 1, true},
		{time.RFC3339, time.Second, true},
		{"2006-01-02T15:04:05.000-0700", time.Millisecond, true},
		{"2006-01-02T15:04:05,000000-07", time.Microsecond, true},
		{"2006-01-02 15:04:05.000000 -0700", time.Microsecond, true},
		{"2006-01-02 15:04:05Z07:00", time.Second, true},
		{"2006-01-02 15:04:05", time.Second, false},
		{"2006-01-02T15:04:05.999999999", 1, false},
		{"2006/01/02 15:04:05", time.Second, false},
		{"2006-1-2 15:04", time.Minute, false},
		{"02/Jan/2006:15:04:05 -0700", time.Second, true},
		{"02/Jan/2006:15:04:05.000 -0700", time.Millisecond, true},
		{"02/Jan/2006:15:04:05", time.Second, false},
	}
	rapid.Check(t, func(t *rapid.T) {
		l := layouts[rapid.IntRange(0, len(layouts)-1).Draw(t, "layout")]
		offset := rapid.IntRange(-14*4, 14*4).Draw(t, "quarters") * 15 * 60
		if l.layout == "2006-01-02T15:04:05,000000-07" {
			offset = offset / 3600 * 3600
		}
		ns := rapid.Int64Range(0, 1<<63-1-int64(24*time.Hour)).Draw(t, "ns")
		ns -= ns % int64(l.grain)
		// The zone stands in the text, or is the reader's.
		text := time.Unix(0, ns).In(time.FixedZone("", offset)).Format(l.layout)
		zone := offset
		if l.zoned {
			zone = 12345
		}
		got, v := parseInstant([]byte(text), BySize, zone)
		if len(text) < 10 && v != Request {
			return // 2006-1-2 is not told apart from a number when shorter: it never is with a time
		}
		if v != Request || got != ns {
			t.Fatalf("%s: %d (%v), want %d", text, got, v, ns)
		}
	})
}

func TestDaysAgainstPackageTime(t *testing.T) {
	for d := time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() < 2263; d = d.AddDate(0, 0, 1) {
		if got, want := daysFromCivil(d.Year(), int(d.Month()), d.Day()), int(d.Unix()/86400); got != want {
			t.Fatalf("%v: day %d, want %d", d, got, want)
		}
		if next := d.AddDate(0, 0, 1); next.Day() == 1 && daysIn(d.Year(), int(d.Month())) != d.Day() {
			t.Fatalf("%v: the month has %d days", d, daysIn(d.Year(), int(d.Month())))
		}
	}
}

// TestNumbersAgainstBigNumbers: exact, where a float64 would round to 240 ns.
func TestNumbersAgainstBigNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{1,12}(\.[0-9]{1,12})?(e[+-]?[0-9])?`).Draw(t, "number")
		got, v := parseNumber([]byte(text), InSeconds)
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatal(text)
		}
		exact.Mul(exact, big.NewRat(1e9, 1))
		want := new(big.Int).Quo(exact.Num(), exact.Denom())
		if !want.IsInt64() {
			if v != OutOfEra {
				t.Fatalf("%s: %d (%v), want out of era", text, got, v)
			}
			return
		}
		// Beyond 19 digits that count, digits are dropped, which is under 1 ns here
		// only when the number is below 10^10.
		diff := want.Int64() - got
		if v != Request || diff < 0 || diff > want.Int64()/1_000_000_000_000_000_000 {
			t.Fatalf("%s: %d (%v), want %v", text, got, v, want)
		}
	})
}

func TestInstantForms(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		v    Verdict
	}{
		{"", 0, NoTime},
		{"-", 0, NoTime},
		{"-0.0", 0, Request},
		{"-3", 0, OutOfEra},
		{"0", 0, Request},
		{"1e400", 0, OutOfEra},
		{"1e-999", 0, Request},
		{"99999999999", 99999999999 * 1_000_000, Request},
		{"9223372036", 9223372036 * second, Request},
		{"9223372036854775807", 1<<63 - 1, Request},
		{"9223372036854775808", 0, OutOfEra},
		{"1.2.3", 0, BadTime},
		{"12x", 0, BadTime},
		{"0x10", 0, BadTime},
		{"NaN", 0, NoTime},
		{"2016-12-31T23:59:60Z", 1483228800 * second, Request}, // the leap second
		{"2016-12-31T23:59:61Z", 0, BadTime},
		{"2000-02-29T00:00:00Z", 951782400 * second, Request},
		{"1900-02-29T00:00:00Z", 0, BadTime},
		{"2001-02-29T00:00:00Z", 0, BadTime},
		{"2000-13-01T00:00:00Z", 0, BadTime},
		{"2000-00-01T00:00:00Z", 0, BadTime},
		{"2000-01-00T00:00:00Z", 0, BadTime},
		{"2000-01-01T24:00:00Z", 0, BadTime},
		{"2000-01-01T00:60:00Z", 0, BadTime},
		{"2000-01-01T00:00:00.Z", 0, BadTime},
		{"2000-01-01T00:00:00ZZ", 0, BadTime},
		{"2000-01-01T00:00:00\x00", 0, BadTime},
		{"2000-01-01T00:00:00+1", 0, BadTime},
		{"2000-01-01T00:00:00+25:00", 0, BadTime},
		{"2000-01-01 00:00:00 UTC", 946684800 * second, Request},
		{"2000-01-01 00:00:00 CET", 0, BadTime},
		{"2000-01/01 00:00:00", 0, BadTime},
		{"2000-01-01", 0, BadTime},
		{"1969-12-31T23:00:00-02:00", 3600 * second, Request},
		{"1970-01-01T00:00:00+02:00", 0, OutOfEra},
		{"2262-04-11T23:47:15Z", 9223372035 * second, Request},
		{"2262-04-12T23:47:15Z", 0, OutOfEra},
		{"9999-01-01T00:00:00Z", 0, OutOfEra},
		{"01/jan/1970:00:00:01 +0000", second, Request},
		{"01/Jan/1970:00:00:01", second, Request},
		{"1/Jan/1970:00:00:01 +0000", 0, BadTime},
		{"01-Jan-1970:00:00:01", 0, BadTime},
	} {
		got, v := parseInstant([]byte(c.text), BySize, 0)
		if v != c.v || v == Request && got != c.want {
			t.Errorf("%q: %d (%v), want %d (%v)", c.text, got, v, c.want, c.v)
		}
	}
}

func TestUnitBySize(t *testing.T) {
	for digits := 1; digits <= 19; digits++ {
		n := int64(1)
		for range digits - 1 {
			n *= 10
		}
		want := n
		switch {
		case digits <= 10:
			want = n * second
		case digits <= 13:
			want = n * 1_000_000
		case digits <= 16:
			want = n * 1_000
		}
		if got, v := parseInstant(strconv.AppendInt(nil, n, 10), BySize, 0); v != Request || got != want {
			t.Errorf("%d: %d (%v), want %d", n, got, v, want)
		}
	}
}
