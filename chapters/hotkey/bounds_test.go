package hotkey_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/hotkey"
)

const second = 1_000_000_000

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// zipf is a stream of n requests for keys 1..keys, key k with a weight of 1/k^s.
func zipf(seed uint64, s float64, keys uint64, n int) []uint64 {
	z := rand.NewZipf(rand.New(rand.NewPCG(seed, 1)), s, 1, keys-1)
	out := make([]uint64, n)
	for i := range out {
		out[i] = z.Uint64() + 1
	}
	return out
}

// exact counts a stream, the highest first.
func exact(stream []uint64) (map[uint64]int64, []hotkey.Count) {
	counts := map[uint64]int64{}
	for _, id := range stream {
		counts[id]++
	}
	var list []hotkey.Count
	for id, n := range counts {
		list = append(list, hotkey.Count{ID: id, N: n})
	}
	slices.SortFunc(list, func(a, b hotkey.Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.ID, b.ID)) })
	return counts, list
}

// recall is how many of the true top k a detector has among its k.
func recall(got, want []hotkey.Count) int {
	n := 0
	for _, c := range got {
		if slices.ContainsFunc(want, func(w hotkey.Count) bool { return w.ID == c.ID }) {
			n++
		}
	}
	return n
}

func countMin(c hotkey.CountMinConfig) hotkey.CountMin { return must(hotkey.NewCountMin(c)) }
func spaceSaving(keys int, halve int64) hotkey.SpaceSaving {
	return must(hotkey.NewSpaceSaving(hotkey.SpaceSavingConfig{Keys: keys, Halve: halve}))
}
func heavyKeeper(c hotkey.HeavyKeeperConfig) hotkey.HeavyKeeper {
	return must(hotkey.NewHeavyKeeper(c))
}

// TestTrap66CountMinNeverUnder, by whatever stream, conservative or not; and above by more than ε of all requests for at most a share δ
// of the keys.
func TestTrap66CountMinNeverUnder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := countMin(hotkey.CountMinConfig{
			Width: rapid.IntRange(1, 8).Draw(t, "width"), Depth: rapid.IntRange(1, 4).Draw(t, "depth"), Top: 3,
			Conservative: rapid.Bool().Draw(t, "conservative"), Seed: rapid.Uint64().Draw(t, "seed"),
		})
		counts := map[uint64]int64{}
		for _, id := range rapid.SliceOf(rapid.Uint64Range(0, 20)).Draw(t, "stream") {
			counts[id]++
			c.AddAt(0, id)
			if got := c.CountAt(0, id); got < counts[id] {
				t.Fatalf("key %d: %d, asked for %d times", id, got, counts[id])
			}
		}
		for id, n := range counts {
			if got := c.CountAt(0, id); got < n {
				t.Fatalf("key %d: %d, asked for %d times", id, got, n)
			}
		}
	})
	const epsilon, delta = 1000, 10_000 // 0.1 percent of all, for 1 percent of the keys
	width, depth := hotkey.CountMinSize(epsilon, delta)
	for _, conservative := range []bool{false, true} {
		stream := zipf(1, 1.01, 60_000, 300_000)
		c := countMin(hotkey.CountMinConfig{Width: width, Depth: depth, Top: 1, Conservative: conservative, Seed: 5})
		for _, id := range stream {
			c.AddAt(0, id)
		}
		counts, _ := exact(stream)
		over, worst := 0, int64(0)
		for id, n := range counts {
			d := c.CountAt(0, id) - n
			worst = max(worst, d)
			if d > int64(len(stream))*epsilon/1_000_000 {
				over++
			}
		}
		t.Logf("conservative %v: %d of %d keys are over by more than 300, the worst by %d", conservative, over, len(counts), worst)
		if over > len(counts)*delta/1_000_000 {
			t.Errorf("conservative %v: %d of %d keys are over by more than ε, want at most 1 percent", conservative, over, len(counts))
		}
		if worst == 0 {
			t.Errorf("conservative %v: no error at all: this test looks at nothing", conservative)
		}
	}
}

