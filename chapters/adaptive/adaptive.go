// Package adaptive finds out how many requests a service should have in flight, from how long they take and how many are lost, and lets
// the limit follow when the service changes. One algorithm a file, all behind one door:
//
//	LearnAt(now, Sample)
//	Limit() int64
//
// A Gate holds requests to such a limit and feeds it with what became of them:
//
//	t, ok := gate.TakeAt(now)
//	if !ok { answer 503 at once }
//	… serve …
//	gate.DoneAt(later, t, adaptive.Served)
//
// # What is promised
//
// Instants are nanoseconds on a clock that the caller owns. Nothing here reads a clock, waits, starts a goroutine or draws a random
// number. An instant older than one seen before counts as the newest seen.
//
//   - The limit lies in Min..Max. Min is 1 or more: with nothing in flight nothing would be learned, and the limit never come back.
//   - Idle traffic does not move it: while less than half of the limit is in flight, that latencies are low says nothing of more load.
//     So a limit is at most twice what was in flight while it grew, plus a step.
//   - A drop (a time-out, a refusal further down) lowers it at once, until it is Min. Those that were on their way when it was lowered
//     tell of the old limit: more drops among them are the same congestion and lower it no further, as TCP halves its window once for
//     each window that had losses (RFC 5681, RFC 6582). A drop's own time is no latency: a fast failure looks like a fast server.
//   - Of two equal limits, the one that sees higher latencies is not the higher one after the step. (BBR, whose model is a rate times the
//     base, keeps this for latencies that are not below the base.)
//   - What counts as an unloaded latency, the base, is a mean and not a single lucky request, and it ages. When it is old, half of the
//     limit is held back until a few requests have begun with so little company, and their mean is the new base; else the latency of a
//     queue that has been there for long would become the norm, and the limit creep up by steps that each look harmless.
//
// # Which one
//
//   - AIMD needs losses or a latency that is too long, and saws: one more each window, a tenth less when something is lost.
//   - Vegas counts the requests that wait: of so many in flight, the share of the latency that is above the base. It keeps a few.
//   - Gradient lowers in proportion to base ÷ latency and always allows a queue of the root of the limit, so it is quick in both ways.
//   - BBR multiplies the highest rate seen of late with the base, by Little's law, and now and then tries a quarter more.
//
// All but AIMD believe that latency rises for load alone. Where it rises for other reasons (a slow query for one caller, a pause for
// garbage) they lower the limit for nothing: a wider Window, or Tolerance, is what helps.
//
// # Copies
//
// All but Locked are plain values for one goroutine: no map, no pointer into themselves. Clone copies the whole state, Size tells its bytes.
// The zero value has the limit 0 and lets nothing pass. Constructors check their configuration once and return a *RangeError; nothing fails
// later.
//
// # What it does not do
//
// It keeps no queue (package queue does), does not tell apart who calls, and knows nothing of other instances: each finds its own limit.
//
// Sources: Chiu and Jain, "Analysis of the Increase and Decrease Algorithms for Congestion Avoidance in Computer Networks" (1989);
// Brakmo, O'Malley and Peterson, "TCP Vegas: New Techniques for Congestion Detection and Avoidance" (SIGCOMM 1994); Cardwell et al.,
// "BBR: Congestion-Based Congestion Control" (ACM Queue 14(5), 2016); Landau, Thurston and Bozarth, "Performance Under Load" (Netflix,
// 2018) with Netflix/concurrency-limits (AIMDLimit, VegasLimit, GradientLimit); go-kratos/aegis, ratelimit/bbr.
package adaptive

import "strconv"

// Bounds of a configuration.
const (
	MaxLimit    = 1 << 20
	MaxDuration = 1 << 46 // ns, 19 hours
	MaxSamples  = 1 << 16
)

// Sample is what became of one request.
type Sample struct {
	Took     int64 // ns from its beginning to its end, 0..MaxDuration; what lies outside counts as the nearer end
	InFlight int64 // how many were in flight when it had begun, itself counted
	Dropped  bool  // timed out, or refused for overload further down
}

// Limit is the one door. Pointers to AIMD, Vegas, Gradient and BBR implement it, and Fixed, which learns nothing.
type Limit interface {
	Limit() int64                // most requests in flight
	LearnAt(now int64, s Sample) // now is when the request ended
	Copy() Limit                 // an independent copy
	Size() int                   // bytes of state, without configuration
}

// Fixed is a limit that does not follow: 1..MaxLimit, anything below lets nothing pass.
type Fixed int64

// Limit is the number itself.
func (f Fixed) Limit() int64 { return int64(f) }

// LearnAt does nothing.
func (Fixed) LearnAt(int64, Sample) {}

// Copy returns itself.
func (f Fixed) Copy() Limit { return f }

// Size is 0.
func (Fixed) Size() int { return 0 }

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "min", "backoff" …
	Got, Min, Max int64
	Unit          string // what follows the range, such as "ns"; may be empty
}

// Error says it in one line: "min: 0 is outside 1..1048576 requests".
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
