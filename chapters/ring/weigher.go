package ring

import "slices"

// WeigherConfig describes a Weigher. Shares are parts per million of what a member has: 300,000 is 30 %.
type WeigherConfig struct {
	Every int64 // ns between changes of weights, ≥ 1; 0 means 5 minutes

	// A member under Low is idle, one over High is busy. 0 means 300,000 and 700,000.
	Low, High int64
	// An idle member is so until it is over LowExit, a busy one until it is under HighExit: that gap is the hysteresis. Without it
	// weights flap: halving a weight about halves the use, which then looks normal, so that the weight comes back and the use with it.
	// 0 means 480,000 and 330,000, which lie beyond what a change of weight alone does to the use. None: Low and High.
	LowExit, HighExit int64
	// Smoothing is the share of a new reading in what is judged, 1..1,000,000, which is none; 0 means 300,000.
	Smoothing int64

	// The weights of idle, normal and busy members, 1..MaxWeight; 0 means 150, 100 and 50.
	Idle, Normal, Busy int64
}

// Use is one reading of a member: the share of each resource that is in use, in parts per million, 0..1,000,000.
type Use struct {
	CPU, Memory, Network int64
}

// scarcest is the use of the resource that ends first.
func (u Use) scarcest() int64 { return max(u.CPU, u.Memory, u.Network) }

// Level is how a Weigher judges a member.
type Level uint8

// The levels. A member changes by one step at a time: from busy to idle it passes normal.
const (
	LevelNormal Level = iota
	LevelIdle
	LevelBusy
)

// String is the level in lower case.
func (l Level) String() string {
	switch l {
	case LevelNormal:
		return "normal"
	case LevelIdle:
		return "idle"
	case LevelBusy:
		return "busy"
	}
	return "unknown level"
}

// Weigher turns readings of members' use into weights for a ring whose Unit is the normal weight: idle members get more points, busy
// ones fewer, every five minutes. Its state is one goroutine's and flat; 9 bytes a member. The zero value has no members.
type Weigher struct {
	cfg    WeigherConfig
	names  []string
	smooth []int64 // ppm, -1 before the first reading
	levels []Level
	begun  bool
	next   int64 // instant of the next change
}

// NewWeigher starts with all members normal. Errors are *RangeError and *NameError.
func NewWeigher(cfg WeigherConfig, names []string) (Weigher, error) {
	cfg.fill()
	if err := cfg.check(); err != nil {
		return Weigher{}, err
	}
	set, err := newSet(Equal(names...), 1)
	if err != nil {
		return Weigher{}, err
	}
	w := Weigher{cfg: cfg}
	for _, m := range set.members {
		w.names = append(w.names, m.Name)
		w.smooth = append(w.smooth, -1)
		w.levels = append(w.levels, LevelNormal)
	}
	return w, nil
}

// fill puts the defaults where nothing was said.
func (c *WeigherConfig) fill() {
	for _, f := range []struct {
		at    *int64
		value int64
	}{
		{&c.Every, 300_000_000_000},
		{&c.Low, 300_000}, {&c.High, 700_000},
		{&c.LowExit, 480_000}, {&c.HighExit, 330_000},
		{&c.Smoothing, 300_000},
		{&c.Idle, 150}, {&c.Normal, 100}, {&c.Busy, 50},
	} {
		if *f.at == 0 {
			*f.at = f.value
		}
	}
}

// check names the first field out of range.
func (c *WeigherConfig) check() error {
	const all = 1_000_000
	for _, f := range []struct {
		field       string
		got, lo, hi int64
	}{
		{"every in ns", c.Every, 1, 1<<63 - 1},
		{"high in parts per million", c.High, 2, all},
		{"low in parts per million", c.Low, 1, c.High - 1},
		{"exit of low in parts per million", c.LowExit, c.Low, c.High},
		{"exit of high in parts per million", c.HighExit, c.Low, c.High},
		{"smoothing in parts per million", c.Smoothing, 1, all},
		{"weight of idle members", c.Idle, 1, MaxWeight},
		{"weight of normal members", c.Normal, 1, MaxWeight},
		{"weight of busy members", c.Busy, 1, MaxWeight},
	} {
		if err := within(f.field, f.got, f.lo, f.hi); err != nil {
			return err
		}
	}
	return nil
}

