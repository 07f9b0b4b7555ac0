package labs

import (
	"seedbed/chapters/hashing"
)

// What a trace keeps of a run, however long it is.
const (
	MaxRows   = 2000    // rows a column: the grain is the least of 1, 2, 5 × 10^k ns that keeps to it
	MaxLog    = 10_000  // the first events, one by one; later ones are in the fold, and Runner.Replay shows them
	MaxMarks  = 2000    // changes of state, actions, violations
	MaxShapes = 1 << 17 // numbers of all shapes together
	MaxEvents = 10_000_000
	maxBytes  = 64 << 20

	// What a run may take while it goes on: its state and its queue, as State.Bytes and each event of 32 bytes count them. It is looked at
	// each so many events, by their number, so that a run ends there however it is driven.
	maxState    = 160 << 20
	weighEvents = 1 << 13
)

// Trace is what one run leaves: codes and numbers, never sentences.
type Trace struct {
	Spec    string // canonical text, without the view's instant
	Horizon int64  // ns
	Grain   int64  // ns a row
	Handled int64  // events that were handled
	Fold    uint64 // over every event that was handled, and all that each emitted or violated

	Columns  []Series
	Log      []Logged // the first MaxLog emitted events
	Marks    []Logged // the first MaxMarks marks
	Shapes   []Shape
	Metrics  []int64 // in the order of Lab.Metrics
	Verdicts []Verdict
}

// Shape is what an entity looks like inside from an instant on, where a level does not tell: the arcs of a ring. What the numbers
// mean is a matter of the entity's kind (see Ring).
type Shape struct {
	At     int64
	Entity int
	Values []int64
}

// Series is one column: row i gathers the instants [i·Grain, (i+1)·Grain).
type Series struct {
	Column
	Values []int64
}

// Logged is one emitted event.
type Logged struct {
	At           int64 // ns
	N            int64 // number of the simulated event that caused it, from 1
	Kind, Entity uint16
	A, B         int64
}

// Verdict is how one check fared.
type Verdict struct {
	Check   string
	OK      bool
	At      int64 // ns, of the first violation
	N       int64 // number of the simulated event of the first violation
	Request int64 // the request that broke it, -1 when it was not a single one
	Facts   [MaxFacts]int64
	Count   int64 // how often it was violated
}

// OK is true when every check held.
func (t *Trace) OK() bool {
	for i := range t.Verdicts {
		if !t.Verdicts[i].OK {
			return false
		}
	}
	return true
}

// Column returns the series of that name; nil when there is none.
func (t *Trace) Column(name string) *Series {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// Truncated is true when more happened than the log holds.
func (t *Trace) Truncated() bool { return len(t.Log) == MaxLog }

// The seeds of the two lanes of a digest.
const (
	laneA = 0
	laneB = 0x5eedbed
)

// Digest is the fingerprint of the trace: 32 lower-case hex digits, two lanes of xxHash64 over the digests of its sections in
// order. It is not a signature: whoever must trust a result runs the Spec again.
func (t *Trace) Digest() string {
	var a, b hashing.Digest
	a.Reset(laneA)
	b.Reset(laneB)
	buffer := make([]byte, 0, 1<<16)
	for s := range t.sections() {
		buffer = s.append(buffer[:0])
		a.WriteUint64(hashing.Sum64(laneA, buffer))
		b.WriteUint64(hashing.Sum64(laneB, buffer))
	}
	return hex(a.Sum64()) + hex(b.Sum64())
}

func hex(v uint64) string {
	var out [16]byte
	for i := 15; i >= 0; i-- {
		out[i] = "0123456789abcdef"[v&15]
		v >>= 4
	}
	return string(out[:])
}

// grainFor is the least of 1, 2, 5 × 10^k ns that cuts the horizon into at most MaxRows rows.
func grainFor(horizon int64) int64 {
	for g := int64(1); ; g *= 10 {
		for _, step := range [3]int64{1, 2, 5} {
			if (horizon+g*step-1)/(g*step) <= MaxRows {
				return g * step
			}
		}
	}
}
