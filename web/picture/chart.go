package picture

import (
	"slices"
	"strings"

	"seedbed/labs"
)

// charts draws the plots that no lane shows: lines over the panels' time, a bound, names at the lines' ends.
func (d *drawing) charts() {
	for i := range d.s.charts {
		if i > 0 || len(d.s.lanes) > 0 {
			d.y += d.f.pause + 4
		}
		d.chart(&d.s.charts[i])
	}
}

// chart draws one plot: its title at the left and its lines' names at the right, or, where there is no room, both above it.
func (d *drawing) chart(c *chart) {
	f := &d.f
	series, top := d.chartSeries(c)
	beside := f.label.width() - d.widestTick(c, top) - 8
	if f.stacked || beside < 70 && !f.card {
		for _, l := range regular(f.size).wrap(c.title, f.width-f.margin-f.label.x0, 2) {
			d.y += 16
			d.text(f.label.x0, d.y, l, hand{token: ink})
		}
		d.y += 6
	} else if beside >= 40 {
		for i, l := range regular(f.size).wrap(c.title, beside, 4) {
			d.text(f.label.x0, d.y+13+16*float64(i), l, hand{token: ink})
		}
	}
	if f.stacked {
		d.chartNamesAbove(c)
	}
	v := valueScale{y: d.y + 4, h: f.chart - 4, top: top}
	var names []endName
	if !f.stacked {
		names = d.endNames(c, v)
		if need := namesHeight(names); need > f.chart && !f.card {
			v.h = need - 4
			names = d.endNames(c, v)
		}
	}
	h := v.h + 4
	for k, p := range f.panels {
		d.plate(wash, p.x, d.y, p.w, h, 2)
		d.chartGrid(p, v, c, k == 0)
		for i := range c.lines {
			d.chartLine(p, v, c, i, series[k][i])
		}
		if c.bound > 0 {
			y := v.at(c.bound)
			d.stroke(ink, (&path{}).move(p.x, y).across(p.right()), 1, dashed("4 3"))
		}
	}
	if f.stacked {
		d.valuesWithin(f.panels[0], v, c)
	}
	d.drawEndNames(names)
	d.y += h
}

// chartSeries are the steps of every line in every panel, and the value at the top of the scale, a little above all of them.
func (d *drawing) chartSeries(c *chart) (series [][][]step, top int64) {
	top = c.bound
	for _, p := range d.f.panels {
		var lines [][]step
		for i := range c.lines {
			s := c.lines[i].over(p, d.s.Trace.Grain)
			for _, one := range s {
				top = max(top, one.high)
			}
			lines = append(lines, s)
		}
		series = append(series, lines)
	}
	top = min(top, mostValue)
	return series, max(top+top/12, 1)
}

// widestTick is the width of the widest value of a chart's axis.
func (d *drawing) widestTick(c *chart, top int64) float64 {
	widest := 0.0
	_, values := ticks(0, top, 3)
	for _, value := range values[1:] {
		widest = max(widest, regular(tickSize).width(c.tick(d, value)))
	}
	return widest
}

// tick writes a value of the chart's axis. A rate's unit stands in the title.
func (c *chart) tick(d *drawing, value int64) string {
	if u := c.lines[0].unit; u == labs.PerSecond {
		return u.Format(value)
	}
	return d.number(c.lines[0].unit, value)
}

// patterns tell lines apart that are not judged; the judged one, or the only one, is unbroken and strong. None looks like a bound. Of
// more lines than patterns the later ones are thick.
var patterns = []string{"", "1.5 3", "10 3", "9 3 2 3", "1 5"}

// look is how a line is drawn.
func (c *chart) look(i int) (token string, weight float64, more []attr) {
	if c.lines[i].judged || len(c.lines) == 1 {
		return admit, 1.75, nil
	}
	n := 0
	for k := range c.lines[:i] {
		if !c.lines[k].judged {
			n++
		}
	}
	if slices.ContainsFunc(c.lines, func(l chartLine) bool { return l.judged }) {
		n++ // the unbroken one is taken
	}
	if pattern := patterns[n%len(patterns)]; pattern != "" {
		more = []attr{dashed(pattern)}
	}
	if n >= len(patterns) {
		return soft, 2.75, more
	}
	return soft, 1.25, more
}

// over is the line within a panel: a level as it is, counts gathered into bins of a few units and told per second, so that panels of
// different scale can be compared.
func (l *chartLine) over(p panel, grain int64) []step {
	if !l.sum {
		return steps(l.values, grain, p, stepWidth)
	}
	var out []step
	for _, b := range bins(l.values, grain, p.span, binRows(p, grain, 4)) {
		n := perSecond(b)
		out = append(out, step{x: max(p.at(b.from), p.x), first: n, low: n, high: n, last: n})
	}
	return out
}

// perSecond is a bin's count as a rate.
func perSecond(b bin) int64 {
	return int64(min(float64(b.n)*1e9/float64(b.length())+0.5, mostValue))
}

// chartGrid draws the ticks of both axes, and, in the first panel, the values.
func (d *drawing) chartGrid(p panel, v valueScale, c *chart, first bool) {
	grid := &path{}
	for _, t := range d.timeTicks(p).at {
		if x := p.at(t); x > p.x+1 && x < p.right()-1 {
			grid.move(x, d.y).down(v.y + v.h)
		}
	}
	_, values := ticks(0, v.top, 3)
	for _, value := range values[1:] {
		grid.move(p.x, v.at(value)).across(p.right())
	}
	d.stroke(line, grid, 1)
	if !first || d.f.stacked {
		return
	}
	for _, value := range values[1:] {
		d.text(p.x-6, v.at(value)+4, c.tick(d, value), hand{token: soft, size: tickSize, anchor: "end"})
	}
}

