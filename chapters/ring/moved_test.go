package ring_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/ring"
	"seedbed/chapters/ring/ringtest"
)

// byOwners holds MovedOwners to what Moved must say.
func byOwners(t *rapid.T, before, after ring.Snapshot, h []uint64, want ring.Moves, places []int) {
	var told []int
	was, is := ring.AppendOwners(before, h, []int32{-7})[1:], ring.AppendOwners(after, h, nil)
	got := ring.MovedOwners(before, after, was, is, func(i, from, to int) {
		told = append(told, i)
		if from != before.OwnerOfHash(h[i]) || to != after.OwnerOfHash(h[i]) {
			t.Fatalf("by owners: key %d moves from %d to %d", i, from, to)
		}
	})
	if got != want || !slices.Equal(told, places) || ring.MovedOwners(before, after, was, is, nil) != want {
		t.Fatalf("by owners: %+v at %v, want %+v at %v", got, told, want, places)
	}
}

// The twin of Moved asks by name, key by key.
func TestMovedComparesOwners(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom(algorithms).Draw(t, "from")
		first, second := sets(1).Draw(t, "before"), sets(0).Draw(t, "after")
		if from.claims&ringtest.Weighted != 0 {
			for i := range second {
				second[i].Weight = rapid.Int64Range(1, 3).Draw(t, "weight")
			}
		}
		before := must(from.build(first))
		after := must(before.With(second))
		h := hashes(rapid.IntRange(0, 300).Draw(t, "keys"), rapid.Uint64().Draw(t, "seed"))
		if rapid.Bool().Draw(t, "ascending") {
			slices.Sort(h)
		}
		weight := func(s []ring.Member, name string) int64 {
			i := slices.IndexFunc(s, func(m ring.Member) bool { return m.Name == name })
			if i < 0 {
				return 0
			}
			return s[i].Weight
		}
		name := func(s ring.Snapshot, o int) string {
			if o < 0 {
				return ""
			}
			return s.Member(o).Name
		}
		want := ring.Moves{Keys: len(h)}
		var places []int
		for i, x := range h {
			was, is := name(before, before.OwnerOfHash(x)), name(after, after.OwnerOfHash(x))
			if was == is {
				continue
			}
			want.Moved++
			places = append(places, i)
			lost := was == "" || weight(second, was) < weight(first, was)
			gained := is == "" || weight(second, is) > weight(first, is)
			if !lost && !gained {
				want.Needless++
			}
		}
		var told []int
		got := ring.Moved(before, after, h, func(i, from, to int) {
			told = append(told, i)
			if from != before.OwnerOfHash(h[i]) || to != after.OwnerOfHash(h[i]) {
				t.Fatalf("key %d moves from %d to %d, want from %d to %d", i, from, to, before.OwnerOfHash(h[i]), after.OwnerOfHash(h[i]))
			}
		})
		if got != want || !slices.Equal(told, places) {
			t.Fatalf("%+v at %v, want %+v at %v", got, told, want, places)
		}
		if again := ring.Moved(before, after, h, nil); again != want {
			t.Fatalf("without a function: %+v, want %+v", again, want)
		}
		byOwners(t, before, after, h, want, places)
		counts := ring.CountOwned(before, h, []int64{-7})
		for _, x := range h {
			counts[1+before.OwnerOfHash(x)]--
		}
		if counts[0] != -7 || slices.ContainsFunc(counts[1:], func(n int64) bool { return n != 0 }) {
			t.Fatalf("counts differ from the owners by %v", counts)
		}
	})
}

// Whatever changes at once, members and weights: where a member's points or scores depend on nothing but itself, no key moves without a
// reason.
func TestOnlyNeededKeysMove(t *testing.T) {
	h := hashes(500, 5)
	for _, algorithm := range []ring.Algorithm{ring.AlgorithmRing, ring.AlgorithmRendezvous} {
		t.Run(algorithm.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				before := must(ring.Build(algorithm, ring.BuildConfig{Points: 10}, weightedSets().Draw(t, "before")))
				after := must(before.With(weightedSets().Draw(t, "after")))
				if m := ring.Moved(before, after, h, nil); m.Needless != 0 {
					t.Fatalf("%+v, want no needless moves", m)
				}
			})
		})
	}
}

