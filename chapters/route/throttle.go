package route

// throttleSlices is how finely a Throttle sees the age of its counts.
const throttleSlices = 10

// ThrottleConfig describes a Throttle.
type ThrottleConfig struct {
	K      int64 // in thousandths, 1000..1_000_000: requests per accepted one that are sent on; 2000 is usual
	Window int64 // ns, 10..MaxDuration: how long a request counts, within a tenth; 120 s is usual
}

// Throttle lets a client refuse its own requests when the other side accepts too few, so that a server busy with refusing gets time
// to serve. A request is refused with the probability max(0, (requests − K × accepted) ÷ (requests + 1)) over the last Window (Beyer et
// al., "Site Reliability Engineering", 2016, ch. 21, "Client-Side Throttling"). Refused ones count as requests too: while nothing is
// accepted the share sent on keeps falling, and some are always sent, so recovery is noticed.
//
// O(1), flat. The zero value refuses everything.
type Throttle struct {
	cfg       ThrottleConfig
	begun     bool
	newest    int64 // number of the newest slice
	asked     [throttleSlices]int64
	taken     [throttleSlices]int64
	asks, oks int64 // their sums
}

// NewThrottle returns a *RangeError for a field out of range.
func NewThrottle(cfg ThrottleConfig) (Throttle, error) {
	return Throttle{cfg: cfg}, firstOf(
		within("throttle K", cfg.K, 1000, 1_000_000, "thousandths"),
		within("throttle window", cfg.Window, throttleSlices, MaxDuration, "ns"),
	)
}

// AskAt counts a request and reports whether it may be sent.
func (t *Throttle) AskAt(now int64, r Source) bool {
	if t.cfg.Window == 0 {
		return false
	}
	refuse := r.Below(1_000_000) < t.RefusalAt(now)
	t.add(&t.asked, &t.asks)
	return !refuse
}

// AcceptAt counts a request that the other side accepted: any answer but a refusal for overload.
func (t *Throttle) AcceptAt(now int64) {
	if t.cfg.Window == 0 {
		return
	}
	t.advance(now)
	t.add(&t.taken, &t.oks)
}

// RefusalAt is the probability that the next request is refused here, in parts of a million.
func (t *Throttle) RefusalAt(now int64) int64 {
	if t.cfg.Window == 0 {
		return 1_000_000
	}
	t.advance(now)
	over := t.asks*1000 - mulUpTo(t.oks, t.cfg.K, maxInt64)
	if over <= 0 {
		return 0
	}
	return mulDiv(over, 1_000_000, (t.asks+1)*1000)
}

// maxCount bounds the counts of one slice, far above what can be counted in it.
const maxCount = 1 << 48

func (t *Throttle) add(slices *[throttleSlices]int64, sum *int64) {
	if s := &slices[t.slice(t.newest)]; *s < maxCount {
		*s++
		*sum++
	}
}

func (t *Throttle) slice(number int64) int64 {
	return number - floorDiv(number, throttleSlices)*throttleSlices
}

// advance drops the slices that are too old.
func (t *Throttle) advance(now int64) {
	n := floorDiv(now, t.cfg.Window/throttleSlices)
	if !t.begun {
		t.begun, t.newest = true, n
	}
	for k := t.newest + 1; k <= min(n, t.newest+throttleSlices); k++ {
		i := t.slice(k)
		t.asks -= t.asked[i]
		t.oks -= t.taken[i]
		t.asked[i], t.taken[i] = 0, 0
	}
	t.newest = max(t.newest, n)
}

// Clone returns an independent copy.
func (t *Throttle) Clone() Throttle { return *t }

// Size is 192 bytes: two numbers a slice, their sums and two of time.
func (t *Throttle) Size() int { return 8 * (2*throttleSlices + 4) }
