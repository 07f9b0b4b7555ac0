// Package sampling decides which traces are kept, for keeping all of them costs more than the system that they tell of.
//
// [Head] decides when a trace begins, from its id alone: every service that sees the id decides alike without asking, and nothing has
// been spent yet, but nobody knows either whether this one will be worth keeping. At a share of one in a thousand a fault that meets one
// request in a hundred is seen once in a hundred thousand requests. [Tail] decides when a trace has ended: what failed or was slow is
// kept, up to a number in each span of time, so that an incident, when everything is bad, does not drown whoever collects. It costs the
// memory of all traces that have not ended, which lies with the caller.
//
// Head is OpenTelemetry's TraceIdRatioBased (https://opentelemetry.io/docs/specs/otel/trace/sdk/#traceidratiobased) over a hash, for
// ids that are not random themselves. All times are ns on the caller's clock; nothing here allocates.
package sampling

import (
	"math/bits"

	"seedbed/chapters/hashing"
)

// Million is a share of one.
const Million = 1_000_000

// odd keeps the id 0 from being its own hash.
const odd = 0x9E3779B97F4A7C15

// Head says whether the trace of that id is kept at a share of ppm parts in a million. A trace that is kept at one share is kept at every
// larger one, so that services with different shares still agree about the traces of the smallest. O(1).
func Head(id uint64, ppm int64) bool {
	place, _ := bits.Mul64(hashing.Mix64(id+odd), Million) // 0..999,999, each equally likely
	return int64(place) < ppm
}

// Tail keeps what turned out to be worth it. Fill in the fields; the zero value keeps nothing. It is a flat value: a copy goes on by
// itself. It is not safe for concurrent use.
type Tail struct {
	Slow   int64 // ns: a trace that took longer than this is worth keeping, as is one that failed
	Most   int64 // traces kept in one Span; more of them would tell the same
	Span   int64 // ns, at least 1
	number int64 // of the present span, from 1; 0 before the first trace
	kept   int64 // in it
}

// Keep says whether a trace that has ended at an instant is kept. Instants before the present span count into the present one. O(1).
func (t *Tail) Keep(at, took int64, failed bool) bool {
	if !failed && took <= t.Slow {
		return false
	}
	if n := at/max(t.Span, 1) + 1; n > t.number {
		t.number, t.kept = n, 0
	}
	if t.kept >= t.Most {
		return false
	}
	t.kept++
	return true
}
