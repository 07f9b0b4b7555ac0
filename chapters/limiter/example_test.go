package limiter_test

import (
	"fmt"
	"sync"
	"time"

	"seedbed/chapters/limiter"
)

// A server gives each process one GCRA per limit, a monotonic clock that starts at 0, and asks.
func Example() {
	start := time.Now()
	g, err := limiter.NewGCRA(limiter.GCRAConfig{Rate: limiter.PerSecond(50), Burst: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := int64(time.Since(start))
	if d := g.TakeAt(now, 1); d.OK {
		fmt.Println("served,", d.Remaining, "more would pass at once")
	}
	if d := g.TakeAt(now, 100); !d.OK {
		fmt.Println("denied, retry in", time.Duration(d.RetryAfter))
	}
	// Output:
	// served, 99 more would pass at once
	// denied, retry in 20ms
}

// 100 a second, and 100 requests come 1 ms before a second begins and 100 more 1 ms after.
func Example_edge() {
	cfg := limiter.WindowConfig{Limit: 100, Window: second}
	fixed := must(limiter.NewFixedWindow(cfg))
	two := must(limiter.NewTwoCounter(cfg))
	log := must(limiter.NewSlidingLog(cfg))
	buckets := must(limiter.NewBucketedWindow(limiter.BucketedConfig{Limit: 100, Window: second, Buckets: 100}))
	for _, c := range []struct {
		name string
		l    limiter.Serial
	}{{"fixed window", &fixed}, {"two counters", &two}, {"sliding log", &log}, {"101 buckets", &buckets}} {
		passed := arrive(c.l, 999*ms, 100) + arrive(c.l, 1001*ms, 100)
		fmt.Printf("%s: %d of 200 within 2 ms, %d bytes\n", c.name, passed, c.l.Size())
	}
	// Output:
	// fixed window: 200 of 200 within 2 ms, 16 bytes
	// two counters: 100 of 200 within 2 ms, 24 bytes
	// sliding log: 100 of 200 within 2 ms, 824 bytes
	// 101 buckets: 100 of 200 within 2 ms, 840 bytes
}

// The queue tells each request when its turn comes; the caller keeps it until then.
func ExampleQueue() {
	q := must(limiter.NewQueue(limiter.QueueConfig{Rate: limiter.PerSecond(10), Depth: 2}))
	for range 4 {
		d := q.TakeAt(0, 1)
		fmt.Println(d.OK, time.Duration(d.Delay), time.Duration(d.RetryAfter))
	}
	// Output:
	// true 0s 0s
	// true 100ms 0s
	// true 200ms 0s
	// false 0s 100ms
}

// A permit is held while a request runs. Releasing it twice frees nothing.
func ExamplePermits() {
	p := must(limiter.NewPermits(limiter.PermitsConfig{Limit: 1}))
	permit, d := p.Take()
	fmt.Println("first:", d.OK)
	_, d = p.Take()
	fmt.Println("second:", d.OK)
	fmt.Println("released:", p.Release(permit), "and again:", p.Release(permit), "refused so far:", p.Refused())
	// Output:
	// first: true
	// second: false
	// released: true and again: false refused so far: 1
}

// One user may do 2 at once, all together 3. The fourth request is denied by the limit for all, and takes nothing of the user's.
func ExampleTakeAll() {
	user := [2]limiter.TokenBucket{
		must(limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(1), Burst: 2})),
		must(limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(1), Burst: 2})),
	}
	all := must(limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(10), Burst: 3}))
	for _, who := range []int{0, 0, 0, 1, 1} {
		d := limiter.TakeAll(0, 1, &user[who], &all)
		fmt.Println("user", who, d.OK, time.Duration(d.RetryAfter))
	}
	fmt.Println("left of user 1:", user[1].TakeAt(0, 0).Remaining)
	// Output:
	// user 0 true 0s
	// user 0 true 0s
	// user 0 false 1s
	// user 1 true 0s
	// user 1 false 100ms
	// left of user 1: 1
}

// A rate and a number of requests in flight, both or neither.
func ExampleLayered_TakeWith() {
	cheap := must(limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(1000), Burst: 1000}))
	layers := limiter.NewLayered(&cheap)
	pool := must(limiter.NewPermits(limiter.PermitsConfig{Limit: 40}))
	served := 0
	for range 100 {
		if _, d := layers.TakeWith(0, 1, &pool); d.OK {
			served++
		}
	}
	fmt.Println(served, "served,", cheap.TakeAt(0, 0).Remaining, "tokens left")
	// Output: 40 served, 960 tokens left
}

// Each address has a limit of its own; at most 100,000 are remembered.
func ExampleNewKeyed() {
	fresh := must(limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(1), Burst: 2}))
	k, err := limiter.NewKeyed(limiter.KeyedConfig[limiter.TokenBucket]{New: fresh, MaxKeys: 100_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k.TakeAt("192.0.2.1", 0, 2).OK, k.TakeAt("192.0.2.1", 0, 1).OK, k.TakeAt("192.0.2.2", 0, 1).OK, k.Len())
	k.SweepAt(2 * second)
	fmt.Println(k.Len(), "keys once their buckets are full again")
	// Output:
	// true false true 2
	// 0 keys once their buckets are full again
}

// Any limiter can be shared between goroutines by a lock that reads the clock inside.
func ExampleLocked() {
	window := must(limiter.NewSlidingLog(limiter.WindowConfig{Limit: 100, Window: second}))
	start := time.Now()
	l := limiter.NewLocked(&window, func() int64 { return int64(time.Since(start)) / 1_000_000_000_000 })
	var mu sync.Mutex
	var passed int
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range 10 {
				if l.Take(1).OK {
					mu.Lock()
					passed++
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	fmt.Println(passed, "of 640 passed")
	// Output: 100 of 640 passed
}