// TestTrap66SpaceSavingBounds: N − Over ≤ true ≤ N, Over ≤ requests/m, and what more than requests/m were for is on the list; with halvings for
// the halved counts.
func TestTrap66SpaceSavingBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 12).Draw(t, "m")
		halve := rapid.SampledFrom([]int64{0, 10}).Draw(t, "halve")
		s := spaceSaving(m, halve)
		counts, all := map[uint64]float64{}, 0.0
		now, due := int64(0), int64(-1)
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			now += rapid.Int64Range(0, 3).Draw(t, "pause")
			if due < 0 {
				due = now + 10
			}
			for ; halve > 0 && now >= due; due += 10 {
				all /= 2
				for id := range counts {
					counts[id] /= 2
				}
			}
			id := rapid.Uint64Range(0, 30).Draw(t, "key")
			counts[id]++
			all++
			if !s.AddAt(now, id) {
				t.Fatal("the last key is not on the list")
			}
			slack := 0.0
			if halve > 0 {
				slack = 1
			}
			for id, n := range counts {
				c, ok := s.CountAt(now, id)
				switch {
				case !ok && n > all/float64(m)+slack:
					t.Fatalf("key %d has %v of %v and is not among %d", id, n, all, m)
				case ok && (float64(c.N) < n || float64(c.N-c.Over) > n):
					t.Fatalf("key %d: %d, over by at most %d, want %v within", id, c.N, c.Over, n)
				case ok && float64(c.Over) > all/float64(m)+2*slack:
					t.Fatalf("key %d: over by at most %d, want at most %v/%d", id, c.Over, all, m)
				}
			}
		}
	})
}

// TestTrap66HeavyKeeperNeverOver: no estimate is above the true count while no two keys share a fingerprint.
func TestTrap66HeavyKeeperNeverOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := heavyKeeper(hotkey.HeavyKeeperConfig{Width: rapid.IntRange(1, 8).Draw(t, "width"), Depth: rapid.IntRange(1, 3).Draw(t, "depth"),
			Top: rapid.IntRange(1, 5).Draw(t, "top"), Base: rapid.Int64Range(1001, 2000).Draw(t, "base"), Seed: rapid.Uint64().Draw(t, "seed")})
		counts := map[uint64]int64{}
		for _, id := range rapid.SliceOf(rapid.Uint64Range(0, 20)).Draw(t, "stream") {
			counts[id]++
			top := h.AddAt(0, id)
			if got := h.CountAt(0, id); got > counts[id] {
				t.Fatalf("key %d: %d, asked for %d times", id, got, counts[id])
			}
			list := h.TopAt(0, 5)
			if top != slices.ContainsFunc(list, func(c hotkey.Count) bool { return c.ID == id }) {
				t.Fatalf("key %d: on the list %v, but the list is %v", id, top, list)
			}
			for _, c := range list {
				if c.N > counts[c.ID] {
					t.Fatalf("key %d: %d on the list, asked for %d times", c.ID, c.N, counts[c.ID])
				}
			}
		}
	})
}

// detectors are the five, each with about 16 KiB but for Window and LFU, which have room for all keys.
func detectors(halve int64) map[string]hotkey.Detector {
	c := countMin(hotkey.CountMinConfig{Width: 460, Depth: 4, Top: 32, Halve: halve, Seed: 1})
	s := spaceSaving(300, halve)
	h := heavyKeeper(hotkey.HeavyKeeperConfig{Width: 900, Depth: 2, Top: 32, Base: 1080, Halve: halve, Seed: 1})
	w := must(hotkey.NewWindow(hotkey.WindowConfig{Window: 10 * second, Buckets: 10, MaxKeys: 100_000}))
	l := must(hotkey.NewLFU(hotkey.LFUConfig{Keys: 100_000, Factor: 10, Decay: 60 * second, Seed: 1}))
	return map[string]hotkey.Detector{"count-min": &c, "space-saving": &s, "heavy keeper": &h, "window": &w, "lfu": &l}
}

// TestTrap66RecallOnZipf: of the 20 keys that are asked for most, of 50,000 by Zipf's law, how many are found. Window is exact. LFU tells orders
// of magnitude apart, and its last places are drawn by lot.
func TestTrap66RecallOnZipf(t *testing.T) {
	stream := zipf(3, 1.05, 50_000, 400_000)
	_, want := exact(stream)
	for name, d := range detectors(0) {
		for i, id := range stream {
			d.AddAt(int64(i), id) // within a millisecond: nothing leaves
		}
		got := recall(d.TopAt(int64(len(stream)), 20), want[:20])
		t.Logf("%s: %d of 20, %d bytes", name, got, d.Size())
		least := map[string]int{"window": 20, "heavy keeper": 19, "space-saving": 18, "count-min": 18, "lfu": 12}[name]
		if got < least {
			t.Errorf("%s: %d of the top 20, want %d", name, got, least)
		}
	}
}

