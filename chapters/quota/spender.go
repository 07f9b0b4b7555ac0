package quota

// SpenderConfig describes a Spender.
type SpenderConfig struct {
	Node    uint64
	Period  int64 // ns, 1..MaxDuration: the Pool's
	Reserve int64 // units a period that are this node's without asking, 0..MaxReserve; the Pool's Reserved has them all
	Drift   int64 // parts of a million by which clocks may be off, 0..MaxDrift
}

// Spender is the node's side: it spends grants while they last, the oldest first, and its reserve when there is none. So a node
// that nobody answers is not stopped, and does not spend what others may have.
//
// The reserve is a sliding log: in no span of Period, by anybody's clock, does it give more than Reserve. O(grants) a TakeAt, nearly always 1;
// 40 bytes a grant and 8 a unit of the reserve.
type Spender struct {
	cfg    SpenderConfig
	begun  bool
	now    int64 // newest instant seen
	term   int64 // of the newest grant
	newest uint64
	wait   int64 // ns by our own clock after which a unit of the reserve comes back
	grants []holding
	log    []int64 // a ring: when each unit of the reserve was spent
	next   int
	spent  int64 // of the reserve, so far
}

// holding is a grant that is being spent.
type holding struct {
	Return
	units int64
	until int64 // by our own clock
}

const holdingBytes = 40

// NewSpender returns a *RangeError for a field out of range.
func NewSpender(cfg SpenderConfig) (Spender, error) {
	err := firstOf(
		within("period", cfg.Period, 1, MaxDuration, "ns"),
		within("reserve", cfg.Reserve, 0, MaxReserve, "units"),
		within("drift", cfg.Drift, 0, MaxDrift, "parts of a million"))
	if err != nil {
		return Spender{}, err
	}
	return Spender{cfg: cfg, wait: lengthened(cfg.Period, cfg.Drift), log: make([]int64, cfg.Reserve)}, nil
}

// Granted takes in a grant that was asked for at sent, by this node's clock. It reports false and takes nothing when the grant is for another
// node, or over (an answer that comes too late is worth nothing), or not newer than one that was here: it may be the same, delivered
// twice. So of two answers that overtook each other the older one is lost, and counts as spent.
func (s *Spender) Granted(now, sent int64, g Grant) bool {
	if s.cfg.Period == 0 || g.Node != s.cfg.Node || g.Units < 1 || g.TTL < 1 {
		return false
	}
	s.tell(now)
	until := later(min(sent, s.now), shortened(min(g.TTL, MaxDuration), s.cfg.Drift))
	if s.now >= until || g.Term < s.term || g.Term == s.term && g.ID <= s.newest {
		return false
	}
	s.term, s.newest = g.Term, g.ID
	s.grants = append(s.grants, holding{Return: Return{Term: g.Term, ID: g.ID}, units: g.Units, until: until})
	return true
}

// TakeAt spends n ≥ 1 units, all or none: of grants, several if need be, else of the reserve.
func (s *Spender) TakeAt(now, n int64) bool {
	if s.cfg.Period == 0 || n < 1 {
		return false
	}
	s.tell(now)
	if s.granted() < n {
		return s.takeReserve(n)
	}
	for i := range s.grants {
		h := &s.grants[i]
		took := min(n, h.units-h.Used)
		h.Used += took
		n -= took
	}
	return true
}

// granted is what is left of all grants: at most MaxUnits each, of which a Pool gives MaxGrants a period, 2^56 in all.
func (s *Spender) granted() int64 {
	sum := int64(0)
	for _, h := range s.grants {
		sum += h.units - h.Used
	}
	return sum
}

// takeReserve looks at the oldest n units of the ring: they must all have come back.
func (s *Spender) takeReserve(n int64) bool {
	size := int64(len(s.log))
	if n > size {
		return false
	}
	// The n-th from the oldest is the youngest of them. Units that were never spent are there.
	last := int((int64(s.next) + n - 1) % size)
	if s.spent+n > size && since(s.log[last], s.now) < s.wait {
		return false
	}
	for range n {
		s.log[s.next] = s.now
		s.next = (s.next + 1) % len(s.log)
	}
	s.spent = min(s.spent+n, size)
	return true
}

// RecoverAt is for a node that comes back and has lost what it knew: its grants count as spent, and its reserve too, so that it comes back after
// a period. Without it a node that is started again and again spends its reserve each time.
func (s *Spender) RecoverAt(now int64) {
	s.tell(now)
	s.grants = s.grants[:0]
	for i := range s.log {
		s.log[i] = s.now
	}
	s.spent = int64(len(s.log))
}

// LeftAt is how many units of grants are left, without the reserve.
func (s *Spender) LeftAt(now int64) int64 {
	if s.cfg.Period == 0 {
		return 0
	}
	s.tell(now)
	return s.granted()
}

// GiveBackAt ends the oldest grant, for ReturnAt; false when there is none. Nothing more of it is spent.
func (s *Spender) GiveBackAt(now int64) (Return, bool) {
	if s.cfg.Period == 0 {
		return Return{}, false
	}
	s.tell(now)
	if len(s.grants) == 0 {
		return Return{}, false
	}
	r := s.grants[0].Return
	s.grants = append(s.grants[:0], s.grants[1:]...)
	return r, true
}

// tell moves time on and ends grants.
func (s *Spender) tell(now int64) {
	if s.begun && now <= s.now {
		return
	}
	s.begun, s.now = true, now
	kept := s.grants[:0]
	for _, h := range s.grants {
		if now < h.until {
			kept = append(kept, h)
		}
	}
	s.grants = kept
}

// Clone returns an independent copy.
func (s *Spender) Clone() Spender {
	c := *s
	c.grants = append([]holding(nil), s.grants...)
	c.log = append([]int64(nil), s.log...)
	return c
}

// Size is 40 bytes a grant, 8 a unit of the reserve, and 56 for the time, the newest grant and the ring.
func (s *Spender) Size() int { return holdingBytes*len(s.grants) + 8*len(s.log) + 56 }
