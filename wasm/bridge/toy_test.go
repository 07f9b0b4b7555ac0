package bridge

import (
	"seedbed/labs"
	"seedbed/labs/sim"
)

// toy is a lab of one limiter that lets every second request through. With panic-at it breaks at that request, as a lab with a fault
// would.
var toy = &labs.Lab{
	ID: "toy", Version: 1, Family: "toys", Input: true,
	Params: []labs.Param{
		{Name: "requests", Min: 1, Max: 1_000_000, Default: 10},
		{Name: "panic-at", Min: 0, Max: 1_000_000},
	},
	Checks:  []labs.Check{{Name: "never-twice", Facts: []labs.Quantity{{Name: "passed"}}}},
	Metrics: []labs.Quantity{{Name: "passed"}},
	Events: []labs.EventKind{
		{Name: "admit", A: labs.Quantity{Name: "request"}, Flow: labs.Pass},
		{Name: "refuse", A: labs.Quantity{Name: "request"}, Flow: labs.Bounce},
	},
	Presets: []labs.Preset{{Name: "default"}},
	Horizon: func(labs.Config) int64 { return 1e9 },
	Layout: func(labs.Config) labs.Layout {
		return labs.Layout{
			Columns: []labs.Column{{Quantity: labs.Quantity{Name: "passed"}}, {Quantity: labs.Quantity{Name: "refused"}}},
			Entities: []labs.Entity{
				{Name: "client", Kind: labs.Client},
				{Name: "gate", Label: `the "gate"`, N: 1, Kind: labs.Limiter, Rank: 1, Judged: true, Passed: "passed", Refused: "refused", Full: 7},
			},
			Links: []labs.Link{{From: "client", To: "gate"}},
			Plots: []labs.Plot{{Name: "rates", Columns: []string{"passed", "refused"}, Bound: 5}},
		}
	},
	Start: func(cfg labs.Config, env *labs.Env) labs.State {
		n := cfg.Int("requests")
		for i, at := range cfg.Input {
			env.At(at, 1, 0, int64(i), 0)
		}
		if cfg.Input == nil {
			env.At(0, 0, 0, 0, 0)
		}
		return &gate{requests: n, gap: 1e9 / n, panicAt: cfg.Int("panic-at")}
	},
}

type gate struct{ requests, gap, panicAt, seen, passed int64 }

func (g *gate) Handle(env *labs.Env, e sim.Event) {
	g.seen++
	if g.seen == g.panicAt {
		panic("toy: the gate fell down")
	}
	if e.Kind == 0 {
		env.At(env.Now()+g.gap, 0, 0, e.A+1, 0)
	}
	if e.A%2 == 0 {
		g.passed++
		env.Add(0, 1)
		env.Emit(0, 1, e.A, 0)
		return
	}
	env.Add(1, 1)
	env.Emit(1, 1, e.A, 0)
}

func (g *gate) Act(*labs.Env, labs.Do) {}
func (g *gate) Finish(env *labs.Env)   { env.Metric(0, g.passed) }
func (g *gate) Clone() labs.State      { c := *g; return &c }
func (g *gate) Bytes() int             { return 40 }

func findToy(id string) *labs.Lab {
	if id == toy.ID {
		return toy
	}
	return nil
}
