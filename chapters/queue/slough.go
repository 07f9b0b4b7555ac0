package queue

// Slough decides which of those that leave a queue of requests are dropped, as facebook/folly does (executors/Codel.h; Maurer, 2015):
// when even the shortest wait of the last Interval was longer than Target the queue is standing, and for the next Interval everybody who
// has waited longer than twice Target is dropped. Unlike CoDel it drops as many as it takes, at once, and works from either end of the
// line.
//
// Three deviations: an interval in which nobody left counts as one without overload, nobody is dropped on account of one single wait, and
// who leaves first in an interval is treated as the others, where folly spares that one. O(1), 32 bytes. The zero value drops nothing.
type Slough struct {
	target, interval int64

	begun    bool
	standing bool
	end      int64 // of the interval
	least    int64 // shortest wait in it
	seen     int64 // who left in it, up to 2
}

// NewSlough returns a *RangeError unless 1 ≤ target ≤ interval ≤ MaxDuration, in ns. Usual values are 5 ms and 100 ms.
func NewSlough(target, interval int64) (Slough, error) {
	if err := checkTarget(target, interval); err != nil {
		return Slough{}, err
	}
	return Slough{target: target, interval: interval}, nil
}

// DropAt reports whether the one who leaves at now, after so long a wait, is to be dropped.
func (s *Slough) DropAt(now, waited int64) bool {
	if s.target == 0 {
		return false
	}
	if !s.begun || now >= s.end {
		recent := s.begun && since(s.end, now) < s.interval
		s.standing = recent && s.seen > 1 && s.least > s.target
		s.begun, s.end = true, later(now, s.interval)
		s.least, s.seen = waited, 0
	}
	s.least = min(s.least, waited)
	s.seen = min(2, s.seen+1)
	return s.standing && since(s.target, waited) > s.target
}

// Standing reports whether the queue was found to stand.
func (s *Slough) Standing() bool { return s.standing }
