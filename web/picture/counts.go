package picture

import (
	"slices"

	"seedbed/labs"
)

// A lane's counts are bars over time. What passed stands on the base, filled; what was refused stands on it, hollow, hatched and,
// where there is room, crossed; the two together are what arrived, and since lanes see the same requests they have one outline.

// bar is the requests of one bin.
type bar struct {
	span
	x0, x1          float64
	base, mid, top  float64 // passed from base to mid, refused from mid to top
	passed, refused int64
	cut             bool // it is higher than the track, and so is cut and labelled
}

// scaleCounts finds, for each panel, the count that fills a track. In a bus all lanes see the same requests, so they share it.
func (d *drawing) scaleCounts(rows []laneRow) {
	for k, p := range d.f.panels {
		var all []int64
		for i := range rows {
			r := &rows[i]
			var own []int64
			passed, refused := d.laneBins(p, r.lane)
			for b := range passed {
				if n := passed[b].n + refused[b].n; n > 0 {
					own = append(own, n)
				}
			}
			r.most = append(r.most, fullTrack(own))
			all = append(all, own...)
		}
		for i := range rows {
			if d.s.shape == bus {
				rows[i].most[k] = fullTrack(all)
			}
		}
	}
}

// fullTrack is the count that fills a track: the largest one, unless that would press an otherwise steady stream flat; then three
// times the usual count, and what is larger is cut.
func fullTrack(counts []int64) int64 {
	if len(counts) == 0 {
		return 0
	}
	slices.Sort(counts)
	top, usual := counts[len(counts)-1], counts[len(counts)/2]
	if len(counts) >= 16 && counts[len(counts)*19/20] <= 2*usual && top > 6*usual {
		return 3 * usual
	}
	return top
}

// laneBins are what passed and what was refused, in bins wide enough to be seen.
func (d *drawing) laneBins(p panel, l *lane) (passed, refused []bin) {
	grain := d.s.Trace.Grain
	rows := binRows(p, grain, 3)
	return bins(l.passed, grain, p.span, rows), bins(l.refused, grain, p.span, rows)
}

// bars are the bins of a lane that hold a request. Whatever is not nothing is seen: no part is lower than a unit.
func (d *drawing) bars(p panel, r laneRow, most int64) []bar {
	passed, refused := d.laneBins(p, r.lane)
	h := r.counts.y1 - r.counts.y0
	var out []bar
	for i := range passed {
		in, no := passed[i].n, refused[i].n
		if in+no == 0 {
			continue
		}
		full := float64(max(most, in+no))
		b := bar{span: passed[i].span, base: r.counts.y1, passed: in, refused: no, cut: in+no > most}
		b.x0, b.x1 = max(p.at(b.from), p.x), min(p.at(b.to), p.right())
		b.mid = b.base - atLeast(h*float64(in)/full, in)
		b.top = b.mid - atLeast(h*float64(no)/full, no)
		out = append(out, b)
	}
	return out
}

// atLeast is the height of a count, which is seen unless it is nothing.
func atLeast(height float64, n int64) float64 {
	if n == 0 {
		return 0
	}
	return max(height, 1)
}

// hatchGap is how far apart the lines of a hatching are.
const hatchGap = 4

// laneCounts draws the bars of one lane in a panel, given by its index.
func (d *drawing) laneCounts(k int, r laneRow) {
	p := d.f.panels[k]
	if r.most[k] == 0 {
		return
	}
	bars := d.bars(p, r, r.most[k])
	var in, out skyline
	for _, b := range bars {
		if b.passed > 0 {
			in = in.add(column{b.x0, b.x1, b.mid, b.base})
		}
		if b.refused > 0 {
			out = out.add(column{b.x0, b.x1, b.top, b.mid})
		}
	}
	d.fill(admit, in.area())
	d.stroke(refuse, out.hatch(hatchGap), 1)
	d.stroke(refuse, out.inset(0.5).area(), 1)
	if d.cutBars(p, r, bars) == 0 {
		d.burstLabels(p, r, bursts(bars))
	}
}

// cutBars draws a gap through each bar that is higher than the track, and writes the counts of the first beside it. It returns how
// many there are.
func (d *drawing) cutBars(p panel, r laneRow, bars []bar) (n int) {
	gaps := &path{}
	for _, b := range bars {
		if !b.cut {
			continue
		}
		n++
		y := r.counts.y0 + 7
		gaps.move(b.x0-2, y+2).line(b.x1+2, y-2)
		if n > 1 || len(d.f.panels) > 1 && !p.focus {
			continue
		}
		one := burst{x0: b.x0, x1: b.x1}
		one.passed, one.refused = r.fullest(b.span, d.s.Trace.Grain)
		w := d.burstLabelWidth(one)
		if b.x0-w-burstPad > p.x {
			d.burstLabel(one, b.x0-w-burstPad, r.counts.y0+11)
		} else {
			d.burstLabel(one, b.x1+burstPad, r.counts.y0+11)
		}
	}
	d.stroke(wash, gaps, 2.5)
	return n
}

