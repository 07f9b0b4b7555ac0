package picture

import (
	"seedbed/labs"
)

// How panels are drawn.
const (
	spanHeight    = 19
	spanNarrow    = 33 // with its name above it
	spanNames     = 218
	linesShown    = 8
	logLineHeight = 19
	panelPause    = 22
	spanBar       = 9
	depthIndent   = 9
	leastBar      = 1.5
	mostTraceRow  = 40
)

// panels draws what the run wrote for readers: the slowest trace, and the log's first lines from the first change of state on.
func (d *drawing) panels() {
	if d.f.card {
		return
	}
	for i := range d.s.Layout.Panels {
		p := &d.s.Layout.Panels[i]
		rows := d.s.Layout.Rows(d.s.Trace, i)
		if len(rows) == 0 {
			continue
		}
		d.y += panelPause
		if p.Kind == labs.Waterfall {
			d.waterfall(p, rows)
		} else {
			d.logLines(p, rows)
		}
	}
}

// panelTitle writes the heading of a panel.
func (d *drawing) panelTitle(title string) {
	for _, l := range bold(d.f.size).wrap(title, d.f.width-2*d.f.margin, 2) {
		d.y += 16
		d.text(d.f.margin, d.y, l, hand{token: ink, bold: true})
	}
	d.y += 8
}

// telltale is the row of a Waterfall that is shown: the one whose root took longest, of those that failed where most did.
func telltale(rows []*labs.Shape) *labs.Shape {
	read := func(h *labs.Shape) (took int64, failed bool) {
		if len(h.Values) < labs.TraceHead+labs.SpanNumbers {
			return -1, false
		}
		return h.Values[labs.TraceHead+labs.SpanTook], h.Values[labs.TraceHead+labs.SpanOutcome] >= 0
	}
	bad := 0
	for _, h := range rows {
		if _, failed := read(h); failed {
			bad++
		}
	}
	best, most := rows[0], int64(-1)
	for _, h := range rows {
		if took, failed := read(h); took > most && (failed || 2*bad <= len(rows)) {
			best, most = h, took
		}
	}
	return best
}

func (d *drawing) waterfall(p *labs.Panel, rows []*labs.Shape) {
	row := telltale(rows)
	spans := labs.Spans(row.Values)
	if len(spans) == 0 {
		return
	}
	d.panelTitle(d.s.UI.Get("picture.trace", "panel", d.s.Words.Panels[p.Name], "id", d.number(labs.Count, row.Values[labs.TraceID]),
		"took", d.number(labs.Millis, spans[0].Took), "n", d.number(labs.Count, int64(len(rows)))))
	f, told := &d.f, labs.Telling(spans)
	told = told[:min(len(told), mostTraceRow)]
	x0 := f.margin
	if !f.stacked {
		x0 += spanNames
	}
	x1 := f.width - f.margin - 62 // the time stands at the end
	at := func(t int64) float64 { return x0 + (x1-x0)*min(1, float64(t)/float64(spans[0].Took)) }
	for i := range told {
		d.span(p, &told[i], x0, x1, at)
	}
}

// span draws one line of a waterfall: who did what, when in the trace, how long, how much of it waiting, and how it ended.
func (d *drawing) span(p *labs.Panel, s *labs.Span, x0, x1 float64, at func(int64) float64) {
	f := &d.f
	name := d.s.spanName(p, s)
	indent := depthIndent * float64(s.Depth)
	top := d.y
	if f.stacked {
		d.text(f.margin+indent, d.y+12, regular(f.size).clip(name, f.width-2*f.margin-indent), hand{token: ink})
		top += 17
	} else {
		d.text(f.margin+indent, d.y+12, regular(f.size).clip(name, spanNames-indent-8), hand{token: ink})
		top += 3
	}
	d.plate(wash, x0, top-1, x1-x0, spanBar+2, 1)
	from, to := at(s.Began), at(s.Began+s.Took)
	bar := (&path{}).rect(from, top, max(to-from, leastBar), spanBar)
	switch {
	case s.Outcome >= 0:
		d.fill(refuse, bar)
	case s.Leaf:
		d.fill(admit, bar)
	default:
		d.fill(admit, bar, attr{"fill-opacity", "0.22"})
		d.stroke(admit, bar, 1)
	}
	if s.Waited > 0 {
		if w := at(s.Began+s.Waited) - from; w > 1 {
			d.fill(raised, (&path{}).rect(from, top, w, spanBar))
			d.stroke(queue, (&path{}).rect(from, top, w, spanBar), 1.2, dashed("2 2"))
		}
	}
	d.text(f.width-f.margin, top+spanBar, d.number(labs.Millis, s.Took), hand{token: soft, size: tickSize, anchor: "end"})
	if f.stacked {
		d.y += spanNarrow
		return
	}
	d.y += spanHeight
}

// spanName says who did what and how it ended.
func (s *scene) spanName(p *labs.Panel, span *labs.Span) string {
	name := ""
	if span.Entity < len(s.Layout.Entities) {
		name = s.Words.Entity(&s.Layout.Entities[span.Entity])
	}
	if span.Word > 0 && span.Word < len(p.Words) {
		name += " · " + s.Words.Words[p.Words[span.Word]]
	}
	if span.Outcome >= 0 && span.Outcome < len(p.Words) {
		name += " · " + p.Words[span.Outcome]
	}
	return name
}

// logLines writes some lines of the log.
func (d *drawing) logLines(p *labs.Panel, rows []*labs.Shape) {
	from := 0
	for len(d.s.Trace.Marks) > 0 && from < len(rows)-linesShown && rows[from].At < d.s.Trace.Marks[0].At {
		from++
	}
	shown := rows[from:min(len(rows), from+linesShown)]
	d.panelTitle(d.s.UI.Get("picture.log-lines", "panel", d.s.Words.Panels[p.Name], "shown", d.number(labs.Count, int64(len(shown))), "n", d.number(labs.Count, int64(len(rows)))))
	for _, h := range shown {
		if len(h.Values) == labs.LineNumbers {
			d.logLine(p, h)
		}
	}
}

func (d *drawing) logLine(p *labs.Panel, h *labs.Shape) {
	f, s, v := &d.f, d.s, h.Values
	word := func(i int64) string {
		if i < 0 || int(i) >= len(p.Words) {
			return ""
		}
		return p.Words[i]
	}
	who := ""
	if v[labs.LineEntity] < int64(len(s.Layout.Entities)) {
		who = s.Words.Entity(&s.Layout.Entities[v[labs.LineEntity]])
	}
	ids := s.UI.Get("picture.log-ids", "trace", d.number(labs.Count, v[labs.LineTrace]), "business", labs.Count.Format(v[labs.LineBusiness]))
	took := d.number(labs.Millis, v[labs.LineTook])
	d.y += logLineHeight
	x := f.margin
	d.text(x, d.y, d.number(labs.Seconds, h.At), hand{token: soft})
	d.text(x+70, d.y, who, hand{token: ink})
	code := word(v[labs.LineCode])
	if f.stacked {
		d.text(f.width-f.margin, d.y, took, hand{token: soft, anchor: "end"})
		d.y += 17
		d.text(x+70, d.y, regular(f.size).clip(code, f.width-2*f.margin-70), hand{token: refuse})
		return
	}
	d.text(x+160, d.y, code, hand{token: refuse})
	d.text(x+380, d.y, took, hand{token: ink, anchor: "end"})
	d.text(x+400, d.y, regular(f.size).clip(ids, f.width-f.margin-x-400), hand{token: soft})
}
