package breaker

// probes are the calls that half-open permits: each takes a slot, and its outcome uses one up.
type probes struct {
	seen      Counts   // outcomes so far
	out       int32    // slots taken now
	serial    uint32   // of the newest probe
	serials   []uint32 // by slot; 0 when it is free
	deadlines []int64
}

func newProbes(n int64) probes {
	return probes{serials: make([]uint32, n), deadlines: make([]int64, n)}
}

// take gives a ticket a slot until a deadline, or reports false when all are out or used up.
func (p *probes) take(t *Ticket, deadline int64) bool {
	if int(p.out)+int(p.seen.Calls) >= len(p.serials) {
		return false
	}
	if p.serial++; p.serial == 0 {
		p.serial = 1
	}
	i := 0
	for p.serials[i] != 0 {
		i++ // fewer are out than there are slots
	}
	p.serials[i], p.deadlines[i] = p.serial, deadline
	p.out++
	t.serial, t.slot = p.serial, int32(i)
	return true
}

// end gives a ticket's slot back, and reports false when it does not hold it (any more).
func (p *probes) end(t Ticket) bool {
	if t.serial == 0 || p.serials[t.slot] != t.serial {
		return false
	}
	p.free(int(t.slot))
	return true
}

func (p *probes) free(i int) {
	p.serials[i] = 0
	p.out--
}

// oldest is the slot whose lease ends first, −1 when none is out.
func (p *probes) oldest() int {
	first := -1
	for i, s := range p.serials {
		if s != 0 && (first < 0 || p.deadlines[i] < p.deadlines[first]) {
			first = i
		}
	}
	return first
}

func (p *probes) reset() {
	clear(p.serials)
	p.seen, p.out = Counts{}, 0
}

func (p *probes) clone() probes {
	c := *p
	c.serials = append([]uint32(nil), p.serials...)
	c.deadlines = append([]int64(nil), p.deadlines...)
	return c
}

// bytes: the outcomes, how many are out, the newest serial, and the slots.
func (p *probes) bytes() int { return 20 + 12*len(p.serials) }
