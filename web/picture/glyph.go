package picture

import "seedbed/labs"

// glyph draws an entity in a square: one plain sign a kind, filled from below as far as the entity is full at the telling instant,
// emphasised when it is judged, barred when it is out of order.
func (d *drawing) glyph(e *labs.Entity, x, y, size float64) {
	k := size / 24 // shapes are drawn on a grid of 24
	g := pen{x: x, y: y, k: k}
	outline, detail := g.shape(e.Kind)
	token, weight := soft, 1.5
	if e.Judged {
		token, weight = ink, 2
	}
	out := d.outOfOrder(e)
	if out {
		token = dead
	}
	if share := d.fullness(e); share > 0 && !out {
		d.fillLevel(e, &g, share)
	}
	round := attr{"stroke-linejoin", "round"}
	d.stroke(token, outline, weight, round)
	d.stroke(token, detail, 1.2, round, attr{"stroke-linecap", "round"})
	if out {
		d.stroke(dead, (&path{}).move(x, y+size).line(x+size, y), 2)
	}
}

// outOfOrder is true when the entity is down at the telling instant.
func (d *drawing) outOfOrder(e *labs.Entity) bool {
	return d.s.row(d.s.values(e.Down), d.s.telling) != 0
}

// fullness is how full the entity is at the telling instant, from 0 to 1; 0 when it has no bound.
func (d *drawing) fullness(e *labs.Entity) float64 {
	if e.Full <= 0 {
		return 0
	}
	level := d.s.row(d.s.values(e.Level), d.s.telling)
	return min(float64(level)/float64(e.Full), 1)
}

// fillLevel fills a glyph's body from below.
func (d *drawing) fillLevel(e *labs.Entity, g *pen, share float64) {
	x0, y0, x1, y1 := g.body(e.Kind)
	p := (&path{}).rect(x0, y1-(y1-y0)*share, x1-x0, (y1-y0)*share)
	d.fill(levelToken(e.Kind), p, attr{"fill-opacity", "0.45"})
}

// pen draws on a grid of 24 by 24.
type pen struct{ x, y, k float64 }

func (g *pen) at(x, y float64) (float64, float64) { return g.x + x*g.k, g.y + y*g.k }

// poly adds a polyline through points, x and y in turn.
func (g *pen) poly(p *path, closed bool, points ...float64) *path {
	for i := 0; i+1 < len(points); i += 2 {
		x, y := g.at(points[i], points[i+1])
		if i == 0 {
			p.move(x, y)
		} else {
			p.line(x, y)
		}
	}
	if closed {
		p.close()
	}
	return p
}

func (g *pen) box(p *path, x0, y0, x1, y1 float64) *path {
	return g.poly(p, true, x0, y0, x1, y0, x1, y1, x0, y1)
}

func (g *pen) ring(p *path, x, y, r float64) *path {
	cx, cy := g.at(x, y)
	return p.circle(cx, cy, r*g.k)
}

// body is the part of a glyph that a level fills.
func (g *pen) body(k labs.Kind) (x0, y0, x1, y1 float64) {
	b := [4]float64{3, 3, 21, 21}
	switch k {
	case labs.Limiter:
		b = [4]float64{4, 5, 20, 19}
	case labs.Pool, labs.Queue:
		b = [4]float64{2, 7, 22, 17}
	case labs.Database, labs.Cache:
		b = [4]float64{4, 5, 20, 20}
	case labs.Ring:
		b = [4]float64{9, 9, 15, 15}
	}
	x0, y0 = g.at(b[0], b[1])
	x1, y1 = g.at(b[2], b[3])
	return x0, y0, x1, y1
}

// shape is a kind's outline and the detail that tells it from others.
func (g *pen) shape(k labs.Kind) (outline, detail *path) {
	o, t := &path{}, &path{}
	switch k {
	case labs.Client: // a screen on its foot
		g.box(o, 2, 4, 22, 17)
		g.poly(t, false, 12, 17, 12, 21)
		g.poly(t, false, 7, 21, 17, 21)
	case labs.Gateway: // two posts and a beam
		g.poly(o, false, 4, 21, 4, 4, 20, 4, 20, 21)
		g.poly(t, false, 9, 21, 9, 10, 15, 10, 15, 21)
	case labs.Limiter: // a vessel with its mark
		g.poly(o, false, 4, 3, 4, 19, 20, 19, 20, 3)
		g.poly(t, false, 1, 5, 23, 5)
	case labs.Pool: // a row of slots
		g.box(o, 2, 7, 22, 17)
		for x := 6.0; x < 22; x += 4 {
			g.poly(t, false, x, 7, x, 17)
		}
	case labs.Queue: // a row that is open where it is served
		g.poly(o, false, 22, 7, 2, 7, 2, 17, 22, 17)
		for x := 7.0; x < 22; x += 5 {
			g.poly(t, false, x, 9.5, x, 14.5)
		}
	case labs.Ring:
		g.ring(o, 12, 12, 9.5)
		g.ring(t, 12, 12, 5)
	case labs.Shard: // a slice of a whole
		g.box(o, 3, 8, 21, 16)
		g.poly(t, false, 5, 4, 19, 4)
		g.poly(t, false, 5, 20, 19, 20)
	case labs.EventLog: // entries, one after another
		g.box(o, 3, 3, 21, 21)
		for y := 8.0; y < 20; y += 4 {
			g.poly(t, false, 7, y, 17, y)
		}
	default:
		g.service(o, t, k)
	}
	return o, t
}

// service is the outline of the kinds that serve.
func (g *pen) service(o, t *path, k labs.Kind) {
	switch k {
	case labs.Cache: // a drum that is open at the top
		g.poly(o, false, 4, 5, 4, 20, 20, 20, 20, 5)
		g.poly(t, false, 13, 7, 10, 12.5, 14, 12.5, 11, 18)
	case labs.Database: // a drum
		x0, y := g.at(4, 5)
		x1, bottom := g.at(20, 20)
		h := 4 * g.k
		o.move(x0, y).curve(x0, y-h, x1, y-h, x1, y).down(bottom).curve(x1, bottom+h/1.5, x0, bottom+h/1.5, x0, bottom).close()
		t.move(x0, y).curve(x0, y+h, x1, y+h, x1, y)
	case labs.Breaker: // a switch, its arm raised
		g.poly(o, false, 1, 16, 7, 16)
		g.poly(o, false, 17, 16, 23, 16)
		g.poly(o, false, 7, 16, 16, 8)
		g.ring(t, 7, 16, 1.5)
		g.ring(t, 17, 16, 1.5)
	case labs.Coordinator: // three that agree
		g.ring(o, 12, 5, 3)
		g.ring(o, 4.5, 18, 3)
		g.ring(o, 19.5, 18, 3)
		g.poly(t, true, 10.6, 7.6, 6, 15.5)
		g.poly(t, true, 13.4, 7.6, 18, 15.5)
		g.poly(t, true, 7.5, 18, 16.5, 18)
	default: // Node: a machine
		g.box(o, 3, 3, 21, 21)
		g.poly(t, false, 6.5, 8, 13, 8)
		g.poly(t, false, 6.5, 12.5, 13, 12.5)
		g.ring(t, 17, 16.5, 1)
	}
}
