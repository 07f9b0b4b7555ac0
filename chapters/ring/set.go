package ring

import (
	"slices"
	"strconv"
	"strings"
)

// Set is the members of a snapshot, in order of name. Every snapshot embeds one. The zero value is the empty set.
type Set struct {
	members []Member
}

// newSet checks members and copies them; least is the fewest there may be.
func newSet(members []Member, least int) (Set, error) {
	if err := within("members", int64(len(members)), int64(least), MaxMembers); err != nil {
		return Set{}, err
	}
	order := make([]uint16, len(members)) // by name, for errors that name the caller's own places
	for i, m := range members {
		if m.Name == "" {
			return Set{}, &NameError{Index: i, Other: -1}
		}
		if m.Weight < 1 || m.Weight > MaxWeight {
			return Set{}, &RangeError{Field: "weight of " + m.Name, Got: m.Weight, Min: 1, Max: MaxWeight}
		}
		order[i] = uint16(i)
	}
	slices.SortStableFunc(order, func(a, b uint16) int { return strings.Compare(members[a].Name, members[b].Name) })
	sorted := make([]Member, len(members))
	for i, from := range order {
		sorted[i] = members[from]
		if i > 0 && sorted[i].Name == sorted[i-1].Name {
			return Set{}, &NameError{Name: sorted[i].Name, Index: int(from), Other: int(order[i-1])}
		}
	}
	return Set{members: sorted}, nil
}

// Len is how many members there are.
func (s *Set) Len() int { return len(s.members) }

// Member returns the i-th member in order of name, 0 ≤ i < Len().
func (s *Set) Member(i int) Member { return s.members[i] }

// Members returns a copy of the members, in order of name.
func (s *Set) Members() []Member { return slices.Clone(s.members) }

// Index returns the index of a name, and whether it is there. O(log Len).
func (s *Set) Index(name string) (int, bool) { return find(s.members, name) }

// find looks for a name among members in order of name.
func find(members []Member, name string) (int, bool) {
	return slices.BinarySearchFunc(members, name, func(m Member, name string) int { return strings.Compare(m.Name, name) })
}

// newUnweighted is newSet for algorithms that know no weights: all must be the same.
func newUnweighted(members []Member, least int) (Set, error) {
	s, err := newSet(members, least)
	if err != nil {
		return Set{}, err
	}
	for _, m := range s.members {
		if w := s.members[0].Weight; m.Weight != w {
			return Set{}, &RangeError{Field: "weight of " + m.Name + ", which this algorithm wants equal", Got: m.Weight, Min: w, Max: w}
		}
	}
	return s, nil
}

// nameOf is the answer of Owner for an index.
func (s *Set) nameOf(i int) (string, bool) {
	if uint(i) >= uint(len(s.members)) {
		return "", false
	}
	return s.members[i].Name, true
}

// appendNames is the answer of Owners for indexes.
func (s *Set) appendNames(dst []string, owners []int) []string {
	for _, i := range owners {
		dst = append(dst, s.members[i].Name)
	}
	return dst
}

// fewOwners is how many owners are found without an allocation, and aFew is the room for them.
const fewOwners = 8

type aFew [fewOwners]int

// contains reports whether i is among the owners found so far. They are few, so a scan beats any set.
func contains(owners []int, i int) bool {
	for _, o := range owners {
		if o == i {
			return true
		}
	}
	return false
}

// RangeError says which field of a configuration, or which count, is outside its range, and the range.
type RangeError struct {
	Field         string // in lower case: "members", "weight of b", "points" …
	Got, Min, Max int64
}

// Error says it in one line: "weight of b: 0 is outside 1..1000000".
func (e *RangeError) Error() string {
	return e.Field + ": " + strconv.FormatInt(e.Got, 10) + " is outside " + strconv.FormatInt(e.Min, 10) + ".." + strconv.FormatInt(e.Max, 10)
}

// within returns nil when got lies in lo..hi, else the error that names the field.
func within(field string, got, lo, hi int64) error {
	if got >= lo && got <= hi {
		return nil
	}
	return &RangeError{Field: field, Got: got, Min: lo, Max: hi}
}

// NameError says that a member has no name, or one that another member has.
type NameError struct {
	Name  string // empty when that is the fault
	Index int    // of the member, in the list as passed in
	Other int    // of the one that has the name already; -1 when the name is empty
}

// Error says it in one line: "members[3]: the name \"a\" is taken by members[0]; each needs its own".
func (e *NameError) Error() string {
	at := "members[" + strconv.Itoa(e.Index) + "]: "
	if e.Other < 0 {
		return at + "the name is empty; each member needs one"
	}
	return at + "the name " + strconv.Quote(e.Name) + " is taken by members[" + strconv.Itoa(e.Other) + "]; each needs its own"
}
