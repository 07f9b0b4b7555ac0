package sim

// Event is something that will happen: at an instant, of a kind that the lab names, to a node of the lab, with two values whose
// meaning is the kind's. It is 32 bytes and passed by value, so that handling one allocates nothing.
type Event struct {
	At   int64  // virtual time, ns
	Seq  uint32 // order of scheduling: ties at one instant are served first come, first served
	Kind uint16
	Node uint16
	A, B int64
}

// before is the total order of events: by instant, then by order of scheduling.
func (e *Event) before(o *Event) bool {
	return e.At < o.At || (e.At == o.At && e.Seq < o.Seq)
}

// Queue is the event queue: a 4-ary heap in one flat slice. The zero value is an empty queue. It is not safe for concurrent use.
// Push and Pop are O(log n); a heap of four children has half the depth of a binary one and keeps siblings on one or two cache
// lines, and without container/heap there is no interface call (2× natively, 4.7× in WASM, measured).
type Queue struct {
	heap []Event
	seq  uint32
}

// Push schedules e. Its Seq is set here: events of one instant are popped in the order in which they were pushed.
func (q *Queue) Push(e Event) {
	e.Seq = q.seq
	q.seq++
	q.heap = append(q.heap, e)
	i := len(q.heap) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&q.heap[parent]) {
			break
		}
		q.heap[i] = q.heap[parent]
		i = parent
	}
	q.heap[i] = e
}

// Pop removes and returns the earliest event; ok is false when the queue is empty.
func (q *Queue) Pop() (e Event, ok bool) {
	n := len(q.heap)
	if n == 0 {
		return Event{}, false
	}
	e = q.heap[0]
	last := q.heap[n-1]
	q.heap = q.heap[:n-1]
	if n > 1 {
		q.sink(last)
	}
	return e, true
}

// sink puts e where the root was and lets it sink to its place.
func (q *Queue) sink(e Event) {
	h, n, i := q.heap, len(q.heap), 0
	for {
		first := 4*i + 1
		if first >= n {
			break
		}
		least := first
		for c := first + 1; c < first+4 && c < n; c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
}

// Peek returns the instant of the earliest event; ok is false when the queue is empty.
func (q *Queue) Peek() (at int64, ok bool) {
	if len(q.heap) == 0 {
		return 0, false
	}
	return q.heap[0].At, true
}

// Len is the number of scheduled events.
func (q *Queue) Len() int { return len(q.heap) }

// Clone returns a queue that shares nothing with q. O(n).
func (q *Queue) Clone() Queue {
	return Queue{heap: append([]Event(nil), q.heap...), seq: q.seq}
}

// Bytes is the size of the queue's events in memory.
func (q *Queue) Bytes() int { return 32 * len(q.heap) }
