package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/Yiling-J/theine-go"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/maypok86/otter/v2"

	"seedbed/chapters/cache"
)

const (
	cacheRoom     = 10_000  // entries
	cacheRequests = 500_000 // of a trace
	cacheKeys     = 1 << 14 // of the benchmark of hits
)

// store is a cache as a trace uses it: get, and set on a miss.
type store struct {
	name string
	get  func(key uint64) bool
	set  func(key uint64)
	end  func()
}

func caches(w io.Writer, rounds int) {
	fmt.Fprintf(w, "\n## Caches: room for %d entries\n", cacheRoom)
	hitRatios(w)
	table(w, rounds, fmt.Sprintf("A hit, %d string keys in turn", cacheKeys), []candidate{
		{"Locked, W-TinyLFU, 16 shards", hitLocked, "for many goroutines"},
		{"otter", hitOtter, "for many goroutines"},
		{"theine-go", hitTheine, "for many goroutines"},
		{"golang-lru", hitGolangLRU, "for many goroutines; LRU"},
		{"Cache, W-TinyLFU", hitCache(cache.WTinyLFU), "for one goroutine"},
		{"Cache, LRU", hitCache(cache.LRU), "for one goroutine"},
	}, bar{"otter", 1})
	table(w, rounds, "The same by all cores at once", []candidate{
		{"Locked, W-TinyLFU, 64 shards", parallelLocked, "a hit takes the lock of its shard"},
		{"otter", parallelOtter, "a hit takes no lock"},
		{"theine-go", parallelTheine, ""},
		{"golang-lru", parallelGolangLRU, "one lock"},
	})
}

// traces are streams of requests: skewed ones, and the same with a scan of as many keys as there is room for, now and then, each key once.
func traces() (names []string, all [][]uint64) {
	for _, t := range []struct {
		name string
		skew float64
		scan bool
	}{{"Zipf 1.01", 1.01, false}, {"Zipf 1.2", 1.2, false}, {"Zipf 1.01 and scans", 1.01, true}} {
		z := rand.NewZipf(rand.New(rand.NewPCG(7, 2026)), t.skew, 1, 1<<20)
		trace, once := make([]uint64, 0, cacheRequests+cacheRoom), uint64(1)<<40
		for len(trace) < cacheRequests {
			trace = append(trace, z.Uint64())
			if t.scan && len(trace)%(5*cacheRoom) == 4*cacheRoom {
				for range cacheRoom {
					once++
					trace = append(trace, once)
				}
			}
		}
		names, all = append(names, t.name), append(all, trace)
	}
	return names, all
}

func hitRatios(w io.Writer) {
	names, all := traces()
	fmt.Fprintf(w, "\n### Hits in a hundred requests, traces of %d\n\n| |", cacheRequests)
	for _, name := range names {
		fmt.Fprintf(w, " %s |", name)
	}
	fmt.Fprint(w, "\n|---|")
	for range names {
		fmt.Fprint(w, "--:|")
	}
	hits := map[string][]int{}
	makers := []func() store{ownCache(cache.WTinyLFU), newOtter, newTheine, ownCache(cache.LRU), newGolangLRU}
	for _, make := range makers {
		row := ""
		for i, trace := range all {
			s := make()
			n := 0
			for _, key := range trace {
				if s.get(key) {
					n++
				} else {
					s.set(key)
				}
			}
			s.end()
			hits[s.name] = append(hits[s.name], n)
			if i == 0 {
				row = "\n| " + s.name + " |"
			}
			row += fmt.Sprintf(" %.2f |", 100*float64(n)/float64(len(trace)))
		}
		fmt.Fprint(w, row)
	}
	fmt.Fprintln(w)
	for i, name := range names {
		best := max(hits["otter"][i], hits["theine-go"][i])
		behind := 100 * float64(best-hits["Cache, W-TinyLFU"][i]) / float64(len(all[i]))
		verdict(w, name+": W-TinyLFU is behind the better of otter and theine-go by %.2f points (the bar is %.0f)", behind, 2)
	}
	apart := 0
	for i := range names {
		apart += max(hits["Cache, LRU"][i]-hits["golang-lru"][i], hits["golang-lru"][i]-hits["Cache, LRU"][i])
	}
	verdict(w, "LRU and golang-lru differ by %.0f hits in all traces together (the bar is %.0f)", float64(apart), 0)
}

