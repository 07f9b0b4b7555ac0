package adaptive

// Common is what all limits are told.
type Common struct {
	Min     int64 // requests, 1..Max
	Max     int64 // requests, Min..MaxLimit
	Initial int64 // requests, Min..Max
	// Window is how long samples are gathered before one step is made of them, in ns, 0..MaxDuration. A few times the usual latency is
	// right; shorter, and the limit moves before the last move is seen.
	Window  int64
	Samples int64 // least samples of a step, 1..MaxSamples; a window with fewer goes on
	Backoff int64 // thousandths of the limit that a drop leaves, 500..999; Netflix has 900
}

// Usual is 1..1000 requests, 20 at first, steps of 100 ms and 10 samples, a tenth less for a drop.
func Usual() Common {
	return Common{Min: 1, Max: 1000, Initial: 20, Window: 100_000_000, Samples: 10, Backoff: 900}
}

func (c Common) check() error {
	return firstOf(
		within("max", c.Max, 1, MaxLimit, "requests"),
		within("min", c.Min, 1, c.Max, "requests"),
		within("initial", c.Initial, c.Min, c.Max, "requests"),
		within("window", c.Window, 0, MaxDuration, "ns"),
		within("samples", c.Samples, 1, MaxSamples, "a step"),
		within("backoff", c.Backoff, 500, 999, "thousandths"),
	)
}

// course is what all limits share: the limit, the samples of the window, and the base.
type course struct {
	cfg   Common
	begun bool
	now   int64 // newest instant seen
	limit int64 // in parts of a request
	cutAt int64 // newest instant at which a drop lowered the limit
	win   window
	base  base
}

// window is what the samples since the last step say together.
type window struct {
	from    int64 // when the step before was made
	samples int64
	took    int64 // ns, of all samples; at most MaxSamples × MaxDuration, 2^62
	busiest int64 // most in flight
}

// step is a window that is over.
type step struct {
	mean   int64 // ns, of the samples' latencies, 1 at least
	served int64 // samples
	span   int64 // ns since the step before
	idle   bool  // less than half of the limit was in flight
}

func newCourse(cfg Common, life int64) course {
	return course{cfg: cfg, limit: cfg.Initial * parts, cutAt: minInt64, base: base{life: life}}
}

// Limit is how many requests may be in flight, Min..Max.
func (c *course) Limit() int64 {
	if c.base.probing {
		return max(c.cfg.Min, c.limit/(2*parts))
	}
	return c.limit / parts
}

// set keeps the limit in its range.
func (c *course) set(limit int64) {
	c.limit = min(max(limit, c.cfg.Min*parts), c.cfg.Max*parts)
}

// cut lowers the limit for a drop, unless the request began before the last cut. A limit is lowered by one request at least: from 2 with
// 900 thousandths nothing else would come of it.
func (c *course) cut(began int64) bool {
	if began < c.cutAt {
		return false
	}
	c.cutAt = c.now
	c.set(min(mulDiv(c.limit, c.cfg.Backoff, 1000), c.limit-parts))
	c.win = window{from: c.now}
	return true
}

// gather takes in one sample and reports what to make a step of, once a window is over.
func (c *course) gather(now int64, s Sample) (st step, cut, ok bool) {
	if c.cfg.Max == 0 {
		return step{}, false, false
	}
	took := min(max(s.Took, 0), MaxDuration)
	if !c.begun {
		c.begun, c.now, c.win.from = true, now, earlier(now, took)
	}
	c.now = max(c.now, now)
	if s.Dropped {
		return step{}, c.cut(earlier(c.now, took)), false
	}
	if c.base.probing {
		c.probe(took, s.InFlight)
		return step{}, false, false
	}
	w := &c.win
	w.samples++
	w.took += took
	w.busiest = max(w.busiest, s.InFlight)
	span := since(w.from, c.now)
	if w.samples < MaxSamples && (w.samples < c.cfg.Samples || span < c.cfg.Window) {
		return step{}, false, false
	}
	st = step{mean: max(1, w.took/w.samples), served: w.samples, span: span, idle: w.busiest < divUp(c.limit, 2*parts)}
	c.win = window{from: c.now}
	if c.base.life > 0 && c.base.learn(c.now, st.mean) {
		return step{}, false, false
	}
	return st, false, true
}

// probe takes in a sample while half of the limit is held back.
func (c *course) probe(took, inFlight int64) {
	if inFlight > c.Limit() {
		return // it began in the old crowd
	}
	w := &c.win
	w.samples++
	w.took += took
	if w.samples < c.cfg.Samples {
		return
	}
	c.base = base{life: c.base.life, mean: max(1, w.took/w.samples), at: c.now}
	c.win = window{from: c.now}
}

// Size is 88 bytes: nine numbers and two flags, in words.
func (c *course) Size() int { return 11 * 8 }
