package rings

import (
	"slices"

	"seedbed/chapters/ring"
	"seedbed/labs"
)

// The verbs of weighted-ring.
const (
	verbPower = iota
	verbLoad
	verbKill
	verbRevive
)

// Act makes a machine weaker or stronger, adds load, or lets a machine go or come back.
func (s *weighted) Act(env *labs.Env, do labs.Do) {
	if do.Verb == verbLoad {
		s.arrivals.Rate = s.rate * (do.Value / 1000) / 1000
		return
	}
	i := number(do.Target)
	if do.Verb == verbPower {
		s.lack[resourceCPU][i] = min(leastPower, s.fit[i]*1_000_000/do.Value)
		return
	}
	if s.down[i] == (do.Verb == verbKill) || do.Verb == verbKill && s.ways[0].ring.Len() == 1 {
		env.Emit(weightedRefuse, entityRing, int64(s.ways[0].ring.Len()), 0)
		return
	}
	s.down[i] = do.Verb == verbKill
	s.change(env)
}

// change takes every way over to the machines that are up. One that comes back starts with the normal weight.
func (s *weighted) change(env *labs.Env) {
	var names []string
	for i, name := range s.names {
		if !s.down[i] {
			names = append(names, name)
		}
	}
	for k := range s.ways {
		w := &s.ways[k]
		if err := w.weigher.Rebase(names); err != nil {
			panic("rings: weighted-ring: " + err.Error())
		}
		s.turn(env, k, w.weigher.Members())
		for m := range names {
			w.level[w.node[m]] = w.weigher.Level(m)
		}
	}
	s.show(env)
}

// show brings the weights up to date.
func (s *weighted) show(env *labs.Env) {
	w := &s.ways[s.judged]
	for i := range s.nodes {
		if s.down[i] {
			env.Set(weightedColumn(i, weightedColumnWeight), 0)
			env.Set(weightedColumn(i, weightedColumnUse), 0)
		}
	}
	for m := range w.ring.Len() {
		env.Set(weightedColumn(int(w.node[m]), weightedColumnWeight), w.ring.Member(m).Weight*(1_000_000/unit))
	}
}

// draw tells what the ring looks like from now on.
func (s *weighted) draw(env *labs.Env, before ring.Snapshot) {
	snapshot := s.ways[s.judged].ring
	r := snapshot.(*ring.Ring)
	marks := arcs(r, numbered(r))
	step := max(1, len(s.keys)/ticks)
	for i := 0; i < len(s.keys); i += step {
		h := s.keys[i]
		owner := snapshot.Member(snapshot.OwnerOfHash(h)).Name
		what := int64(labs.KeyStays)
		if before != nil && before.Member(before.OwnerOfHash(h)).Name != owner {
			what = labs.KeyMoved // a weight gives it a reason
		}
		marks = append(marks, int64(h>>32), int64(entityNode+number(owner)), what)
	}
	env.Shape(entityRing, marks)
}

// Finish measures. What halving a weight does follows from the share alone: of n machines one has 1/n, with the weight w it has
// w/(n − 1 + w).
func (s *weighted) Finish(env *labs.Env) {
	n := int64(s.nodes)
	j := &s.ways[s.judged]
	halved := s.hot * s.busy * n / ((n-1)*1_000_000 + s.busy)
	for i, v := range [...]int64{s.requests, halved, j.moved * 1_000_000 / int64(len(s.keys)), j.owned[s.hotNode] * 1_000_000 / int64(len(s.keys))} {
		env.Metric(i, v)
	}
	for k := range s.ways {
		w := &s.ways[k]
		for i, v := range [...]int64{w.hot, w.hottest, w.changes, w.flaps, w.misses} {
			env.Metric(weightedEach+5*k+i, v)
		}
	}
}

// Clone copies the run.
func (s *weighted) Clone() labs.State {
	c := *s
	for k := range c.ways {
		w := &c.ways[k]
		w.weigher, w.where = w.weigher.Clone(), slices.Clone(w.where)
	}
	return &c
}

// Bytes is what a clone costs: keys, names and snapshots are shared.
func (s *weighted) Bytes() int { return 8000 + len(s.ways)*(len(s.keys)+s.ways[0].weigher.Size()) }
