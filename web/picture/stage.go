package picture

import (
	"math"
	"slices"

	"seedbed/labs"
)

// stage draws the entities and the ways between them, where they are more than lanes: ranks from left to right on a wide picture,
// from top to bottom on a narrow one. Glyphs are filled as full as the entities are at the telling instant. A ring is drawn as one.
func (d *drawing) stage() {
	places, ring := d.stagePlaces()
	if len(places) == 0 {
		return
	}
	if !d.s.Glance {
		d.text(d.f.margin, d.y+13, d.s.UI.Get("picture.stage", "at", about(d.s.telling, d.s.Trace.Horizon)), hand{token: soft})
		d.y += 22
	}
	bottom := 0.0
	for i := range places {
		places[i].y += d.y
		bottom = max(bottom, places[i].bottom())
	}
	if ring != nil {
		ring.move(d.y)
	}
	d.stageLinks(places, ring)
	for i := range places {
		if e := &d.s.Layout.Entities[i]; !d.s.ofRing(i) {
			if d.downward() {
				// A way to a lower line of a rank runs behind those above it.
				w := d.stageWidth(e, places[i].room)
				d.plate(raised, places[i].x-w/2-2, places[i].y, w+4, places[i].h, 0)
			}
			d.stageEntity(e, places[i])
		}
	}
	d.y = bottom + 18
	if ring != nil {
		d.drawRing(ring)
		d.y = bottom + 2
		d.flow(d.ringSigns(), d.f.margin, d.f.width-d.f.margin)
		d.y += 8
	}
}

// ofRing is true for a ring that is drawn as one, and for the nodes that stand around it.
func (s *scene) ofRing(entity int) bool {
	return s.ring != nil && (s.ring.place(entity) >= 0 || &s.Layout.Entities[entity] == s.ring.entity)
}

// downward is true when the stage runs from top to bottom: on a narrow picture, and where a ring needs the whole width.
func (d *drawing) downward() bool { return d.f.stacked || d.s.ring != nil && d.ringWidth() < ringLeast }

const (
	ringLeast = 420 // the least width of a ring with labels around it
	ringApart = 130 // what another rank beside a ring takes
)

// ringWidth is what the other ranks leave of a wide picture.
func (d *drawing) ringWidth() float64 {
	others := map[int]bool{}
	for i := range d.s.Layout.Entities {
		if !d.s.ofRing(i) {
			others[d.s.Layout.Entities[i].Rank] = true
		}
	}
	return d.f.width - 2*d.f.margin - ringApart*float64(len(others))
}

const (
	stageGlyph = 30
	stageGap   = 14 // between two rows
	stageWay   = 30 // between two ranks of a narrow stage
)

// spot is where an entity stands: the middle of its top, the room for its words, and its height.
type spot struct{ x, y, room, h float64 }

func (s spot) bottom() float64 { return s.y + s.h }

// stageHeight is what an entity takes with its words in a room.
func (d *drawing) stageHeight(e *labs.Entity, room float64) float64 {
	n := len(face{13, e.Judged}.wrap(d.s.Words.Entity(e), room, 2))
	if d.s.laneOf(e) != nil {
		n++
	}
	n += len(d.s.facts(e))
	if slotted(e, room) {
		n++
	}
	return stageGlyph + 4 + float64(n)*16
}

// laneOf is the lane of an entity that has counts; nil when it has none.
func (s *scene) laneOf(e *labs.Entity) *lane {
	for i := range s.lanes {
		if l := &s.lanes[i]; l.entity == e && l.counts() {
			return l
		}
	}
	return nil
}

// stagePlaces places every entity, by rank and row; y from 0. The nodes of a ring stand around it and have no rank.
func (d *drawing) stagePlaces() (places []spot, ring *ringSpot) {
	entities := d.s.Layout.Entities
	last := 0
	for i := range entities {
		last = max(last, entities[i].Rank)
	}
	ranks := make([][]int, last+1)
	for i := range entities {
		if d.s.ring != nil && d.s.ring.place(i) >= 0 {
			continue
		}
		ranks[entities[i].Rank] = append(ranks[entities[i].Rank], i)
	}
	ranks = slices.DeleteFunc(ranks, func(r []int) bool { return len(r) == 0 })
	for _, r := range ranks {
		slices.SortStableFunc(r, func(a, b int) int { return entities[a].Row - entities[b].Row })
	}
	places = make([]spot, len(entities))
	switch {
	case d.s.ring != nil:
		ring = d.placeAround(places, ranks)
	case d.f.stacked:
		d.placeDown(places, ranks, 0)
	default:
		d.placeAcross(places, ranks)
	}
	return places, ring
}

