package limiter

// MaxPermits bounds how many permits one Permits can have: its table takes 12 bytes each.
const MaxPermits = 1 << 24

// PermitsConfig describes Permits.
type PermitsConfig struct {
	Limit int64 // most permits out at once, 0..MaxPermits; 0 denies every request
}

// Permits bounds how many requests are in flight. It limits what is held, not what arrives: with requests of 800 ms, 40 permits
// let 50 a second through, and when requests become slower fewer pass, which no rate does by itself.
//
// A permit is single-use: the second release of one is refused and counted, so a caller's mistake never frees a place that
// somebody else holds. O(1), no allocation after New.
type Permits struct {
	limit   int64
	refused int64
	// gens[i] is the generation of slot i: odd while its permit is out. A permit names slot and generation, and releasing moves
	// the generation on, so that an old copy no longer fits.
	gens []uint64
	free []int32 // slots whose permits are in, the next one last
}

// Permit is the right to one request in flight, until it is released. The zero Permit is none.
type Permit struct {
	gen  uint64
	slot int32
}

// NewPermits returns a *RangeError for a field out of range.
func NewPermits(cfg PermitsConfig) (Permits, error) {
	if err := within("limit", cfg.Limit, 0, MaxPermits, "permits"); err != nil {
		return Permits{}, err
	}
	p := Permits{limit: cfg.Limit, gens: make([]uint64, cfg.Limit), free: make([]int32, cfg.Limit)}
	for i := range p.free {
		p.free[i] = int32(len(p.free) - 1 - i)
	}
	return p, nil
}

// Take hands out one permit. Without one left RetryAfter is Never: a release frees a place, time alone does not. ResetAfter is
// Never for the same reason while any permit is out.
func (p *Permits) Take() (Permit, Decision) {
	last := len(p.free) - 1
	if last < 0 {
		d := p.Peek()
		d.OK, d.RetryAfter = false, Never
		return Permit{}, d
	}
	slot := p.free[last]
	p.free = p.free[:last]
	p.gens[slot]++
	return Permit{gen: p.gens[slot], slot: slot}, p.Peek()
}

// Peek reports without taking; OK is true.
func (p *Permits) Peek() Decision {
	d := Decision{OK: true, Limit: p.limit, Remaining: int64(len(p.free))}
	if d.Remaining < d.Limit {
		d.ResetAfter = Never
	}
	return d
}

// Release gives a permit back. It reports false, changes nothing and counts when the permit is not out: released before, or never
// taken here.
func (p *Permits) Release(t Permit) bool {
	if t.gen&1 == 0 || uint32(t.slot) >= uint32(len(p.gens)) || p.gens[t.slot] != t.gen {
		p.refused++
		return false
	}
	p.gens[t.slot]++
	p.free = append(p.free, t.slot)
	return true
}

// InFlight is how many permits are out, 0..Limit.
func (p *Permits) InFlight() int64 { return p.limit - int64(len(p.free)) }

// Refused is how many releases were refused so far.
func (p *Permits) Refused() int64 { return p.refused }

// Clone returns an independent copy. A permit that is out is out in both, and is released once in each.
func (p *Permits) Clone() Permits {
	c := *p
	c.gens = append([]uint64(nil), p.gens...)
	c.free = append(make([]int32, 0, len(p.gens)), p.free...)
	return c
}

// Size is 12 bytes a permit and 8 for the count of refused releases.
func (p *Permits) Size() int { return len(p.gens)*12 + wordBytes }