// Adding a member and removing it again is the identity.
func TestAddThenRemoveIsTheIdentity(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		h := hashes(500, 6)
		rapid.Check(t, func(t *rapid.T) {
			s := must(a.build(sets(1).Draw(t, "members")))
			more, added, err := ring.Add(s, ring.Member{Name: rapid.StringN(1, 4, -1).Draw(t, "name"), Weight: 1})
			if err != nil || !added {
				return // it was there
			}
			back, _, err := ring.Remove(more, newcomer(s, more))
			if err != nil {
				t.Fatal(err)
			}
			if m := ring.Moved(s, back, h, nil); m.Moved != 0 {
				t.Fatalf("%+v after a member came and left, want no moves", m)
			}
		})
	})
}

// newcomer is the name that only the second snapshot has.
func newcomer(before, after ring.Snapshot) string {
	for _, m := range after.Members() {
		if !slices.Contains(before.Members(), m) {
			return m.Name
		}
	}
	return ""
}

func TestSpreadOf(t *testing.T) {
	for _, v := range []struct {
		loads, weights []int64
		want           ring.Spread
	}{
		{nil, nil, ring.Spread{}},
		{[]int64{0, 0}, nil, ring.Spread{}},
		{[]int64{5, 5, 5}, nil, ring.Spread{CV: 0, Max: 1_000_000, Min: 1_000_000}},
		{[]int64{1, 3}, nil, ring.Spread{CV: 500_000, Max: 1_500_000, Min: 500_000}},
		{[]int64{1, 3}, []int64{1, 3}, ring.Spread{CV: 0, Max: 1_000_000, Min: 1_000_000}},
		{[]int64{0, 4}, []int64{1, 1}, ring.Spread{CV: 1_000_000, Max: 2_000_000, Min: 0}},
	} {
		if got := ring.SpreadOf(v.loads, v.weights); got != v.want {
			t.Errorf("SpreadOf(%v, %v) = %+v, want %+v", v.loads, v.weights, got, v.want)
		}
	}
}

// What the recommended ring promises for 100 members of 160 points.
func TestRingIsSmallAndEven(t *testing.T) {
	r := must(ring.New(ring.Config{}, ring.Equal(numbered(100)...)))
	if got := r.Size(); got > 250<<10 {
		t.Errorf("size: %d bytes, want at most 250 KiB", got)
	}
	var arcs []int64
	for _, a := range r.Arcs(nil) {
		arcs = append(arcs, int64(a>>1))
	}
	if s := ring.SpreadOf(arcs, nil); s.CV > 90_000 {
		t.Errorf("coefficient of variation: %d ppm, want at most 90,000", s.CV)
	}
}

func TestMultiProbeHoldsTheHeaviestDown(t *testing.T) {
	// The paper's 1.05 for 21 probes, with what chance adds to the largest of 100 counts of 10,000 keys: three standard deviations.
	s := must(ring.NewMultiProbe(ring.MultiProbeConfig{}, ring.Equal(numbered(100)...)))
	spread := ring.SpreadOf(ring.CountOwned(s, hashes(1_000_000, 8), nil), nil)
	near(t, "heaviest over mean", float64(spread.Max)/1e6, 1.05, 3/math.Sqrt(10_000))
}

