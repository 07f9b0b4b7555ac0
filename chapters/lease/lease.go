// Package lease holds locks that expire, and what is needed beside them so that nothing is written by somebody who no longer holds one.
//
//	g, why := lock.AcquireAt(now, who)              // at the lock service
//	held := lease.Held(sent, g, drift)              // at the client: from when it asked, by its own clock
//	if ok, _ := store.Raise(g.Token); !ok { … }     // at the store: fence first,
//	v, ok := store.Read(g.Token)                    // then read
//	ok = store.Write(g.Token, v+1)                  // then write
//
// # What is promised
//
// A lock that never expires is lost with its holder; one that expires may be lost by a holder that does not notice: it was stopped between
// looking at its clock and writing, or its write is on its way for longer than the lease lasts. Three things follow.
//
//   - Of two clients at most one believes to hold the lock at any instant, if no clock runs faster or slower than true time by more
//     than drift. The client counts from when it sent its request, the service from when it decided; and the client's time is shorter by
//     what both clocks may be off (Gray and Cheriton, "Leases: An Efficient Fault-Tolerant Mechanism for Distributed File Cache
//     Consistency", SOSP 1989). Clocks need not agree on what time it is.
//   - Each holder's token is greater than all before. A store that refuses lower tokens than the highest it has heard of takes no write
//     from who held the lock before (Kleppmann, "How to do distributed locking", 2016; Chubby's sequencers: Burrows, OSDI 2006).
//   - A store hears of a token by its first use. So a new holder raises the fence before it reads: else it reads, the old holder's late
//     write is taken, and the new holder's write, made from what it read, loses that. Two tokens that are equal, from two lock services
//     that do not know of each other, are not the same: the one that came first stays.
//
// Lock, Fence and Leader are plain values for one goroutine, and flat: an assignment is a copy. Instants are nanoseconds on the clock of
// whoever calls; nothing here reads one, waits or starts a goroutine. In a Lock an instant older than one seen before counts as the
// newest seen. The zero Lock grants nothing. The zero Fence has heard of nothing and takes everything. Constructors check their
// configuration once and return a *RangeError; nothing fails later.
//
// # What it does not do
//
// It sends nothing, keeps nothing on disk, keeps no queue of those who wait, and elects nobody. A Lock is one lock: a service keeps one for each name.
package lease

import (
	"math/bits"
	"strconv"
)

// Bounds of a configuration.
const (
	MaxDuration = 1 << 61 // ns, 73 years
	MaxDrift    = 500_000 // parts of a million
)

// Token says whose turn it is: greater N is later. N begins at 1; the zero Token is nobody's.
type Token struct {
	N   int64
	Who uint64 // the holder, so that equal numbers from two lock services are told apart
}

// Grant is a lock that was given.
type Grant struct {
	Token Token
	TTL   int64 // ns for which it lasts, by the service's clock, from its decision
}

// Span is for how long, by its own clock and from when it asked, somebody may believe in something that lasts ttl by another's clock from
// when that decided: ⌊ttl × (10⁶ − drift)/(10⁶ + drift)⌋, when no clock is off by more than drift parts of a million. 200 parts, which is much
// for a quartz, take 0.04 percent off. What is outside 0..MaxDuration and 0..MaxDrift counts as the nearer end.
func Span(ttl, drift int64) int64 {
	const million = 1_000_000
	ttl, drift = min(max(ttl, 0), MaxDuration), min(max(drift, 0), MaxDrift)
	hi, lo := bits.Mul64(uint64(ttl), uint64(million-drift))
	q, _ := bits.Div64(hi, lo, uint64(million+drift))
	return int64(q)
}

// Held is the instant, by the client's own clock, from which on it must not believe to hold a grant that it asked for at sent.
func Held(sent int64, g Grant, drift int64) int64 { return later(sent, Span(g.TTL, drift)) }

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "TTL", "delay" …
	Got, Min, Max int64
	Unit          string // what follows the range, such as "ns"; may be empty
}

// Error says it in one line: "TTL: 0 is outside 1..2305843009213693952 ns".
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

const (
	maxInt64 = 1<<63 - 1
	minInt64 = -1 << 63
)

// later is at + d for d ≥ 0, at most the last instant that an int64 can name.
func later(at, d int64) int64 {
	if s := at + d; s >= at {
		return s
	}
	return maxInt64
}
