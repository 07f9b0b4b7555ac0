package limiter

import (
	"math/bits"
	"sync/atomic"
)

// DefaultHorizon is the range of instants that a GCRA serves when its configuration names none: ten years.
const DefaultHorizon = 10 * 365 * 24 * 3600 * 1_000_000_000

const (
	maxHorizon = maxInt64 / 2 // 146 years
	maxGCRAN   = 1 << 50      // more units in one period would leave no room for an instant beside them
)

// GCRAConfig describes a GCRA or a SerialGCRA.
type GCRAConfig struct {
	Rate  Rate  // N at most 2^50
	Burst int64 // units that can pass at one instant after a pause, 0 and up to what fits beside Horizon; 0 denies every request
	// Horizon is the last instant that counts, ns, 1..2^62; 0 means DefaultHorizon. Instants outside 0..Horizon count as the
	// nearer end, so a limiter past its horizon runs dry and then denies with Never. Let now start at 0 with the process, not in
	// 1970.
	//
	// One int64 must hold an instant in units so fine that a nanosecond and a request are both whole numbers of them. With Rate in
	// lowest terms, n per p nanoseconds, these are n and p units, and the limiter is exact while n·Horizon + 2·Burst·p < 2^63: at
	// 100 or 1000 per second for 292 years, at 99,991 per second for 25.6 hours. For a longer horizon the finest units that fit are
	// taken and the cost of a request is rounded up: slower by less than 1 part in 1000, or else refused, and never faster.
	Horizon int64
}

// gcraParams is what never changes; limiters of one configuration share it.
type gcraParams struct {
	perNs     int64 // units a nanosecond
	cost      int64 // units a request
	tolerance int64 // units by which the theoretical arrival time may run ahead: burst · cost
	burst     int64
	horizon   int64 // ns
	last      int64 // the horizon in units
	exact     bool
	byCost    divisor
	byNs      divisor
}

// GCRA is the generic cell rate algorithm (ITU-T I.371, virtual scheduling): the whole state is the theoretical arrival time, the
// instant at which the limiter will be as new. A request may come while that lies less than Burst requests ahead, and moves it by
// its cost. It decides exactly as a TokenBucket of the same rate and burst does.
//
// It is one atomic int64, may be used by any number of goroutines, and needs no lock: a goroutine with an old now only sees the
// limiter as fuller than it is, so stale clocks and contention never admit too much, and a lost race is tried again until it is
// decided, without a cap and without an error. O(1), no allocation. Must not be copied after first use.
type GCRA struct {
	tat    atomic.Int64 // theoretical arrival time in units; fresh when at or before now
	params *gcraParams  // nil in the zero value, which denies
}

// SerialGCRA is GCRA for one goroutine: the same arithmetic on a plain value that can be copied.
type SerialGCRA struct {
	tat    int64
	params *gcraParams
}

// NewGCRA returns a *RangeError for a field out of range.
func NewGCRA(cfg GCRAConfig) (*GCRA, error) {
	p, err := newGCRAParams(cfg)
	if err != nil {
		return nil, err
	}
	return &GCRA{params: p}, nil
}

// NewSerialGCRA returns a *RangeError for a field out of range.
func NewSerialGCRA(cfg GCRAConfig) (SerialGCRA, error) {
	p, err := newGCRAParams(cfg)
	return SerialGCRA{params: p}, err
}

// TakeAt admits n units when the theoretical arrival time allows it.
func (g *GCRA) TakeAt(now, n int64) (d Decision) {
	d.OK, d.Limit, d.Remaining, d.ResetAfter, d.RetryAfter = g.take(now, n)
	return d
}

// take is TakeAt in single values, which come back in registers. A Decision is too large for that, and a call that returns one costs
// as much as the rest of the algorithm: so TakeAt is small enough to be inlined and builds it in the caller.
func (g *GCRA) take(now, n int64) (ok bool, limit, remaining, reset, retry int64) {
	p := g.params
	if p == nil {
		return n == 0, 0, 0, 0, retryOnZero(n)
	}
	at, cost := p.instant(now), n*p.cost
	for {
		tat := g.tat.Load()
		ahead := cost
		// A branch, not max: a processor that guesses it right need not wait for the load.
		if tat > at {
			ahead += tat - at
		}
		// The first half is n outside 1..burst, in one comparison.
		if uint64(n-1) >= uint64(p.burst) || ahead > p.tolerance {
			return p.refuse(at, tat-at, n)
		}
		if g.tat.CompareAndSwap(tat, at+ahead) {
			return true, p.burst, p.byCost.floor(p.tolerance - ahead), p.nanos(ahead), 0
		}
	}
}

