package picture

import (
	"slices"

	"seedbed/labs"
	"seedbed/web/text"
)

// ring is a ring at the telling instant: who owns which stretch of the circle, and keys with what became of them. Places are shares of
// a turn, from the top, clockwise. web/client/lab/ring.ts reads the same shapes.
type ring struct {
	entity *labs.Entity
	at     int64 // since when it is so
	nodes  []int // of the layout's entities: those that the ring leads to
	arcs   []arc
	keys   []ringKey
	before map[int]bool // who was in one of the circles before
	share  map[int]float64
	moved  int
	misled int
}

type arc struct {
	from, to float64 // to is above from; the last one may end above 1
	owner    int     // index of the entity, -1 for nobody
}

type ringKey struct {
	place float64
	owner int
	was   int // its owner in the circle before, the same where there was none
	what  int64
}

const turn = 1 << 32

// findRing returns the layout's ring as it is at an instant; nil when it has none that tells what it looks like inside.
func (s *scene) findRing(at int64) *ring {
	i := slices.IndexFunc(s.Layout.Entities, func(e labs.Entity) bool { return e.Kind == labs.Ring })
	if i < 0 {
		return nil
	}
	r := &ring{entity: &s.Layout.Entities[i], before: map[int]bool{}}
	for _, k := range s.Layout.Links {
		if to := s.Layout.Entity(k.To); k.From == r.entity.Name && to >= 0 && s.Layout.Entities[to].Kind == labs.Node && !slices.Contains(r.nodes, to) {
			r.nodes = append(r.nodes, to)
		}
	}
	found := false
	for k := range s.Trace.Shapes {
		if h := &s.Trace.Shapes[k]; h.Entity == i && (h.At <= at || !found) {
			r.read(h, found)
			found = true
		}
	}
	if !found || len(r.nodes) == 0 {
		return nil
	}
	return r
}

// read takes over a shape; another was there before or not.
func (r *ring) read(h *labs.Shape, again bool) {
	was := map[int64]int{}
	if again {
		for _, k := range r.keys {
			was[int64(k.place*turn)] = k.owner
		}
		for owner := range r.share {
			r.before[owner] = true
		}
	}
	r.at = h.At
	r.arcs, r.keys, r.share, r.moved, r.misled = nil, nil, map[int]float64{}, 0, 0
	for i := 0; i+2 < len(h.Values); i += 3 {
		place, owner, what := float64(h.Values[i])/turn, int(h.Values[i+1]), h.Values[i+2]
		if what == labs.ArcStart {
			r.arcs = append(r.arcs, arc{from: place, owner: owner})
			continue
		}
		k := ringKey{place: place, owner: owner, was: owner, what: what}
		if before, ok := was[h.Values[i]]; ok {
			k.was = before
		}
		r.keys = append(r.keys, k)
		if what != labs.KeyStays {
			r.moved++
		}
		if what == labs.KeyMisled {
			r.misled++
		}
	}
	slices.SortStableFunc(r.arcs, func(a, b arc) int {
		switch {
		case a.from < b.from:
			return -1
		case a.from > b.from:
			return 1
		}
		return 0
	})
	for i := range r.arcs {
		if i+1 < len(r.arcs) {
			r.arcs[i].to = r.arcs[i+1].from
		} else {
			r.arcs[i].to = r.arcs[0].from + 1
		}
		r.share[r.arcs[i].owner] += r.arcs[i].to - r.arcs[i].from
	}
	for _, k := range r.keys {
		if len(r.arcs) == 0 {
			r.share[k.owner] += 1 / float64(len(r.keys))
		}
	}
	delete(r.share, -1)
}

// place is the number of a node among those around the ring, from 0; -1 for another entity.
func (r *ring) place(entity int) int { return slices.Index(r.nodes, entity) }

// seen brings the arcs down to what can be seen: the circle is cut into cells, each goes to who owns its middle, and neighbours of one
// owner are one. Without arcs each key that is drawn stands for its surroundings.
func (r *ring) seen(cells int) []arc {
	if len(r.arcs) == 0 {
		half := 0.35 / float64(max(len(r.keys), 1))
		out := make([]arc, len(r.keys))
		for i, k := range r.keys {
			out[i] = arc{k.place - half, k.place + half, k.owner}
		}
		return out
	}
	if 2*len(r.arcs) <= cells {
		return r.arcs
	}
	var out []arc
	i := 0
	for c := range cells {
		middle := (float64(c) + 0.5) / float64(cells)
		at := len(r.arcs) - 1 // the arc over the top
		if middle >= r.arcs[0].from {
			for i+1 < len(r.arcs) && r.arcs[i+1].from <= middle {
				i++
			}
			at = i
		}
		end := float64(c+1) / float64(cells)
		if n := len(out); n > 0 && out[n-1].owner == r.arcs[at].owner {
			out[n-1].to = end
			continue
		}
		out = append(out, arc{float64(c) / float64(cells), end, r.arcs[at].owner})
	}
	return out
}

// inRing is true for a node that has a part in the circle, or holds something; gone for one that had.
func (s *scene) inRing(entity int) (in, gone bool) {
	e := &s.Layout.Entities[entity]
	if _, in = s.ring.share[entity]; in {
		return true, false
	}
	if len(s.ring.arcs) == 0 && s.row(s.values(e.Level), s.telling) > 0 {
		return true, false
	}
	return false, s.ring.before[entity]
}

// about is what the ring is, in a few lines.
func (s *scene) aboutRing() []string {
	n := func(v int) string { return text.Number(s.Lang, labs.Count, int64(v)) }
	in := 0
	for _, k := range s.ring.nodes {
		if ok, _ := s.inRing(k); ok {
			in++
		}
	}
	lines := []string{s.Words.Entity(s.ring.entity), s.UI.Get("client.ring-nodes", "n", n(in))}
	if len(s.ring.arcs) > 0 {
		lines = append(lines, s.UI.Get("client.ring-arcs", "n", n(len(s.ring.arcs))))
	}
	if s.ring.moved > 0 {
		lines = append(lines, s.UI.Get("client.ring-moved", "n", n(s.ring.moved), "all", n(len(s.ring.keys))))
	}
	return lines
}

// describeRing tells the ring in one sentence: who has the most and the least of it, and what moved.
func (s *scene) describeRing() string {
	r, most, least := s.ring, -1, -1
	for _, k := range r.nodes {
		if in, _ := s.inRing(k); !in {
			continue
		}
		if most < 0 || r.share[k] > r.share[most] {
			most = k
		}
		if least < 0 || r.share[k] < r.share[least] {
			least = k
		}
	}
	if most < 0 {
		return ""
	}
	share := func(k int) string { return text.Number(s.Lang, labs.Percent, int64(r.share[k]*1000+0.5)*1000) }
	name := func(k int) string { return s.Words.Entity(&s.Layout.Entities[k]) }
	n := func(v int) string { return text.Number(s.Lang, labs.Count, int64(v)) }
	return s.UI.Get("picture.describe-ring", "name", s.Words.Entity(r.entity), "at", about(s.telling, s.Trace.Horizon),
		"most", name(most), "most-share", share(most), "least", name(least), "least-share", share(least),
		"moved", n(r.moved), "misled", n(r.misled), "keys", n(len(r.keys)))
}
