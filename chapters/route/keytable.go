package route

import "unsafe" // unsafe: the size of an entry with a result of any type, for Size

// The table of Keys: chains by hash for finding, two lines by age for forgetting.

// overAt is when an entry is forgotten: TTL after it finished, or after its lease ended.
func (k *Keys[R]) overAt(i int32) int64 {
	e := &k.entries[i]
	if e.done {
		return later(e.at, k.cfg.TTL)
	}
	return later(later(e.at, k.cfg.Lease), k.cfg.TTL)
}

// nextOver is when the first entry is forgotten. Within a line all wait equally long, so it is one of the two oldest.
func (k *Keys[R]) nextOver() int64 {
	at := int64(maxInt64)
	for _, i := range [...]int32{k.running.first, k.done.first} {
		if i >= 0 {
			at = min(at, k.overAt(i))
		}
	}
	return at
}

// advance forgets some of those that are over time.
func (k *Keys[R]) advance(now int64) {
	if !k.begun || now > k.now {
		k.begun, k.now = true, now
	}
	for range forgetPerCall {
		switch {
		case k.running.first >= 0 && k.overAt(k.running.first) <= k.now:
			k.forget(k.running.first)
		case k.done.first >= 0 && k.overAt(k.done.first) <= k.now:
			k.forget(k.done.first)
		default:
			return
		}
	}
}

func (k *Keys[R]) find(key string, hash uint64) int32 {
	if len(k.heads) == 0 {
		return -1
	}
	i := k.heads[hash&uint64(len(k.heads)-1)]
	for i >= 0 && (k.entries[i].hash != hash || k.entries[i].key != key) {
		i = k.entries[i].chain
	}
	return i
}

// vacant is an unused entry. The table doubles when there is none.
func (k *Keys[R]) vacant() int32 {
	if k.free < 0 {
		k.grow()
	}
	i := k.free
	k.free = k.entries[i].chain
	return i
}

func (k *Keys[R]) grow() {
	n := len(k.entries)
	size := min(max(16, 2*n), int(k.cfg.MaxKeys))
	entries := make([]entry[R], size)
	copy(entries, k.entries)
	k.entries = entries
	for i := size - 1; i >= n; i-- {
		k.entries[i].chain = k.free
		k.free = int32(i)
	}
	heads := 1
	for heads < size {
		heads *= 2
	}
	k.heads = make([]int32, heads)
	for h := range k.heads {
		k.heads[h] = -1
	}
	for i := range n { // all of the old ones are in use, or the table would not grow
		h := &k.heads[k.entries[i].hash&uint64(heads-1)]
		k.entries[i].chain, *h = *h, int32(i)
	}
}

// forget drops an entry.
func (k *Keys[R]) forget(i int32) {
	k.unlink(i)
	e := &k.entries[i]
	link := &k.heads[e.hash&uint64(len(k.heads)-1)]
	for *link != i {
		link = &k.entries[*link].chain
	}
	*link = e.chain
	*e = entry[R]{gen: e.gen + e.gen&1, chain: k.free}
	k.free = i
	k.used--
}

// link puts an entry at the end of a line.
func (k *Keys[R]) link(l *line, i int32) {
	e := &k.entries[i]
	e.prev, e.next = l.last, -1
	if l.last >= 0 {
		k.entries[l.last].next = i
	} else {
		l.first = i
	}
	l.last = i
}

// unlink takes an entry out of its line.
func (k *Keys[R]) unlink(i int32) {
	e := &k.entries[i]
	l := &k.running
	if e.done {
		l = &k.done
	}
	if e.prev >= 0 {
		k.entries[e.prev].next = e.next
	} else {
		l.first = e.next
	}
	if e.next >= 0 {
		k.entries[e.next].prev = e.prev
	} else {
		l.last = e.prev
	}
}

// Clone returns an independent copy. A claim is valid in both, and ends once in each.
func (k *Keys[R]) Clone() Keys[R] {
	c := *k
	c.heads = append([]int32(nil), k.heads...)
	c.entries = append([]entry[R](nil), k.entries...)
	return c
}

// Size is the bytes of state, as the table has grown, without the text of the keys.
func (k *Keys[R]) Size() int {
	return len(k.heads)*4 + len(k.entries)*int(unsafe.Sizeof(entry[R]{})) + 48
}
