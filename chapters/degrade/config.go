package degrade

import "strconv"

// Bounds of a configuration.
const (
	MaxSignals  = 64
	MaxDuration = 1 << 62 // ns, 146 years
)

// Step is when one signal asks for one level.
type Step struct {
	Up   int64 // asks for it at this value or above; at least the Up of the level before
	Down int64 // asks for it no longer below this value; below Up
}

// Signal is something that is observed: a latency, an error share, the length of a queue, the load of a processor. The higher its
// value, the worse.
type Signal struct {
	Name  string // not empty, unique
	Steps []Step // for L1, L2 …; with fewer than four it never asks for the higher ones
}

// Config describes a Ladder.
type Config struct {
	Signals []Signal // at most MaxSignals
	UpFor   int64    // ns, 0..MaxDuration: so long before it goes up. 0 believes a single value
	DownFor int64    // ns, 1..MaxDuration: so long on each level before it comes down by one. Longer than UpFor is usual
	Seed    uint64   // of the hash that puts users in an order; another seed, other users first
}

func (c *Config) check() error {
	err := firstOf(
		within("signals", int64(len(c.Signals)), 0, MaxSignals, ""),
		within("up for", c.UpFor, 0, MaxDuration, "ns"),
		within("down for", c.DownFor, 1, MaxDuration, "ns"),
	)
	for i, s := range c.Signals {
		if err == nil {
			err = c.checkSignal(i, s)
		}
	}
	return err
}

func (c *Config) checkSignal(i int, s Signal) error {
	if s.Name == "" || c.find(s.Name) != i {
		return &NameError{Name: s.Name}
	}
	err := within("steps of "+s.Name, int64(len(s.Steps)), 1, Levels-1, "")
	least := int64(minInt64 + 1) // there is something below it
	for k, step := range s.Steps {
		level := s.Name + " for L" + strconv.Itoa(k+1)
		err = firstOf(err, within("up of "+level, step.Up, least, maxInt64, ""), within("down of "+level, step.Down, minInt64, step.Up-1, ""))
		least = step.Up
	}
	return err
}

func (c *Config) find(name string) int {
	for i := range c.Signals {
		if c.Signals[i].Name == name {
			return i
		}
	}
	return -1
}

// clone copies what the caller might change later.
func (c *Config) clone() Config {
	out := *c
	out.Signals = append([]Signal(nil), c.Signals...)
	for i := range out.Signals {
		out.Signals[i].Steps = append([]Step(nil), out.Signals[i].Steps...)
	}
	return out
}
