package cache_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"seedbed/chapters/cache"
	"seedbed/chapters/hashing"
)

const second = 1_000_000_000

// source is a Source for tests.
type source struct{ *rand.Rand }

func newSource(seed uint64) source { return source{rand.New(rand.NewPCG(seed, 7))} }

func (s source) Below(n int64) int64 { return s.Int64N(n) }

// TestTrap62SetThenGet: what was just set is there, in a full cache, under each policy, for keys that admission would rather not
// have.
func TestTrap62SetThenGet(t *testing.T) {
	for _, policy := range all {
		for _, capacity := range []int{1, 2, 10, 1000} {
			c := must(cache.New[uint64, int](cache.Config[uint64]{Capacity: capacity, Policy: policy}))
			missed := 0
			for round := range 20 { // these are hot
				for i := range capacity {
					c.SetAt(int64(round), uint64(i), 0, 0)
				}
			}
			for i := range 1000 { // and each of these comes once
				key := uint64(1_000_000 + i)
				c.SetAt(100, key, i, 0)
				if v, ok := c.GetAt(100, key); !ok || v != i {
					missed++
				}
			}
			if missed > 0 {
				t.Errorf("%v of %d: %d of 1000 keys not there right after they were set", policy, capacity, missed)
			}
			if policy == cache.WTinyLFU && capacity == 1000 {
				kept := 0
				for i := range capacity {
					if _, _, ok := c.PeekAt(100, uint64(i)); ok {
						kept++
					}
				}
				if kept < 980 {
					t.Errorf("the scan left %d of 1000 hot keys, want all but the window's", kept)
				}
			}
		}
	}
}

// TestTrap63TTL: negative, zero, and shorter than a second, and the jitter around each.
func TestTrap63TTL(t *testing.T) {
	c := must(cache.New[string, int](cache.Config[string]{Capacity: 4}))
	for _, e := range []struct {
		ttl   int64
		until int64 // exclusive; −1 not at all
	}{
		{-1, -1}, {-1 << 63, -1}, {1, 1}, {900_000_000, 900_000_000}, {2 * second, 2 * second}, {0, cache.Forever}, {cache.Forever, cache.Forever},
	} {
		const now = 5 * second
		c.SetAt(now, "k", 1, 0)
		c.SetAt(now, "k", 2, e.ttl)
		_, expires, ok := c.PeekAt(now, "k")
		if want := e.until >= 0; ok != want {
			t.Errorf("ttl %d: there %t, want %t", e.ttl, ok, want)
		}
		if ok && e.until < cache.Forever && expires != now+e.until || ok && e.until == cache.Forever && expires != cache.Forever {
			t.Errorf("ttl %d: expires at %d, want %d ns after %d", e.ttl, expires, e.until, int64(now))
		}
		c.Delete("k")
	}
	if _, _, ok := c.PeekAt(0, "k"); ok || c.Len() != 0 {
		t.Errorf("%d entries after all are gone", c.Len())
	}
}

// TestTrap63Jitter: within ttl·(1−j) .. ttl·(1+j), above 0 however short, both ends reached, and evenly.
func TestTrap63Jitter(t *testing.T) {
	r := newSource(1)
	for _, c := range []struct{ ttl, ppm, low, high int64 }{
		{-5, 500_000, -5, -5}, {0, 500_000, 0, 0}, {1, 0, 1, 1}, {1, 999_999, 1, 1}, {1, 1_000_000, 1, 2}, {2, 500_000, 1, 3},
		{2, 1_000_000, 1, 4}, {10, 200_000, 8, 12}, {10, -3, 10, 10}, {10, 2_000_000, 1, 20},
	} {
		seen := make(map[int64]int)
		for range 2000 {
			seen[cache.Jitter(c.ttl, c.ppm, r)]++
		}
		for d, n := range seen {
			if d < c.low || d > c.high || n < 2000/len(seen)/2 {
				t.Errorf("ttl %d, %d ppm: %d drawn %d of 2000 times, want each of %d..%d alike", c.ttl, c.ppm, d, n, c.low, c.high)
			}
		}
		if int64(len(seen)) != c.high-c.low+1 {
			t.Errorf("ttl %d, %d ppm: %d different values, want all of %d..%d", c.ttl, c.ppm, len(seen), c.low, c.high)
		}
	}
	for range 1000 {
		if d := cache.Jitter(cache.Forever, 1_000_000, r); d < 1 {
			t.Fatalf("the longest ttl with all jitter: %d ns, want it above 0", d)
		}
		if d := cache.Jitter(30*60*second, 166_667, r); d < 25*60*second-1000_000_000 || d > 35*60*second+1000_000_000 {
			t.Fatalf("30 min ± 5 min: %d ns", d)
		}
	}
}

