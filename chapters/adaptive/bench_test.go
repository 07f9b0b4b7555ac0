package adaptive_test

import (
	"testing"

	"seedbed/chapters/adaptive"
)

// BenchmarkGate lets one request in and out, with the clock passed in.
func BenchmarkGate(b *testing.B) {
	for name, l := range all(adaptive.Usual()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			g, now := adaptive.NewGate(l), int64(0)
			for b.Loop() {
				now += ms
				t, _ := g.TakeAt(now)
				g.DoneAt(now+10*ms, t, adaptive.Served)
			}
		})
	}
}
