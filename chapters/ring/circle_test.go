package ring

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// In peers the point of a collision belongs to who came last, so that owners depend on the order of insertion, and the removal of one
// member takes the other's point away. Real hashes of 64 bits do not collide; these points are laid on few places so that nearly all do.

// laid is a point as the dumb twin knows it.
type laid struct {
	hash   uint64
	member string
	index  int
}

// crowd draws members and how many places there are on their circle.
type crowd struct {
	names  []string // in order
	points int
	places uint64
}

func crowds() *rapid.Generator[crowd] {
	return rapid.Custom(func(t *rapid.T) crowd {
		names := []string{"1", "11", "1a", "a", "b", "c", "d", "e"}
		names = rapid.Permutation(names).Draw(t, "names")[:rapid.IntRange(1, 8).Draw(t, "members")]
		slices.Sort(names)
		return crowd{names, rapid.IntRange(1, 60).Draw(t, "points"), rapid.SampledFrom([]uint64{1, 2, 3, 16, 1 << 40}).Draw(t, "places")}
	})
}

// at is where a point lies: one of the places, the first at 0 and the last at all ones.
func (c *crowd) at(name string, k int) uint64 {
	place := pointHash(nameHash(0, name), k) % c.places
	if c.places == 1 {
		return ^uint64(0)
	}
	return place * (^uint64(0) / (c.places - 1))
}

func (c *crowd) circle() circle {
	return newCircle(len(c.names), func(int) int { return c.points }, func(i, k int) uint64 { return c.at(c.names[i], k) })
}

// sorted is the dumb twin: all points, sorted as the contract says.
func (c *crowd) sorted() []laid {
	var all []laid
	for _, name := range c.names {
		for k := range c.points {
			all = append(all, laid{c.at(name, k), name, k})
		}
	}
	slices.SortFunc(all, func(a, b laid) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.member, b.member), cmp.Compare(a.index, b.index))
	})
	return all
}

// walk lists the distinct members from a hash on, by a scan from the start.
func walk(all []laid, h uint64) []string {
	first := slices.IndexFunc(all, func(p laid) bool { return p.hash >= h })
	if first < 0 {
		first = 0
	}
	var owners []string
	for i := range all {
		if name := all[(first+i)%len(all)].member; !slices.Contains(owners, name) {
			owners = append(owners, name)
		}
	}
	return owners
}

func TestTrap30CollisionsAreInTotalOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := crowds().Draw(t, "crowd")
		got, all := c.circle(), c.sorted()
		if got.points() != len(all) {
			t.Fatalf("%d points, want %d", got.points(), len(all))
		}
		for i, p := range all {
			if got.hashes[i] != p.hash || c.names[got.owners[i]] != p.member {
				t.Fatalf("point %d: %d of %s, want %d of %s", i, got.hashes[i], c.names[got.owners[i]], p.hash, p.member)
			}
		}
		// Keys at, before and after points, and anywhere.
		p := all[rapid.IntRange(0, len(all)-1).Draw(t, "near")].hash
		for _, h := range []uint64{p, p - 1, p + 1, 0, ^uint64(0), rapid.Uint64().Draw(t, "hash")} {
			want := walk(all, h)
			if o := got.owner(h); c.names[o] != want[0] {
				t.Fatalf("owner of %d: %s, want %s", h, c.names[o], want[0])
			}
			var names []string
			for _, o := range got.walk(h, len(c.names)+1, nil) {
				names = append(names, c.names[o])
			}
			if !slices.Equal(names, want) {
				t.Fatalf("owners of %d: %q, want %q", h, names, want)
			}
		}
	})
}

func TestTrap30RemovingOneMemberTakesNoOthersPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := crowds().Draw(t, "crowd")
		gone := rapid.IntRange(0, len(c.names)-1).Draw(t, "gone")
		less := c
		less.names = slices.Delete(slices.Clone(c.names), gone, gone+1)
		if len(less.names) == 0 {
			if empty := less.circle(); empty.owner(7) != -1 || len(empty.walk(7, 3, nil)) != 0 {
				t.Fatal("a circle without points has an owner")
			}
			return
		}
		before, after := c.circle(), less.circle()
		if after.points() != before.points()-c.points {
			t.Fatalf("%d points after the removal of %d of %d", after.points(), c.points, before.points())
		}
		for range 20 {
			h := rapid.Uint64().Draw(t, "hash")
			was, is := c.names[before.owner(h)], less.names[after.owner(h)]
			if was != is && was != c.names[gone] {
				t.Fatalf("without %s the owner of %d is %s instead of %s", c.names[gone], h, is, was)
			}
		}
	})
}

// Points that crowd into one entry of the table are sorted another way.
func TestManyPointsInOnePlaceAreSorted(t *testing.T) {
	c := newCircle(3, func(int) int { return 100 }, func(i, k int) uint64 { return uint64((k*7919 + i) % 100) })
	if !slices.IsSorted(c.hashes) {
		t.Error("points are not in order of hash")
	}
	for i := 1; i < c.points(); i++ {
		if c.hashes[i] == c.hashes[i-1] && c.owners[i] < c.owners[i-1] {
			t.Errorf("points %d and %d have one hash, but members %d and %d", i-1, i, c.owners[i-1], c.owners[i])
		}
	}
}

func TestArcsAddUpToOneTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := crowds().Draw(t, "crowd")
		circle := c.circle()
		arcs := circle.arcs(len(c.names), nil)
		if circle.alone() {
			if arcs[circle.owners[0]] != ^uint64(0) {
				t.Fatalf("one member has all points and an arc of %d", arcs[circle.owners[0]])
			}
			return
		}
		sum := uint64(0)
		for _, a := range arcs {
			sum += a
		}
		if sum != 0 { // 2^64
			t.Fatalf("arcs add up to %d more than a turn", sum)
		}
	})
}
