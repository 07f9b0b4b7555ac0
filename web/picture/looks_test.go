package picture

import (
	"bytes"
	"fmt"
	"testing"

	"seedbed/web/text"
)

// TestLinesOfAChartAreToldApart: no two lines of one chart are drawn alike, judged or not, up to twice the patterns.
func TestLinesOfAChartAreToldApart(t *testing.T) {
	for n := 2; n <= 2*len(patterns); n++ {
		for judged := -1; judged < n; judged++ { // -1 for none
			c := chart{lines: make([]chartLine, n)}
			if judged >= 0 {
				c.lines[judged].judged = true
			}
			seen := map[string]int{}
			for i := range n {
				token, weight, more := c.look(i)
				look := fmt.Sprint(token, weight, more)
				if k, twice := seen[look]; twice {
					t.Errorf("of %d lines, judged %d: %d and %d are both %s", n, judged, k, i, look)
				}
				seen[look] = i
			}
		}
	}
}

// TestWhatRefusesNothingDoesNotSpeakOfIt: the key names refusals in a run that has some, and in no other.
func TestWhatRefusesNothingDoesNotSpeakOfIt(t *testing.T) {
	for spec, want := range map[string]bool{"window-edge?use=fixed": true, "culprit": false} {
		in := pictureOf(t, spec, text.EN)
		if got := bytes.Contains(Run(in), []byte(">refused</text>")); got != want {
			t.Errorf("%s: its picture names refusals: %v, want %v", spec, got, want)
		}
	}
}
