// Package route decides where a request goes, whether it may go now, and what to do when it comes back failed. A Pool balances over
// peers, a Queue holds those who must wait, a Gateway is both, and a Retrier says whether and when to try again.
//
//	d := pool.PickAt(now, source)
//	if !d.OK { answer 503 with d.Reason and RetryAfterSeconds(d.RetryAfter) }
//	… call peer d.Peer …
//	pool.DoneAt(later, d.Lease, route.Success)
//
// # What is promised
//
// Instants are nanoseconds on a clock that the caller owns, and random numbers come from a Source that the caller passes in, so the
// same calls give the same decisions in a test, in a server and in the browser. Nothing here reads a clock, waits or starts a
// goroutine. An instant older than one seen before counts as the newest seen.
//
//   - Health, capacity and choice are three questions. A peer gets a request only when its weight is above 0, when it is healthy
//     (said so by SetHealth, and not ejected for its failures), and when its requests in flight are below MaxConns. The policy
//     chooses among those that remain, and only among those.
//   - A refusal says why (NoneHealthy, AllFull, QueueFull, DeadlinePast) and after how long it is worth to come back.
//   - When fewer than PanicPercent of the peers are healthy, health is no longer believed and everything with room is a candidate:
//     the few that are left would only fall over too. MaxConns and weight 0 hold even then.
//   - Each request in flight is a Lease, finished once. Finishing it again changes nothing and is counted, so no count of requests in
//     flight falls below 0 or frees a place that somebody else holds. Leases survive a change of the set of peers.
//   - What a request started before an ejection reports after it decides nothing; its place is freed.
//
// # Which policy
//
// RoundRobin takes turns and sees nothing else. Smooth is nginx's smooth weighted round robin: turns by weight, evenly interleaved.
// LeastConn looks at every peer and takes the one with the fewest requests in flight for its weight, as nginx's least_conn does.
// TwoChoices looks at two peers at random and takes the less loaded: nearly as even without looking at all, and callers that do not talk to each
// other do not all run to the same peer. PeakEWMA weighs the two by their latency too, quick to believe in a bad one and slow to
// forgive. Slow start and weights act on all but RoundRobin.
//
// Failures are often fast, and to a policy that counts what is in flight a broken peer looks idle. FailurePenalty lets each failure
// weigh as if it were still in flight.
//
// # Copies
//
// All but the Locked forms are plain values for one goroutine: slices of numbers, no map, no pointer into themselves. Clone copies
// the whole state, Size tells its bytes. The zero value refuses everything. Constructors check their configuration once and return
// a *RangeError or *NameError; nothing fails later.
//
// # What it does not do
//
// It opens no connection, probes no health, speaks no HTTP beyond reading Retry-After, keeps no session with a peer, and knows
// nothing of regions.
package route

import "strconv"

const (
	// Never as a RetryAfter says that coming back later does not help.
	Never = -1
	// NoDeadline is later than every instant.
	NoDeadline = maxInt64
	// WeightUnit is how many parts a weight of 1 has: while a peer warms up it counts for a part of its weight.
	WeightUnit = 1000
)

// Bounds of a configuration.
const (
	MaxPeers    = 1 << 12
	MaxWeight   = 1_000_000
	MaxInFlight = 1 << 20 // requests in flight of one Pool
	MaxDuration = 1 << 62 // ns, 146 years
)

// Peer is one of those that can serve a request.
type Peer struct {
	Name     string // not empty, unique in a pool; by it a peer keeps its state when the set changes
	Weight   int64  // relative to the others', 0..MaxWeight; at 0 it gets nothing new and finishes what it has
	MaxConns int64  // most requests in flight, 0..MaxInFlight; 0 means no limit of its own, as in nginx
}

// Source gives random numbers: Below(n) lies in 0..n−1, each equally likely, for n ≥ 1. A *sim.Stream is one; a server wraps
// rand.Int64N. Policies that draw nothing (RoundRobin, Smooth, LeastConn) accept nil.
type Source interface {
	Below(n int64) int64
}

// Reason is why a request was not sent on.
type Reason uint8

// The reasons. Granted is the zero value, of decisions that are OK.
const (
	Granted      Reason = iota
	NoneHealthy         // no peer with weight is healthy, or there is none
	AllFull             // every candidate has MaxConns in flight, or the pool MaxInFlight
	Waiting             // no answer yet: it waits in the queue
	QueueFull           // nothing free, and no place to wait
	DeadlinePast        // its time was over before its turn came
)

var reasons = [...]string{"granted", "none healthy", "all full", "waiting", "queue full", "deadline past"}

// String is the reason in words.
func (r Reason) String() string { return nameOf(reasons[:], uint8(r)) }

// Decision is the answer to one request.
type Decision struct {
	OK         bool
	Panic      bool   // chosen without regard to health
	Reason     Reason // Granted when OK
	Peer       int    // index of the peer, −1 when refused
	Lease      Lease  // to be given to DoneAt, once
	RetryAfter int64  // ns; 0 when OK or Waiting, Never when coming back does not help
}

// Outcome is how a request ended, as far as its peer is to blame.
type Outcome uint8

// The outcomes.
const (
	Success Outcome = iota // an answer that is no fault of the peer, a 404 as well as a 200
	Failure                // 5xx, reset, time-out
	Ignored                // the caller gave up or the like: frees the place and says nothing about the peer
)

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "weight of a", "panic percent" …
	Got, Min, Max int64
	Unit          string // what follows the range, such as "ns"; may be empty
}

// Error says it in one line: "weight of a: -1 is outside 0..1000000".
func (e *RangeError) Error() string {
	s := e.Field + ": " + strconv.FormatInt(e.Got, 10) + " is outside " + strconv.FormatInt(e.Min, 10) + ".." + strconv.FormatInt(e.Max, 10)
	if e.Unit != "" {
		s += " " + e.Unit
	}
	return s
}

// NameError says that a peer's name cannot be used.
type NameError struct {
	Name string // empty, or named twice
}

// Error says it in one line: `peer "a" is named twice`.
func (e *NameError) Error() string {
	if e.Name == "" {
		return "a peer has no name; want one that no other peer has"
	}
	return "peer \"" + e.Name + "\" is named twice; want one name a peer"
}

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

// nameOf is the name of a state or reason, or its number when it has none.
func nameOf(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return strconv.Itoa(int(i))
}
