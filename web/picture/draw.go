package picture

// drawing is one picture being drawn, from the top down: y is where the next part begins.
type drawing struct {
	w writer
	f frame
	s *scene
	y float64
}

// hand is how a label is set.
type hand struct {
	token  string
	size   float64 // 0 is the frame's
	bold   bool
	anchor string // "", "middle", "end"
}

// text sets one line of text; y is its base line. An empty line is left out.
func (d *drawing) text(x, y float64, s string, h hand) {
	if s == "" {
		return
	}
	attrs := append(paint(h.token), num("x", x), num("y", y))
	if h.size != 0 && h.size != d.f.size {
		attrs = append(attrs, num("font-size", h.size))
	}
	if h.bold {
		attrs = append(attrs, attr{"font-weight", "600"})
	}
	if h.anchor != "" {
		attrs = append(attrs, attr{"text-anchor", h.anchor})
	}
	d.w.element("text", s, attrs...)
	d.w.newline()
}

// fill fills a path.
func (d *drawing) fill(token string, p *path, more ...attr) {
	if p.empty() {
		return
	}
	d.w.leaf("path", append(append(paint(token), p.d()), more...)...)
	d.w.newline()
}

// stroke draws a path's line.
func (d *drawing) stroke(token string, p *path, width float64, more ...attr) {
	if p.empty() {
		return
	}
	attrs := append(paint(token), attr{"fill", "none"}, attr{"stroke", "currentColor"})
	if width != 1 {
		attrs = append(attrs, num("stroke-width", width))
	}
	d.w.leaf("path", append(append(attrs, p.d()), more...)...)
	d.w.newline()
}

// plate draws a rectangle with rounded corners.
func (d *drawing) plate(token string, x, y, w, h, r float64) {
	attrs := append(paint(token), num("x", x), num("y", y), num("width", w), num("height", h))
	if r > 0 {
		attrs = append(attrs, num("rx", r))
	}
	d.w.leaf("rect", attrs...)
	d.w.newline()
}

// dashed is a line's pattern of strokes and gaps.
func dashed(pattern string) attr { return attr{"stroke-dasharray", pattern} }

// cross adds an ✗ about a centre.
func cross(p *path, x, y, r float64) *path {
	return p.move(x-r, y-r).line(x+r, y+r).move(x+r, y-r).line(x-r, y+r)
}

// tick adds a ✓ about a centre.
func tick(p *path, x, y, r float64) *path {
	return p.move(x-r, y+r*0.1).line(x-r*0.3, y+r*0.8).line(x+r, y-r*0.9)
}

// sign draws how something fared: a tick or a cross, in the colours of both.
func (d *drawing) sign(good bool, x, y, r float64) {
	round := attr{"stroke-linecap", "round"}
	if good {
		d.stroke(ok, tick(&path{}, x, y, r), 2, round, attr{"stroke-linejoin", "round"})
		return
	}
	d.stroke(refuse, cross(&path{}, x, y, r*0.85), 2, round)
}

// verdictToken is the colour of how something fared.
func verdictToken(good bool) string {
	if good {
		return ok
	}
	return refuse
}

// filledBox and crossedBox are the signs of what was admitted and what was refused.
func (d *drawing) filledBox(x, y, size float64) { d.plate(admit, x, y, size, size, 1.5) }

func (d *drawing) crossedBox(x, y, size float64) {
	p := (&path{}).rect(x+0.5, y+0.5, size-1, size-1)
	d.stroke(refuse, cross(p, x+size/2, y+size/2, size/2-2.5), 1.2)
}
