package culprit

import (
	"seedbed/chapters/limiter"
	"seedbed/labs"
)

// line is a line of the log, from when it is known until it is written.
type line struct {
	at          int64
	who         int // the service that writes it
	level, code int
	span        int // index; -1 for one without room
	trace, took int64
}

// Lines wait in the queue of events, as two numbers: the trace above 8 bits each of span, service, level and code, and the duration.
func (l *line) pack() (a, b int64) {
	return l.trace<<32 | int64(l.span+1)<<24 | int64(l.who)<<16 | int64(l.level)<<8 | int64(l.code), l.took
}

func unpack(a, b int64) line {
	return line{trace: a >> 32, span: int(a>>24&0xff) - 1, who: int(a >> 16 & 0xff), level: int(a >> 8 & 0xff), code: int(a & 0xff), took: b}
}

// maxLines is how many lines of one request are held back until it is known whether they are wanted.
const maxLines = 48

// write holds a line back.
func (r *request) write(l line) {
	if r.held < maxLines {
		l.trace = r.trace
		r.lines[r.held] = l
		r.held++
	}
}

// release plans the lines of a request for their instants. A line that leads to no trace is of little use, so that lines are wanted with
// their trace; where bad traces are not kept for being bad, all are.
func (s *state) release(env *labs.Env, r *request) {
	for i := range r.lines[:r.held] {
		a, b := r.lines[i].pack()
		env.At(r.lines[i].at, eventLine, 0, a, b)
	}
}

// firstOrder is the number before that of the first order, which is what the business calls it.
const firstOrder = 700_000

// How often a service writes the same code: logs that repeat themselves cost and tell nothing, so each code has a budget, and what they
// say of how often something happened is only that it did. Counting is what metrics are for.
const (
	linesAtOnce = 3
	lineEvery   = 20 * second
)

func budgets() (all [nService][nWord]limiter.TokenBucket) {
	b, err := limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.Rate{N: 1, Per: lineEvery}, Burst: linesAtOnce})
	if err != nil {
		panic("culprit: " + err.Error())
	}
	for who := range all {
		for code := range all[who] {
			all[who][code] = b
		}
	}
	return all
}

// show writes a line, unless its code has used its budget up.
func (s *state) show(env *labs.Env, l line) {
	if !s.budget[l.who][l.code].TakeAt(env.Now(), 1).OK {
		return
	}
	s.lines++
	var row [labs.LineNumbers]int64
	row[labs.LineLevel], row[labs.LineCode], row[labs.LineEntity] = int64(l.level), int64(l.code), int64(entityOf(l.who))
	row[labs.LineTrace], row[labs.LineSpan], row[labs.LineBusiness] = l.trace, int64(l.span+1), firstOrder+l.trace
	row[labs.LineTook] = l.took
	env.Shape(entityOf(nService)+panelLines, row[:])
}

// maxTraces is how many traces whoever collects them has room for.
const maxTraces = 300

// keep writes a trace.
func (s *state) keep(env *labs.Env, r *request) {
	s.traces++
	row := s.row[:0]
	row = append(row, r.trace, firstOrder+r.trace, r.article, r.keys)
	for i := range r.spans[:r.n] {
		p := &r.spans[i]
		row = append(row, int64(i+1), int64(p.parent+1), int64(p.entity), int64(p.word), p.began-r.began, p.took, p.waited, int64(p.outcome))
	}
	env.Shape(entityOf(nService)+panelTraces, row)
}
