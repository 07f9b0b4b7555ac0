package cache

// Strategy is how a writer keeps a cache from serving what was there before the write.
type Strategy uint8

// The strategies. What each leaves open is said here and shown by a test that goes through all orders of a writer's and a reader's
// steps.
const (
	// DeleteAfterWrite is cache-aside: write the store, delete from the cache. A reader who has missed and read the store before
	// the write may set the old value after the deletion, and it stays. Flights on the cache's side, as leases, close that gap; so
	// do Versions.
	DeleteAfterWrite Strategy = iota
	// DeleteBeforeWrite is the wrong way round: a reader in between puts the old value back at its leisure.
	DeleteBeforeWrite
	// DoubleDelete deletes before and again Delay after the write: an old value may be served that long, and longer only if a
	// reader takes more than Delay from its read to its set.
	DoubleDelete
	// WriteThrough sets the new value after the write. Two writers may set in another order than they wrote, and the loser's value
	// stays; so may a reader's, as with DeleteAfterWrite.
	WriteThrough
	// WriteVersioned is WriteThrough with the version that the store gave the write, to a cache that asks Versions first. Nothing
	// old stays.
	WriteVersioned
	// WriteBehind sets the cache at once and writes the store Delay later: fast, and lost if the cache is lost before.
	WriteBehind
	// LogDriven leaves the cache to Changes, which reads the store's log.
	LogDriven
)

var strategies = [...]string{"delete after write", "delete before write", "double delete", "write through", "write versioned", "write behind", "log-driven"}

// String is the strategy in words.
func (s Strategy) String() string { return nameOf(strategies[:], uint8(s)) }

// Action is one step of a writer.
type Action uint8

// The actions.
const (
	Finished    Action = iota // nothing more to do
	WriteStore                // commit the new value
	DeleteCache               // delete the key from the cache
	SetCache                  // set the new value
	SetVersion                // set the new value if Versions admits the version of the commit
)

var actions = [...]string{"finished", "write store", "delete cache", "set cache", "set version"}

// String is the action in words.
func (a Action) String() string { return nameOf(actions[:], uint8(a)) }

// plan is the order of a strategy's actions; before the last one it waits when late is set.
type plan struct {
	actions []Action
	late    bool
}

var plans = [...]plan{
	DeleteAfterWrite:  {[]Action{WriteStore, DeleteCache}, false},
	DeleteBeforeWrite: {[]Action{DeleteCache, WriteStore}, false},
	DoubleDelete:      {[]Action{DeleteCache, WriteStore, DeleteCache}, true},
	WriteThrough:      {[]Action{WriteStore, SetCache}, false},
	WriteVersioned:    {[]Action{WriteStore, SetVersion}, false},
	WriteBehind:       {[]Action{SetCache, WriteStore}, true},
	LogDriven:         {[]Action{WriteStore}, false},
}

// WriteConfig describes writes.
type WriteConfig struct {
	Strategy Strategy
	Delay    int64 // ns that DoubleDelete and WriteBehind wait before their last step, 0..MaxDuration
	Tries    int   // how often a step is tried at most, 1..MaxTries; 0 means 1
	Retry    int64 // ns between tries, 0..MaxDuration
}

// MaxTries bounds the tries of a step.
const MaxTries = 1000

// Write is one write of one key on its way. It does nothing itself: it says which step is due and is told how that went.
//
//	w, err := cache.NewWrite(cfg)
//	for s := w.StepAt(now); s.Do != cache.Finished; s = w.StepAt(now) { … wait until s.At, do it …; w.DoneAt(now, ok) }
//
// A step on the store that fails for the last time ends the write: Failed. One on the cache that does is Lost, and the write goes
// on: the cache may then hold the old value until its time to live is over, and nobody but Changes would know.
//
// A plain value. The zero value has one try and DeleteAfterWrite.
type Write struct {
	cfg    WriteConfig
	step   int
	tries  int
	due    int64 // when the step may be done; meaningless before the first
	failed bool
	lost   bool
}

// NewWrite returns a *RangeError for a field out of range.
func NewWrite(cfg WriteConfig) (Write, error) {
	if cfg.Tries == 0 {
		cfg.Tries = 1
	}
	err := firstOf(
		within("strategy", int64(cfg.Strategy), 0, int64(len(plans)-1), ""),
		within("delay", cfg.Delay, 0, MaxDuration, "ns"),
		within("tries", int64(cfg.Tries), 1, MaxTries, ""),
		within("retry", cfg.Retry, 0, MaxDuration, "ns"),
	)
	if err != nil {
		return Write{}, err
	}
	return Write{cfg: cfg, due: minInt64}, nil
}

// Step is what to do, and not before when.
type Step struct {
	Do Action
	At int64 // instant; now when it is due already
}

// StepAt is the step that comes next. Asking changes nothing.
func (w *Write) StepAt(now int64) Step {
	p := plans[w.cfg.Strategy]
	if w.failed || w.step == len(p.actions) {
		return Step{Finished, now}
	}
	return Step{p.actions[w.step], max(now, w.due)}
}

// DoneAt reports how the step went. After the last it changes nothing.
func (w *Write) DoneAt(now int64, ok bool) {
	p := plans[w.cfg.Strategy]
	if w.failed || w.step == len(p.actions) {
		return
	}
	if w.tries++; !ok && w.tries < w.cfg.Tries {
		w.due = later(now, w.cfg.Retry)
		return
	}
	if !ok {
		if p.actions[w.step] == WriteStore {
			w.failed = true
			return
		}
		w.lost = true
	}
	w.step, w.tries, w.due = w.step+1, 0, now
	if p.late && w.step == len(p.actions)-1 {
		w.due = later(now, w.cfg.Delay)
	}
}

// Failed reports whether the store was not written, and Lost whether a step on the cache was given up.
func (w *Write) Failed() bool { return w.failed }
func (w *Write) Lost() bool   { return w.lost }
