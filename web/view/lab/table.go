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
	heads []string
	rows  [][]string // the first cell is the instant at which the row begins
}

// sheet gathers the plotted columns: counts add up, levels keep their last value or their peak, as the column itself does.
func (m *Model) sheet() sheet {
	s := sheet{heads: []string{m.word("time")}}
	var columns []*labs.Series
	for _, p := range m.in.Layout.Plots {
		for _, name := range p.Columns {
			if c := m.in.Trace.Column(name); c != nil && !slices.Contains(columns, c) {
				columns = append(columns, c)
				s.heads = append(s.heads, m.in.Words.Column(m.in.Layout, name))
			}
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
