package picture

import "math"

// The ways of a bus run beside the lanes: from the source at the top, down the left side, into each lane; out of each lane, down the
// right side, into the sink at the bottom.

const endSize = 24 // of the glyphs at the ends

// source draws what the requests come from, above the lanes on the left.
func (d *drawing) source(top float64) {
	e := d.s.end(true)
	if e == nil {
		return
	}
	x := d.f.margin
	d.glyph(e, x, top, endSize)
	room := d.f.label.x1 - x - endSize - 8
	d.text(x+endSize+8, top+16, regular(d.f.size).clip(d.s.Words.Entity(e), room), hand{token: ink})
}

// ways draws the lines on both sides, and the sink.
func (d *drawing) ways(top float64, rows []laneRow) {
	f := &d.f
	left, right := f.margin+endSize/2, f.width-f.margin-endSize/2
	if f.stacked {
		left, right = f.margin+5, f.width-f.margin-5
	}
	if e := d.s.end(true); e != nil {
		p, heads := &path{}, &path{}
		start := top
		for _, r := range rows {
			y := d.entry(r)
			p.move(left, start).down(y-5).curve(left, y-2, left+2, y, left+5, y).across(f.label.x0 - 5)
			arrow(heads, f.label.x0-2, y)
			start = y - 5
		}
		d.stroke(edge, p, 1.25)
		d.fill(edge, heads)
	}
	if e := d.s.end(false); e != nil {
		d.outward(right, rows)
	}
}

// entry is the height at which requests enter a lane.
func (d *drawing) entry(r laneRow) float64 {
	if d.f.stacked {
		return r.textTop + 12
	}
	return r.top + 13
}

// exit is the height at which they leave it.
func (d *drawing) exit(r laneRow) float64 {
	if d.f.stacked {
		return r.bottom - 6
	}
	return r.top + (r.bottom-r.top)/2 - 6
}

// outward draws what leaves the lanes: each lane's line as thick as the share that passed, and the sink below.
func (d *drawing) outward(right float64, rows []laneRow) {
	f, most := &d.f, int64(0)
	for _, r := range rows {
		most = max(most, r.nPassed)
	}
	x0 := f.result.x1 + 5
	if f.stacked {
		x0 = f.panels[len(f.panels)-1].right() + 3
	}
	bottom := d.sinkTop()
	d.stroke(edge, (&path{}).move(right, d.exit(rows[0])).down(bottom-5), 1.25)
	d.fill(edge, (&path{}).move(right-3.5, bottom-6).line(right+3.5, bottom-6).line(right, bottom).close())
	for _, r := range rows {
		if r.nPassed > 0 {
			thick := 1 + 3*math.Sqrt(float64(r.nPassed)/float64(most))
			d.stroke(admit, (&path{}).move(x0, d.exit(r)).across(right), thick)
		}
	}
	e := d.s.end(false)
	x := f.width - f.margin - endSize
	d.glyph(e, x, bottom+1, endSize)
	name := d.s.Words.Entity(e)
	room := f.result.x1 - f.result.x0
	if f.stacked {
		room = f.width / 2
	}
	d.text(x-6, bottom+17, regular(f.size).clip(name, room), hand{token: ink, anchor: "end"})
}

// sinkTop is where the sink's glyph begins: beside the time axis where that comes next, else below the lanes, or the axis, where
// names and labels leave no room beside them.
func (d *drawing) sinkTop() float64 {
	if d.f.stacked && len(d.s.charts) == 0 {
		return d.y + d.axisHeight() + 2
	}
	return d.y + 8
}

// arrow adds a head that points to the right, its tip at x.
func arrow(p *path, x, y float64) *path {
	return p.move(x-6, y-3.5).line(x, y).line(x-6, y+3.5).close()
}
