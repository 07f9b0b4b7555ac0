package hotkey_test

import "testing"

// BenchmarkAddAt counts keys by Zipf's law.
func BenchmarkAddAt(b *testing.B) {
	stream := zipf(3, 1.05, 50_000, 1<<16)
	for name, d := range detectors(0) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				d.AddAt(0, stream[i&(1<<16-1)])
				i++
			}
		})
	}
}
