package report

import (
	"strings"

	"seedbed/labs"
)

// CSV writes the series as a table: a line of names with units, then a line a row of the trace. t is the instant, in seconds, at
// which a row begins.
func (r *Run) CSV() []byte {
	b := []byte("t (s)")
	rows := 0
	for i := range r.Trace.Columns {
		s := &r.Trace.Columns[i]
		b = append(append(b, ','), Field(WithUnit(s.Quantity))...)
		rows = max(rows, len(s.Values))
	}
	b = append(b, '\n')
	for row := range rows {
		b = append(b, labs.Seconds.Format(int64(row)*r.Trace.Grain)...)
		for i := range r.Trace.Columns {
			s := &r.Trace.Columns[i]
			b = append(append(b, ','), s.Unit.Format(s.Values[row])...)
		}
		b = append(b, '\n')
	}
	return b
}

// EventsCSV writes the events as a table. a and b are the two values of an event, in the units that the lab states.
func (r *Run) EventsCSV() []byte {
	b := []byte("t (s),kind,entity,a,b,detail\n")
	events, _ := r.events()
	for i := range events {
		e := &events[i]
		kind := &r.Spec.Lab.Events[e.Kind]
		b = append(b, labs.Seconds.Format(e.At)...)
		b = append(append(b, ','), Field(kind.Name)...)
		b = append(append(b, ','), Field(r.Layout.Entities[e.Entity].Name)...)
		b = append(append(b, ','), cell(kind.A, e.A)...)
		b = append(append(b, ','), cell(kind.B, e.B)...)
		b = append(append(b, ','), Field(r.Words.Phrase(r.Spec, r.Layout, *e))...)
		b = append(b, '\n')
	}
	return b
}

// cell is a value of an event, empty when the kind has none.
func cell(q labs.Quantity, v int64) string {
	if q.Name == "" {
		return ""
	}
	return q.Unit.Format(v)
}

// WithUnit is the name of a column of a table: "wait (ms)".
func WithUnit(q labs.Quantity) string {
	if code := q.Unit.Code(); code != "" {
		return q.Name + " (" + code + ")"
	}
	return q.Name
}

// Field quotes a field of CSV where it must be (RFC 4180).
func Field(s string) string {
	if strings.ContainsAny(s, "\",\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
