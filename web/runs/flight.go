package runs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"seedbed/labs"
)

// flight is one run in progress, and all who wait for it.
type flight struct {
	key     string
	spec    labs.Spec
	waiters int // under the Runner's lock
	cancel  context.CancelFunc
	leave   func() // gives back the place in the house; nil for the house's own runs
	turn    *turn  // under the Runner's lock, but for its channel

	done    chan struct{} // closed when outcome is set
	outcome outcome
}

// outcome is how a run ended.
type outcome struct {
	result *Result
	err    error
}

// Fault is a panic of a lab: a fault of ours. The stack is for the log, not for readers.
type Fault struct {
	Spec  string
	Value any
	Stack []byte
}

// Error says which Spec it was.
func (f *Fault) Error() string { return fmt.Sprintf("runs: %s: %v", f.Spec, f.Value) }

// fly waits for a slot, runs, and tells all who wait. A run has its whole time from the moment that it has its slot: how long it waited
// says how full the house is, and nothing of the Spec.
func (r *Runner) fly(ctx context.Context, f *flight) {
	patience := time.NewTimer(time.Duration(r.config.Time))
	defer patience.Stop()
	select {
	case <-f.turn.ready:
		deadline := r.config.Clock() + r.config.Time
		f.outcome = compute(f.spec, func() bool { return ctx.Err() != nil || r.config.Clock() >= deadline })
	case <-patience.C:
		f.outcome.err = ErrFull
	case <-ctx.Done():
		f.outcome.err = ctx.Err()
	}
	f.cancel()
	if f.leave != nil {
		f.leave()
	}
	r.mu.Lock()
	r.turns.end(f.turn)
	if r.flights[f.key] == f {
		delete(r.flights, f.key)
	}
	switch {
	case errors.Is(f.outcome.err, ErrFull):
		r.counts.Full++
	case f.outcome.err != nil:
		r.counts.Failed++
	}
	if f.outcome.lasting() {
		r.cache.put(f.key, f.outcome)
	}
	r.mu.Unlock()
	close(f.done)
}

// compute runs a Spec to its end, or until stop.
func compute(spec labs.Spec, stop func() bool) (o outcome) {
	defer func() {
		if v := recover(); v != nil {
			o = outcome{err: &Fault{Spec: spec.Text(), Value: v, Stack: debug.Stack()}}
		}
	}()
	trace, err := labs.Run(spec, labs.Options{Stop: stop})
	var bound *labs.Bound
	if errors.As(err, &bound) && bound.Code == "cancelled" {
		return outcome{err: ErrTime} // who has left does not read this
	}
	if err != nil {
		return outcome{err: err}
	}
	layout := spec.Lab.Layout(spec.Config(nil))
	return outcome{result: &Result{Spec: spec, Trace: trace, Layout: &layout, Digest: trace.Digest()}}
}

// lasting is true when asking again would give the same: a result, a Spec that cannot run, a bound that counts events or bytes.
func (o *outcome) lasting() bool {
	var (
		wrong *labs.Error
		bound *labs.Bound
	)
	return o.err == nil || errors.As(o.err, &wrong) || errors.As(o.err, &bound)
}
