package ring_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/ring"
)

const second = 1_000_000_000

// A failed member's keys go to their heirs and no others move; when it returns exactly those keys come back.
func TestTrap41ExactlyTheKeysOfTheFailedMoveAndComeBack(t *testing.T) {
	h := hashes(100_000, 41)
	slices.Sort(h)
	for _, v := range []struct {
		algorithm ring.Algorithm
		needless  float64 // share of all keys
	}{
		{ring.AlgorithmRing, 0}, {ring.AlgorithmKetama, 0}, {ring.AlgorithmRendezvous, 0}, {ring.AlgorithmAnchor, 0},
		{ring.AlgorithmMultiProbe, 0}, {ring.AlgorithmMaglev, .01},
	} {
		t.Run(v.algorithm.String(), func(t *testing.T) {
			before := must(ring.Build(v.algorithm, ring.BuildConfig{}, ring.Equal(numbered(100)...)))
			owned := ring.CountOwned(before, h, nil)
			after, _, err := ring.Remove(before, before.Member(50).Name)
			if err != nil {
				t.Fatal(err)
			}
			m := ring.Moved(before, after, h, nil)
			if int64(m.Moved-m.Needless) != owned[50] || float64(m.Needless) > v.needless*float64(m.Keys) {
				t.Errorf("it fails: %+v, want the %d keys that it owned, and of the others at most %v", m, owned[50], v.needless)
			}
			back, _, err := ring.Add(after, before.Member(50))
			if err != nil {
				t.Fatal(err)
			}
			if m := ring.Moved(before, back, h, nil); m.Moved != 0 {
				t.Errorf("it returns: %+v against before, want every key where it was", m)
			}
		})
	}
}

func TestTrap41TakeoverTouchesOnlyTheKeysOfTheFailed(t *testing.T) {
	for _, a := range []ring.Algorithm{ring.AlgorithmRing, ring.AlgorithmKetama, ring.AlgorithmRendezvous, ring.AlgorithmMultiProbe} {
		t.Run(a.String(), func(t *testing.T) {
			full := must(ring.Build(a, ring.BuildConfig{}, ring.Equal(numbered(10)...)))
			without, _, err := ring.Remove(full, "node-3")
			if err != nil {
				t.Fatal(err)
			}
			take := must(ring.NewTakeover(ring.TakeoverConfig{}, full))
			take.FailAt(0, 3, nil)
			for _, h := range hashes(20_000, 7) {
				home := full.OwnerOfHash(h)
				for _, now := range []int64{0, 100 * second, 1000 * second} {
					r := take.RouteAt(now, h)
					switch {
					case home != 3 && (r != ring.Route{Home: home, Heir: home, Share: 1_000_000, Taken: true}):
						t.Fatalf("hash %d of member %d: %+v, want it untouched", h, home, r)
					case home == 3 && full.Member(r.Heir).Name != without.Member(without.OwnerOfHash(h)).Name:
						t.Fatalf("hash %d: heir %s, want the owner without node-3", h, full.Member(r.Heir).Name)
					case home == 3 && now == 1000*second && !r.Taken:
						t.Fatalf("hash %d: not taken after 1000 s: %+v", h, r)
					}
				}
			}
			if !take.ReturnAt(1000*second, 3) {
				t.Fatal("node-3 could not return")
			}
			for _, h := range hashes(20_000, 7) {
				home := full.OwnerOfHash(h)
				if r := take.RouteAt(1000*second, h); (r != ring.Route{Home: home, Heir: home, Share: 1_000_000, Taken: true}) {
					t.Fatalf("hash %d after the return: %+v, want its home %d", h, r, home)
				}
			}
		})
	}
}

