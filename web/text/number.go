package text

import (
	"strconv"
	"strings"

	"seedbed/labs"
)

// Number writes a number of base units for people: with its unit, in groups of three digits, exactly. Times take the largest of ns,
// µs, ms and s that is not larger than the number; sizes take the largest of B, KiB, MiB and GiB that needs at most three decimals.
// The minus is U+2212.
//
//	Number(EN, labs.Nanos, 1_001_000_000)  "1.001 s"
//	Number(EN, labs.PerSecond, 50_000)     "50 per second"      in Chinese "每秒 50"
//	Number(EN, labs.Percent, 125_000)      "12.5%"
func Number(lang Lang, u labs.Unit, v int64) string {
	mag := uint64(v)
	if v < 0 {
		mag = -mag
	}
	scale, name := uint64(u.Scale()), ""
	switch u {
	case labs.Nanos, labs.Micros, labs.Millis, labs.Seconds:
		scale, name = timeUnit(u, mag)
		name = " " + name
	case labs.Bytes, labs.KiB, labs.MiB:
		scale, name = byteUnit(mag)
		name = " " + name
	case labs.Percent:
		name = "%"
	}
	n := decimal(mag, scale)
	if v < 0 {
		n = "−" + n
	}
	if u == labs.PerSecond {
		return rate(lang, n)
	}
	return n + name
}

func rate(lang Lang, n string) string {
	if lang == ZH {
		return "每秒 " + n
	}
	return n + " per second"
}

// UnitName is how a unit stands beside a number that is written apart from it, such as a slider's: "ms", "per second", "%"; empty
// for a count and for a ratio.
func UnitName(lang Lang, u labs.Unit) string {
	switch u {
	case labs.PerSecond:
		if lang == ZH {
			return "每秒"
		}
		return "per second"
	case labs.Micros:
		return "µs"
	case labs.Ratio:
		return ""
	}
	return u.Code()
}

// timeUnit picks the unit in which so many ns are read.
func timeUnit(u labs.Unit, ns uint64) (scale uint64, name string) {
	switch {
	case ns == 0:
		return uint64(u.Scale()), UnitName(EN, u)
	case ns >= 1e9:
		return 1e9, "s"
	case ns >= 1e6:
		return 1e6, "ms"
	case ns >= 1e3:
		return 1e3, "µs"
	}
	return 1, "ns"
}

// byteUnit picks the unit in which so many bytes are read.
func byteUnit(n uint64) (scale uint64, name string) {
	for _, u := range []struct {
		scale uint64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		// At most three decimals: a thousand times the rest is a whole number of units. The rest is below 2^30, so it fits.
		if n >= u.scale && n%u.scale*1000%u.scale == 0 {
			return u.scale, u.name
		}
	}
	return 1, "B"
}

// decimal writes n/scale exactly, which ends because every scale in use is a product of twos and fives.
func decimal(n, scale uint64) string {
	whole, rest := n/scale, n%scale
	text := group(strconv.FormatUint(whole, 10))
	if rest == 0 {
		return text
	}
	var digits []byte
	for rest > 0 {
		rest *= 10
		digits = append(digits, byte('0'+rest/scale))
		rest %= scale
	}
	return text + "." + string(digits)
}

// group puts a comma between each three digits.
func group(digits string) string {
	if len(digits) <= 3 {
		return digits
	}
	var b strings.Builder
	first := len(digits) % 3
	b.WriteString(digits[:first])
	for i := first; i < len(digits); i += 3 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(digits[i : i+3])
	}
	return b.String()
}
