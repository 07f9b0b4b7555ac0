package limiter

// TwoCounter estimates a sliding window from two fixed ones: the count of this window, plus the count of the one before weighed by
// the share of it that a trailing window still covers, as if its admissions had been spread evenly. They need not have been: with
// all of them at its end, almost twice the limit passes within one trailing window (2 × Limit − 1 at worst). The comparison is
// made on products and never rounded down, so a fraction of a unit is not lost. O(1), 24 bytes. Cloudflare describes the method
// ("How we built rate limiting capable of scaling to millions of domains", 2017).
type TwoCounter struct {
	cfg   WindowConfig
	state twoState
}

type twoState struct {
	index     int64 // number of the newest window seen
	cur, prev int64 // units admitted in it and in the one before
}

// NewTwoCounter returns a *RangeError for a field out of range.
func NewTwoCounter(cfg WindowConfig) (TwoCounter, error) {
	if err := cfg.check(maxInt64); err != nil {
		return TwoCounter{}, err
	}
	return TwoCounter{cfg: cfg, state: twoState{index: minInt64}}, nil
}

// TakeAt admits n units when the estimate leaves room for them.
func (w *TwoCounter) TakeAt(now, n int64) Decision {
	if w.cfg.Window == 0 {
		return Decision{OK: n == 0, RetryAfter: retryOnZero(n)}
	}
	s := &w.state
	left := w.advance(now)
	// Units of the window before that still count, rounded up: they are compared with whole units of room.
	old := mulDivUp(s.prev, left, w.cfg.Window)
	free := max(0, w.cfg.Limit-s.cur-old)
	ok := n >= 0 && n <= free
	if ok {
		s.cur += n
		free -= n
	}
	d := Decision{OK: ok, Limit: w.cfg.Limit, Remaining: free, ResetAfter: w.resetAfter(now)}
	if !ok {
		d.RetryAfter = w.retryAfter(now, n, left)
	}
	return d
}

// advance moves to the window of now and returns how much of it is left, 1..Window. An instant before the newest window counts as
// its first, when the window before weighs most.
func (w *TwoCounter) advance(now int64) (left int64) {
	s := &w.state
	i := floorDiv(now, w.cfg.Window)
	switch {
	case i < s.index:
		return w.cfg.Window
	case i > s.index:
		prev := s.cur
		if i != s.index+1 {
			prev = 0
		}
		s.index, s.prev, s.cur = i, prev, 0
	}
	return w.cfg.Window - (now - i*w.cfg.Window)
}

// resetAfter is the end of the window in which the newest admission has stopped counting.
func (w *TwoCounter) resetAfter(now int64) int64 {
	s := &w.state
	if s.cur == 0 && s.prev == 0 {
		return 0
	}
	end, ok := endOf(s.index, w.cfg.Window)
	if ok && s.cur > 0 {
		end, ok = later(end, w.cfg.Window)
	}
	if !ok {
		return maxInt64
	}
	return until(now, end)
}

// retryAfter finds the first instant at which cur + prev·left/Window + n ≤ Limit: in this window while the one before fades, or
// else in the next while this one does.
func (w *TwoCounter) retryAfter(now, n, left int64) int64 {
	s := &w.state
	if n < 0 || n > w.cfg.Limit {
		return Never
	}
	end, ok := endOf(s.index, w.cfg.Window)
	if !ok {
		return Never
	}
	if room := w.cfg.Limit - s.cur - n; room >= 0 {
		// prev·left > room·Window here, so the quotient is below left.
		most, _ := mulDiv(room, w.cfg.Window, s.prev)
		return retryUntil(now, end-most)
	}
	// cur > Limit − n, so the quotient is below Window.
	most, _ := mulDiv(w.cfg.Limit-n, w.cfg.Window, s.cur)
	at, ok := later(end, w.cfg.Window-most)
	if !ok {
		return Never
	}
	return retryUntil(now, at)
}

// Clone returns an independent copy.
func (w *TwoCounter) Clone() TwoCounter { return *w }

// Copy is Clone behind the interface.
func (w *TwoCounter) Copy() Serial { c := *w; return &c }

// Size is 24: the number of the window and two counts.
func (w *TwoCounter) Size() int { return 3 * wordBytes }
