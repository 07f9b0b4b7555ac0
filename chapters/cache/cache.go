// Package cache holds what a cache in front of a slow store is made of, one idea a file: what to keep (eviction), how long
// (expiry), who loads (one flight a key), and how a write makes an old copy go away (invalidation).
//
//	c, err := cache.New[string, Page](cache.Config[string]{Capacity: 10_000, Policy: cache.WTinyLFU})
//	c.SetAt(now, key, page, ttl)
//	page, ok := c.GetAt(now, key)
//
// # What is promised
//
// Instants are nanoseconds on a clock that the caller owns. Random numbers come from a Source that the caller passes in, or from a
// seed in the configuration. Nothing here reads a clock, waits or starts a goroutine, so the same calls give the same answers in a
// test, in a server and in the browser. An instant older than one seen before counts as the newest seen.
//
//   - What was set is there: a GetAt right after SetAt finds the value, whatever the policy. Admission decides who leaves, never
//     whether the newcomer comes in.
//   - A Cache never holds more than Capacity entries, and evicts nobody while there is room.
//   - GetAt returns what was set last for just this key, or nothing. Keys are compared, not only their hashes.
//   - A time to live of 0 is for ever, one below 0 is over already: the key is gone. An entry is there until exactly ttl after it was
//     set, and no longer, to the nanosecond. An entry that is over keeps its place until it is asked for, evicted or swept.
//   - Each key has at most one load in flight that counts. A load that was overtaken, forgotten or invalidated reports in vain:
//     what it brings is not kept.
//   - A hit allocates nothing and costs O(1).
//
// # Which policy
//
// LRU evicts what was used longest ago: cheap, right for most, and emptied by a single scan. LFU evicts what was used least often
// since it came, and never forgets: yesterday's hot keys stay. RedisLFU guesses both in three bytes, with a logarithmic counter
// that is lowered while a key is idle, and evicts the worst of a few at random. WTinyLFU lets newcomers into a small window and
// keeps one only if a sketch of the recent past says that it is asked for more often than whoever would leave for it: a scan passes
// through.
//
// # What goes around it
//
//   - ReadThrough is a Cache with its loads: one flight a key, time to live with jitter, stale-while-revalidate, logical expiry,
//     refresh-ahead, XFetch and negative entries. Package block waits for it in a server.
//   - TwoLevel has a local cache before a remote one. Locked is a Cache for many goroutines.
//   - Bloom answers "surely not there" for keys that were never stored.
//   - Flights are leases on a key: single flight in one process, the leases of memcache between many.
//   - Write takes a writer through the steps of one strategy of invalidation; Versions refuses what is older than what was seen;
//     Changes drives invalidation from the log of the store.
//
// # Copies
//
// All but Locked are plain values for one goroutine: slices of numbers beside the keys and values, no map. Clone copies the whole
// state and Size tells its bytes. Constructors check their configuration once and return a *RangeError that names the field, or a
// *HashError; nothing fails later. The zero value of a cache holds nothing and finds nothing.
//
// # What it does not do
//
// It opens no connection and speaks no protocol, weighs no entry by its bytes, adapts no window to the load, and calls nobody back:
// who was evicted is returned.
package cache

import "strconv"

// Bounds of a configuration.
const (
	MaxCapacity = 1 << 24 // entries
	MaxDuration = 1 << 61 // ns, 73 years: so that a time to live with all its jitter is a time to live
)

const (
	// Forever as a duration or an instant is later than every other.
	Forever = maxInt64

	million = 1_000_000 // parts of a share
	minute  = 60_000_000_000
)

// Source gives random numbers: Below(n) lies in 0..n−1, each equally likely, for n ≥ 1. A *sim.Stream is one; a server wraps
// rand.Int64N.
type Source interface {
	Below(n int64) int64
}

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "capacity", "jitter" …
	Got, Min, Max int64
	Unit          string // what follows the range, such as "ns"; may be empty
}

// Error says it in one line: "capacity: 0 is outside 1..16777216 entries".
func (e *RangeError) Error() string {
	s := e.Field + ": " + strconv.FormatInt(e.Got, 10) + " is outside " + strconv.FormatInt(e.Min, 10) + ".." + strconv.FormatInt(e.Max, 10)
	if e.Unit != "" {
		s += " " + e.Unit
	}
	return s
}

// HashError says that a configuration has no Hash, and that its keys are of a type for which there is none of ours.
type HashError struct{}

// Error says it in one line.
func (*HashError) Error() string {
	return "hash: nil, and keys are neither strings nor integers; want a function that hashes them"
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

// nameOf is the name of a state, or its number when it has none.
func nameOf(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return strconv.Itoa(int(i))
}
