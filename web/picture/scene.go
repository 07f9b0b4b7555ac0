package picture

import (
	"slices"

	"seedbed/labs"
)

// scene is what a picture shows, decided before anything is placed: which entities become lanes, which plots remain, where to look
// closer, and the instant of the stage.
type scene struct {
	Picture
	lanes    []lane
	refuses  bool // something is refused in this run; else nothing speaks of it
	shape    shape
	charts   []chart
	focus    span // zero when the whole run is shown at one scale
	telling  int64
	verdicts []verdict
	notes    []note
	ring     *ring // nil when there is none
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
	s.ring = s.findRing(s.Trace.Horizon)
	s.addLanes()
	s.dropCharted()
	s.shape = s.shapeOf()
	s.addCharts()
	s.addVerdicts()
	s.telling = s.tellingInstant()
	s.ring = s.findRing(s.telling)
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
		s.refuses = s.refuses || l.nRefused > 0
		s.lanes = append(s.lanes, l)
	}
	if len(s.lanes) > mostLanes {
		slices.SortStableFunc(s.lanes, func(a, b lane) int { return rank(a.entity.Judged) - rank(b.entity.Judged) })
		s.lanes = s.lanes[:mostLanes]
	}
}

// rank puts the judged before others.
func rank(judged bool) int {
	if judged {
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

// shapeOf decides how the ways of requests are drawn.
func (s *scene) shapeOf() shape {
	if s.ring != nil {
		return graph
	}
	if len(s.Layout.Links) == 0 || len(s.lanes) == 0 {
		if len(s.Layout.Entities) > len(s.lanes) {
			return graph
		}
		return bare
	}
	level := s.lanes[0].entity.Rank
	isLane := map[string]bool{}
	for i := range s.lanes {
		if s.lanes[i].entity.Rank != level {
			return graph
		}
		isLane[s.lanes[i].entity.Name] = true
	}
	before, behind := 0, 0
	for i := range s.Layout.Entities {
		switch e := &s.Layout.Entities[i]; {
		case isLane[e.Name]:
		case e.Rank < level:
			before++
		case e.Rank > level:
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
		if level := s.lanes[0].entity.Rank; source && e.Rank < level || !source && e.Rank > level {
			return e
		}
	}
	return nil
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

// tellingInstant is when the stage is drawn: at the first violation; else where the Spec's view opens; else when a ring changed last; else
// when the judged entity's level was highest.
func (s *scene) tellingInstant() int64 {
	if v := s.broken(); v != nil {
		return v.At
	}
	if s.Spec.At >= 0 {
		return min(s.Spec.At, s.Trace.Horizon-1)
	}
	if s.ring != nil && s.ring.at > 0 {
		return s.ring.at
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
