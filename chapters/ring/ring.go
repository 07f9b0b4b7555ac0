// Package ring decides which member of a set owns a key, so that few keys change hands when the set changes. One algorithm a file,
// all behind one door:
//
//	Owner(key) (name, ok)
//
// # What a snapshot promises
//
// A snapshot is built from a set of members, each a name and a weight, and never changes: any number of goroutines may read it
// without a lock, and a lab's checkpoint may share it. Another set gives another snapshot (With, Add, Remove), and an Atomic holds
// the one that counts now.
//
//   - It is a pure function of the set. The order in which members were named, the order in which they came and went, and a restart
//     change nothing: two processes that know the same members agree on every key. (Anchor alone remembers its history, and says so.)
//   - Points of members that collide are ordered by (hash, name, index), so a collision never depends on who came last, and removing
//     a member never takes another's point.
//   - A name is hashed by itself and the index of a point is mixed in by arithmetic. Nothing is concatenated, so "1" with "1a" can
//     never be mistaken for "11" with "a". Ketama, whose format is given, puts "-" and digits behind the name, which cannot be
//     mistaken either.
//   - Owners gives distinct members in an order that does not depend on how many were asked for: the first of three is the owner,
//     and the first two of three are the two.
//   - Empty is a state, not an accident: a snapshot whose last member left answers ("", false), -1 and no owners.
//   - What is passed in is copied, and what is handed out is a copy.
//
// Keys are strings, or 64-bit hashes that are uniform already (OwnerOfHash). Hashes are xxHash64 under a seed, for ketama MD5. They
// resist no adversary: where strangers choose the keys, draw the seed from a secret.
//
// # Which one
//
// Ring is the one to take when in doubt: 160 points a member on a circle of 64 bits, weights, a look-up that costs the same whatever
// the number of members, and only keys that must move do. Ketama is the same circle as libketama draws it, byte for byte, for clients
// that share a memcached pool with others. Rendezvous needs no table and spreads best, but looks at every member. Maglev is a table:
// the fastest look-up and an even spread, with a few needless moves. MultiProbe has one point a member and looks 21 times. Anchor
// and Jump spread as evenly as chance allows in a few bytes a member, without weights; with Jump only the member whose name is last
// may leave cheaply. Modulo is what everybody writes first, and moves nearly every key: the bad example.
//
// Loads puts a bound over any of them: no member holds more than its share of what is placed plus an allowance. Takeover lets heirs
// inherit step by step. Weigher turns measured use into weights without flapping. Moved counts what a change moves and what of it
// was needless; SpreadOf tells how even a distribution is.
//
// # What it does not do
//
// It moves no data, watches no health and talks to nobody. A ring evens out keys, not requests: one hot key is still one owner's.
package ring

// Member is one of those that can own keys.
type Member struct {
	Name   string // not empty, unique in a set
	Weight int64  // relative to the others', 1..MaxWeight; a member that shall own nothing is left out
}

// Limits of a set. An owner is stored in 16 bits.
const (
	MaxMembers = 1<<16 - 1
	MaxWeight  = 1_000_000
)

// Snapshot is the one door: the owners of keys for one set of members. It is wide, because a lab, a bench and a server that choose their
// algorithm at run time each need another part of it, and every algorithm can answer all of it.
//
// All of this package are immutable and safe for concurrent use. Members are named by their index in order of name, 0..Len()-1; an
// index means something only to its own snapshot.
type Snapshot interface {
	// Owner returns the name of the key's owner, and false when there is no member. No allocation.
	Owner(key string) (name string, ok bool)
	// Owners appends up to n distinct owners to dst, the key's owner first; fewer when there are fewer members, none for n < 1.
	Owners(key string, n int, dst []string) []string
	// HashOf is the hash under which a key is looked up.
	HashOf(key string) uint64
	// OwnerOfHash returns the index of the owner of a hash, -1 when there is no member. No allocation.
	OwnerOfHash(h uint64) int
	// OwnersOfHash is Owners by hash, with indexes.
	OwnersOfHash(h uint64, n int, dst []int) []int
	// Len, Member and Members tell the set, in order of name.
	Len() int
	Member(i int) Member
	Members() []Member
	// With returns the snapshot of another set under the same configuration. The set may be empty. The snapshot itself stays as it
	// is. Errors are *NameError and *RangeError.
	With(members []Member) (Snapshot, error)
	// Size is how many bytes a look-up can touch, without the members' names.
	Size() int
}

// Add returns the snapshot with one member more. A member that is there already with this weight is no change: the same snapshot
// and false. With another weight it is reweighed.
func Add(s Snapshot, m Member) (Snapshot, bool, error) {
	members := s.Members()
	i, found := find(members, m.Name)
	switch {
	case found && members[i].Weight == m.Weight:
		return s, false, nil
	case found:
		members[i].Weight = m.Weight
	default:
		members = append(members, m)
	}
	next, err := s.With(members)
	if err != nil {
		return s, false, err
	}
	return next, true, nil
}

// Remove returns the snapshot without one member. A name that is not there is no change: the same snapshot and false. When the last
// one leaves, the snapshot is empty and works on.
func Remove(s Snapshot, name string) (Snapshot, bool, error) {
	members := s.Members()
	i, found := find(members, name)
	if !found {
		return s, false, nil
	}
	next, err := s.With(append(members[:i], members[i+1:]...))
	if err != nil {
		return s, false, err
	}
	return next, true, nil
}

// Equal makes members of weight 1.
func Equal(names ...string) []Member {
	members := make([]Member, len(names))
	for i, name := range names {
		members[i] = Member{Name: name, Weight: 1}
	}
	return members
}
