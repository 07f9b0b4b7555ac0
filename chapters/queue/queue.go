// Package queue holds those who wait: a bounded line with deadlines, served first come first or last come first, at the rate that the
// consumer can bear, and shortened on purpose when it only stands.
//
//	t, d := q.PushAt(now, deadline)
//	if !d.OK { answer at once: d.Reason, and d.RetryAfter when it is known }
//	…
//	for {
//		w, ok := q.PopAt(now)
//		if !ok { break }           // nobody waits, or it is too early for the next
//		if w.Fate != queue.Served { tell the one under w.Ticket that it will not be served } else { serve it }
//	}
//
// # What is promised
//
// Instants are nanoseconds on a clock that the caller owns. Nothing here reads a clock, waits, starts a goroutine or draws a random
// number, so the same calls give the same decisions in a test, in a server and in the browser. The queue holds places, not requests:
// the caller keeps a request under its Ticket.
//
//   - At most Depth wait. A full queue refuses at once, and says when a place will be free if it knows the rate.
//   - Nobody is served at or after the own deadline: who is late is taken out and told so. Where the rate is known and the order is
//     FIFO, who could not be served in time is refused on arrival, which is when it still helps.
//   - A place is freed once: served, dropped, or cancelled, whichever comes first. An old Ticket does nothing.
//   - With a Rate those served are spaced by it, exactly in the long run as long as Pop is called in time; a turn that nobody used is
//     not saved up.
//
// # What a queue is for
//
// A queue lends time to a burst. It shaves a peak only if a valley follows: with more arriving than served for long, every queue is
// full, and all that a longer one adds is that everybody waits longer for the same number of answers. So bound it by what the last in
// line can still use: Depth ÷ rate is how long that one waits. A standing queue can be kept short by dropping from it (CoDel, Slough);
// and when most of those waiting have gone, the ones who came last are the likeliest to be still there (LIFO, Adaptive).
//
// # Copies
//
// All but Locked are plain values for one goroutine: slices of numbers, no map, no pointer into themselves. Clone copies the whole
// state, Size tells its bytes. The zero value lets nobody wait. Constructors check their configuration once and return a *RangeError or
// *MatchError; nothing fails later.
//
// # What it does not do
//
// It keeps no request, serves nothing, knows no priorities, and does not survive the process: what must not be lost is written down
// first (package intent).
//
// Read: RFC 8289 (CoDel); B. Maurer, "Fail at Scale", ACM Queue 13(8), 2015 (controlled delay and adaptive LIFO for requests);
// facebook/folly, executors/Codel.h.
package queue

import "strconv"

const (
	// Never as a RetryAfter says that no wait alone helps: only one who is taken out makes room.
	Never = -1
	// NoDeadline is later than every instant.
	NoDeadline = maxInt64
)

// Reason is why one may not wait.
type Reason uint8

// The reasons. Waiting is the zero value, of decisions that are OK.
const (
	Waiting      Reason = iota
	QueueFull           // every place is taken
	DeadlinePast        // the deadline is now or was before
	Hopeless            // by the rate, the turn would come at or after the deadline
)

var reasons = [...]string{"waiting", "queue full", "deadline past", "hopeless"}

// String is the reason in words.
func (r Reason) String() string { return nameOf(reasons[:], uint8(r)) }

// Fate is what becomes of one who is taken out.
type Fate uint8

// The fates.
const (
	Served Fate = iota // it is its turn
	Late               // the deadline has passed: it is only to be told
	Shed               // dropped to keep the queue short: it is only to be told
)

var fates = [...]string{"served", "late", "shed"}

// String is the fate in words.
func (f Fate) String() string { return nameOf(fates[:], uint8(f)) }

// Ticket is a place in a Queue. The zero Ticket is none.
type Ticket struct {
	gen  uint64
	slot int32
}

// Decision is the answer to one who wants to wait.
type Decision struct {
	OK         bool
	Reason     Reason
	Wait       int64 // ns until the turn comes, at the latest, where the rate is known and the order is FIFO; else 0
	RetryAfter int64 // ns; 0 when OK; for QueueFull until a place is free by the rate, Never where only a Pop can tell; else Never
}

// Waiter is one who was taken out.
type Waiter struct {
	Ticket Ticket
	Waited int64 // ns
	Fate   Fate
}

// Queue is the line. Every operation is O(1); it allocates only when more wait than ever before, 32 bytes each.
type Queue struct {
	cfg     Config
	places  []place
	first   int32 // who came first, −1 when nobody waits
	last    int32 // who came last
	free    int32 // head of the list of free places, linked by next; −1 when there is none
	waiting int32
	pace    pace
	codel   CoDel
	slough  Slough
}

type place struct {
	gen      uint64 // odd while somebody waits here
	deadline int64
	came     int64
	next     int32
	prev     int32
}

// NewQueue returns a *RangeError for a field out of range and a *MatchError for fields that do not go together.
func NewQueue(cfg Config) (Queue, error) {
	if err := cfg.check(); err != nil {
		return Queue{}, err
	}
	q := Queue{cfg: cfg, first: -1, last: -1, free: -1, pace: newPace(cfg.Rate)}
	q.codel, _ = NewCoDel(cfg.Target, cfg.Interval) // checked, or not used
	q.slough, _ = NewSlough(cfg.Target, cfg.Interval)
	return q, nil
}

