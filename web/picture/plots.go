package picture

import (
	"slices"
	"strings"

	"seedbed/labs"
)

// The layout's plots become charts, but for those that the lanes show already: the same thing twice would only make readers look for
// a difference.

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

func (s *scene) addCharts() {
	for i := range s.Layout.Plots {
		p := &s.Layout.Plots[i]
		if s.inLanes(p) || s.isArrivals(p) {
			continue
		}
		c := chart{title: s.Words.Plots[p.Name], bound: p.Bound}
		rates := false
		for _, name := range p.Columns {
			column := s.Trace.Column(name)
			if column == nil {
				continue
			}
			rates = rates || column.Gather == labs.Sum || column.Unit == labs.PerSecond
			c.lines = append(c.lines, chartLine{
				name: s.Words.Column(s.Layout, name), values: column.Values, unit: column.Unit, sum: column.Gather == labs.Sum,
				judged: s.isJudged(name), peak: largest(column.Values),
			})
		}
		if rates {
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