// placeAround places the ranks before a ring, the ring, and the ranks behind it.
func (d *drawing) placeAround(places []spot, ranks [][]int) *ringSpot {
	entities := d.s.Layout.Entities
	at := slices.IndexFunc(ranks, func(r []int) bool {
		return slices.ContainsFunc(r, func(i int) bool { return &entities[i] == d.s.ring.entity })
	})
	ranks[at] = slices.DeleteFunc(slices.Clone(ranks[at]), func(i int) bool { return &entities[i] == d.s.ring.entity })
	var ring ringSpot
	if d.downward() {
		y := d.placeDown(places, ranks[:at], 0)
		ring = d.placeRing(d.f.margin, d.f.width-d.f.margin)
		ring.move(y)
		d.placeDown(places, ranks[at:], y+ring.h+stageWay)
	} else {
		x := d.f.margin
		for r, list := range ranks {
			if r == at {
				ring = d.placeRing(x, x+d.ringWidth())
				x += d.ringWidth()
			}
			y := 0.0
			for _, i := range list {
				h := d.stageHeight(&entities[i], ringApart-24)
				places[i] = spot{x: x + ringApart/2, y: y, room: ringApart - 24, h: h}
				y += h + stageGap
			}
			if len(list) > 0 {
				x += ringApart
			}
		}
		d.middleRanks(places, ranks, &ring)
	}
	for k, i := range d.s.ring.nodes {
		places[i] = spot{x: ring.x, y: ring.y - stageGlyph/2}
		if ring.labels != nil {
			places[i] = ring.labels[k]
		}
	}
	top := ring.y - ring.r
	if ring.numbers {
		top = ring.top // ways end before the numbers
	}
	places[d.s.Layout.Entity(d.s.ring.entity.Name)] = spot{x: ring.x, y: top, h: ring.h - (top - ring.top)}
	return &ring
}

// middleRanks centres ranks and ring on the tallest of them.
func (d *drawing) middleRanks(places []spot, ranks [][]int, ring *ringSpot) {
	tallest := ring.h
	bottom := func(list []int) (h float64) {
		for _, i := range list {
			h = max(h, places[i].bottom())
		}
		return h
	}
	for _, list := range ranks {
		tallest = max(tallest, bottom(list))
	}
	for _, list := range ranks {
		by := (tallest - bottom(list)) / 2
		for _, i := range list {
			places[i].y += by
		}
	}
	ring.move((tallest - ring.h) / 2)
	for _, list := range ranks {
		if len(list) == 1 {
			places[list[0]].y = ring.y - stageGlyph/2 // so that its way is straight
		}
	}
}

// placeAcross lays ranks from left to right; a lower one is centred on the tallest.
func (d *drawing) placeAcross(places []spot, ranks [][]int) {
	pitch := (d.f.width - 2*d.f.margin) / float64(max(len(ranks), 1))
	heights := make([]float64, len(ranks))
	tallest := 0.0
	for r, list := range ranks {
		y := 0.0
		for _, i := range list {
			h := d.stageHeight(&d.s.Layout.Entities[i], pitch-24)
			places[i] = spot{x: d.f.margin + pitch*(float64(r)+0.5), y: y, room: pitch - 24, h: h}
			y += h + stageGap
		}
		heights[r] = y
		tallest = max(tallest, y)
	}
	for r, list := range ranks {
		for _, i := range list {
			places[i].y += (tallest - heights[r]) / 2
		}
	}
}

// placeDown lays ranks from top to bottom, from a height on, and breaks a rank that is wider than the picture. It returns where the next
// would begin.
func (d *drawing) placeDown(places []spot, ranks [][]int, y float64) float64 {
	inner := d.f.width - 2*d.f.margin
	for _, list := range ranks {
		if len(list) == 0 {
			continue
		}
		least := 76.0 // room for an entity's words
		for _, i := range list {
			if l := d.s.laneOf(&d.s.Layout.Entities[i]); l != nil {
				least = max(least, d.laneCountsWidth(l, 0)+12)
			}
		}
		perLine := max(min(len(list), int(inner/least)), 1)
		lines := (len(list) + perLine - 1) / perLine
		perLine = (len(list) + lines - 1) / lines // even lines: 3 + 2 rather than 4 + 1
		for start := 0; start < len(list); start += perLine {
			line := list[start:min(start+perLine, len(list))]
			pitch, h := inner/float64(len(line)), 0.0
			for k, i := range line {
				places[i] = spot{x: d.f.margin + pitch*(float64(k)+0.5), y: y, room: pitch - 8}
				places[i].h = d.stageHeight(&d.s.Layout.Entities[i], pitch-8)
				h = max(h, places[i].h)
			}
			y += h + stageGap
		}
		y += stageWay - stageGap
	}
	return y
}