// ReadAt takes one reading of each member, in order of name, and reports whether weights changed with it. They change at most once in
// Every, counted from the first reading. The error is a *RangeError; then nothing has changed.
func (w *Weigher) ReadAt(now int64, uses []Use) (changed bool, err error) {
	if err := within("readings", int64(len(uses)), int64(len(w.names)), int64(len(w.names))); err != nil {
		return false, err
	}
	for i, u := range uses {
		for _, share := range [...]int64{u.CPU, u.Memory, u.Network} {
			if share < 0 || share > 1_000_000 {
				return false, &RangeError{Field: "use of " + w.names[i] + " in parts per million", Got: share, Min: 0, Max: 1_000_000}
			}
		}
	}
	for i, u := range uses {
		if w.smooth[i] < 0 {
			w.smooth[i] = u.scarcest()
		} else {
			w.smooth[i] += (u.scarcest() - w.smooth[i]) * w.cfg.Smoothing / 1_000_000
		}
	}
	if !w.begun {
		w.begun, w.next = true, later(now, w.cfg.Every)
	}
	if now < w.next {
		return false, nil
	}
	w.next = later(now, w.cfg.Every)
	for i := range w.levels {
		if l := w.judge(w.levels[i], w.smooth[i]); l != w.levels[i] {
			w.levels[i], changed = l, true
		}
	}
	return changed, nil
}

// judge is the only place where a level changes.
func (w *Weigher) judge(l Level, use int64) Level {
	switch {
	case l == LevelNormal && use < w.cfg.Low:
		return LevelIdle
	case l == LevelNormal && use > w.cfg.High:
		return LevelBusy
	case l == LevelIdle && use > w.cfg.LowExit, l == LevelBusy && use < w.cfg.HighExit:
		return LevelNormal
	}
	return l
}

// later is at + d for d ≥ 0, at most the last instant an int64 can name.
func later(at, d int64) int64 {
	if s := at + d; s >= at {
		return s
	}
	return 1<<63 - 1
}

// Members returns the members with the weights of now, to build a ring of: Config.Unit is the normal weight.
func (w *Weigher) Members() []Member {
	members := make([]Member, len(w.names))
	for i, name := range w.names {
		members[i] = Member{Name: name, Weight: w.Weight(i)}
	}
	return members
}

// Weight is the weight of the i-th member in order of name.
func (w *Weigher) Weight(i int) int64 {
	switch w.levels[i] {
	case LevelIdle:
		return w.cfg.Idle
	case LevelBusy:
		return w.cfg.Busy
	}
	return w.cfg.Normal
}

// Level is how the i-th member is judged.
func (w *Weigher) Level(i int) Level { return w.levels[i] }

// Smooth is the smoothed use of the i-th member in parts per million, -1 before the first reading.
func (w *Weigher) Smooth(i int) int64 { return w.smooth[i] }

// Rebase goes on with other members. Those in both keep their level and use, new ones start as normal. Errors are *RangeError and
// *NameError.
func (w *Weigher) Rebase(names []string) error {
	set, err := newSet(Equal(names...), 0)
	if err != nil {
		return err
	}
	next := Weigher{cfg: w.cfg, begun: w.begun, next: w.next}
	for _, m := range set.members {
		use, level := int64(-1), LevelNormal
		if i, was := slices.BinarySearch(w.names, m.Name); was {
			use, level = w.smooth[i], w.levels[i]
		}
		next.names = append(next.names, m.Name)
		next.smooth = append(next.smooth, use)
		next.levels = append(next.levels, level)
	}
	*w = next
	return nil
}

// Clone returns an independent copy.
func (w *Weigher) Clone() Weigher {
	c := *w
	c.smooth, c.levels = slices.Clone(w.smooth), slices.Clone(w.levels)
	return c
}

// Size is 9 bytes a member and the instant of the next change.
func (w *Weigher) Size() int { return 9*len(w.names) + 8 }
