package limiter_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"seedbed/chapters/limiter"
)

// The traps of these files are faults met in other limiters, by number; each test says what must hold here instead. This file has
// those about time: old instants, rates, drift and overflow.

// rates are the limiters with a rate and a burst, under one constructor.
func rates(r limiter.Rate, burst int64) map[string]limiter.Limiter {
	return map[string]limiter.Limiter{
		"token bucket": tokenBucket(r, burst), "policer": policer(r, burst), "queue": queue(r, burst-1), "gcra": gcra(r, burst),
		"serial gcra": serialGCRA(r, burst), "locked": limiter.NewLocked(tokenBucket(r, burst), nil), "keyed": keyed(r, burst, 100),
	}
}

// windows are the limiters with a window.
func windows(limit, window int64) map[string]limiter.Limiter {
	return map[string]limiter.Limiter{
		"fixed": fixed(limit, window), "two counters": twoCounter(limit, window), "log": slidingLog(limit, window),
		"buckets": bucketed(limit, window, 10, 0),
	}
}

// TestTrap01OldInstantsMintNothing: the burst of 100 is taken, and then two instants 10 ms apart come in turn, at 1000 a second.
// What passes is the burst and 10 ms' worth; golang.org/x/time/rate lets 10000 of 10000 pass (golang/go#56287).
func TestTrap01OldInstantsMintNothing(t *testing.T) {
	for name, l := range rates(limiter.PerSecond(1000), 100) {
		passed := arrive(l, second, 100)
		for i := range int64(9900) {
			if l.TakeAt(second+10*ms*(i%2), 1).OK {
				passed++
			}
		}
		if passed != 110 {
			t.Errorf("%s: %d of 10000 passed, want 110", name, passed)
		}
	}
	for name, l := range windows(100, second) {
		passed := arrive(l, second-5*ms, 100)
		for i := range int64(9900) {
			// Across the edge of a window, so that an old instant could bring the old window back.
			if l.TakeAt(second-5*ms+10*ms*(i%2), 1).OK {
				passed++
			}
		}
		if most := map[string]int64{"fixed": 200}[name]; passed != max(100, most) {
			t.Errorf("%s: %d of 10000 passed, want %d", name, passed, max(100, most))
		}
	}
}

// TestTrap02ClockReadBeforeTheLock: 64 goroutines read a real clock, and only then ask. Not one unit above burst + rate·span may
// pass.
func TestTrap02ClockReadBeforeTheLock(t *testing.T) {
	const perSecond, burst = 50_000, 100
	r := limiter.PerSecond(perSecond)
	for name, l := range map[string]limiter.Limiter{
		"gcra":   gcra(r, burst),
		"locked": limiter.NewLocked(tokenBucket(r, burst), nil),
	} {
		start := time.Now()
		var passed, latest atomic.Int64
		var all sync.WaitGroup
		for range 64 {
			all.Go(func() {
				for range 2000 {
					now := int64(time.Since(start))
					if l.TakeAt(now, 1).OK {
						passed.Add(1)
					}
					for seen := latest.Load(); seen < now && !latest.CompareAndSwap(seen, now); seen = latest.Load() {
						continue
					}
				}
			})
		}
		all.Wait()
		if most := burst + latest.Load()*perSecond/second; passed.Load() > most {
			t.Errorf("%s: %d passed within %d ns, want at most %d", name, passed.Load(), latest.Load(), most)
		}
		if passed.Load() < burst {
			t.Errorf("%s: %d passed, want at least the burst of %d", name, passed.Load(), burst)
		}
	}
}

