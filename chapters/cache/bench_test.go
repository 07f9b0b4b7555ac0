package cache_test

import (
	"fmt"
	"testing"

	"seedbed/chapters/cache"
)

// keys are 16,384 strings, as in the comparison with other libraries.
func keys() []string {
	out := make([]string, 1<<14)
	for i := range out {
		out[i] = fmt.Sprint("key-", i)
	}
	return out
}

// BenchmarkGet: hits only, one after the other.
func BenchmarkGet(b *testing.B) {
	for _, policy := range all {
		b.Run(policy.String(), func(b *testing.B) {
			names := keys()
			c := must(cache.New[string, int](cache.Config[string]{Capacity: len(names), Policy: policy}))
			for i, key := range names {
				c.SetAt(0, key, i, 0)
			}
			b.ReportAllocs()
			i, missed := 0, 0
			for b.Loop() {
				if _, ok := c.GetAt(int64(i), names[i&(1<<14-1)]); !ok {
					missed++
				}
				i++
			}
			if missed > 0 {
				b.Errorf("%d missed", missed)
			}
		})
	}
	b.Run("locked", func(b *testing.B) {
		names := keys()
		c := must(cache.NewLocked[string, int](cache.LockedConfig[string]{Cache: cache.Config[string]{Capacity: len(names) * 2, Policy: cache.WTinyLFU}, Shards: 16}, nil))
		for i, key := range names {
			c.SetAt(0, key, i, 0)
		}
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			c.GetAt(int64(i), names[i&(1<<14-1)])
			i++
		}
	})
}

// BenchmarkTurn: each request is a miss, and somebody leaves.
func BenchmarkTurn(b *testing.B) {
	for _, policy := range all {
		b.Run(policy.String(), func(b *testing.B) {
			c := must(cache.New[uint64, int](cache.Config[uint64]{Capacity: 1 << 14, Policy: policy}))
			b.ReportAllocs()
			key := uint64(0)
			for b.Loop() {
				key++
				c.GetAt(0, key)
				c.SetAt(0, key, 0, 0)
			}
		})
	}
}

// BenchmarkAsk: a fresh value found, through the machine with XFetch.
func BenchmarkAsk(b *testing.B) {
	c := must(cache.NewReadThrough[uint64, int](cache.ReadThroughConfig[uint64]{
		Cache: cache.Config[uint64]{Capacity: 1 << 14}, TTL: 1000 * second, Beta: 1_000_000, Timeout: second,
	}))
	for i := range uint64(1 << 14) {
		c.PutAt(0, i, 1, nil)
	}
	b.ReportAllocs()
	i := uint64(0)
	for b.Loop() {
		if c.AskAt(0, i&(1<<14-1), nil).Verdict != cache.Found {
			b.Fatal("missed")
		}
		i++
	}
}

func BenchmarkBloom(b *testing.B) {
	f := must(cache.NewBloom(cache.BloomConfig{Keys: 1_000_000, Error: 10_000}))
	names := keys()
	for _, key := range names {
		f.Add(key)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if !f.Has(names[i&(1<<14-1)]) {
			b.Fatal("denied")
		}
		i++
	}
}
