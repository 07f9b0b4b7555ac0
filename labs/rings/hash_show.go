package rings

import (
	"seedbed/chapters/ring"
	"seedbed/labs"
)

// show brings the levels of the nodes up to date and, once all keys lie, holds the fullest to the bound.
func (s *hashRing) show(env *labs.Env) {
	snapshot := s.all[s.use]
	for i := range s.shown {
		env.Set(hashColumnNode+i, 0)
	}
	s.fullest = 0
	at := 0
	for i, n := range s.loads {
		if n > s.fullest {
			s.fullest, at = n, i
		}
		if k := number(snapshot.Member(i).Name); k < s.shown {
			env.Set(hashColumnNode+k, n)
		}
	}
	env.Set(hashColumnFullest, s.fullest)
	most := capOf(int64(len(s.keys)), int64(len(s.loads)), s.bound)
	if s.placed == len(s.keys) && s.fullest > most {
		env.Fail(checkBounded, int64(s.placed), s.fullest, most, int64(number(snapshot.Member(at).Name)+1))
	}
}

// number is the place of a node among all that ever were, from its name, counted from 0.
func number(name string) int {
	n := 0
	for _, c := range name[len("node-"):] {
		n = 10*n + int(c-'0')
	}
	return n - 1
}

// draw tells what the ring looks like from now on: the arcs, where there are arcs and few enough to see, and a sample of keys, each
// with its owner and whether it has moved since before.
func (s *hashRing) draw(env *labs.Env, before ring.Snapshot) {
	if s.shown == 0 {
		return
	}
	var marks []int64
	snapshot := s.all[s.use]
	if r, ok := snapshot.(*ring.Ring); ok {
		marks = arcs(r, numbered(r))
	}
	step := max(1, len(s.keys)/ticks)
	for i := 0; i < len(s.keys); i += step {
		h := s.keys[i]
		owner := snapshot.Member(snapshot.OwnerOfHash(h)).Name
		what := int64(labs.KeyStays)
		if before != nil {
			if was := before.Member(before.OwnerOfHash(h)).Name; was != owner {
				what = labs.KeyMoved
				if has(snapshot, was) && has(before, owner) {
					what = labs.KeyMisled
				}
			}
		}
		marks = append(marks, int64(h>>32), int64(entityNode+number(owner)), what)
	}
	env.Shape(entityRing, marks)
}

// arcs are the stretches of the circle that belong to one node, as owner tells it of a point and its member; -1 is nobody. A point owns
// what lies before it, back to the point before.
func arcs(r *ring.Ring, owner func(at uint64, member int) int) (marks []int64) {
	n := r.Points()
	last := -2
	for i := range n {
		at, member := r.Point(i)
		now := owner(at, member)
		if now == last {
			continue
		}
		last = now
		entity := int64(-1)
		if now >= 0 {
			entity = int64(entityNode + now)
		}
		from, _ := r.Point((i + n - 1) % n)
		marks = append(marks, int64(from>>32), entity, labs.ArcStart)
	}
	return marks
}

// numbered is the owner by the name of a point's member.
func numbered(r *ring.Ring) func(at uint64, member int) int {
	return func(_ uint64, member int) int { return number(r.Member(member).Name) }
}

// Finish measures.
func (s *hashRing) Finish(env *labs.Env) {
	n := int64(len(s.members))
	spread := ring.SpreadOf(s.loads, nil)
	for i, v := range [...]int64{int64(s.placed), n, s.moved, s.needless, 1_000_000 / n, spread.Max, spread.CV} {
		env.Metric(i, v)
	}
	for w := range s.all {
		fullest := spread.Max
		if w != s.use {
			loads := countOwners(s.shadows[w], s.all[w].Len())
			if s.shadows[w] == nil {
				loads = ring.CountOwned(s.all[w], s.sample, nil)
			}
			fullest = ring.SpreadOf(loads, nil).Max
		}
		env.Metric(hashEach+3*w, s.shadowMoved[w])
		env.Metric(hashEach+3*w+1, fullest)
		env.Metric(hashEach+3*w+2, int64(s.all[w].Size()))
	}
}

// Clone copies the run.
func (s *hashRing) Clone() labs.State {
	c := *s
	c.loads = append([]int64(nil), s.loads...)
	c.where = append([]int32(nil), s.where...)
	if s.use == wayBounded {
		c.bounded = s.bounded.Clone()
	}
	return &c
}

// Bytes is what a clone costs: keys, their owners, members and snapshots are shared.
func (s *hashRing) Bytes() int { return 1000 + 16*len(s.loads) + 4*len(s.where) }
