package ring_test

import (
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/ring"
)

// Peers panic when there is no room, or when the load they allow is below the mean.
func TestTrap35NoRoomUnderABoundIsAnError(t *testing.T) {
	r := must(ring.New(ring.Config{}, ring.Equal("a", "b", "c")))
	for _, epsilon := range []int64{0, -100_000, ring.MaxEpsilon + 1} {
		var fault *ring.RangeError
		if _, err := ring.NewLoads(ring.LoadsConfig{Epsilon: epsilon}, r); !errors.As(err, &fault) || fault.Got != epsilon {
			t.Errorf("epsilon %d: %v, want a *RangeError", epsilon, err)
		}
	}
	l := must(ring.NewLoads(ring.LoadsConfig{Epsilon: 1, Most: 2}, r))
	for i := range 6 {
		if p, err := l.Place(uint64(i)); err != nil || l.Load(p.Member) > 2 {
			t.Fatalf("unit %d of 6: member %d with %d, %v; want room", i, p.Member, l.Load(p.Member), err)
		}
	}
	var full *ring.FullError
	p, err := l.Place(7)
	if !errors.As(err, &full) || *full != (ring.FullError{Members: 3, Placed: 6, Most: 2}) || p.Member != -1 || l.Total() != 6 {
		t.Errorf("unit 7: member %d, %v, %d placed; want a *FullError and 6 as before", p.Member, err, l.Total())
	}
	l.Release(1)
	if p, err := l.Place(7); err != nil || p.Member != 1 {
		t.Errorf("after a release: member %d, %v; want the one with room, 1", p.Member, err)
	}
}

// The smallest allowance still has room for everyone, because the bound is rounded up and counts the unit that arrives.
func TestTrap35TheBoundIsRoundedUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := weightedSets().Draw(t, "members")
		r := must(ring.New(ring.Config{}, members))
		epsilon := rapid.SampledFrom([]int64{1, 1000, 250_000}).Draw(t, "epsilon")
		l := must(ring.NewLoads(ring.LoadsConfig{Epsilon: epsilon}, r))
		weights := int64(0)
		for _, m := range members {
			weights += m.Weight
		}
		for i := range int64(100) {
			p, err := l.Place(rapid.Uint64().Draw(t, "hash"))
			if err != nil {
				t.Fatalf("unit %d: %v", i, err)
			}
			// load ≤ ⌈(1+ε)·m·w/W⌉ without a division: (load−1)·W·10⁶ < (10⁶+ε)·m·w.
			if load, w := l.Load(p.Member), r.Member(p.Member).Weight; (load-1)*weights*1_000_000 >= (1_000_000+epsilon)*(i+1)*w {
				t.Fatalf("unit %d: member %d of weight %d has %d of %d, above its bound", i, p.Member, w, load, i+1)
			}
		}
	})
}

func weightedSets() *rapid.Generator[[]ring.Member] {
	return rapid.Custom(func(t *rapid.T) []ring.Member {
		members := sets(1).Draw(t, "set")
		for i := range members {
			members[i].Weight = rapid.Int64Range(1, 5).Draw(t, "weight")
		}
		return members
	})
}

// In a peer the total kept what a removed member had held, so that its bound was 1250 instead of 518.
func TestTrap36LoadsOfARemovedMemberAreGone(t *testing.T) {
	r := must(ring.New(ring.Config{}, ring.Equal("a", "b")))
	l := must(ring.NewLoads(ring.LoadsConfig{Epsilon: 250_000}, r))
	for i := range 1000 {
		must(l.Place(r.HashOf(strconv.Itoa(i))))
	}
	kept := l.Load(1)
	less := must(r.With(ring.Equal("b")))
	orphans := l.Rebase(less)
	if orphans != 1000-kept || l.Total() != kept || l.Load(0) != kept {
		t.Errorf("without a: %d orphans, total %d, b has %d; want %d, %d, %d", orphans, l.Total(), l.Load(0), 1000-kept, kept, kept)
	}
	if want := ((kept+1)*5 + 3) / 4; l.Bound(0) != want {
		t.Errorf("bound of b: %d with %d placed, want %d", l.Bound(0), kept, want)
	}
}

