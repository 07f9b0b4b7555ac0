// Package sqlitefile opens SQLite files of our own kinds and runs short transactions on them, for the stores beside it.
//
// A kind is an application_id in the file's header and a folder of schema files, one a version. A file of another kind, of another
// program or of a newer build is refused with an *[OpenError] and left as it was; an older one is brought up to date in one transaction.
//
// One connection writes, and takes the write lock when a transaction begins (BEGIN IMMEDIATE), so that nothing is decided on a view that
// another write makes old. Others read beside it and wait for nobody. The journal is a WAL with synchronous FULL: what Write has returned
// nil for is on disk, and a process that is killed leaves the whole transaction or nothing of it. Where there is no room it is a
// *[FullError].
package sqlitefile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// Kind is a kind of file: the id in its header, and how it came to be.
type Kind struct {
	What   string // with its article, for errors: "a shard"
	ID     int64  // application_id
	Schema fs.FS
	Folder string // of Schema, with one file a version, in the order of their names
}

// Options bound a file.
type Options struct {
	// MaxPages is PRAGMA max_page_count: the most pages, of 4 KiB each, that the file may have. 0 is SQLite's own bound.
	MaxPages int64
}

// SQLite's result codes that mean something here.
const (
	codeFull  = 13
	codeShm   = 10 | 19<<8 // the file beside a WAL cannot grow: the same, before there is a WAL
	codeNoDB  = 26
	basicCode = 0xff
)

// OpenError is a file that cannot be opened as what it should be. It was not changed.
type OpenError struct {
	Code            string // what is wrong: there, foreign, no-database, newer, unreadable, unwritable, other-name
	Path, Why, Want string
	Err             error // of SQLite or the system; may be nil
}

// Error says which file, why, and what would be right.
func (e *OpenError) Error() string {
	s := "open " + e.Path + ": " + e.Why
	if e.Err != nil {
		s += " (" + e.Err.Error() + ")"
	}
	return s + "; " + e.Want
}

// Unwrap is the cause.
func (e *OpenError) Unwrap() error { return e.Err }

// FullError is a transaction for which there was no room: a full disk, or a file at its bound. It did not happen, and what was
// acknowledged before is there.
type FullError struct {
	Store, Op string
	Err       error
}

// Error says what did not happen and what to do.
func (e *FullError) Error() string {
	return e.Op + " at " + e.Store + ": no room: " + e.Err.Error() + "; nothing was changed, make room and try again"
}

// Unwrap is SQLite's error.
func (e *FullError) Unwrap() error { return e.Err }

// File is one connection that writes and some that read. It is safe for concurrent use, and so is one file of several processes.
type File struct{ Writer, Reader *sql.DB }

// Ask is what can be asked: a connection, or a transaction.
type Ask interface {
	Query(query string, args ...any) (*sql.Rows, error)
	QueryRow(query string, args ...any) *sql.Row
}

// background is the context of every call: a store is asked without a deadline, and a transaction is short.
var background = context.Background()

// dsn names a file with what every connection needs. Without "file:" SQLite would not see the parameters; from the root on, because an
// empty path and one called :memory: would be databases that are nowhere.
func dsn(path, mode string, more ...string) string {
	if from, err := filepath.Abs(path); err == nil {
		path = from
	}
	q := url.Values{"mode": {mode}, "_pragma": append([]string{"busy_timeout(10000)", "foreign_keys(1)"}, more...)}
	if mode != "ro" {
		q.Set("_txlock", "immediate")
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), RawQuery: q.Encode()}).String()
}

