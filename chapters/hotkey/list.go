package hotkey

// list is a bounded list of keys by count: a heap with the lowest at its root, and an index of who is where.
type list struct {
	max   int
	heap  []Count
	index index
}

const countBytes = 24

func newList(max int) list {
	return list{max: max, heap: make([]Count, 0, max), index: newIndex(max)}
}

// before is the order of lists. Equal counts are in the order of ids, so that a list depends on the counts alone.
func before(a, b Count) int {
	switch {
	case a.N != b.N && a.N > b.N, a.N == b.N && a.ID < b.ID:
		return -1
	case a == b:
		return 0
	}
	return 1
}

func (l *list) full() bool                      { return len(l.heap) == l.max }
func (l *list) least() Count                    { return l.heap[0] }
func (l *list) find(id uint64) (i int, ok bool) { return l.index.find(id) }

// add takes in a key that is not on the list, which is not full.
func (l *list) add(c Count) {
	l.heap = append(l.heap, c)
	l.index.put(c.ID, len(l.heap)-1)
	l.up(len(l.heap) - 1)
}

// replaceLeast puts another key in the place of the lowest.
func (l *list) replaceLeast(c Count) {
	l.index.drop(l.heap[0].ID)
	l.heap[0] = c
	l.index.put(c.ID, 0)
	l.down(0)
}

// set changes the count of the key at i.
func (l *list) set(i int, n int64) {
	l.heap[i].N = n
	l.down(i)
	l.up(i)
}

// offer puts a key on the list when there is room, or when its count is above the lowest, and reports whether it is on it.
func (l *list) offer(id uint64, n int64) bool {
	if i, ok := l.find(id); ok {
		l.set(i, n)
		return true
	}
	switch {
	case l.max == 0:
		return false
	case !l.full():
		l.add(Count{ID: id, N: n})
	case n > l.least().N:
		l.replaceLeast(Count{ID: id, N: n})
	default:
		return false
	}
	return true
}

func (l *list) swap(i, j int) {
	l.heap[i], l.heap[j] = l.heap[j], l.heap[i]
	l.index.put(l.heap[i].ID, i)
	l.index.put(l.heap[j].ID, j)
}

func (l *list) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if before(l.heap[i], l.heap[parent]) < 0 {
			return
		}
		l.swap(i, parent)
		i = parent
	}
}

func (l *list) down(i int) {
	for {
		low := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(l.heap); child++ {
			if before(l.heap[child], l.heap[low]) > 0 {
				low = child
			}
		}
		if low == i {
			return
		}
		l.swap(i, low)
		i = low
	}
}

// remake puts the heap in order after all counts were changed.
func (l *list) remake() {
	for i := len(l.heap)/2 - 1; i >= 0; i-- {
		l.down(i)
	}
}

// top is the first k in order. See sorted.
func (l *list) top(k int) []Count { return sorted(append([]Count(nil), l.heap...), k) }

// sorted cuts a list, in place, to its first k, in order. Few of many are wanted, so only they are kept in order on the way: about O(n)
// where counts stand in any order, O(n·k) at worst, where they stand from the lowest up.
func sorted(c []Count, k int) []Count {
	k = min(max(k, 0), len(c))
	for i, x := range c {
		j := min(i, k)
		if j == k {
			if k == 0 || before(c[k-1], x) <= 0 {
				continue
			}
			j--
		}
		for ; j > 0 && before(x, c[j-1]) < 0; j-- {
			c[j] = c[j-1]
		}
		c[j] = x
	}
	return c[:k]
}

func (l *list) clone() list {
	return list{l.max, append(make([]Count, 0, cap(l.heap)), l.heap...), l.index.clone()}
}

func (l *list) size() int { return countBytes*len(l.heap) + l.index.size() }