func TestTrap36TheTotalIsAlwaysTheSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := ring.Snapshot(must(ring.New(ring.Config{Points: 4}, weightedSets().Draw(t, "members"))))
		l := must(ring.NewLoads(ring.LoadsConfig{Epsilon: 100_000, Most: rapid.Int64Range(0, 20).Draw(t, "most")}, s))
		refused := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			before := l.Total()
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0, 1:
				if _, err := l.Place(rapid.Uint64().Draw(t, "hash")); err == nil {
					before++
				}
			case 2:
				i := rapid.IntRange(-1, l.Snapshot().Len()).Draw(t, "member")
				if l.Release(i) {
					before--
				} else {
					refused++
				}
			case 3:
				before -= l.Rebase(must(s.With(weightedSets().Draw(t, "next"))))
			}
			sum := int64(0)
			for i := range l.Snapshot().Len() {
				if l.Load(i) < 0 {
					t.Fatalf("member %d holds %d", i, l.Load(i))
				}
				sum += l.Load(i)
			}
			if l.Total() != sum || sum != before || l.Refused() != refused {
				t.Fatalf("total %d, sum of loads %d, refused %d; want %d, %d", l.Total(), sum, l.Refused(), before, refused)
			}
		}
	})
}

// Peers write under a read lock. Here readers need none: what they hold never changes, and what they load is always whole.
func TestTrap37ReadersSeeWholeSnapshots(t *testing.T) {
	var a ring.Atomic
	one, two := ring.Equal("a", "b", "c"), ring.Equal("a", "b", "d", "e")
	first := must(ring.New(ring.Config{}, one))
	a.Store(first)
	const keys = 50
	wants := [][]string{ownersOf(first, keys), ownersOf(must(first.With(two)), keys)}
	var readers, writer sync.WaitGroup
	stop := make(chan struct{})
	for range 8 {
		readers.Go(func() {
			for range 200 {
				if got := ownersOf(a.Load(), keys); !slices.Equal(got, wants[0]) && !slices.Equal(got, wants[1]) {
					t.Errorf("a reader saw owners of neither set: %q", got)
					return
				}
				if _, ok := a.Owner("key"); !ok {
					t.Error("a reader found no owner")
					return
				}
			}
		})
	}
	writer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			next := one
			if i%2 == 0 {
				next = two
			}
			if err := a.SetMembers(next); err != nil {
				t.Error(err)
				return
			}
		}
	})
	readers.Wait()
	close(stop)
	writer.Wait()
}

func TestTrap37NoChangeIsLost(t *testing.T) {
	var a ring.Atomic
	a.Store(must(ring.New(ring.Config{Points: 4}, ring.Equal("first"))))
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := range 20 {
				name := strconv.Itoa(w) + "-" + strconv.Itoa(i)
				if changed, err := a.Add(ring.Member{Name: name, Weight: 1}); !changed || err != nil {
					t.Errorf("%s added: changed %v, %v", name, changed, err)
				}
				if i%2 == 0 {
					if changed, err := a.Remove(name); !changed || err != nil {
						t.Errorf("%s removed: changed %v, %v", name, changed, err)
					}
				}
			}
		})
	}
	writers.Wait()
	if got := a.Load().Len(); got != 1+8*10 {
		t.Errorf("%d members after all changes, want %d", got, 1+8*10)
	}
}

