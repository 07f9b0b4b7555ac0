// Package breaker keeps callers from a dependency that fails, and a failing dependency from taking its callers along. A Breaker stops
// the calls to one dependency while they do no good, a Bulkhead bounds how much of the caller each dependency may hold, and a Set has
// one of both for each dependency.
//
//	t, d := b.AskAt(now)
//	if !d.OK { answer at once with what is at hand, d.Reason and d.RetryAfter say why and for how long }
//	… call …
//	r := b.DoneAt(later, t, breaker.Success)
//
// # What is promised
//
// Instants are nanoseconds on a clock that the caller owns. Nothing here reads a clock, waits, starts a goroutine or draws a random
// number, so the same calls give the same decisions in a test, in a server and in the browser. An instant older than one seen before
// counts as the newest seen.
//
//   - Closed: everything passes and its outcome is counted, in a window of the last calls or of the last while. It opens when the
//     window holds MinCalls or more and the share of failures, or of slow calls, is its threshold or more; with one call less it never
//     opens, whatever they were.
//   - Open: nothing passes, for OpenFor. Then it is half-open.
//   - HalfOpen: Probes calls pass, no more at a time. Their outcomes are judged as Resilience4j does, by the same thresholds over the
//     permitted probes: too many failures or slow ones and it opens again, else it is done. The verdict falls as soon as the probes
//     that are still out cannot change it. With one permitted probe a failure opens it at once, as in gobreaker. (Notes that let a
//     half-open breaker stay half-open after a failed probe describe neither.)
//   - A probe is a lease. When its Lease is over and nothing was heard of it, it has failed. So a lost one never keeps others out for
//     longer than that.
//   - Recovering: the share that passes grows evenly from FirstPercent to all, over Ramp, each request that passes spaced among those
//     that do not, without chance. Outcomes are counted as in Closed. Then it is closed. Without a Ramp it is closed at once.
//   - Outcomes of calls begun before the breaker opened, or before its latest probes, decide nothing (see Ticket).
//   - Changes of state are returned, in order and each once, by the call that made or noticed them. There are no callbacks.
//
// # Which outcomes
//
// A no of the business (404, 409, a parameter that is wrong) is Business: the dependency answered, and a storm of such answers must
// not open the circuit to it. It counts as a call that went well, so a burst of real failures among many of them does not weigh more
// than it should. Ignored is for calls that ended for reasons of the caller, cancelled for instance: they free their probe and count
// for nothing.
//
// # Copies
//
// All but the Locked forms are plain values for one goroutine: slices of numbers, no map, no pointer into themselves. Clone copies
// the whole state, Size tells its bytes. The zero value refuses everything. Constructors check their configuration once and return
// a *RangeError or *NameError; nothing fails later.
//
// # What it does not do
//
// It calls nothing, times nothing out (set a time-out of your own, above the p99 of healthy calls: one at the p50 makes half of
// them fail), retries nothing, and knows nothing of what the caller answers instead. A refusal by an open circuit is not to be retried.
//
// Read: M. Nygard, "Release It!" (2007, 2018), "Circuit Breaker" and "Bulkheads"; the documentation and source of resilience4j
// (CircuitBreakerStateMachine), Netflix/Hystrix (Configuration), sony/gobreaker and failsafe-go/failsafe-go.
package breaker

import "strconv"

// Never as a RetryAfter says that no wait alone helps: only a call that ends makes room.
const Never = -1

// State is where a breaker stands.
type State uint8

// The states. Open is the zero value, so that a breaker that nobody made refuses.
const (
	Open State = iota
	HalfOpen
	Recovering
	Closed
)

var states = [...]string{"open", "half-open", "recovering", "closed"}

// String is the state in words.
func (s State) String() string { return nameOf(states[:], uint8(s)) }

// Outcome is how a call ended, as far as the dependency is to blame.
type Outcome uint8

// The outcomes.
const (
	Success  Outcome = iota // it answered
	Business                // it answered no: counts as Success in everything, and may be slow as one
	Failure                 // error of the dependency, reset, time-out
	Ignored                 // the caller gave up or the like: frees a probe and counts for nothing
)

var outcomes = [...]string{"success", "business", "failure", "ignored"}

// String is the outcome in words.
func (o Outcome) String() string { return nameOf(outcomes[:], uint8(o)) }

// Reason is why a call may not be made.
type Reason uint8