func TestLookUpsDoNotAllocate(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		s := must(a.build(ring.Equal(numbered(20)...)))
		names, indexes := make([]string, 0, 8), make([]int, 0, 8)
		for what, f := range map[string]func(){
			"Owner":        func() { s.Owner("some key") },
			"OwnerOfHash":  func() { s.OwnerOfHash(12345 << 40) },
			"Owners":       func() { names = s.Owners("some key", 3, names[:0]) },
			"OwnersOfHash": func() { indexes = s.OwnersOfHash(12345<<40, 3, indexes[:0]) },
		} {
			if got := testing.AllocsPerRun(100, f); got != 0 {
				t.Errorf("%s: %v allocations, want none", what, got)
			}
		}
	})
	r := must(ring.New(ring.Config{}, ring.Equal(numbered(20)...)))
	l := must(ring.NewLoads(ring.LoadsConfig{Epsilon: 50_000}, r))
	i := uint64(0)
	place := func() {
		i += 0x9e3779b97f4a7c15
		p := must(l.Place(i))
		if l.Total() > 100 {
			l.Release(p.Member)
		}
	}
	for range 1000 {
		place()
	}
	if got := testing.AllocsPerRun(1000, place); got != 0 {
		t.Errorf("Loads: %v allocations, want none", got)
	}
}

// An algorithm by number is the same as by its constructor, and each has a name.
func TestBuild(t *testing.T) {
	seen := map[string]bool{}
	for a := ring.AlgorithmModulo; a <= ring.AlgorithmAnchor; a++ {
		if name := a.String(); seen[name] || name == ring.Algorithm(200).String() {
			t.Errorf("algorithm %d: name %q", a, name)
		}
		seen[a.String()] = true
		if s, err := ring.Build(a, ring.BuildConfig{}, ring.Equal("a", "b")); err != nil || s.Len() != 2 {
			t.Errorf("%v: %v", a, err)
		}
		if s, err := ring.Build(a, ring.BuildConfig{}, nil); err == nil || s != nil {
			t.Errorf("%v of nobody: %v, %v; want no snapshot and an error", a, s, err)
		}
	}
	if _, err := ring.Build(ring.AlgorithmAnchor+1, ring.BuildConfig{}, ring.Equal("a")); err == nil || err.Error() != "algorithm: 8 is outside 0..7" {
		t.Errorf("algorithm 8: %v", err)
	}
	r := must(ring.Build(ring.AlgorithmRing, ring.BuildConfig{Points: 7, Unit: 2, Seed: 9}, []ring.Member{{"a", 3}})).(*ring.Ring)
	want := must(ring.New(ring.Config{Points: 7, Unit: 2, Seed: 9}, []ring.Member{{"a", 3}}))
	if r.Points() != 10 || r.HashOf("k") != want.HashOf("k") {
		t.Errorf("ring of 7·3/2 points: %d points; its seed is kept: %v", r.Points(), r.HashOf("k") == want.HashOf("k"))
	}
}

func TestAWeightThatAnAlgorithmDoesNotKnowIsRefused(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		_, err := a.build([]ring.Member{{"a", 2}, {"b", 3}})
		if a.claims&ringtest.Weighted != 0 || a.name == "ketama" {
			if err != nil {
				t.Errorf("weights 2 and 3: %v", err)
			}
			return
		}
		if err == nil || err.Error() != "weight of b, which this algorithm wants equal: 3 is outside 2..2" {
			t.Errorf("weights 2 and 3: %v, want an error that names b", err)
		}
		if _, err := a.build([]ring.Member{{"a", 3}, {"b", 3}}); err != nil {
			t.Errorf("weights 3 and 3: %v", err)
		}
	})
}

func TestMillionKeysOnAThousandMembers(t *testing.T) {
	before := must(ring.New(ring.Config{}, ring.Equal(numbered(1000)...)))
	after, _, err := ring.Remove(before, "node-500")
	if err != nil {
		t.Fatal(err)
	}
	h := hashes(1_000_000, 10)
	slices.Sort(h)
	m := ring.Moved(before, after, h, nil)
	if owned := ring.CountOwned(before, h, nil); int64(m.Moved) != owned[memberOf(before, "node-500")] || m.Needless != 0 {
		t.Errorf("%+v, want exactly the %d keys of node-500", m, owned[memberOf(before, "node-500")])
	}
}

func memberOf(s *ring.Ring, name string) int {
	i, ok := s.Index(name)
	if !ok {
		panic("no member " + strconv.Quote(name))
	}
	return i
}
