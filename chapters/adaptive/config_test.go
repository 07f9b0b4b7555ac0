package adaptive_test

import (
	"testing"

	"seedbed/chapters/adaptive"
)

// TestBadConfigurations: one line says what is wrong, where, and what would be right.
func TestBadConfigurations(t *testing.T) {
	usual := func(change func(*adaptive.Common)) adaptive.Common {
		c := adaptive.Usual()
		change(&c)
		return c
	}
	aimd := func(c adaptive.Common, timeout int64) error {
		_, err := adaptive.NewAIMD(adaptive.AIMDConfig{Common: c, Timeout: timeout})
		return err
	}
	vegas := func(alpha, beta, life int64) error {
		_, err := adaptive.NewVegas(adaptive.VegasConfig{Common: adaptive.Usual(), Alpha: alpha, Beta: beta, Life: life})
		return err
	}
	gradient := func(tolerance, smoothing, life int64) error {
		_, err := adaptive.NewGradient(adaptive.GradientConfig{Common: adaptive.Usual(), Tolerance: tolerance, Smoothing: smoothing, Life: life})
		return err
	}
	bbr := func(window, life int64) error {
		_, err := adaptive.NewBBR(adaptive.BBRConfig{Common: usual(func(c *adaptive.Common) { c.Window = window }), Life: life})
		return err
	}
	for _, c := range []struct {
		err  error
		want string // empty: none
	}{
		{aimd(adaptive.Usual(), 1), ""},
		{aimd(adaptive.Usual(), 0), "timeout: 0 is outside 1..70368744177664 ns"},
		{aimd(adaptive.Common{}, 1), "max: 0 is outside 1..1048576 requests"},
		{aimd(usual(func(c *adaptive.Common) { c.Max = 1<<20 + 1 }), 1), "max: 1048577 is outside 1..1048576 requests"},
		{aimd(usual(func(c *adaptive.Common) { c.Min = 0 }), 1), "min: 0 is outside 1..1000 requests"},
		{aimd(usual(func(c *adaptive.Common) { c.Min = 1001 }), 1), "min: 1001 is outside 1..1000 requests"},
		{aimd(usual(func(c *adaptive.Common) { c.Min = 21 }), 1), "initial: 20 is outside 21..1000 requests"},
		{aimd(usual(func(c *adaptive.Common) { c.Window = -1 }), 1), "window: -1 is outside 0..70368744177664 ns"},
		{aimd(usual(func(c *adaptive.Common) { c.Samples = 0 }), 1), "samples: 0 is outside 1..65536 a step"},
		{aimd(usual(func(c *adaptive.Common) { c.Backoff = 1000 }), 1), "backoff: 1000 is outside 500..999 thousandths"},
		{vegas(3, 6, 1), ""},
		{vegas(6, 6, 1), ""},
		{vegas(7, 6, 1), "alpha: 7 is outside 0..6 requests"},
		{vegas(0, -1, 1), "beta: -1 is outside 0..1048576 requests"},
		{vegas(3, 6, 0), "life: 0 is outside 1..70368744177664 ns"},
		{gradient(1000, 1, 1), ""},
		{gradient(999, 1, 1), "tolerance: 999 is outside 1000..10000 thousandths"},
		{gradient(1000, 0, 1), "smoothing: 0 is outside 1..1000 thousandths"},
		{gradient(1000, 1, 0), "life: 0 is outside 1..70368744177664 ns"},
		{bbr(1_000_000, 1), ""},
		{bbr(999_999, 1), "window: 999999 is outside 1000000..70368744177664 ns"},
		{bbr(1_000_000, 0), "life: 0 is outside 1..70368744177664 ns"},
	} {
		got := ""
		if c.err != nil {
			got = c.err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
