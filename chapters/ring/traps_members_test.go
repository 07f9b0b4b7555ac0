package ring_test

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/ring"
	"seedbed/chapters/ring/ringtest"
)

// Traps are faults that well-known libraries have or had. Their numbers are those of the project's list.

// ownersOf are the names of the owners of some keys, "" for none.
func ownersOf(s ring.Snapshot, keys int) []string {
	out := make([]string, keys)
	for i := range out {
		out[i], _ = s.Owner("key-" + strconv.Itoa(i))
	}
	return out
}

// A peer loops for ever when a name was added twice, another panics on the next removal, a third counts it twice.
func TestTrap26ADuplicateIsRefusedAndAddIsIdempotent(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		_, err := a.build(ring.Equal("a", "b", "a"))
		var fault *ring.NameError
		if !errors.As(err, &fault) || *fault != (ring.NameError{Name: "a", Index: 2, Other: 0}) {
			t.Errorf("built of a, b, a: %v, want a *NameError of members 2 and 0", err)
		}
		s := must(a.build(ring.Equal("a", "b")))
		again, changed, err := ring.Add(s, ring.Member{Name: "a", Weight: 1})
		if again != s || changed || err != nil {
			t.Errorf("a added again: %d members, changed %v, %v; want the same snapshot and no change", again.Len(), changed, err)
		}
		if got := again.Owners("key", 5, nil); len(got) != 2 {
			t.Errorf("owners after a was added again: %q, want two", got)
		}
		less, _, err := ring.Remove(again, "a")
		if err != nil || less.Len() != 1 {
			t.Fatalf("a removed: %d members, %v; want b alone", less.Len(), err)
		}
		if name, _ := less.Owner("key"); name != "b" {
			t.Errorf("owner without a: %q, want b", name)
		}
	})
}

func TestTrap26AnEmptyNameIsRefused(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		_, err := a.build(ring.Equal("a", ""))
		if err == nil || err.Error() != "members[1]: the name is empty; each member needs one" {
			t.Errorf("an empty name: %v", err)
		}
		s := must(a.build(ring.Equal("a")))
		if next, changed, err := ring.Add(s, ring.Member{Weight: 1}); err == nil || changed || next != s {
			t.Errorf("an empty name added: changed %v, %v; want an error and the snapshot as it was", changed, err)
		}
	})
}

// A peer counts one member less after the removal of a stranger, another would remove member 0.
func TestTrap27RemovingAStrangerChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		s := must(a.build(ring.Equal("a", "b", "c")))
		for _, name := range []string{"x", "", "aa"} {
			next, changed, err := ring.Remove(s, name)
			if next != s || changed || err != nil {
				t.Errorf("%q removed: changed %v, %v, %d members; want the same snapshot and no change", name, changed, err, next.Len())
			}
		}
		if got := s.Owners("key", 2, nil); len(got) != 2 {
			t.Errorf("two owners: %q", got)
		}
	})
}

// Peers panic on an empty ring, divide by its size, or hang while they fill a table for nobody.
func TestTrap28TheLastMemberMayLeave(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		for _, none := range [][]ring.Member{nil, {}} {
			var fault *ring.RangeError
			if _, err := a.build(none); !errors.As(err, &fault) || fault.Field != "members" || fault.Min != 1 {
				t.Errorf("built of nobody: %v, want a *RangeError of members from 1 on", err)
			}
		}
		s := must(a.build(ring.Equal("a")))
		empty, changed, err := ring.Remove(s, "a")
		if err != nil || !changed {
			t.Fatalf("the last removed: changed %v, %v", changed, err)
		}
		answersNothing(t, empty)
		back, _, err := ring.Add(empty, ring.Member{Name: "b", Weight: 1})
		if err != nil {
			t.Fatal(err)
		}
		if name, ok := back.Owner("key"); name != "b" || !ok {
			t.Errorf("owner after b came to the empty ring: %q, %v; want b", name, ok)
		}
	})
}

