// Package report writes a finished run, and what a lab is, for other programs: JSON and CSV, the same from the command line and from
// the server.
//
// # A run as JSON
//
//	{"spec":"window-edge?v=1&use=fixed","digest":"…32 hex digits…",
//	 "metrics":{"admitted":200,…},
//	 "checks":[{"name":"no-window-over-limit","ok":false,"at":1.001,"request":101,"count":100,"detail":"…"}],
//	 "series":[{"name":"admitted","unit":"","t":[0,0.001,…],"v":[0,100,…]}],
//	 "events":[{"t":0.999,"kind":"admit","entity":"fixed","request":1,"inside":1,"detail":"…"}],
//	 "truncated":false}
//
// Times (t, at) are seconds of virtual time; every other number is in the unit that the lab states. All numbers are exact decimals.
// A check that holds has null for at and request, and 0 for count; request is null too where no single request broke it. detail is a
// sentence of the language asked for, everything else is codes. truncated is true when more happened than the log holds. A lab with
// panels has one member more, behind truncated: "panels":[{"name":"lines","rows":[{"t":54.3,"level":"WARN","code":"SLOW_CACHE",…}]}].
//
// # CSV
//
// One row a grain of time, one column a series, in the units of the first line: what a spreadsheet opens.
//
// The package computes nothing and runs nothing. Its functions are pure and safe for concurrent use.
package report

import (
	"strconv"

	"seedbed/labs"
	"seedbed/web/text"
)

// Run is a finished run and the language in which its sentences are told. Spec, Trace, Layout and Words must belong together.
type Run struct {
	Spec   *labs.Spec
	Trace  *labs.Trace
	Layout *labs.Layout
	Words  *text.Lab
	// Events, where not nil, stand in the place of the trace's log: those of a window that was asked for.
	Events []labs.Logged
	// Truncated says of Events that there were more.
	Truncated bool
	// More are members that stand behind the run's own in JSON: what its driver knows of it.
	More []Member
}

// Member is one member of an object. Value is written as encoding/json does.
type Member struct {
	Name  string
	Value any
}

// events are those to be written, and whether there were more.
func (r *Run) events() ([]labs.Logged, bool) {
	if r.Events != nil {
		return r.Events, r.Truncated
	}
	return r.Trace.Log, r.Trace.Truncated()
}

// JSON writes the run as one line of JSON, without a newline. The cost is linear in the trace.
func (r *Run) JSON() []byte {
	b := make([]byte, 0, 1<<16)
	b = append(b, `{"spec":`...)
	b = appendText(b, r.Trace.Spec)
	b = append(b, `,"digest":`...)
	b = appendText(b, r.Trace.Digest())
	b = append(b, `,"metrics":`...)
	b = r.appendMetrics(b)
	b = append(b, `,"checks":`...)
	b = r.appendChecks(b)
	b = append(b, `,"series":[`...)
	for i := range r.Trace.Columns {
		b = r.appendSeries(comma(b, i), &r.Trace.Columns[i])
	}
	b = append(b, `],"events":[`...)
	events, truncated := r.events()
	for i := range events {
		b = r.appendEvent(comma(b, i), &events[i])
	}
	b = append(b, `],"truncated":`...)
	b = strconv.AppendBool(b, truncated)
	b = r.appendPanels(b)
	for _, m := range r.More {
		b = appendText(append(b, ','), m.Name)
		b = append(append(b, ':'), encode(m.Value)...)
	}
	return append(b, '}')
}

// Summary writes the part of JSON that does not grow with the run: spec, digest, metrics and checks.
func (r *Run) Summary() []byte {
	b := append([]byte(nil), `{"spec":`...)
	b = appendText(b, r.Trace.Spec)
	b = append(b, `,"digest":`...)
	b = appendText(b, r.Trace.Digest())
	b = append(b, `,"metrics":`...)
	b = r.appendMetrics(b)
	b = append(b, `,"checks":`...)
	return append(r.appendChecks(b), '}')
}

func (r *Run) appendMetrics(b []byte) []byte {
	b = append(b, '{')
	for i, m := range r.Spec.Lab.Metrics {
		b = appendText(comma(b, i), m.Name)
		b = append(b, ':')
		b = append(b, m.Unit.Format(r.Trace.Metrics[i])...)
	}
	return append(b, '}')
}

func (r *Run) appendChecks(b []byte) []byte {
	b = append(b, '[')
	for i := range r.Trace.Verdicts {
		v := &r.Trace.Verdicts[i]
		b = append(comma(b, i), `{"name":`...)
		b = appendText(b, v.Check)
		b = append(b, `,"ok":`...)
		b = strconv.AppendBool(b, v.OK)
		b = append(b, `,"at":`...)
		if v.OK {
			b = append(b, `null,"request":null`...)
		} else {
			b = append(b, labs.Seconds.Format(v.At)...)
			b = append(b, `,"request":`...)
			if v.Request < 0 {
				b = append(b, "null"...)
			} else {
				b = strconv.AppendInt(b, v.Request, 10)
			}
		}
		b = append(b, `,"count":`...)
		b = strconv.AppendInt(b, v.Count, 10)
		b = append(b, `,"detail":`...)
		b = appendText(b, r.Words.Verdict(r.Spec, r.Layout, i, *v))
		b = append(b, '}')
	}
	return append(b, ']')
}

func (r *Run) appendSeries(b []byte, s *labs.Series) []byte {
	b = append(b, `{"name":`...)
	b = appendText(b, s.Name)
	b = append(b, `,"unit":`...)
	b = appendText(b, s.Unit.Code())
	b = append(b, `,"t":[`...)
	for i := range s.Values {
		b = append(comma(b, i), labs.Seconds.Format(int64(i)*r.Trace.Grain)...)
	}
	b = append(b, `],"v":[`...)
	for i, v := range s.Values {
		b = append(comma(b, i), s.Unit.Format(v)...)
	}
	return append(b, `]}`...)
}

func (r *Run) appendEvent(b []byte, e *labs.Logged) []byte {
	kind := &r.Spec.Lab.Events[e.Kind]
	b = append(b, `{"t":`...)
	b = append(b, labs.Seconds.Format(e.At)...)
	b = append(b, `,"kind":`...)
	b = appendText(b, kind.Name)
	b = append(b, `,"entity":`...)
	b = appendText(b, r.Layout.Entities[e.Entity].Name)
	for _, value := range []struct {
		labs.Quantity
		v int64
	}{{kind.A, e.A}, {kind.B, e.B}} {
		if value.Name == "" {
			continue
		}
		b = append(b, ',')
		b = appendText(b, value.Name)
		b = append(b, ':')
		b = append(b, value.Unit.Format(value.v)...)
	}
	b = append(b, `,"detail":`...)
	b = appendText(b, r.Words.Phrase(r.Spec, r.Layout, *e))
	return append(b, '}')
}

// comma separates item i from the one before it.
func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendText appends a JSON string. Nearly all are codes and sentences that stand as they are, and a run has thousands.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c > 0x7E {
			return append(b, encode(s)...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
