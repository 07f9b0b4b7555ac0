// Package bridge is the border between the labs and a browser: bytes in, bytes out, and no syscall/js, so that all of it runs in
// ordinary tests. Command wasm hangs the calls of a Bridge on one global, command wasm/calc that of Sheets, which are a module of their
// own; web/client/worker/protocol.d.ts is the other side's view of it.
//
// # The calls
//
//	Describe(spec)                      what a run of this Spec records and looks like, without running it
//	Begin(spec, input, seek)            prepare a run; the reply names its handle
//	Step(handle, events)                handle so many events; the reply tells progress, or that the run is done
//	Part(handle, n)                     the n-th piece, of at most 1 MiB, of a finished run's canonical trace
//	Replay(handle, at, before, after)   single events around an instant of a finished run
//	End(handle)                         forget the run
//	Calc(sheet, set, views)             compute a sheet of package calc with some of its inputs set (calc.go; of Sheets, not of a Bridge)
//
// The module has no clock: the caller decides how many events one Step handles, measures, and adapts. Between two Steps it returns
// to its event loop, which is how a cancel arrives: the caller simply stops stepping and calls End.
//
// # Replies
//
// A reply is sections in the layout of a trace's canonical bytes (package labs, codec.go), so the other side has one reader for
// everything. A reply begins with a section "error" when the call failed: JSON of code, field, got, want, at and text. The bytes of
// a reply are valid until the next call.
//
// # Bounds
//
// At most [MaxRuns] runs exist at once; each is bounded by package labs (events, trace, checkpoints). A panic of a lab is caught and
// told as an error with the code "crash"; the state of the module is then unknown, so every later call says the same, and the
// caller starts a fresh instance.
//
// What it does not do: keep time, decide, cache, or hold a sentence. A Bridge is not safe for concurrent use; JavaScript has one
// thread.
package bridge

import "seedbed/labs"

// Bounds of the border.
const (
	MaxRuns = 16      // runs at once: the labs of one page, what they compare, and a search
	MaxPart = 1 << 20 // bytes of one piece of a trace
)

// Bridge holds the runs in progress. Its zero value knows no lab; use New.
type Bridge struct {
	guard
	find  labs.Find
	slots [MaxRuns]slot
}

// slot is a place for one run. Its generation is part of the handle, so that a handle of a run that has ended is refused and never
// means the next one.
type slot struct {
	generation int
	run        *labs.Runner
	trace      []byte // canonical bytes, once the run is done
}

// New returns a bridge to the labs that find knows.
func New(find labs.Find) *Bridge {
	return &Bridge{guard: guard{reply: make([]byte, 0, 64<<10)}, find: find}
}

// Describe replies with the sections spec (canonical text) and layout (JSON).
func (b *Bridge) Describe(spec []byte) []byte {
	return b.call(func(out []byte) []byte {
		s, err := labs.Parse(string(spec), b.find)
		if err != nil {
			return appendError(out, err)
		}
		layout := s.Lab.Layout(s.Config(nil))
		out = appendText(out, "spec", s.Text())
		return appendText(out, "layout", string(appendLayout(nil, &layout)))
	})
}

// Begin prepares a run. The input, where the Spec names one, is the instants of its log as little-endian int64s; that it is the log
// with the Spec's digest is the caller's word. With seek, the run keeps checkpoints, so that Replay is quick. It replies with the
// sections run (handle, horizon), spec and layout.
func (b *Bridge) Begin(spec, input []byte, seek bool) []byte {
	return b.call(func(out []byte) []byte {
		s, err := labs.Parse(string(spec), b.find)
		if err != nil {
			return appendError(out, err)
		}
		at := b.free()
		if at < 0 {
			return appendFault(out, "too-many-runs", "more runs than the module holds at once")
		}
		opts := labs.Options{Seek: seek}
		if len(input) > 0 {
			opts.Input, opts.InputDigest = instants(input), s.Input
		}
		run, err := labs.Begin(s, opts)
		if err != nil {
			return appendError(out, err)
		}
		slot := &b.slots[at]
		slot.generation++
		slot.run, slot.trace = run, nil
		out = appendNumbers(out, "run", int64(slot.generation*MaxRuns+at), run.Horizon())
		out = appendText(out, "spec", s.Text())
		return appendText(out, "layout", string(appendLayout(nil, run.Layout())))
	})
}

// Step handles up to events more events. It replies with the section progress: whether the run is done (1 or 0), how far it has
// come and its horizon (ns), and the events handled. Once done, the sections digest (text) and trace (its size in bytes, and how
// many Parts that is) follow. A run that met a bound replies with an error and is forgotten.
func (b *Bridge) Step(handle, events int) []byte {
	return b.call(func(out []byte) []byte {
		slot := b.slot(handle)
		if slot == nil {
			return appendFault(out, "no-run", "the run has ended")
		}
		done, err := slot.run.Advance(events)
		if err != nil {
			slot.run = nil
			return appendError(out, err)
		}
		state := int64(0)
		if done {
			state = 1
		}
		out = appendNumbers(out, "progress", state, slot.run.Now(), slot.run.Horizon(), slot.run.Handled())
		if !done {
			return out
		}
		trace := slot.run.Trace()
		slot.trace = trace.Append(slot.trace[:0])
		out = appendText(out, "digest", trace.Digest())
		size := len(slot.trace)
		return appendNumbers(out, "trace", int64(size), int64((size+MaxPart-1)/MaxPart))
	})
}

// Part is the n-th piece of a finished run's canonical trace, as it is and not as a section; it is empty when there is none. The
// last piece is handed out once: with it the encoded trace is dropped, and only the run stays, for Replay.
func (b *Bridge) Part(handle, n int) []byte {
	slot := b.slot(handle)
	if slot == nil || n < 0 || n*MaxPart >= len(slot.trace) {
		return nil
	}
	from, to := n*MaxPart, (n+1)*MaxPart
	if to < len(slot.trace) {
		return slot.trace[from:to]
	}
	last := slot.trace[from:]
	slot.trace = nil
	return last
}

// Replay lists single events around an instant (ns): the sections at, n, kind, entity, a and b of the events, and split, how many of
// them come before the instant.
func (b *Bridge) Replay(handle int, at int64, before, after int) []byte {
	return b.call(func(out []byte) []byte {
		slot := b.slot(handle)
		if slot == nil {
			return appendFault(out, "no-run", "the run has ended")
		}
		return appendLogged(out, slot.run.Replay(at, before, after), at)
	})
}

// End forgets a run; a handle that is not one is no fault, since a run may have met its bound meanwhile.
func (b *Bridge) End(handle int) {
	if slot := b.slot(handle); slot != nil {
		slot.run, slot.trace = nil, nil
	}
}

func (b *Bridge) free() int {
	for i := range b.slots {
		if b.slots[i].run == nil {
			return i
		}
	}
	return -1
}

func (b *Bridge) slot(handle int) *slot {
	if handle < 0 {
		return nil
	}
	slot := &b.slots[handle%MaxRuns]
	if slot.run == nil || slot.generation != handle/MaxRuns {
		return nil
	}
	return slot
}

// instants reads the log's instants.
func instants(input []byte) []int64 {
	out := make([]int64, len(input)/8)
	for i := range out {
		v := uint64(0)
		for k := 7; k >= 0; k-- {
			v = v<<8 | uint64(input[8*i+k])
		}
		out[i] = int64(v)
	}
	return out
}