func TestTrap28ZeroValuesAnswerNothing(t *testing.T) {
	for _, s := range []ring.Snapshot{&ring.Ring{}, &ring.Ketama{}, &ring.Rendezvous{}, &ring.Jump{}, &ring.Maglev{}, &ring.MultiProbe{},
		&ring.Anchor{}, &ring.Modulo{}} {
		answersNothing(t, s)
		answersNothing(t, must(s.With(nil)))
		next, err := s.With(ring.Equal("a", "b"))
		if err != nil {
			t.Errorf("%T: With on a zero value: %v", s, err)
			continue
		}
		if _, ok := next.Owner("key"); !ok || next.Len() != 2 {
			t.Errorf("%T: after With on a zero value: %d members, owner %v; want 2, true", s, next.Len(), ok)
		}
	}
	var a ring.Atomic
	if name, ok := a.Owner("key"); name != "" || ok || a.Load() != nil {
		t.Errorf("a zero Atomic: %q, %v", name, ok)
	}
	if _, err := a.Add(ring.Member{Name: "a", Weight: 1}); !errors.Is(err, ring.ErrNoSnapshot) {
		t.Errorf("Add to a zero Atomic: %v, want ErrNoSnapshot", err)
	}
}

func answersNothing(t *testing.T, s ring.Snapshot) {
	t.Helper()
	name, ok := s.Owner("key")
	names := s.Owners("key", 3, nil)
	indexes := s.OwnersOfHash(s.HashOf("key"), 3, nil)
	if name != "" || ok || len(names) > 0 || s.OwnerOfHash(7) != -1 || len(indexes) > 0 || s.Len() != 0 {
		t.Errorf("%T without members: owner %q, %v, owners %q %v, index %d, %d members; want nothing", s, name, ok, names, indexes,
			s.OwnerOfHash(7), s.Len())
	}
	l := must(ring.NewLoads(ring.LoadsConfig{Epsilon: 1}, s))
	var full *ring.FullError
	if p, err := l.Place(7); !errors.As(err, &full) || p.Member != -1 || err.Error() != "place: there are no members" {
		t.Errorf("%T without members: Place %+v, %v", s, p, err)
	}
}

// A peer's Remove always panics: it swaps with the last one and then reads past the end.
func TestTrap29AnyMemberMayLeave(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		names := []string{"a", "b", "c"}
		s := must(a.build(ring.Equal(names...)))
		for at, gone := range names {
			next, changed, err := ring.Remove(s, gone)
			if err != nil || !changed || next.Len() != 2 {
				t.Fatalf("%s removed: %d members, changed %v, %v", gone, next.Len(), changed, err)
			}
			rest := slices.Delete(slices.Clone(names), at, at+1)
			for _, owner := range ownersOf(next, 100) {
				if !slices.Contains(rest, owner) {
					t.Errorf("without %s: a key belongs to %q", gone, owner)
				}
			}
		}
	})
}

// In a peer, after a, 1a and b came and 1a left, 694 of 100,000 keys differ from a ring that never knew it.
func TestTrap31NamesCannotBeMistakenForOneAnother(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		if a.claims&ringtest.Historyless == 0 {
			return // Anchor: what came and went counts by design, and names do not
		}
		for _, names := range [][]string{{"a", "1a"}, {"a", "11a", "1a"}, {"b1", "b"}, {"10.0.0.1", "10.0.0.11"}, {"a-1", "a"}, {"a", "a-1-1"}} {
			var s ring.Snapshot
			for i, name := range names {
				if i == 0 {
					s = must(a.build(ring.Equal(name)))
				} else {
					s, _, _ = ring.Add(s, ring.Member{Name: name, Weight: 1})
				}
			}
			s, _, err := ring.Remove(s, names[len(names)-1])
			if err != nil {
				t.Fatal(err)
			}
			fresh := must(a.build(ring.Equal(names[:len(names)-1]...)))
			if got, want := ownersOf(s, 100_000/len(algorithms)), ownersOf(fresh, 100_000/len(algorithms)); !slices.Equal(got, want) {
				t.Errorf("%q came and the last of them left: keys differ from a fresh one", names)
			}
		}
	})
}

func TestTrap31NoTwoNamesShareAPoint(t *testing.T) {
	r := must(ring.New(ring.Config{Points: 2000}, ring.Equal("1", "1a", "11", "a", "11a", "a1", "a11", "111", "")[:8]))
	for i := 1; i < r.Points(); i++ {
		a, from := r.Point(i - 1)
		b, to := r.Point(i)
		if a == b {
			t.Errorf("%s and %s share the point %#x", r.Member(from).Name, r.Member(to).Name, a)
		}
	}
}

