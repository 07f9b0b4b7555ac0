package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	golimiter "github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"
	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
	uber "go.uber.org/ratelimit"
	"golang.org/x/time/rate"

	"seedbed/chapters/limiter"
)

// Each limiter is set to 1000 a second with a burst of 100. With a clock passed in, requests come every 500 µs, so that half of
// them are refused.
const (
	perSecond = 1000
	burst     = 100
	step      = 500 * time.Microsecond
)

func newGCRA() *limiter.GCRA {
	return must(limiter.NewGCRA(limiter.GCRAConfig{Rate: limiter.PerSecond(perSecond), Burst: burst}))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var admitted int64 // so that no decision is optimised away

func limiters(w io.Writer, rounds int) {
	fmt.Fprintf(w, "\n## Limiters: 1000 a second, burst 100\n")
	gcraState := fmt.Sprintf("%d B", unsafe.Sizeof(limiter.GCRA{}))
	rateState := fmt.Sprintf("%d B", unsafe.Sizeof(rate.Limiter{}))
	table(w, rounds, "Clock passed in", []candidate{
		{"GCRA", injectedGCRA, gcraState},
		{"x/time/rate", injectedRate, rateState},
	}, bar{"x/time/rate", 0.2})
	now, sinceStart := clocks()
	fmt.Fprintf(w, "\nReading the clock alone takes %.0f ns by time.Now and %.0f ns by time.Since a fixed start on this machine.\n", now, sinceStart)
	table(w, rounds, "With the clock", []candidate{
		{"GCRA, time.Since a fixed start", clockedGCRA, gcraState},
		{"x/time/rate, time.Now", clockedRate, rateState},
		{"uber/ratelimit, its clock, never made to wait", clockedUber, "it blocks instead of refusing"},
	}, bar{"x/time/rate, time.Now", 0.5})
	table(w, rounds, "One limiter a key, 1000 keys, with the clock", []candidate{
		{"LockedKeyed of GCRA, time.Since", keyedOurs, "bounded: a key that is full again is dropped"},
		{"throttled, memstore", keyedThrottled, "least recently used keys dropped"},
		{"go-limiter, memorystore", keyedGoLimiter, "swept by time"},
	})
	staleClocks(w)
}

var (
	at    = time.Now()
	since time.Duration // so that no reading is optimised away
)

// clocks is what a reading takes, in ns: the medians of five in turn.
func clocks() (now, sinceStart float64) {
	var ns [2][]float64
	for range 5 {
		for i, bench := range []func(b *testing.B){
			func(b *testing.B) {
				for b.Loop() {
					at = time.Now()
				}
			},
			func(b *testing.B) {
				for start := time.Now(); b.Loop(); {
					since = time.Since(start)
				}
			},
		} {
			r := testing.Benchmark(bench)
			ns[i] = append(ns[i], float64(r.T.Nanoseconds())/float64(r.N))
		}
	}
	return median(ns[0]), median(ns[1])
}

func injectedGCRA(b *testing.B) {
	g, now := newGCRA(), int64(0)
	b.ReportAllocs()
	for b.Loop() {
		now += int64(step)
		if g.TakeAt(now, 1).OK {
			admitted++
		}
	}
}

func injectedRate(b *testing.B) {
	l, now := rate.NewLimiter(perSecond, burst), time.Now()
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(step)
		if l.AllowN(now, 1) {
			admitted++
		}
	}
}

func clockedGCRA(b *testing.B) {
	g, start := newGCRA(), time.Now()
	b.ReportAllocs()
	for b.Loop() {
		if g.TakeAt(int64(time.Since(start)), 1).OK {
			admitted++
		}
	}
}

func clockedRate(b *testing.B) {
	l := rate.NewLimiter(perSecond, burst)
	b.ReportAllocs()
	for b.Loop() {
		if l.Allow() {
			admitted++
		}
	}
}

func clockedUber(b *testing.B) {
	l := uber.New(1_000_000_000)
	b.ReportAllocs()
	for b.Loop() {
		l.Take()
	}
}

