package picture

import (
	"slices"
	"strings"

	"seedbed/labs"
)

// scene is what a picture shows, decided before anything is placed: which entities become lanes, which plots remain, where to look
// closer, and the instant of the stage.
type scene struct {
	Picture
	lanes    []lane
	shape    shape
	charts   []chart
	focus    span // zero when the whole run is shown at one scale
	telling  int64
	verdicts []verdict
	notes    []note
	more     int // notes that there is no room for
}

// shape is how the entities are drawn.
type shape uint8

const (
	bare  shape = iota // lanes only
	bus                // one source, lanes side by side, one sink: the ways run along the lanes
	graph              // anything else: a stage above the lanes
)

// lane is an entity with what it did over time.
type lane struct {
	entity          *labs.Entity
	name            string
	passed, refused []int64 // rows of counts; nil when it has none
	level           []int64 // rows; nil when it has none
	down            []int64
	unit            labs.Unit // of the level
	bound           int64     // of the level; must not be passed; 0 for none
	full            int64     // capacity of the level; 0 for none
	nPassed         int64
	nRefused        int64
	peak            int64
}

// over is true when the lane went past its bound.
func (l *lane) over() bool { return l.bound > 0 && l.peak > l.bound }

// reach is the largest level that its scale must show.
func (l *lane) reach() int64 { return max(l.peak, l.bound, l.full) }

// counts is true when the lane has requests that passed or were refused.
func (l *lane) counts() bool { return l.passed != nil || l.refused != nil }

// chart is a plot that is drawn by itself.
type chart struct {
	title string
	bound int64
	lines []chartLine
}

type chartLine struct {
	name   string
	values []int64
	unit   labs.Unit
	sum    bool
	judged bool
	peak   int64
}

// verdict is how one check fared, in words.
type verdict struct {
	good     bool
	title    string
	sentence string
	at       int64
}

// mostLanes is how many entities are drawn as lanes; of more, the judged ones and then the first are.
const mostLanes = 8

func newScene(in Picture) *scene {
	s := &scene{Picture: in}
	s.addLanes()
	s.dropCharted()
	s.shape = s.shapeOf()
	s.addCharts()
	s.addVerdicts()
	s.telling = s.tellingInstant()
	s.focus = s.focusSpan()
	s.addNotes()
	return s
}

// values are the rows of a column; nil for no column.
func (s *scene) values(column string) []int64 {
	if column == "" {
		return nil
	}
	if c := s.Trace.Column(column); c != nil {
		return c.Values
	}
	return nil
}

func (s *scene) addLanes() {
	for i := range s.Layout.Entities {
		e := &s.Layout.Entities[i]
		l := lane{
			entity: e, name: s.Words.Entity(e), passed: s.values(e.Passed), refused: s.values(e.Refused),
			level: s.values(e.Level), down: s.values(e.Down), full: e.Full,
		}
		if !l.counts() && l.level == nil {
			continue
		}
		if l.level != nil {
			l.unit = s.Trace.Column(e.Level).Unit
			l.bound = s.boundOf(e.Level)
		}
		l.nPassed, l.nRefused, l.peak = sum(l.passed), sum(l.refused), largest(l.level)
		s.lanes = append(s.lanes, l)
	}
	if len(s.lanes) > mostLanes {
		slices.SortStableFunc(s.lanes, func(a, b lane) int { return rankOf(a.entity) - rankOf(b.entity) })
		s.lanes = s.lanes[:mostLanes]
	}
}

// rankOf puts judged entities before others.
func rankOf(e *labs.Entity) int {
	if e.Judged {
		return 0
	}
	return 1
}

// boundOf is the bound of the plot that a column belongs to.
func (s *scene) boundOf(column string) int64 {
	for i := range s.Layout.Plots {
		if slices.Contains(s.Layout.Plots[i].Columns, column) {
			return s.Layout.Plots[i].Bound
		}
	}
	return 0
}

// levelPlot is the plot that the lanes' levels are drawn from; nil when they belong to none, or to several.
func (s *scene) levelPlot() *labs.Plot {
	for i := range s.Layout.Plots {
		if p := &s.Layout.Plots[i]; s.inLanes(p) {
			return p
		}
	}
	return nil
}

// inLanes is true when every column of a plot is the level of a lane.
func (s *scene) inLanes(p *labs.Plot) bool {
	for _, c := range p.Columns {
		if !slices.ContainsFunc(s.lanes, func(l lane) bool { return l.entity.Level == c }) {
			return false
		}
	}
	return len(p.Columns) > 0
}

// isArrivals is true for a plot that says no more than a lane does: what passed and what was refused, or their sum.
func (s *scene) isArrivals(p *labs.Plot) bool {
	if p.Bound != 0 {
		return false
	}
	return slices.ContainsFunc(s.lanes, func(l lane) bool {
		if slices.Contains(p.Columns, l.entity.Passed) && slices.Contains(p.Columns, l.entity.Refused) {
			return true
		}
		return len(p.Columns) == 1 && isSum(s.values(p.Columns[0]), l.passed, l.refused)
	})
}

// isSum is true when each row of all is the sum of two others.
func isSum(all, a, b []int64) bool {
	if a == nil || len(a) != len(all) || len(b) != len(all) {
		return false
	}
	for i, v := range all {
		if a[i]+b[i] != v {
			return false
		}
	}
	return true
}

