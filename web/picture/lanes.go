package picture

import "seedbed/labs"

// lanes draws every lane over the panels, with its name and its result beside it or above it.
func (d *drawing) lanes() {
	if len(d.s.lanes) == 0 {
		return
	}
	top := d.lanesHead()
	rows := make([]laneRow, len(d.s.lanes))
	for i := range rows {
		rows[i] = d.place(&d.s.lanes[i])
		d.y = rows[i].end + d.f.pause
	}
	d.scaleCounts(rows)
	for _, r := range rows {
		d.laneText(r)
		for k, p := range d.f.panels {
			d.laneGround(p, r)
			if r.lane.counts() {
				d.laneCounts(k, r)
			}
			d.laneLevel(p, r)
			d.laneDown(p, r)
		}
	}
	d.y -= d.f.pause
	d.lens(rows[0].top)
	if d.s.shape == bus {
		d.ways(top, rows)
		if len(d.s.charts) > 0 && d.s.end(false) != nil {
			d.y = d.sinkTop() + endSize // else the sink stands beside the time axis
		}
	}
}

// laneRow is where one lane stands, from its text to the bottom of its tracks.
type laneRow struct {
	*lane
	textTop     float64
	top, bottom float64 // of the tracks
	end         float64 // of tracks and text
	counts      span1   // of the counts' track; empty when there is none
	levels      valueScale
	most        []int64 // of each panel: the count that fills the counts' track
}

// span1 is a stretch from top to bottom.
type span1 struct{ y0, y1 float64 }

// place gives a lane its heights from d.y on.
func (d *drawing) place(l *lane) laneRow {
	r := laneRow{lane: l, textTop: d.y, top: d.y}
	if d.f.stacked {
		r.top += d.stackedTextHeight(l)
	}
	y := r.top
	if l.counts() {
		r.counts = span1{y + 3, y + d.f.counts}
		if l.level == nil || d.f.card {
			r.counts.y1 = y + d.f.alone
		}
		y = r.counts.y1
	}
	if l.level != nil && !(d.f.card && l.counts()) {
		r.levels = valueScale{y: y + 4, h: d.f.level - 4, top: d.s.levelTop(l)}
		if !l.counts() {
			r.levels.h = d.f.alone - 4
		}
		y = r.levels.y + r.levels.h
	}
	r.bottom, r.end = y, y
	if !d.f.stacked && !d.f.card {
		r.end = max(y, r.top+d.textHeight(l))
	}
	return r
}

// levelTop is the value at the top of a lane's scale: lanes of one plot share it, so that they can be compared. A little is added, so
// that a line at the top is seen to be one.
func (s *scene) levelTop(l *lane) int64 {
	top := l.reach()
	for i := range s.lanes {
		if o := &s.lanes[i]; l.bound > 0 && o.bound == l.bound && o.unit == l.unit {
			top = max(top, o.reach())
		}
	}
	top = min(top, mostValue)
	return max(top+top/12, 1)
}

// laneGround is what the tracks of a lane are drawn on: a quiet plate, the ticks of the time axis, the focus.
func (d *drawing) laneGround(p panel, r laneRow) {
	d.plate(wash, p.x, r.top, p.w, r.bottom-r.top, 2)
	if !p.focus && d.s.focus.length() > 0 {
		x0, x1 := d.focusBand(p)
		d.plate(mark, x0, r.top, x1-x0, r.bottom-r.top, 0)
	}
	grid := &path{}
	for _, t := range d.timeTicks(p).at {
		if x := p.at(t); x > p.x+1 && x < p.right()-1 {
			grid.move(x, r.top).down(r.bottom)
		}
	}
	d.stroke(line, grid, 1)
	if r.entity.Judged {
		d.stroke(ink, (&path{}).rect(p.x, r.top, p.w, r.bottom-r.top), 1)
	}
}

// focusBand is where the focus lies in the panel of the whole run, widened to be seen.
func (d *drawing) focusBand(p panel) (x0, x1 float64) {
	x0, x1 = p.at(d.s.focus.from), p.at(d.s.focus.to)
	if x1-x0 < 6 {
		x0, x1 = (x0+x1)/2-3, (x0+x1)/2+3
	}
	return max(x0, p.x), min(x1, p.right())
}

// laneLevel draws how full it was, its bound, and what went over it.
func (d *drawing) laneLevel(p panel, r laneRow) {
	if r.levels.h == 0 {
		return
	}
	v := r.levels
	s := steps(r.level, d.s.Trace.Grain, p, stepWidth)
	area := levelArea(s, v, p.right())
	token := levelToken(r.entity.Kind)
	d.fill(token, area.area(), attr{"fill-opacity", "0.16"})
	if token == queue {
		d.stroke(queue, area.rows(hatchGap), 1, dashed("1 3"))
	}
	if r.bound > 0 {
		y := v.at(r.bound)
		d.excess(area.above(y))
		d.stroke(ink, (&path{}).move(p.x, y).across(p.right()), 1, dashed("4 3"))
	} else if r.full > 0 {
		y := v.at(r.full)
		d.stroke(edge, (&path{}).move(p.x, y).across(p.right()), 1, dashed("1 3"))
	}
	d.stroke(token, levelLine(s, v, p.right()), 1.5, attr{"stroke-linejoin", "round"})
}

// excess draws what went over a bound: hatched, as what is refused, for it should have been.
func (d *drawing) excess(over skyline) {
	d.fill(refuse, over.area(), attr{"fill-opacity", "0.16"})
	d.stroke(refuse, over.hatch(hatchGap), 1)
}

// laneDown bars the stretches in which an entity was out of order.
func (d *drawing) laneDown(p panel, r laneRow) {
	var out skyline
	all := steps(r.down, d.s.Trace.Grain, p, stepWidth)
	for i, s := range all {
		end := p.right()
		if i+1 < len(all) {
			end = all[i+1].x
		}
		if s.high != 0 {
			out = out.add(column{s.x, end, r.top, r.bottom})
		}
	}
	bars := &path{}
	for _, c := range out {
		for x := c.x0 + 2; x < c.x1; x += 4 {
			bars.move(x, c.top).down(c.base)
		}
	}
	d.fill(dead, out.area(), attr{"fill-opacity", "0.2"})
	d.stroke(dead, bars, 1)
}

// levelToken is the colour of what fills an entity.
func levelToken(k labs.Kind) string {
	if k == labs.Queue {
		return queue
	}
	return admit
}
