package degrade

const (
	maxInt64 = 1<<63 - 1
	minInt64 = -1 << 63
)

// NoEnd is later than every instant: for a hand that holds until it is taken back.
const NoEnd = maxInt64

// Ladder is what decides. A call is O(signals × levels) when it observes and O(1) else; nothing allocates after NewLadder.
type Ladder struct {
	cfg    Config
	now    int64
	level  Level // what the signals ask for
	stands int64 // since when it does
	values []int64
	// wanted[k] is since when some signal has asked for level k or more, calm[k] since when none has been at its Down for level k; the
	// other one of the two, or both, are never.
	wanted [Levels]int64
	calm   [Levels]int64
	hand   hand
	told   Changes // made or noticed, and not yet returned
}

// never as the begin of a state says that it does not hold.
const never = maxInt64

// NewLadder returns a ladder on which every signal is as low as can be. It returns a *RangeError for a field out of range and a
// *NameError for a signal without a name of its own.
func NewLadder(cfg Config) (Ladder, error) {
	if err := cfg.check(); err != nil {
		return Ladder{}, err
	}
	l := Ladder{cfg: cfg.clone(), now: minInt64, stands: minInt64, values: make([]int64, len(cfg.Signals))}
	for i := range l.values {
		l.values[i] = minInt64
	}
	for k := range l.wanted {
		l.wanted[k], l.calm[k] = never, minInt64
	}
	return l, nil
}

// Find is the index of a signal, −1 when there is none of that name.
func (l *Ladder) Find(name string) int { return l.cfg.find(name) }

// ObserveAt says what a signal is from now on. One that is not there moves nothing.
func (l *Ladder) ObserveAt(now int64, signal int, value int64) Changes {
	l.advance(now)
	if uint(signal) < uint(len(l.values)) {
		l.values[signal] = value
		for k := 1; k < Levels; k++ {
			l.weigh(k)
		}
		l.settle()
	}
	return l.tell()
}

// tell returns the changes that nobody has been told.
func (l *Ladder) tell() Changes {
	c := l.told
	l.told.n = 0
	return c
}

// weigh notes whether level k is wanted, and whether it is calm, from now on.
func (l *Ladder) weigh(k int) {
	wanted, calm := false, true
	for i, s := range l.cfg.Signals {
		if k <= len(s.Steps) {
			step := &s.Steps[k-1]
			wanted = wanted || l.values[i] >= step.Up
			calm = calm && l.values[i] < step.Down
		}
	}
	l.wanted[k] = begun(l.wanted[k], wanted, l.now)
	l.calm[k] = begun(l.calm[k], calm, l.now)
}

// begun is since when something holds that held since a certain instant, or did not.
func begun(since int64, holds bool, now int64) int64 {
	switch {
	case !holds:
		return never
	case since == never:
		return now
	}
	return since
}

// advance lets the time pass until now, during which no signal changes.
func (l *Ladder) advance(now int64) {
	l.now = max(l.now, now)
	l.hand.expire(l.now)
	l.settle()
}

// settle makes all the changes that are due by now. As long as no signal changes they all go the same way: what asks for more than the
// present level is not below its Down for it.
func (l *Ladder) settle() {
	if l.cfg.DownFor == 0 {
		return // nobody made this ladder
	}
	for l.level+1 < Levels && reached(l.wanted[l.level+1], l.cfg.UpFor, l.now) {
		l.move(l.level+1, later(l.wanted[l.level+1], l.cfg.UpFor))
	}
	for l.level > Normal {
		from := max(l.calm[l.level], l.stands)
		if !reached(from, l.cfg.DownFor, l.now) {
			return
		}
		l.move(l.level-1, later(from, l.cfg.DownFor))
	}
}

// move is the one place where the level changes.
func (l *Ladder) move(to Level, at int64) {
	l.told.add(Change{From: l.level, To: to, At: at})
	l.level, l.stands = to, at
}

// SignalsAt is the level that the signals ask for, and what had changed until now.
func (l *Ladder) SignalsAt(now int64) (Level, Changes) {
	l.advance(now)
	return l.level, l.tell()
}

// Clone returns an independent copy.
func (l *Ladder) Clone() Ladder {
	c := *l
	c.cfg = l.cfg.clone()
	c.values = append([]int64(nil), l.values...)
	return c
}

// Size is 8 bytes a signal and 264, without the configuration.
func (l *Ladder) Size() int { return 8*len(l.values) + 264 }

// reached reports whether now lies d or more after an instant that is not never.
func reached(at, d, now int64) bool {
	return at != never && now >= at && uint64(now)-uint64(at) >= uint64(d)
}

// later is at + d for d ≥ 0, at most the last instant that an int64 can name.
func later(at, d int64) int64 {
	if s := at + d; s >= at {
		return s
	}
	return maxInt64
}