// dropCharted takes away lanes that are nothing but a level which a chart shows.
func (s *scene) dropCharted() {
	s.lanes = slices.DeleteFunc(s.lanes, func(l lane) bool {
		return !l.counts() && slices.ContainsFunc(s.Layout.Plots, func(p labs.Plot) bool {
			return slices.Contains(p.Columns, l.entity.Level) && !s.inLanes(&p)
		})
	})
}

// shapeOf decides how the ways of requests are drawn.
func (s *scene) shapeOf() shape {
	if len(s.Layout.Links) == 0 || len(s.lanes) == 0 {
		if len(s.Layout.Entities) > len(s.lanes) {
			return graph
		}
		return bare
	}
	rank := s.lanes[0].entity.Rank
	isLane := map[string]bool{}
	for i := range s.lanes {
		if s.lanes[i].entity.Rank != rank {
			return graph
		}
		isLane[s.lanes[i].entity.Name] = true
	}
	before, behind := 0, 0
	for i := range s.Layout.Entities {
		switch e := &s.Layout.Entities[i]; {
		case isLane[e.Name]:
		case e.Rank < rank:
			before++
		case e.Rank > rank:
			behind++
		default:
			return graph
		}
	}
	for _, k := range s.Layout.Links {
		if isLane[k.From] == isLane[k.To] {
			return graph
		}
	}
	if before > 1 || behind > 1 {
		return graph
	}
	return bus
}

// end is the entity before (source) or behind (sink) the lanes of a bus; nil when there is none.
func (s *scene) end(source bool) *labs.Entity {
	for i := range s.Layout.Entities {
		e := &s.Layout.Entities[i]
		if rank := s.lanes[0].entity.Rank; source && e.Rank < rank || !source && e.Rank > rank {
			return e
		}
	}
	return nil
}

func (s *scene) addCharts() {
	for i := range s.Layout.Plots {
		p := &s.Layout.Plots[i]
		if s.inLanes(p) || s.isArrivals(p) {
			continue
		}
		c := chart{title: s.Words.Plots[p.Name], bound: p.Bound}
		sums := false
		for _, name := range p.Columns {
			column := s.Trace.Column(name)
			if column == nil {
				continue
			}
			sums = sums || column.Gather == labs.Sum
			c.lines = append(c.lines, chartLine{
				name: s.Words.Columns[name], values: column.Values, unit: column.Unit, sum: column.Gather == labs.Sum,
				judged: s.isJudged(name), peak: largest(column.Values),
			})
		}
		if sums {
			c.title = s.UI.Get("picture.per-second", "plot", c.title)
		}
		c.merge()
		if len(c.lines) > 0 {
			s.charts = append(s.charts, c)
		}
	}
}

// isJudged is true for a column of an entity that the checks judge: one that the entity names, or, as labs name their columns,
// WHAT.ENTITY.
func (s *scene) isJudged(column string) bool {
	for i := range s.Layout.Entities {
		e := &s.Layout.Entities[i]
		if e.Judged && (e.Level == column || e.Passed == column || e.Refused == column || strings.HasSuffix(column, "."+e.Name)) {
			return true
		}
	}
	return false
}

func (s *scene) addVerdicts() {
	for i := range s.Trace.Verdicts {
		v := &s.Trace.Verdicts[i]
		s.verdicts = append(s.verdicts, verdict{
			good: v.OK, title: s.Words.Checks[v.Check].Title, at: v.At, sentence: s.Words.Verdict(s.Spec, s.Layout, i, *v),
		})
	}
}

// broken is the first check that was violated, nil when all held.
func (s *scene) broken() *labs.Verdict {
	var first *labs.Verdict
	for i := range s.Trace.Verdicts {
		if v := &s.Trace.Verdicts[i]; !v.OK && (first == nil || v.At < first.At) {
			first = v
		}
	}
	return first
}

// tellingInstant is when the stage is drawn: at the first violation; else where the Spec's view opens; else when the judged entity's
// level was highest.
func (s *scene) tellingInstant() int64 {
	if v := s.broken(); v != nil {
		return v.At
	}
	if s.Spec.At >= 0 {
		return min(s.Spec.At, s.Trace.Horizon-1)
	}
	for _, judged := range [2]bool{true, false} {
		for i := range s.lanes {
			if l := &s.lanes[i]; l.entity.Judged == judged && l.peak > 0 {
				return int64(slices.Index(l.level, l.peak)) * s.Trace.Grain
			}
		}
	}
	return 0
}

// within is how close together the admissions of a lane came that took it over its bound, where the log tells it: from the first to
// the last that passed in the focus, when those are all that its highest level counts.
func (s *scene) within(l *lane) (ns int64, known bool) {
	if !l.over() || s.focus.length() == 0 || s.Trace.Truncated() {
		return 0, false
	}
	entity, n, first, last := s.Layout.Entity(l.entity.Name), int64(0), int64(0), int64(0)
	for _, e := range s.Trace.Log {
		if int(e.Entity) != entity || s.Lab.Events[e.Kind].Flow != labs.Pass || !s.focus.holds(e.At) {
			continue
		}
		if n == 0 {
			first = e.At
		}
		n++
		last = e.At
	}
	return last - first, n == l.peak
}

// row is the row of an instant.
func (s *scene) row(values []int64, at int64) int64 {
	if i := at / s.Trace.Grain; i < int64(len(values)) {
		return values[i]
	}
	return 0
}
