package ringtest

import (
	"sync"

	"seedbed/chapters/ring"
)

func total[R any](g *Target[R], t *trial) {
	for _, name := range styles {
		members := t.members(t.size(1), name)
		for i, owner := range g.owners(g.build(members), keys) {
			if indexOf(members, owner) < 0 {
				fail("%s belongs to %q, which is not among %s", key(i), owner, show(members))
			}
		}
	}
}

func indexOf(members []ring.Member, name string) int {
	for i, m := range members {
		if m.Name == name {
			return i
		}
	}
	return -1
}

func repeats[R any](g *Target[R], t *trial) {
	members := t.members(t.size(1), styles[t.random.below(len(styles))])
	first := g.build(members)
	want := g.owners(first, keys)
	same(g.owners(first, keys), want, "asked twice, one ring of "+show(members))
	same(g.owners(g.build(members), keys), want, "a second ring of "+show(members))
}

func unordered[R any](g *Target[R], t *trial) {
	for _, name := range styles {
		members := t.members(t.size(2), name)
		want := g.owners(g.build(members), keys)
		other := t.random.shuffle(members)
		same(g.owners(g.build(other), keys), want, "named in the order "+show(other))
	}
}

// historyless changes one ring many times and compares it with fresh ones.
func historyless[R any](g *Target[R], t *trial) {
	for _, name := range styles {
		members := t.members(t.size(2), name)
		r := g.build(members[:1+t.random.below(len(members))])
		for range 4 {
			now := t.some(members)
			r = g.change(r, now)
			same(g.owners(r, keys), g.owners(g.build(now), keys), "after changes, against one built anew of "+show(now))
		}
	}
}

// some chooses at least one member, in random order.
func (t *trial) some(members []ring.Member) []ring.Member {
	return t.random.shuffle(members)[:1+t.random.below(len(members))]
}

func distinct[R any](g *Target[R], t *trial) {
	members := t.members(t.size(1), styles[t.random.below(len(styles))])
	r := g.build(members)
	for i := range keys / 10 {
		owner, _ := g.Owner(r, key(i))
		all := g.Owners(r, key(i), len(members)+3)
		switch {
		case len(all) != len(members):
			fail("%s: %d owners %q of %d members, want all of them", key(i), len(all), all, len(members))
		case all[0] != owner:
			fail("%s: the first of its owners is %s, but %s owns it", key(i), all[0], owner)
		}
		seen := make(map[string]bool)
		for _, name := range all {
			if seen[name] || indexOf(members, name) < 0 {
				fail("%s: owners %q are not distinct members", key(i), all)
			}
			seen[name] = true
		}
		for n := -1; n <= len(members); n++ {
			some := g.Owners(r, key(i), n)
			if len(some) != max(0, n) {
				fail("%s: %d owners were asked for, %d came: %q", key(i), n, len(some), some)
			}
			for j := range some {
				if some[j] != all[j] {
					fail("%s: %d owners are %q, but they begin otherwise when all are asked for: %q", key(i), n, some, all)
				}
			}
		}
	}
}

func empty[R any](g *Target[R], t *trial) {
	members := t.members(t.size(1), styles[0])
	r := g.change(g.build(members), nil)
	for i := range keys / 10 {
		if name, ok := g.Owner(r, key(i)); ok || name != "" {
			fail("%s belongs to %q after the last member left, want no owner", key(i), name)
		}
		if g.Owners != nil {
			if got := g.Owners(r, key(i), 3); len(got) != 0 {
				fail("%s has the owners %q after the last member left, want none", key(i), got)
			}
		}
	}
	for i, owner := range g.owners(g.change(r, members), keys) {
		if indexOf(members, owner) < 0 {
			fail("after the members came back %s belongs to %q, which is not among %s", key(i), owner, show(members))
		}
	}
}

// once gives a name twice, at the start and in a change.
func once[R any](g *Target[R], t *trial) {
	members := t.members(t.size(2), styles[0])
	twice := append(append([]ring.Member(nil), members...), members[t.random.below(len(members))])
	if r, err := g.New(twice); err == nil {
		same(g.owners(r, keys), g.owners(g.build(members), keys), "with a name given twice, against once")
	}
	r := g.build(members)
	want := g.owners(r, keys)
	if next, err := g.With(r, twice); err == nil {
		same(g.owners(next, keys), want, "with a name given twice in a change, against once")
	}
}

func copies[R any](g *Target[R], t *trial) {
	members := t.members(t.size(2), styles[0])
	passed := append([]ring.Member(nil), members...)
	r := g.build(passed)
	want := g.owners(r, keys)
	for i := range passed {
		passed[i] = ring.Member{Name: "spoilt", Weight: 7}
	}
	same(g.owners(r, keys), want, "after the caller's slice was written over")
	more := append([]ring.Member(nil), members...)
	next := g.change(r, more[1:])
	want = g.owners(next, keys)
	more[1] = ring.Member{Name: "spoilt", Weight: 7}
	same(g.owners(next, keys), want, "after the caller's slice of a change was written over")
}

// immutable reads a ring while others are made of it.
func immutable[R any](g *Target[R], t *trial) {
	members := t.members(t.size(2), styles[0])
	r := g.build(members)
	want := g.owners(r, keys)
	why := make(chan string, 4)
	var wait sync.WaitGroup
	for range cap(why) {
		wait.Go(func() {
			why <- attempt(func() { same(g.owners(r, keys), want, "while other rings were made of it") })
		})
	}
	for range 4 {
		g.change(r, t.some(members))
	}
	wait.Wait()
	for range cap(why) {
		if w := <-why; w != "" {
			fail("%s", w)
		}
	}
	same(g.owners(r, keys), want, "after other rings were made of it")
}
