// Package shardstore keeps a shard's rows, log and gate, and the map of owners, in SQLite files: package shard's Store and Owners for
// the command line and for anybody with one machine.
//
// # Contract
//
// A [File] is one partition's copy on one shard. It passes shardtest with every claim, durability and concurrency too. Each method is
// one transaction, except that writes of clients at the same time share one. Those that write take the write lock when they begin
// (BEGIN IMMEDIATE), so nothing is decided on a view that another write makes old, and a fence waits for the writes before it. What a
// method acknowledged is on disk: the journal is a WAL with synchronous FULL, so it outlasts the process and, as far as disk and system
// keep their word, the power. A process that is killed at any instant leaves either the whole transaction or nothing of it.
//
// A [Directory] is the map, each version of it kept.
//
// Both check at opening that the file is theirs, by its application_id: a database of another program, a file that is no database, the
// store of another name or one that a newer build made is refused with an *[OpenError] and left as it was. A full disk, or a file that
// has reached its bound, is a *[FullError]: that transaction did not happen, and all earlier ones are there.
//
// # Concurrency
//
// Files and directories are safe for concurrent use, and several processes may open one file. Transactions that write are one at a
// time, and each waits for the disk once. What clients write meanwhile goes into the next one together, up to 256 rows: the rate of
// acknowledged writes grows with the number of clients, while that of one client is at most what the disk can sync. Reads go through
// connections of their own, see the newest committed state and wait for nobody.
//
// # What it does not do
//
// It drops no tombstones, and no log unless [File.Trim] is asked to. Do not copy a file while it is open: use SQLite's backup or VACUUM
// INTO.
package shardstore

import (
	"database/sql"
	"embed"

	"seedbed/chapters/shard"
	"seedbed/web/store/sqlitefile"
)

//go:embed schema
var schemas embed.FS

var (
	shardKind = sqlitefile.Kind{What: "a shard", ID: 0x53625368, Schema: schemas, Folder: "schema/shard"}          // "SbSh"
	ownerKind = sqlitefile.Kind{What: "a map of owners", ID: 0x53624f77, Schema: schemas, Folder: "schema/owners"} // "SbOw"
)

// Options bound a file, and its errors say what is wrong with one.
type (
	Options   = sqlitefile.Options
	OpenError = sqlitefile.OpenError
	FullError = sqlitefile.FullError
)

// File is a shard.Store on SQLite.
type File struct {
	name  string
	db    sqlitefile.File
	group group
}

// Open opens the store of that name, and makes it when there is no file. The error is an *OpenError when the file is another's.
func Open(path, name string, o Options) (*File, error) {
	if name == "" {
		return nil, &OpenError{Code: "other-name", Path: path, Why: "the store has no name", Want: "give it one: it is the writer in its terms"}
	}
	db, err := sqlitefile.Open(path, &shardKind, o)
	if err != nil {
		return nil, err
	}
	f := &File{name: name, db: db}
	if err := f.claim(path); err != nil {
		db.Close()
		return nil, err
	}
	return f, nil
}

// claim gives a new file its name, and compares an older one's.
func (f *File) claim(path string) error {
	return f.db.Write(f.name, "open", func(tx *sql.Tx) error {
		if _, err := tx.Exec(`INSERT INTO store (id, name) VALUES (1, ?) ON CONFLICT DO NOTHING`, f.name); err != nil {
			return err
		}
		var is string
		if err := tx.QueryRow(`SELECT name FROM store`).Scan(&is); err != nil {
			return err
		}
		if is != f.name {
			return &OpenError{Code: "other-name", Path: path, Why: "it is the store of " + is, Want: "open it under that name"}
		}
		return nil
	})
}

// Close closes the file. What was acknowledged is there when it is opened again, also without Close.
func (f *File) Close() error { return f.db.Close() }

// Name is the store's name.
func (f *File) Name() string { return f.name }

// refuse is a refusal by the gate.
func (f *File) refuse(op string, why shard.Reason, t shard.Term, s *state, r shard.Row) error {
	return &shard.Refused{Store: f.name, Op: op, Reason: why, Term: t, Gate: s.Gate, Row: r}
}

// State reads gate, cursor and head.
func (f *File) State() (shard.State, error) {
	var s state
	err := s.scan(f.db.Reader.QueryRow(selectState))
	return s.State, f.db.Told(f.name, "state", err)
}

// Read returns a row to a client. Gate and row are read by one statement, and so are of one instant.
func (f *File) Read(t shard.Term, k shard.Key) (shard.Row, error) {
	s, r, err := stateAndRow(f.db.Reader, k)
	if err != nil {
		return shard.Row{}, f.db.Told(f.name, "read", err)
	}
	if why := s.Gate.Read(t); why != shard.Admitted {
		return shard.Row{}, f.refuse("read", why, t, &s, shard.Row{Key: k})
	}
	return r, nil
}

