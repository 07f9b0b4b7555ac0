package hotkey_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/hotkey"
)

// TestCopiesLieApart: N copies are on N shards, each reader's pick is one of them, and picks are even. Names that are hashed meet on a shard:
// 4 on 4 are all apart in 24 of 256 cases.
func TestCopiesLieApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shards := rapid.IntRange(1, 30).Draw(t, "shards")
		c := must(hotkey.NewCopies(hotkey.Copies{N: rapid.IntRange(1, shards).Draw(t, "n"), Shards: shards, Seed: rapid.Uint64().Draw(t, "seed")}))
		id := rapid.Uint64().Draw(t, "key")
		on := map[int]bool{}
		for i := range c.N {
			s := c.Shard(id, i)
			if s < 0 || s >= shards || on[s] {
				t.Fatalf("copy %d of %d lies on shard %d of %d, with another", i, c.N, s, shards)
			}
			on[s] = true
		}
		if i := c.Pick(rapid.Uint64().Draw(t, "random")); i < 0 || i >= c.N {
			t.Fatalf("picked copy %d of %d", i, c.N)
		}
	})
	c := must(hotkey.NewCopies(hotkey.Copies{N: 4, Shards: 4, Seed: 9}))
	var picks, homes [4]int
	for i := range uint64(40_000) {
		picks[c.Pick(i)]++
		homes[c.Shard(i, 0)]++
	}
	for i := range 4 {
		if picks[i] < 9_500 || picks[i] > 10_500 || homes[i] < 9_500 || homes[i] > 10_500 {
			t.Errorf("picks %v and homes %v, want about 10,000 each", picks, homes)
		}
	}
	hashed := must(hotkey.NewCopies(hotkey.Copies{N: 1, Shards: 4}))
	apart := 0
	for key := range uint64(20_000) {
		on := [4]bool{}
		for i := range uint64(4) {
			on[hashed.Shard(key<<8|i, 0)] = true // as if each name were hashed
		}
		if on == [4]bool{true, true, true, true} {
			apart++
		}
	}
	if apart < 1700 || apart > 2050 { // 20,000 × 24/256 = 1875
		t.Errorf("hashed names were apart %d times of 20,000, want about 1875", apart)
	}
}

// TestVectorCopies: 10,000 a second and 3000 to spare need 4 copies; and their names.
func TestVectorCopies(t *testing.T) {
	for _, c := range []struct {
		rate, spare  int64
		shards, want int
	}{{10_000, 3000, 8, 4}, {9000, 3000, 8, 3}, {0, 3000, 8, 1}, {10_000, 3000, 3, 3}, {10_000, 0, 8, 8}, {1<<63 - 1, 1, 8, 8}} {
		if got := hotkey.CopiesFor(c.rate, c.spare, c.shards); got != c.want {
			t.Errorf("%d a second, %d to spare, %d shards: %d copies, want %d", c.rate, c.spare, c.shards, got, c.want)
		}
	}
	if a, b := hotkey.CopyName("k", 0), hotkey.CopyName("k", 11); a != "k:1" || b != "k:12" {
		t.Errorf("%s, %s; want k:1, k:12", a, b)
	}
}

