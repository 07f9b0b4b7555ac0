package route

// MaxDepth bounds a Queue: a place takes 32 bytes.
const MaxDepth = 1 << 20

// Order is who is served first.
type Order uint8

// The orders.
const (
	FIFO Order = iota // the one who came first
	LIFO              // the one who came last: under overload its caller is the likeliest to be still there
)

// Ticket is a place in a Queue. The zero Ticket is none.
type Ticket struct {
	gen  uint64
	slot int32
}

// Queue holds those who wait, at most Depth of them, each until its deadline. It holds places, not requests: the caller keeps the
// request under its Ticket. Every operation is O(1) and none allocates after NewQueue. The zero value lets nobody wait.
//
// A place is freed once: when it is served, dropped or cancelled, whichever comes first. One whose deadline has passed keeps its
// place until its turn comes or it is cancelled: a full queue refuses at once and does not look whether those inside are still alive.
type Queue struct {
	order   Order
	places  []place
	first   int32 // served next, −1 when empty
	last    int32
	free    int32 // head of the free list, linked by next; −1 when full
	waiting int
}

type place struct {
	gen      uint64 // odd while somebody waits here
	deadline int64
	came     int64
	next     int32
	prev     int32
}

// QueueConfig describes a Queue.
type QueueConfig struct {
	Depth int64 // most who wait, 0..MaxDepth; 0 lets nobody wait
	Order Order
}

// NewQueue returns a *RangeError for a field out of range.
func NewQueue(cfg QueueConfig) (Queue, error) {
	if err := firstOf(within("depth", cfg.Depth, 0, MaxDepth, "requests"), within("order", int64(cfg.Order), 0, int64(LIFO), "")); err != nil {
		return Queue{}, err
	}
	q := Queue{order: cfg.Order, places: make([]place, cfg.Depth), first: -1, last: -1, free: -1}
	for i := len(q.places) - 1; i >= 0; i-- {
		q.places[i].next = q.free
		q.free = int32(i)
	}
	return q, nil
}

// Push waits until a deadline. It reports QueueFull when every place is taken, DeadlinePast when now is not before the deadline, and
// Waiting when it got a place.
func (q *Queue) Push(now, deadline int64) (Ticket, Reason) {
	if now >= deadline {
		return Ticket{}, DeadlinePast
	}
	if q.waiting == len(q.places) {
		return Ticket{}, QueueFull
	}
	i := q.free
	s := &q.places[i]
	q.free = s.next
	s.gen++
	s.deadline, s.came = deadline, now
	q.waiting++
	if q.order == LIFO {
		q.link(i, -1, q.first)
	} else {
		q.link(i, q.last, -1)
	}
	return Ticket{gen: s.gen, slot: i}, Waiting
}

// Waiter is one whose turn it is.
type Waiter struct {
	Ticket Ticket
	Waited int64 // ns
	Late   bool  // the deadline has passed: it is not to be served, only told
}

// Pop takes the next one out, and reports false when nobody waits. A Late one is taken out as well.
func (q *Queue) Pop(now int64) (Waiter, bool) {
	if q.waiting == 0 {
		return Waiter{}, false
	}
	i := q.first
	s := q.places[i]
	q.take(i)
	return Waiter{Ticket: Ticket{gen: s.gen, slot: i}, Waited: since(s.came, now), Late: now >= s.deadline}, true
}

// Cancel gives up a place. It reports false, and changes nothing, when the ticket does not wait (any more).
func (q *Queue) Cancel(t Ticket) bool {
	if t.gen&1 == 0 || uint32(t.slot) >= uint32(len(q.places)) || q.places[t.slot].gen != t.gen {
		return false
	}
	q.take(t.slot)
	return true
}

// Len is how many wait.
func (q *Queue) Len() int { return q.waiting }

// Depth is how many can.
func (q *Queue) Depth() int { return len(q.places) }

// link puts place i between two others, −1 being the end of the line.
func (q *Queue) link(i, prev, next int32) {
	q.places[i].prev, q.places[i].next = prev, next
	if prev < 0 {
		q.first = i
	} else {
		q.places[prev].next = i
	}
	if next < 0 {
		q.last = i
	} else {
		q.places[next].prev = i
	}
}

// take unlinks place i and frees it.
func (q *Queue) take(i int32) {
	s := &q.places[i]
	if s.prev < 0 {
		q.first = s.next
	} else {
		q.places[s.prev].next = s.next
	}
	if s.next < 0 {
		q.last = s.prev
	} else {
		q.places[s.next].prev = s.prev
	}
	s.gen++
	s.next = q.free
	q.free = i
	q.waiting--
}

// Clone returns an independent copy. A ticket waits in both, and leaves each once.
func (q *Queue) Clone() Queue {
	c := *q
	c.places = append([]place(nil), q.places...)
	return c
}

// Size is 32 bytes a place and 32 more.
func (q *Queue) Size() int { return 32*len(q.places) + 32 }