// Write takes a row from a client. Writes at the same time share a commit.
func (f *File) Write(t shard.Term, r shard.Row) (shard.Row, error) {
	p := pending{term: t, row: r}
	f.group.write(f, &p)
	if p.err != nil {
		return shard.Row{}, p.err
	}
	return p.row, nil
}

// Rows returns rows from a key on.
func (f *File) Rows(from shard.Key, n int) (out []shard.Row, err error) {
	err = eachRow(f.db.Reader, from, shard.End, n, func(r *shard.Row) bool {
		out = append(out, *r)
		return true
	})
	return out, f.db.Told(f.name, "rows", err)
}

// Log returns changes after a position.
func (f *File) Log(after int64, n int) (out []shard.Change, err error) {
	err = f.db.Read(f.name, "log", func(tx *sql.Tx) error {
		var s state
		if err := s.scan(tx.QueryRow(selectState)); err != nil {
			return err
		}
		if after < s.kept {
			return &shard.GapError{Store: f.name, After: after, Kept: s.kept}
		}
		rows, err := tx.Query(`SELECT position, epoch, writer, key, version, deleted, value FROM log WHERE position > ? ORDER BY position LIMIT ?`, after, max(n, 0))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var c shard.Change
			if err := rows.Scan(&c.Position, &c.Term.Epoch, &c.Term.Writer, &c.Row.Key, &c.Row.Version, &c.Row.Deleted, &c.Row.Value); err != nil {
				return err
			}
			out = append(out, c)
		}
		return rows.Err()
	})
	return out, err
}

// Digest digests a range, at one instant.
func (f *File) Digest(from, to shard.Key, n int) (d shard.Digest, err error) {
	err = f.db.Read(f.name, "digest", func(tx *sql.Tx) error {
		var s state
		if err := s.scan(tx.QueryRow(selectState)); err != nil {
			return err
		}
		d = shard.Digest{Next: to, Head: s.Head, Applied: s.Cursor.Applied}
		return eachRow(tx, from, to, n+1, func(r *shard.Row) bool {
			if d.Rows == n {
				d.Next = r.Key
				return false
			}
			d.Add(r)
			return true
		})
	})
	return d, err
}

// Apply takes rows from another store.
func (f *File) Apply(b shard.Batch) error {
	return f.db.Write(f.name, "apply", func(tx *sql.Tx) error {
		var s state
		if err := s.scan(tx.QueryRow(selectState)); err != nil {
			return err
		}
		gate, why := s.Gate.Apply(b.Term)
		if why == shard.Admitted && s.Cursor != b.Was {
			why = shard.Overtaken
		}
		if why != shard.Admitted {
			return f.refuse("apply", why, b.Term, &s, shard.Row{})
		}
		upsert, err := tx.Prepare(upsertRow)
		if err != nil {
			return err
		}
		defer upsert.Close()
		for i := range b.Rows {
			r := &b.Rows[i]
			if r.Version < 1 {
				continue // no row, as in memory
			}
			if _, err := upsert.Exec(r.Key, r.Version, r.Deleted, []byte(r.Value)); err != nil {
				return err
			}
		}
		s.Gate, s.Cursor = gate, b.Cursor
		return s.store(tx)
	})
}

// Turn changes the gate. It waits for the writes that began before it.
func (f *File) Turn(o shard.Order) error {
	op := o.Kind.String()
	return f.db.Write(f.name, op, func(tx *sql.Tx) error {
		var s state
		if err := s.scan(tx.QueryRow(selectState)); err != nil {
			return err
		}
		gate, why := s.Gate.Turn(o, f.name)
		if why == shard.Admitted && s.Cursor != o.Was {
			why = shard.Overtaken
		}
		if why != shard.Admitted {
			return f.refuse(op, why, o.Term, &s, shard.Row{})
		}
		s.Gate = gate
		if o.Kind == shard.ToReset {
			for _, q := range [...]string{`DELETE FROM rows`, `DELETE FROM log`} {
				if _, err := tx.Exec(q); err != nil {
					return err
				}
			}
			s.kept, s.Cursor = s.Head, shard.Cursor{Term: o.Term}
		}
		return s.store(tx)
	})
}

// Trim forgets the changes up to a position, once nobody needs them: before a migration is planned, or after it is cleaned up.
func (f *File) Trim(upTo int64) error {
	return f.db.Write(f.name, "trim", func(tx *sql.Tx) error {
		if _, err := tx.Exec(`DELETE FROM log WHERE position <= ?`, upTo); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE store SET kept = max(kept, min(head, ?))`, upTo)
		return err
	})
}

// eachRow calls f for the rows of a range, in the order of keys, until it says no more.
func eachRow(q sqlitefile.Ask, from, to shard.Key, n int, f func(*shard.Row) bool) error {
	rows, err := q.Query(`SELECT key, version, deleted, value FROM rows WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`, from, to, max(n, 0))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r shard.Row
		if err := rows.Scan(&r.Key, &r.Version, &r.Deleted, &r.Value); err != nil {
			return err
		}
		if !f(&r) {
			break
		}
	}
	return rows.Err()
}