// valuesWithin writes the values of a stacked chart within it, over its lines, for there is no room beside it.
func (d *drawing) valuesWithin(p panel, v valueScale, c *chart) {
	_, values := ticks(0, v.top, 3)
	for _, value := range values[1:] {
		s := c.tick(d, value)
		y := min(v.at(value)+13, v.y+v.h-2)
		d.plate(wash, p.x+2, y-11, regular(tickSize).width(s)+4, 13, 2)
		d.text(p.x+4, y, s, hand{token: soft, size: tickSize})
	}
}

// chartLine draws one line, and hatches what is over the bound.
func (d *drawing) chartLine(p panel, v valueScale, c *chart, i int, s []step) {
	token, weight, more := c.look(i)
	area := levelArea(s, v, p.right())
	if token == admit {
		d.fill(admit, area.area(), attr{"fill-opacity", "0.16"})
	}
	if c.bound > 0 {
		d.excess(area.above(v.at(c.bound)))
	}
	d.stroke(token, levelLine(s, v, p.right()), weight, append(more, attr{"stroke-linejoin", "round"})...)
}

// label is a line's name with its largest value, or, for counts, with their sum.
func (d *drawing) lineLabel(l *chartLine) string {
	if l.sum {
		return d.s.UI.Get("picture.line-sum", "name", l.name, "value", d.number(labs.Count, sum(l.values)))
	}
	return d.s.UI.Get("picture.line", "name", l.name, "value", d.number(l.unit, l.peak))
}

// endName is a name beside the end of its line.
type endName struct {
	y     float64 // middle of its first line of text
	lines []string
	draw  func(x, y float64) // a sample of the line, 14 units wide
}

func (n *endName) height() float64 { return float64(len(n.lines))*15 + 3 }

// namesHeight is what names take one below the other.
func namesHeight(names []endName) float64 {
	h := 0.0
	for i := range names {
		h += names[i].height()
	}
	return h
}

// endNames places the names of the lines, and of the bound, at the right of the last panel: each as near to its line's end as those
// above it let it.
func (d *drawing) endNames(c *chart, v valueScale) []endName {
	f := &d.f
	room := f.width - f.margin - f.panels[len(f.panels)-1].right() - 28
	most := 8 // lines of text a name
	if f.card {
		most = 2
	}
	var names []endName
	for i := range c.lines {
		l := &c.lines[i]
		end := l.over(f.panels[len(f.panels)-1], d.s.Trace.Grain)
		token, weight, more := c.look(i)
		n := endName{y: v.y + v.h, lines: regular(12).wrap(d.lineLabel(l), room, most)}
		if len(end) > 0 {
			n.y = v.at(end[len(end)-1].last)
		}
		n.draw = func(x, y float64) {
			d.stroke(token, (&path{}).move(x, y).across(x+14), weight, more...)
		}
		names = append(names, n)
	}
	if c.bound > 0 {
		label := d.s.UI.Get("picture.limit", "value", d.number(c.lines[0].unit, c.bound))
		names = append(names, endName{y: v.at(c.bound), lines: regular(12).wrap(label, room, 2), draw: func(x, y float64) {
			d.stroke(ink, (&path{}).move(x, y).across(x+14), 1, dashed("4 3"))
		}})
	}
	slices.SortStableFunc(names, func(a, b endName) int { return int(10*a.y) - int(10*b.y) })
	// Down from the top, then up from the bottom: no name on another, none outside the chart.
	y := v.y + 6
	for i := range names {
		names[i].y = max(names[i].y, y)
		y = names[i].y + names[i].height()
	}
	y = v.y + v.h + 8
	for i := len(names) - 1; i >= 0; i-- {
		names[i].y = min(names[i].y, y-names[i].height())
		y = names[i].y
	}
	return names
}

// drawEndNames writes them.
func (d *drawing) drawEndNames(names []endName) {
	x := d.f.panels[len(d.f.panels)-1].right() + 8
	for _, n := range names {
		n.draw(x, n.y)
		for k, l := range n.lines {
			d.text(x+20, n.y+4+15*float64(k), l, hand{token: soft, size: 12})
		}
	}
}

// chartNamesAbove names the lines above a stacked chart.
func (d *drawing) chartNamesAbove(c *chart) {
	f := &d.f
	var items []keyItem
	for i := range c.lines {
		token, weight, more := c.look(i)
		items = append(items, keyItem{func(x, y float64) {
			d.stroke(token, (&path{}).move(x, y-4.5).across(x+14), weight, more...)
		}, d.lineLabel(&c.lines[i])})
	}
	if c.bound > 0 {
		items = append(items, d.boundKey(c.lines[0].unit, c.bound))
	}
	d.flow(items, f.label.x0, f.label.x1)
	d.y += 2
}

// merge joins lines that are the same throughout: one line with all their names says more than several on top of each other.
func (c *chart) merge() {
	var kept []chartLine
	for _, l := range c.lines {
		i := slices.IndexFunc(kept, func(k chartLine) bool { return k.sum == l.sum && slices.Equal(k.values, l.values) })
		if i < 0 {
			kept = append(kept, l)
			continue
		}
		kept[i].name = strings.Join([]string{kept[i].name, l.name}, " = ")
		kept[i].judged = kept[i].judged || l.judged
	}
	c.lines = kept
}
