package picture

import (
	"math"
	"strconv"

	"seedbed/labs"
	"seedbed/web/text"
)

// A picture has no room for long numbers: what is exact stands in the table of metrics and in the trace.

// number writes a quantity briefly: a count is exact below ten million and told in three digits with a letter above; any other is
// told in four digits, with its unit.
func (d *drawing) number(u labs.Unit, v int64) string { return brief(d.s.Lang, u, v) }

func brief(lang text.Lang, u labs.Unit, v int64) string {
	switch u {
	case labs.Count:
		if v > -1e7 && v < 1e7 {
			return text.Number(lang, u, v)
		}
		return letters(v)
	case labs.Bytes, labs.KiB, labs.MiB:
		return text.Number(lang, u, eighths(v))
	}
	return text.Number(lang, u, digits(v, 4))
}

// letters writes a count in three digits with a letter: 12.3M. One of four digits stays as it is: no letter makes it shorter.
func letters(v int64) string {
	if v > -10_000 && v < 10_000 {
		return text.Number(text.EN, labs.Count, v) // the same in every language
	}
	v = digits(v, 3)
	scale, letter := 1.0, ""
	for _, l := range []string{"k", "M", "G", "T", "P", "E"} {
		if math.Abs(float64(v)) >= scale*1000 {
			scale, letter = scale*1000, l
		}
	}
	return strconv.FormatFloat(float64(v)/scale, 'f', -1, 64) + letter
}

// digits rounds to so many digits, halves away from zero.
func digits(v int64, n int) int64 {
	unit := int64(1)
	for a := max(v, -v); a/unit >= int64(math.Pow10(n)); {
		unit *= 10
	}
	if v < 0 {
		return -((-v + unit/2) / unit * unit)
	}
	if v > math.MaxInt64-unit {
		return v / unit * unit
	}
	return (v + unit/2) / unit * unit
}

// eighths rounds bytes to an eighth of the largest of KiB, MiB, GiB that they reach.
func eighths(v int64) int64 {
	for _, unit := range []int64{1 << 30, 1 << 20, 1 << 10} {
		if v >= unit {
			return min(v, math.MaxInt64-unit) / (unit / 8) * (unit / 8)
		}
	}
	return v
}