// TestTrap09RateZeroIsAnError, and not a panic or an unlimited limiter.
func TestTrap09RateZeroIsAnError(t *testing.T) {
	zero := limiter.PerSecond(0)
	_, token := limiter.NewTokenBucket(limiter.RateConfig{Rate: zero, Burst: 1})
	_, police := limiter.NewPolicer(limiter.RateConfig{Rate: zero, Burst: 1})
	_, que := limiter.NewQueue(limiter.QueueConfig{Rate: zero})
	_, atomic := limiter.NewGCRA(limiter.GCRAConfig{Rate: zero, Burst: 1})
	_, serial := limiter.NewSerialGCRA(limiter.GCRAConfig{Rate: zero, Burst: 1})
	for name, err := range map[string]error{"token bucket": token, "policer": police, "queue": que, "gcra": atomic, "serial gcra": serial} {
		fault, ok := err.(*limiter.RangeError)
		if !ok || fault.Field != "rate" || fault.Got != 0 || fault.Min != 1 {
			t.Errorf("%s: error %v, want one that says the rate begins at 1", name, err)
		}
	}
	_, err := limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.Rate{N: 1}, Burst: 1})
	if want := "period: 0 is outside 1..9223372036854775807 ns"; err == nil || err.Error() != want {
		t.Errorf("a period of 0: error %v, want %q", err, want)
	}
}

// TestTrap10MoreThanOneANanosecond: 3 billion a second are 3 a nanosecond. As whole nanoseconds a unit that would be 0, and
// unlimited.
func TestTrap10MoreThanOneANanosecond(t *testing.T) {
	for name, l := range rates(limiter.PerSecond(3_000_000_000), 5) {
		if got := arrive(l, 0, 20); got != 5 {
			t.Errorf("%s: %d of 20 passed at once, want the burst of 5", name, got)
		}
		for now := int64(1); now <= 1000; now++ {
			if got := arrive(l, now, 20); got != 3 {
				t.Errorf("%s: %d of 20 passed at %d ns, want 3", name, got, now)
				break
			}
		}
	}
}

// TestTrap11AnHourOfThreeHundred empties a limiter and then takes each unit at the first instant at which it may pass, for an hour:
// unit k of 300 a second passes at ⌈k·10^9/300⌉ and never drifts from it. A period of 3333333 ns runs fast by 1 in 10^7. The burst
// is 2, for a limiter that may only hold one unit must forget the fraction that whole nanoseconds leave.
func TestTrap11AnHourOfThreeHundred(t *testing.T) {
	const units = 300 * 3600
	for name, l := range map[string]limiter.Limiter{
		"token bucket": tokenBucket(limiter.PerSecond(300), 2), "policer": policer(limiter.PerSecond(300), 2),
		"queue": queue(limiter.PerSecond(300), 1), "gcra": gcra(limiter.PerSecond(300), 2),
	} {
		now := int64(0)
		l.TakeAt(now, 1)
		for k := int64(0); k <= units; k++ {
			if want := (k*second + 299) / 300; now != want {
				t.Errorf("%s: unit %d may pass at %d ns, want %d", name, k, now, want)
				break
			}
			if !l.TakeAt(now, 1).OK {
				t.Errorf("%s: unit %d denied at %d ns", name, k, now)
				break
			}
			now += l.TakeAt(now, 1).RetryAfter
		}
		if want := int64(3600*second + 3_333_334); now != want {
			t.Errorf("%s: after %d units the next may pass at %d ns, want %d", name, units, now, want)
		}
	}
}

// TestTrap12HugeBurst: a burst that the arithmetic cannot hold is an error when the limiter is made; the largest that it can hold
// works.
func TestTrap12HugeBurst(t *testing.T) {
	for name, try := range map[string]func(burst int64) (limiter.Limiter, error){
		"token bucket": func(burst int64) (limiter.Limiter, error) {
			l, err := limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(1), Burst: burst})
			return &l, err
		},
		"policer": func(burst int64) (limiter.Limiter, error) {
			l, err := limiter.NewPolicer(limiter.RateConfig{Rate: limiter.PerSecond(1), Burst: burst})
			return &l, err
		},
		"queue": func(burst int64) (limiter.Limiter, error) {
			l, err := limiter.NewQueue(limiter.QueueConfig{Rate: limiter.PerSecond(1), Depth: burst - 1})
			return &l, err
		},
		"gcra": func(burst int64) (limiter.Limiter, error) {
			return limiter.NewGCRA(limiter.GCRAConfig{Rate: limiter.PerSecond(1), Burst: burst})
		},
	} {
		_, err := try(1 << 34)
		fault, ok := err.(*limiter.RangeError)
		if !ok {
			t.Errorf("%s: a burst of 2^34 at 1 per second: error %v, want a RangeError", name, err)
			continue
		}
		most := fault.Max
		if name == "queue" {
			most++
		}
		if _, err := try(most + 1); err == nil {
			t.Errorf("%s: the error promises at most %d, but one more is accepted", name, most)
		}
		l, err := try(most)
		if err != nil {
			t.Errorf("%s: the error promises %d, but that is refused: %v", name, most, err)
			continue
		}
		d := l.TakeAt(0, most)
		if !d.OK || d.ResetAfter != most*second {
			t.Errorf("%s: a burst of %d: %+v, want it admitted and reset after as many seconds", name, most, d)
		}
		retry := most * second
		if name == "gcra" {
			retry = limiter.Never // 141 years are past its horizon
		}
		if d := l.TakeAt(0, most); d.OK || d.RetryAfter != retry {
			t.Errorf("%s: a second burst: %+v, want a retry after %d s", name, d, most)
		}
	}
}