// TestTrap66OldHotKeyLeaves: a key that had 100,000 requests and now has none leaves the top, for those that have 1000 a second now, within
// so many halvings as it takes to get below them. Without halving it stays, in every sketch.
func TestTrap66OldHotKeyLeaves(t *testing.T) {
	const old = 999
	for name, halve := range map[string]int64{"for ever": 0, "halved each second": second} {
		for kind, d := range detectors(halve) {
			for range 100_000 {
				d.AddAt(0, old)
			}
			for i := range int64(12_000) {
				d.AddAt(second+i*ms, uint64(i%4))
			}
			top := d.TopAt(13*second, 4)
			stays := slices.ContainsFunc(top, func(c hotkey.Count) bool { return c.ID == old })
			want := halve == 0 && kind != "window" || kind == "lfu" // it takes LFU minutes
			if stays != want {
				t.Errorf("%s, %s: the old key is in the top %v, want %v: %v", kind, name, stays, want, top)
			}
		}
	}
	l := must(hotkey.NewLFU(hotkey.LFUConfig{Keys: 10, Factor: 10, Decay: 60 * second, Seed: 1}))
	for range 100_000 {
		l.AddAt(0, old)
	}
	hot, _ := l.FreqAt(0, old)
	later, _ := l.FreqAt(100*60*second, old)
	if hot-later != 100 {
		t.Errorf("after 100 idle minutes %d of %d are left, want 100 less", later, hot)
	}
}

// TestVectorCountMinSize: ⌈e/ε⌉ and ⌈ln 1/δ⌉, from the paper's theorem.
func TestVectorCountMinSize(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta int64
		width, depth   int
	}{
		{1000, 10_000, 2719, 5}, {10_000, 10_000, 272, 5}, {100, 1000, 27_183, 7}, {500_000, 500_000, 6, 1}, {0, 0, 2_718_282, 14},
	} {
		w, d := hotkey.CountMinSize(c.epsilon, c.delta)
		if w != c.width || d != c.depth {
			t.Errorf("ε %d, δ %d parts of a million: %d × %d, want %d × %d", c.epsilon, c.delta, w, d, c.width, c.depth)
		}
	}
}

// TestVectorLFU (redis.conf): with a factor of 10, so many hits bring the counter to so much; and from 5 to c it takes Σ (10k + 1), k = 0 …
// c−6, on average.
func TestVectorLFU(t *testing.T) {
	mean := func(hits int) float64 {
		sum := 0.0
		for seed := range uint64(30) {
			l := must(hotkey.NewLFU(hotkey.LFUConfig{Keys: 1, Factor: 10, Seed: seed}))
			for range hits + 1 { // the first makes the key
				l.AddAt(0, 1)
			}
			f, _ := l.FreqAt(0, 1)
			sum += float64(f)
		}
		return sum / 30
	}
	for hits, want := range map[int]float64{100: 10, 1000: 18, 100_000: 142} {
		if got := mean(hits); math.Abs(got-want) > 0.06*want+0.6 {
			t.Errorf("%d hits: %.1f, want about %v", hits, got, want)
		}
	}
	l := must(hotkey.NewLFU(hotkey.LFUConfig{Keys: 1, Factor: 0, Seed: 1}))
	for i := range 300 {
		l.AddAt(0, 1)
		if f, _ := l.FreqAt(0, 1); int(f) != min(5+i, 255) {
			t.Fatalf("factor 0, %d hits: %d, want %d", i, f, min(5+i, 255))
		}
	}
}

// TestLFUForgetsByTheClock: as Redis 7.0 was seen to, a key in use loses 1 at each turn of the minute with a decay of one minute, however
// short ago its last use was, and none with two as long as it is used in each.
func TestLFUForgetsByTheClock(t *testing.T) {
	const minute = 60 * second
	for _, c := range []struct {
		decay, unit, every int64
		want               uint8 // 5, and 1 for each of the uses in four minutes, less what was lost
	}{
		{minute, minute, 20 * second, 5 + 12 - 3},
		{minute, 0, 20 * second, 5 + 12 - 3},
		{2 * minute, minute, 20 * second, 5 + 12},
		{2 * minute, minute, 59 * second, 5 + 5},
		{0, 0, 20 * second, 5 + 12},
	} {
		l := must(hotkey.NewLFU(hotkey.LFUConfig{Keys: 1, Decay: c.decay, Unit: c.unit}))
		l.AddAt(0, 1)
		for at := c.every; at < 4*minute; at += c.every {
			l.AddAt(at, 1)
		}
		l.AddAt(4*minute-1, 1)
		if got, _ := l.FreqAt(4*minute-1, 1); got != c.want {
			t.Errorf("decay %d s, unit %d s, a use each %d s: %d, want %d", c.decay/second, c.unit/second, c.every/second, got, c.want)
		}
	}
	l := must(hotkey.NewLFU(hotkey.LFUConfig{Keys: 1, Decay: minute, Unit: minute}))
	l.AddAt(minute-1, 1)
	if got, _ := l.FreqAt(minute, 1); got != 4 {
		t.Errorf("1 ns later, in the next minute: %d, want 4", got)
	}
}

const ms = 1_000_000
