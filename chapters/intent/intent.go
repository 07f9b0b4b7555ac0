// Package intent accepts first and processes later, and loses nothing in between. What is asked for, an order for instance, is written
// to an append-only store and acknowledged as soon as it is there; a worker takes it up when it can, and its result is written behind
// it. A process that dies at any point goes on from the store.
//
//	r, err := log.AcceptAt(now, id, order)      // err == nil: it is kept, whatever happens now. Answer "in progress"
//	…
//	c, ok, err := log.ClaimAt(now)              // some worker, some time later
//	… do what c.Body says, in a way that doing it twice comes to the same …
//	log.FinishAt(now, c, result)
//
// # What is promised
//
//   - AcceptAt returns without error only when the Store has the record. Nothing that was accepted is forgotten before it has ended, nor
//     refused by a limit that is set lower at a later start.
//   - The same id again is the same intent: asked again, AcceptAt says how it stands, with the result when there is one, and writes
//     nothing. The same id with another body is a Conflict.
//   - At most MaxOpen are open: beyond that it refuses at once, since a backlog that is hours long is no acceptance.
//   - Each open intent is worked on by one claim at a time. A claim has a lease; when that is over, somebody else gets it, with a higher
//     attempt, and the result of the former is refused once that has happened. Each attempt is written down before it begins: so numbers
//     of attempts never repeat, and one that takes the whole process with it does so MaxAttempts times and not for ever.
//   - An intent ends once: with a result, or given up after MaxAttempts.
//   - Oldest first. What failed goes to the end of the line, and so does what was begun when the process ended.
//
// So an effect takes place at least once, not exactly once: a worker may die between the effect and FinishAt. Write the id together with
// the effect, in one transaction, and skip it when it is there.
//
// # When the store fails
//
// After an error of Append nobody knows whether the record is there: the write may have failed, or only its acknowledgement. The Log then
// refuses all that would write, with a *BrokenError, until it is opened anew and has read what the store really holds. A caller who got
// the error asks again with the same id and learns it. Going on instead, as if nothing were there, is how databases lost data (A. Rebello
// et al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020).
//
// # Copies
//
// Log and Memory are plain values for one goroutine: slices, no map, no pointer into themselves. Clone copies the state of a Log; a copy
// must not write to the same store. Locked is for many goroutines. The zero value refuses everything.
//
// # What it does not do
//
// It does no work, waits for nothing, and knows no order between intents beyond the age. It does not shorten the store: whoever keeps it
// may drop the records of intents that have ended and are older than the newest MaxDone of them. Instants are nanoseconds on a clock of the
// caller's; only with one that goes on over restarts do ages mean anything across them.
//
// Read: P. Helland, "Life beyond Distributed Transactions" (CIDR 2007); J. Gray and A. Reuter, "Transaction Processing" (1993), on logs
// and on queued transactions.
package intent

import "strconv"

// State is how an intent stands.
type State uint8

// The states. Unknown is the zero value.
const (
	Unknown State = iota // never accepted here, or ended so long ago that it is forgotten
	Open                 // accepted; waits, or somebody works on it
	Done                 // ended with a result
	GivenUp              // ended after MaxAttempts without one
)

var states = [...]string{"unknown", "open", "done", "given up"}

// String is the state in words.
func (s State) String() string { return nameOf(states[:], uint8(s)) }

// Answer is what AcceptAt has to say.
type Answer uint8

// The answers. Accepted and Known are both a yes.
const (
	Full     Answer = iota // MaxOpen are open: refused, and nothing is written
	Accepted               // it is in the store now
	Known                  // it was accepted before, see Receipt.State
	Conflict               // another body was accepted under this id: refused
)

var answers = [...]string{"full", "accepted", "known", "conflict"}

// String is the answer in words.
func (a Answer) String() string { return nameOf(answers[:], uint8(a)) }

// Receipt is what is told to who asked.
type Receipt struct {
	Answer Answer
	State  State
	Result string // when Done; why, when GivenUp
}

// Claim is the right to work on an intent until its lease is over.
type Claim struct {
	ID      uint64
	Attempt int64 // 1 and up; higher than that of any claim on this intent before
	Body    string
}

// Config describes a Log.
type Config struct {
	MaxOpen     int64 // most that are open at once, 1..MaxKept
	MaxDone     int64 // so many that ended are remembered, the last ones, 0..MaxKept: as long as somebody may ask again
	MaxAttempts int64 // 1..1_000_000
	Lease       int64 // ns that a claim lasts, 1..MaxDuration
}

// Bounds of a configuration.
const (
	MaxKept     = 1 << 24
	MaxDuration = 1 << 62 // ns, 146 years
)

func (c *Config) check() error {
	return firstOf(
		within("max open", c.MaxOpen, 1, MaxKept, "intents"),
		within("max done", c.MaxDone, 0, MaxKept, "intents"),
		within("max attempts", c.MaxAttempts, 1, 1_000_000, ""),
		within("lease", c.Lease, 1, MaxDuration, "ns"),
	)
}

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "max open", "lease" …
	Got, Min, Max int64
	Unit          string // what follows the range, such as "ns"; may be empty
}

// Error says it in one line: "lease: 0 is outside 1..4611686018427387904 ns".
func (e *RangeError) Error() string {
	s := e.Field + ": " + strconv.FormatInt(e.Got, 10) + " is outside " + strconv.FormatInt(e.Min, 10) + ".." + strconv.FormatInt(e.Max, 10)
	if e.Unit != "" {
		s += " " + e.Unit
	}
	return s
}

// BrokenError says that the store has failed, and that the log has to be opened anew before it writes again.
type BrokenError struct {
	Err error // what the store said; nil when there is no store
}

// Error says it in one line.
func (e *BrokenError) Error() string {
	if e.Err == nil {
		return "intent: there is no store; open a log before using it"
	}
	return "intent: the store failed, and what it holds is not known; open the log anew: " + e.Err.Error()
}

// Unwrap is what the store said.
func (e *BrokenError) Unwrap() error { return e.Err }

// CorruptError says that the records of a store do not make sense.
type CorruptError struct {
	At  int64  // number of the record
	ID  uint64 // of its intent
	Why string
}

// Error says it in one line: "intent: record 7, id 3: finished, and not open".
func (e *CorruptError) Error() string {
	return "intent: record " + strconv.FormatInt(e.At, 10) + ", id " + strconv.FormatUint(e.ID, 10) + ": " + e.Why
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

// nameOf is the name of a state or answer, or its number when it has none.
func nameOf(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return strconv.Itoa(int(i))
}
