package picture

import "seedbed/labs"

// A run of seconds may be decided within milliseconds. What follows finds such a stretch.

// Focus is wanted when things happen within this share of the run, which is too little to see in a picture of the whole.
const focusShare = 16

// focusSpan is the stretch to enlarge: where nearly all requests arrived, or where a bound was passed for a moment. It is zero when
// the whole run can be seen as it is.
func (s *scene) focusSpan() span {
	core, found := s.crowd()
	if v := s.broken(); v != nil {
		at := span{v.At, v.At + s.Trace.Grain}
		if !found || core.union(at).length()*focusShare > s.Trace.Horizon {
			core, found = s.excess(at)
		} else {
			core = core.union(at)
		}
	}
	if !found {
		return span{}
	}
	return s.around(core)
}

// around is a span about three times as long as the core, with round ends.
func (s *scene) around(core span) span {
	length := niceUp(max(3*core.length(), 10*s.Trace.Grain))
	if length*4 > s.Trace.Horizon {
		return span{}
	}
	unit := max(length/10, s.Trace.Grain)
	from := max(core.from+core.to-length, 0) / 2 / unit * unit
	from = min(from, (s.Trace.Horizon-length)/unit*unit)
	return span{from, from + length}
}

// crowd is the shortest stretch that holds nine tenths of all requests; found is false when it is not short.
func (s *scene) crowd() (core span, found bool) {
	rows := s.arrivals()
	total := sum(rows)
	if total == 0 {
		return span{}, false
	}
	best, from, within := len(rows)+1, 0, int64(0)
	start := 0
	for to, n := range rows {
		within += n
		for (within-rows[from])*10 >= total*9 {
			within -= rows[from]
			from++
		}
		if within*10 >= total*9 && to-from+1 < best {
			best, start = to-from+1, from
		}
	}
	core = span{int64(start) * s.Trace.Grain, int64(start+best) * s.Trace.Grain}
	return core, core.length()*focusShare <= s.Trace.Horizon
}

// arrivals are the requests of each row, over all lanes, or, without lanes, over all counts.
func (s *scene) arrivals() []int64 {
	rows := make([]int64, s.Trace.Horizon/s.Trace.Grain+1)
	counted := false
	for i := range s.lanes {
		l := &s.lanes[i]
		for _, values := range [2][]int64{l.passed, l.refused} {
			for r, v := range values {
				rows[r] += v
				counted = counted || v > 0
			}
		}
	}
	for i := range s.Trace.Columns {
		if c := &s.Trace.Columns[i]; !counted && c.Gather == labs.Sum {
			for r, v := range c.Values {
				rows[r] += v
			}
		}
	}
	return rows
}

// excess is the stretch after a violation in which a judged lane was over its bound; found is false when there is none, and when it
// is not short or happened again and again, for then it can be seen without a glass.
func (s *scene) excess(at span) (core span, found bool) {
	core, over := at, int64(0)
	for i := range s.lanes {
		l := &s.lanes[i]
		if !l.entity.Judged || !l.over() {
			continue
		}
		for r := at.from / s.Trace.Grain; r < int64(len(l.level)) && l.level[r] > l.bound; r++ {
			core, found = core.union(span{r * s.Trace.Grain, (r + 1) * s.Trace.Grain}), true
		}
		for _, v := range l.level {
			if v > l.bound {
				over++
			}
		}
	}
	found = found && core.length()*4*focusShare <= s.Trace.Horizon && over*s.Trace.Grain <= 2*core.length()
	return core, found
}
