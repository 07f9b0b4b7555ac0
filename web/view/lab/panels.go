package lab

import (
	"seedbed/labs"
	"seedbed/web/text"
)

// mostPanelRows is how many rows of a panel stand in the page.
const mostPanelRows = 120

// panelSheet is a panel as a table.
type panelSheet struct {
	title string
	heads []string
	rows  [][]string
}

func (m *Model) panels() []panelSheet {
	var all []panelSheet
	for i := range m.in.Layout.Panels {
		p := &m.in.Layout.Panels[i]
		rows := m.in.Layout.Rows(m.in.Trace, i)
		rows = rows[:min(len(rows), mostPanelRows)]
		s := panelSheet{title: m.in.Words.Panels[p.Name]}
		heads := []string{"panel-who", "panel-code", "panel-took", "panel-trace", "panel-order"}
		read := m.lineCells
		if p.Kind == labs.Waterfall {
			heads, read = []string{"panel-trace", "panel-took", "panel-ended", "panel-order", "panel-about", "panel-size"}, m.traceCells
		}
		s.heads = append(s.heads, m.word("time"))
		for _, h := range heads {
			s.heads = append(s.heads, m.in.UI.Get("client."+h))
		}
		for _, row := range rows {
			if cells := read(p, row.Values); cells != nil {
				s.rows = append(s.rows, append([]string{text.Number(m.in.Lang, labs.Seconds, row.At)}, cells...))
			}
		}
		all = append(all, s)
	}
	return all
}

// traceCells is a kept trace in one row: the way that its spans took is in the picture and in the script's waterfall.
func (m *Model) traceCells(p *labs.Panel, v []int64) []string {
	spans := labs.Spans(v)
	if len(spans) == 0 {
		return nil
	}
	ended := ""
	for _, s := range spans {
		if spans[0].Outcome >= 0 && s.Outcome >= 0 && s.Outcome < len(p.Words) {
			ended = p.Words[s.Outcome]
		}
	}
	n := func(u labs.Unit, v int64) string { return text.Number(m.in.Lang, u, v) }
	return []string{
		n(labs.Count, v[labs.TraceID]), n(labs.Millis, spans[0].Took/tenth*tenth), ended,
		labs.Count.Format(v[labs.TraceBusiness]), labs.Count.Format(v[labs.TraceAbout]), n(labs.Count, v[labs.TraceSize]),
	}
}

// tenth of a millisecond, ns: finer is not read.
const tenth = 100_000

// lineCells is a line of a log.
func (m *Model) lineCells(p *labs.Panel, v []int64) []string {
	if len(v) != labs.LineNumbers || int(v[labs.LineEntity]) >= len(m.in.Layout.Entities) {
		return nil
	}
	return []string{
		m.in.Words.Entity(&m.in.Layout.Entities[v[labs.LineEntity]]), p.Words[v[labs.LineLevel]] + " " + p.Words[v[labs.LineCode]],
		text.Number(m.in.Lang, labs.Millis, v[labs.LineTook]/tenth*tenth), text.Number(m.in.Lang, labs.Count, v[labs.LineTrace]),
		labs.Count.Format(v[labs.LineBusiness]),
	}
}
