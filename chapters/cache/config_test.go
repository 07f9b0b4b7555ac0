package cache_test

import (
	"slices"
	"testing"

	"seedbed/chapters/cache"
)

// refused is an error that a constructor returned, and what it should say.
type refused struct {
	err  error
	want string
}

// say fails unless each error is one line that says what is wrong, where, and what would be right.
func say(t *testing.T, cases []refused) {
	t.Helper()
	for _, c := range cases {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}

func TestBadStores(t *testing.T) {
	plain := func(change func(*cache.Config[string])) error {
		cfg := cache.Config[string]{Capacity: 10}
		change(&cfg)
		_, err := cache.New[string, int](cfg)
		return err
	}
	locked := func(capacity, shards int) error {
		_, err := cache.NewLocked[string, int](cache.LockedConfig[string]{Cache: cache.Config[string]{Capacity: capacity}, Shards: shards}, nil)
		return err
	}
	bloom := func(keys, ppm int64) error {
		_, err := cache.NewBloom(cache.BloomConfig{Keys: keys, Error: ppm})
		return err
	}
	_, sketch := cache.NewSketch(0)
	_, floats := cache.New[float64, int](cache.Config[float64]{Capacity: 1})
	_, damaged := cache.ReadBloom(nil)
	say(t, []refused{
		{plain(func(c *cache.Config[string]) { c.Capacity = 0 }), "capacity: 0 is outside 1..16777216 entries"},
		{plain(func(c *cache.Config[string]) { c.Capacity = 1<<24 + 1 }), "capacity: 16777217 is outside 1..16777216 entries"},
		{plain(func(c *cache.Config[string]) { c.Policy = 4 }), "policy: 4 is outside 0..3"},
		{plain(func(c *cache.Config[string]) { c.Samples = 65 }), "samples: 65 is outside 1..64"},
		{plain(func(c *cache.Config[string]) { c.Window = -1 }), "window: -1 is outside 1..1000000 ppm"},
		{plain(func(c *cache.Config[string]) { c.Redis.Factor = -1 }), "log factor: -1 is outside 0..1000000"},
		{plain(func(c *cache.Config[string]) { c.Redis.Decay = 1_000_001 }), "decay: 1000001 is outside 0..1000000 units"},
		{plain(func(c *cache.Config[string]) { c.Redis.Unit = -60 }), "unit: -60 is outside 0..2305843009213693952 ns"},
		{floats, "hash: nil, and keys are neither strings nor integers; want a function that hashes them"},
		{locked(10, 16), "shards: 16 is outside 1..10"},
		{locked(10, -1), "shards: -1 is outside 1..10"},
		{locked(10, 6), "shards: 6 is outside 1..4096 powers of two"},
		{locked(0, 1), "capacity: 0 is outside 1..16777216 entries"},
		{bloom(0, 1), "keys: 0 is outside 1..1073741824"},
		{bloom(1, 500_001), "error: 500001 is outside 1..500000 ppm"},
		{damaged, "bloom: 0 bytes are no filter as it was written: cut off, changed, or something else"},
		{sketch, "capacity: 0 is outside 1..16777216 keys"},
	})
}

func TestBadGuards(t *testing.T) {
	through := func(change func(*cache.ReadThroughConfig[string])) error {
		cfg := cache.ReadThroughConfig[string]{Cache: cache.Config[string]{Capacity: 10}, TTL: 100, Timeout: 1}
		change(&cfg)
		_, err := cache.NewReadThrough[string, int](cfg)
		return err
	}
	two := func(change func(*cache.TwoLevelConfig[string])) error {
		cfg := cache.TwoLevelConfig[string]{RemoteTTL: 1}
		cfg.Local = cache.ReadThroughConfig[string]{Cache: cache.Config[string]{Capacity: 10}, TTL: 100, Timeout: 1}
		change(&cfg)
		_, err := cache.NewTwoLevel[string, int](cfg)
		return err
	}
	flights := func(timeout int64, most int) error {
		_, err := cache.NewFlights(cache.FlightsConfig[string]{Timeout: timeout, Most: most})
		return err
	}
	write := func(cfg cache.WriteConfig) error {
		_, err := cache.NewWrite(cfg)
		return err
	}
	changes := func(retry int64, most int) error {
		_, err := cache.NewChanges[string](cache.ChangesConfig{Retry: retry, Most: most})
		return err
	}
	versions := func(keys int) error {
		_, err := cache.NewVersions(cache.VersionsConfig[string]{Keys: keys})
		return err
	}
	_, noHash := cache.NewVersions(cache.VersionsConfig[[2]int]{Keys: 1})
	say(t, []refused{
		{noHash, "hash: nil, and keys are neither strings nor integers; want a function that hashes them"},
		{through(func(c *cache.ReadThroughConfig[string]) { c.TTL = 0 }), "ttl: 0 is outside 1..2305843009213693952 ns"},
		{through(func(c *cache.ReadThroughConfig[string]) { c.Jitter = 1_000_001 }), "jitter: 1000001 is outside 0..1000000 ppm"},
		{through(func(c *cache.ReadThroughConfig[string]) { c.Stale = -1 }), "stale: -1 is outside 0..2305843009213693952 ns"},
		{through(func(c *cache.ReadThroughConfig[string]) { c.Ahead = 101 }), "ahead: 101 is outside 0..100 ns"},
		{through(func(c *cache.ReadThroughConfig[string]) { c.Beta = -1 }), "beta: -1 is outside 0..100000000 ppm"},
		{through(func(c *cache.ReadThroughConfig[string]) { c.Negative = -1 }), "negative: -1 is outside 0..2305843009213693952 ns"},
		{through(func(c *cache.ReadThroughConfig[string]) { c.Retry = -1 }), "retry: -1 is outside 0..2305843009213693952 ns"},
		{through(func(c *cache.ReadThroughConfig[string]) { c.Timeout = 0 }), "timeout: 0 is outside 1..2305843009213693952 ns"},
		{through(func(c *cache.ReadThroughConfig[string]) { c.Loads = -1 }), "flights: -1 is outside 1..1048576"},
		{through(func(c *cache.ReadThroughConfig[string]) { c.Cache.Capacity = -1 }), "capacity: -1 is outside 1..16777216 entries"},
		{two(func(c *cache.TwoLevelConfig[string]) { c.Local.TTL = 0 }), "ttl: 0 is outside 1..2305843009213693952 ns"},
		{two(func(c *cache.TwoLevelConfig[string]) { c.RemoteTTL = 0 }), "remote ttl: 0 is outside 1..2305843009213693952 ns"},
		{two(func(c *cache.TwoLevelConfig[string]) { c.RemoteNegative = -1 }), "remote negative: -1 is outside 0..2305843009213693952 ns"},
		{two(func(c *cache.TwoLevelConfig[string]) { c.RemoteJitter = -1 }), "remote jitter: -1 is outside 0..1000000 ppm"},
		{flights(0, 1), "timeout: 0 is outside 1..2305843009213693952 ns"},
		{flights(1, 1<<20+1), "flights: 1048577 is outside 1..1048576"},
		{write(cache.WriteConfig{Strategy: 7}), "strategy: 7 is outside 0..6"},
		{write(cache.WriteConfig{Delay: -1}), "delay: -1 is outside 0..2305843009213693952 ns"},
		{write(cache.WriteConfig{Tries: 1001}), "tries: 1001 is outside 1..1000"},
		{write(cache.WriteConfig{Retry: -1}), "retry: -1 is outside 0..2305843009213693952 ns"},
		{changes(0, 1), "retry: 0 is outside 1..2305843009213693952 ns"},
		{changes(1, 0), "changes: 0 is outside 1..1048576"},
		{versions(0), "keys: 0 is outside 1..16777216"},
	})
}

// TestZeroCache holds nothing, finds nothing and breaks nothing.
func TestZeroCache(t *testing.T) {
	var c cache.Cache[string, int]
	c.SetAt(0, "k", 1, 0)
	if _, ok := c.GetAt(0, "k"); ok || c.Delete("k") || c.Len() != 0 || c.Capacity() != 0 || c.Size() != 0 || c.SweepAt(0, 10) != 0 || len(c.Keys(nil)) != 0 {
		t.Error("the zero cache did something")
	}
	if _, _, ok := c.PeekAt(0, "k"); ok {
		t.Error("the zero cache holds something")
	}
	d := c.Clone()
	if d.Len() != 0 {
		t.Error("its clone holds something")
	}
	var s cache.Sketch
	if s.Add(1); s.Estimate(1) != 0 {
		t.Error("the zero sketch counts")
	}
	var changes cache.Changes[string]
	if changes.Append(1, "k") {
		t.Error("zero Changes takes one")
	}
}

// point is a key of a type of one's own.
type point struct{ x, y int32 }

// keyed tries a type of key.
func keyed[K comparable](t *testing.T, hash cache.Hash[K], key func(i int) K) {
	t.Helper()
	c := must(cache.New[K, int](cache.Config[K]{Capacity: 2000, Hash: hash, Seed: 3}))
	for i := range 2000 {
		c.SetAt(0, key(i), i, 0)
	}
	for i := range 2000 {
		if v, ok := c.GetAt(0, key(i)); !ok || v != i {
			t.Fatalf("%T: key %v has %d, %t; want %d", key(i), key(i), v, ok, i)
		}
	}
	if n := len(c.Keys(nil)); n != 2000 {
		t.Errorf("%T: %d keys listed, want 2000", key(0), n)
	}
}

func TestKeysOfEachType(t *testing.T) {
	keyed(t, nil, func(i int) string { return string(rune('0' + i)) })
	keyed(t, nil, func(i int) int { return -i })
	keyed(t, nil, func(i int) int64 { return int64(i) << 40 })
	keyed(t, nil, func(i int) uint64 { return uint64(i) })
	keyed(t, nil, func(i int) uint32 { return uint32(i) })
	keyed(t, nil, func(i int) int32 { return int32(-i) })
	// A hash that is as bad as can be makes it slow, and nothing else.
	keyed(t, func(uint64, point) uint64 { return 7 }, func(i int) point { return point{int32(i), int32(-i)} })
}

// TestLockedGoesByItsClock, and its shards hold no more than Capacity together.
func TestLockedGoesByItsClock(t *testing.T) {
	now := int64(0)
	cfg := cache.LockedConfig[int]{Cache: cache.Config[int]{Capacity: 100}, Shards: 16}
	l := must(cache.NewLocked[int, int](cfg, func() int64 { return now }))
	for i := range 5000 {
		l.Set(i, i, 10)
	}
	if n := l.Len(); n != 100 {
		t.Errorf("%d entries, want all shards full: 100", n)
	}
	if v, ok := l.Get(4999); !ok || v != 4999 {
		t.Errorf("the last key has %d, %t", v, ok)
	}
	now = 10
	if _, ok := l.Get(4999); ok {
		t.Error("the last key is there at its end")
	}
	if freed := l.SweepAt(now, 100); freed != 99 || l.Len() != 0 {
		t.Errorf("a sweep freed %d and left %d, want 99 and none", freed, l.Len())
	}
	one := must(cache.NewLocked[int, int](cache.LockedConfig[int]{Cache: cache.Config[int]{Capacity: 1}}, nil))
	one.SetAt(0, 1, 1, 0)
	if out, did := one.SetAt(0, 2, 2, 0); !did || out != 1 {
		t.Errorf("in one shard %d, %t left, want 1", out, did)
	}
	l.Set(1, 1, 0)
	if !l.Delete(1) || l.Delete(1) {
		t.Error("to delete twice must find something once")
	}
}

// TestClonesGoTheirOwnWays, and alike as long as they are treated alike.
func TestClonesGoTheirOwnWays(t *testing.T) {
	requests := zipf(20_000, 100_000, 6)
	for _, policy := range all {
		a := must(cache.New[uint64, int](cache.Config[uint64]{Capacity: 200, Policy: policy}))
		play := func(c *cache.Cache[uint64, int], from int) (left []uint64) {
			for i, key := range requests[from : from+10_000] {
				if _, ok := c.GetAt(int64(i), key); !ok {
					if out, did := c.SetAt(int64(i), key, i, 0); did {
						left = append(left, out)
					}
				}
			}
			return left
		}
		play(&a, 0)
		b := a.Clone()
		if policy != cache.LRU {
			key := a.Keys(nil)[0]
			before, _ := b.FrequencyAt(0, key)
			for range 300 {
				a.GetAt(0, key)
			}
			if after, ok := b.FrequencyAt(0, key); !ok || after != before {
				t.Errorf("%v: 300 uses of the original raised the copy's frequency from %d to %d", policy, before, after)
			}
			if n, _ := a.FrequencyAt(0, key); n <= before {
				t.Errorf("%v: 300 uses left the frequency at %d", policy, n)
			}
		}
		c := b.Clone()
		x, y := play(&b, 10_000), play(&c, 10_000)
		if len(x) < 1000 || !slices.Equal(x, y) {
			t.Errorf("%v: two copies that were treated alike let %d and %d leave, not alike", policy, len(x), len(y))
		}
		if _, ok := c.FrequencyAt(0, 1<<50); ok {
			t.Errorf("%v: a frequency of a key that is not there", policy)
		}
	}
}

// TestSweepInPortions comes round to each place, and passes over what is not over.
func TestSweepInPortions(t *testing.T) {
	c := must(cache.New[int, int](cache.Config[int]{Capacity: 100}))
	for i := range 100 {
		c.SetAt(0, i, i, int64(1+i%2*9))
	}
	for round := range 30 {
		c.SweepAt(5, 7)
		if round == 14 && c.Len() != 50 {
			t.Errorf("%d entries after one round and a little, want the 50 that last longer", c.Len())
		}
	}
	for i := range 100 {
		if _, _, ok := c.PeekAt(5, i); ok != (i%2 == 1) {
			t.Errorf("entry %d is there: %t", i, ok)
		}
	}
	if freed := c.SweepAt(10, -1); freed != 0 {
		t.Errorf("a sweep of less than nothing freed %d", freed)
	}
}

// TestSizes are in bytes, and follow what is held.
func TestSizes(t *testing.T) {
	b := must(cache.NewBloom(cache.BloomConfig{Keys: 1_000_000, Error: 10_000}))
	if n := b.Size(); n != 9_585_059/64*8+8+48 {
		t.Errorf("a filter of 9,585,059 bits has %d bytes", n)
	}
	s := must(cache.NewSketch(1000))
	if n := s.Size(); n != 8*1024+16 {
		t.Errorf("a sketch for 1000 keys has %d bytes", n)
	}
	v := must(cache.NewVersions(cache.VersionsConfig[int]{Keys: 1000}))
	f := must(cache.NewFlights(cache.FlightsConfig[int]{Timeout: 1}))
	for i := range 1000 {
		v.Admit(i, 1)
		f.BoardAt(0, i)
	}
	if n := v.Size(); n < 40_000 || n > 90_000 {
		t.Errorf("versions of 1000 keys have %d bytes", n)
	}
	if n := f.Size(); n < 48_000 || n > 100_000 {
		t.Errorf("1000 flights have %d bytes", n)
	}
}

// TestHitsAllocateNothing, nor does a full cache that turns over.
func TestHitsAllocateNothing(t *testing.T) {
	for _, policy := range all {
		c := must(cache.New[uint64, int](cache.Config[uint64]{Capacity: 1000, Policy: policy}))
		for i := range uint64(3000) {
			c.SetAt(0, i, 0, 0)
			c.GetAt(0, i/2)
		}
		key := uint64(0)
		if n := testing.AllocsPerRun(1000, func() {
			key++
			c.GetAt(0, key%2000)
			c.SetAt(0, 1<<30+key, 0, 0)
		}); n != 0 {
			t.Errorf("%v: %.1f allocations a hit and a turn, want none", policy, n)
		}
		// 32 bytes a slot, as many again at most to find it, a slack for growth, and for the sketch 8 to 16.
		if size := c.Size(); size < 48*1000 || size > 100*1000 {
			t.Errorf("%v: %d bytes for 1000 entries", policy, size)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		got  interface{ String() string }
		want string
	}{
		{cache.WTinyLFU, "W-TinyLFU"}, {cache.Policy(9), "9"}, {cache.Full, "full"}, {cache.Refused, "refused"},
		{cache.DoubleDelete, "double delete"}, {cache.SetVersion, "set version"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