// TestTrap65LogCounter: it begins at 5, saturates at 255, and decays by the periods that have passed, once, by subtraction.
func TestTrap65LogCounter(t *testing.T) {
	const minute = 60 * second
	g := cache.Logarithm{Factor: 0, Decay: 1}
	c := g.StartAt(0)
	if n := g.CountAt(0, c); n != cache.LogStart {
		t.Errorf("a new key stands at %d, want %d", n, cache.LogStart)
	}
	r := newSource(1)
	for range 1000 {
		c = g.UseAt(0, c, r)
	}
	if n := g.CountAt(0, c); n != cache.LogMost {
		t.Errorf("after 1000 uses with factor 0: %d, want it saturated at %d", n, cache.LogMost)
	}
	for _, e := range []struct {
		now  int64
		want uint8
	}{
		{0, 255}, {minute - 1, 255}, {minute, 254}, {100 * minute, 155}, {254 * minute, 1}, {255 * minute, 0}, {100_000 * minute, 0},
	} {
		for range 3 { // reading does not decay
			if n := g.CountAt(e.now, c); n != e.want {
				t.Errorf("idle for %d s: %d, want %d", e.now/second, n, e.want)
			}
		}
	}
	full := cache.Logarithm{Factor: 1_000_000, Decay: 3} // a use that adds nothing to a full or nearly full counter
	c = full.UseAt(100*minute, c, r)
	if n := full.CountAt(100*minute, c); n != 255-33 {
		t.Errorf("idle for 100 min with decay 3: %d, want 222", n)
	}
	if n := full.CountAt(101*minute, c); n != 222 {
		t.Errorf("a use begins the count of idle minutes anew: %d a minute later, want 222", n)
	}
	if n := (cache.Logarithm{}).CountAt(1<<62, c); n != 222 {
		t.Errorf("without decay: %d, want 222 for ever", n)
	}
}

// TestTrap65ClockOfCounters wraps, and is set back.
func TestTrap65ClockOfCounters(t *testing.T) {
	const minute, wrap = 60 * second, 1 << 24
	g := cache.Logarithm{Factor: 10, Decay: 1}
	for _, begin := range []int64{0, 17, wrap - 2, wrap, 5*wrap - 1, -1, -3 * wrap} {
		c := g.StartAt(begin*minute + 59*second)
		for idle, want := range []uint8{5, 4, 3, 2, 1, 0, 0} {
			for _, into := range []int64{0, 1, 59 * second, minute - 1} { // minutes are counted as the clock shows them
				if n := g.CountAt((begin+int64(idle))*minute+into, c); n != want {
					t.Errorf("begun in minute %d, idle for %d and %d ns: %d, want %d", begin, idle, into, n, want)
				}
			}
		}
		if n := g.CountAt((begin-3)*minute, c); n != 5 {
			t.Errorf("begun in minute %d, with the clock set back by 3: %d, want 5", begin, n)
		}
	}
}

// TestTrap65SketchHalves after a sample of ten times the capacity.
func TestTrap65SketchHalves(t *testing.T) {
	const capacity = 100
	s := must(cache.NewSketch(capacity))
	key, other := hashing.Mix64(1), hashing.Mix64(2)
	for range 9 {
		s.Add(key)
	}
	for range 10*capacity - 10 {
		s.Add(other)
	}
	if a, b := s.Estimate(key), s.Estimate(other); a != 9 || b != 15 {
		t.Fatalf("one use short of a sample: %d and %d, want 9 and 15, where counters end", a, b)
	}
	s.Add(other)
	if a, b := s.Estimate(key), s.Estimate(other); a != 4 || b != 7 {
		t.Errorf("after a sample: %d and %d, want 4 and 7", a, b)
	}
	for range 10 * capacity {
		s.Add(other)
	}
	if a := s.Estimate(key); a > 1 {
		t.Errorf("after two more halvings: %d, want the key all but forgotten", a)
	}
}