var keys = func() (k [1000]string) {
	for i := range k {
		k[i] = fmt.Sprintf("client-%d", i)
	}
	return k
}()

func keyedOurs(b *testing.B) {
	start := time.Now()
	one := must(limiter.NewSerialGCRA(limiter.GCRAConfig{Rate: limiter.PerSecond(perSecond), Burst: burst}))
	k := must(limiter.NewLockedKeyed[limiter.SerialGCRA](limiter.KeyedConfig[limiter.SerialGCRA]{New: one, MaxKeys: 2000}, func() int64 { return int64(time.Since(start)) }))
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if k.Take(keys[i%len(keys)], 1).OK {
			admitted++
		}
		i++
	}
}

func keyedThrottled(b *testing.B) {
	store := must(memstore.NewCtx(2000))
	l := must(throttled.NewGCRARateLimiterCtx(store, throttled.RateQuota{MaxRate: throttled.PerSec(perSecond), MaxBurst: burst - 1}))
	ctx, i := context.Background(), 0
	b.ReportAllocs()
	for b.Loop() {
		if limited, _, _ := l.RateLimitCtx(ctx, keys[i%len(keys)], 1); !limited {
			admitted++
		}
		i++
	}
}

func keyedGoLimiter(b *testing.B) {
	var store golimiter.Store = must(memorystore.New(&memorystore.Config{Tokens: perSecond, Interval: time.Second}))
	ctx, i := context.Background(), 0
	b.ReportAllocs()
	for b.Loop() {
		if _, _, _, ok, _ := store.Take(ctx, keys[i%len(keys)]); ok {
			admitted++
		}
		i++
	}
	_ = store.Close(ctx)
}

// staleClocks shows what a limiter lets pass when requests bear timestamps ten milliseconds apart in turn, as they do when each
// goroutine reads the clock before it gets the lock (golang/go#56287). 1000 a second and a burst of 100 make 110 in 10 ms.
func staleClocks(w io.Writer) {
	const n = 10_000
	start := time.Unix(1_000_000_000, 0)
	alternate := func(take func(at time.Duration) bool) (passed int) {
		for i := range n {
			at := time.Duration((i+1)%2) * 10 * time.Millisecond
			if i < burst {
				at = 0 // the burst is used up first
			}
			if take(at) {
				passed++
			}
		}
		return passed
	}
	g, r := newGCRA(), rate.NewLimiter(perSecond, burst)
	ours := alternate(func(at time.Duration) bool { return g.TakeAt(int64(at), 1).OK })
	theirs := alternate(func(at time.Duration) bool { return r.AllowN(start.Add(at), 1) })
	fmt.Fprintf(w, "\n### Stale timestamps: %d requests, the burst at 0, the others stamped 0 and 10 ms in turn\n\n| | admitted | right |\n|---|--:|--:|\n| GCRA | %d | 110 |\n| x/time/rate | %d | 110 |\n", n, ours, theirs)
	g, r = newGCRA(), rate.NewLimiter(perSecond, burst)
	oursToo := contended(func(at time.Duration) bool { return g.TakeAt(int64(at), 1).OK })
	theirsToo := contended(func(at time.Duration) bool { return r.AllowN(start.Add(at), 1) })
	fmt.Fprintf(w, "\nThe same from 64 goroutines, each with instants of the same 10 ms in no order: GCRA admits %d, x/time/rate %d; right is at most 110.\n", oursToo, theirsToo)
}

// contended counts what passes when 64 goroutines ask with instants of the same ten milliseconds in no order.
func contended(take func(time.Duration) bool) int64 {
	var passed atomic.Int64
	var wait sync.WaitGroup
	for worker := range 64 {
		wait.Go(func() {
			for i := range 10_000 / 64 {
				if take(time.Duration((worker*7919+i*104729)%10_001) * time.Microsecond) {
					passed.Add(1)
				}
			}
		})
	}
	wait.Wait()
	return passed.Load()
}
