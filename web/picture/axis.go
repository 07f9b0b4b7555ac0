package picture

const (
	tickHeight = 24 // of the time axis with its labels
	signHeight = 16 // of the row of signs above it
)

// axisHeight is what the time axis takes below the panels.
func (d *drawing) axisHeight() float64 {
	if len(d.s.notes) > 0 {
		return tickHeight + signHeight
	}
	return tickHeight
}

// timeScale is the ticks of a panel's time.
type timeScale struct {
	clockUnit
	step int64
	at   []int64
}

const (
	tickSize = 12 // of the labels
	tickGap  = 10 // between two labels, at least
)

// timeTicks chooses as many ticks as have room for all their labels.
func (d *drawing) timeTicks(p panel) timeScale {
	u := clockFor(p.to)
	for most := 8; ; most-- {
		step, at := ticks(p.from, p.to, most)
		t := timeScale{clockUnit: u, step: step, at: at}
		if most == 1 || apart(t.labels(p)) {
			return t
		}
	}
}

// tickLabel is a label with its place.
type tickLabel struct {
	extent
	text string
}

// labels are the labels of a panel's ticks; the last one bears the unit. One at an end of the panel is moved inwards as far as it
// would leave the panel.
func (t timeScale) labels(p panel) []tickLabel {
	var out []tickLabel
	for i, at := range t.at {
		s := t.number(at, t.step)
		if at == 0 {
			s = "0"
		}
		x := p.at(at) - regular(tickSize).width(s)/2
		if i == len(t.at)-1 {
			s += " " + t.name
		}
		w := regular(tickSize).width(s)
		x = min(max(x, p.x), p.right()-w)
		out = append(out, tickLabel{extent{x, x + w}, s})
	}
	return out
}

// apart is true when no label comes too near to the next.
func apart(labels []tickLabel) bool {
	for i := 1; i < len(labels); i++ {
		if labels[i].x0 < labels[i-1].x1+tickGap {
			return false
		}
	}
	return true
}

// axis draws the time axis below the panels.
func (d *drawing) axis() {
	if len(d.s.lanes)+len(d.s.charts) == 0 {
		return
	}
	d.signs()
	y := d.y + 2
	for _, p := range d.f.panels {
		t := d.timeTicks(p)
		marks := (&path{}).move(p.x, y).across(p.right())
		for _, at := range t.at {
			marks.move(p.at(at), y).down(y + 4)
		}
		d.stroke(edge, marks, 1)
		for _, l := range t.labels(p) {
			d.text((l.x0+l.x1)/2, y+17, l.text, hand{token: soft, size: tickSize, anchor: "middle"})
		}
	}
	d.y += tickHeight
	if d.s.shape == bus && d.s.end(false) != nil && len(d.s.charts) == 0 {
		d.y += 10
		if d.f.stacked {
			d.y += 20
		}
	}
}

// signs draws the run's marks at their instants, between the lanes and the time axis.
func (d *drawing) signs() {
	if len(d.s.notes) == 0 {
		return
	}
	y := d.y + 9
	for _, p := range d.f.panels {
		last := p.x - 20
		for _, n := range d.s.notes {
			x := p.at(n.at)
			if !p.holds(n.at) || x-last < 3 && n.kind == changed {
				continue // changes so close are one sign
			}
			d.noteSign(n.kind, x, y)
			last = x
		}
	}
	d.y += signHeight
}

// lens ties the focus in the panel of the whole run to the panel that enlarges it.
func (d *drawing) lens(first float64) {
	if len(d.f.panels) < 2 || d.f.stacked {
		return // stacked, the lanes' names stand in the way; the band and the title share their ground
	}
	whole, focus := d.f.panels[0], d.f.panels[1]
	x0, x1 := d.focusBand(whole)
	y := first - 4
	p := (&path{}).move(x0, first).down(y).across(x1).down(first)
	p.move((x0+x1)/2, y).down(y - 3).across(focus.x + 8).down(y)
	p.move(focus.x, first).down(y).across(focus.right()).down(first)
	d.stroke(edge, p, 1)
}
