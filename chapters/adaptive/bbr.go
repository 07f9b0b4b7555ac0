package adaptive

// BBRConfig describes a BBR.
type BBRConfig struct {
	Common       // Window 1_000_000 ns or more: a rate needs a time
	Life   int64 // ns, 1..MaxDuration: how long a base is believed; BBR has 10 s
}

const (
	bbrRates   = 10      // steps for which a rate is believed, as in BBR
	bbrCycle   = 8       // steps of a cycle: a quarter more, a quarter less, and six as they are
	bbrSame    = 3       // steps without growth that end the start
	rateSecond = 1 << 40 // ns in which a rate counts requests
)

// BBR follows a model and not a signal: the highest rate of the last ten steps times the base is what the server can hold without
// a queue, by Little's law. In each cycle of eight steps one tries a quarter more, and the next a quarter less to drain what that may have
// put into a queue; if the server had room the rate has grown, and the limit stays up (Cardwell et al., 2016: BtlBw, RTprop,
// gains of ProbeBW and ProbeRTT). At the start the limit doubles with each step until the rate has not grown by a quarter for three.
//
// "Like BBR": there is no pacing, so what is in flight is all that can be held; the model gets √ of itself on top, for otherwise chance makes a
// server idle now and then, the rate falls, and the limit after it; and a drop lowers the model too, while BBR does not care. A
// step in which the limit was not used is not believed. aegis (ratelimit/bbr), which has the same model, limits only when the processor is busy.
//
// O(1), flat.
type BBR struct {
	course
	rates [bbrRates]int64 // requests in rateSecond
	next  int             // where the next rate goes
	phase int
	full  bool  // the start is over
	same  int64 // steps without growth
	best  int64 // rate that was to be exceeded
}

// NewBBR returns a *RangeError for a field out of range.
func NewBBR(cfg BBRConfig) (BBR, error) {
	err := firstOf(cfg.check(),
		within("window", cfg.Window, 1_000_000, MaxDuration, "ns"),
		within("life", cfg.Life, 1, MaxDuration, "ns"))
	if err != nil {
		return BBR{}, err
	}
	return BBR{course: newCourse(cfg.Common, cfg.Life)}, nil
}

// LearnAt takes in what became of one request.
func (b *BBR) LearnAt(now int64, s Sample) {
	st, cut, ok := b.gather(now, s)
	if cut {
		for i, r := range b.rates {
			b.rates[i] = mulDiv(r, b.cfg.Backoff, 1000)
		}
		b.full = true
	}
	if !ok || st.idle {
		return
	}
	b.rates[b.next] = divUp(st.served*rateSecond, max(1, st.span)) // rounded up, as the model is rounded down: 40 × 10 ms are 4
	b.next = (b.next + 1) % bbrRates
	if !b.full {
		b.start()
	} else {
		b.phase = (b.phase + 1) % bbrCycle
		b.follow()
	}
}

// start doubles until more in flight is served no faster.
func (b *BBR) start() {
	if r := b.rate(); r > mulDiv(b.best, 5, 4) {
		b.best, b.same = r, 0
	} else if b.same++; b.same >= bbrSame {
		b.full = true
		b.follow()
		return
	}
	b.set(2 * b.limit)
}

// follow sets the limit to the model times the gain of the phase.
func (b *BBR) follow() {
	model := min(mulDiv(b.rate(), b.base.mean, rateSecond/parts), b.cfg.Max*parts)
	model += root(model)
	switch b.phase {
	case 1:
		model += model / 4
	case 2:
		model -= model / 4
	}
	b.set(model)
}

// rate is the highest of late.
func (b *BBR) rate() int64 {
	top := int64(0)
	for _, r := range b.rates {
		top = max(top, r)
	}
	return top
}

// Rate is the highest rate of the last steps, in requests per 1000 s, rounded down.
func (b *BBR) Rate() int64 { return mulDiv(b.rate(), 1_000_000_000_000, rateSecond) }

// Clone returns an independent copy.
func (b *BBR) Clone() BBR { return *b }

// Copy is Clone behind the interface.
func (b *BBR) Copy() Limit { c := b.Clone(); return &c }

// Size is 120 bytes more than the others': ten rates and five numbers.
func (b *BBR) Size() int { return b.course.Size() + 8*(bbrRates+5) }
