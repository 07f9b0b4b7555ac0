package breaker

// MaxPlaces bounds a Bulkhead: a place that was ever taken costs 16 bytes.
const MaxPlaces = 1 << 20

// Compartment is the part of a Bulkhead that the calls to one dependency may hold.
type Compartment struct {
	Name     string // not empty, unique
	Reserved int64  // places that nobody else can take, 0..Max
	Max      int64  // most that it can hold, Reserved..Places; what is above Reserved comes from the places that nobody has reserved
}

// BulkheadConfig describes a Bulkhead.
type BulkheadConfig struct {
	Places       int64 // calls at once in all, 0..MaxPlaces; 0 refuses everything
	Compartments []Compartment
}

// Bulkhead bounds how many calls are in flight, together and to each dependency, so that one that hangs cannot hold every place
// (M. Nygard, "Release It!", "Bulkheads"; resilience4j, SemaphoreBulkhead). With Reserved = Max everywhere the compartments share
// nothing; with Reserved = 0 and Max = Places they share everything, which is no bulkhead at all; between them a core path keeps what
// it needs and the rest is used by whoever comes. A reserved place that its owner does not use stays empty: that is what it costs.
//
// It bounds what is held, and does not wait; who waits for a place stands in a queue of the caller's. A Permit is single-use: the
// second release of one is refused and counted. One that is never released is held for ever, so release it where the call ends,
// whatever way it ends. O(1); it allocates only when more are in flight than ever before. The zero value refuses everything.
type Bulkhead struct {
	cfg     BulkheadConfig
	common  int64   // places that nobody has reserved
	taken   int64   // of those
	held    []int64 // by compartment
	refused int64
	slots   []place
	free    []int32 // slots not in use, the next one last
}

type place struct {
	gen         uint64 // odd while its permit is out
	compartment int32
}

// Permit is one place, until it is released. The zero Permit is none.
type Permit struct {
	gen  uint64
	slot int32
}

// NewBulkhead returns a *RangeError for a field out of range and a *NameError for a name that is empty or there twice.
func NewBulkhead(cfg BulkheadConfig) (Bulkhead, error) {
	err := within("places", cfg.Places, 0, MaxPlaces, "calls")
	if err != nil {
		return Bulkhead{}, err
	}
	b := Bulkhead{cfg: cfg, common: cfg.Places, held: make([]int64, len(cfg.Compartments))}
	b.cfg.Compartments = append([]Compartment(nil), cfg.Compartments...)
	for i, c := range b.cfg.Compartments {
		if c.Name == "" || b.Find(c.Name) != i {
			return Bulkhead{}, &NameError{Name: c.Name}
		}
		// A reservation has to fit into what those before it have left.
		err = firstOf(
			within("max of "+c.Name, c.Max, 0, cfg.Places, "calls"),
			within("reserved of "+c.Name, c.Reserved, 0, min(c.Max, b.common), "calls"),
		)
		if err != nil {
			return Bulkhead{}, err
		}
		b.common -= c.Reserved
	}
	return b, nil
}

// Find is the index of a compartment, −1 when there is none of that name.
func (b *Bulkhead) Find(name string) int {
	for i := range b.cfg.Compartments {
		if b.cfg.Compartments[i].Name == name {
			return i
		}
	}
	return -1
}

// Room is how many places compartment i could take now.
func (b *Bulkhead) Room(i int) int64 {
	if uint(i) >= uint(len(b.held)) {
		return 0
	}
	c := &b.cfg.Compartments[i]
	return min(c.Max-b.held[i], max(0, c.Reserved-b.held[i])+b.common-b.taken)
}

// Take holds a place of compartment i, a reserved one first, or reports false.
func (b *Bulkhead) Take(i int) (Permit, bool) {
	if b.Room(i) <= 0 {
		return Permit{}, false
	}
	if b.held[i] >= b.cfg.Compartments[i].Reserved {
		b.taken++
	}
	b.held[i]++
	last := len(b.free) - 1
	if last < 0 {
		b.slots = append(b.slots, place{})
		b.free = append(b.free, int32(len(b.slots)-1))
		last = 0
	}
	slot := b.free[last]
	b.free = b.free[:last]
	b.slots[slot].gen++
	b.slots[slot].compartment = int32(i)
	return Permit{gen: b.slots[slot].gen, slot: slot}, true
}

// Release gives a place back. It reports false, changes nothing and counts when the permit is not out.
func (b *Bulkhead) Release(p Permit) bool {
	if p.gen&1 == 0 || uint32(p.slot) >= uint32(len(b.slots)) || b.slots[p.slot].gen != p.gen {
		b.refused++
		return false
	}
	s := &b.slots[p.slot]
	s.gen++
	b.free = append(b.free, p.slot)
	i := s.compartment
	b.held[i]--
	if b.held[i] >= b.cfg.Compartments[i].Reserved {
		b.taken--
	}
	return true
}

// Held is how many places compartment i holds.
func (b *Bulkhead) Held(i int) int64 { return b.held[i] }

// Refused is how many releases were refused so far.
func (b *Bulkhead) Refused() int64 { return b.refused }

// Clone returns an independent copy. A permit that is out is out in both, and is released once in each.
func (b *Bulkhead) Clone() Bulkhead {
	c := *b
	c.cfg.Compartments = append([]Compartment(nil), b.cfg.Compartments...)
	c.held = append([]int64(nil), b.held...)
	c.slots = append([]place(nil), b.slots...)
	c.free = append(make([]int32, 0, cap(b.free)), b.free...)
	return c
}

// Size is 16 bytes a place that was ever taken and 4 more when it is free, 8 a compartment, and 24.
func (b *Bulkhead) Size() int { return 24 + 8*len(b.held) + 16*len(b.slots) + 4*len(b.free) }
