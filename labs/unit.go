package labs

import (
	"math/bits"
	"strconv"
	"strings"
)

// Unit is the unit in which a number is written. Inside, every number is an int64 of the unit's base: ns, milli per second, bytes,
// parts per million, or a plain count.
type Unit uint8

// The units.
const (
	Count     Unit = iota // base 1
	Nanos                 // base ns
	Micros                // base ns
	Millis                // base ns
	Seconds               // base ns
	PerSecond             // base 1/1000 per second
	Bytes                 // base byte
	KiB                   // base byte
	MiB                   // base byte
	Percent               // base part per million
	Ratio                 // base part per million; 1 is the whole
	nUnit
)

type unit struct {
	code     string
	scale    int64 // base units in one
	suffixes []suffix
}

type suffix struct {
	text  string
	scale int64
}

var (
	timeSuffixes = []suffix{{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}}
	byteSuffixes = []suffix{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}}
	partSuffixes = []suffix{{"%", 1e4}}
	units        = [nUnit]unit{
		Count:     {"", 1, []suffix{{"k", 1e3}, {"M", 1e6}, {"G", 1e9}}},
		Nanos:     {"ns", 1, timeSuffixes},
		Micros:    {"us", 1e3, timeSuffixes},
		Millis:    {"ms", 1e6, timeSuffixes},
		Seconds:   {"s", 1e9, timeSuffixes},
		PerSecond: {"/s", 1e3, []suffix{{"/s", 1e3}, {"k/s", 1e6}, {"M/s", 1e9}, {"k", 1e6}, {"M", 1e9}}},
		Bytes:     {"B", 1, byteSuffixes},
		KiB:       {"KiB", 1 << 10, byteSuffixes},
		MiB:       {"MiB", 1 << 20, byteSuffixes},
		Percent:   {"%", 1e4, partSuffixes},
		Ratio:     {"ratio", 1e6, partSuffixes},
	}
)

// Code is the unit's short name in JSON and in texts: "ms", "/s", "%"; empty for a count.
func (u Unit) Code() string { return units[u].code }

// Scale is how many base units one of this unit is: 1,000,000 for ms.
func (u Unit) Scale() int64 { return units[u].scale }

// Parse reads a number: a JSON number in the stated unit, or a number with one of the suffixes of the unit's family (50ms, 10k,
// 2MiB). The result is exact, in base units. The error is an *Error with the given field.
func (u Unit) Parse(field, text string) (int64, error) {
	number, scale := text, u.Scale()
	end := len(text)
	for end > 0 && (text[end-1] < '0' || text[end-1] > '9') {
		end--
	}
	if end < len(text) {
		scale = 0
		for _, s := range units[u].suffixes {
			if s.text == text[end:] {
				number, scale = text[:end], s.scale
			}
		}
		if scale == 0 {
			return 0, fault("not-a-number", field, text, u.example())
		}
	}
	v, problem := decimal(number, scale)
	switch problem {
	case "":
		return v, nil
	case "too-large":
		return 0, fault("too-large", field, text, u.example())
	case "too-fine":
		return 0, fault("too-fine", field, text, u.Format(1)+u.Code())
	}
	return 0, fault("not-a-number", field, text, u.example())
}

// example shows how a number of the unit may be written.
func (u Unit) example() string {
	if u.Code() == "" || u == Ratio {
		return "50"
	}
	return "50 or 50" + u.Code()
}

// Format writes a number of base units as the shortest decimal of the unit, without the unit: Millis.Format(500_000) is "0.5". It
// is exact, and Parse reads it back.
func (u Unit) Format(v int64) string {
	scale := uint64(u.Scale())
	sign, mag := "", uint64(v)
	if v < 0 {
		sign, mag = "-", -mag
	}
	whole, rest := mag/scale, mag%scale
	text := sign + strconv.FormatUint(whole, 10)
	if rest == 0 {
		return text
	}
	digits := make([]byte, 0, 20)
	for rest > 0 && len(digits) < 30 {
		hi, lo := bits.Mul64(rest, 10)
		var d uint64
		d, rest = bits.Div64(hi, lo, scale)
		digits = append(digits, byte('0'+d))
	}
	return text + "." + string(digits)
}

