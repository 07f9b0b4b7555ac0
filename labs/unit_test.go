package labs_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"seedbed/labs"
)

func TestNumbersAreReadExactly(t *testing.T) {
	for _, c := range []struct {
		unit labs.Unit
		text string
		want int64
	}{
		{labs.Millis, "50", 50_000_000},
		{labs.Millis, "50ms", 50_000_000},
		{labs.Millis, "0.05s", 50_000_000},
		{labs.Millis, "0.000001", 1},
		{labs.Millis, "1e3", 1_000_000_000},
		{labs.Millis, "2.5E-1", 250_000},
		{labs.Millis, "-3", -3_000_000},
		{labs.Millis, "0", 0},
		{labs.Millis, "-0.0", 0},
		{labs.Seconds, "0.0099", 9_900_000},
		{labs.Seconds, "2min", 120_000_000_000},
		{labs.PerSecond, "50", 50_000},
		{labs.PerSecond, "0.5", 500},
		{labs.PerSecond, "10k", 10_000_000},
		{labs.PerSecond, "10k/s", 10_000_000},
		{labs.Count, "10k", 10_000},
		{labs.Count, "1.5k", 1500},
		{labs.Count, "9223372036854775807", math.MaxInt64},
		{labs.Bytes, "2MiB", 2 << 20},
		{labs.KiB, "0.5", 512},
		{labs.MiB, "1e-6MB", 1},
		{labs.Percent, "12.5", 125_000},
		{labs.Percent, "12.5%", 125_000},
		{labs.Ratio, "0.1", 100_000},
	} {
		got, err := c.unit.Parse("x", c.text)
		if err != nil || got != c.want {
			t.Errorf("%s in %q: got %d, %v, want %d", c.text, c.unit.Code(), got, err, c.want)
		}
	}
}

func TestNumbersThatAreNotAreRefused(t *testing.T) {
	for text, code := range map[string]string{
		"": "not-a-number", "NaN": "not-a-number", "Inf": "not-a-number", "abc": "not-a-number", "1.": "not-a-number",
		".5": "not-a-number", "01": "not-a-number", "+1": "not-a-number", "1e": "not-a-number", "0x10": "not-a-number",
		"1 ms": "not-a-number", "--1": "not-a-number", "1e400": "too-large", "99999999999999999999": "too-large",
		"9223372036854775808": "too-large", "0.0000001": "too-fine", "1e-400": "too-fine", "1e99999999999999999999": "not-a-number", "1e9999": "too-large", "1e-9999": "too-fine", "1e+-3": "not-a-number", "1e+": "not-a-number",
		"5%": "not-a-number", "٣": "not-a-number",
	} {
		_, err := labs.Millis.Parse("gap", text)
		e, ok := err.(*labs.Error)
		if !ok || e.Code != code || e.Field != "gap" {
			t.Errorf("%q: got %v, want code %s", text, err, code)
		}
	}
}

func TestFormatIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := labs.Unit(rapid.IntRange(0, int(labs.Ratio)).Draw(t, "unit"))
		v := rapid.Int64Range(-1<<62, 1<<62).Draw(t, "value")
		text := unit.Format(v)
		got, err := unit.Parse("x", text)
		if err != nil || got != v {
			t.Fatalf("%d in %q became %q and came back as %d, %v", v, unit.Code(), text, got, err)
		}
	})
}