// sets draws a set of members from a small world of names, some of which run together.
func sets(least int) *rapid.Generator[[]ring.Member] {
	world := []string{"1", "1a", "11", "a", "11a", "a1", "b", "b1", "node-1", "node-2", "node-10", "10.0.0.1:11211", "10.0.0.2:11211"}
	return rapid.Custom(func(t *rapid.T) []ring.Member {
		names := rapid.Permutation(world).Draw(t, "names")
		return ring.Equal(names[:rapid.IntRange(least, len(world)).Draw(t, "members")]...)
	})
}

// A peer's owners depend on the order of insertion where points collide; another's on what has come and gone.
func TestTrap32OrderHistoryAndRestartChangeNothing(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		rapid.Check(t, func(t *rapid.T) {
			first, last := sets(1).Draw(t, "first"), sets(1).Draw(t, "last")
			fresh := must(a.build(last))
			want := ownersOf(fresh, 200)
			if got := ownersOf(must(a.build(rapid.Permutation(last).Draw(t, "order"))), 200); !slices.Equal(got, want) {
				t.Fatalf("%v in another order: keys differ", last)
			}
			through := sets(0).Draw(t, "through")
			changed := func() ring.Snapshot { return must(must(must(a.build(first)).With(through)).With(last)) }
			if a.claims&ringtest.Historyless == 0 {
				// Anchor depends on its history, and on nothing else.
				want = ownersOf(changed(), 200)
			}
			if got := ownersOf(changed(), 200); !slices.Equal(got, want) {
				t.Fatalf("from %v through %v to %v: keys differ from what they should be", first, through, last)
			}
		})
	})
}

// A peer divides by zero with no replicas; another counts a member of weight 0 as one that owns keys.
func TestTrap33NoPointsAndNoWeight(t *testing.T) {
	if got := must(ring.New(ring.Config{Points: 0}, ring.Equal("a"))).Points(); got != ring.DefaultPoints {
		t.Errorf("Points 0: %d points, want the default %d", got, ring.DefaultPoints)
	}
	if _, err := ring.New(ring.Config{Points: -1}, ring.Equal("a")); err == nil || err.Error() != "points: -1 is outside 0..16777216" {
		t.Errorf("Points -1: %v", err)
	}
	// A weight that rounds to no points still has one: it is a member, and members are eligible.
	if got := must(ring.New(ring.Config{Points: 1, Unit: 100}, []ring.Member{{"a", 1}, {"b", 100}})).Points(); got != 2 {
		t.Errorf("a weight of a hundredth of a point: %d points in all, want 2", got)
	}
	_, err := ring.New(ring.Config{Points: ring.MaxPoints}, []ring.Member{{"a", ring.MaxWeight}, {"b", 1}})
	if err == nil || err.Error() != "points of all members: 16777232777216 is outside 0..16777216" {
		t.Errorf("more points than there may be: %v", err)
	}
	each(t, func(t *testing.T, a algorithm) {
		s := must(a.build(ring.Equal("a", "b")))
		for _, weight := range []int64{0, -1, -1 << 63, ring.MaxWeight + 1} {
			var fault *ring.RangeError
			_, err := a.build([]ring.Member{{"a", 1}, {"b", weight}})
			if !errors.As(err, &fault) || *fault != (ring.RangeError{Field: "weight of b", Got: weight, Min: 1, Max: ring.MaxWeight}) {
				t.Errorf("weight %d: %v, want a *RangeError of b's weight", weight, err)
			}
			next, changed, err := ring.Add(s, ring.Member{Name: "c", Weight: weight})
			if err == nil || changed || next.Len() != 2 {
				t.Errorf("c added with weight %d: %d members, changed %v, %v; want an error and two members", weight, next.Len(), changed, err)
			}
		}
	})
}

// In a peer, a map that the caller wrote to later made the next addition a silent no-op.
func TestTrap34WhatIsPassedInIsCopied(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		mine := ring.Equal("a", "b", "c")
		s := must(a.build(mine))
		want := ownersOf(s, 200)
		mine[0], mine[1] = ring.Member{Name: "x", Weight: 9}, ring.Member{}
		theirs := s.Members()
		theirs[0], theirs[2] = ring.Member{Name: "y", Weight: 9}, ring.Member{}
		if got := ownersOf(s, 200); !slices.Equal(got, want) || s.Member(0).Name != "a" {
			t.Error("a slice that was passed in or handed out was written to, and owners changed")
		}
		next, changed, err := ring.Add(s, ring.Member{Name: "x", Weight: 1})
		if err != nil || !changed || next.Len() != 4 {
			t.Errorf("x added afterwards: %d members, changed %v, %v; want 4", next.Len(), changed, err)
		}
	})
}