// TakeAt admits n units when the theoretical arrival time allows it.
func (g *SerialGCRA) TakeAt(now, n int64) (d Decision) {
	d.OK, d.Limit, d.Remaining, d.ResetAfter, d.RetryAfter = g.take(now, n)
	return d
}

func (g *SerialGCRA) take(now, n int64) (ok bool, limit, remaining, reset, retry int64) {
	p := g.params
	if p == nil {
		return n == 0, 0, 0, 0, retryOnZero(n)
	}
	at, ahead := p.instant(now), n*p.cost
	if g.tat > at {
		ahead += g.tat - at
	}
	if uint64(n-1) >= uint64(p.burst) || ahead > p.tolerance {
		return p.refuse(at, g.tat-at, n)
	}
	g.tat = at + ahead
	return true, p.burst, p.byCost.floor(p.tolerance - ahead), p.nanos(ahead), 0
}

// instant converts now into units.
func (p *gcraParams) instant(now int64) int64 {
	if uint64(now) > uint64(p.horizon) {
		now = p.clamp(now)
	}
	return now * p.perNs
}

// clamp is for instants that do not count.
func (p *gcraParams) clamp(now int64) int64 { return max(0, min(now, p.horizon)) }

// nanos converts units to nanoseconds, rounded up.
func (p *gcraParams) nanos(units int64) int64 {
	if p.perNs == 1 {
		return units
	}
	return p.byNs.ceil(units)
}

// refuse tells of a peek or a denial, with the arrival time ahead units after now; it is fresh when that is below 0.
func (p *gcraParams) refuse(at, ahead, n int64) (ok bool, limit, remaining, reset, retry int64) {
	ahead = max(ahead, 0)
	// Less than one unit's room is the usual case of a denial.
	if room := p.tolerance - ahead; room >= p.cost {
		remaining = p.byCost.floor(room)
	}
	if n != 0 {
		retry = Never
	}
	if n > 0 && n <= p.burst {
		// The burst is subtracted and the rest rounded up: at that instant the request fits exactly.
		if short := ahead + n*p.cost - p.tolerance; short <= p.last-at {
			retry = p.nanos(short)
		}
	}
	return n == 0, p.burst, remaining, p.nanos(ahead), retry
}

// Exact reports whether the configured rate is kept without rounding.
func (g *GCRA) Exact() bool { return g.params != nil && g.params.exact }

// Exact reports whether the configured rate is kept without rounding.
func (g *SerialGCRA) Exact() bool { return g.params != nil && g.params.exact }

// Rate is the rate that is really kept: the configured one in lowest terms when Exact, else a little less.
func (g *GCRA) Rate() Rate { return g.params.rate() }

// Rate is the rate that is really kept: the configured one in lowest terms when Exact, else a little less.
func (g *SerialGCRA) Rate() Rate { return g.params.rate() }

func (p *gcraParams) rate() Rate {
	if p == nil {
		return Rate{}
	}
	return Rate{N: p.perNs, Per: p.cost}
}

// Clone returns an independent copy. Both share the configuration, which never changes.
func (g *SerialGCRA) Clone() SerialGCRA { return *g }

// Copy is Clone behind the interface.
func (g *SerialGCRA) Copy() Serial { c := *g; return &c }

// Size is 8: the theoretical arrival time.
func (g *SerialGCRA) Size() int { return wordBytes }

// Size is 8: the theoretical arrival time.
func (g *GCRA) Size() int { return wordBytes }

