// Package hotkey finds the few keys that most requests are for, and does something about them: one key has one owner, so whatever the
// number of shards, all requests for a hot key are for one of them.
//
// # Finding them
//
//		d.AddAt(now, id)
//		for _, c := range d.TopAt(now, 16) { … c.ID was asked for at most c.N times, and at least c.N − c.Over … }
//
//	  - Window counts every key in the last while, exactly: as much memory as keys, and the measure of the others.
//	  - CountMin adds each key to one counter in each of a few rows, and believes the lowest: never too low, and too high by more than
//	    a share ε of all requests with a probability of δ at most. It keeps the top of what it has seen.
//	  - SpaceSaving has m counters with names; a new key takes over the lowest and its count. What more than one in m requests were for is
//	    always among them, and each says by how much it may be too high.
//	  - HeavyKeeper lets keys fight for a place in each row: a stranger takes one off the holder's count, by a chance that falls with
//	    the count. Hot keys keep their places, and the rest leaves nothing behind: never too high, but for two keys with one fingerprint.
//	  - LFU is what Redis has at hand, a logarithmic counter of 8 bits with each key, and a scan over all of them.
//
// A list of what was used last (LRU) is no such thing: a key that was just scanned once stands at its head.
//
// All count for ever unless told to halve. Without that a key that was hot an hour ago stays on top of those that are hot now.
//
// # Doing something
//
//   - Copies keeps a value under several names, k:1 … k:N, on shards that all differ. For values that are read.
//   - Local keeps a value in the process for a moment. For values that may be a moment old.
//   - Sum splits a number that is added to, such as likes, and merges it to read it.
//   - Stock splits a number that must not go below 0, such as what is left to sell. A copy of it in each place would sell it N times.
//
// # What is promised
//
// A key is a number: a name's hash (hashing.Sum64String), or an id. A caller that wants names keeps those of the keys that AddAt reports to be
// among the top. Instants are nanoseconds on a clock that the caller owns, and one older than one seen before counts as the newest
// seen. Nothing here reads a clock, waits or starts a goroutine; chance comes from the Seed of a configuration. Lists are in order: the
// highest count first, and of equal ones the lower id.
//
// All are plain values for one goroutine: slices of numbers, no map, no pointer into themselves. Clone copies the whole state, Size tells
// its bytes. The zero value counts nothing and finds nothing. Constructors check their configuration once and return a *RangeError; nothing
// fails later.
//
// # What it does not do
//
// It samples nothing (count each request, or one in a hundred and know that rates are a hundredth), sends nothing between
// processes, and does not say from which count on a key is hot: that is a share of what one shard can do.
package hotkey

import (
	"strconv"

	"seedbed/chapters/hashing"
)

// Count is a key and how often it was asked for.
type Count struct {
	ID   uint64
	N    int64 // an estimate
	Over int64 // by how much N may be too high, where that is known: the true number lies in N − Over .. N; else 0
}

// Detector is a counter of keys that knows the highest. Pointers to Window, CountMin, SpaceSaving, HeavyKeeper and LFU implement it.
type Detector interface {
	AddAt(now int64, id uint64) (top bool) // counts one request, and reports whether the key is on its list of the highest now
	TopAt(now int64, k int) []Count        // the highest k, or fewer
	Copy() Detector                        // an independent copy
	Size() int                             // bytes of state now, without configuration
}

// Bounds of a configuration.
const (
	MaxKeys     = 1 << 22 // that are kept by name
	MaxWidth    = 1 << 24
	MaxDepth    = 16
	MaxBuckets  = 1 << 10
	MaxDuration = 1 << 62 // ns, 146 years
)

// RangeError says which field of a configuration is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "width", "keys" …
	Got, Min, Max int64
	Unit          string // what follows the range, such as "ns"; may be empty
}

// Error says it in one line: "width: 0 is outside 1..16777216 counters".
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

const maxInt64 = 1<<63 - 1

// since is to − from, 0 when to is earlier, MaxInt64 when no int64 can say it.
func since(from, to int64) int64 {
	if to <= from {
		return 0
	}
	return int64(min(uint64(to)-uint64(from), maxInt64))
}

// floorDiv is ⌊a/b⌋ for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// golden is 2^64 ÷ the golden ratio, odd: SplitMix64's step.
const golden = 0x9E3779B97F4A7C15

// stream is SplitMix64: random numbers that a seed names.
type stream uint64

func (s *stream) next() uint64 {
	*s += golden
	return hashing.Mix64(uint64(*s))
}