// stageEntity draws a glyph with its name and counts below.
func (d *drawing) stageEntity(e *labs.Entity, at spot) {
	d.glyph(e, at.x-stageGlyph/2, at.y, stageGlyph)
	base := at.y + stageGlyph + 15
	for _, l := range (face{13, e.Judged}).wrap(d.s.Words.Entity(e), at.room, 2) {
		d.text(at.x, base, l, hand{token: ink, size: 13, bold: e.Judged, anchor: "middle"})
		base += 16
	}
	for _, l := range d.s.facts(e) {
		d.text(at.x, base, regular(12).clip(l, at.room), hand{token: soft, size: 12, anchor: "middle"})
		base += 16
	}
	if slotted(e, at.room) {
		d.slots(e, at.x, base-10, at.room)
		base += 16
	}
	if l := d.s.laneOf(e); l != nil {
		d.countsText(at.x-d.laneCountsWidth(l, at.room)/2, base, l, at.room)
	}
}

// stageWidth is how wide an entity is with its words in a room.
func (d *drawing) stageWidth(e *labs.Entity, room float64) float64 {
	w := float64(stageGlyph)
	set := face{13, e.Judged}
	for _, l := range set.wrap(d.s.Words.Entity(e), room, 2) {
		w = max(w, set.width(l))
	}
	for _, l := range d.s.facts(e) {
		w = max(w, min(regular(12).width(l), room))
	}
	if slotted(e, room) {
		w = max(w, float64(e.Full+mostExtra)*slotPitch)
	}
	if l := d.s.laneOf(e); l != nil {
		w = max(w, d.laneCountsWidth(l, room))
	}
	return min(w, room)
}

// stageWayOf is a way between two entities, with how many requests went along it.
type stageWayOf struct {
	from, to int
	flow     int64
}

// stageWays are the ways of a stage. Those from a ring's nodes to what lies behind them are one, from the ring.
func (d *drawing) stageWays() []stageWayOf {
	var ways []stageWayOf
	for _, k := range d.s.Layout.Links {
		from, to := d.s.Layout.Entity(k.From), d.s.Layout.Entity(k.To)
		if from < 0 || to < 0 || d.s.ofRing(from) && d.s.ofRing(to) {
			continue
		}
		w := stageWayOf{from, to, d.s.flow(k)}
		if d.s.ofRing(from) {
			ring := d.s.ring.entity.Name
			w = stageWayOf{d.s.Layout.Entity(ring), to, d.s.flow(labs.Link{From: ring, To: k.To})}
			if slices.Contains(ways, w) {
				continue
			}
		}
		ways = append(ways, w)
	}
	return ways
}

// stageLinks draws the ways, each as thick as what goes along it, with a head.
func (d *drawing) stageLinks(places []spot, ring *ringSpot) {
	most := int64(1)
	ways := d.stageWays()
	for _, w := range ways {
		most = max(most, w.flow)
	}
	for _, w := range ways {
		token, weight := edge, 1.25
		if w.flow > 0 {
			token, weight = admit, 1+3*math.Sqrt(float64(w.flow)/float64(most))
		}
		a, b := places[w.from], places[w.to]
		if ring != nil && !d.downward() {
			if d.s.ofRing(w.from) {
				a = spot{x: ring.right() - stageGlyph/2, y: ring.y - stageGlyph/2}
			}
			if d.s.ofRing(w.to) {
				b = spot{x: ring.x - ring.r + stageGlyph/2, y: ring.y - stageGlyph/2} // ways end at the band
			}
		}
		p, head := d.way(a, b)
		d.stroke(token, p, weight)
		d.fill(token, head)
	}
}

// way is the curve between two entities, and its head.
func (d *drawing) way(a, b spot) (p, head *path) {
	p, head = &path{}, &path{}
	if d.downward() {
		x0, y0, x1, y1 := a.x, a.bottom()+3, b.x, b.y-3
		m := (y0 + y1) / 2
		p.move(x0, y0).curve(x0, m, x1, m, x1, y1-5)
		return p, head.move(x1-3.5, y1-6).line(x1+3.5, y1-6).line(x1, y1).close()
	}
	const half = stageGlyph / 2
	x0, y0, x1, y1 := a.x+half+6, a.y+half, b.x-half-6, b.y+half
	m := (x0 + x1) / 2
	p.move(x0, y0).curve(m, y0, m, y1, x1-5, y1)
	return p, arrow(head, x1, y1)
}

// flow is how many requests went along a way: what its beginning let through, or, where that is not counted, what came to its end.
func (s *scene) flow(k labs.Link) int64 {
	from, to := s.Layout.Entity(k.From), s.Layout.Entity(k.To)
	if from < 0 || to < 0 {
		return 0
	}
	a, b := &s.Layout.Entities[from], &s.Layout.Entities[to]
	arrived := sum(s.values(b.Passed)) + sum(s.values(b.Refused))
	if a.Passed == "" {
		return arrived
	}
	if passed := sum(s.values(a.Passed)); arrived == 0 || passed < arrived {
		return passed
	}
	return arrived
}
