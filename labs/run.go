package labs

import "seedbed/labs/sim"

// Options are what a run needs beside its Spec. The zero value runs without a log and cannot be stopped.
type Options struct {
	// Input is the log that drives the run: its instants (ns, ascending, from 0; never written) and digest.
	Input       []int64
	InputDigest string
	// Stop, where set, is asked now and then: each few thousand events, at each action, and within events that are long. Once true, the
	// run ends with a *Bound.
	Stop func() bool
	// Seek keeps checkpoints while running, so that Replay is quick.
	Seek bool
}

// kindAction is the kind of the queue's events that carry out the Spec's actions; labs use kinds below it.
const kindAction = 0xFFFF

// Runner is one run in progress. It is not safe for concurrent use.
type Runner struct {
	spec   Spec
	cfg    Config
	layout Layout
	env    Env
	state  State
	done   bool
	checkpoints
}

// Run runs a Spec to its end. The error is an *Error when the Spec cannot run, and a *Bound when the run was stopped.
func Run(spec Spec, opts Options) (*Trace, error) {
	r, err := Begin(spec, opts)
	if err != nil {
		return nil, err
	}
	for {
		done, err := r.Advance(1 << 13)
		if err != nil {
			return nil, err
		}
		if done {
			return r.Trace(), nil
		}
	}
}

// Begin prepares a run at instant 0.
func Begin(spec Spec, opts Options) (*Runner, error) {
	if err := spec.Check(); err != nil {
		return nil, err
	}
	if err := checkInput(&spec, &opts); err != nil {
		return nil, err
	}
	r := &Runner{spec: spec, cfg: spec.Config(opts.Input)}
	r.layout = spec.Lab.Layout(r.cfg)
	horizon := spec.Lab.Horizon(r.cfg)
	grain := grainFor(horizon)
	if rows := (horizon + grain - 1) / grain; rows*8*int64(len(r.layout.Columns)) > maxBytes {
		return nil, &Bound{Code: "trace"}
	}
	r.env = newEnv(&spec, &r.layout, horizon, grain)
	r.env.rec.to, r.env.rec.room = horizon, MaxLog
	r.env.stop = opts.Stop
	r.env.rec.makeRows(int((horizon + grain - 1) / grain))
	r.state = r.start(&r.env)
	r.checkpoints.keep = opts.Seek
	r.checkpoints.every = firstInterval
	return r, nil
}

func checkInput(spec *Spec, opts *Options) error {
	switch {
	case spec.Input == "" && opts.Input == nil:
		return nil
	case !spec.Lab.Input:
		return fault("no-input", "input", spec.Lab.ID, "this lab is not driven by a log")
	case opts.Input == nil:
		return fault("needs-input", "input", spec.Input, "the run needs the log with this digest")
	case spec.Input != opts.InputDigest:
		return fault("wrong-input", "input", opts.InputDigest, "the Spec names the log "+spec.Input)
	}
	return nil
}

func newEnv(spec *Spec, layout *Layout, horizon, grain int64) Env {
	lab, n := spec.Lab, len(layout.Columns)
	rec := recorder{
		grain: grain, rowEnd: grain,
		gather: make([]Gather, n), current: make([]int64, n), held: make([]int64, n), rows: make([][]int64, n),
		mark: make([]bool, len(lab.Events)), verdicts: make([]Verdict, len(lab.Checks)), metrics: make([]int64, len(lab.Metrics)),
	}
	for i := range layout.Columns {
		rec.gather[i] = layout.Columns[i].Gather
	}
	for i := range lab.Events {
		rec.mark[i] = lab.Events[i].Mark
	}
	for i := range lab.Checks {
		rec.verdicts[i] = Verdict{Check: lab.Checks[i].Name, OK: true}
	}
	return Env{seed: spec.Seed, horizon: horizon, rec: rec}
}

// start schedules the actions, which so come before all else at their instants, and starts the lab.
func (r *Runner) start(env *Env) State {
	for i := range r.spec.Do {
		env.At(r.spec.Do[i].At, kindAction, 0, int64(i), 0)
	}
	return r.spec.Lab.Start(r.cfg, env)
}

