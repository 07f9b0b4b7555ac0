package sim

// Pattern is how requests arrive.
type Pattern uint8

// The patterns of arrivals.
const (
	Steady  Pattern = iota // evenly spaced, exact over any length: the remainder of the interval is carried
	Poisson                // independent, exponential gaps
	OnOff                  // Poisson while on, silent while off
	Burst                  // Size at one instant, then again each Period
	Log                    // the instants of an access log
)

// Arrivals gives the instants of arrivals one after another. Fill in the exported fields and call Next; the zero value never gives
// one. It is a value: a copy goes on by itself. Log instants are shared, and never written.
type Arrivals struct {
	Pattern Pattern
	Start   int64 // ns: none arrives before
	Stop    int64 // ns: none arrives at or after; 0 means never stop
	// Rate is arrivals per 1000 seconds (milli per second), while on; used by Steady, Poisson and OnOff.
	Rate    int64
	On, Off int64   // ns: lengths of the two phases of OnOff
	Size    int64   // arrivals of one Burst
	Period  int64   // ns from Burst to Burst; 0 means once
	Instant []int64 // Log: ns, ascending
	Stream  Stream

	clock int64  // ns: Steady, since the start; Poisson and OnOff, of on-time
	rest  uint64 // Steady: what the intervals so far lack of whole nanoseconds, in parts of 1/Rate
	n     int64  // how many have been given
}

// nanosPerMilliRate turns a rate of one per 1000 s into an interval: 10^12 ns.
const nanosPerMilliRate = 1_000_000_000_000

// Next returns the instant of the next arrival and how many arrive then; ok is false when no more will come.
func (a *Arrivals) Next() (at, count int64, ok bool) {
	count = 1
	switch a.Pattern {
	case Steady:
		if a.Rate < 1 {
			return 0, 0, false
		}
		at = a.Start + a.clock
		a.steady()
	case Poisson, OnOff:
		if a.Rate < 1 || (a.Pattern == OnOff && a.On < 1) {
			return 0, 0, false
		}
		a.clock += a.Stream.Exp(nanosPerMilliRate / a.Rate)
		at = a.Start + a.clock
		if a.Pattern == OnOff {
			at += a.clock / a.On * a.Off
		}
	case Burst:
		if a.Size < 1 || (a.n > 0 && a.Period < 1) {
			return 0, 0, false
		}
		at, count = a.Start+a.n*a.Period, a.Size
	case Log:
		if a.n >= int64(len(a.Instant)) {
			return 0, 0, false
		}
		at = a.Start + a.Instant[a.n]
	default:
		return 0, 0, false
	}
	if at < a.Start || (a.Stop > 0 && at >= a.Stop) {
		return 0, 0, false // past the end, or past what an int64 can tell
	}
	a.n++
	return at, count, true
}

// steady moves the clock by one interval, and by a nanosecond more whenever the remainders have made one up.
func (a *Arrivals) steady() {
	rate := uint64(a.Rate)
	a.clock += int64(nanosPerMilliRate / rate)
	if a.rest += nanosPerMilliRate % rate; a.rest >= rate {
		a.rest -= rate
		a.clock++
	}
}
