package limiter

// WindowConfig is what FixedWindow, TwoCounter and SlidingLog need: at most Limit units in each Window.
type WindowConfig struct {
	Limit  int64 // units a window, 0..MaxInt64 (SlidingLog: 0..MaxLogLimit); 0 denies every request
	Window int64 // ns, 1..MaxInt64
}

func (c WindowConfig) check(maxLimit int64) error {
	if err := within("limit", c.Limit, 0, maxLimit, "per window"); err != nil {
		return err
	}
	return within("window", c.Window, 1, maxInt64, "ns")
}

// FixedWindow counts admissions in windows that lie side by side from instant 0 on, and starts again at 0 with each. It is the
// cheapest limiter and lets 2 × Limit pass around an edge: Limit just before it, Limit just after. O(1), 16 bytes.
type FixedWindow struct {
	cfg   WindowConfig
	state fixedState
}

type fixedState struct {
	index int64 // number of the newest window seen; it never goes back, which is all the clamping needed
	count int64 // units admitted in it
}

// NewFixedWindow returns a *RangeError for a field out of range.
func NewFixedWindow(cfg WindowConfig) (FixedWindow, error) {
	if err := cfg.check(maxInt64); err != nil {
		return FixedWindow{}, err
	}
	return FixedWindow{cfg: cfg, state: fixedState{index: minInt64}}, nil
}

// TakeAt admits n units when the window of now has room for them.
func (w *FixedWindow) TakeAt(now, n int64) Decision {
	if w.cfg.Window == 0 {
		return Decision{OK: n == 0, RetryAfter: retryOnZero(n)}
	}
	s := &w.state
	if i := floorDiv(now, w.cfg.Window); i > s.index {
		s.index, s.count = i, 0
	}
	free := w.cfg.Limit - s.count
	ok := n >= 0 && n <= free
	if ok {
		s.count += n
		free -= n
	}
	d := Decision{OK: ok, Limit: w.cfg.Limit, Remaining: free}
	end, ends := endOf(s.index, w.cfg.Window)
	if s.count > 0 {
		d.ResetAfter = maxInt64
		if ends {
			d.ResetAfter = until(now, end)
		}
	}
	if !ok {
		d.RetryAfter = Never
		if ends && n > 0 && n <= w.cfg.Limit {
			d.RetryAfter = retryUntil(now, end)
		}
	}
	return d
}

// Clone returns an independent copy.
func (w *FixedWindow) Clone() FixedWindow { return *w }

// Copy is Clone behind the interface.
func (w *FixedWindow) Copy() Serial { c := *w; return &c }

// Size is 16: the number of the window and its count.
func (w *FixedWindow) Size() int { return 2 * wordBytes }

// wordBytes is the size of one int64 of state.
const wordBytes = 8

// retryOnZero is the RetryAfter of a limiter that was never constructed.
func retryOnZero(n int64) int64 {
	if n == 0 {
		return 0
	}
	return Never
}
