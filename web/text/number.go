package text

import (
	"strconv"
	"strings"

	"seedbed/labs"
)

// Number writes a number of base units for people: with its unit, in groups of three digits, whole numbers exactly and others to five
// figures, since nobody reads "2.229161602 s" (JSON and CSV have every digit). Times take the largest of ns, µs, ms and s that is not
// larger than the number; sizes, which stay exact, the largest of B, KiB, MiB and GiB that needs at most three decimals. The minus is
// U+2212.
//
//	Number(EN, labs.Nanos, 1_001_000_000)  "1.001 s"
//	Number(EN, labs.Nanos, 2_229_161_602)  "2.2292 s"
//	Number(EN, labs.PerSecond, 50_000)     "50 per second"      in Chinese "每秒50"
//	Number(EN, labs.Percent, 125_000)      "12.5%"
func Number(lang Lang, u labs.Unit, v int64) string {
	mag := uint64(v)
	if v < 0 {
		mag = -mag
	}
	scale, name, most := uint64(u.Scale()), "", figures
	switch u {
	case labs.Nanos, labs.Micros, labs.Millis, labs.Seconds:
		scale, name = timeUnit(u, mag)
		name = " " + name
	case labs.Bytes, labs.KiB, labs.MiB:
		scale, name = byteUnit(mag)
		name, most = " "+name, exact
	case labs.Percent:
		name = "%"
	}
	n := decimal(mag, scale, most)
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
		return "每秒" + n
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

const (
	figures = 5  // how many figures a number that is not whole is rounded to
	exact   = 30 // more than any 64-bit number of units of three decimals has
)

// decimal writes n/scale, rounded half up to so many figures when it is not whole.
func decimal(n, scale uint64, figures int) string {
	whole, rest := n/scale, n%scale
	if rest == 0 {
		return group(strconv.FormatUint(whole, 10))
	}
	digits := make([]byte, 0, 2*figures)
	room := figures - len(strconv.FormatUint(whole, 10))
	for rest > 0 && (len(digits) < room || whole == 0) { // below 1 every unit has six decimals at most
		rest *= 10
		digits = append(digits, byte('0'+rest/scale))
		rest %= scale
	}
	if 2*rest >= scale {
		whole, digits = roundUp(whole, digits)
	}
	fraction := strings.TrimRight(string(digits), "0")
	if fraction == "" {
		return group(strconv.FormatUint(whole, 10))
	}
	return group(strconv.FormatUint(whole, 10)) + "." + fraction
}

// roundUp adds one in the last place.
func roundUp(whole uint64, digits []byte) (uint64, []byte) {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return whole, digits
		}
		digits[i] = '0'
	}
	return whole + 1, digits
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