// Advance handles up to most events. It returns true once the run has reached its horizon; the error is a *Bound.
func (r *Runner) Advance(most int) (done bool, err error) {
	if r.done {
		return true, nil
	}
	r.env.Stopped()
	for ; most > 0 && !r.env.stopped; most-- {
		if !r.step(&r.env, r.state) {
			r.finish()
			return true, nil
		}
		if r.env.n > MaxEvents {
			return false, &Bound{Code: "events", At: r.env.now}
		}
		if r.env.n%weighEvents == 0 && r.state.Bytes()+r.env.queue.Bytes() > maxState {
			return false, &Bound{Code: "memory", At: r.env.now}
		}
		if r.keep && r.env.n >= r.due {
			r.save(&r.env, r.state)
		}
	}
	if r.env.stopped {
		return false, &Bound{Code: "cancelled", At: r.env.now}
	}
	return false, nil
}

// step handles the earliest event; it returns false when none is left before the horizon.
func (r *Runner) step(env *Env, state State) bool {
	e, ok := env.queue.Pop()
	if !ok {
		return false
	}
	env.now = e.At
	env.n++
	if e.At >= env.rec.rowEnd {
		env.rec.roll(e.At)
	}
	f := round(env.rec.fold, uint64(e.At))
	f = round(f, uint64(e.Kind)<<16|uint64(e.Node))
	f = round(f, uint64(e.A))
	env.rec.fold = round(f, uint64(e.B))
	if e.Kind == kindAction {
		r.act(env, state, e)
		return true
	}
	state.Handle(env, e)
	return true
}

func (r *Runner) act(env *Env, state State, e sim.Event) {
	do := r.spec.Do[e.A]
	if env.Stopped() { // an action may cost as much as thousands of events
		return
	}
	env.addMark(Logged{At: env.now, N: env.n, Kind: MarkAction, A: e.A})
	state.Act(env, do)
}

func (r *Runner) finish() {
	r.env.now = r.env.horizon
	r.state.Finish(&r.env)
	r.env.rec.roll(r.env.horizon - 1)
	r.env.rec.roll(r.env.rec.rowEnd)
	r.done = true
}

// Now is how far the run has come, ns of virtual time; with Horizon it tells progress.
func (r *Runner) Now() int64 { return r.env.now }

// Horizon is where the run ends, ns of virtual time.
func (r *Runner) Horizon() int64 { return r.env.horizon }

// Handled is how many events have been handled.
func (r *Runner) Handled() int64 { return r.env.n }

// Verdicts are how the checks have fared so far, in the order of Lab.Checks: what is violated stays so, what holds may yet be violated.
// They share the runner's memory and must not be written.
func (r *Runner) Verdicts() []Verdict { return r.env.rec.verdicts }

// Layout is what the run records and looks like.
func (r *Runner) Layout() *Layout { return &r.layout }

// Spec is what is being run.
func (r *Runner) Spec() *Spec { return &r.spec }

// Trace is what the run left. It is nil until Advance has returned true; it shares the runner's memory and must not be written.
func (r *Runner) Trace() *Trace {
	if !r.done {
		return nil
	}
	t := r.partial()
	t.Metrics, t.Verdicts = r.env.rec.metrics, r.env.rec.verdicts
	return t
}

// partial is the trace of what has been recorded so far: whole rows, events and marks.
func (r *Runner) partial() *Trace {
	rec := &r.env.rec
	t := &Trace{
		Spec: r.spec.Lab.ID + "?" + r.spec.identity(), Horizon: r.env.horizon, Grain: rec.grain, Handled: r.env.n, Fold: rec.fold,
		Columns: make([]Series, len(r.layout.Columns)), Log: rec.log, Marks: rec.marks, Shapes: rec.shapes,
	}
	for i := range r.layout.Columns {
		t.Columns[i] = Series{Column: r.layout.Columns[i], Values: rec.rows[i]}
	}
	return t
}