// TestTrap65ScansAreNotLRU: with one-hit scans, the hit ratio of W-TinyLFU stays above LRU's. The numbers are in ratios_test.go.
func TestTrap65ScansAreNotLRU(t *testing.T) {
	for _, scans := range []int64{0, 200_000, 500_000} {
		requests := zipf(100_000, scans, 3)
		lru, tiny := ratio(cache.LRU, 512, requests), ratio(cache.WTinyLFU, 512, requests)
		if tiny < lru+0.05 {
			t.Errorf("with %d ppm scans: W-TinyLFU %.3f, LRU %.3f; want it well above", scans, tiny, lru)
		}
	}
}

// TestTrap66BloomNeverDenies what was added: also after a union, a clone, and when it was written and read back; also when it is
// overfull.
func TestTrap66BloomNeverDenies(t *testing.T) {
	for _, n := range []int64{1, 100, 5000} {
		for _, ppm := range []int64{1, 10_000, 500_000} {
			cfg := cache.BloomConfig{Keys: n, Error: ppm, Seed: uint64(n)}
			a, b := must(cache.NewBloom(cfg)), must(cache.NewBloom(cfg))
			for i := range 3 * n {
				a.Add(fmt.Sprint("a", i))
				b.Add(fmt.Sprint("b", i))
			}
			c := a.Clone()
			if err := c.Union(&b); err != nil {
				t.Fatal(err)
			}
			bytes := c.AppendTo([]byte("before"))
			d, err := cache.ReadBloom(bytes[len("before"):])
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 * n {
				for name, f := range map[string]*cache.Bloom{"filter": &a, "union": &c, "copy": &d} {
					if !f.Has(fmt.Sprint("a", i)) || f != &a && !f.Has(fmt.Sprint("b", i)) {
						t.Fatalf("%d keys at %d ppm: the %s denies a key that was added", n, ppm, name)
					}
				}
			}
			if c.Error() != d.Error() || c.Added() != d.Added() || a.Error() > c.Error() {
				t.Errorf("errors %d, %d, %d of 10^9: the copy's must be the union's, and the union's no less than a part's", a.Error(), c.Error(), d.Error())
			}
		}
	}
}

// TestTrap66BloomTellsItsRealError, within its capacity and far beyond: as many absent keys pass as it says.
func TestTrap66BloomTellsItsRealError(t *testing.T) {
	const n, probes = 20_000, 200_000
	b := must(cache.NewBloom(cache.BloomConfig{Keys: n, Error: 10_000, Seed: 3}))
	for _, added := range []int64{n / 2, n, 2 * n, 4 * n} {
		for i := int64(0); i < added; i++ {
			b.AddHash(hashing.Mix64(uint64(i) + 1))
		}
		passed := int64(0)
		for i := range uint64(probes) {
			if b.HasHash(hashing.Mix64(1<<40 + i)) {
				passed++
			}
		}
		real, says, expected := float64(passed)/probes, float64(b.Error())/1e9, float64(b.ErrorWith(added))/1e9
		// Four standard deviations of a count of that size, and 3 % for what two hashes cannot do.
		slack := 4*real/math.Sqrt(float64(passed)+1) + 0.03*real + 1e-5
		if math.Abs(real-says) > slack || math.Abs(says-expected) > 0.05*expected {
			t.Errorf("%d keys: %.6f of absent keys pass, the filter says %.6f, the formula %.6f", added, real, says, expected)
		}
	}
}

// TestTrap66DamagedFilterIsRefused: a flipped bit could deny a key that was added.
func TestTrap66DamagedFilterIsRefused(t *testing.T) {
	b := must(cache.NewBloom(cache.BloomConfig{Keys: 10, Error: 10_000}))
	b.Add("k")
	bytes := b.AppendTo(nil)
	for i := range bytes {
		for bit := range 8 {
			bytes[i] ^= 1 << bit
			if _, err := cache.ReadBloom(bytes); err == nil {
				t.Fatalf("bit %d of byte %d flipped, and it was read", bit, i)
			}
			bytes[i] ^= 1 << bit
		}
	}
	for n := range len(bytes) {
		if _, err := cache.ReadBloom(bytes[:n]); err == nil {
			t.Fatalf("cut off after %d of %d bytes, and it was read", n, len(bytes))
		}
	}
	other := must(cache.NewBloom(cache.BloomConfig{Keys: 10, Error: 10_000, Seed: 1}))
	if err := other.Union(&b); err == nil || other.Has("k") {
		t.Errorf("a union with another seed: %v, want an error and nothing changed", err)
	}
}
