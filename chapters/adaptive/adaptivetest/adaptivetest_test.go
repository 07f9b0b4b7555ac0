package adaptivetest_test

import (
	"fmt"
	"strings"
	"testing"

	"seedbed/chapters/adaptive"
	"seedbed/chapters/adaptive/adaptivetest"
)

const (
	ms     = 1_000_000
	second = 1_000_000_000
)

// recorder is a TB that keeps what it is told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func common() adaptive.Common {
	return adaptive.Common{Min: 1, Max: 200, Initial: 20, Window: 10 * ms, Samples: 1, Backoff: 900}
}

func target(claims adaptivetest.Claim, fresh func() adaptivetest.Limit) adaptivetest.Target {
	return adaptivetest.Target{New: fresh, Min: 1, Max: 200, Pace: 10 * ms, Samples: 1, Life: 5 * second, Claims: claims}
}

// of makes a target's New of one of ours.
func of[T any, P interface {
	*T
	adaptivetest.Limit
}](t *testing.T, make func() (T, error)) func() adaptivetest.Limit {
	return func() adaptivetest.Limit {
		l, err := make()
		if err != nil {
			t.Fatal(err)
		}
		return P(&l)
	}
}

// TestOurs: each limit of this project keeps every claim that it can make.
func TestOurs(t *testing.T) {
	aimd := of(t, func() (adaptive.AIMD, error) {
		return adaptive.NewAIMD(adaptive.AIMDConfig{Common: common(), Timeout: 45 * ms})
	})
	vegas := of(t, func() (adaptive.Vegas, error) {
		return adaptive.NewVegas(adaptive.VegasConfig{Common: common(), Alpha: 3, Beta: 6, Life: 5 * second})
	})
	gradient := of(t, func() (adaptive.Gradient, error) {
		return adaptive.NewGradient(adaptive.GradientConfig{Common: common(), Tolerance: 1000, Smoothing: 200, Life: 5 * second})
	})
	bbr := of(t, func() (adaptive.BBR, error) {
		return adaptive.NewBBR(adaptive.BBRConfig{Common: common(), Life: 5 * second})
	})
	t.Run("aimd", func(t *testing.T) { adaptivetest.Run(t, target(adaptivetest.Always, aimd)) })
	t.Run("vegas", func(t *testing.T) { adaptivetest.Run(t, target(adaptivetest.Full, vegas)) })
	t.Run("gradient", func(t *testing.T) { adaptivetest.Run(t, target(adaptivetest.Full, gradient)) })
	t.Run("bbr", func(t *testing.T) { adaptivetest.Run(t, target(adaptivetest.Full, bbr)) })
}

// broken is a limit with one fault.
type broken struct {
	limit, base, count int64
	learn              func(b *broken, s adaptive.Sample)
}

func (b *broken) Limit() int64 { return b.limit }

func (b *broken) LearnAt(_ int64, s adaptive.Sample) { b.count++; b.learn(b, s) }

// gradient is right but for what a test adds: no floor for its ratio, no idle rule, no drops.
func gradient(b *broken, s adaptive.Sample) {
	if b.base == 0 || s.Took < b.base {
		b.base = s.Took
	}
	b.limit = min(200, max(1, b.limit*b.base/max(1, s.Took)+4))
}

// TestEachClaimCanFail: a limit with one fault fails the claim that is about it.
func TestEachClaimCanFail(t *testing.T) {
	shared := int64(0)
	for claim, c := range map[string]struct {
		claim adaptivetest.Claim
		learn func(b *broken, s adaptive.Sample)
	}{
		"range": {adaptivetest.Range, func(b *broken, s adaptive.Sample) { b.limit++ }},
		"grows": {adaptivetest.Grows, func(b *broken, s adaptive.Sample) { b.limit = 1 }},
		"idle":  {adaptivetest.Idle, gradient},
		"drops": {adaptivetest.Drops, gradient},
		"latency": {adaptivetest.Latency, func(b *broken, s adaptive.Sample) { // the typo: upside down
			if b.base == 0 || s.Took < b.base {
				b.base = s.Took
			}
			b.limit = min(200, max(1, b.limit*s.Took/max(1, b.base)))
			if s.Dropped {
				b.limit /= 2
			}
		}},
		"repeats": {adaptivetest.Repeats, func(b *broken, s adaptive.Sample) { shared++; b.limit = 1 + shared%200 }},
		"ages":    {adaptivetest.Ages, gradient},
	} {
		var r recorder
		adaptivetest.Check(&r, target(c.claim, func() adaptivetest.Limit { return &broken{limit: 20, learn: c.learn} }))
		if len(r.said) != 1 || !strings.HasPrefix(r.said[0], claim+": seed ") {
			t.Errorf("%s: a limit with that fault: %q, want one failure", claim, r.said)
		}
	}
}

// TestTargetsThatMakeNoSense are refused with one line.
func TestTargetsThatMakeNoSense(t *testing.T) {
	sound := target(adaptivetest.Full, func() adaptivetest.Limit { return &broken{limit: 1, learn: gradient} })
	for _, c := range []struct {
		change func(g *adaptivetest.Target)
		want   string
	}{
		{func(g *adaptivetest.Target) { g.New = nil }, "target: New is nil"},
		{func(g *adaptivetest.Target) { g.Claims = 0 }, "target: no claims"},
		{func(g *adaptivetest.Target) { g.Min = 0 }, "target: Min 0, Max 200"},
		{func(g *adaptivetest.Target) { g.Max = 1 }, "target: Min 1, Max 1"},
		{func(g *adaptivetest.Target) { g.Life = 0 }, "target: Life 0"},
		{func(g *adaptivetest.Target) { g.Seeds = -1 }, "target: -1 seeds"},
	} {
		g := sound
		c.change(&g)
		var r recorder
		if adaptivetest.Check(&r, g); len(r.said) != 1 || !strings.HasPrefix(r.said[0], c.want) {
			t.Errorf("%q, want %q…", r.said, c.want)
		}
	}
}
