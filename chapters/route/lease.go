package route

// Lease is a request in flight, until it is done. The zero Lease is none.
type Lease struct {
	gen  uint64
	slot int32
}

// leases is the table of requests in flight: a lease names a slot and its generation, so that one that was finished before no
// longer fits.
type leases struct {
	slots []leaseSlot
	free  []int32 // slots not in use, the next one last
}

type leaseSlot struct {
	gen   uint64 // odd while in flight
	began int64
	era   uint32 // of the peer, when the request was sent
	peer  int32  // −1 when the peer has left
	probe bool
}

func (t *leases) inFlight() int64 { return int64(len(t.slots) - len(t.free)) }

// take allocates only when more requests are in flight than ever before.
func (t *leases) take(s leaseSlot) Lease {
	last := len(t.free) - 1
	if last < 0 {
		t.slots = append(t.slots, leaseSlot{})
		t.free = append(t.free, int32(len(t.slots)-1))
		last = 0
	}
	i := t.free[last]
	t.free = t.free[:last]
	s.gen = t.slots[i].gen + 1
	t.slots[i] = s
	return Lease{gen: s.gen, slot: i}
}

// end reports false when the lease is not in flight.
func (t *leases) end(l Lease) (leaseSlot, bool) {
	if l.gen&1 == 0 || uint32(l.slot) >= uint32(len(t.slots)) || t.slots[l.slot].gen != l.gen {
		return leaseSlot{}, false
	}
	s := t.slots[l.slot]
	t.slots[l.slot].gen++
	t.free = append(t.free, l.slot)
	return s, true
}

func (t *leases) clone() leases {
	return leases{slots: append([]leaseSlot(nil), t.slots...), free: append(make([]int32, 0, cap(t.free)), t.free...)}
}

func (t *leases) size() int { return 32*len(t.slots) + 4*len(t.free) }
