package labtest

import (
	"testing"

	"seedbed/labs"
)

// Ends runs a lab with every parameter at either end of its range, the others at their defaults and the length (ns) as given: each run ends
// and measures nothing below zero, or is refused as a conflict.
func Ends(t *testing.T, lab *labs.Lab, length int64) {
	t.Helper()
	at := lab.Param("length")
	for i := range lab.Params {
		for _, v := range endsOf(&lab.Params[i]) {
			spec := Spec(t, lab, "")
			spec.Values[at] = length
			if i != at || v < length {
				spec.Values[i] = v
			}
			end(t, spec)
		}
	}
}

func endsOf(p *labs.Param) [2]int64 {
	if p.Choices != nil {
		return [2]int64{0, int64(len(p.Choices)) - 1}
	}
	return [2]int64{p.Min, p.Max}
}

func end(t *testing.T, spec labs.Spec) {
	t.Helper()
	trace, err := labs.Run(spec, labs.Options{})
	if e, ok := err.(*labs.Error); ok && e.Code == "conflict" {
		return
	}
	if err != nil {
		t.Errorf("%s: %v", spec.Text(), err)
		return
	}
	for m, value := range trace.Metrics {
		if value < 0 {
			t.Errorf("%s: %s is %d", spec.Text(), spec.Lab.Metrics[m].Name, value)
		}
	}
}
