package limiter_test

import (
	"fmt"
	"testing"

	"seedbed/chapters/limiter"
	"seedbed/chapters/limiter/limitertest"
)

const (
	second = 1_000_000_000
	ms     = 1_000_000
)

// must unwraps a constructor whose configuration is right by construction.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// fixed, twoCounter and so on make fresh limiters for the tests of this package.
func fixed(limit, window int64) limiter.Limiter {
	l := must(limiter.NewFixedWindow(limiter.WindowConfig{Limit: limit, Window: window}))
	return &l
}

func twoCounter(limit, window int64) limiter.Limiter {
	l := must(limiter.NewTwoCounter(limiter.WindowConfig{Limit: limit, Window: window}))
	return &l
}

func slidingLog(limit, window int64) limiter.Limiter {
	l := must(limiter.NewSlidingLog(limiter.WindowConfig{Limit: limit, Window: window}))
	return &l
}

func bucketed(limit, window int64, buckets, kept int) limiter.Limiter {
	l := must(limiter.NewBucketedWindow(limiter.BucketedConfig{Limit: limit, Window: window, Buckets: buckets, Kept: kept}))
	return &l
}

func tokenBucket(r limiter.Rate, burst int64) limiter.Limiter {
	l := must(limiter.NewTokenBucket(limiter.RateConfig{Rate: r, Burst: burst}))
	return &l
}

func policer(r limiter.Rate, burst int64) limiter.Limiter {
	l := must(limiter.NewPolicer(limiter.RateConfig{Rate: r, Burst: burst}))
	return &l
}

func queue(r limiter.Rate, depth int64) limiter.Limiter {
	l := must(limiter.NewQueue(limiter.QueueConfig{Rate: r, Depth: depth}))
	return &l
}

func gcra(r limiter.Rate, burst int64) limiter.Limiter {
	return must(limiter.NewGCRA(limiter.GCRAConfig{Rate: r, Burst: burst}))
}

func serialGCRA(r limiter.Rate, burst int64) limiter.Limiter {
	l := must(limiter.NewSerialGCRA(limiter.GCRAConfig{Rate: r, Burst: burst}))
	return &l
}

// oneKey is a Keyed that is asked for a single key, among others that fill its table.
type oneKey struct {
	keyed limiter.Keyed[limiter.TokenBucket, *limiter.TokenBucket]
	other uint64
}

func (k *oneKey) TakeAt(now, n int64) limiter.Decision {
	for range 3 {
		k.other++
		k.keyed.TakeIDAt(1000+k.other%20, now, 1)
	}
	return k.keyed.TakeAt("it", now, n)
}

func keyed(r limiter.Rate, burst int64, keys int) limiter.Limiter {
	fresh := must(limiter.NewTokenBucket(limiter.RateConfig{Rate: r, Burst: burst}))
	return &oneKey{keyed: must(limiter.NewKeyed(limiter.KeyedConfig[limiter.TokenBucket]{New: fresh, MaxKeys: keys}))}
}

// seeds is how many schedules a claim is tried on here, where so many limiters are tried that a quarter of the usual will do.
const seeds = 50

// windowTarget is what a window promises: inWindow in any span shorter than the window, and the envelope that follows from it.
func windowTarget(limit, window, inWindow int64, claims limitertest.Claim, fresh func() limiter.Limiter) limitertest.Target {
	return limitertest.Target{
		New: fresh, Limit: limit,
		Burst: inWindow, Rate: limiter.Rate{N: max(1, inWindow), Per: window},
		Window: window, InWindow: inWindow,
		Seeds:  seeds,
		Claims: claims,
	}
}

// rateTarget is what a bucket promises.
func rateTarget(r limiter.Rate, burst int64, claims limitertest.Claim, fresh func() limiter.Limiter) limitertest.Target {
	return limitertest.Target{New: fresh, Limit: burst, Burst: burst, Rate: r, Sustained: r, Seeds: seeds, Claims: claims}
}

func TestWindowsConform(t *testing.T) {
	for _, c := range []struct {
		limit, window int64
		buckets       int
	}{
		{1, second, 1}, {1, 7, 7}, {3, 10 * ms, 10}, {10, 999_999_999, 9}, {100, second, 100}, {7, 1000, 4}, {0, second, 2},
	} {
		name := "limit " + fmt.Sprint(c.limit) + " in " + fmt.Sprint(c.window) + " ns"
		full := limitertest.Full
		run := func(kind string, target limitertest.Target) {
			t.Run(kind+", "+name, func(t *testing.T) { limitertest.Run(t, target) })
		}
		if c.limit > 0 {
			run("fixed", windowTarget(c.limit, c.window, 2*c.limit, full, func() limiter.Limiter { return fixed(c.limit, c.window) }))
			run("two counters", windowTarget(c.limit, c.window, 2*c.limit-1, full, func() limiter.Limiter { return twoCounter(c.limit, c.window) }))
		}
		run("log", windowTarget(c.limit, c.window, c.limit, full, func() limiter.Limiter { return slidingLog(c.limit, c.window) }))
		run("buckets", windowTarget(c.limit, c.window, c.limit, full, func() limiter.Limiter { return bucketed(c.limit, c.window, c.buckets, 0) }))
	}
}