// inset is the skyline whose outline, drawn as a line twice as wide, stays within.
func (s skyline) inset(by float64) skyline {
	out := make(skyline, len(s))
	for i, c := range s {
		if c.base-c.top > 2*by {
			c.top, c.base = c.top+by, c.base-by
		}
		out[i] = c
		if first := i == 0 || !s[i-1].touches(c); first {
			out[i].x0 += by
		}
		if last := i+1 == len(s) || !c.touches(s[i+1]); last {
			out[i].x1 -= by
		}
	}
	return out
}

// fullest is the row of a stretch with the most requests: what came at once, without what came a little later.
func (l *lane) fullest(over span, grain int64) (passed, refused int64) {
	for i := over.from / grain; i < over.to/grain; i++ {
		var in, no int64
		if i < int64(len(l.passed)) {
			in = l.passed[i]
		}
		if i < int64(len(l.refused)) {
			no = l.refused[i]
		}
		if in+no > passed+refused {
			passed, refused = in, no
		}
	}
	return passed, refused
}

// burst is a run of bars that touch.
type burst struct {
	x0, x1          float64
	mid, top        float64
	passed, refused int64
}

// bursts joins bars that touch.
func bursts(bars []bar) []burst {
	var out []burst
	for i, b := range bars {
		if i > 0 && bars[i-1].to == b.from {
			last := &out[len(out)-1]
			last.x1, last.mid, last.top = b.x1, min(last.mid, b.mid), min(last.top, b.top)
			last.passed += b.passed
			last.refused += b.refused
			continue
		}
		out = append(out, burst{b.x0, b.x1, b.mid, b.top, b.passed, b.refused})
	}
	return out
}

// mostBursts is how many bursts of one panel are labelled: more would be read by nobody.
const mostBursts = 4

// burstLabels writes the counts of a few bursts: within a burst's bar, or beside it where nothing stands in the way.
func (d *drawing) burstLabels(p panel, r laneRow, list []burst) {
	if len(list) > mostBursts || len(d.f.panels) > 1 && !p.focus {
		return
	}
	y := (r.counts.y0+r.counts.y1)/2 + 4.5
	free := p.x // where the last label or burst ended
	for i, b := range list {
		end := p.right()
		if i+1 < len(list) {
			end = list[i+1].x0
		}
		w := d.burstLabelWidth(b)
		switch {
		case b.x1-b.x0 > p.w/6: // not a burst but a stream
			free = b.x1
		case b.refused == 0 && w <= b.x1-b.x0 && b.mid < y-10:
			d.text((b.x0+b.x1)/2, y, d.number(labs.Count, b.passed), hand{token: on, size: burstSize, bold: true, anchor: "middle"})
			free = b.x1
		case b.x1+w+burstPad <= end:
			d.burstLabel(b, b.x1+burstPad, y)
			free = b.x1 + w + burstPad
		case b.x0-w-burstPad >= free:
			d.burstLabel(b, b.x0-w-burstPad, y)
			free = b.x1
		default:
			free = b.x1
		}
	}
}

const (
	burstSize = 12 // of a burst's label
	burstPad  = 4
)

// burstLabelWidth is how wide a burst's label is.
func (d *drawing) burstLabelWidth(b burst) float64 {
	w := 0.0
	if b.passed > 0 {
		w = bold(burstSize).width(d.number(labs.Count, b.passed))
	}
	if b.passed > 0 && b.refused > 0 {
		w += burstPad
	}
	if b.refused > 0 {
		w += 12 + bold(burstSize).width(d.number(labs.Count, b.refused))
	}
	return w
}

// burstLabel writes what passed, then what was refused, with its cross.
func (d *drawing) burstLabel(b burst, x, base float64) {
	if b.passed > 0 {
		n := d.number(labs.Count, b.passed)
		d.text(x, base, n, hand{token: admit, size: burstSize, bold: true})
		x += bold(burstSize).width(n) + burstPad
	}
	if b.refused > 0 {
		d.stroke(refuse, cross(&path{}, x+4, base-4.5, 3.5), 1.5)
		d.text(x+12, base, d.number(labs.Count, b.refused), hand{token: refuse, size: burstSize, bold: true})
	}
}
