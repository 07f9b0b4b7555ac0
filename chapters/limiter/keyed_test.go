package limiter_test

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/hashing"
	"seedbed/chapters/limiter"
)

type keyedBuckets = limiter.Keyed[limiter.TokenBucket, *limiter.TokenBucket]

func newKeyed(r limiter.Rate, burst int64, keys int, seed uint64) keyedBuckets {
	fresh := must(limiter.NewTokenBucket(limiter.RateConfig{Rate: r, Burst: burst}))
	return must(limiter.NewKeyed(limiter.KeyedConfig[limiter.TokenBucket]{New: fresh, MaxKeys: keys, Seed: seed}))
}

// TestKeyedIsAMapOfLimiters: with room for all, a Keyed decides as one limiter a key that is never dropped, all on one clock.
func TestKeyedIsAMapOfLimiters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := limiter.Rate{N: rapid.Int64Range(1, 9).Draw(t, "N"), Per: rapid.Int64Range(1, 25).Draw(t, "Per")}
		burst := rapid.Int64Range(1, 5).Draw(t, "burst")
		k := newKeyed(r, burst, 100, rapid.Uint64().Draw(t, "seed"))
		twins := map[string]limiter.Limiter{}
		now, latest := int64(0), int64(0)
		for i := range rapid.IntRange(1, 200).Draw(t, "calls") {
			now += rapid.Int64Range(0, 4).Draw(t, "step")
			at := max(0, now-max(0, rapid.Int64Range(-6, 6).Draw(t, "behind")))
			latest = max(latest, at)
			key := strconv.Itoa(rapid.IntRange(0, 60).Draw(t, "key"))
			n := rapid.Int64Range(-1, burst+1).Draw(t, "n")
			if twins[key] == nil {
				twins[key] = tokenBucket(r, burst)
			}
			twins[key].TakeAt(latest, 0)
			got, want := k.TakeAt(key, at, n), twins[key].TakeAt(at, n)
			if got != want {
				t.Fatalf("call %d: key %s at %d, n %d: %+v, a limiter of its own %+v", i, key, at, n, got, want)
			}
			if rapid.IntRange(0, 50).Draw(t, "sweep") == 0 {
				k.SweepAt(at)
			}
			if k.Len() > 61 {
				t.Fatalf("%d keys kept of 61", k.Len())
			}
		}
		if k.Crowded() != 0 {
			t.Fatalf("%d requests crowded with room for all", k.Crowded())
		}
	})
}

// TestNoKeyEverGetsTooMuch, however little room there is and however keys come, go and share: each key's own admissions stay within
// its burst and rate.
func TestNoKeyEverGetsTooMuch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := limiter.Rate{N: rapid.Int64Range(1, 9).Draw(t, "N"), Per: rapid.Int64Range(1, 25).Draw(t, "Per")}
		burst := rapid.Int64Range(1, 5).Draw(t, "burst")
		k := newKeyed(r, burst, rapid.IntRange(1, 6).Draw(t, "keys"), 0)
		admitted := map[uint64][]admission{}
		now, latest := int64(0), int64(0)
		for range rapid.IntRange(1, 200).Draw(t, "calls") {
			now += rapid.Int64Range(0, 6).Draw(t, "step")
			at := max(0, now-max(0, rapid.Int64Range(-6, 20).Draw(t, "behind")))
			latest = max(latest, at)
			id := rapid.Uint64Range(0, 12).Draw(t, "key")
			n := rapid.Int64Range(1, burst).Draw(t, "n")
			if !k.TakeIDAt(id, at, n).OK {
				continue
			}
			mine := append(admitted[id], admission{latest, n})
			admitted[id] = mine
			sum := int64(0)
			for i := len(mine) - 1; i >= 0; i-- {
				sum += mine[i].n
				if (sum-burst)*r.Per > r.N*(latest-mine[i].at) {
					t.Fatalf("key %d got %d within %d ns, at most %d + %d/%d·t", id, sum, latest-mine[i].at, burst, r.N, r.Per)
				}
			}
		}
	})
}

// TestTheCrowdGoesOn: with more busy keys than room the others share one limiter, are not locked out, and get their own as soon as
// there is room.
func TestTheCrowdGoesOn(t *testing.T) {
	k := newKeyed(limiter.PerSecond(10), 5, 3, 0)
	for id := range uint64(3) {
		k.TakeIDAt(id, 0, 5)
	}
	if d := k.TakeIDAt(3, 0, 5); !d.OK || k.Crowded() != 1 {
		t.Errorf("the first key without room: %+v and %d crowded, want it served by the crowd's limiter", d, k.Crowded())
	}
	if d := k.TakeIDAt(4, 0, 1); d.OK || d.RetryAfter != 100*ms {
		t.Errorf("the second: %+v, want it to share what the first has used", d)
	}
	if d := k.TakeIDAt(4, 500*ms, 5); !d.OK || k.Crowded() != 2 || k.Len() > 3 {
		t.Errorf("when the others are full again: %+v, %d crowded, %d kept, want it to have a limiter of its own", d, k.Crowded(), k.Len())
	}
}

// TestRoomIsFoundWhereverItIs: the only other key is full again, in whatever slot it lies.
func TestRoomIsFoundWhereverItIs(t *testing.T) {
	for seed := range uint64(50) {
		k := newKeyed(limiter.PerSecond(10), 5, 1, seed)
		k.TakeAt("a", 0, 1)
		if d := k.TakeAt("b", second, 5); !d.OK || k.Crowded() != 0 || k.Len() != 1 {
			t.Errorf("seed %d: %+v, %d crowded and %d keys kept, want b in the place of a", seed, d, k.Crowded(), k.Len())
		}
	}
}

