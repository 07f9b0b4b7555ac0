package limiter

// QueueConfig describes a Queue.
type QueueConfig struct {
	Rate  Rate
	Depth int64 // how many units may wait, nginx's "burst"; 0..(2^63−1)/p − 1 with p as in RateConfig
}

// Queue is a leaky bucket used as a queue: units leave at Rate, one by one and evenly spaced, and an admitted request is told in
// Delay how long it has to wait for its turn. Only when Depth units wait already is one denied. nginx's limit_req without
// "nodelay" is this. The queue holds numbers, not requests: the caller keeps a request until its Delay has passed. O(1), 32 bytes.
//
// Delay is rounded up to a whole nanosecond, so two units may leave up to 1 ns closer than the rate says, and never drift.
type Queue struct {
	rate     Rate // reduced: N parts a nanosecond are worked off, a unit is Per parts
	limit    int64
	capacity int64 // parts
	state    queueState
}

type queueState struct {
	work   bucketState // level: parts still to be worked off
	tail   int64       // ticket of the newest request that still waits its turn or did last; 0: none
	issued int64       // tickets given out so far
}

// Ticket is a place in a Queue, for Cancel. The zero Ticket is no place.
type Ticket struct {
	id, prev, n int64
}

// NewQueue returns a *RangeError for a field out of range.
func NewQueue(cfg QueueConfig) (Queue, error) {
	if err := cfg.Rate.check(); err != nil {
		return Queue{}, err
	}
	r := cfg.Rate.reduced()
	if err := within("depth", cfg.Depth, 0, maxInt64/r.Per-1, "units at this rate"); err != nil {
		return Queue{}, err
	}
	limit := cfg.Depth + 1
	return Queue{rate: r, limit: limit, capacity: limit * r.Per, state: queueState{work: bucketState{last: minInt64}}}, nil
}

// TakeAt queues n units when all of them find a place. Limit is Depth + 1: one is served at once.
func (q *Queue) TakeAt(now, n int64) Decision {
	_, d := q.ReserveAt(now, n)
	return d
}

// ReserveAt is TakeAt that also returns the place, so that it can be given up. A denial and a peek return the zero Ticket.
func (q *Queue) ReserveAt(now, n int64) (Ticket, Decision) {
	if q.capacity == 0 {
		return Ticket{}, Decision{OK: n == 0, RetryAfter: retryOnZero(n)}
	}
	s := &q.state
	w := &s.work
	w.leak(now, q.rate.N)
	room := (q.capacity - w.level) / q.rate.Per
	ok := n >= 0 && n <= room
	var t Ticket
	d := Decision{OK: ok, Limit: q.limit}
	if ok && n > 0 {
		w.level += n * q.rate.Per
		room -= n
		// The last of the n begins when all work before it is done.
		d.Delay = w.leaked(now, q.rate.N, q.rate.Per, maxInt64)
		s.issued++
		t = Ticket{id: s.issued, prev: s.tail, n: n}
		s.tail = t.id
	}
	d.Remaining = room
	if w.level > 0 {
		d.ResetAfter = w.leaked(now, q.rate.N, 0, maxInt64)
	}
	if !ok {
		d.RetryAfter = Never
		if n > 0 && n <= q.limit {
			d.RetryAfter = w.leaked(now, q.rate.N, q.capacity-n*q.rate.Per, Never)
		}
	}
	return t, d
}

// CancelAt gives up a place and returns how many units became free again.
//
// The place at the end of the queue gives back exactly its units that have not begun, and the queue is then as if they had never
// been reserved. A place with others behind it gives back nothing: those were promised an instant each, and a gap filled by
// somebody else could let more pass than the rate allows. So a cancel is exact or it is 0, never in between, and never a debt.
// No unit is given back twice. A place that gave back nothing may be tried again once those behind it have left the queue's end.
func (q *Queue) CancelAt(now int64, t Ticket) int64 {
	s := &q.state
	if t.id == 0 || t.id != s.tail {
		return 0
	}
	s.work.leak(now, q.rate.N)
	units := min(t.n, s.work.level/q.rate.Per)
	s.work.level -= units * q.rate.Per
	s.tail = t.prev
	return units
}

// Clone returns an independent copy. A Ticket is valid for the original and for the copy, once in each.
func (q *Queue) Clone() Queue { return *q }

// Copy is Clone behind the interface.
func (q *Queue) Copy() Serial { c := *q; return &c }

// Size is 32: the work, the newest instant, and the two ticket numbers.
func (q *Queue) Size() int { return 4 * wordBytes }
