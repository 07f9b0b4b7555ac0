package picture

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestTextSurvivesEscaping: what is written comes back from an XML parser as it was, as content and in an attribute, but for what XML
// cannot hold.
func TestTextSurvivesEscaping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{`<script>alert("1")</script>`, "a&amp;b", "]]>", "\x00\x1b\xff", "'\"\t\n"})).Draw(t, "text")
		var w writer
		w.element("text", s, attr{"d", s})
		var read struct {
			D    string `xml:"d,attr"`
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal(w.b, &read); err != nil {
			t.Fatalf("%q is not XML: %v", w.b, err)
		}
		want := strings.Map(func(r rune) rune {
			if r < 0x20 && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
				return utf8.RuneError
			}
			return r
		}, strings.ToValidUTF8(s, "\uFFFD"))
		if got := strings.ToValidUTF8(read.Text, "\uFFFD"); compact(got) != compact(want) {
			t.Fatalf("content %q came back as %q", s, got)
		}
		if compact(read.D) != compact(want) {
			t.Fatalf("attribute %q came back as %q", s, read.D)
		}
	})
}

// compact joins what replaced several bytes in a row: how many there are is not said.
func compact(s string) string {
	for strings.Contains(s, "\uFFFD\uFFFD") {
		s = strings.ReplaceAll(s, "\uFFFD\uFFFD", "\uFFFD")
	}
	return s
}

func TestCoordinatesHaveOneDecimal(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1: "1", 0.04: "0", -0.04: "0", 1.25: "1.3", -1.26: "-1.3", 719.96: "720", 12.5: "12.5"} {
		if got := tenth(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}

// TestHatchingStaysWithin compares with the shape itself: every point of every line lies in a column, and no part of the shape that
// is wider and higher than two gaps is without a line.
func TestHatchingStaysWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s skyline
		x := 10.0
		for range rapid.IntRange(1, 12).Draw(t, "columns") {
			x += float64(rapid.IntRange(0, 1).Draw(t, "apart") * 3)
			w, base := float64(rapid.IntRange(1, 30).Draw(t, "width")), float64(rapid.IntRange(40, 60).Draw(t, "base"))
			s = append(s, column{x, x + w, base - float64(rapid.IntRange(1, 40).Draw(t, "height")), base})
			x += w
		}
		lines := slashes(t, string(s.hatch(hatchGap).b))
		for _, l := range lines {
			for k := range 11 {
				px, py := l[0]+l[2]*float64(k)/10, l[1]-l[2]*float64(k)/10
				if !s.holds(px, py) {
					t.Fatalf("the point %.1f, %.1f of a hatching is outside %v", px, py, s)
				}
			}
		}
		for _, c := range s {
			if c.x1-c.x0 < 2*hatchGap || c.base-c.top < 2*hatchGap {
				continue
			}
			if !crossed(lines, c) {
				t.Fatalf("%v is not hatched", c)
			}
		}
	})
}

// holds is true for a point in a column, by a tenth and a half: coordinates are rounded.
func (s skyline) holds(x, y float64) bool {
	const e = 0.15
	for _, c := range s {
		if x >= c.x0-e && x <= c.x1+e && y >= c.top-e && y <= c.base+e {
			return true
		}
	}
	return false
}

func crossed(lines [][3]float64, c column) bool {
	for _, l := range lines {
		if l[0] < c.x1 && l[0]+l[2] > c.x0 {
			return true
		}
	}
	return false
}

// slashes reads the lines of a hatching: where each begins, and how far it goes up and to the right.
func slashes(t *rapid.T, d string) (out [][3]float64) {
	for _, part := range splitPath(strings.ReplaceAll(d, "l", "L")) {
		fields := strings.Fields(strings.ReplaceAll(part[1:], "-", " -"))
		if len(fields) != 2 {
			t.Fatalf("%q is no pair", part)
		}
		a, b := parse(fields[0]), parse(fields[1])
		switch part[0] {
		case 'M':
			out = append(out, [3]float64{a, b, 0})
		case 'L':
			if math.Abs(a+b) > 0.01 {
				t.Fatalf("%q is not at 45 degrees", part)
			}
			out[len(out)-1][2] = a
		}
	}
	return out
}

func parse(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return v
}
