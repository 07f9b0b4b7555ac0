package hotkey

// SpaceSavingConfig describes a SpaceSaving.
type SpaceSavingConfig struct {
	Keys  int   // m, counters, 1..MaxKeys
	Halve int64 // ns after which all counts are halved, 0..MaxDuration; 0: never
}

// SpaceSaving keeps m counters, each with a key's name. A key without one takes over that of the lowest, with its count: that is by how much
// its own may be too high. Of N requests so far
//
//   - the true number lies in N − Over .. N of a Count, and Over is N/m at most;
//   - each key that more than N/m requests were for is on the list.
//
// Source: Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams" (ICDT 2005). Their list of
// lists makes a step O(1); a heap, as here, O(log m). With halving the first bound holds for the count in which requests lose half of their
// weight after each Halve; halves of odd numbers are rounded to the safe side, so that Over may be N/m + 2, and the last bound is N/m + 1.
type SpaceSaving struct {
	halving halving
	list    list
}

// NewSpaceSaving returns a *RangeError for a field out of range.
func NewSpaceSaving(cfg SpaceSavingConfig) (SpaceSaving, error) {
	err := firstOf(within("keys", int64(cfg.Keys), 1, MaxKeys, ""), within("halve", cfg.Halve, 0, MaxDuration, "ns"))
	if err != nil {
		return SpaceSaving{}, err
	}
	return SpaceSaving{halving: halving{every: cfg.Halve}, list: newList(cfg.Keys)}, nil
}

// AddAt counts one request. It is true: the last key is always on the list.
func (s *SpaceSaving) AddAt(now int64, id uint64) bool {
	if s.list.max == 0 {
		return false
	}
	s.age(now)
	i, ok := s.list.find(id)
	switch {
	case ok:
		s.list.set(i, s.list.heap[i].N+1)
	case !s.list.full():
		s.list.add(Count{ID: id, N: 1})
	default:
		least := s.list.least().N
		s.list.replaceLeast(Count{ID: id, N: least + 1, Over: least})
	}
	return true
}

// CountAt is the counter of a key, and false when it has none: then it was asked for at most as often as the lowest of the list tells.
func (s *SpaceSaving) CountAt(now int64, id uint64) (Count, bool) {
	s.age(now)
	i, ok := s.list.find(id)
	if !ok {
		return Count{}, false
	}
	return s.list.heap[i], true
}

// TopAt is the k highest of the list.
func (s *SpaceSaving) TopAt(now int64, k int) []Count {
	s.age(now)
	return s.list.top(k)
}

func (s *SpaceSaving) age(now int64) {
	k := s.halving.due(now)
	if k == 0 {
		return
	}
	for i := range s.list.heap {
		c := &s.list.heap[i]
		sure := (c.N - c.Over) >> k
		c.N = halvedUp(c.N, k)
		c.Over = c.N - sure
	}
	s.list.remake()
}

// Clone returns an independent copy.
func (s *SpaceSaving) Clone() SpaceSaving { c := *s; c.list = s.list.clone(); return c }

// Copy is Clone behind the interface.
func (s *SpaceSaving) Copy() Detector { c := s.Clone(); return &c }

// Size is 24 bytes a key, 16 a slot of its index, and 16 for the halving.
func (s *SpaceSaving) Size() int { return s.list.size() + 16 }
