package breaker

// Dependency is one of those that a Set calls.
type Dependency struct {
	Name     string // not empty, unique
	Breaker  Config
	Reserved int64 // places in the bulkhead, as in Compartment
	Max      int64
}

// SetConfig describes a Set.
type SetConfig struct {
	Places       int64 // calls at once in all, 0..MaxPlaces
	Dependencies []Dependency
}

// Set has a breaker and a compartment for each dependency: what one of them suffers is no concern of the others'. A request passes the
// breaker first, which knows whether there is any use in calling, and then needs a place. A call that is refused for want of a place
// uses up no probe. The zero value refuses everything.
type Set struct {
	breakers []Breaker
	bulkhead Bulkhead
}

// Call is a call of a Set that may be made, until it is done. The zero Call is none.
type Call struct {
	ticket     Ticket
	permit     Permit
	dependency int32
}

// NewSet returns a *RangeError or *WindowError for a configuration that cannot be, and a *NameError for a name that is empty or there
// twice.
func NewSet(cfg SetConfig) (Set, error) {
	s := Set{breakers: make([]Breaker, len(cfg.Dependencies))}
	compartments := make([]Compartment, len(cfg.Dependencies))
	for i, d := range cfg.Dependencies {
		compartments[i] = Compartment{Name: d.Name, Reserved: d.Reserved, Max: d.Max}
	}
	var err error
	if s.bulkhead, err = NewBulkhead(BulkheadConfig{Places: cfg.Places, Compartments: compartments}); err != nil {
		return Set{}, err
	}
	for i, d := range cfg.Dependencies {
		if s.breakers[i], err = NewBreaker(d.Breaker); err != nil {
			return Set{}, err
		}
	}
	return s, nil
}

// Find is the index of a dependency, −1 when there is none of that name.
func (s *Set) Find(name string) int { return s.bulkhead.Find(name) }

// AskAt asks whether dependency i may be called. For one that is not there the answer is no. Without a place the reason is Full,
// unless the circuit is open.
func (s *Set) AskAt(now int64, i int) (Call, Decision) {
	if uint(i) >= uint(len(s.breakers)) {
		return Call{}, Decision{Reason: Full, RetryAfter: Never}
	}
	b := &s.breakers[i]
	if s.bulkhead.Room(i) <= 0 {
		var d Decision
		d.State, d.Changes = b.StateAt(now)
		d.Reason, d.RetryAfter = Full, Never
		if d.State == Open {
			d.Reason, d.RetryAfter = IsOpen, since(b.now, b.edge)
		}
		return Call{}, d
	}
	t, d := b.AskAt(now)
	if !d.OK {
		return Call{}, d
	}
	p, _ := s.bulkhead.Take(i) // there is room
	return Call{ticket: t, permit: p, dependency: int32(i)}, d
}

// DoneAt says how a call ended. A call that is done already changes nothing, whatever state its breaker was in.
func (s *Set) DoneAt(now int64, c Call, o Outcome) Report {
	if !s.bulkhead.Release(c.permit) {
		return Report{}
	}
	return s.breakers[c.dependency].DoneAt(now, c.ticket, o)
}

// Breaker is that of dependency i, to look at or to be opened by hand.
func (s *Set) Breaker(i int) *Breaker { return &s.breakers[i] }

// Bulkhead is what the dependencies share, to look at.
func (s *Set) Bulkhead() *Bulkhead { return &s.bulkhead }

// Len is how many dependencies there are.
func (s *Set) Len() int { return len(s.breakers) }

// Clone returns an independent copy. A call that is not done is so in both, and is done once in each.
func (s *Set) Clone() Set {
	c := Set{breakers: make([]Breaker, len(s.breakers)), bulkhead: s.bulkhead.Clone()}
	for i := range s.breakers {
		c.breakers[i] = s.breakers[i].Clone()
	}
	return c
}

// Size is that of the breakers and of the bulkhead.
func (s *Set) Size() int {
	n := s.bulkhead.Size()
	for i := range s.breakers {
		n += s.breakers[i].Size()
	}
	return n
}
