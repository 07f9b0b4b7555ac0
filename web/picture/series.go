package picture

// A run is up to 2000 rows long and a panel a few hundred units wide. What follows brings rows down to what can be drawn without
// losing the one row that matters: counts are added up, levels keep their least and largest.

// bin is a stretch of time with what was counted in it.
type bin struct {
	span
	n int64
}

// bins adds the rows of a Sum column up into bins of so many rows, over a stretch of time whose ends are rows.
func bins(values []int64, grain int64, over span, rows int64) []bin {
	first, last := over.from/grain, (over.to+grain-1)/grain
	out := make([]bin, 0, (last-first+rows-1)/rows)
	for r := first; r < last; r += rows {
		end := min(r+rows, last)
		b := bin{span: span{r * grain, end * grain}}
		for i := r; i < end && i < int64(len(values)); i++ {
			b.n += values[i]
		}
		out = append(out, b)
	}
	return out
}

// binRows is how many rows a bin takes so that a bar is not narrower than least.
func binRows(p panel, grain int64, least float64) int64 {
	perRow := p.w * float64(grain) / float64(p.length())
	rows := int64(1)
	for float64(rows)*perRow < least {
		rows++
	}
	return rows
}

// step is one pixel column of a level: where it came from, its extremes, where it went.
type step struct {
	x                      float64
	first, low, high, last int64
	highFirst              bool // the largest came before the least
}

// stepWidth is the width of a step of a level, and so the finest detail across.
const stepWidth = 2

// steps brings the rows of a level down to at most one step a column of the given width: a spike that lasts one row keeps its full
// height. Where there is room for all rows, each row is a step of its own.
func steps(values []int64, grain int64, p panel, column float64) []step {
	first, last := p.from/grain, min((p.to+grain-1)/grain, int64(len(values)))
	out := make([]step, 0, int(p.w/column)+2)
	for r := first; r < last; r++ {
		v := values[r]
		x := max(p.at(r*grain), p.x)
		if n := len(out); n > 0 && x < out[n-1].x+column && out[n-1].x > p.x {
			s := &out[n-1]
			if v > s.high {
				s.high, s.highFirst = v, false
			}
			if v < s.low {
				s.low, s.highFirst = v, true
			}
			s.last = v
			continue
		}
		out = append(out, step{x: x, first: v, low: v, high: v, last: v})
	}
	return out
}

// levelLine is the path of a level. It does not repeat a height, so a level that stays costs nothing.
func levelLine(s []step, v valueScale, right float64) *path {
	p := &path{}
	y := 0.0
	to := func(value int64) {
		if next := v.at(value); tenths(next) != tenths(y) {
			p.down(next)
			y = next
		}
	}
	for i := range s {
		switch {
		case i == 0:
			y = v.at(s[i].first)
			p.move(s[i].x, y)
		case s[i].low == s[i].high && tenths(v.at(s[i].first)) == tenths(y):
			continue
		default:
			p.across(s[i].x)
			to(s[i].first)
		}
		if s[i].highFirst {
			to(s[i].high)
			to(s[i].low)
		} else {
			to(s[i].low)
			to(s[i].high)
		}
		to(s[i].last)
	}
	if len(s) > 0 {
		p.across(right)
	}
	return p
}

// levelArea is the area under a level, up to the largest value of each step.
func levelArea(s []step, v valueScale, right float64) skyline {
	out := make(skyline, 0, len(s))
	for i := range s {
		end := right
		if i+1 < len(s) {
			end = s[i+1].x
		}
		out = out.add(column{s[i].x, end, v.at(s[i].high), v.y + v.h})
	}
	return out
}

// sum, largest are over all rows.
func sum(values []int64) (n int64) {
	for _, v := range values {
		n += v
	}
	return n
}

func largest(values []int64) (m int64) {
	for _, v := range values {
		m = max(m, v)
	}
	return m
}
