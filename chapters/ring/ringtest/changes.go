package ringtest

import (
	"fmt"
	"math"

	"seedbed/chapters/ring"
)

// moves adds up what changes do over all trials of a claim.
type moves struct {
	keys, needless int64
	such           string // the first needless move
}

// count compares owners before and after a change; reason tells whether a move has one. When no needless move is allowed the first
// one ends the trial, which shows it best.
func (g *Target[R]) count(t *trial, before, after []string, what string, reason func(from, to string) bool) {
	needless, first := 0, 0
	for i := range before {
		if before[i] != after[i] && !reason(before[i], after[i]) {
			if needless == 0 {
				first = i
			}
			needless++
		}
	}
	such := fmt.Sprintf("%s, from %s to %s", key(first), before[first], after[first])
	if needless > 0 && g.Needless == 0 {
		fail("%s, %d of %d keys moved without a reason; such as %s", what, needless, len(before), such)
	}
	t.moves.keys += int64(len(before))
	t.moves.needless += int64(needless)
	if needless > 0 && t.moves.such == "" {
		t.moves.such = such
	}
}

func minimal[R any](g *Target[R], t *trial) {
	for _, name := range styles {
		if g.LastOnly {
			name = styles[0]
		}
		members := t.members(t.size(2), name)
		at := t.random.below(len(members))
		if g.LastOnly {
			at = len(members) - 1
		}
		one := members[at].Name
		without := append(append([]ring.Member(nil), members[:at]...), members[at+1:]...)

		r := g.build(members)
		before := g.owners(r, keys)
		r = g.change(r, without)
		after := g.owners(r, keys)
		g.count(t, before, after, fmt.Sprintf("with %d members and then without %s", len(members), one),
			func(from, _ string) bool { return from == one })
		back := g.owners(g.change(r, members), keys)
		g.count(t, after, back, fmt.Sprintf("with %d members and then with %s", len(without), one),
			func(_, to string) bool { return to == one })

		fewer, more := g.owners(g.build(without), keys), g.owners(g.change(g.build(without), members), keys)
		g.count(t, fewer, more, fmt.Sprintf("with %d members, built anew, and then with %s", len(without), one),
			func(_, to string) bool { return to == one })
	}
}

func heirs[R any](g *Target[R], t *trial) {
	members := t.members(t.size(2), styles[t.random.below(len(styles))])
	r := g.build(members)
	type will struct{ first, second string }
	wills := make([]will, keys)
	for i := range wills {
		o := g.Owners(r, key(i), 2)
		if len(o) != 2 {
			fail("%s: owners %q of %d members, want two", key(i), o, len(members))
		}
		wills[i] = will{o[0], o[1]}
	}
	for at, gone := range members {
		next := g.build(append(append([]ring.Member(nil), members[:at]...), members[at+1:]...))
		for i, w := range wills {
			if owner, _ := g.Owner(next, key(i)); w.first == gone.Name && owner != w.second {
				fail("%s: its owners were %s and %s; without %s it belongs to %s", key(i), w.first, w.second, gone.Name, owner)
			}
		}
	}
}

// perMember is how many keys for each member Even and Weighted look at: chance then varies shares by a fiftieth.
const perMember = 2500

// shares counts keys by member.
func (g *Target[R]) shares(members []ring.Member) []float64 {
	counts := make([]float64, len(members))
	for i, owner := range g.owners(g.build(members), perMember*len(members)) {
		at := indexOf(members, owner)
		if at < 0 {
			fail("%s belongs to %q, which is not among %s", key(i), owner, show(members))
		}
		counts[at]++
	}
	return counts
}

// even compares the spread with the bar, and what chance adds to it: √(1/keys for each member).
func even[R any](g *Target[R], t *trial) {
	n := max(2, g.Members)
	members := t.members(n, styles[t.random.below(2)])
	var squares float64
	for _, c := range g.shares(members) {
		squares += (c/perMember - 1) * (c/perMember - 1)
	}
	got := math.Sqrt(squares / float64(n))
	bar := float64(g.Spread) / 1e6
	// The spread of n shares is itself uncertain by about 1/√(2n) of it: three times that is allowed.
	most := math.Sqrt(bar*bar+1.0/perMember) * (1 + 3/math.Sqrt(2*float64(n)))
	if got > most {
		fail("the shares of %d members vary by %.4f of the mean, at most %.4f is promised and %.4f within the noise", n, got, bar, most)
	}
}

// weighted gives members the weights 1, 2, 3, 4, and then more to one of them.
func weighted[R any](g *Target[R], t *trial) {
	n := max(4, t.size(4))
	members := t.members(n, styles[t.random.below(2)])
	total := 0.0
	for i := range members {
		members[i].Weight = int64(i%4) + 1
		total += float64(members[i].Weight)
	}
	slack := 0.1
	if g.Spread > 0 {
		slack += 4 * float64(g.Spread) / 1e6
	}
	for i, c := range g.shares(members) {
		want := float64(members[i].Weight) / total
		if got := c / float64(perMember*n); math.Abs(got/want-1) > slack {
			fail("%s has %.4f of the keys with weight %d of %.0f, want %.4f within %.0f %%", members[i].Name, got, members[i].Weight,
				total, want, slack*100)
		}
	}
	r := g.build(members)
	before := g.owners(r, keys)
	at := t.random.below(n)
	raised := append([]ring.Member(nil), members...)
	raised[at].Weight *= 3
	g.count(t, before, g.owners(g.change(r, raised), keys), "with the weight of "+raised[at].Name+" tripled",
		func(_, to string) bool { return to == raised[at].Name })
}
