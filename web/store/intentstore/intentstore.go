// Package intentstore keeps the records of a log of intents in a SQLite file: package intent's Store for anybody with one machine.
//
//	store, err := intentstore.Open("orders.db", intentstore.Options{})
//	log, err := intent.New(cfg, store)
//
// # Contract
//
// It passes intenttest with every claim, durability and concurrency too. Append is one transaction and returns nil when the record is on
// disk: it outlasts the process and, as far as disk and system keep their word, the power. A process that is killed at any instant leaves
// the whole record or nothing of it; a test kills processes to see.
//
// A log is one process's at a time, since its state is in that process's memory. So opening a file is a fence: each Open takes the next
// epoch, and an Append of whoever opened it before is refused with a *[TakenError] in the very transaction that would have written. The
// epoch is taken before anything is read, and so what a new process reads is all that there will ever be of the old one.
//
// A file that is not ours is refused with an *[OpenError], and one without room for a record with a *[FullError]; then nothing was written.
//
// # What it does not do
//
// It drops no records: a log that has run for long is read from its beginning at each start. Each Append waits for the disk, one after
// another, because the log that calls it does; the rate is what the disk can sync. Do not copy a file while it is open: use SQLite's
// backup or VACUUM INTO.
package intentstore

import (
	"database/sql"
	"embed"
	"strconv"

	"seedbed/chapters/intent"
	"seedbed/web/store/sqlitefile"
)

//go:embed schema
var schemas embed.FS

var kind = sqlitefile.Kind{What: "a log of intents", ID: 0x5362496e, Schema: schemas, Folder: "schema"} // "SbIn"

// Options bound a file, and its errors say what is wrong with one.
type (
	Options   = sqlitefile.Options
	OpenError = sqlitefile.OpenError
	FullError = sqlitefile.FullError
)

// Store is an intent.Store on SQLite. It is safe for concurrent use.
type Store struct {
	db    sqlitefile.File
	epoch int64
}

var _ intent.Store = (*Store)(nil)

// TakenError is an Append by somebody after whom the file was opened again. Nothing was written, and nothing ever will be.
type TakenError struct{ Epoch int64 }

// Error says what to do.
func (e *TakenError) Error() string {
	return "append to a log of intents: the file was opened again since epoch " + strconv.FormatInt(e.Epoch, 10) + ", and is somebody else's now; end this process, or open it anew"
}

// Open opens a log's file for one process, and makes it when there is no file. Whoever has it open can no longer append. The error is an
// *OpenError when the file is another's.
func Open(path string, o Options) (*Store, error) {
	db, err := sqlitefile.Open(path, &kind, o)
	if err != nil {
		return nil, err
	}
	s := &Store{db: db}
	err = db.Write(path, "open", func(tx *sql.Tx) error {
		return tx.QueryRow(`UPDATE owner SET epoch = epoch + 1 RETURNING epoch`).Scan(&s.epoch)
	})
	if err != nil {
		db.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the file. What was appended is there when it is opened again, also without Close.
func (s *Store) Close() error { return s.db.Close() }

// Append writes one record behind all others. The epoch is compared in the same statement, and so in the same transaction.
func (s *Store) Append(r intent.Record) error {
	done, err := s.db.Writer.Exec(`INSERT INTO record (kind, id, attempt, at, body) SELECT ?, ?, ?, ?, ? FROM owner WHERE epoch = ?`,
		r.Kind, int64(r.ID), r.Attempt, r.At, []byte(r.Body), s.epoch)
	if err != nil {
		return s.db.Told("intents", "append", err)
	}
	n, err := done.RowsAffected()
	if err == nil && n == 0 {
		return &TakenError{s.epoch}
	}
	return err
}

// ReadAt reads records from number from on, counted from 0, and returns how many.
func (s *Store) ReadAt(from int64, into []intent.Record) (n int, err error) {
	rows, err := s.db.Reader.Query(`SELECT kind, id, attempt, at, body FROM record WHERE number > ? ORDER BY number LIMIT ?`, from, len(into))
	if err != nil {
		return 0, s.db.Told("intents", "read", err)
	}
	defer rows.Close()
	for rows.Next() {
		r, id := &into[n], int64(0)
		if err := rows.Scan(&r.Kind, &id, &r.Attempt, &r.At, &r.Body); err != nil {
			return 0, s.db.Told("intents", "read", err)
		}
		r.ID = uint64(id)
		n++
	}
	return n, s.db.Told("intents", "read", rows.Err())
}
