// Package labs is what a lab is: a small simulated system whose every run is a pure function of a Spec.
//
// # The contract
//
// A [Lab] is a value: its parameters, actions, checks, metrics, events and presets are data, and three functions say how long a run
// lasts, what it looks like, and how it starts. A [Spec] names a lab, its parameters, a seed and actions at instants; its canonical
// text is one query string and is the identity of a run wherever it appears: in a link, a bug report, a test, an embed. [Run] turns
// a Spec into a [Trace]:
//
//	Run(Spec) → Trace        same Spec, same Trace, byte for byte, natively, in WebAssembly and on arm64
//
// The four drivers (command line, tests, server, the browser's worker) all come through [Begin] and [Runner.Advance]; Run is the
// loop around them. There is no second way to run a lab.
//
// # How a run goes
//
// Start schedules the first events on the [Env] and returns the lab's [State]. The runner takes the earliest event, moves virtual
// time to it, and gives it to State.Handle, which may schedule more, record into columns, emit what happened, and report that a
// check was violated. At the horizon the runner calls State.Finish for the metrics. Time is int64 nanoseconds, all state is integers,
// and random numbers come from streams with names (package sim).
//
// A State is flat: slices and arrays of values, no maps, no pointers into itself. Clone copies it, and that is all that a checkpoint
// needs, so any instant of a long run can be visited again: nearest checkpoint, then replay ([Runner.Replay]).
//
// # What a lab does not do
//
// It holds no sentence and no drawing. It speaks in codes and numbers; the texts live in content/{en,zh}/labs/ID.yaml, and what it
// looks like is a [Layout] of entities of a few shared kinds, which two renderers read. It does no I/O, reads no clock, and links
// neither fmt nor reflect nor time, because it is compiled into a module that readers download.
package labs

import "seedbed/labs/sim"

// Lab describes one lab. It is made once, is never written afterwards, and is safe for concurrent use.
type Lab struct {
	ID      string // lower case with hyphens, as in a link
	Version int    // from 1; any change of a default or of behaviour raises it, so that an old link never changes in silence
	Family  string // the package's name: limits, rings, routing …

	Params  []Param     // in the order of the canonical text
	Actions []Action    // what may be done to a run at an instant
	Checks  []Check     // what must hold
	Metrics []Quantity  // what Finish measures, in order
	Events  []EventKind // what can happen, in the order of the codes that State emits
	Presets []Preset    // the first is the one that a page opens with; it holds every check

	// Input is true when the lab can be driven by the arrivals of an access log.
	Input bool
	// Valid, where set, refuses combinations of parameters that are in range one by one. It returns an *Error.
	Valid func(Config) error
	// Horizon is the instant at which a run ends, ns.
	Horizon func(Config) int64
	// Layout says what a run records and looks like: columns, entities, links, plots.
	Layout func(Config) Layout
	// Start schedules the first events and returns the state at instant 0.
	Start func(Config, *Env) State
}

// State is the state of one run, between two events. Implementations are flat values behind a pointer.
type State interface {
	// Handle lets one event happen. It must not keep env.
	Handle(env *Env, e sim.Event)
	// Act carries out one of the Spec's actions at the current instant, before other events of that instant.
	Act(env *Env, do Do)
	// Finish runs once, at the horizon: it sets every metric and reports checks that judge the whole run.
	Finish(env *Env)
	// Clone returns a state that shares nothing that either may write; nil when it cannot be copied, and then seeking replays the
	// run from its start.
	Clone() State
	// Bytes is about what a clone costs in memory, for the bounds on checkpoints and on the run. It is quick, and the same everywhere: it
	// counts what is in use, not what is allocated.
	Bytes() int
}

// Quantity is a named number with a unit: a metric, or one of the facts of an event or a check.
type Quantity struct {
	Name string
	Unit Unit
}

// Action is something that a reader or a Spec can do to a run.
type Action struct {
	Verb    string
	Targets []string // names of entities (or of their label, for every entity that bears it); nil when it has no target
	Value   *Param   // its value's name, unit, range and default; nil when it takes none
	Of      string   // the parameter that says how many there are of what Value numbers, from Value.Min on; empty when Value's range is all
}

// Check is an invariant that a run is judged by.
type Check struct {
	Name  string
	Facts []Quantity // what a violation tells beside its instant and request, at most MaxFacts, in the order given to Env.Fail
}

// Flow says how a request moves when an event happens, so that a renderer can move a dot without knowing the lab.
type Flow uint8

// The flows of a request at an entity.
const (
	Still  Flow = iota // nothing moves
	Pass               // it goes through the entity and on
	Bounce             // it is turned away
	Wait               // it stays at the entity
	Leave              // it leaves the entity where it stayed
)

func (f Flow) String() string {
	return [...]string{"still", "pass", "bounce", "wait", "leave"}[f]
}

// EventKind is one kind of thing that can happen, as State emits it.
type EventKind struct {
	Name string
	A, B Quantity // what the two values of the event are; a Quantity without a name is unused
	Flow Flow
	Mark bool // a change of state worth a mark on the timeline, not one of many requests
}

// Preset is a named Spec of the lab.
type Preset struct {
	Name   string
	Query  string // parameters, seed and actions, as in the canonical text, without v
	Breaks string // the check that this counterexample violates; empty when every check holds
}

// Do is one action of a Spec: at an instant, a verb, perhaps on a target, perhaps with a value in the base unit.
type Do struct {
	At     int64
	Verb   int // index into Lab.Actions
	Target string
	Value  int64
}

// Param returns the index of the parameter of that name, or -1.
func (l *Lab) Param(name string) int {
	for i := range l.Params {
		if l.Params[i].Name == name {
			return i
		}
	}
	return -1
}

// Preset returns the preset of that name; ok is false when there is none.
func (l *Lab) Preset(name string) (p Preset, ok bool) {
	for _, p := range l.Presets {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}

// Metric returns the index of the metric of that name, or -1.
func (l *Lab) Metric(name string) int {
	for i := range l.Metrics {
		if l.Metrics[i].Name == name {
			return i
		}
	}
	return -1
}

// Config is the resolved parameters of one run, in base units.
type Config struct {
	lab    *Lab
	values []int64
	Input  []int64 // instants of an access log (ns, ascending, from 0), nil without one; never written
}

// Int returns the value of a number, in base units, or the index of an enum's choice. It panics for a name that the lab does not
// have: that is a fault of the lab.
//
//go:noinline
func (c Config) Int(name string) int64 {
	i := c.lab.Param(name)
	if i < 0 {
		panic("labs: " + c.lab.ID + " has no parameter " + name)
	}
	return c.values[i]
}

// Choice returns the chosen word of an enum; it panics as Int does.
//
//go:noinline
func (c Config) Choice(name string) string {
	return c.lab.Params[c.lab.Param(name)].Choices[c.Int(name)]
}
