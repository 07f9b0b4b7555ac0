package shard

import (
	"sort"
	"strconv"
)

// Map says which shard owns which keys. A Map is never changed: With makes the next version of it. The zero Map owns nothing.
type Map struct {
	Version int64  // from 1
	Parts   []Part // by First, which ascends from 0; not to be written
}

// Part is one partition: the keys from First to the next part's.
type Part struct {
	First Key
	Shard string // the owner
	Epoch int64  // under which it owns
	Move  Move   // the migration under way; zero when there is none
}

// Move is a migration that was decided: all that must be known to go on with it.
type Move struct {
	From, To string
	Epoch    int64 // of the term that it ends with
	Back     bool  // it goes back to where the partition came from
	Undo     bool  // it was called off before its cut-over: From is opened again, under Epoch
	Fault    Fault // for teaching: the way in which it is wrong
}

// Term is the route of the part: what a request must carry.
func (p *Part) Term() Term { return Term{Epoch: p.Epoch, Writer: p.Shard} }

// newest is the greatest epoch that was handed out.
func (p *Part) newest() int64 { return max(p.Epoch, p.Move.Epoch) }

// moving is true while the part has a migration.
func (p *Part) moving() bool { return p.Move.Epoch > 0 }

// published is true from the cut-over on.
func (p *Part) published() bool { return p.Shard == p.Move.To && !p.Move.Undo }

// NewMap makes version 1. It refuses parts that do not ascend from 0, have no shard, or an epoch below 1, with a *MapError.
func NewMap(parts ...Part) (Map, error) {
	m := Map{Version: 1, Parts: append([]Part(nil), parts...)}
	return m, m.check()
}

func (m Map) check() error {
	if len(m.Parts) == 0 || m.Parts[0].First != 0 {
		return &MapError{Field: "first", Want: "the first part must begin at key 0"}
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		switch {
		case p.First >= End, i > 0 && p.First <= m.Parts[i-1].First:
			return &MapError{Part: i, Field: "first", Got: int64(p.First), Want: "each part begins above the one before it and below the end of keys"}
		case p.Shard == "":
			return &MapError{Part: i, Field: "shard", Want: "a part needs an owner"}
		case p.Epoch < 1:
			return &MapError{Part: i, Field: "epoch", Got: p.Epoch, Want: "epochs begin at 1"}
		}
	}
	return nil
}

// Find returns the number of the part that holds a key. O(log parts). The Map must not be empty.
func (m Map) Find(k Key) int {
	return sort.Search(len(m.Parts)-1, func(i int) bool { return m.Parts[i+1].First > k })
}

// With is the next version of the map, in which one part is another.
//
//go:noinline
func (m Map) With(i int, p Part) Map {
	parts := append([]Part(nil), m.Parts...)
	parts[i] = p
	return Map{Version: m.Version + 1, Parts: parts}
}

// Follows says why a map cannot come after another: a *VersionError when somebody else was quicker, a *MapError when an epoch would
// come from the past. Every Owners asks it before it publishes.
func (m Map) Follows(was Map) error {
	if was.Version == 0 && m.Version == 1 {
		return m.check()
	}
	if m.Version != was.Version+1 {
		return &VersionError{Got: m.Version, Want: was.Version + 1}
	}
	if len(m.Parts) != len(was.Parts) {
		return &MapError{Field: "parts", Got: int64(len(m.Parts)), Want: "a map has as many parts as the one before it, " + strconv.Itoa(len(was.Parts))}
	}
	for i := range m.Parts {
		p, w := &m.Parts[i], &was.Parts[i]
		sameEpoch := w.Move.Fault&SameEpoch != 0
		switch {
		case p.First != w.First:
			return &MapError{Part: i, Field: "first", Got: int64(p.First), Want: "parts keep their keys: " + strconv.FormatInt(int64(w.First), 10)}
		case p.Epoch < w.Epoch, p.newest() < w.newest(), p.Shard != w.Shard && p.Epoch <= w.Epoch && !sameEpoch:
			return &MapError{Part: i, Field: "epoch", Got: p.Epoch, Want: "an epoch from the past; a new owner's is above " + strconv.FormatInt(w.newest(), 10)}
		}
	}
	return m.check()
}

// MapError is a part that cannot be.
type MapError struct {
	Part  int
	Field string
	Got   int64
	Want  string
}

// Error names the part and what would be right.
func (e *MapError) Error() string {
	return "map: part " + strconv.Itoa(e.Part) + ": " + e.Field + " " + strconv.FormatInt(e.Got, 10) + " does not fit; " + e.Want
}

// VersionError is a map that was made from one that is no longer the newest.
type VersionError struct{ Got, Want int64 }

// Error says both versions.
func (e *VersionError) Error() string {
	return "map: version " + strconv.FormatInt(e.Got, 10) + " does not follow, the next one is " + strconv.FormatInt(e.Want, 10) + "; load it again and decide anew"
}

// Owners keeps the newest Map for all routers and migrations: the one place where it is decided who owns what. Publish is a
// compare-and-set: it takes a map only when Follows has no objection, and it is durable when it returns without error.
type Owners interface {
	Load() (Map, error)
	Publish(Map) error
}

// Directory is Owners in memory. It is not safe for concurrent use; a copy of it is independent, because maps are never changed.
type Directory struct{ newest Map }

// Load returns the newest map; the zero Map when none was published.
func (d *Directory) Load() (Map, error) { return d.newest, nil }

// Publish takes the next version.
func (d *Directory) Publish(m Map) error {
	if err := m.Follows(d.newest); err != nil {
		return err
	}
	d.newest = m
	return nil
}