// 0.1 at once and 0.1 more each 30 s: all after 270 s. Keys that are taken stay so.
func TestTakeoverGrowsByATenthEachThirtySeconds(t *testing.T) {
	r := must(ring.New(ring.Config{}, ring.Equal(numbered(8)...)))
	take := must(ring.NewTakeover(ring.TakeoverConfig{}, r))
	const failed, start = 2, 1000 * second
	if _, ok := take.FailAt(start, failed, nil); !ok {
		t.Fatal("it could not fail")
	}
	var mine []uint64
	for _, h := range hashes(100_000, 8) {
		if r.OwnerOfHash(h) == failed {
			mine = append(mine, h)
		}
	}
	taken := make([]bool, len(mine))
	for _, v := range []struct{ after, share int64 }{
		{-5 * second, 100_000}, {0, 100_000}, {30*second - 1, 100_000}, {30 * second, 200_000}, {60 * second, 300_000}, {240 * second, 900_000},
		{270*second - 1, 900_000}, {270 * second, 1_000_000}, {1 << 62, 1_000_000},
	} {
		n := 0
		for i, h := range mine {
			route := take.RouteAt(start+v.after, h)
			if route.Share != v.share || route.Home != failed || route.Heir == failed {
				t.Fatalf("after %d ns: %+v, want a share of %d", v.after, route, v.share)
			}
			if taken[i] && !route.Taken {
				t.Fatalf("after %d ns: hash %d is given back", v.after, h)
			}
			if taken[i] = route.Taken; route.Taken {
				n++
			}
		}
		share := float64(v.share) / 1e6
		near(t, "share of keys taken", float64(n)/float64(len(mine)), share, 4*math.Sqrt(share*(1-share)/float64(len(mine))))
	}
}

func TestTakeoverWarmsTheMostFrequentKeys(t *testing.T) {
	r := must(ring.New(ring.Config{}, ring.Equal(numbered(5)...)))
	take := must(ring.NewTakeover(ring.TakeoverConfig{}, r))
	recent := must(ring.NewRecent(ring.RecentConfig{MaxKeys: 10_000}))
	// Key i is used 1 + i/50 times, and each of them once more, last, in the other order: frequency decides, and not who came last.
	h := hashes(1000, 9)
	for i, x := range h {
		for range 1 + i/50 {
			recent.TouchAt(0, x)
		}
	}
	for i := range h {
		recent.TouchAt(second, h[len(h)-1-i])
	}
	var mine []int
	for i, x := range h {
		if r.OwnerOfHash(x) == 4 {
			mine = append(mine, i)
		}
	}
	tenth := (len(mine) + 9) / 10
	warmed, ok := take.FailAt(2*second, 4, &recent)
	if warmed != tenth || !ok || take.Warm(4) != tenth {
		t.Fatalf("%d keys warmed, %v; want %d, a tenth of %d", warmed, ok, tenth, len(mine))
	}
	least := 1 + mine[len(mine)-tenth]/50 // uses of the rarest that is warm
	for _, i := range mine {
		route := take.RouteAt(2*second, h[i])
		if uses := 1 + i/50; uses > least && !route.Warm || uses < least && route.Warm {
			t.Errorf("key %d with %d uses: warm %v, and the bar is at %d", i, uses, route.Warm, least)
		}
	}
	if take.RouteAt(2*second, h[mine[0]+1]).Warm && r.OwnerOfHash(h[mine[0]+1]) != 4 {
		t.Error("a key of another member is warm")
	}
}

// The heir of a failed member fails too: its heirs inherit both, warm what it served, and start from the first share again.
func TestTakeoverOfAnHeirThatFails(t *testing.T) {
	r := must(ring.New(ring.Config{}, ring.Equal(numbered(4)...)))
	take := must(ring.NewTakeover(ring.TakeoverConfig{Warm: 1_000_000}, r))
	recent := must(ring.NewRecent(ring.RecentConfig{MaxKeys: 10_000}))
	h := hashes(2000, 10)
	for _, x := range h {
		recent.TouchAt(0, x)
	}
	take.FailAt(0, 0, &recent)
	take.FailAt(200*second, 1, &recent)
	clone := take.Clone()
	for _, x := range h {
		owners := r.OwnersOfHash(x, 4, nil)
		route := take.RouteAt(230*second, x)
		live := slices.IndexFunc(owners, func(o int) bool { return o > 1 })
		if route.Home != owners[0] || route.Heir != owners[live] {
			t.Fatalf("hash %d: %+v, want home %d and heir %d", x, route, owners[0], owners[live])
		}
		want := int64(1_000_000)
		switch {
		case slices.Contains(owners[:live], 1): // failed 30 s ago
			want = 200_000
		case live > 0: // 230 s ago
			want = 800_000
		}
		if route.Share != want || (route.Warm != (live > 0)) {
			t.Fatalf("hash %d, owners %v: %+v, want a share of %d, and warm", x, owners, route, want)
		}
	}
	take.FailAt(240*second, 2, nil)
	take.FailAt(240*second, 3, nil)
	if route := take.RouteAt(241*second, h[0]); route.Heir != -1 || route.Taken || route.Warm || take.Failed() != 4 {
		t.Errorf("all down: %+v, want no heir and nothing taken", route)
	}
	if clone.Failed() != 2 || clone.RouteAt(230*second, h[0]).Heir < 2 {
		t.Error("a clone changed with the original")
	}
}

