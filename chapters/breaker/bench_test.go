package breaker_test

import (
	"testing"
	"time"

	"seedbed/chapters/breaker"
)

// BenchmarkCall is a call that is allowed and ends well, or badly every tenth time, the clock passed in.
func BenchmarkCall(b *testing.B) {
	span := breaker.Hystrix()
	for name, cfg := range map[string]breaker.Config{"calls": breaker.Resilience4j(), "time": span} {
		b.Run(name, func(b *testing.B) {
			br := must(breaker.NewBreaker(cfg))
			b.ReportAllocs()
			b.ResetTimer()
			for k := range int64(b.N) {
				t, _ := br.AskAt(k * 1000)
				br.DoneAt(k*1000+10, t, breaker.Outcome(k%10/9)<<1)
			}
		})
	}
}

// BenchmarkLocked is the same with a lock and a clock: only slow calls need it to be read twice.
func BenchmarkLocked(b *testing.B) {
	start := time.Now()
	plain := breaker.Resilience4j()
	plain.SlowPercent = 0
	for name, cfg := range map[string]breaker.Config{"slow": breaker.Resilience4j(), "plain": plain} {
		b.Run(name, func(b *testing.B) {
			br := must(breaker.NewLocked(cfg, func() int64 { return int64(time.Since(start)) }))
			b.ReportAllocs()
			b.ResetTimer()
			for k := range b.N {
				t, _ := br.Ask()
				br.Done(t, breaker.Outcome(k%10/9)<<1)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