// The reasons. Granted is the zero value, of decisions that are OK.
const (
	Granted   Reason = iota
	IsOpen           // the circuit is open
	ProbesOut        // half-open, and every probe is out or has reported
	Ramping          // recovering, and this one is not in the share that passes
	Full             // Set only: no place in the bulkhead
)

var reasons = [...]string{"granted", "open", "probes out", "ramping", "full"}

// String is the reason in words.
func (r Reason) String() string { return nameOf(reasons[:], uint8(r)) }

// Cause is why the state changed.
type Cause uint8

// The causes.
const (
	FailureRate  Cause = iota // of the window or of the probes
	SlowRate                  // of the window or of the probes, the failures alone being too few
	LeaseOver                 // a probe was not heard of, and its failure decided
	OpenOver                  // OpenFor has passed
	ProbesPassed              // so many that the rest cannot change it
	RampOver                  // Ramp has passed
	ByHand                    // OpenAt or CloseAt
)

var causes = [...]string{"failure rate", "slow rate", "lease over", "open over", "probes passed", "ramp over", "by hand"}

// String is the cause in words.
func (c Cause) String() string { return nameOf(causes[:], uint8(c)) }

// Change is one change of state. At is when it happened, which may be before the call that noticed it.
type Change struct {
	From, To State
	Cause    Cause
	At       int64
}

// Changes are those that one call made or noticed, in order: never more than two. They are packed into 24 bytes without an array,
// since each call of a breaker returns them, hardly ever any, and Go returns a Report in registers only so.
type Changes struct {
	first, second int64  // their instants
	kinds         uint16 // a byte each: two bits from, two bits to, and the cause
	n             uint8
}

// Len is how many there are, 0..2.
func (c Changes) Len() int { return int(c.n) }

// At is the i-th of them, for i in 0..Len−1.
func (c Changes) At(i int) Change {
	all := [...]int64{c.first, c.second}
	kind, at := c.kinds>>(8*i), all[:c.n][i]
	return Change{From: State(kind & 3), To: State(kind >> 2 & 3), Cause: Cause(kind >> 4 & 15), At: at}
}

func (c *Changes) add(x Change) {
	kind := uint16(x.From) | uint16(x.To)<<2 | uint16(x.Cause)<<4
	if c.n == 0 {
		c.first, c.kinds = x.At, kind
	} else {
		c.second, c.kinds = x.At, c.kinds|kind<<8
	}
	c.n++
}

// Decision is the answer to one request.
type Decision struct {
	OK         bool
	State      State  // after this call
	Reason     Reason // Granted when OK
	RetryAfter int64  // ns until it is worth to come back; 0 when OK, Never when only the end of another call helps
	Changes    Changes
	_          int64 // 48 bytes: Go copies them by sixteens, and the last of 40 would overlap the one before it
}

// Report is what the end of a call did.
type Report struct {
	Counted bool // false when the outcome decides nothing: Ignored, begun in an earlier generation, or a probe's that is over
	Changes Changes
}

// Ticket is a call that may be made. The zero Ticket is none.
//
// It carries the generation in which the call began. A generation begins whenever the breaker opens, becomes half-open, or is done
// with its probes; recovering and closed after it are one. What reports to an older generation changes nothing: neither a count nor a
// state nor the place of a probe. A probe's ticket is taken once. Other tickets are counted each time that they are handed in, so hand
// each in once; a Set sees to that itself.
type Ticket struct {
	gen    uint64
	began  int64
	serial uint32 // of a probe; 0 for others
	slot   int32
}

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "failure percent", "lease" …
	Got, Min, Max int64
	Unit          string // what follows the range, such as "ns"; may be empty
}

// Error says it in one line: "probes: 0 is outside 1..64 calls".
func (e *RangeError) Error() string {
	s := e.Field + ": " + strconv.FormatInt(e.Got, 10) + " is outside " + strconv.FormatInt(e.Min, 10) + ".." + strconv.FormatInt(e.Max, 10)
	if e.Unit != "" {
		s += " " + e.Unit
	}
	return s
}

// NameError says that the name of a dependency cannot be used.
type NameError struct {
	Name string // empty, or named twice
}

// Error says it in one line: `dependency "stock" is named twice; want one name each`.
func (e *NameError) Error() string {
	if e.Name == "" {
		return "a dependency has no name; want one that no other has"
	}
	return "dependency \"" + e.Name + "\" is named twice; want one name each"
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
