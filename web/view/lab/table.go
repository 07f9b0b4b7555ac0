package lab

import (
	"slices"

	"seedbed/labs"
	"seedbed/web/text"
)

// mostRows is how many rows the table of the plots' data has: enough to follow a curve, few enough to be read aloud.
const mostRows = 20

// sheet is the data behind the plots, gathered into few rows.
type sheet struct {
	groups []group    // over the heads: which plot shows these columns
	heads  []string   // of the columns
	rows   [][]string // the first cell is the instant at which the row begins
}

// group is a plot over its columns: "gradually back" says little before one knows of what.
type group struct {
	title   string
	columns int
}

// sheet gathers the plotted columns: counts add up, levels keep their last value or their peak, as the column itself does.
func (m *Model) sheet() sheet {
	var s sheet
	var columns []*labs.Series
	for _, p := range m.in.Layout.Plots {
		g := group{title: m.in.Words.Plots[p.Name]}
		for _, name := range p.Columns {
			if c := m.in.Trace.Column(name); c != nil && !slices.Contains(columns, c) {
				columns = append(columns, c)
				g.columns++
				s.heads = append(s.heads, m.in.Words.Column(m.in.Layout, name))
			}
		}
		if g.columns > 0 { // a column stands where it is plotted first
			s.groups = append(s.groups, g)
		}
	}
	total := 0
	for _, c := range columns {
		total = max(total, len(c.Values))
	}
	size := max((total+mostRows-1)/mostRows, 1)
	for from := 0; from < total; from += size {
		row := []string{text.Number(m.in.Lang, labs.Seconds, int64(from)*m.in.Trace.Grain)}
		for _, c := range columns {
			row = append(row, text.Number(m.in.Lang, c.Unit, gathered(c, from, min(from+size, total))))
		}
		s.rows = append(s.rows, row)
	}
	return s
}

// gathered is one value for the rows from..to of a column.
func gathered(c *labs.Series, from, to int) int64 {
	values := c.Values[min(from, len(c.Values)):min(to, len(c.Values))]
	if len(values) == 0 {
		return 0
	}
	switch c.Gather {
	case labs.Sum:
		sum := int64(0)
		for _, v := range values {
			sum += v
		}
		return sum
	case labs.Peak:
		return slices.Max(values)
	}
	return values[len(values)-1]
}
