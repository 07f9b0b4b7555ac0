package limiter

import "strconv"

// MaxBuckets bounds the buckets that a BucketedWindow keeps: 8 MiB of counts.
const MaxBuckets = 1 << 20

// BucketedConfig describes a BucketedWindow.
type BucketedConfig struct {
	Limit   int64 // units a window, 0..MaxInt64; 0 denies every request
	Window  int64 // ns, 1..MaxInt64, a multiple of Buckets
	Buckets int   // B, how many buckets one window is cut into, 1..MaxBuckets−1
	// Kept is how many buckets are added up, B or B+1; 0 means B+1, the right number.
	//
	// A trailing window of B bucket widths touches B+1 buckets unless it starts exactly on an edge. With only B kept, what the
	// oldest, cut bucket held is forgotten too early: 100 buckets of 10 ms at 100 per second admit 100 at 0.0099 s and 100 more
	// at 1.0001 s, 990 ms apart. Kept = B exists to show that. What B+1 costs: a unit counts for up to one bucket width too
	// long, so greedy arrivals get Limit per (B+1)/B windows: 91 of 100 with B = 10, 99 with B = 100.
	Kept int
}

func (c *BucketedConfig) check() error {
	if err := (WindowConfig{c.Limit, c.Window}).check(maxInt64); err != nil {
		return err
	}
	if err := within("buckets", int64(c.Buckets), 1, MaxBuckets-1, "per window"); err != nil {
		return err
	}
	if c.Window%int64(c.Buckets) != 0 {
		return &DivideError{Window: c.Window, Buckets: c.Buckets}
	}
	if c.Kept == 0 {
		c.Kept = c.Buckets + 1
	}
	return within("kept", int64(c.Kept), int64(c.Buckets), int64(c.Buckets)+1, "buckets")
}

// DivideError says that a window cannot be cut into equal buckets of whole nanoseconds.
type DivideError struct {
	Window  int64
	Buckets int
}

// Error says it in one line, with the remainder.
func (e *DivideError) Error() string {
	return "buckets: a window of " + strconv.FormatInt(e.Window, 10) + " ns is not a multiple of " + strconv.Itoa(e.Buckets) +
		"; " + strconv.FormatInt(e.Window%int64(e.Buckets), 10) + " ns would be left over"
}

// BucketedWindow is a sliding log with a grain: counts in Buckets equal slices of the window, of which the newest Kept are added
// up. With B+1 kept, no interval shorter than Window holds more than Limit. O(1) a take; RetryAfter on a denial takes O(Kept) at
// worst and O(1) amortised for n = 1, a pause O(Kept); 8 bytes a kept bucket whatever the limit.
type BucketedWindow struct {
	cfg    BucketedConfig
	width  int64
	head   int64 // number of the newest bucket seen; bucket j lies at counts[j mod Kept]
	slot   int   // head mod Kept
	newest int64 // bucket of the newest admission
	empty  int   // so many of the oldest kept buckets are known to hold nothing: no denial looks at them again
	sum    int64
	counts []int64
}

// NewBucketedWindow returns a *RangeError for a field out of range and a *DivideError when Buckets does not divide Window.
func NewBucketedWindow(cfg BucketedConfig) (BucketedWindow, error) {
	if err := cfg.check(); err != nil {
		return BucketedWindow{}, err
	}
	return BucketedWindow{cfg: cfg, width: cfg.Window / int64(cfg.Buckets), head: minInt64, counts: make([]int64, cfg.Kept)}, nil
}

// TakeAt admits n units when the kept buckets leave room for them.
func (w *BucketedWindow) TakeAt(now, n int64) Decision {
	if w.width == 0 {
		return Decision{OK: n == 0, RetryAfter: retryOnZero(n)}
	}
	w.advance(now)
	free := w.cfg.Limit - w.sum
	ok := n >= 0 && n <= free
	if ok && n > 0 {
		w.counts[w.slot] += n
		w.sum += n
		w.newest = w.head
		free -= n
	}
	d := Decision{OK: ok, Limit: w.cfg.Limit, Remaining: free}
	if w.sum > 0 {
		d.ResetAfter = maxInt64
		if at, fits := w.leaves(w.newest); fits {
			d.ResetAfter = until(now, at)
		}
	}
	if !ok {
		d.RetryAfter = w.retryAfter(now, n, free)
	}
	return d
}

// advance moves to the bucket of now and forgets the buckets that are no longer kept.
func (w *BucketedWindow) advance(now int64) {
	j := floorDiv(now, w.width)
	if j <= w.head {
		return
	}
	if steps := since(w.head, j); steps < uint64(len(w.counts)) {
		for range steps {
			if w.slot++; w.slot == len(w.counts) {
				w.slot = 0
			}
			w.sum -= w.counts[w.slot]
			w.counts[w.slot] = 0
		}
		w.empty = max(0, w.empty-int(steps))
	} else {
		// Nothing is left of the past, and any slot may be the newest.
		clear(w.counts)
		w.sum, w.slot, w.empty = 0, 0, 0
	}
	w.head = j
}

// leaves is the instant at which bucket j is no longer kept.
func (w *BucketedWindow) leaves(j int64) (int64, bool) {
	at, ok := endOf(j, w.width)
	if !ok {
		return 0, false
	}
	kept := int64(len(w.counts)) - 1
	if kept > 0 && w.width > maxInt64/kept {
		return 0, false
	}
	return later(at, kept*w.width)
}

// retryAfter adds up the oldest buckets until enough would be free.
func (w *BucketedWindow) retryAfter(now, n, free int64) int64 {
	if n < 0 || n > w.cfg.Limit {
		return Never
	}
	slot := (w.slot + w.empty) % len(w.counts)
	for age := len(w.counts) - 1 - w.empty; age >= 0; age-- {
		if slot++; slot == len(w.counts) {
			slot = 0
		}
		if w.counts[slot] == 0 && age == len(w.counts)-1-w.empty {
			w.empty++
		}
		if free += w.counts[slot]; free >= n {
			if at, fits := w.leaves(w.head - int64(age)); fits {
				return retryUntil(now, at)
			}
			break
		}
	}
	return Never
}

// Clone returns an independent copy; it costs a copy of the counts.
func (w *BucketedWindow) Clone() BucketedWindow {
	c := *w
	c.counts = append([]int64(nil), w.counts...)
	return c
}

// Copy is Clone behind the interface.
func (w *BucketedWindow) Copy() Serial { c := w.Clone(); return &c }

// Size is 8 bytes a kept bucket, and 32 for where the newest lies, the newest admission and the sum.
func (w *BucketedWindow) Size() int { return (len(w.counts) + 4) * wordBytes }