func ownCache(policy cache.Policy) func() store {
	return func() store {
		c := must(cache.New[uint64, int](cache.Config[uint64]{Capacity: cacheRoom, Policy: policy}))
		name := "Cache, W-TinyLFU"
		if policy == cache.LRU {
			name = "Cache, LRU"
		}
		return store{name, func(key uint64) bool { _, ok := c.GetAt(0, key); return ok }, func(key uint64) { c.SetAt(0, key, 0, 0) }, func() {}}
	}
}

// newOtter does its upkeep at once instead of later in the background, so that the trace does not run ahead of it.
func newOtter() store {
	c := otter.Must(&otter.Options[uint64, int]{MaximumSize: cacheRoom, Executor: func(fn func()) { fn() }})
	return store{
		"otter", func(key uint64) bool { _, ok := c.GetIfPresent(key); return ok }, func(key uint64) { c.Set(key, 0) },
		func() { c.StopAllGoroutines() },
	}
}

// newTheine is waited for after each set, for the same reason.
func newTheine() store {
	c := must(theine.NewBuilder[uint64, int](cacheRoom).Build())
	return store{
		"theine-go", func(key uint64) bool { _, ok := c.Get(key); return ok }, func(key uint64) { c.Set(key, 0, 1); c.Wait() }, c.Close,
	}
}

func newGolangLRU() store {
	c := must(lru.New[uint64, int](cacheRoom))
	return store{"golang-lru", func(key uint64) bool { _, ok := c.Get(key); return ok }, func(key uint64) { c.Add(key, 0) }, func() {}}
}

var cacheNames = named("key-%d", cacheKeys)

// hitting asks for the keys in turn; all of them are there.
func hitting(b *testing.B, get func(key string) bool) {
	b.ReportAllocs()
	i, missed := 0, 0
	for b.Loop() {
		if !get(cacheNames[i&(cacheKeys-1)]) {
			missed++
		}
		i++
	}
	if missed > 0 {
		b.Fatalf("%d of %d missed", missed, i)
	}
}

// hittingAll does so from all cores.
func hittingAll(b *testing.B, get func(key string) bool) {
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for i := rand.IntN(cacheKeys); p.Next(); i++ {
			get(cacheNames[i&(cacheKeys-1)])
		}
	})
}

func lockedGet(shards int) func(key string) bool {
	c := must(cache.NewLocked[string, int](cache.LockedConfig[string]{
		Cache: cache.Config[string]{Capacity: 2 * cacheKeys, Policy: cache.WTinyLFU}, Shards: shards,
	}, nil))
	for i, key := range cacheNames {
		c.SetAt(0, key, i, 0)
	}
	return func(key string) bool { _, ok := c.GetAt(0, key); return ok }
}

func otterGet() func(key string) bool {
	c := otter.Must(&otter.Options[string, int]{MaximumSize: 2 * cacheKeys})
	for i, key := range cacheNames {
		c.Set(key, i)
	}
	return func(key string) bool { _, ok := c.GetIfPresent(key); return ok }
}

func theineGet() func(key string) bool {
	c := must(theine.NewBuilder[string, int](2 * cacheKeys).Build())
	for i, key := range cacheNames {
		c.Set(key, i, 1)
	}
	c.Wait()
	return func(key string) bool { _, ok := c.Get(key); return ok }
}

func golangLRUGet() func(key string) bool {
	c := must(lru.New[string, int](2 * cacheKeys))
	for i, key := range cacheNames {
		c.Add(key, i)
	}
	return func(key string) bool { _, ok := c.Get(key); return ok }
}

func hitLocked(b *testing.B)    { hitting(b, lockedGet(16)) }
func hitOtter(b *testing.B)     { hitting(b, otterGet()) }
func hitTheine(b *testing.B)    { hitting(b, theineGet()) }
func hitGolangLRU(b *testing.B) { hitting(b, golangLRUGet()) }

func hitCache(policy cache.Policy) func(b *testing.B) {
	return func(b *testing.B) {
		c := must(cache.New[string, int](cache.Config[string]{Capacity: 2 * cacheKeys, Policy: policy}))
		for i, key := range cacheNames {
			c.SetAt(0, key, i, 0)
		}
		hitting(b, func(key string) bool { _, ok := c.GetAt(0, key); return ok })
	}
}

func parallelLocked(b *testing.B)    { hittingAll(b, lockedGet(64)) }
func parallelOtter(b *testing.B)     { hittingAll(b, otterGet()) }
func parallelTheine(b *testing.B)    { hittingAll(b, theineGet()) }
func parallelGolangLRU(b *testing.B) { hittingAll(b, golangLRUGet()) }