// newGCRAParams chooses the units.
func newGCRAParams(cfg GCRAConfig) (*gcraParams, error) {
	if err := cfg.Rate.check(); err != nil {
		return nil, err
	}
	if err := within("rate", cfg.Rate.N, 1, maxGCRAN, "per period"); err != nil {
		return nil, err
	}
	horizon := cfg.Horizon
	if horizon == 0 {
		horizon = DefaultHorizon
	}
	if err := within("horizon", horizon, 1, maxHorizon, "ns"); err != nil {
		return nil, err
	}
	r := cfg.Rate.reduced()
	// In the coarsest units, one a nanosecond, this burst is the most that fits.
	most := (maxInt64 - horizon - 1) / 2 / divUp(r.Per, r.N)
	if err := within("burst", cfg.Burst, 0, most, "units at this rate and horizon"); err != nil {
		return nil, err
	}
	p := &gcraParams{perNs: r.N, cost: r.Per, burst: cfg.Burst, horizon: horizon, exact: true}
	if !p.fits() {
		p.coarsen(r)
		if p.cost < minCost {
			return nil, tooFine(r, cfg.Burst, horizon)
		}
	}
	p.tolerance, p.last = p.burst*p.cost, p.horizon*p.perNs
	p.byCost, p.byNs = newDivisor(p.cost), newDivisor(p.perNs)
	return p, nil
}

// minCost is the least cost of a request in rounded units. Rounding adds less than one unit, so it slows by less than 1 part in 1000.
const minCost = 1000

// tooFine names what must become smaller for a rate that cannot be rounded: the horizon, if it takes more than half of what an
// int64 can hold, else the burst.
func tooFine(r Rate, burst, horizon int64) error {
	if err := within("horizon", horizon, 1, maxInt64/2/r.N-1, "ns at this rate"); err != nil {
		return err
	}
	return within("burst", burst, 0, maxInt64/4/r.Per, "units at this rate and horizon")
}

// fits reports whether no sum of an instant, twice the tolerance and one nanosecond reaches 2^63, so that nothing here overflows.
func (p *gcraParams) fits() bool {
	h1, instant := bits.Mul64(uint64(p.horizon)+1, uint64(p.perNs))
	h2, tolerance := bits.Mul64(2*uint64(p.burst), uint64(p.cost))
	sum, carry := bits.Add64(instant, tolerance, 0)
	return h1|h2|carry == 0 && sum <= maxInt64
}

// coarsen takes the finest units that fit, by bisection: finer ones never fit when coarser ones do not.
func (p *gcraParams) coarsen(r Rate) {
	p.exact = false
	lo, hi := int64(1), r.N // lo fits, hi does not
	for hi-lo > 1 {
		p.perNs = lo + (hi-lo)/2
		p.cost = mulDivUp(r.Per, p.perNs, r.N)
		if p.fits() {
			lo = p.perNs
		} else {
			hi = p.perNs
		}
	}
	p.perNs = lo
	p.cost = mulDivUp(r.Per, lo, r.N)
}

// divisor divides by a constant with one multiplication, which takes a third of the time of a division: with l = ⌈log2 d⌉ and
// m = ⌈2^(63+l)/d⌉, which fits 64 bits, ⌊x/d⌋ = ⌊m·x / 2^(63+l)⌋ for all 0 ≤ x < 2^63 (Granlund and Montgomery, "Division by
// invariant integers using multiplication", PLDI 1994, theorem 4.2).
type divisor struct {
	m uint64
	d int64
	l uint8
}

// newDivisor takes d ≥ 1.
func newDivisor(d int64) divisor {
	l := bits.Len64(uint64(d - 1))
	// 2^(63+l) as a 128-bit number is hi·2^64: for l = 0 it is 2^63, and the quotient is below 2^64 since d > 2^(l−1).
	var hi, lo uint64
	if l == 0 {
		lo = 1 << 63
	} else {
		hi = 1 << (l - 1)
	}
	q, rem := bits.Div64(hi, lo, uint64(d))
	if rem != 0 {
		q++
	}
	return divisor{m: q, d: d, l: uint8(l)}
}

// floor is ⌊x/d⌋ for x ≥ 0.
func (v *divisor) floor(x int64) int64 {
	hi, _ := bits.Mul64(v.m, uint64(x)<<1)
	return int64(hi >> (v.l & 63))
}

// ceil is ⌈x/d⌉ for 0 ≤ x ≤ 2^63 − d.
func (v *divisor) ceil(x int64) int64 { return v.floor(x + v.d - 1) }
