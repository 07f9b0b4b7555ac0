package labs

import (
	"slices"

	"seedbed/labs/sim"
)

// Bounds on checkpoints: enough that a replay of a run of a million events handles at most some four thousand, and never more memory than a
// page should take.
const (
	firstInterval   = 512
	lastInterval    = 4096 // of the first ones, where copies are large
	bytesAnEvent    = 256  // copied for each event at most, up to that interval
	maxCheckpoints  = 512
	checkpointBytes = 32 << 20
	pastRoom        = 128 // events of a replay's past beyond those asked for, between two cuts
)

// checkpoint is a run at one instant, between two events.
type checkpoint struct {
	now, n int64
	queue  sim.Queue
	state  State
}

// checkpoints is a cache of a run's past, by number of events. It is not part of the trace: with or without it a run is the same.
type checkpoints struct {
	keep  bool
	every int64 // events from one to the next
	due   int64 // number of the event after which the next is taken
	bytes int
	taken []checkpoint
	past  []Logged // what a replay logs on its way, cut back as it goes
}

// save takes a checkpoint and, when there are too many or too large ones, drops every second and doubles the interval. Of a state that
// cannot be copied none is taken, now or later.
func (c *checkpoints) save(env *Env, state State) {
	clone := state.Clone()
	if clone == nil {
		c.keep = false
		return
	}
	c.taken = append(c.taken, checkpoint{now: env.now, n: env.n, queue: env.queue.Clone(), state: clone})
	size := state.Bytes() + env.queue.Bytes()
	c.bytes += size
	for c.every < lastInterval && int(c.every)*bytesAnEvent < size {
		c.every *= 2 // a run should spend its time on events rather than on copies
	}
	for len(c.taken) > 1 && (len(c.taken) >= maxCheckpoints || c.bytes > checkpointBytes) {
		for i := 0; 2*i+1 < len(c.taken); i++ {
			c.taken[i] = c.taken[2*i+1]
		}
		half := len(c.taken) / 2
		clear(c.taken[half:])
		c.taken = c.taken[:half]
		c.bytes = 0
		for i := range c.taken {
			c.bytes += c.taken[i].state.Bytes() + c.taken[i].queue.Bytes()
		}
		c.every *= 2
	}
	c.due = env.n + c.every
}

// Replay lists single events around an instant: at most before of those emitted before it, and at most after of those from it on.
// It starts at the nearest checkpoint, so without Options.Seek it costs a run from the start. The run itself is not touched.
func (r *Runner) Replay(at int64, before, after int) []Logged {
	before, after = min(max(before, 0), MaxLog), min(max(after, 0), MaxLog)
	i, _ := slices.BinarySearchFunc(r.taken, at, func(c checkpoint, at int64) int {
		if c.now < at {
			return -1
		}
		return 1
	})
	for {
		env, state := r.resume(i - 1)
		earlier, later := r.collect(&env, state, at, before, after)
		if len(earlier) >= before || i <= 0 {
			return append(earlier, later...)
		}
		i--
	}
}

// resume returns a copy of the run at checkpoint i, or at its start for i < 0.
func (r *Runner) resume(i int) (Env, State) {
	env := newEnv(&r.spec, &r.layout, r.env.horizon, r.env.horizon)
	env.rec.shaped, env.rec.marked = MaxShapes, MaxMarks // the run has them already
	env.rec.rowEnd = env.horizon + 1                     // and its rows
	if i < 0 {
		return env, r.start(&env)
	}
	c := &r.taken[i]
	env.now, env.n, env.queue = c.now, c.n, c.queue.Clone()
	return env, c.state.Clone()
}

// collect runs on from a copy until enough events from the instant on are logged. What it logs before the instant goes through one
// buffer that is kept from call to call and cut back again and again: a replay that allocates makes the collector of garbage run in the
// middle of somebody's dragging.
func (r *Runner) collect(env *Env, state State, at int64, before, after int) (earlier, later []Logged) {
	rec := &env.rec
	rec.log, rec.to, rec.room = r.past[:0], at-1, 1<<30
	if before == 0 {
		rec.room = 0
	}
	for {
		next, ok := env.queue.Peek()
		if !ok || next >= at {
			break
		}
		r.step(env, state)
		if len(rec.log) >= 2*before+pastRoom {
			rec.log = append(rec.log[:0], rec.log[len(rec.log)-before:]...)
		}
	}
	r.past = rec.log
	earlier = slices.Clone(rec.log[max(0, len(rec.log)-before):])
	rec.log, rec.from, rec.to, rec.room = make([]Logged, 0, min(after, pastRoom)), at, env.horizon, after
	for len(rec.log) < after && r.step(env, state) {
	}
	return earlier, rec.log
}
