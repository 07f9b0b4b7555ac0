package adaptive

// Ticket is a request in flight, until it is done. The zero Ticket is none.
type Ticket struct {
	gen  uint64
	slot int32
}

// Outcome is how a request ended.
type Outcome uint8

// The outcomes.
const (
	Served  Outcome = iota // its latency counts
	Dropped                // timed out, or refused for overload further down
	Ignored                // the caller gave up, or it failed at once for reasons of its own: frees the place and teaches nothing
)

// Gate holds requests to a limit, and tells the limit what became of them. When the limit falls below what is in flight, those go on and
// nobody else passes until there is room.
//
// A ticket is single-use: giving it back again changes nothing and is counted. One that is never given back holds its place for ever,
// so give it back in a defer.
//
// O(1); allocates only when more are in flight than ever before. The zero value lets nothing pass.
type Gate struct {
	limit   Limit
	inUse   int64
	refused int64
	slots   []gateSlot
	free    []int32 // slots not in use, the next one last
}

type gateSlot struct {
	gen      uint64 // odd while in flight
	began    int64
	inFlight int64
}

// NewGate holds requests to l, which nobody else may use from now on.
func NewGate(l Limit) Gate { return Gate{limit: l} }

// TakeAt lets a request pass, or reports false and counts nothing.
func (g *Gate) TakeAt(now int64) (Ticket, bool) {
	if g.limit == nil || g.inUse >= min(g.limit.Limit(), MaxLimit) {
		return Ticket{}, false
	}
	last := len(g.free) - 1
	if last < 0 {
		g.slots = append(g.slots, gateSlot{})
		g.free = append(g.free, int32(len(g.slots)-1))
		last = 0
	}
	i := g.free[last]
	g.free = g.free[:last]
	g.inUse++
	s := &g.slots[i]
	*s = gateSlot{gen: s.gen + 1, began: now, inFlight: g.inUse}
	return Ticket{gen: s.gen, slot: i}, true
}

// DoneAt gives a ticket back. It reports false, changes nothing and counts when the ticket is not out.
func (g *Gate) DoneAt(now int64, t Ticket, o Outcome) bool {
	if t.gen&1 == 0 || uint32(t.slot) >= uint32(len(g.slots)) || g.slots[t.slot].gen != t.gen {
		g.refused++
		return false
	}
	s := &g.slots[t.slot]
	s.gen++
	g.free = append(g.free, t.slot)
	g.inUse--
	if o != Ignored {
		g.limit.LearnAt(now, Sample{Took: since(s.began, now), InFlight: s.inFlight, Dropped: o == Dropped})
	}
	return true
}

// Limit is how many may be in flight now.
func (g *Gate) Limit() int64 {
	if g.limit == nil {
		return 0
	}
	return g.limit.Limit()
}

// InFlight is how many are; above Limit for a while after it was lowered.
func (g *Gate) InFlight() int64 { return g.inUse }

// Refused is how many tickets were given back that were not out.
func (g *Gate) Refused() int64 { return g.refused }

// Clone returns an independent copy, its limit too. A ticket that is out is out in both.
func (g *Gate) Clone() Gate {
	c := *g
	if g.limit != nil {
		c.limit = g.limit.Copy()
	}
	c.slots = append([]gateSlot(nil), g.slots...)
	c.free = append(make([]int32, 0, cap(g.free)), g.free...)
	return c
}

// Size is 24 bytes for each request that was ever in flight at once, 4 for each place that is free, 16 for its counts, and the limit's own.
func (g *Gate) Size() int {
	n := gateSlotBytes*len(g.slots) + 4*len(g.free) + 16
	if g.limit != nil {
		n += g.limit.Size()
	}
	return n
}

const gateSlotBytes = 24
