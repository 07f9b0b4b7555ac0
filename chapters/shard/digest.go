package shard

import (
	"strconv"

	"seedbed/chapters/hashing"
)

// Digest is a fingerprint of the rows of a range, and where the store stood when it was taken. It finds what went wrong by accident;
// it does not defend against who would forge rows.
type Digest struct {
	Rows    int    // how many rows it covers, tombstones too
	Next    Key    // where to go on: the first key after them, or the range's end when it covers all
	Sum     uint64 // over key, version, tombstone and value of each row, in the order of keys
	Head    int64  // position of the store's own log
	Applied int64  // position in the other's log up to which it holds everything
}

// Add takes one more row, the next in the order of keys, and is how every Store makes its digests: O(len(value)), no allocation.
func (d *Digest) Add(r *Row) {
	var h hashing.Digest
	h.Reset(d.Sum)
	h.WriteUint64(uint64(r.Key))
	h.WriteUint64(uint64(r.Version))
	if r.Deleted {
		h.WriteUint64(1)
	} else {
		h.WriteUint64(0)
	}
	h.WriteString(r.Value)
	d.Sum = h.Sum64()
	d.Rows++
}

// MismatchError is two copies that differ where they must not, at the first key where they do. Nothing was switched; the migration
// stands at verify, and looks again with the next Step.
type MismatchError struct {
	From, To Key    // the range that was compared
	Key      Key    // the first row that differs; −1 when only the digests do
	Source   string // name of the one store, and its row; in version 0 when it has none
	SourceIs Row
	Target   string
	TargetIs Row
	Position int64 // in the log of the source, at which both were compared
}

// Error names the row, what either holds, and what to do.
func (e *MismatchError) Error() string {
	where := "verify: rows " + strconv.FormatInt(int64(e.From), 10) + ".." + strconv.FormatInt(int64(e.To)-1, 10) + " at position " + strconv.FormatInt(e.Position, 10)
	if e.Key < 0 {
		return where + ": the digests of " + e.Source + " and " + e.Target + " differ, their rows do not; one of the two counts wrongly"
	}
	return where + ": row " + strconv.FormatInt(int64(e.Key), 10) + " is " + e.SourceIs.text() + " in " + e.Source + " and " + e.TargetIs.text() + " in " + e.Target + "; mend the copy or roll back"
}

// text is "version 2 (ready)".
func (r *Row) text() string {
	switch {
	case r.Version == 0:
		return "missing"
	case r.Deleted:
		return "version " + strconv.FormatInt(r.Version, 10) + " (deleted)"
	}
	return "version " + strconv.FormatInt(r.Version, 10) + " (" + r.Value + ")"
}

// PositionError is a comparison that would mean nothing, because the two copies are not at one position.
type PositionError struct {
	Source         string
	Head, Compared int64
}

// Error says where either stands.
func (e *PositionError) Error() string {
	return "verify: the log of " + e.Source + " is at position " + strconv.FormatInt(e.Head, 10) + ", the copy at " +
		strconv.FormatInt(e.Compared, 10) + "; a fenced store must not move: find who writes past its gate, and roll back"
}

// difference finds the first row of a range that differs. It reads at most n+1 rows of either.
func difference(source, target Store, e *MismatchError, n int) error {
	a, err := source.Rows(e.From, n+1)
	if err != nil {
		return err
	}
	b, err := target.Rows(e.From, n+1)
	if err != nil {
		return err
	}
	e.Source, e.Target, e.Key = source.Name(), target.Name(), -1
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		x, y := rowAt(a, i, e.To), rowAt(b, j, e.To)
		if x == y && x.Key < e.To {
			continue
		}
		e.Key = min(x.Key, y.Key)
		if e.Key == e.To {
			e.Key = -1
		}
		if x.Key == e.Key {
			e.SourceIs = x
		}
		if y.Key == e.Key {
			e.TargetIs = y
		}
		return e
	}
}

// rowAt is row i of a range, or a row at its end.
func rowAt(rows []Row, i int, end Key) Row {
	if i < len(rows) && rows[i].Key < end {
		return rows[i]
	}
	return Row{Key: end}
}