// TestAPeekKeepsNothing of a key that has taken nothing, and neither does a request that is refused.
func TestAPeekKeepsNothing(t *testing.T) {
	k := newKeyed(limiter.PerSecond(10), 5, 10, 0)
	for _, n := range []int64{0, -1} {
		if d := k.TakeAt("a", 0, n); d.OK != (n == 0) || d.Remaining != 5 || k.Len() != 0 {
			t.Errorf("n = %d: %+v and %d keys kept, want all of 5 left and none kept", n, d, k.Len())
		}
	}
}

// TestChosenKeysStayInOnePlace: keys made to collide, by somebody who knows the seed, end up sharing one limiter; other keys do not
// notice, and the table does not grow for them.
func TestChosenKeysStayInOnePlace(t *testing.T) {
	const wanted = 300
	k := newKeyed(limiter.PerSecond(1), 1, 100_000, 0)
	var chosen []uint64
	for id := uint64(0); len(chosen) < wanted; id++ {
		if hashing.Mix64(id)&0xffff == 0xabc {
			chosen = append(chosen, id)
		}
	}
	for _, id := range chosen {
		k.TakeIDAt(id, 0, 1)
	}
	if k.Len() > 130 || k.Crowded() < wanted-130 {
		t.Errorf("%d of %d chosen keys have a limiter of their own and %d were crowded", k.Len(), wanted, k.Crowded())
	}
	small := k.Size()
	before := k.Crowded()
	for _, c := range []struct {
		now int64
		ok  bool
	}{{0, false}, {second, true}} {
		for id := range 40 {
			d := k.TakeAt("honest "+strconv.Itoa(id), c.now, 1)
			if d.OK != c.ok || !c.ok && d.RetryAfter != second {
				t.Errorf("honest key %d at %d: %+v, want it to wait a second as the crowd does, and then to be served", id, c.now, d)
			}
		}
	}
	if got := k.Crowded() - before; got != 0 {
		t.Errorf("%d requests of honest keys were crowded, want none", got)
	}
	if got := k.Size(); got > 4*small {
		t.Errorf("the table grew from %d to %d bytes for 40 keys", small, got)
	}
}

// TestATableThatCannotGrowForgetsNothing. In a table of 512 slots the keys of home 384 fill its end, and those of home 448 wrap around
// to its beginning. A table twice as large would meet the wrapped ones first, and leave some of home 384 no place in reach. It stays
// small then, and every key in it is still limited.
func TestATableThatCannotGrowForgetsNothing(t *testing.T) {
	k := newKeyed(limiter.PerSecond(1), 1, 100_000, 0)
	var keys []uint64
	for _, group := range []struct {
		home uint64
		size int
	}{{384, 128}, {448, 64}, {200, 64}} {
		for id, found := uint64(0), 0; found < group.size; id++ {
			if hashing.Mix64(id)&1023 == group.home {
				found++
				keys = append(keys, id)
				k.TakeIDAt(id, 0, 1)
			}
		}
	}
	full, size := k.Len(), k.Size()
	if full != 256 || k.Crowded() != 0 {
		t.Fatalf("%d keys kept and %d crowded, want all 256 kept, so that the next one makes the table grow", full, k.Crowded())
	}
	next := uint64(0)
	for hashing.Mix64(next)&1023 != 300 {
		next++
	}
	if d := k.TakeIDAt(next, 0, 1); !d.OK || k.Len() != full+1 || k.Size() != size {
		t.Errorf("the next key: %+v, %d keys and %d bytes, want it kept in the same %d bytes", d, k.Len(), k.Size(), size)
	}
	for _, id := range keys {
		if d := k.TakeIDAt(id, 0, 1); d.OK {
			t.Fatalf("key %d got a second unit: the table has forgotten it", id)
		}
	}
}

func TestKeyedCopyIsIndependent(t *testing.T) {
	k := newKeyed(limiter.PerSecond(1), 2, 10, 0)
	k.TakeAt("a", 0, 1)
	c := k.Clone()
	k.TakeAt("a", 0, 1)
	k.TakeAt("b", 0, 1)
	if got := c.TakeAt("a", 0, 0).Remaining; got != 1 || c.Len() != 1 {
		t.Errorf("the copy has %d keys and %d units left of a, want 1 and 1", c.Len(), got)
	}
	if c.Size() != 16*(8+16)+16 {
		t.Errorf("%d bytes, want 16 slots of a hash and a bucket, and the crowd's bucket", c.Size())
	}
}

func TestKeyedLogsDoNotShareTheirRings(t *testing.T) {
	fresh := must(limiter.NewSlidingLog(limiter.WindowConfig{Limit: 3, Window: second}))
	k := must(limiter.NewKeyed(limiter.KeyedConfig[limiter.SlidingLog]{New: fresh, MaxKeys: 10}))
	for id := range uint64(5) {
		if d := k.TakeIDAt(id, int64(id), 2); !d.OK || d.Remaining != 1 {
			t.Errorf("key %d: %+v, want 1 of its own 3 left", id, d)
		}
	}
	if d := k.TakeIDAt(0, second, 3); !d.OK {
		t.Errorf("key 0 after its window: %+v", d)
	}
}

func BenchmarkKeyed(b *testing.B) {
	k := newKeyed(limiter.PerSecond(1000), 100, 100_000, 1)
	keys := make([]string, 16_384)
	for i := range keys {
		keys[i] = "user-" + strconv.Itoa(i)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		k.TakeAt(keys[i&(len(keys)-1)], int64(i)*1000, 1)
	}
}
