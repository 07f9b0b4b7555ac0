// Package limiter holds the rate limiters of the notes, one algorithm a file, all behind one door:
//
//	TakeAt(now, n) Decision
//
// # What a limiter promises
//
// now is an instant in nanoseconds on a clock that the caller owns: virtual time in a lab, time.Since of a fixed start in a
// server. n is how many units are asked for at once; all n are granted or none is. A limiter never reads a clock, never waits and
// starts no goroutine, so the same code runs in a test, in a server and in the browser.
//
//   - A denied request changes nothing: it is neither counted nor logged.
//   - n = 0 is a peek: it is always OK and reports where the limiter stands. n < 0 is refused (OK false, RetryAfter Never) and
//     gives nothing back.
//   - After a denial, waiting exactly RetryAfter admits the same request if nobody else asks meanwhile, and a nanosecond less does
//     not. RetryAfter is Never (−1) where no wait helps: n above the limit, or a permit that only a release can free.
//   - After exactly ResetAfter without requests the limiter is as new.
//   - An old instant mints nothing. Most limiters count one as the newest they have seen; GCRA and TwoCounter, which keep no such
//     instant, see themselves as fuller than they are. In any run of consecutive calls the units admitted stay within
//     burst + rate × (latest − earliest instant of the run), in whatever order the instants come. ResetAfter and RetryAfter are
//     told from the caller's own now.
//   - Rates are a ratio, n per period, and are never rounded to whole nanoseconds a unit: 300 a second is exactly 300 in each
//     second, for ever. The one exception is GCRA beyond its range, which rounds to the slower side and says so in Exact.
//
// # Which one
//
// What lets a burst through at the edge of a window:
//
//   - FixedWindow counts in aligned windows: 16 bytes, and twice its limit across an edge.
//   - TwoCounter weighs the window before: 24 bytes, and still almost twice its limit in some trailing window.
//   - SlidingLog remembers each admission: exact, and 8 bytes a unit.
//   - BucketedWindow is a log with a grain: 8 bytes a bucket, never above its limit if it keeps one bucket more than a window
//     holds, and a little below it for that.
//
// What allows a burst on purpose and then a steady rate:
//
//   - TokenBucket and Policer (a leaky bucket used as a meter): 16 bytes. They decide alike, one counting down, the other up.
//   - Queue (a leaky bucket used as a queue) delays instead of denying: 32 bytes.
//   - GCRA decides as a token bucket does, in one int64, and is safe for concurrent use. SerialGCRA is the same for one goroutine.
//
// What goes around them: Permits bounds how many requests are in flight, not how many arrive. Layered puts several limits before
// one request, all or nothing. Keyed has one limiter a key, in bounded memory. Locked, LockedPermits and LockedKeyed make the plain
// ones safe for concurrent use.
//
// # Copies
//
// All but GCRA and the Locked forms are plain values for one goroutine: no map, no pointer into themselves. Clone copies the whole
// state, and Size tells how many bytes of state there are now, which is what such a limiter costs per key.
//
// Constructors check their configuration once and return an error that names the field and its range; nothing fails later. The zero
// value of each limiter denies every request for one unit or more, so that a forgotten constructor fails closed; only a Layered
// without layers, and Unlimited, have nothing to deny with.
//
// # What it does not do
//
// It does not wait (package block does), does not share a limit between machines (package quota does), does not speak HTTP, and does not
// adapt a limit (package adaptive does).
package limiter

import "strconv"

// Never as a RetryAfter says that no wait alone will make the request pass.
const Never = -1

// Decision is the answer to one request. Durations are nanoseconds from the caller's now.
type Decision struct {
	OK         bool
	Limit      int64 // most units that can ever be admitted at one instant
	Remaining  int64 // most units that a request at the same instant would still get, 0..Limit
	ResetAfter int64 // until the limiter is as new; 0 when it is; MaxInt64 when that is further away than an int64 can say
	RetryAfter int64 // 0 when OK; else until the same request would be admitted; Never when waiting does not help
	Delay      int64 // Queue only: until the last of the n units is served; 0 elsewhere
}

// Limiter is the one door. An implementation says itself whether it may be called from several goroutines.
type Limiter interface {
	TakeAt(now, n int64) Decision
}

// Serial is a Limiter for one goroutine whose whole state can be copied: what a lab needs for its checkpoints, and what Layered is
// made of. Pointers to all plain limiters of this package implement it.
type Serial interface {
	Limiter
	Size() int    // bytes of state now, without configuration
	Copy() Serial // an independent copy
}

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case, as the configuration names it: "rate", "burst", "window" …
	Got, Min, Max int64
	Per           string // what follows the range, such as "ns" or "per period"; may be empty
}

// Error says it in one line: "rate: 0 is outside 1..9223372036854775807 per period".
func (e *RangeError) Error() string {
	s := e.Field + ": " + strconv.FormatInt(e.Got, 10) + " is outside " + strconv.FormatInt(e.Min, 10) + ".." + strconv.FormatInt(e.Max, 10)
	if e.Per != "" {
		s += " " + e.Per
	}
	return s
}

// within returns nil when got lies in lo..hi, else the error that names the field.
func within(field string, got, lo, hi int64, per string) error {
	if got >= lo && got <= hi {
		return nil
	}
	return &RangeError{Field: field, Got: got, Min: lo, Max: hi, Per: per}
}

// Unlimited admits everything: an infinite rate, said by a type of its own because no finite Rate means it. A burst does not
// matter to it; with a finite rate a burst of 0 admits nothing. It holds no state and may be used by any number of goroutines.
type Unlimited struct{}

// TakeAt admits every n ≥ 0.
func (Unlimited) TakeAt(_, n int64) Decision {
	if n < 0 {
		return Decision{Limit: maxInt64, Remaining: maxInt64, RetryAfter: Never}
	}
	return Decision{OK: true, Limit: maxInt64, Remaining: maxInt64}
}

// Size is 0.
func (Unlimited) Size() int { return 0 }

// Copy returns itself.
func (u Unlimited) Copy() Serial { return u }
