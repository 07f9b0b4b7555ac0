package shard

import (
	"slices"
	"sort"
)

// Memory is a Store in memory: two slices of values, for tests and for the browser. It is not safe for concurrent use, its calls
// return no errors but refusals, and Clone copies it whole. A look-up is O(log n), a write of a new key O(n), one of a known key
// O(log n); nothing but growth and refusals allocates.
type Memory struct {
	name  string
	state State
	kept  int64 // changes after this position are in the log
	rows  []Row
	log   []Change
}

// NewMemory makes an empty store, closed for everybody.
func NewMemory(name string) Memory { return Memory{name: name} }

// Clone returns a store that shares nothing that either may write.
//
//go:noinline
func (m *Memory) Clone() Memory {
	c := *m
	c.rows, c.log = slices.Clone(m.rows), slices.Clone(m.log)
	return c
}

// Size is about how many bytes of memory the store takes, values left out.
func (m *Memory) Size() int { return 48*len(m.rows) + 80*len(m.log) + 200 }

// Name is the store's name.
func (m *Memory) Name() string { return m.name }

// State is the store's state.
func (m *Memory) State() (State, error) { return m.state, nil }

// find returns the index of the first row with that key or a greater one.
func (m *Memory) find(k Key) int {
	return sort.Search(len(m.rows), func(i int) bool { return m.rows[i].Key >= k })
}

// at returns the row of that key, or one in version 0.
//
//go:noinline
func (m *Memory) at(k Key) (int, Row) {
	i := m.find(k)
	if i < len(m.rows) && m.rows[i].Key == k {
		return i, m.rows[i]
	}
	return i, Row{Key: k}
}

// put is slices.Insert, by hand: that one rotates, and is 2 KiB of module.
func (m *Memory) put(i int, r Row) {
	if i == len(m.rows) || m.rows[i].Key != r.Key {
		m.rows = append(m.rows, r)
		copy(m.rows[i+1:], m.rows[i:])
	}
	m.rows[i] = r
}

// refuse makes an error of a reason. It is out of line: six methods end in it.
//
//go:noinline
func (m *Memory) refuse(op string, why Reason, t Term, r Row) error {
	return &Refused{Store: m.name, Op: op, Reason: why, Term: t, Gate: m.state.Gate, Row: r}
}

// Read returns a row to a client.
func (m *Memory) Read(t Term, k Key) (Row, error) {
	_, r := m.at(k)
	if why := m.state.Gate.Read(t); why != Admitted {
		return Row{}, m.refuse("read", why, t, Row{Key: k})
	}
	return r, nil
}

// Write takes a row from a client.
func (m *Memory) Write(t Term, r Row) (Row, error) {
	i, is := m.at(r.Key)
	r, why := m.state.Gate.Accept(t, r, is)
	if why != Admitted {
		return Row{}, m.refuse("write", why, t, is)
	}
	m.put(i, r)
	m.state.Head++
	m.log = append(m.log, Change{Position: m.state.Head, Term: t, Row: r})
	return r, nil
}

// Rows returns rows from a key on.
func (m *Memory) Rows(from Key, n int) ([]Row, error) {
	rest := m.rows[m.find(from):]
	return rest[:min(max(n, 0), len(rest))], nil
}

// Log returns changes after a position.
func (m *Memory) Log(after int64, n int) ([]Change, error) {
	if after < m.kept {
		return nil, &GapError{Store: m.name, After: after, Kept: m.kept}
	}
	rest := m.log[min(after-m.kept, int64(len(m.log))):]
	return rest[:min(max(n, 0), len(rest))], nil
}

// Digest digests a range.
func (m *Memory) Digest(from, to Key, n int) (Digest, error) {
	d := Digest{Next: to, Head: m.state.Head, Applied: m.state.Cursor.Applied}
	for _, r := range m.rows[m.find(from):] {
		if r.Key >= to {
			break
		}
		if d.Rows == n {
			d.Next = r.Key
			break
		}
		d.Add(&r)
	}
	return d, nil
}

// Apply takes rows from another store.
func (m *Memory) Apply(b Batch) error {
	gate, why := m.state.Gate.Apply(b.Term)
	if why == Admitted && m.state.Cursor != b.Was {
		why = Overtaken
	}
	if why != Admitted {
		return m.refuse("apply", why, b.Term, Row{})
	}
	for _, r := range b.Rows {
		if i, is := m.at(r.Key); r.Version > is.Version {
			m.put(i, r)
		}
	}
	m.state.Gate, m.state.Cursor = gate, b.Cursor
	return nil
}

// Turn changes the gate.
func (m *Memory) Turn(o Order) error {
	gate, why := m.state.Gate.Turn(o, m.name)
	if why == Admitted && m.state.Cursor != o.Was {
		why = Overtaken
	}
	if why != Admitted {
		return m.refuse(o.Kind.String(), why, o.Term, Row{})
	}
	m.state.Gate = gate
	if o.Kind == ToReset {
		m.rows, m.log = m.rows[:0], m.log[:0]
		m.kept, m.state.Cursor = m.state.Head, Cursor{Term: o.Term}
	}
	return nil
}

// Trim forgets the changes up to a position, once nobody needs them: before a migration is planned, or after it is cleaned up.
func (m *Memory) Trim(upTo int64) {
	n := min(upTo, m.state.Head) - m.kept
	if n > 0 {
		m.log = append(m.log[:0], m.log[n:]...)
		m.kept += n
	}
}
