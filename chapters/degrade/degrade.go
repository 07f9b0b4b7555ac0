// Package degrade decides how much of a service is served when not all of it can be, so that what matters most is served to the end. A
// Ladder has four levels beyond the normal one; signals such as a latency or the length of a queue push it up, calm lets it come down
// a step at a time, and a hand can hold a share of the users on any level.
//
//	l.ObserveAt(now, p99, latency)
//	if !l.LevelAt(now, user).Extras() { leave the recommendations out }
//
// # The levels
//
// Each one keeps what the one before gave up, and gives up one thing more:
//
//   - L1, DropExtras: what decorates the answer is left out or comes from a constant (recommendations, reviews, points).
//   - L2, DeferWrites: writes that nobody waits for go to a queue, and reads are content with old data.
//   - L3, AcceptFirst: even the core is made simpler. An order is written down and acknowledged, and worked off later (package intent).
//   - L4, QueuePage: who comes new gets a page that waits in line, and only who is let in gets further.
//
// An order that was acknowledged is kept on every level: better late than lost.
//
// # What is promised
//
// Instants are nanoseconds on a clock that the caller owns, and a signal counts as what it was last observed to be. So the level is a
// function of what was observed and when: nothing here reads a clock, waits, starts a goroutine or draws a random number. An instant
// older than one seen before counts as the newest seen.
//
//   - It goes up to a level when some signal has been at its Up for that level, or above, for UpFor without a break; several levels at
//     once where a signal is that high.
//   - It comes down by one when every signal has been below its Down for the present level for DownFor without a break, and the level
//     has stood for as long. Down lies below Up, so a signal between the two moves nothing: that, and the times, keep it from flapping.
//   - Changes are returned, in order and each once, with the instant at which they were due. There are no callbacks.
//   - A hand may put a share of the users on a level, above or below what the signals say, until it is taken back or its time is over.
//     Which users follows from the user and Seed alone: the same ones each time, and those in a share are in every larger one.
//
// A ladder has no opinion about rooms: give each its own.
//
// # Copies
//
// A Ladder is a plain value for one goroutine, without map and without pointers into itself; Clone copies the whole state, Size tells its
// bytes. Locked is for many goroutines. The zero value is a ladder without signals: normal, until a hand says otherwise. NewLadder checks
// its configuration once and returns a *RangeError or *NameError; nothing fails later.
//
// # What it does not do
//
// It measures nothing, switches nothing off, and does not know what a feature is. Degrading is a remedy, not a cause: a service that
// needs it at the load that it was built for has too little capacity, or no isolation (package breaker).
//
// Read: M. Nygard, "Release It!" (2018), "Stability Patterns"; B. Beyer et al., "Site Reliability Engineering" (2016), ch. 22, "Load
// Shedding and Graceful Degradation".
package degrade

import "strconv"

// Level is how much is given up.
type Level uint8

// The levels.
const (
	Normal      Level = iota
	DropExtras        // L1
	DeferWrites       // L2
	AcceptFirst       // L3
	QueuePage         // L4
)

// Levels is how many there are, the normal one included.
const Levels = 5

var levels = [...]string{"normal", "L1 drop extras", "L2 defer writes", "L3 accept first", "L4 queue page"}

// String is the level with its number, in words.
func (l Level) String() string {
	if int(l) < len(levels) {
		return levels[l]
	}
	return strconv.Itoa(int(l))
}

// Extras reports whether what decorates an answer is served.
func (l Level) Extras() bool { return l < DropExtras }

// WritesNow reports whether writes that nobody waits for are made at once.
func (l Level) WritesNow() bool { return l < DeferWrites }

// OrdersNow reports whether an order is worked off before it is answered; if not it is accepted first.
func (l Level) OrdersNow() bool { return l < AcceptFirst }

// LetsIn reports whether who comes new is let in without waiting in line.
func (l Level) LetsIn() bool { return l < QueuePage }

// Change is one change of the level that the signals ask for. At is when it was due, which may be before the call that noticed it.
type Change struct {
	From, To Level
	At       int64
}

// Changes are those that one call made or noticed, in order: at most one a level each way.
type Changes struct {
	n    int
	list [2 * (Levels - 1)]Change
}

// Len is how many there are.
func (c Changes) Len() int { return c.n }

// At is the i-th of them, for i in 0..Len−1.
func (c Changes) At(i int) Change { return c.list[:c.n][i] }

func (c *Changes) add(x Change) {
	c.list[c.n] = x
	c.n++
}

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "up for", "down of queue for L2" …
	Got, Min, Max int64
	Unit          string // what follows the range, such as "ns"; may be empty
}

// Error says it in one line: "up for: -1 is outside 0..4611686018427387904 ns".
func (e *RangeError) Error() string {
	s := e.Field + ": " + strconv.FormatInt(e.Got, 10) + " is outside " + strconv.FormatInt(e.Min, 10) + ".." + strconv.FormatInt(e.Max, 10)
	if e.Unit != "" {
		s += " " + e.Unit
	}
	return s
}

// NameError says that the name of a signal cannot be used.
type NameError struct {
	Name string // empty, or named twice
}

// Error says it in one line: `signal "p99" is named twice; want one name each`.
func (e *NameError) Error() string {
	if e.Name == "" {
		return "a signal has no name; want one that no other has"
	}
	return "signal \"" + e.Name + "\" is named twice; want one name each"
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
