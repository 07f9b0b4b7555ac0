package labs

import (
	"math/bits"

	"seedbed/labs/sim"
)

// MaxFacts is how many facts a violation can tell.
const MaxFacts = 4

// The kinds of marks that are not a lab's own events.
const (
	MarkAction    = 0xFFFE // A is the index into Spec.Do
	MarkViolation = 0xFFFF // Entity is the index of the check, A the request
)

// Env is what a State may touch while an event is handled: the instant, the queue, and the recorder. It belongs to one run and is
// not safe for concurrent use. None of its methods allocates, but for growing what they record.
type Env struct {
	now     int64
	n       int64 // number of the event being handled, from 1
	seed    uint64
	horizon int64
	queue   sim.Queue
	rec     recorder

	stop    func() bool // Options.Stop
	stopped bool
}

// Now is the current instant of virtual time, ns.
func (v *Env) Now() int64 { return v.now }

// Horizon is the instant at which the run ends, ns.
func (v *Env) Horizon() int64 { return v.horizon }

// Stream returns the random stream of an actor. The state keeps it, as a value.
func (v *Env) Stream(name string) sim.Stream { return sim.NewStream(v.seed, name) }

// At schedules an event; one that lies in the past happens now, one at or after the horizon never.
func (v *Env) At(at int64, kind, node uint16, a, b int64) {
	if at < v.horizon {
		v.queue.Push(sim.Event{At: max(at, v.now), Kind: kind, Node: node, A: a, B: b})
	}
}

// Stopped is true once the run is to end. A State asks within an event that is long, each millisecond or so, and then returns at once,
// whatever it leaves: nothing is read of it any more.
func (v *Env) Stopped() bool {
	if !v.stopped && v.stop != nil {
		v.stopped = v.stop()
	}
	return v.stopped
}

// Add counts into a Sum column.
func (v *Env) Add(column int, delta int64) { v.rec.current[column] += delta }

// Set gives a Last or Peak column its value from now on.
func (v *Env) Set(column int, value int64) {
	r := &v.rec
	if r.gather[column] == Peak {
		r.held[column] = value
		value = max(value, r.current[column])
	}
	r.current[column] = value
}

// Emit tells that something happened at an entity: it is folded into the digest, logged while there is room, and marked on the
// timeline when its kind says so.
func (v *Env) Emit(kind, entity int, a, b int64) {
	r := &v.rec
	f := round(r.fold, uint64(kind)<<32|uint64(entity))
	f = round(f, uint64(a))
	r.fold = round(f, uint64(b))
	if v.now >= r.from && v.now <= r.to && len(r.log) < r.room {
		if len(r.log) == cap(r.log) {
			r.growLog()
		}
		r.log = append(r.log, Logged{At: v.now, N: v.n, Kind: uint16(kind), Entity: uint16(entity), A: a, B: b})
	}
	if r.mark[kind] {
		v.addMark(Logged{At: v.now, N: v.n, Kind: uint16(kind), Entity: uint16(entity), A: a, B: b})
	}
}

// Fail reports that a check is violated now, by a request (or -1), with the facts that the check declares. The first violation is
// kept whole, all are counted, and the first hundred are marked.
func (v *Env) Fail(check int, request int64, facts ...int64) {
	r := &v.rec
	d := &r.verdicts[check]
	r.fold = round(round(r.fold, uint64(check)|1<<63), uint64(request))
	d.Count++
	if d.Count > 100 {
		return
	}
	if d.OK {
		d.OK, d.At, d.N, d.Request = false, v.now, v.n, request
		copy(d.Facts[:], facts)
	}
	v.addMark(Logged{At: v.now, N: v.n, Kind: MarkViolation, Entity: uint16(check), A: request})
}

// Shape says what an entity looks like inside from now on; the values are copied. Shapes beyond MaxShapes numbers are left out.
func (v *Env) Shape(entity int, values []int64) {
	r := &v.rec
	for _, x := range values {
		r.fold = round(r.fold, uint64(x))
	}
	if r.shaped += len(values); r.shaped <= MaxShapes {
		r.shapes = append(r.shapes, Shape{At: v.now, Entity: entity, Values: append([]int64(nil), values...)})
	}
}

// Metric sets one of the lab's metrics, by its index, in base units. Finish calls it for each.
//
//go:noinline
func (v *Env) Metric(i int, value int64) { v.rec.metrics[i] = value }

func (v *Env) addMark(m Logged) {
	if v.rec.marked < MaxMarks {
		v.rec.marked++
		v.rec.marks = append(v.rec.marks, m)
	}
}

// round folds one word into the rolling fold, as a round of xxHash64 does: no two histories of events are told apart by less than
// all 64 bits.
func round(acc, word uint64) uint64 {
	return bits.RotateLeft64(acc+word*0xC2B2AE3D27D4EB4F, 31) * 0x9E3779B185EBCA87
}

// recorder gathers what a run leaves behind.
type recorder struct {
	grain   int64
	rowEnd  int64 // instant at which the current row ends
	gather  []Gather
	current []int64 // the row being gathered, one value a column
	held    []int64 // Peak columns: the value that holds now
	rows    [][]int64

	mark     []bool // by kind of event
	from, to int64  // events of this span are logged
	room     int
	log      []Logged
	marks    []Logged
	marked   int // how many of them there are
	shapes   []Shape
	shaped   int // numbers of all shapes
	verdicts []Verdict
	metrics  []int64
	fold     uint64
}

// shortLog is how many events a log has room for at first; one that grows beyond it is likely to be filled.
const shortLog = 512

// growLog makes room for more events: few, then all. Growth in steps copied a full log five times over, which was a tenth of a run.
//
//go:noinline
func (r *recorder) growLog() {
	most := shortLog
	if len(r.log) >= shortLog {
		most = max(2*len(r.log), MaxLog)
	}
	grown := make([]Logged, len(r.log), min(most, max(r.room, len(r.log)+1)))
	copy(grown, r.log)
	r.log = grown
}

// makeRows makes room for so many rows, which a run to its end fills: one block for all columns, none of which can grow into the next.
//
//go:noinline
func (r *recorder) makeRows(n int) {
	block := make([]int64, n*len(r.rows))
	for c := range r.rows {
		r.rows[c] = block[c*n : c*n : (c+1)*n]
	}
}

// roll closes every row that ends at or before the instant.
func (r *recorder) roll(at int64) {
	for r.rowEnd <= at {
		for c := range r.current {
			r.rows[c] = append(r.rows[c], r.current[c])
			switch r.gather[c] {
			case Sum:
				r.current[c] = 0
			case Peak:
				r.current[c] = r.held[c]
			}
		}
		r.rowEnd += r.grain
	}
}
