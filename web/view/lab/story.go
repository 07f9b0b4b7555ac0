package lab

import (
	"cmp"
	"slices"

	"seedbed/labs"
	"seedbed/web/text"
)

// line is one thing that happened, or the same thing several times in a row.
type line struct {
	at, phrase string
	mark       bool
	times      string // ×7, or nothing
}

// mostLines is how much of what happened stands in the page.
const mostLines = 24

// told is an event and how often it came in a row.
type told struct {
	labs.Logged
	times int
}

// story is the marks of the run and its first events, in the order of their happening, as web/client/lab/story.ts tells it of another run.
func (m *Model) story() (lines []line, more int) {
	marks := inARow(m.in.Trace.Marks)
	marks = marks[:min(len(marks), mostLines/2)]
	log := m.in.Trace.Log[:min(len(m.in.Trace.Log), mostLines-len(marks))]
	all := marks
	for _, e := range log {
		if !slices.ContainsFunc(marks, func(t told) bool { return t.Logged == e }) {
			all = append(all, told{e, 1})
		}
	}
	slices.SortStableFunc(all, func(a, b told) int { return cmp.Compare(a.N, b.N) })
	for _, e := range all {
		l := line{at: text.Number(m.in.Lang, labs.Seconds, e.At), phrase: m.in.Words.Phrase(m.in.Spec, m.in.Layout, e.Logged)}
		l.mark = int(e.Kind) >= len(m.lab.Events) || m.lab.Events[e.Kind].Mark
		if e.times > 1 {
			l.times = "×" + text.Number(m.in.Lang, 0, int64(e.times))
		}
		lines = append(lines, l)
	}
	return lines, len(m.in.Trace.Log) - len(log)
}

// inARow gathers what comes again before anything else does: a promise that is broken anew by each request is told once.
func inARow(events []labs.Logged) []told {
	var all []told
	for _, e := range events {
		if last := len(all) - 1; last >= 0 && all[last].Kind == e.Kind && all[last].Entity == e.Entity && e.Kind == labs.MarkViolation {
			all[last].times++
			continue
		}
		all = append(all, told{e, 1})
	}
	return all
}
