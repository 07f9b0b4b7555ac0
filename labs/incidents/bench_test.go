package incidents_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/incidents"
	"seedbed/labs/labtest"
)

// BenchmarkAvalanche is the run that a page opens with, as the browser asks for it: with checkpoints to seek in.
func BenchmarkAvalanche(b *testing.B) {
	spec := labtest.Spec(b, incidents.Avalanche, "")
	for b.Loop() {
		if _, err := labs.Run(spec, labs.Options{Seek: true}); err != nil {
			b.Fatal(err)
		}
	}
}