// TestLocalGivesWhatIsYoung: what is given was put for that key and asked for less than TTL ago. While there is room for all, it is the newest
// that was put, and nothing that is young is missing.
func TestLocalGivesWhatIsYoung(t *testing.T) {
	type entry struct {
		id   uint64
		born int64
		v    int
	}
	rapid.Check(t, func(t *rapid.T) {
		const ttl = 20
		keys := rapid.IntRange(1, 6).Draw(t, "keys")
		l := must(hotkey.NewLocal[int](hotkey.LocalConfig{Keys: keys, TTL: ttl}))
		var put []entry // put[v]
		newest := map[uint64]entry{}
		now := int64(0)
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			now += rapid.Int64Range(0, 10).Draw(t, "pause")
			id := rapid.Uint64Range(0, 5).Draw(t, "key")
			if rapid.IntRange(0, 3).Draw(t, "drop") == 0 {
				_, known := newest[id]
				if had := l.Drop(id); had != known && keys == 6 {
					t.Fatalf("key %d dropped %v", id, had)
				}
				delete(newest, id)
			} else {
				e := entry{id, now - rapid.Int64Range(0, 10).Draw(t, "took"), len(put)}
				put = append(put, e)
				l.PutAt(now, e.born, id, e.v)
				if old, ok := newest[id]; !ok || e.born >= old.born {
					newest[id] = e
				}
			}
			if l.Len() > keys {
				t.Fatalf("%d values, at most %d", l.Len(), keys)
			}
			for id := range uint64(6) {
				v, ok := l.GetAt(now, id)
				if ok && (put[v].id != id || now-put[v].born >= ttl) {
					t.Fatalf("at %d, key %d: %v", now, id, put[v])
				}
				e, in := newest[id]
				if young := in && now-e.born < ttl; keys == 6 && (ok != young || ok && v != e.v) {
					t.Fatalf("at %d, key %d: %d, %v; want %v, %v", now, id, v, ok, e, young)
				}
			}
		}
	})
}

// TestLocalBoundsTheOwnersLoad: 50 processes and 100 ms are 500 a second, whatever comes.
func TestLocalBoundsTheOwnersLoad(t *testing.T) {
	asked := 0
	for p := range uint64(50) {
		r := rand.New(rand.NewPCG(p, 1))
		l := must(hotkey.NewLocal[int](hotkey.LocalConfig{Keys: 4, TTL: 100 * ms}))
		for now := int64(0); now < second; now += r.Int64N(ms) {
			if _, ok := l.GetAt(now, 7); !ok {
				asked++
				l.PutAt(now, now, 7, 1)
			}
		}
	}
	if asked > 500 || asked < 450 {
		t.Errorf("the owner was asked %d times in a second, want at most 500, and nearly that", asked)
	}
}

// TestSumMergesToTheTruth: views that are merged in any order, and again, come to what was added; before that to no more.
func TestSumMergesToTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const parts = 4
		views := make([]hotkey.Sum, parts) // each part has one writer, which has a view of its own
		for i := range views {
			views[i] = must(hotkey.NewSum(parts))
		}
		truth := int64(0)
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			i := rapid.IntRange(0, parts-1).Draw(t, "writer")
			if rapid.Bool().Draw(t, "add") {
				n := rapid.Int64Range(0, 100).Draw(t, "n")
				views[i].Add(i, n)
				truth += n
			} else {
				before := views[i].Value()
				views[i].Merge(&views[rapid.IntRange(0, parts-1).Draw(t, "other")])
				if views[i].Value() < before {
					t.Fatalf("a merge took away: %d, then %d", before, views[i].Value())
				}
			}
			if views[i].Value() > truth {
				t.Fatalf("%d were added, a view says %d", truth, views[i].Value())
			}
		}
		all := must(hotkey.NewSum(parts))
		for _, i := range append(rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "order"), 2, 2) {
			all.Merge(&views[i])
		}
		if all.Value() != truth {
			t.Fatalf("merged: %d, want %d", all.Value(), truth)
		}
	})
	s := must(hotkey.NewSum(2))
	two := must(hotkey.NewSum(3))
	if s.Add(2, 1) || s.Add(-1, 1) || s.Add(0, -1) || s.Merge(&two) || s.Value() != 0 {
		t.Error("something was added that must not be")
	}
	s.Add(0, 1<<63-1)
	if s.Add(0, 5); s.Value() != 1<<63-1 {
		t.Errorf("past the greatest number: %d", s.Value())
	}
}