// Open opens a file of the kind, or makes it. An older one is brought up to date.
func Open(path string, kind *Kind, o Options) (db File, err error) {
	if path == "" {
		return db, &OpenError{Code: "unwritable", Why: "the path is empty", Want: "give the path of " + kind.What + ", or of no file"}
	}
	if _, err := os.Stat(path); err == nil {
		if err := kind.check(path); err != nil {
			return db, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return db, &OpenError{Code: "unreadable", Path: path, Why: "it cannot be looked at", Want: "give a path that may be read and written", Err: err}
	}
	pragmas := []string{"journal_mode(WAL)", "synchronous(FULL)"}
	if o.MaxPages > 0 {
		pragmas = append(pragmas, fmt.Sprintf("max_page_count(%d)", o.MaxPages))
	}
	if db.Writer, err = sql.Open("sqlite", dsn(path, "rwc", pragmas...)); err != nil {
		return db, err
	}
	db.Writer.SetMaxOpenConns(1)
	if err := db.Told(path, "open", kind.bring(db.Writer, path)); err != nil {
		db.Writer.Close()
		return db, err
	}
	if db.Reader, err = sql.Open("sqlite", dsn(path, "ro", "query_only(1)")); err != nil {
		db.Writer.Close()
		return db, err
	}
	db.Reader.SetMaxOpenConns(4)
	return db, nil
}

// Close closes the file. What was written is there when it is opened again, also without Close.
func (db *File) Close() error { return errors.Join(db.Reader.Close(), db.Writer.Close()) }

// check looks at an existing file through a connection that changes nothing: to open another program's database as ours would already
// give it a WAL.
func (k *Kind) check(path string) error { return k.checkBy(path, dsn(path, "ro")) }

// Glance is check without a look into a WAL, for a file that will not be opened: not even the files that SQLite keeps beside it are made.
func (k *Kind) Glance(path string) error { return k.checkBy(path, dsn(path, "ro")+"&immutable=1") }

func (k *Kind) checkBy(path, source string) error {
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return err
	}
	defer db.Close()
	return k.judge(db, path)
}

// judge compares id and version of a file. An empty one has neither, and is free to take.
func (k *Kind) judge(q Ask, path string) error {
	var id, version, tables int64
	err := q.QueryRow(`SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id AS a, pragma_user_version AS v`).Scan(&id, &version, &tables)
	var se *sqlite.Error
	switch known := int64(len(k.versions())); {
	case errors.As(err, &se) && se.Code()&basicCode == codeNoDB:
		return &OpenError{Code: "no-database", Path: path, Why: "it is not a database", Want: "give the path of " + k.What + ", or of no file", Err: err}
	case err != nil:
		return &OpenError{Code: "unreadable", Path: path, Why: "it cannot be read", Want: "give a path that may be read and written", Err: err}
	case id == 0 && version == 0 && tables == 0:
		return nil
	case id != k.ID:
		return &OpenError{Code: "foreign", Path: path, Why: fmt.Sprintf("it is another program's database: its application_id is %#x, that of %s %#x", id, k.What, k.ID), Want: "give another path"}
	case version > known:
		return &OpenError{Code: "newer", Path: path, Why: fmt.Sprintf("a newer build made it: its version is %d, this build knows %d", version, known), Want: "use that build"}
	}
	return nil
}

// versions are the names of the schema's files, in order.
func (k *Kind) versions() []string {
	files, err := fs.Glob(k.Schema, k.Folder+"/*.sql")
	if err != nil || len(files) == 0 {
		panic("sqlitefile: no schema in " + k.Folder) // embedded, so it is there
	}
	return files
}

// bring brings a file up to date in one transaction, so that a process killed meanwhile leaves it as it was.
func (k *Kind) bring(db *sql.DB, path string) error {
	tx, err := db.Begin()
	if err != nil {
		return &OpenError{Code: "unwritable", Path: path, Why: "it cannot be opened for writing", Want: "give a path that may be written, in a folder that exists", Err: err}
	}
	defer tx.Rollback()
	if err := k.judge(tx, path); err != nil { // again: another process may have been quicker
		return err
	}
	var version int
	if err := tx.QueryRow(`PRAGMA user_version`).Scan(&version); err != nil {
		return err
	}
	files := k.versions()
	if version == len(files) {
		return nil // and nothing is written
	}
	for _, name := range files[version:] {
		text, err := fs.ReadFile(k.Schema, name)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(string(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if _, err := tx.Exec(fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, k.ID, len(files))); err != nil {
		return err
	}
	return tx.Commit()
}

// Write runs a transaction that holds the write lock from its beginning.
func (db *File) Write(name, op string, f func(*sql.Tx) error) error {
	return db.Told(name, op, transact(db.Writer, f))
}

// Read runs a transaction in which everything is of one instant.
func (db *File) Read(name, op string, f func(*sql.Tx) error) error {
	return db.Told(name, op, transact(db.Reader, f))
}

func transact(db *sql.DB, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(background, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Told says of an error where it happened; refusals and the like say so themselves.
func (db *File) Told(name, op string, err error) error {
	var se *sqlite.Error
	switch {
	case err == nil || !errors.As(err, &se):
		return err
	case se.Code()&basicCode == codeFull, se.Code() == codeShm:
		return &FullError{Store: name, Op: op, Err: err}
	case strings.HasPrefix(err.Error(), "open "):
		return err
	}
	return fmt.Errorf("%s at %s: %w", op, name, err)
}
