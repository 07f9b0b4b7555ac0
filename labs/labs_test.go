package labs_test

import (
	"slices"

	"seedbed/labs"
	"seedbed/labs/sim"
)

// tally is the smallest lab that uses every part of the contract: clients arrive at random, each is served for a while, and no more
// than a bound may be inside at once.
var tally = &labs.Lab{
	ID: "tally", Version: 3, Family: "test", Input: true,
	Params: []labs.Param{
		{Name: "use", Choices: []string{"gate", "none"}},
		{Name: "rate", Unit: labs.PerSecond, Min: 100, Max: 1_000_000_000, Default: 100_000, Log: true},
		{Name: "stay", Unit: labs.Millis, Min: 1_000_000, Max: 10_000_000_000, Default: 20_000_000},
		{Name: "room", Unit: labs.Count, Min: 1, Max: 1000, Default: 4},
		{Name: "length", Unit: labs.Seconds, Min: 1_000_000, Max: 100_000_000_000, Default: 2_000_000_000},
	},
	Actions: []labs.Action{
		{Verb: "shut", Targets: []string{"door"}},
		{Verb: "crowd", Value: &labs.Param{Name: "people", Unit: labs.Count, Min: 1, Max: 100, Default: 5}},
	},
	Checks:  []labs.Check{{Name: "within-room", Facts: []labs.Quantity{{Name: "inside"}}}},
	Metrics: []labs.Quantity{{Name: "entered"}, {Name: "turned-away"}},
	Events: []labs.EventKind{
		{Name: "enter", A: labs.Quantity{Name: "person"}, Flow: labs.Pass},
		{Name: "refuse", A: labs.Quantity{Name: "person"}, Flow: labs.Bounce},
		{Name: "shut", Mark: true},
	},
	Presets: []labs.Preset{{Name: "default"}, {Name: "no-gate", Query: "use=none", Breaks: "within-room"}},
	Valid: func(c labs.Config) error {
		if c.Int("stay") > c.Int("length") {
			return &labs.Error{Code: "conflict", Field: "stay", Got: "a stay longer than the run", Want: "stay is at most length"}
		}
		return nil
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout: func(labs.Config) labs.Layout {
		return labs.Layout{
			Columns: []labs.Column{
				{Quantity: labs.Quantity{Name: "entered"}},
				{Quantity: labs.Quantity{Name: "inside"}, Gather: labs.Last},
				{Quantity: labs.Quantity{Name: "most"}, Gather: labs.Peak},
			},
			Entities: []labs.Entity{{Name: "client"}, {Name: "door", Kind: labs.Gateway, Rank: 1, Level: "inside", Passed: "entered"}},
			Links:    []labs.Link{{From: "client", To: "door"}},
		}
	},
	Start: startTally,
}

const (
	arrive = iota
	leave
)

type tallyState struct {
	cfg                    labs.Config
	arrivals               sim.Arrivals
	gate, shut             bool
	inside, room, stay     int64
	entered, away, persons int64
	padding                []int64 // so that a clone has something to copy
}

func startTally(c labs.Config, env *labs.Env) labs.State {
	s := &tallyState{cfg: c, gate: c.Choice("use") == "gate", room: c.Int("room"), stay: c.Int("stay"), padding: make([]int64, 100)}
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("rate"), Stream: env.Stream("client")}
	if c.Input != nil {
		s.arrivals = sim.Arrivals{Pattern: sim.Log, Instant: c.Input}
	}
	s.next(env)
	return s
}

func (s *tallyState) next(env *labs.Env) {
	if at, n, ok := s.arrivals.Next(); ok {
		env.At(at, arrive, 0, n, 0)
	}
}

func (s *tallyState) Handle(env *labs.Env, e sim.Event) {
	if e.Kind == leave {
		s.inside--
		env.Set(1, s.inside)
		env.Set(2, s.inside)
		return
	}
	s.enter(env)
	s.next(env)
}

func (s *tallyState) enter(env *labs.Env) {
	s.persons++
	if s.gate && (s.inside >= s.room || s.shut) {
		s.away++
		env.Emit(1, 1, s.persons, 0)
		return
	}
	s.inside++
	s.entered++
	s.padding[s.entered%100]++
	env.Add(0, 1)
	env.Set(1, s.inside)
	env.Set(2, s.inside)
	env.Emit(0, 1, s.persons, 0)
	if s.inside > s.room {
		env.Fail(0, s.persons, s.inside)
	}
	env.At(env.Now()+s.stay, leave, 0, 0, 0)
}

func (s *tallyState) Act(env *labs.Env, do labs.Do) {
	if do.Verb == 0 {
		s.shut = true
		env.Emit(2, 1, 0, 0)
		return
	}
	for range do.Value {
		s.enter(env)
	}
}

func (s *tallyState) Finish(env *labs.Env) {
	env.Metric(0, s.entered)
	env.Metric(1, s.away)
}

func (s *tallyState) Clone() labs.State {
	c := *s
	c.padding = slices.Clone(s.padding)
	return &c
}

func (s *tallyState) Bytes() int { return 300 + 8*len(s.padding) }

func find(id string) *labs.Lab {
	if id == tally.ID {
		return tally
	}
	return nil
}