// TestStockSellsNoMoreThanThereIs: whoever asks whichever part for how much. It says no only when less is left in all. Copies of
// the same number sell it once in each place.
func TestStockSellsNoMoreThanThereIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(0, 60).Draw(t, "total")
		parts := rapid.IntRange(1, 6).Draw(t, "parts")
		s := must(hotkey.NewStock(total, parts))
		sold := int64(0)
		for range rapid.IntRange(0, 60).Draw(t, "buyers") {
			part, n := rapid.IntRange(-1, parts).Draw(t, "part"), rapid.Int64Range(-1, 9).Draw(t, "n")
			enough := part >= 0 && part < parts && n >= 1 && n <= total-sold
			own := s.Left(part)
			ok, asked := s.Take(part, n)
			if ok != enough {
				t.Fatalf("%d of %d left, %d asked of part %d: sold %v", total-sold, total, n, part, ok)
			}
			if ok {
				sold += n
			}
			if ok && own >= n && asked != 1 {
				t.Fatalf("part %d had %d, %d were asked, and %d parts", part, own, n, asked)
			}
			if s.Sold() != sold || s.Total() != total-sold {
				t.Fatalf("sold %d, left %d of %d, want %d sold", s.Sold(), s.Total(), total, sold)
			}
			for i := range parts {
				if s.Left(i) < 0 {
					t.Fatalf("part %d has %d", i, s.Left(i))
				}
			}
		}
	})
	stock, copies := must(hotkey.NewStock(10, 4)), []int64{10, 10, 10, 10}
	sold, soldOfCopies := 0, 0
	for buyer := range 100 {
		if ok, _ := stock.Take(buyer%4, 1); ok {
			sold++
		}
		if copies[buyer%4] > 0 {
			copies[buyer%4]--
			soldOfCopies++
		}
	}
	if sold != 10 || soldOfCopies != 40 {
		t.Errorf("of 10 sold %d, and %d of its copies, want 10 and 40", sold, soldOfCopies)
	}
}