func TestRatesConform(t *testing.T) {
	for _, c := range []struct {
		name  string
		rate  limiter.Rate
		burst int64
	}{
		{"1 per second, burst 1", limiter.PerSecond(1), 1},
		{"300 per second, burst 10", limiter.PerSecond(300), 10},
		{"7 per 3 ns, burst 5", limiter.Rate{N: 7, Per: 3}, 5},
		{"99991 per second, burst 100", limiter.PerSecond(99_991), 100},
		{"3e9 per second, burst 4", limiter.PerSecond(3_000_000_000), 4},
		{"1 per hour, burst 3", limiter.Rate{N: 1, Per: 3600 * second}, 3},
	} {
		full := limitertest.Full
		run := func(kind string, target limitertest.Target) {
			t.Run(kind+", "+c.name, func(t *testing.T) { limitertest.Run(t, target) })
		}
		run("token bucket", rateTarget(c.rate, c.burst, full, func() limiter.Limiter { return tokenBucket(c.rate, c.burst) }))
		run("policer", rateTarget(c.rate, c.burst, full, func() limiter.Limiter { return policer(c.rate, c.burst) }))
		run("queue", rateTarget(c.rate, c.burst, full, func() limiter.Limiter { return queue(c.rate, c.burst-1) }))

		// GCRA keeps the rate it says it keeps.
		kept := must(limiter.NewGCRA(limiter.GCRAConfig{Rate: c.rate, Burst: c.burst})).Rate()
		run("gcra", rateTarget(kept, c.burst, full|limitertest.Concurrent, func() limiter.Limiter { return gcra(c.rate, c.burst) }))
		run("serial gcra", rateTarget(kept, c.burst, full, func() limiter.Limiter { return serialGCRA(c.rate, c.burst) }))
	}
}

func TestFarInstantsConform(t *testing.T) {
	r := limiter.PerSecond(300)
	for name, target := range map[string]limitertest.Target{
		"token bucket": rateTarget(r, 10, limitertest.Full, func() limiter.Limiter { return tokenBucket(r, 10) }),
		"policer":      rateTarget(r, 10, limitertest.Full, func() limiter.Limiter { return policer(r, 10) }),
		"queue":        rateTarget(r, 10, limitertest.Full, func() limiter.Limiter { return queue(r, 9) }),
		"fixed":        windowTarget(10, second, 20, limitertest.Full, func() limiter.Limiter { return fixed(10, second) }),
		"two counters": windowTarget(10, second, 19, limitertest.Full, func() limiter.Limiter { return twoCounter(10, second) }),
		"log":          windowTarget(10, second, 10, limitertest.Full, func() limiter.Limiter { return slidingLog(10, second) }),
		"buckets":      windowTarget(10, second, 10, limitertest.Full, func() limiter.Limiter { return bucketed(10, second, 10, 0) }),
	} {
		// Before 0, where division rounds the other way, and in our own century as nanoseconds since 1970.
		for _, origin := range []int64{-1 << 60, -3 * second / 2, 1_800_000_000 * second} {
			target.Origin = origin
			t.Run(name+" from "+fmt.Sprint(origin), func(t *testing.T) { limitertest.Run(t, target) })
		}
	}
}

func TestWrappersConform(t *testing.T) {
	r := limiter.PerSecond(300)
	layers := func() limiter.Limiter {
		a := must(limiter.NewTokenBucket(limiter.RateConfig{Rate: r, Burst: 10}))
		b := must(limiter.NewSlidingLog(limiter.WindowConfig{Limit: 200, Window: second}))
		c := must(limiter.NewFixedWindow(limiter.WindowConfig{Limit: 40, Window: 100 * ms}))
		l := limiter.NewLayered(&b, &a, &c)
		return &l
	}
	target := rateTarget(r, 10, limitertest.Full, layers)
	target.Sustained = limiter.PerSecond(200)
	t.Run("layered", func(t *testing.T) { limitertest.Run(t, target) })

	for name, inner := range map[string]func() limiter.Limiter{
		"locked token bucket": func() limiter.Limiter { return tokenBucket(r, 10) },
		"locked policer":      func() limiter.Limiter { return policer(r, 10) },
		"locked queue":        func() limiter.Limiter { return queue(r, 9) },
		"locked gcra":         func() limiter.Limiter { return serialGCRA(r, 10) },
	} {
		fresh := func() limiter.Limiter { return limiter.NewLocked(inner(), nil) }
		t.Run(name, func(t *testing.T) {
			limitertest.Run(t, rateTarget(r, 10, limitertest.Full|limitertest.Concurrent, fresh))
		})
	}
	t.Run("locked log", func(t *testing.T) {
		limitertest.Run(t, windowTarget(10, second, 10, limitertest.Full|limitertest.Concurrent, func() limiter.Limiter {
			return limiter.NewLocked(slidingLog(10, second), nil)
		}))
	})
	t.Run("keyed, with room", func(t *testing.T) {
		limitertest.Run(t, rateTarget(r, 10, limitertest.Full, func() limiter.Limiter { return keyed(r, 10, 100) }))
	})
	// Without room a key shares a limiter with others, and may get less than its own. It never gets more.
	t.Run("keyed, crowded", func(t *testing.T) {
		crowded := rateTarget(r, 10, limitertest.Bounded|limitertest.Stale|limitertest.Repeats, func() limiter.Limiter { return keyed(r, 10, 3) })
		crowded.Sustained = limiter.Rate{}
		limitertest.Run(t, crowded)
	})
}
