package labs

import "iter"

// The canonical bytes of a trace are sections, one after another, each padded to 8 bytes so that a reader may lay typed arrays over
// them. All numbers are little-endian.
//
//	u32 length of the name · u32 type (0: int64s, 1: bytes) · u64 count · the name, padded · the payload, padded
//
// The sections, in order: spec (bytes), meta (horizon, grain, handled, fold), one column:NAME each, log.at, log.n, log.kind,
// log.entity, log.a, log.b, the same of mark, where there are shapes one shape each (at, entity, then the values), metrics, and verdicts (ten numbers each: check, ok, at, n, request, four facts, count).

// section is one named payload: either text or numbers.
type section struct {
	name   string
	text   string
	values func(i int) int64
	n      int
}

func (s *section) append(b []byte) []byte {
	isText, count := uint32(0), s.n
	if s.values == nil {
		isText, count = 1, len(s.text)
	}
	b = appendU32(b, uint32(len(s.name)))
	b = appendU32(b, isText)
	b = appendI64(b, int64(count))
	b = pad(append(b, s.name...))
	if s.values == nil {
		return pad(append(b, s.text...))
	}
	for i := 0; i < s.n; i++ {
		b = appendI64(b, s.values(i))
	}
	return b
}

// Append appends the canonical bytes of the trace to b.
func (t *Trace) Append(b []byte) []byte {
	for s := range t.sections() {
		b = s.append(b)
	}
	return b
}

// sections yields the trace's sections in their order.
func (t *Trace) sections() iter.Seq[section] {
	return func(yield func(section) bool) {
		meta := [4]int64{t.Horizon, t.Grain, t.Handled, int64(t.Fold)}
		if !yield(section{name: "spec", text: t.Spec}) || !yield(numbers("meta", meta[:])) {
			return
		}
		for i := range t.Columns {
			if !yield(numbers("column:"+t.Columns[i].Name, t.Columns[i].Values)) {
				return
			}
		}
		if !yieldLogged(yield, "log", t.Log) || !yieldLogged(yield, "mark", t.Marks) {
			return
		}
		for i := range t.Shapes {
			h := &t.Shapes[i]
			if !yield(section{name: "shape", n: 2 + len(h.Values), values: h.word}) {
				return
			}
		}
		if !yield(numbers("metrics", t.Metrics)) {
			return
		}
		yield(section{name: "verdicts", n: verdictWidth * len(t.Verdicts), values: t.verdictWord})
	}
}

func numbers(name string, v []int64) section {
	return section{name: name, n: len(v), values: func(i int) int64 { return v[i] }}
}

func yieldLogged(yield func(section) bool, name string, log []Logged) bool {
	fields := [...]struct {
		name string
		get  func(i int) int64
	}{
		{".at", func(i int) int64 { return log[i].At }},
		{".n", func(i int) int64 { return log[i].N }},
		{".kind", func(i int) int64 { return int64(log[i].Kind) }},
		{".entity", func(i int) int64 { return int64(log[i].Entity) }},
		{".a", func(i int) int64 { return log[i].A }},
		{".b", func(i int) int64 { return log[i].B }},
	}
	for _, f := range fields {
		if !yield(section{name: name + f.name, n: len(log), values: f.get}) {
			return false
		}
	}
	return true
}

func (h *Shape) word(i int) int64 {
	switch i {
	case 0:
		return h.At
	case 1:
		return int64(h.Entity)
	}
	return h.Values[i-2]
}

const verdictWidth = 6 + MaxFacts

func (t *Trace) verdictWord(i int) int64 {
	v := &t.Verdicts[i/verdictWidth]
	switch k := i % verdictWidth; k {
	case 0:
		return int64(i / verdictWidth)
	case 1:
		if v.OK {
			return 1
		}
		return 0
	case 2:
		return v.At
	case 3:
		return v.N
	case 4:
		return v.Request
	case 5 + MaxFacts:
		return v.Count
	default:
		return v.Facts[k-5]
	}
}

func appendU32(b []byte, v uint32) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

func appendI64(b []byte, v int64) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56))
}

func pad(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}
