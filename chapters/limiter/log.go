package limiter

// MaxLogLimit bounds the limit of a SlidingLog: its log grows to 8 bytes a unit, 128 MiB here.
const MaxLogLimit = 1 << 24

// SlidingLog remembers the instant of each admitted unit and admits while fewer than Limit lie in the window (now − Window, now].
// It is exact: no interval shorter than Window, wherever it starts, holds more than Limit. It pays with memory that grows with the
// limit, 8 bytes a unit, in a ring that doubles as needed up to Limit and does not shrink. O(n) a take, amortised.
type SlidingLog struct {
	cfg   WindowConfig
	last  int64   // newest instant seen
	ring  []int64 // instants of admission, oldest at head, in order because time is clamped
	head  int
	count int
}

// NewSlidingLog returns a *RangeError for a field out of range.
func NewSlidingLog(cfg WindowConfig) (SlidingLog, error) {
	if err := cfg.check(MaxLogLimit); err != nil {
		return SlidingLog{}, err
	}
	return SlidingLog{cfg: cfg, last: minInt64}, nil
}

// TakeAt drops what has left the window, counts, and only then logs n units; a denied request is not logged.
func (w *SlidingLog) TakeAt(now, n int64) Decision {
	w.last = max(w.last, now)
	w.expire()
	free := w.cfg.Limit - int64(w.count)
	ok := n >= 0 && n <= free
	if ok {
		w.add(int(n))
		free -= n
	}
	d := Decision{OK: ok, Limit: w.cfg.Limit, Remaining: free}
	if w.count > 0 {
		d.ResetAfter = maxInt64
		if at, fits := later(w.at(w.count-1), w.cfg.Window); fits {
			d.ResetAfter = until(now, at)
		}
	}
	if !ok {
		d.RetryAfter = Never
		if n > 0 && n <= w.cfg.Limit {
			// The units that must leave are the oldest n − free.
			if at, fits := later(w.at(int(n-free)-1), w.cfg.Window); fits {
				d.RetryAfter = retryUntil(now, at)
			}
		}
	}
	return d
}

// expire drops the units that are a whole window old.
func (w *SlidingLog) expire() {
	for w.count > 0 && since(w.ring[w.head], w.last) >= uint64(w.cfg.Window) {
		w.head++
		if w.head == len(w.ring) {
			w.head = 0
		}
		w.count--
	}
}

// add logs n units at the newest instant.
func (w *SlidingLog) add(n int) {
	if need := w.count + n; need > len(w.ring) {
		w.grow(need)
	}
	i := w.head + w.count
	for range n {
		if i >= len(w.ring) {
			i -= len(w.ring)
		}
		w.ring[i] = w.last
		i++
	}
	w.count += n
}

// grow moves the log into a ring for need units or more, at most Limit.
func (w *SlidingLog) grow(need int) {
	size := min(max(2*len(w.ring), need, 8), int(w.cfg.Limit))
	ring := make([]int64, size)
	for i := range w.count {
		ring[i] = w.at(i)
	}
	w.ring, w.head = ring, 0
}

// at is the instant of the i-th oldest unit.
func (w *SlidingLog) at(i int) int64 {
	i += w.head
	if i >= len(w.ring) {
		i -= len(w.ring)
	}
	return w.ring[i]
}

// Clone returns an independent copy; it costs a copy of the ring.
func (w *SlidingLog) Clone() SlidingLog {
	c := *w
	c.ring = append([]int64(nil), w.ring...)
	return c
}

// Copy is Clone behind the interface.
func (w *SlidingLog) Copy() Serial { c := w.Clone(); return &c }

// Size is 8 bytes a unit of the ring as it has grown, and 24 for the newest instant, the head and the count.
func (w *SlidingLog) Size() int { return (len(w.ring) + 3) * wordBytes }
