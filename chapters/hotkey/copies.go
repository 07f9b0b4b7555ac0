package hotkey

import "strconv"

// Copies says where the copies k:1 … k:N of a value lie. It holds no values.
//
// Names that are only hashed fall on shards by chance: 4 copies on 4 shards meet all four shards once in 4⁴/4! = 10.7 times, and the
// fullest shard has 2 or more of them otherwise. So the first lies where its hash says, and each further one on the next shard.
//
// A write must reach all N, and a reader of a copy that it has not reached sees the old value. Copies of a number that is counted down
// are N numbers: use Stock.
type Copies struct {
	N      int    // copies, 1..Shards
	Shards int    // 1..MaxKeys
	Seed   uint64 // of the hash
}

// NewCopies returns a *RangeError for a field out of range.
func NewCopies(c Copies) (Copies, error) {
	err := firstOf(
		within("shards", int64(c.Shards), 1, MaxKeys, ""),
		within("copies", int64(c.N), 1, int64(c.Shards), "shards"))
	if err != nil {
		return Copies{}, err
	}
	return c, nil
}

// CopiesFor is how many copies a key needs so that none gets more than a shard has to spare, at most the number of shards: ⌈rate/spare⌉.
// Rates are in requests a second, both 0 or more; with nothing to spare it is all shards.
func CopiesFor(rate, spare int64, shards int) int {
	if spare < 1 {
		return shards
	}
	n := rate / spare
	if rate%spare != 0 {
		n++
	}
	return int(min(max(n, 1), int64(shards)))
}

// Shard is where copy i of a key lies, i in 0..N−1: N different shards for N copies. The zero Copies has shard 0 only.
func (c Copies) Shard(id uint64, i int) int {
	if c.Shards < 1 {
		return 0
	}
	return (place(c.Seed, 0, id, c.Shards) + i%c.Shards) % c.Shards
}

// Pick is the copy that a reader asks: any number that differs by reader and request chooses one of N, evenly.
func (c Copies) Pick(random uint64) int { return place(c.Seed, 1, random, max(1, c.N)) }

// CopyName is the name of copy i, i from 0: k:1, k:2 …
func CopyName(key string, i int) string { return key + ":" + strconv.Itoa(i+1) }
