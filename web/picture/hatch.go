package picture

// skyline is a shape of columns from left to right, each from a top down to a base; y grows downwards.
type skyline []column

type column struct{ x0, x1, top, base float64 }

// add appends a column, joining it to the one before where both are alike and touch.
func (s skyline) add(c column) skyline {
	if n := len(s); n > 0 && s[n-1].touches(c) && tenths(s[n-1].top) == tenths(c.top) && tenths(s[n-1].base) == tenths(c.base) {
		s[n-1].x1 = c.x1
		return s
	}
	return append(s, c)
}

// touches is true when a column begins where this one ends.
func (c column) touches(next column) bool { return tenths(c.x1) == tenths(next.x0) }

// above keeps what is over a height, down to that height.
func (s skyline) above(y float64) skyline {
	var out skyline
	for _, c := range s {
		if c.top < y {
			out = append(out, column{c.x0, c.x1, c.top, y})
		}
	}
	return out
}

// runs parts the skyline where columns do not touch.
func (s skyline) runs() []skyline {
	var out []skyline
	start := 0
	for i := 1; i <= len(s); i++ {
		if i == len(s) || !s[i-1].touches(s[i]) {
			out = append(out, s[start:i])
			start = i
		}
	}
	return out
}

// area is the outline of the shape: each run is one closed path, along the tops and back along the bases.
func (s skyline) area() *path {
	p := &path{}
	for _, run := range s.runs() {
		first, last := run[0], run[len(run)-1]
		p.move(first.x0, first.base).down(first.top)
		for _, c := range run {
			p.down(c.top).across(c.x1)
		}
		p.down(last.base)
		for i := len(run) - 1; i > 0; i-- {
			if tenths(run[i].base) != tenths(run[i-1].base) {
				p.across(run[i].x0).down(run[i-1].base)
			}
		}
		p.close()
	}
	return p
}

// hatch fills the shape with diagonal lines, so many units apart. The lines are computed, not a <pattern>: a pattern needs an id, ids
// of several pictures on one page collide, and a pattern in a hidden picture does not show. All lines of a picture lie on one
// lattice, so that neighbouring shapes match, and a line goes on through columns that touch.
func (s skyline) hatch(gap float64) *path {
	p := &path{}
	for _, run := range s.runs() {
		low, high := run[0].top, run[0].base
		for _, c := range run {
			low, high = min(low, c.top), max(high, c.base)
		}
		left, right := run[0].x0, run[len(run)-1].x1
		start := 0
		for k := float64(int64((left+low)/gap)) * gap; k < right+high; k += gap {
			for start < len(run) && run[start].x1 < k-high {
				start++
			}
			run[start:].hatchLine(p, k, low)
		}
	}
	return p
}

// hatchLine draws the line x+y = k through the columns from the first that it can meet, until it is over them all.
func (s skyline) hatchLine(p *path, k, low float64) {
	open, from, to := false, 0.0, 0.0
	for _, c := range s {
		if c.x0 > k-low {
			break
		}
		// The line enters where it meets the base or the left side, and leaves at the top or the right side.
		x0, x1 := max(c.x0, k-c.base), min(c.x1, k-c.top)
		if x1-x0 < 0.05 {
			continue
		}
		if open && x0-to < 0.05 {
			to = x1
			continue
		}
		if open && to-from > 0.4 {
			p.slash(from, k-from, to-from)
		}
		open, from, to = true, x0, x1
	}
	if open && to-from > 0.4 {
		p.slash(from, k-from, to-from)
	}
}

// rows fills the shape with level lines, so many units apart, that are meant to be dotted.
func (s skyline) rows(gap float64) *path {
	p := &path{}
	for _, run := range s.runs() {
		base, top := run[0].base, run[0].top
		for _, c := range run {
			top = min(top, c.top)
		}
		for y := base - gap/2; y > top; y -= gap {
			from, open := 0.0, false
			for _, c := range run {
				if in := c.top < y; in != open {
					if open {
						p.move(from, y).across(c.x0)
					}
					from, open = c.x0, in
				}
			}
			if open {
				p.move(from, y).across(run[len(run)-1].x1)
			}
		}
	}
	return p
}