func TestTakeoverRefusesWhatMakesNoSense(t *testing.T) {
	r := must(ring.New(ring.Config{}, ring.Equal("a", "b")))
	for _, cfg := range []ring.TakeoverConfig{{First: -1}, {First: 1_000_001}, {Step: -1}, {Every: -1}, {Warm: 1_000_001}} {
		if _, err := ring.NewTakeover(cfg, r); err == nil {
			t.Errorf("%+v: no error", cfg)
		}
	}
	take := must(ring.NewTakeover(ring.TakeoverConfig{}, r))
	_, first := take.FailAt(0, 1, nil)
	_, again := take.FailAt(0, 1, nil)
	_, stranger := take.FailAt(0, 2, nil)
	if !first || again || stranger || take.ReturnAt(0, 0) || take.ReturnAt(0, -1) || !take.ReturnAt(0, 1) || take.ReturnAt(0, 1) {
		t.Error("a member failed or returned twice, or one that does not exist")
	}
}

// The twin of Recent is a map that is halved on time.
func TestRecentIsAMapThatIsHalved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		half := rapid.Int64Range(1, 50).Draw(t, "half")
		recent := must(ring.NewRecent(ring.RecentConfig{MaxKeys: 1000, Half: half}))
		counts := map[uint64]int64{}
		now := rapid.Int64Range(-100, 100).Draw(t, "start")
		turn := now + half
		recent.CountAt(now, 0) // the first instant that it sees
		for range rapid.IntRange(1, 200).Draw(t, "uses") {
			at := now + rapid.SampledFrom([]int64{0, 0, 0, 1, half / 2, half, 3 * half, -half}).Draw(t, "later")
			now = max(now, at) // an old instant counts as the newest
			for ; turn <= now; turn += half {
				for h := range counts {
					counts[h] /= 2
				}
			}
			h := uint64(rapid.IntRange(0, 20).Draw(t, "key")) << 60 // some differ only in bits that others do not have
			h |= uint64(rapid.IntRange(0, 3).Draw(t, "low"))
			recent.TouchAt(at, h)
			counts[h]++
			if got := recent.CountAt(at, h); got != counts[h] {
				t.Fatalf("at %d: count of %#x: %d, want %d", now, h, got, counts[h])
			}
		}
		type use struct {
			h uint64
			n int64
		}
		var all []use
		for h, n := range counts {
			if n > 0 {
				all = append(all, use{h, n})
			}
		}
		if recent.Len() != len(all) {
			t.Fatalf("%d keys remembered, want %d", recent.Len(), len(all))
		}
		slices.SortFunc(all, func(a, b use) int {
			if a.n != b.n {
				return int(b.n - a.n)
			}
			if a.h < b.h {
				return -1
			}
			return 1
		})
		share := rapid.Int64Range(0, 1_000_000).Draw(t, "share")
		var want []uint64
		for _, u := range all[:(int64(len(all))*share+999_999)/1_000_000] {
			want = append(want, u.h)
		}
		slices.Sort(want)
		if got := recent.TopAt(now, share, nil, nil); !slices.Equal(got, want) {
			t.Fatalf("top %d ppm of %v: %v, want %v", share, all, got, want)
		}
	})
}

// More keys than there is room for: memory stays bounded, and a scan of keys that are used once does not drive out the frequent ones.
func TestRecentStaysSmallAndKeepsTheFrequent(t *testing.T) {
	recent := must(ring.NewRecent(ring.RecentConfig{MaxKeys: 100}))
	frequent := hashes(20, 11)
	for range 50 {
		for _, h := range frequent {
			recent.TouchAt(0, h)
		}
	}
	for _, h := range hashes(190, 12) {
		if recent.TouchAt(0, h); recent.Len() > 100 || recent.Size() > 16*2*256 {
			t.Fatalf("%d keys in %d bytes, want at most 100", recent.Len(), recent.Size())
		}
	}
	want := slices.Sorted(slices.Values(frequent))
	if got := recent.TopAt(0, 1_000_000*20/int64(recent.Len()), nil, nil); !slices.Equal(got, want) {
		t.Errorf("most frequent keys after a scan: %v, want those that were used 50 times", got)
	}
	clone := recent.Clone()
	recent.TouchAt(0, frequent[0])
	if clone.CountAt(0, frequent[0]) == recent.CountAt(0, frequent[0]) {
		t.Error("a clone counts what the original counts")
	}
}
