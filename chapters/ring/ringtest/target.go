package ringtest

import "seedbed/chapters/ring"

// Target is a ring under test, of any type R, and what it promises.
type Target[R any] struct {
	// New builds a ring of members with distinct names and weights of 1, or more where Weighted is claimed.
	New func(members []ring.Member) (R, error)

	// Owner tells the member that owns a key, and false when there is none.
	Owner func(r R, key string) (name string, ok bool)

	// Owners tells up to n distinct owners. It may be nil if neither Distinct nor Heirs is claimed.
	Owners func(r R, key string, n int) []string

	// With tells the ring after its members have become others, which may be none. It may change r and return it, unless Immutable is
	// claimed. If it is nil, rings are built anew, and Empty cannot be claimed.
	With func(r R, members []ring.Member) (R, error)

	Claims Claim

	// Spread is the bar of Even: the largest coefficient of variation of keys per member, in parts per million of the mean, on top of
	// what chance does to a finite number of keys. Weighted allows shares to miss their weight by a tenth and four times this.
	Spread int64

	// Needless is how many keys in a million may move without a reason, the mean over the changes tried. 0 for a ring.
	Needless int64

	// LastOnly says that members join and leave only at the end, in order of their numbers: jump hash.
	LastOnly bool

	// Members is the largest number of members in a trial; 0 means 16. Seeds is the number of trials; 0 means 12.
	Members, Seeds int
}

// Claim is a set of promises to be tested.
type Claim uint32

const (
	// Total: every key has an owner, and it is a member.
	Total Claim = 1 << iota
	// Repeats: two rings of the same members answer alike.
	Repeats
	// Unordered: the order in which members are named does not matter.
	Unordered
	// Historyless: a ring that went through many changes answers like one built anew of the members it has.
	Historyless
	// Minimal: a member that joins takes keys but moves none between others, and one that leaves gives away its own and no others.
	Minimal
	// Even: keys are spread over members as evenly as Spread says.
	Even
	// Weighted: shares follow weights, and a weight that is raised moves keys only to its member.
	Weighted
	// Distinct: Owners are distinct members beginning with the owner; more of them begin with fewer; all when more are asked for than
	// there are; none for n < 1.
	Distinct
	// Heirs: the second of Owners is the owner once the first has left.
	Heirs
	// Empty: without members there is no owner, and no panic; members may come back.
	Empty
	// Once: a name that is given twice is refused, or counts once.
	Once
	// Copies: what the caller does later to the slice of members changes nothing.
	Copies
	// Immutable: With leaves the old ring as it was, also for goroutines that read it meanwhile.
	Immutable

	// Full is every claim.
	Full = Immutable<<1 - 1
)

// Of is a target of snapshots as package ring makes them.
func Of(build func(members []ring.Member) (ring.Snapshot, error), claims Claim) Target[ring.Snapshot] {
	return Target[ring.Snapshot]{
		New:    build,
		Owner:  ring.Snapshot.Owner,
		Owners: func(s ring.Snapshot, key string, n int) []string { return s.Owners(key, n, nil) },
		With:   ring.Snapshot.With,
		Claims: claims,
	}
}

// TB is the part of *testing.T that the checks use. A recording implementation shows that a check can fail.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// names are the claims, as the subtests are named, in order of their bits.
var names = [...]string{"total", "repeats", "unordered", "historyless", "minimal", "even", "weighted", "distinct", "heirs", "empty", "once",
	"copies", "immutable"}

// String lists the claims.
func (c Claim) String() string {
	s := ""
	for i, name := range names {
		if c&(1<<i) == 0 {
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
