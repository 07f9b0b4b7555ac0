package ring

import (
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/hashing"
)

// Dumb twins: each algorithm once more from its definition, without tables, early ends or tricks. The hashes of names, points and
// probes are the only thing that they share with the code under test.

// drawn are members of a small world, with weights up to heaviest.
func drawn(t *rapid.T, heaviest int64) []Member {
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a1]{1,3}|node-[0-9]{1,2}`), 1, 12, rapid.ID[string]).Draw(t, "names")
	members := Equal(names...)
	for i := range members {
		members[i].Weight = rapid.Int64Range(1, heaviest).Draw(t, "weight")
	}
	return members
}

// ranked is members with a number each, to be sorted by it.
type ranked struct {
	name string
	by   uint64
}

// agree compares the owners of a hash with the twin's order of names.
func agree(t *rapid.T, s Snapshot, h uint64, want []string) {
	t.Helper()
	var got []string
	for _, o := range s.OwnersOfHash(h, len(want), nil) {
		got = append(got, s.Member(o).Name)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("owners of %d: %q, want %q", h, got, want)
	}
	if o := s.OwnerOfHash(h); s.Member(o).Name != want[0] {
		t.Fatalf("owner of %d: %s, want %s", h, s.Member(o).Name, want[0])
	}
}

func TestRingIsASortedScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := drawn(t, 5)
		cfg := Config{Points: rapid.IntRange(1, 50).Draw(t, "points"), Unit: rapid.Int64Range(0, 3).Draw(t, "unit"), Seed: rapid.Uint64().Draw(t, "seed")}
		var all []laid
		for _, m := range members {
			for k := range max(1, int64(cfg.Points)*m.Weight/max(1, cfg.Unit)) {
				all = append(all, laid{pointHash(nameHash(cfg.Seed, m.Name), int(k)), m.Name, int(k)})
			}
		}
		slices.SortFunc(all, func(a, b laid) int { return cmp.Compare(a.hash, b.hash) })
		r, err := New(cfg, members)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			h := rapid.Uint64().Draw(t, "hash")
			agree(t, r, h, walk(all, h))
		}
	})
}

func TestKetamaIsASortedScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := drawn(t, 1)
		// With equal weights and so few members, each has 160 points: 40 sums of MD5.
		var all []laid
		for _, m := range members {
			for k := range 40 {
				sum := md5.Sum(fmt.Appendf(nil, "%s-%d", m.Name, k))
				for i := range 4 {
					all = append(all, laid{uint64(binary.LittleEndian.Uint32(sum[4*i:])), m.Name, 4*k + i})
				}
			}
		}
		slices.SortFunc(all, func(a, b laid) int { return cmp.Compare(a.hash, b.hash) })
		s, err := NewKetama(members)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			key := rapid.String().Draw(t, "key")
			sum := md5.Sum([]byte(key))
			want := walk(all, uint64(binary.LittleEndian.Uint32(sum[:])))
			agree(t, s, s.HashOf(key), want)
			if owner, _ := s.Owner(key); owner != want[0] {
				t.Fatalf("owner of %q: %s, want %s", key, owner, want[0])
			}
		}
	})
}

func TestRendezvousIsTheBestOfAllScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := drawn(t, rapid.Int64Range(1, 4).Draw(t, "heaviest"))
		r, err := NewRendezvous(HashConfig{Seed: 5}, members)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			h := rapid.Uint64().Draw(t, "hash")
			best := slices.Clone(members)
			of := func(m Member) float64 { return score(m.Weight, draw(h, nameHash(5, m.Name))) }
			slices.SortFunc(best, func(a, b Member) int { return cmp.Compare(of(b), of(a)) })
			var want []string
			for _, m := range best {
				want = append(want, m.Name)
			}
			agree(t, r, h, want)
		}
	})
}

func TestMultiProbeIsTheNearestOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := drawn(t, 1)
		probes := rapid.IntRange(1, 30).Draw(t, "probes")
		s, err := NewMultiProbe(MultiProbeConfig{Probes: probes, Seed: 3}, members)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			h := rapid.Uint64().Draw(t, "hash")
			var all []ranked
			for _, m := range members {
				r := ranked{m.Name, ^uint64(0)}
				for k := range probes {
					r.by = min(r.by, pointHash(nameHash(3, m.Name), 0)-probe(h, k))
				}
				all = append(all, r)
			}
			slices.SortFunc(all, func(a, b ranked) int { return cmp.Compare(a.by, b.by) })
			var want []string
			for _, r := range all {
				want = append(want, r.name)
			}
			agree(t, s, h, want)
		}
	})
}

// maglevTwin is the paper's pseudocode: whole permutations, and a turn for each member in each round.
func maglevTwin(names []string, seed, slots uint64) []string {
	table := make([]string, slots)
	permutation, next := make([][]uint64, len(names)), make([]int, len(names))
	for i, name := range names {
		h := nameHash(seed, name)
		offset, skip := h%slots, hashing.Mix64(h+golden)%(slots-1)+1
		for j := range slots {
			permutation[i] = append(permutation[i], (offset+j*skip)%slots)
		}
	}
	for n := uint64(0); ; {
		for i, name := range names {
			c := permutation[i][next[i]]
			for table[c] != "" {
				next[i]++
				c = permutation[i][next[i]]
			}
			table[c] = name
			next[i]++
			if n++; n == slots {
				return table
			}
		}
	}
}

func TestMaglevIsThePapersTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := drawn(t, 1)
		slots := rapid.SampledFrom([]int{13, 101, 251, 509}).Draw(t, "slots")
		seed := rapid.Uint64().Draw(t, "seed")
		s, err := NewMaglev(MaglevConfig{Slots: slots, Seed: seed}, members)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range s.Members() {
			names = append(names, m.Name)
		}
		for i, want := range maglevTwin(names, seed, uint64(slots)) {
			if got := s.Member(s.Slot(i)).Name; got != want {
				t.Fatalf("slot %d: %s, want %s", i, got, want)
			}
		}
	})
}

func TestMaglevSharesFollowWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := drawn(t, 9)
		s, err := NewMaglev(MaglevConfig{Slots: 5003}, members)
		if err != nil {
			t.Fatal(err)
		}
		counts, weights := make([]int64, s.Len()), int64(0)
		for i := range 5003 {
			counts[s.Slot(i)]++
		}
		for _, m := range members {
			weights += m.Weight
		}
		for i, n := range counts {
			// Off by the credit of the first round, at most a turn, by the rounds that all members' credit spared, at most one, and by
			// the last round, of which a member may have had all or none.
			if want := 5003 * s.Member(i).Weight; max(n*weights-want, want-n*weights) > 4*weights*max(1, s.Member(i).Weight*int64(s.Len())/weights) {
				t.Fatalf("%s of weight %d in %d has %d slots", s.Member(i).Name, s.Member(i).Weight, weights, n)
			}
		}
	})
}

// anchorTwin keeps the list of working buckets as it was after each removal, where AnchorHash keeps two numbers a bucket.
type anchorTwin struct {
	working []int
	before  [][]int // the list before each removal that stands
	removed []int
	left    map[int][]int // after the removal of a bucket, the list
	names   map[int]string
}

func newAnchorTwin(capacity int, names []string) *anchorTwin {
	a := &anchorTwin{left: map[int][]int{}, names: map[int]string{}}
	for b := range capacity {
		a.working = append(a.working, b)
	}
	for b := capacity - 1; b >= len(names); b-- {
		a.remove(b)
	}
	for b, name := range names {
		a.names[b] = name
	}
	return a
}

func (a *anchorTwin) remove(b int) {
	a.before, a.removed = append(a.before, slices.Clone(a.working)), append(a.removed, b)
	last := len(a.working) - 1
	a.working[slices.Index(a.working, b)] = a.working[last]
	a.working = a.working[:last]
	a.left[b] = slices.Clone(a.working)
	delete(a.names, b)
}

func (a *anchorTwin) add(name string) {
	last := len(a.removed) - 1
	b := a.removed[last]
	a.working, a.before, a.removed = a.before[last], a.before[:last], a.removed[:last]
	delete(a.left, b)
	a.names[b] = name
}

// change is what Anchor.With says it does.
func (a *anchorTwin) change(names []string) {
	var gone []string
	for _, name := range a.names {
		if !slices.Contains(names, name) {
			gone = append(gone, name)
		}
	}
	slices.Sort(gone)
	for _, name := range gone {
		for b, n := range a.names {
			if n == name {
				a.remove(b)
			}
		}
	}
	have := map[string]bool{}
	for _, name := range a.names {
		have[name] = true
	}
	for _, name := range slices.Sorted(slices.Values(names)) {
		if !have[name] {
			a.add(name)
		}
	}
}

func (a *anchorTwin) owner(h uint64, capacity int) string {
	b := below(h, capacity)
	for list, gone := a.left[b]; gone; list, gone = a.left[b] {
		b = list[below(hashing.Mix64(h+uint64(b+1)*golden), len(list))]
	}
	return a.names[b]
}

func TestAnchorIsAListOfWhatWasLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := func() (out []string) {
			for _, m := range drawn(t, 1) {
				out = append(out, m.Name)
			}
			slices.Sort(out)
			return out
		}
		now := names()
		capacity := rapid.IntRange(12, 40).Draw(t, "capacity")
		twin := newAnchorTwin(capacity, now)
		first, err := NewAnchor(AnchorConfig{Capacity: capacity}, Equal(now...))
		if err != nil {
			t.Fatal(err)
		}
		s := Snapshot(first)
		for range rapid.IntRange(0, 6).Draw(t, "changes") {
			now = names()
			if rapid.IntRange(0, 9).Draw(t, "empty") == 0 {
				now = nil
			}
			if s, err = s.With(Equal(now...)); err != nil {
				t.Fatal(err)
			}
			twin.change(now)
			for range 20 {
				h := rapid.Uint64().Draw(t, "hash")
				if len(now) == 0 {
					if o := s.OwnerOfHash(h); o != -1 {
						t.Fatalf("owner of %d: %d, want none", h, o)
					}
					continue
				}
				if got, want := s.Member(s.OwnerOfHash(h)).Name, twin.owner(h, capacity); got != want {
					t.Fatalf("owner of %d: %s, want %s", h, got, want)
				}
			}
		}
	})
}

// The bound of Loads in exact rational arithmetic, and the first owner below it by a scan of all.
func TestLoadsTakeTheFirstOwnerBelowItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := drawn(t, 5)
		r, err := New(Config{Points: 5}, members)
		if err != nil {
			t.Fatal(err)
		}
		cfg := LoadsConfig{Epsilon: rapid.SampledFrom([]int64{1, 50_000, 333_333, MaxEpsilon}).Draw(t, "epsilon"), Most: rapid.Int64Range(0, 4).Draw(t, "most")}
		l, err := NewLoads(cfg, r)
		if err != nil {
			t.Fatal(err)
		}
		loads, weights := make([]int64, r.Len()), int64(0)
		for _, m := range members {
			weights += m.Weight
		}
		for m := range int64(60) {
			h := rapid.Uint64().Draw(t, "hash")
			want := Placement{Member: -1, Probes: r.Len()}
			for probe, o := range r.OwnersOfHash(h, r.Len(), nil) {
				w := r.Member(o).Weight
				bound := new(big.Rat).Mul(big.NewRat(1_000_000+cfg.Epsilon, 1_000_000), big.NewRat((m+1)*w, weights))
				// Below ⌈x⌉ is below x, for whole numbers.
				if new(big.Rat).SetInt64(loads[o]).Cmp(bound) < 0 && (cfg.Most == 0 || loads[o] < cfg.Most*w) {
					want = Placement{o, probe + 1}
					loads[o]++
					break
				}
			}
			got, err := l.Place(h)
			if got != want || (err != nil) != (want.Member < 0) {
				t.Fatalf("unit %d: %+v, %v, want %+v", m, got, err, want)
			}
			if err != nil {
				return
			}
		}
	})
}
