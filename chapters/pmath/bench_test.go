package pmath_test

import (
	"math"
	"testing"

	"seedbed/chapters/pmath"
)

var sink float64

func BenchmarkFunctions(b *testing.B) {
	for _, fn := range []struct {
		name string
		f    func(float64) float64
	}{
		{"Exp", pmath.Exp}, {"Exp-math", math.Exp},
		{"Log", pmath.Log}, {"Log-math", math.Log},
		{"Log2", pmath.Log2}, {"Log2-math", math.Log2},
		{"Pow", func(x float64) float64 { return pmath.Pow(x, -1.7) }},
		{"Pow-math", func(x float64) float64 { return math.Pow(x, -1.7) }},
	} {
		b.Run(fn.name, func(b *testing.B) {
			b.ReportAllocs()
			x := 0.5
			for b.Loop() {
				sink += fn.f(x)
				x += 1e-9
			}
		})
	}
}
