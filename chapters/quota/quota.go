// Package quota shares one limit among many nodes: a coordinator gives out the right to so many units in a period, and each node spends what
// it was given without asking again.
//
//	g, why := pool.GrantAt(now, node, 50)          // at the coordinator, replicated by a log
//	spender.Granted(now, sent, g)                  // at the node: from when it asked, by its own clock
//	if !spender.TakeAt(now, 1) { refuse }          // for each request
//	pool.ReturnAt(now, r)                          // what was not used, if there is time: r from spender.GiveBackAt
//
// # The bound
//
// In each period of the coordinator's clock no more than Limit units are spent by all nodes together, whatever is lost, late or stopped,
// if no clock runs faster or slower than true time by more than Drift. It holds because
//
//   - what was granted counts as spent until its period is over, unless its holder says how much it did not use. A node that dies takes its
//     grants with it: whoever forgets them and grants anew gives out twice what there is;
//   - a node believes in a grant for a little less than the rest of the period, counted from when it asked (package lease tells why);
//   - each node's Reserve, with which it goes on when nobody answers, is taken off the Limit beforehand. A local share that is invented only
//     when the coordinator is gone is spent beside grants that still run;
//   - a coordinator that takes over and does not know what was granted before grants nothing until that is over. One that does know, since
//     grants are in the log that it has read to the end, counts them and goes on at once.
//
// With k coordinators that know nothing of each other, each grants Limit: k × Limit are spent. A replica that is promoted without the last
// grants of its primary, while that goes on, makes it two; a second promotion makes it three.
//
// In a span that lies across a period's end up to two Limits may be spent, as with any fixed window.
//
// # Copies
//
// Pool and Spender are plain values for one goroutine: slices of numbers, no map, no pointer into themselves. Clone copies the whole
// state, Size tells its bytes. Instants are nanoseconds on the clock of whoever calls; one older than one seen before counts as the newest seen.
// Nothing here reads a clock, waits or starts a goroutine. The zero Pool grants nothing, and the zero Spender spends nothing. Constructors check their
// configuration once and return a *RangeError; nothing fails later.
//
// # What it does not do
//
// It elects no coordinator, sends nothing and keeps nothing on disk; it knows no tenants (keep a Pool for each), and does not say how much a node should ask for:
// what it spends in a few round trips is a beginning.
package quota

import "strconv"

// Bounds of a configuration.
const (
	MaxUnits    = 1 << 40
	MaxDuration = 1 << 61 // ns, 73 years
	MaxDrift    = 500_000 // parts of a million
	MaxGrants   = 1 << 16 // that one Pool counts at a time
	MaxReserve  = 1 << 16 // units
)

// Grant is the right to spend units within one period.
type Grant struct {
	Term  int64  // of the coordinator that gave it
	ID    uint64 // from 1, ascending within a term
	Node  uint64
	Units int64
	TTL   int64 // ns for which it lasts, by the coordinator's clock, from its decision
}

// Return is the end of a grant before its time.
type Return struct {
	Term int64
	ID   uint64
	Used int64 // units
}

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "limit", "period" …
	Got, Min, Max int64
	Unit          string // what follows the range, such as "ns"; may be empty
}

// Error says it in one line: "limit: -1 is outside 0..1099511627776 units".
func (e *RangeError) Error() string {
	s := e.Field + ": " + strconv.FormatInt(e.Got, 10) + " is outside " + strconv.FormatInt(e.Min, 10) + ".." + strconv.FormatInt(e.Max, 10)
	if e.Unit != "" {
		s += " " + e.Unit
	}
	return s
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
