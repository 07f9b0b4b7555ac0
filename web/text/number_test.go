package text_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seedbed/labs"
	"seedbed/web/text"
)

func TestNumber(t *testing.T) {
	for _, row := range []struct {
		unit   labs.Unit
		v      int64
		en, zh string
	}{
		{labs.Count, 0, "0", "0"},
		{labs.Count, 999, "999", "999"},
		{labs.Count, 1000, "1,000", "1,000"},
		{labs.Count, 1234567, "1,234,567", "1,234,567"},
		{labs.Count, -1, "−1", "−1"},
		{labs.Count, math.MinInt64, "−9,223,372,036,854,775,808", "−9,223,372,036,854,775,808"},
		{labs.Nanos, 999, "999 ns", "999 ns"},
		{labs.Nanos, 1_500, "1.5 µs", "1.5 µs"},
		{labs.Micros, 0, "0 µs", "0 µs"},
		{labs.Millis, 0, "0 ms", "0 ms"},
		{labs.Millis, 2_000_000, "2 ms", "2 ms"},
		{labs.Millis, 999_900_000, "999.9 ms", "999.9 ms"},
		{labs.Seconds, 1_001_000_000, "1.001 s", "1.001 s"},
		{labs.Seconds, 1_000_000_001, "1 s", "1 s"},
		{labs.Nanos, 2_229_161_602, "2.2292 s", "2.2292 s"},
		{labs.Nanos, 1_000_100_000, "1.0001 s", "1.0001 s"},
		{labs.Nanos, 999_999_960, "1,000 ms", "1,000 ms"},
		{labs.Nanos, 12_345_678_912_345, "12,346 s", "12,346 s"},
		{labs.Percent, 123, "0.0123%", "0.0123%"},
		{labs.Seconds, 3_600_000_000_000, "3,600 s", "3,600 s"},
		{labs.Seconds, -1_500_000_000, "−1.5 s", "−1.5 s"},
		{labs.PerSecond, 50_000, "50 per second", "每秒50"},
		{labs.PerSecond, 100_000_000, "100,000 per second", "每秒100,000"},
		{labs.PerSecond, 1, "0.001 per second", "每秒0.001"},
		{labs.PerSecond, -1_000, "−1 per second", "每秒−1"},
		{labs.Bytes, 0, "0 B", "0 B"},
		{labs.Bytes, 1000, "1,000 B", "1,000 B"},
		{labs.Bytes, 1024, "1 KiB", "1 KiB"},
		{labs.Bytes, 1536, "1.5 KiB", "1.5 KiB"},
		{labs.Bytes, 1<<20 + 1, "1,048,577 B", "1,048,577 B"},
		{labs.MiB, 3 << 29, "1.5 GiB", "1.5 GiB"},
		{labs.Bytes, -102_528, "−100.125 KiB", "−100.125 KiB"},
		{labs.Percent, 125_000, "12.5%", "12.5%"},
		{labs.Ratio, 1_820_000, "1.82", "1.82"},
	} {
		if got := text.Number(text.EN, row.unit, row.v); got != row.en {
			t.Errorf("%d of unit %d in English: %q, want %q", row.v, row.unit, got, row.en)
		}
		if got := text.Number(text.ZH, row.unit, row.v); got != row.zh {
			t.Errorf("%d of unit %d in Chinese: %q, want %q", row.v, row.unit, got, row.zh)
		}
	}
}

// allUnits lists the units: a unit that is added and not here fails TestUnitsAreAllHere.
var allUnits = []labs.Unit{
	labs.Count, labs.Nanos, labs.Micros, labs.Millis, labs.Seconds, labs.PerSecond, labs.Bytes, labs.KiB, labs.MiB, labs.Percent, labs.Ratio,
}

func TestUnitsAreAllHere(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Errorf("labs has a unit after number %d; add it here and to Number", len(allUnits)-1)
		}
	}()
	_ = labs.Unit(len(allUnits)).Code()
}

// TestNumberIsNear reads back what people read: whole numbers and sizes lose no digit, others nothing that five figures can tell.
func TestNumberIsNear(t *testing.T) {
	base := map[string]labs.Unit{"ns": labs.Nanos, "µs": labs.Nanos, "ms": labs.Nanos, "s": labs.Nanos, "B": labs.Bytes, "KiB": labs.Bytes, "MiB": labs.Bytes, "GiB": labs.Bytes}
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom(allUnits).Draw(t, "unit")
		// Above 2^62, 292 years in ns, a number told in five figures may round up past what Parse can hold; the digits are in TestNumber.
		v := rapid.OneOf(rapid.Int64Range(-1<<62, 1<<62), rapid.Int64Range(-1<<40, 1<<40), rapid.Int64Range(-5000, 5000)).Draw(t, "v")
		lang := rapid.SampledFrom(text.Langs).Draw(t, "lang")
		told := text.Number(lang, unit, v)
		plain := strings.NewReplacer(",", "", "−", "-", " per second", "", "每秒", "").Replace(told)
		reader := unit
		if number, name, found := strings.Cut(plain, " "); found {
			plain, reader = number+name, base[name]
		}
		back, err := reader.Parse("", plain)
		off := math.Abs(float64(back) - float64(v))
		whole := reader == labs.Bytes || base[unit.Code()] == 0 && reader == unit && v%unit.Scale() == 0
		if err != nil || off > 0.00006*math.Abs(float64(v)) || off > 0 && whole {
			t.Fatalf("%d of unit %d is told as %q, which reads back as %d (%v)", v, unit, told, back, err)
		}
	})
}

func TestUnitName(t *testing.T) {
	got := make([]string, 0, 2*len(allUnits))
	for _, u := range allUnits {
		got = append(got, strconv.Itoa(int(u))+"="+text.UnitName(text.EN, u)+"/"+text.UnitName(text.ZH, u))
	}
	want := "0=/ 1=ns/ns 2=µs/µs 3=ms/ms 4=s/s 5=per second/每秒 6=B/B 7=KiB/KiB 8=MiB/MiB 9=%/% 10=/"
	if all := strings.Join(got, " "); all != want {
		t.Errorf("got  %s\nwant %s", all, want)
	}
}

// TestMetricZero: what 0 stands for is said in words, where it stands for anything but a number.
func TestMetricZero(t *testing.T) {
	lost, count := text.Metric{Label: "lost at", Zero: "never"}, text.Metric{Label: "lost"}
	for _, c := range []struct {
		m    text.Metric
		v    int64
		want string
	}{{lost, 0, "never"}, {lost, 1e9, "1 s"}, {count, 0, "0 s"}} {
		if got := c.m.Value(text.EN, labs.Seconds, c.v); got != c.want {
			t.Errorf("%s, %d ns: %q, want %q", c.m.Label, c.v, got, c.want)
		}
	}
}
