package intent

import "seedbed/chapters/hashing"

// none is no entry, and no line.
const none = -1

// entry is one intent.
type entry struct {
	id      uint64
	print   uint64 // of what was asked for
	came    int64
	until   int64 // end of the lease, while claimed
	attempt int64
	body    string // what was asked for while open, then the result
	next    int32  // in its line
	prev    int32
	line    int8
	state   State
}

// table finds entries by id: an index of open addresses over a slice of entries, so that a copy is a copy of two slices.
type table struct {
	entries []entry
	free    []int32 // entries not in use, the next one last
	index   []int32 // entry + 1, 0 where there is none; a power of two, at most half full; linear probing
	used    int
}

const firstIndex = 16

func newTable() table { return table{index: make([]int32, firstIndex)} }

// home is where the walk for an id begins.
func (t *table) home(id uint64) int {
	return int(hashing.Mix64(id+0x9e3779b97f4a7c15) & uint64(len(t.index)-1))
}

func (t *table) find(id uint64) int32 {
	if t.used == 0 {
		return none
	}
	for at := t.home(id); t.index[at] != 0; at = (at + 1) & (len(t.index) - 1) {
		if i := t.index[at] - 1; t.entries[i].id == id {
			return i
		}
	}
	return none
}

// add is for an id that is not there.
func (t *table) add(e entry) int32 {
	if 2*(t.used+1) > len(t.index) {
		old := t.index
		t.index = make([]int32, 2*len(old))
		for _, i := range old {
			if i != 0 {
				t.index[t.vacant(t.entries[i-1].id)] = i
			}
		}
	}
	last := len(t.free) - 1
	if last < 0 {
		t.entries = append(t.entries, entry{})
		t.free = append(t.free, int32(len(t.entries)-1))
		last = 0
	}
	i := t.free[last]
	t.free = t.free[:last]
	t.entries[i] = e
	t.index[t.vacant(e.id)] = i + 1
	t.used++
	return i
}

func (t *table) vacant(id uint64) int {
	at := t.home(id)
	for t.index[at] != 0 {
		at = (at + 1) & (len(t.index) - 1)
	}
	return at
}

// remove empties a place of the index and closes the gap, so that every other id is still found by walking from its home.
func (t *table) remove(i int32) {
	mask := len(t.index) - 1
	gap := t.home(t.entries[i].id)
	for t.index[gap] != i+1 {
		gap = (gap + 1) & mask
	}
	for at := (gap + 1) & mask; t.index[at] != 0; at = (at + 1) & mask {
		// One may move back to the gap unless that lies before its home.
		if home := t.home(t.entries[t.index[at]-1].id); (at-home)&mask >= (at-gap)&mask {
			t.index[gap] = t.index[at]
			gap = at
		}
	}
	t.index[gap] = 0
	t.entries[i] = entry{}
	t.free = append(t.free, i)
	t.used--
}

func (t *table) clone() table {
	return table{
		entries: append([]entry(nil), t.entries...), free: append([]int32(nil), t.free...),
		index: append([]int32(nil), t.index...), used: t.used,
	}
}

// line is a list of entries, linked by their own fields.
type line struct {
	first, last int32
	len         int64
}

// put takes an entry out of its line and sets it at the end of another, or of none.
func (l *Log) put(i int32, to int8) {
	e := &l.table.entries[i]
	if e.line != none {
		from := &l.lines[e.line]
		if e.prev == none {
			from.first = e.next
		} else {
			l.table.entries[e.prev].next = e.next
		}
		if e.next == none {
			from.last = e.prev
		} else {
			l.table.entries[e.next].prev = e.prev
		}
		from.len--
	}
	e.line = to
	if to == none {
		return
	}
	into := &l.lines[to]
	e.prev, e.next = into.last, none
	if into.last == none {
		into.first = i
	} else {
		l.table.entries[into.last].next = i
	}
	into.last = i
	into.len++
}
