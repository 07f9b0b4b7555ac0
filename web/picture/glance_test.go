package picture

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"seedbed/labs/catalog"
	"seedbed/web/text"
)

// A list has little room: a glance begins with what is drawn, and tells no check and no sign. The first name of an entity stands in the
// part that a list shows.
func TestAGlanceIsTheDrawingAlone(t *testing.T) {
	const shown = 200 // units
	for _, lab := range catalog.All() {
		in := pictureOf(t, lab.ID, text.EN)
		in.Narrow = true
		whole := Run(in)
		in.Glance = true
		glance := Run(in)
		_, drawn, _ := strings.Cut(string(glance), "</desc>") // the description for who cannot see tells the checks
		for _, c := range lab.Checks {
			title := in.Words.Checks[c.Name].Title
			if strings.Contains(drawn, ">"+title+"<") {
				t.Errorf("%s: a glance tells the check %q", lab.ID, title)
			}
		}
		if len(glance) >= len(whole) {
			t.Errorf("%s: a glance has %d bytes, the whole picture %d", lab.ID, len(glance), len(whole))
		}
		if y, ok := firstName(glance, in); !ok || y > shown {
			t.Errorf("%s: the first entity's name stands at %v, want one above %d", lab.ID, y, shown)
		}
	}
}

// firstName is how far from the top the first name of an entity stands.
func firstName(svg []byte, in Picture) (y float64, ok bool) {
	for _, e := range in.Layout.Entities {
		first, _, _ := strings.Cut(in.Words.Entity(&e), " ")
		for _, line := range bytes.Split(svg, []byte("\n")) {
			if !bytes.HasPrefix(line, []byte("<text")) || !bytes.Contains(line, []byte(">"+first)) {
				continue
			}
			_, rest, _ := bytes.Cut(line, []byte(` y="`))
			value, _, _ := bytes.Cut(rest, []byte(`"`))
			if at, err := strconv.ParseFloat(string(value), 64); err == nil && (!ok || at < y) {
				y, ok = at, true
			}
		}
	}
	return y, ok
}
