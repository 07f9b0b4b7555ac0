package hotkey_test

import (
	"fmt"

	"seedbed/chapters/hashing"
	"seedbed/chapters/hotkey"
)

// A proxy counts all keys that pass and keeps the names of the few on top. Halving each minute, it forgets yesterday's.
func Example() {
	s, err := hotkey.NewSpaceSaving(hotkey.SpaceSavingConfig{Keys: 100, Halve: 60 * second})
	if err != nil {
		fmt.Println(err)
		return
	}
	names := map[uint64]string{}
	for i := range 10_000 {
		key := fmt.Sprint("user:", i)
		if i%2 == 0 {
			key = "item:1001"
		}
		id := hashing.Sum64String(0, key)
		if s.AddAt(0, id) {
			names[id] = key // a server drops the others' names now and then
		}
	}
	for _, c := range s.TopAt(0, 1) {
		fmt.Printf("%s: %d to %d of 10,000 requests\n", names[c.ID], c.N-c.Over, c.N)
	}
	// Output: item:1001: 5000 to 5000 of 10,000 requests
}

// What the sketches cost and find: the top 20 of 50,000 keys, by Zipf's law.
func Example_compare() {
	stream := zipf(3, 1.05, 50_000, 400_000)
	_, want := exact(stream)
	all := detectors(0)
	for _, name := range []string{"window", "count-min", "space-saving", "heavy keeper", "lfu"} {
		d := all[name]
		for i, id := range stream {
			d.AddAt(int64(i), id)
		}
		fmt.Printf("%s: %d of 20 with %d KiB\n", name, recall(d.TopAt(400_000, 20), want[:20]), d.Size()>>10)
	}
	// Output:
	// window: 20 of 20 with 6402 KiB
	// count-min: 20 of 20 with 16 KiB
	// space-saving: 20 of 20 with 23 KiB
	// heavy keeper: 20 of 20 with 15 KiB
	// lfu: 19 of 20 with 4909 KiB
}

// 10,000 reads a second for one key, and shards that can take 3000 more each.
func ExampleCopiesFor() {
	c, err := hotkey.NewCopies(hotkey.Copies{N: hotkey.CopiesFor(10_000, 3000, 8), Shards: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	id := hashing.Sum64String(0, "item:1001")
	for i := range c.N {
		fmt.Println(hotkey.CopyName("item:1001", i), "on shard", (c.Shard(id, i)-c.Shard(id, 0)+8)%8, "after the first")
	}
	// Output:
	// item:1001:1 on shard 0 after the first
	// item:1001:2 on shard 1 after the first
	// item:1001:3 on shard 2 after the first
	// item:1001:4 on shard 3 after the first
}

// What is left to sell is split and not copied: a buyer asks one part, and others only when that has too little.
func ExampleStock() {
	s, err := hotkey.NewStock(5, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 6 {
		fmt.Println(s.Take(1, 1))
	}
	// Output:
	// true 1
	// true 1
	// true 2
	// true 2
	// true 2
	// false 2
}
