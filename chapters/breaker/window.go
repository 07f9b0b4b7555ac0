package breaker

// Counts are the calls that a breaker looks at.
type Counts struct {
	Calls, Failures, Slow int32
}

func (c *Counts) add(failed, slow int32) {
	c.Calls++
	c.Failures += failed
	c.Slow += slow
}

// window is what a breaker remembers of the calls it let pass: the last so many, two bits each, or those of the last so long, by
// buckets. Both are O(1) a call; after a pause a window of time empties each of its buckets at most once.
type window struct {
	sum   Counts
	next  int32    // where the next call is written
	head  int64    // number of the newest bucket
	size  int32    // calls of a window of calls; 0 for a window of time
	width int64    // ns a bucket
	bits  []uint64 // 32 calls a word: of each bit 0 failed, bit 1 slow
	slots []Counts // bucket j lies at j mod len
}

const callsPerWord = 32

func newWindow(cfg *Config) window {
	if cfg.Span > 0 {
		return window{width: cfg.Span / cfg.Buckets, head: minInt64, slots: make([]Counts, cfg.Buckets)}
	}
	return window{size: int32(cfg.Window), bits: make([]uint64, (cfg.Window+callsPerWord-1)/callsPerWord)}
}

// add counts one call that ended at now.
func (w *window) add(now int64, failed, slow int32) {
	if w.size == 0 {
		w.addToBucket(now, failed, slow)
		return
	}
	word, shift := &w.bits[uint32(w.next)/callsPerWord], uint32(w.next)%callsPerWord*2
	old := int32(*word >> shift & 3) // 0 as long as nothing was written here
	if is := failed | slow<<1; is != old {
		*word ^= uint64(is^old) << shift
		w.sum.Failures += failed - old&1
		w.sum.Slow += slow - old>>1
	}
	if w.sum.Calls < w.size {
		w.sum.Calls++
	}
	if w.next++; w.next == w.size {
		w.next = 0
	}
}

func (w *window) addToBucket(now int64, failed, slow int32) {
	w.advance(now)
	if w.sum.Calls == maxInt32 {
		return // of two thousand million calls the shares are known
	}
	w.slots[w.slot(w.head)].add(failed, slow)
	w.sum.add(failed, slow)
}

func (w *window) slot(j int64) int64 {
	n := int64(len(w.slots))
	return j - floorDiv(j, n)*n
}

// advance forgets the buckets that are too old. A window of calls knows no time.
func (w *window) advance(now int64) {
	if w.size > 0 {
		return
	}
	j := floorDiv(now, w.width)
	if j <= w.head {
		return
	}
	if since(w.head, j) >= int64(len(w.slots)) {
		clear(w.slots)
		w.sum = Counts{}
	} else {
		for k := w.head + 1; k <= j; k++ {
			b := &w.slots[w.slot(k)]
			w.sum.Calls -= b.Calls
			w.sum.Failures -= b.Failures
			w.sum.Slow -= b.Slow
			*b = Counts{}
		}
	}
	w.head = j
}

// reset forgets everything.
func (w *window) reset() {
	w.sum, w.next = Counts{}, 0
	clear(w.bits)
	clear(w.slots)
}

func (w *window) clone() window {
	c := *w
	c.bits = append([]uint64(nil), w.bits...)
	c.slots = append([]Counts(nil), w.slots...)
	return c
}

// bytes: three sums, where the next call goes, the newest bucket, and the calls.
func (w *window) bytes() int { return 24 + 8*len(w.bits) + 12*len(w.slots) }