// decimal reads a JSON number times scale, exactly. The problem is "", "syntax", "too-fine" (not a whole number of base units) or
// "too-large" (beyond an int64).
func decimal(s string, scale int64) (v int64, problem string) {
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	mantissa, exponent, hasExp := strings.Cut(s, "e")
	if !hasExp {
		mantissa, exponent, hasExp = strings.Cut(s, "E")
	}
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	if !allDigits(whole) || (hasPoint && !allDigits(fraction)) || (len(whole) > 1 && whole[0] == '0') {
		return 0, "syntax"
	}
	exp := 0
	if hasExp {
		unsigned := strings.TrimPrefix(strings.TrimPrefix(exponent, "+"), "-")
		n, ok := digits(unsigned, 10)
		if !ok || len(exponent)-len(unsigned) > 1 {
			return 0, "syntax"
		}
		exp = int(min(n, 1000)) // far beyond what any number here can have
		if exponent[0] == '-' {
			exp = -exp
		}
	}
	written := strings.TrimLeft(whole+fraction, "0")
	exp -= len(fraction)
	if written == "" {
		return 0, ""
	}
	trimmed := strings.TrimRight(written, "0")
	exp += len(written) - len(trimmed)
	mag, problem := scaled(trimmed, exp, uint64(scale))
	if negative {
		return -mag, problem
	}
	return mag, problem
}

// scaled returns digits · 10^exp · scale, where digits neither starts nor ends with 0. It works in 128 bits: a mebibyte in decimal
// has twenty digits behind the point.
func scaled(digits string, exp int, scale uint64) (int64, string) {
	if len(digits)+exp > 19 {
		return 0, "too-large"
	}
	if len(digits) > 38 || exp < -38 {
		return 0, "too-fine"
	}
	var mag wide
	for i := range digits {
		mag = mag.times10(uint64(digits[i] - '0'))
	}
	for ; exp < 0; exp++ {
		// A factor of ten has to come out of the digits or of the scale, in its two and its five.
		for _, prime := range [2]uint64{2, 5} {
			if scale%prime == 0 {
				scale /= prime
				continue
			}
			var ok bool
			if mag, ok = mag.over(prime); !ok {
				return 0, "too-fine"
			}
		}
	}
	for ; exp > 0; exp-- {
		mag = mag.times10(0)
	}
	hi, lo := bits.Mul64(mag.lo, scale)
	if mag.hi > 0 || hi > 0 || lo > 1<<63-1 {
		return 0, "too-large"
	}
	return int64(lo), ""
}

// wide is an unsigned number of 128 bits.
type wide struct{ hi, lo uint64 }

func (w wide) times10(plus uint64) wide {
	hi, lo := bits.Mul64(w.lo, 10)
	lo, carry := bits.Add64(lo, plus, 0)
	return wide{w.hi*10 + hi + carry, lo}
}

// over divides by d; ok is false when a rest remains.
func (w wide) over(d uint64) (q wide, ok bool) {
	var rest uint64
	q.hi, rest = w.hi/d, w.hi%d
	q.lo, rest = bits.Div64(rest, w.lo, d)
	return q, rest == 0
}

// digits reads a whole number of one or more digits; ok is false for anything else and beyond a uint64. It stands in for strconv's,
// whose errors quote their input and so bring the tables of what is printable into the module.
func digits(s string, base uint64) (v uint64, ok bool) {
	for i := 0; i < len(s); i++ {
		d := uint64(255)
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			d = uint64(c - '0')
		case c >= 'a' && c <= 'f':
			d = uint64(c-'a') + 10
		case c >= 'A' && c <= 'F':
			d = uint64(c-'A') + 10
		}
		hi, lo := bits.Mul64(v, base)
		sum, carry := bits.Add64(lo, d, 0)
		if d >= base || hi > 0 || carry > 0 {
			return 0, false
		}
		v = sum
	}
	return v, s != ""
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