// In a peer a table whose size is no prime hangs, as it does when all are dead; and dead members must be named in order, or some stay.
func TestTrap38MaglevTables(t *testing.T) {
	for slots, next := range map[int]int64{4: 5, 9: 11, 65536: 65537, 65535: 65537, 1 << 20: 1048583} {
		var fault *ring.PrimeError
		_, err := ring.NewMaglev(ring.MaglevConfig{Slots: slots}, ring.Equal("a"))
		if !errors.As(err, &fault) || fault.Next != next {
			t.Errorf("%d slots: %v, want a *PrimeError that names %d", slots, err, next)
		}
	}
	for _, slots := range []int{1, -7, ring.MaxSlots + 1} {
		var fault *ring.RangeError
		if _, err := ring.NewMaglev(ring.MaglevConfig{Slots: slots}, ring.Equal("a")); !errors.As(err, &fault) {
			t.Errorf("%d slots: %v, want a *RangeError", slots, err)
		}
	}
	if _, err := ring.NewMaglev(ring.MaglevConfig{Slots: 3}, ring.Equal("a", "b", "c", "d")); err == nil ||
		err.Error() != "members for 3 slots: 4 is outside 1..3" {
		t.Errorf("4 members in 3 slots: %v", err)
	}
	m := must(ring.NewMaglev(ring.MaglevConfig{Slots: 251}, ring.Equal(numbered(5)...)))
	for _, order := range [][]string{{"node-3", "node-1"}, {"node-1", "node-3"}} {
		s := ring.Snapshot(m)
		for _, gone := range order {
			s, _, _ = ring.Remove(s, gone)
		}
		want := ownersOf(must(m.With(ring.Equal("node-0", "node-2", "node-4"))), 500)
		if got := ownersOf(s, 500); !slices.Equal(got, want) {
			t.Errorf("%q removed: keys differ from a table of the other three", order)
		}
	}
	answersNothing(t, must(m.With(nil)))
}

func TestTrap39JumpBuckets(t *testing.T) {
	for _, n := range []int64{0, -1, 1 << 31, 1 << 40, -1 << 63} {
		var fault *ring.RangeError
		if b, err := ring.JumpBucket(7, n); !errors.As(err, &fault) || *fault != (ring.RangeError{Field: "buckets", Got: n, Min: 1, Max: ring.MaxBuckets}) {
			t.Errorf("JumpBucket(7, %d) = %d, %v; want a *RangeError", n, b, err)
		}
	}
	for _, h := range hashes(1000, 3) {
		if b, err := ring.JumpBucket(h, ring.MaxBuckets); err != nil || b < 0 || b >= ring.MaxBuckets {
			t.Fatalf("JumpBucket(%d, MaxBuckets) = %d, %v", h, b, err)
		}
	}
}

// Only the last bucket may leave: node-10 comes after node-9, though not in the order of letters.
func TestTrap39OnlyTheLastOfJumpLeavesCheaply(t *testing.T) {
	j := must(ring.NewJump(ring.HashConfig{}, ring.Equal(numbered(11)...)))
	h := hashes(20_000, 4)
	for _, v := range []struct {
		gone     string
		needless float64 // of all keys
	}{{"node-10", 0}, {"node-5", .45}, {"node-0", .9}} {
		less, _, err := ring.Remove(j, v.gone)
		if err != nil {
			t.Fatal(err)
		}
		m := ring.Moved(j, less, h, nil)
		near(t, v.gone+" leaves: needless moves", float64(m.Needless)/float64(m.Keys), v.needless, .06)
		if v.needless == 0 && m.Needless != 0 {
			t.Errorf("%s leaves: %d needless moves, want none", v.gone, m.Needless)
		}
	}
}

// A peer returns all nodes, and not ok, for none; another looks for more than there are for ever.
func TestTrap40ManyOwners(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		rapid.Check(t, func(t *rapid.T) {
			members := sets(1).Draw(t, "members")
			s := must(a.build(members))
			key := rapid.String().Draw(t, "key")
			owner, _ := s.Owner(key)
			all := s.Owners(key, len(members)+rapid.IntRange(0, 3).Draw(t, "more"), nil)
			if sorted := slices.Compact(slices.Sorted(slices.Values(all))); len(all) != len(members) || len(sorted) != len(members) || all[0] != owner {
				t.Fatalf("all owners of %q: %q, want %d distinct ones from %s on", key, all, len(members), owner)
			}
			n := rapid.IntRange(-1, len(members)).Draw(t, "n")
			some := s.Owners(key, n, []string{"kept"})
			if some[0] != "kept" || !slices.Equal(some[1:], all[:max(0, n)]) {
				t.Fatalf("%d owners of %q appended to kept: %q, want %q after it", n, key, some, all[:max(0, n)])
			}
			for i, o := range s.OwnersOfHash(s.HashOf(key), n, nil) {
				if s.Member(o).Name != all[i] {
					t.Fatalf("owner %d of %q by hash: %s, want %s", i, key, s.Member(o).Name, all[i])
				}
			}
		})
	})
}
