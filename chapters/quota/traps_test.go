package quota_test

import (
	"testing"

	"seedbed/chapters/quota"
)

// highest plays a story with many seeds and returns the most that was ever spent in one period.
func highest(story func(seed uint64) *world) int64 {
	top := int64(0)
	for seed := range uint64(40) {
		top = max(top, story(seed).most())
	}
	return top
}

// TestTrap25TheBound (eliza#15409, gubernator#208): nodes crash and lose what they counted, answers are lost, the coordinator is away for a
// while and comes back with its log, and each node has a reserve. In no period more than the limit is spent, and nearly all of it is.
func TestTrap25TheBound(t *testing.T) {
	story := func(seed uint64) *world {
		w := newWorld(seed, 10, drift)
		w.early = seed%2 == 0
		p, away := newPool(30), false
		w.ask = func(int) *quota.Pool {
			if away {
				return nil
			}
			return p
		}
		for range 20 {
			w.run(w.now + w.r.Int64N(second/2))
			i := w.r.IntN(len(w.nodes))
			switch w.r.IntN(4) {
			case 0: // a crash: a new process with the same name, which knows nothing of what it has spent
				n := &w.nodes[i]
				n.Spender, n.due = w.spender(uint64(i)), 0
				n.RecoverAt(n.at(w.now))
			case 1:
				away = !away
			case 2: // another coordinator, with all that was granted
				replica := p.Clone()
				p = &replica
				p.TakeOverAt(w.clock.at(w.now), p.Term()+1, true, 0)
			}
		}
		return w
	}
	if got := highest(story); got > limit || got < limit*9/10 {
		t.Errorf("%d were spent in one period, want at most %d, and nearly that", got, limit)
	}
}

// TestTrap25WhatBreaksIt: the same nodes, and one precaution less each time. The search that finds these would find the like above.
func TestTrap25WhatBreaksIt(t *testing.T) {
	one := func(w *world, p *quota.Pool) *world {
		w.ask = func(int) *quota.Pool { return p }
		w.run(5 * second)
		return w
	}
	for name, c := range map[string]struct {
		story    func(seed uint64) *world
		low, top int64
	}{
		"spent grants are given back as unspent": {func(seed uint64) *world {
			w := newWorld(seed, 0, drift)
			w.forgets = true
			return one(w, newPool(0))
		}, limit + 20, 1 << 40},
		"clocks are trusted":                    {func(seed uint64) *world { return one(newWorld(seed, 0, 0), newPool(0)) }, limit + 1, 2 * limit},
		"reserves are not taken off beforehand": {func(seed uint64) *world { return one(newWorld(seed, 10, drift), newPool(0)) }, limit + 20, limit + 30},
		"and with all precautions":              {func(seed uint64) *world { return one(newWorld(seed, 10, drift), newPool(30)) }, limit * 9 / 10, limit},
	} {
		if got := highest(c.story); got < c.low || got > c.top {
			t.Errorf("%s: at most %d were spent in a period, want %d..%d", name, got, c.low, c.top)
		}
	}
}

// TestTrap25SplitBrain: with k coordinators that do not know of each other up to k limits are spent, and no more: two after a promotion while the
// old one goes on, three after two promotions. The notes' 300 percent need three issuers.
func TestTrap25SplitBrain(t *testing.T) {
	for k := 1; k <= 3; k++ {
		got := highest(func(seed uint64) *world {
			w := newWorld(seed, 0, drift)
			primary := newPool(0)
			pools := []*quota.Pool{primary, primary, primary}
			for i := 1; i < k; i++ { // promoted with nothing of what was granted
				replica := primary.Clone()
				pools[i] = &replica
			}
			w.ask = func(node int) *quota.Pool { return pools[node] }
			w.run(5 * second)
			return w
		})
		if got > int64(k)*limit || got < int64(k)*limit*9/10 {
			t.Errorf("%d issuers: %d were spent in one period, want at most %d, and nearly that", k, got, k*limit)
		}
	}
}

// TestTrap71DeposedLeader: quota issued by a leader that was voted out counts until it is over. It goes on granting for two election time-outs,
// to nodes that have not heard of the new one. The new one has none of its log: if it says that it does not know, it waits, and in no
// period more than the limit is spent; if it believes to know, it grants on top of what still runs.
func TestTrap71DeposedLeader(t *testing.T) {
	const elected, deposed = 2500 * ms, 2500*ms + 600*ms // two time-outs of 300 ms
	story := func(honest bool) func(seed uint64) *world {
		return func(seed uint64) *world {
			w := newWorld(seed, 0, drift)
			w.early = seed%2 == 0
			old := newPool(0)
			fresh := old.Clone()
			w.ask = func(node int) *quota.Pool {
				switch {
				case w.now >= elected && node == 2, w.now >= deposed:
					return &fresh
				}
				return old
			}
			w.run(elected)
			at := w.clock.at(w.now)
			if !fresh.TakeOverAt(at, 2, !honest, at+2*(deposed-elected)) { // clocks may be off
				t.Fatal("a new term was refused")
			}
			w.run(8 * second)
			return w
		}
	}
	if got := highest(story(true)); got > limit || got < limit*9/10 {
		t.Errorf("%d were spent in one period, want at most %d, and nearly that", got, limit)
	}
	if got := highest(story(false)); got <= limit {
		t.Errorf("believing to know: %d, want more than %d, or the test above looks at nothing", got, limit)
	}
}
