package input

import (
	"slices"

	"seedbed/chapters/hashing"
)

// Arrivals are the requests of a log in the order of their instants.
type Arrivals struct {
	At    []int64  // ns from the first request, ascending; At[0] is 0
	Key   []int32  // index into Names for each request, -1 without one
	Names []string // keys, in the order of their first request
}

// noKey is the key of a request that has none.
const noKey int32 = -1

// Spread is where requests go that the log puts at one instant.
type Spread uint8

// The ways to spread. KeepTogether is the default because it claims nothing that
// the log does not say; but a log of whole seconds then looks to a limiter like
// one burst at the start of each second, and a run that is to judge a limit per
// second or less wants SpreadEvenly, the mildest order that the log allows.
const (
	KeepTogether Spread = iota // as the log says: at the same instant, in its order
	SpreadEvenly               // at equal distances over one step of the resolution, in its order
)

// The seeds of the two lanes, as those of a trace's digest.
const (
	laneA = 0
	laneB = 0x5eedbed
)

// Digest names these arrivals: 32 lower-case hex digits, two lanes of xxHash64
// over (instant, key) of each request. It is what a Spec carries as input=. The
// names of the keys are not in it, so it tells nothing about anybody.
func (a *Arrivals) Digest() string {
	var lanes [2]hashing.Digest
	lanes[0].Reset(laneA)
	lanes[1].Reset(laneB)
	for i, at := range a.At {
		for l := range lanes {
			lanes[l].WriteUint64(uint64(at))
			lanes[l].WriteUint64(uint64(a.Key[i]))
		}
	}
	var out [32]byte
	for i := range out {
		nibble := lanes[i>>4].Sum64() >> (60 - i&15*4) & 15
		out[i] = "0123456789abcdef"[nibble]
	}
	return string(out[:])
}

// entry is a request while the log is read: 16 bytes.
type entry struct {
	at  int64 // ns since 1970
	key int32 // in the order of reading
	seq int32 // place among the requests, which makes any sort stable
}

// finish sorts the requests and fills in what can only be known of all of them.
func (r *Report) finish(entries []entry, keys *keyTable, spread Spread) Arrivals {
	if r.OutOfOrder > 0 {
		slices.SortFunc(entries, func(a, b entry) int {
			if a.at != b.at {
				if a.at < b.at {
					return -1
				}
				return 1
			}
			return int(a.seq - b.seq)
		})
	}
	first, last := entries[0].at, entries[len(entries)-1].at
	r.Start, r.Span, r.Resolution = first, last-first, resolution(entries)

	a := Arrivals{At: make([]int64, len(entries)), Key: make([]int32, len(entries))}
	for i, e := range entries {
		a.At[i] = e.at - first
		if i > 0 {
			r.LargestGap = max(r.LargestGap, a.At[i]-a.At[i-1])
		}
	}
	a.number(entries, keys)
	r.Keys = len(a.Names)
	for _, k := range a.Key {
		if k == noKey {
			r.Unkeyed++
		}
	}
	for from := 0; from < len(a.At); {
		to := from + 1
		for to < len(a.At) && a.At[to] == a.At[from] {
			to++
		}
		n := to - from
		r.MostShared = max(r.MostShared, n)
		if n > 1 {
			r.Shared += n
		}
		if spread == SpreadEvenly {
			for i := range n {
				a.At[from+i] += int64(i) * r.Resolution / int64(n)
			}
		}
		from = to
	}
	return a
}

// number gives the keys their final numbers, by first request in time and not in
// the file: lines in another order then have the same numbers.
func (a *Arrivals) number(entries []entry, keys *keyTable) {
	final := make([]int32, len(keys.names))
	for i := range final {
		final[i] = noKey
	}
	for i, e := range entries {
		a.Key[i] = noKey
		if e.key == noKey {
			continue
		}
		if final[e.key] == noKey {
			final[e.key] = int32(len(a.Names))
			a.Names = append(a.Names, keys.names[e.key])
		}
		a.Key[i] = final[e.key]
	}
}

const (
	second = 1_000_000_000
	minute = 60 * second
)

// resolution is the coarsest step that divides every instant.
func resolution(entries []entry) int64 {
	step := int64(minute)
	for _, e := range entries {
		for e.at%step != 0 {
			if step == minute {
				step = second
			} else {
				step /= 10
			}
		}
	}
	return step
}

// keyTable interns keys up to its bounds.
type keyTable struct {
	ids   map[string]int32
	names []string
}

func newKeyTable() keyTable { return keyTable{ids: map[string]int32{}} }

// id returns the number of a key, new or known; an empty key and one for which
// there is no more room have none.
func (t *keyTable) id(key []byte) int32 {
	key = key[:min(len(key), MaxName)]
	if len(key) == 0 {
		return noKey
	}
	if id, ok := t.ids[string(key)]; ok {
		return id
	}
	if len(t.names) >= MaxKeys {
		return noKey
	}
	name, id := string(key), int32(len(t.names))
	t.ids[name] = id
	t.names = append(t.names, name)
	return id
}