// PushAt waits until a deadline.
func (q *Queue) PushAt(now, deadline int64) (Ticket, Decision) {
	if now >= deadline {
		return Ticket{}, Decision{Reason: DeadlinePast, RetryAfter: Never}
	}
	if int64(q.waiting) >= q.cfg.Depth {
		d := Decision{Reason: QueueFull, RetryAfter: Never}
		if q.pace.known() && q.waiting > 0 {
			d.RetryAfter = since(now, q.pace.turn(now, 0))
		}
		return Ticket{}, d
	}
	d := Decision{OK: true, Wait: q.WaitAt(now)}
	if d.Wait >= since(now, deadline) && d.Wait > 0 {
		return Ticket{}, Decision{Reason: Hopeless, Wait: d.Wait, RetryAfter: Never}
	}
	i := q.free
	if i < 0 {
		i = int32(len(q.places))
		q.places = append(q.places, place{})
	} else {
		q.free = q.places[i].next
	}
	s := &q.places[i]
	s.gen++
	s.deadline, s.came = deadline, now
	s.prev, s.next = q.last, -1
	if q.last < 0 {
		q.first = i
	} else {
		q.places[q.last].next = i
	}
	q.last = i
	q.waiting++
	return Ticket{gen: s.gen, slot: i}, d
}

// PopAt takes the next one out: the one whose turn it is, or one who is only to be told. It reports false when nobody waits, or when
// by the rate it is too early to serve anybody (DueAt).
func (q *Queue) PopAt(now int64) (Waiter, bool) {
	if q.waiting == 0 {
		q.codel.Empty()
		return Waiter{}, false
	}
	if !q.pace.ready(now) {
		return Waiter{}, false
	}
	i := q.first
	if q.cfg.Order == LIFO || q.cfg.Order == Adaptive && int64(q.waiting) >= q.cfg.Crowded {
		i = q.last
	}
	w := q.takeOut(i, now)
	switch {
	case w.Fate == Late:
	case q.sheds(now, w.Waited):
		w.Fate = Shed
	default:
		q.pace.serve(now)
	}
	return w, true
}

func (q *Queue) sheds(now, waited int64) bool {
	switch q.cfg.Shed {
	case ByCoDel:
		return q.codel.DropAt(now, waited, int64(q.waiting))
	case BySlough:
		return q.slough.DropAt(now, waited)
	}
	return false
}

// LateAt takes out the one who came first if its deadline has passed, whatever the order, and reports false if not. With LIFO those
// who came first may fill the queue long after they have gone; where all have the same patience, calling it until it reports false
// takes out all of them.
func (q *Queue) LateAt(now int64) (Waiter, bool) {
	if q.waiting == 0 || now < q.places[q.first].deadline {
		return Waiter{}, false
	}
	return q.takeOut(q.first, now), true
}

// Cancel gives up a place. It reports false, and changes nothing, when the ticket does not wait (any more).
func (q *Queue) Cancel(t Ticket) bool {
	if t.gen&1 == 0 || uint32(t.slot) >= uint32(len(q.places)) || q.places[t.slot].gen != t.gen {
		return false
	}
	q.unlink(t.slot)
	return true
}

// takeOut frees a place and says who stood there.
func (q *Queue) takeOut(i int32, now int64) Waiter {
	s := q.places[i]
	q.unlink(i)
	w := Waiter{Ticket: Ticket{gen: s.gen, slot: i}, Waited: since(s.came, now)}
	if now >= s.deadline {
		w.Fate = Late
	}
	return w
}

func (q *Queue) unlink(i int32) {
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

// WaitAt is how long one who came now would wait at the latest, in ns: until all who wait are served, by the rate. It is 0 where the
// rate is not known or the order is not FIFO. If Pop is called later than DueAt says, it is longer by that.
func (q *Queue) WaitAt(now int64) int64 {
	if !q.pace.known() || q.cfg.Order != FIFO {
		return 0
	}
	return since(now, q.pace.turn(now, int64(q.waiting)))
}

// DueAt is the first instant, now or later, at which Pop may serve somebody, and false when nobody waits.
func (q *Queue) DueAt(now int64) (int64, bool) {
	if q.waiting == 0 {
		return 0, false
	}
	return q.pace.turn(now, 0), true
}

// Len is how many wait, 0..Depth.
func (q *Queue) Len() int { return int(q.waiting) }

// Clone returns an independent copy. A ticket waits in both, and leaves each once. O(places).
func (q *Queue) Clone() Queue {
	c := *q
	c.places = append([]place(nil), q.places...)
	return c
}

// Size is 32 bytes a place that was ever taken, and 104 for the ends of the line, the pace and what decides about shedding.
func (q *Queue) Size() int { return 32*len(q.places) + 104 }

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "depth", "target" …
	Got, Min, Max int64
	Unit          string // what follows the range, such as "ns"; may be empty
}

// Error says it in one line: "depth: -1 is outside 0..1048576 requests".
func (e *RangeError) Error() string {
	s := e.Field + ": " + strconv.FormatInt(e.Got, 10) + " is outside " + strconv.FormatInt(e.Min, 10) + ".." + strconv.FormatInt(e.Max, 10)
	if e.Unit != "" {
		s += " " + e.Unit
	}
	return s
}

// MatchError says that two fields of a configuration do not go together.
type MatchError struct {
	Field, Needs string
}

// Error says it in one line: "shed by codel: needs the order fifo".
func (e *MatchError) Error() string { return e.Field + ": needs " + e.Needs }

// within returns nil when got lies in lo..hi, else the error that names the field.
func within(field string, got, lo, hi int64, unit string) error {
	if got >= lo && got <= hi {
		return nil
	}
	return &RangeError{Field: field, Got: got, Min: lo, Max: hi, Unit: unit}
}

// firstOf returns the first error.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// nameOf is the name of a reason or fate, or its number when it has none.
func nameOf(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return strconv.Itoa(int(i))
}
