package cache_test

import (
	"fmt"
	"time"

	"seedbed/chapters/cache"
)

// A server gives each process one cache, a monotonic clock that starts at 0, and asks.
func Example() {
	start := time.Now()
	pages, err := cache.New[string, string](cache.Config[string]{Capacity: 10_000, Policy: cache.WTinyLFU})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := int64(time.Since(start))
	pages.SetAt(now, "/", "hello", int64(time.Minute))
	page, ok := pages.GetAt(now, "/")
	fmt.Println(page, ok)
	_, ok = pages.GetAt(now+int64(time.Minute), "/")
	fmt.Println("a minute later:", ok)
	// Output:
	// hello true
	// a minute later: false
}

// Room for two or three, and A B C A are used. Then D comes.
func ExamplePolicy() {
	for _, capacity := range []int{2, 3} {
		c := must(cache.New[string, int](cache.Config[string]{Capacity: capacity, Policy: cache.LRU}))
		fmt.Print("room for ", capacity, ":")
		for i, key := range []string{"A", "B", "C", "A", "D"} {
			if _, ok := c.GetAt(int64(i), key); ok {
				continue
			}
			if evicted, did := c.SetAt(int64(i), key, i, 0); did {
				fmt.Print(" ", key, " evicts ", evicted)
			}
		}
		fmt.Println()
	}
	// Output:
	// room for 2: C evicts A A evicts B D evicts C
	// room for 3: D evicts B
}

// One hot key expires, and 1000 callers ask at the same instant: one loads, the others are served what there is.
func ExampleReadThrough() {
	c, err := cache.NewReadThrough[string, int](cache.ReadThroughConfig[string]{
		Cache:   cache.Config[string]{Capacity: 100},
		TTL:     10 * second,
		Stale:   60 * second,
		Timeout: second,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ask := func(now int64) (loads, stale int) {
		for range 1000 {
			a := c.AskAt(now, "item:1", nil)
			if a.Load {
				loads++
				defer c.DoneAt(now+second/10, a.Flight, 42, nil)
			}
			if a.Stale {
				stale++
			}
		}
		return loads, stale
	}
	for _, now := range []int64{0, 5 * second, 11 * second} {
		loads, stale := ask(now)
		fmt.Println(loads, "loads,", stale, "served stale")
	}
	// Output:
	// 1 loads, 0 served stale
	// 0 loads, 0 served stale
	// 1 loads, 1000 served stale
}

// A value read before a write may not come back after it.
func ExampleFlights() {
	leases := must(cache.NewFlights(cache.FlightsConfig[string]{Timeout: 10 * second}))
	lease, boarding := leases.BoardAt(0, "user:7")
	fmt.Println(boarding, "and read the store")
	leases.Forget("user:7") // a writer deletes the key from the cache
	_, ok := leases.LandAt(second, lease)
	fmt.Println("may set what it read:", ok)
	// Output:
	// lead and read the store
	// may set what it read: false
}

// A million keys at one error in a hundred.
func ExampleBloom() {
	b, err := cache.NewBloom(cache.BloomConfig{Keys: 1_000_000, Error: 10_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(b.Bits(), "bits,", b.Hashes(), "hashes")
	b.Add("user:7")
	fmt.Println("user:7", b.Has("user:7"), "user:-1", b.Has("user:-1"))
	fmt.Println("when full", b.ErrorWith(1_000_000)/1000, "in a million pass, with twice as many", b.ErrorWith(2_000_000)/1000)
	// Output:
	// 9585059 bits, 7 hashes
	// user:7 true user:-1 false
	// when full 10039 in a million pass, with twice as many 157452
}

// What a writer does, step by step, when the cache does not answer at first.
func ExampleWrite() {
	w := must(cache.NewWrite(cache.WriteConfig{Strategy: cache.DoubleDelete, Delay: second, Tries: 2, Retry: second / 10}))
	answers := []bool{true, true, false, true}
	now := int64(0)
	for s := w.StepAt(now); s.Do != cache.Finished; s = w.StepAt(now) {
		now = s.At
		fmt.Println(time.Duration(now), s.Do, answers[0])
		w.DoneAt(now, answers[0])
		answers = answers[1:]
	}
	// Output:
	// 0s delete cache true
	// 0s write store true
	// 1s delete cache false
	// 1.1s delete cache true
}