// TestBadConfigurations: one line says what is wrong, where, and what would be right.
func TestBadConfigurations(t *testing.T) {
	err := func(_ any, err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	window := func(w int64, b, k int) string {
		v, e := hotkey.NewWindow(hotkey.WindowConfig{Window: w, Buckets: b, MaxKeys: k})
		return err(v, e)
	}
	keeper := func(c hotkey.HeavyKeeperConfig) string { v, e := hotkey.NewHeavyKeeper(c); return err(v, e) }
	min := func(c hotkey.CountMinConfig) string { v, e := hotkey.NewCountMin(c); return err(v, e) }
	saving := func(c hotkey.SpaceSavingConfig) string { v, e := hotkey.NewSpaceSaving(c); return err(v, e) }
	lfu := func(c hotkey.LFUConfig) string { v, e := hotkey.NewLFU(c); return err(v, e) }
	copies := func(n, s int) string { v, e := hotkey.NewCopies(hotkey.Copies{N: n, Shards: s}); return err(v, e) }
	local := func(k int, ttl int64) string {
		v, e := hotkey.NewLocal[int](hotkey.LocalConfig{Keys: k, TTL: ttl})
		return err(v, e)
	}
	sum := func(n int) string { v, e := hotkey.NewSum(n); return err(v, e) }
	stock := func(total int64, n int) string { v, e := hotkey.NewStock(total, n); return err(v, e) }
	for _, c := range [][2]string{
		{window(10, 5, 1), ""},
		{window(10, 0, 1), "buckets: 0 is outside 1..1024 a window"},
		{window(4, 5, 1), "window: 4 is outside 5..4611686018427387904 ns"},
		{window(11, 5, 1), "rest of the window by buckets: 1 is outside 0..0 ns"},
		{window(10, 5, 0), "keys: 0 is outside 1..4194304"},
		{min(hotkey.CountMinConfig{Width: 1, Depth: 1, Top: 1}), ""},
		{min(hotkey.CountMinConfig{Depth: 1, Top: 1}), "width: 0 is outside 1..16777216 counters"},
		{min(hotkey.CountMinConfig{Width: 1, Depth: 17, Top: 1}), "depth: 17 is outside 1..16 rows"},
		{min(hotkey.CountMinConfig{Width: 1, Depth: 1}), "top: 0 is outside 1..4194304 keys"},
		{min(hotkey.CountMinConfig{Width: 1, Depth: 1, Top: 1, Halve: -1}), "halve: -1 is outside 0..4611686018427387904 ns"},
		{saving(hotkey.SpaceSavingConfig{}), "keys: 0 is outside 1..4194304"},
		{saving(hotkey.SpaceSavingConfig{Keys: 1, Halve: -1}), "halve: -1 is outside 0..4611686018427387904 ns"},
		{keeper(hotkey.HeavyKeeperConfig{Width: 1, Depth: 1, Top: 1, Base: 1080}), ""},
		{keeper(hotkey.HeavyKeeperConfig{Width: 1, Depth: 1, Top: 1, Base: 1000}), "base: 1000 is outside 1001..2000 thousandths"},
		{lfu(hotkey.LFUConfig{Keys: 1, Factor: -1}), "log factor: -1 is outside 0..1000000"},
		{lfu(hotkey.LFUConfig{Keys: 1, Decay: -1}), "decay: -1 is outside 0..4611686018427387904 ns"},
		{lfu(hotkey.LFUConfig{Keys: 1, Decay: 1, Unit: 2}), "unit: 2 is outside 0..1 ns"},
		{copies(1, 0), "shards: 0 is outside 1..4194304"},
		{copies(5, 4), "copies: 5 is outside 1..4 shards"},
		{local(0, 1), "keys: 0 is outside 1..4194304"},
		{local(1, 0), "TTL: 0 is outside 1..4611686018427387904 ns"},
		{sum(0), "parts: 0 is outside 1..4096"},
		{stock(1, 4097), "parts: 4097 is outside 1..4096"},
		{stock(-1, 1), "total: -1 is outside 0..9223372036854775807"},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
}

// TestZeroValuesFindNothing, and nothing panics.
func TestZeroValuesFindNothing(t *testing.T) {
	for name, d := range map[string]hotkey.Detector{
		"window": &hotkey.Window{}, "count-min": &hotkey.CountMin{}, "space-saving": &hotkey.SpaceSaving{}, "heavy keeper": &hotkey.HeavyKeeper{}, "lfu": &hotkey.LFU{},
	} {
		if d.AddAt(0, 1) || len(d.TopAt(0, 5)) != 0 || len(d.Copy().TopAt(0, 5)) != 0 {
			t.Errorf("the zero %s found something", name)
		}
	}
	var l hotkey.Local[int]
	l.PutAt(0, 0, 1, 1)
	if _, ok := l.GetAt(0, 1); ok || l.Drop(1) {
		t.Error("the zero Local holds something")
	}
	var s hotkey.Stock
	if ok, _ := s.Take(0, 1); ok || (&hotkey.Sum{}).Value() != 0 || (hotkey.Copies{}).Shard(5, 0) != 0 || (hotkey.Copies{}).Pick(9) != 0 {
		t.Error("a zero value has something")
	}
}

// TestCopiesOfDetectorsAreIndependent: the same requests, the same lists; and a copy stays where it was taken.
func TestCopiesOfDetectorsAreIndependent(t *testing.T) {
	stream := zipf(8, 1.2, 500, 20_000)
	again := detectors(second)
	for name, d := range detectors(second) {
		var c hotkey.Detector
		var top []hotkey.Count
		for i, id := range stream {
			if i == len(stream)/2 {
				c, top = d.Copy(), d.TopAt(int64(i)*ms, 10)
			}
			d.AddAt(int64(i)*ms, id)
			again[name].AddAt(int64(i)*ms, id)
		}
		end := int64(len(stream)) * ms
		if !slices.Equal(d.TopAt(end, 10), again[name].TopAt(end, 10)) || d.Size() != again[name].Size() {
			t.Errorf("%s: the same requests made two lists", name)
		}
		if got := c.TopAt(int64(len(stream)/2)*ms, 10); !slices.Equal(got, top) {
			t.Errorf("%s: the copy moved along: %v, want %v", name, got, top)
		}
		for i, id := range stream[len(stream)/2:] {
			c.AddAt(int64(len(stream)/2+i)*ms, id)
		}
		if !slices.Equal(c.TopAt(end, 10), d.TopAt(end, 10)) {
			t.Errorf("%s: the copy goes another way", name)
		}
	}
}

// TestCountingAllocatesNothing once all keys are known.
func TestCountingAllocatesNothing(t *testing.T) {
	for name, d := range detectors(second) {
		for i := range uint64(50) {
			d.AddAt(0, i)
		}
		i := uint64(0)
		if n := testing.AllocsPerRun(1000, func() { i++; d.AddAt(0, i%50) }); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}
