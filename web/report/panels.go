package report

import (
	"strconv"

	"seedbed/labs"
)

// appendPanels writes what a run wrote for its readers, where it has such panels: kept traces with their spans, lines of a log. Times are
// in seconds, words are codes.
func (r *Run) appendPanels(b []byte) []byte {
	if len(r.Layout.Panels) == 0 {
		return b
	}
	b = append(b, `,"panels":[`...)
	for i := range r.Layout.Panels {
		p := &r.Layout.Panels[i]
		b = append(comma(b, i), `{"name":`...)
		b = appendText(b, p.Name)
		b = append(b, `,"rows":[`...)
		for k, row := range r.Layout.Rows(r.Trace, i) {
			b = append(comma(b, k), `{"t":`...)
			b = append(b, labs.Seconds.Format(row.At)...)
			if p.Kind == labs.Waterfall {
				b = r.appendTrace(b, p, row.Values)
			} else {
				b = r.appendLine(b, p, row.Values)
			}
			b = append(b, '}')
		}
		b = append(b, `]}`...)
	}
	return append(b, ']')
}

func (r *Run) appendTrace(b []byte, p *labs.Panel, v []int64) []byte {
	b = appendNumber(b, "trace", labs.Count, v[labs.TraceID])
	b = appendNumber(b, "business", labs.Count, v[labs.TraceBusiness])
	b = appendNumber(b, "about", labs.Count, v[labs.TraceAbout])
	b = appendNumber(b, "size", labs.Count, v[labs.TraceSize])
	b = append(b, `,"spans":[`...)
	for i, s := range labs.Spans(v) {
		b = append(comma(b, i), `{"id":`...)
		b = strconv.AppendInt(b, int64(s.ID), 10)
		b = appendNumber(b, "parent", labs.Count, int64(s.Parent))
		b = appendWord(b, "entity", r.Layout.Entities[s.Entity].Name)
		b = appendWord(b, "word", p.Words[s.Word])
		b = appendNumber(b, "began", labs.Seconds, s.Began)
		b = appendNumber(b, "took", labs.Seconds, s.Took)
		b = appendNumber(b, "waited", labs.Seconds, s.Waited)
		if s.Outcome >= 0 {
			b = appendWord(b, "outcome", p.Words[s.Outcome])
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

func (r *Run) appendLine(b []byte, p *labs.Panel, v []int64) []byte {
	b = appendWord(b, "level", p.Words[v[labs.LineLevel]])
	b = appendWord(b, "code", p.Words[v[labs.LineCode]])
	b = appendWord(b, "entity", r.Layout.Entities[v[labs.LineEntity]].Name)
	b = appendNumber(b, "trace", labs.Count, v[labs.LineTrace])
	b = appendNumber(b, "span", labs.Count, v[labs.LineSpan])
	b = appendNumber(b, "business", labs.Count, v[labs.LineBusiness])
	return appendNumber(b, "took", labs.Seconds, v[labs.LineTook])
}

// appendNumber and appendWord append a field after another.
func appendNumber(b []byte, name string, u labs.Unit, v int64) []byte {
	b = append(appendText(append(b, ','), name), ':')
	return append(b, u.Format(v)...)
}

func appendWord(b []byte, name, word string) []byte {
	return appendText(append(appendText(append(b, ','), name), ':'), word)
}
