package limitertest_test

import (
	"fmt"

	"seedbed/chapters/limiter"
	"seedbed/chapters/limiter/limitertest"
)

// perSecond is somebody's limiter: it forgets the past whenever a new second begins.
type perSecond struct {
	limit, second, used int64
}

func (p *perSecond) Allow(now, n int64) bool {
	if s := now / 1e9; s != p.second {
		p.second, p.used = s, 0
	}
	if p.used+n > p.limit {
		return false
	}
	p.used += n
	return true
}

// printer is a TB that prints; a test passes its *testing.T.
type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
}

// Its documentation says "at most 3 in any second". Around the edge of a second it lets more pass, and it pays units out to a caller
// who asks for less than none.
func Example() {
	limitertest.Check(printer{}, limitertest.Target{
		New: func() limiter.Limiter {
			return limitertest.AllowFunc((&perSecond{limit: 3}).Allow)
		},
		Limit:  3,
		Burst:  3,
		Rate:   limiter.PerSecond(3),
		Window: 1e9, InWindow: 3,
		Claims: limitertest.YesNo,
	})
	// Output:
	// bounded: seed 0: 5 admitted within 875631344 ns, at most 3 promised
	//   call 69: at 136827768556 ns, n 2: OK
	//   call 70: at 136970544122 ns, n 1: OK
	//   call 71: at 136970544123 ns, n 2: denied
	//   call 72: at 137703399900 ns, n 2: OK
	// stale: seed 0: 4 admitted within 555167516 ns, at most 3 promised
	//   call 1: at 1491377897 ns, n 3: OK
	//   call 2: at 2046545413 ns, n 1: OK
	// negative: a request for -1 units was admitted, want it refused
}

// A token bucket of this project keeps all that a limiter can promise.
func ExampleCheck() {
	limitertest.Check(printer{}, limitertest.Target{
		New: func() limiter.Limiter {
			b, err := limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(3), Burst: 3})
			if err != nil {
				panic(err)
			}
			return &b
		},
		Limit:     3,
		Burst:     3,
		Rate:      limiter.PerSecond(3),
		Sustained: limiter.PerSecond(3),
		Claims:    limitertest.Full,
	})
	fmt.Println("no failure")
	// Output: no failure
}