// TestTrap13ClockSetBack: by an hour. A limiter with a clock of its own goes on at its rate; one that is told the time cannot know,
// gives nothing twice and says honestly how long it will be.
func TestTrap13ClockSetBack(t *testing.T) {
	const hour = 3600 * second
	clock := int64(2 * hour)
	l := limiter.NewLocked(tokenBucket(limiter.PerSecond(10), 5), func() int64 { return clock })
	take := func(n int) (passed int) {
		for range n {
			if l.Take(1).OK {
				passed++
			}
		}
		return passed
	}
	if got := take(10); got != 5 {
		t.Errorf("before the clock is set back %d pass, want 5", got)
	}
	clock -= hour
	if got := take(10); got != 0 {
		t.Errorf("when it is set back %d pass, want 0: nothing is given twice", got)
	}
	if d := l.Take(1); d.RetryAfter != 100*ms {
		t.Errorf("when it is set back: retry after %d ns, want one unit's 100 ms", d.RetryAfter)
	}
	for range 10 {
		clock += 100 * ms
		if got := take(10); got != 1 {
			t.Errorf("100 ms later %d pass, want 1", got)
		}
	}
	for name, l := range rates(limiter.PerSecond(10), 5) {
		arrive(l, 2*hour, 5)
		if d := l.TakeAt(hour, 1); d.OK || d.RetryAfter != hour+100*ms {
			t.Errorf("%s: an hour back: %+v, want a retry after an hour and 100 ms", name, d)
		}
	}
}

// TestTrap14IdleThenBurst: a pause, however long, lets exactly the burst pass, and a burst is never more than was asked for.
func TestTrap14IdleThenBurst(t *testing.T) {
	for _, burst := range []int64{1, 10} {
		for name, l := range rates(limiter.PerSecond(100), burst) {
			for day := range int64(3) {
				if got := arrive(l, day*86_400*second, 100); got != burst {
					t.Errorf("%s: %d of 100 passed at once on day %d, want the burst of %d", name, got, day, burst)
				}
			}
		}
	}
}

// TestTrap16FullRefillIsExact: 65,535 a second are all there after one second, and not one a nanosecond before that last one; a
// limiter for a new key has the limit of all.
func TestTrap16FullRefillIsExact(t *testing.T) {
	const n = 65_535
	for name, l := range rates(limiter.PerSecond(n), n) {
		if name == "gcra" || name == "serial gcra" {
			// Within a horizon that one int64 can serve exactly.
			l = must(limiter.NewGCRA(limiter.GCRAConfig{Rate: limiter.PerSecond(n), Burst: n, Horizon: 3600 * second}))
		}
		if !l.TakeAt(second, n).OK {
			t.Errorf("%s: the first burst is denied", name)
		}
		if got := l.TakeAt(2*second-1, 0).Remaining; got != n-1 {
			t.Errorf("%s: %d units a nanosecond before a second has gone by, want %d", name, got, n-1)
		}
		if d := l.TakeAt(2*second, n); !d.OK || d.Limit != n {
			t.Errorf("%s: %+v after a second, want all of %d", name, d, n)
		}
	}
}
