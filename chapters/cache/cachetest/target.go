package cachetest

// Target is a cache under test, of any type C, and what it promises.
type Target[C any] struct {
	// New makes an empty cache with room for as many entries as capacity says.
	New func(capacity int) C
	// Get looks a key up, and counts as a use of it.
	Get func(c C, now int64, key string) (int, bool)
	// Set keeps a value for ttl ns; 0 means that no time ends it, below 0 that it is over already.
	Set func(c C, now int64, key string, value int, ttl int64)
	// Delete forgets a key. It may be nil if Deletes is not claimed.
	Delete func(c C, key string)
	// Len tells how many entries there are, those that are over and not yet noticed among them. It may be nil: then those that Get
	// finds are counted.
	Len func(c C) int

	Claims Claim

	// Capacities are those that are tried; nil means 1, 2, 8 and 1000. A cache in shards has no use for the smallest.
	Capacities []int
	// Seeds is the number of trials; 0 means 8.
	Seeds int
}

// Claim is a set of promises to be tested.
type Claim uint32

const (
	// Kept: what was set is found right after, whatever the policy.
	Kept Claim = 1 << iota
	// True: Get finds nothing but what was set last for just this key.
	True
	// Bounded: never more entries than the capacity.
	Bounded
	// Roomy: nothing is evicted while there is room.
	Roomy
	// Deletes: what was deleted is gone, and to delete what is not there does no harm.
	Deletes
	// Expires: an entry is there until ttl after it was set, and then no longer, to the nanosecond; setting it again begins anew.
	Expires
	// Ends: a ttl of 0 has no end, one below 0 leaves nothing, and the shortest is not rounded to either.
	Ends
	// Repeats: two caches answer the same calls alike.
	Repeats
	// Scans: keys that come once do not push out those that come often: with one in five such, at least as many hits as exact LRU
	// has.
	Scans
	// Concurrent: many goroutines at once see only what was set, and no more than fits.
	Concurrent

	// Full is every claim but Concurrent.
	Full = Concurrent - 1
)

// TB is the part of *testing.T that the checks use. A recording implementation shows that a check can fail.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// names are the claims, as the subtests are named, in order of their bits.
var names = [...]string{"kept", "true", "bounded", "roomy", "deletes", "expires", "ends", "repeats", "scans", "concurrent"}

// String lists the claims.
func (c Claim) String() string { return listed(uint32(c), names[:]) }

// listed are the names of the bits that are set.
func listed(set uint32, names []string) string {
	s := ""
	for i, name := range names {
		if set&(1<<i) == 0 {
			continue
		}
		if s != "" {
			s += "|"
		}
		s += name
	}
	if s == "" {
		return "none"
	}
	return s
}
