package cache_test

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"

	"seedbed/chapters/cache"
)

// must unwraps a constructor whose configuration is right by construction.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// zipf is n draws of 65,536 keys by Zipf's law with the exponent 1.01, and scans parts in a million of keys that come once.
func zipf(n int, scans int64, seed uint64) []uint64 {
	r := rand.New(rand.NewPCG(seed, 1))
	z := rand.NewZipf(r, 1.01, 1, 1<<16-1)
	out := make([]uint64, n)
	once := uint64(1 << 32)
	for i := range out {
		if out[i] = z.Uint64(); r.Int64N(1_000_000) < scans {
			out[i] = once
			once++
		}
	}
	return out
}

// ratio is the share of requests that a cache serves which keeps each key that it lacked.
func ratio(policy cache.Policy, capacity int, requests []uint64) float64 {
	return ratioOf(cache.Config[uint64]{Capacity: capacity, Policy: policy, Seed: 1}, requests)
}

func ratioOf(cfg cache.Config[uint64], requests []uint64) float64 {
	c := must(cache.New[uint64, struct{}](cfg))
	hits := 0
	for i, key := range requests {
		now := int64(i) * 1_000_000 // a thousand a second, so that the counters of Redis decay
		if _, ok := c.GetAt(now, key); ok {
			hits++
		} else {
			c.SetAt(now, key, struct{}{}, 0)
		}
	}
	return float64(hits) / float64(len(requests))
}

// belady is the share that a cache serves which knows the future: it evicts what is needed last, or does not keep the newcomer.
func belady(capacity int, requests []uint64) float64 {
	next := make([]int, len(requests))
	last := make(map[uint64]int)
	for i := len(requests) - 1; i >= 0; i-- {
		next[i] = len(requests) + i // never: all different, so that entries are
		if j, ok := last[requests[i]]; ok {
			next[i] = j
		}
		last[requests[i]] = i
	}
	held := make(map[uint64]int, capacity) // when it is needed next
	var needs byNeed                       // entries that held does not confirm are old
	hits := 0
	for i, key := range requests {
		if _, ok := held[key]; ok {
			hits++
		}
		held[key] = next[i]
		heap.Push(&needs, need{key, next[i]})
		for len(held) > capacity {
			if e := heap.Pop(&needs).(need); held[e.key] == e.next {
				delete(held, e.key)
			}
		}
	}
	return float64(hits) / float64(len(requests))
}

type need struct {
	key  uint64
	next int
}

// byNeed is a heap with what is needed last on top.
type byNeed []need

func (h byNeed) Len() int           { return len(h) }
func (h byNeed) Less(i, j int) bool { return h[i].next > h[j].next }
func (h byNeed) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byNeed) Push(x any)        { *h = append(*h, x.(need)) }
func (h *byNeed) Pop() any {
	e := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return e
}

// TestHitRatios on the reference stream. LRU is exact, so its numbers are those of any exact LRU (golang-lru has .481 and .690).
// W-TinyLFU lands beside otter (.570, .746) and theine (.561, .745), and nobody above Belady (.644, .810).
func TestHitRatios(t *testing.T) {
	requests := zipf(500_000, 0, 1)
	for _, c := range []struct {
		policy   cache.Policy
		capacity int
		low      float64
		high     float64
	}{
		{cache.LRU, 512, .479, .483},
		{cache.LRU, 4096, .688, .692},
		{cache.LFU, 512, .555, .585},
		{cache.LFU, 4096, .725, .755},
		{cache.RedisLFU, 512, .550, .580},
		{cache.RedisLFU, 4096, .705, .735},
		{cache.WTinyLFU, 512, .570, .590},
		{cache.WTinyLFU, 4096, .740, .766},
	} {
		if got := ratio(c.policy, c.capacity, requests); got < c.low || got > c.high {
			t.Errorf("%v of %d: hit ratio %.4f, want %.3f to %.3f", c.policy, c.capacity, got, c.low, c.high)
		}
	}
	if got := belady(512, requests); got < .640 || got > .648 {
		t.Errorf("Belady of 512: hit ratio %.4f, want .644: then the stream is not the reference one", got)
	}
}

// TestHitRatiosWithScans: one request in five is for a key that comes once, scattered or in runs of 10,000. With such runs LRU has
// .383, otter .449, theine .459 and Belady .514.
func TestHitRatiosWithScans(t *testing.T) {
	calm := zipf(400_000, 0, 1)
	var runs []uint64
	for i := 0; i < len(calm); i += 40_000 {
		runs = append(runs, calm[i:i+40_000]...)
		for once := range uint64(10_000) {
			runs = append(runs, 1<<33+uint64(i)+once)
		}
	}
	for _, c := range []struct {
		name              string
		requests          []uint64
		lru, tiny, belady float64
	}{
		{"in runs", runs, .383, .459, .514},
		{"scattered", zipf(500_000, 200_000, 1), .358, .459, .514},
	} {
		lru, tiny, best := ratio(cache.LRU, 512, c.requests), ratio(cache.WTinyLFU, 512, c.requests), belady(512, c.requests)
		if math.Abs(lru-c.lru) > .002 || math.Abs(tiny-c.tiny) > .01 || math.Abs(best-c.belady) > .004 {
			t.Errorf("%s: LRU %.4f, W-TinyLFU %.4f, Belady %.4f; want %.3f, %.3f, %.3f", c.name, lru, tiny, best, c.lru, c.tiny, c.belady)
		}
	}
}

// TestAllWindowIsLRU: a W-TinyLFU whose window is all of it decides as LRU does.
func TestAllWindowIsLRU(t *testing.T) {
	requests := zipf(50_000, 100_000, 2)
	cfg := cache.Config[uint64]{Capacity: 300, Policy: cache.WTinyLFU, Window: 1_000_000}
	if got, want := ratioOf(cfg, requests), ratio(cache.LRU, 300, requests); got != want {
		t.Errorf("hit ratio %.5f, LRU has %.5f", got, want)
	}
}

// TestRedisOptions: more samples come nearer to exact LFU, and without decay the counters of yesterday keep today's keys out.
func TestRedisOptions(t *testing.T) {
	requests := zipf(100_000, 0, 4)
	few := ratioOf(cache.Config[uint64]{Capacity: 512, Policy: cache.RedisLFU, Samples: 1}, requests)
	many := ratioOf(cache.Config[uint64]{Capacity: 512, Policy: cache.RedisLFU, Samples: 64}, requests)
	if many < few {
		t.Errorf("hit ratio %.4f with 64 samples, %.4f with 1", many, few)
	}
	var days []uint64
	for i := range 400_000 {
		days = append(days, uint64(i/100_000)<<20|uint64(i%300)) // every 100 s all keys are others
	}
	still := ratioOf(cache.Config[uint64]{Capacity: 400, Policy: cache.RedisLFU, Redis: cache.Logarithm{Factor: 1}}, days)
	fades := ratioOf(cache.Config[uint64]{Capacity: 400, Policy: cache.RedisLFU, Redis: cache.Logarithm{Factor: 1, Decay: 1, Unit: 100_000_000}}, days)
	if fades < .95 || still > .7 {
		t.Errorf("hit ratio %.3f with decay and %.3f without, want the past to matter only without", fades, still)
	}
}
