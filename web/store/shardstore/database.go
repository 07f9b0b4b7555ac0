package shardstore

import (
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// schema is a kind of file: the id in its header, and how it came to be, one file a version in the order of their names.
type schema struct {
	what          string
	applicationID int64
	folder        string
}

//go:embed schema
var schemas embed.FS

var (
	shardSchema = schema{"a shard", 0x53625368, "schema/shard"}          // "SbSh"
	ownerSchema = schema{"a map of owners", 0x53624f77, "schema/owners"} // "SbOw"
)

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

// database is one connection that writes and some that read.
type database struct{ writer, reader *sql.DB }

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

// open opens a file of the kind, or makes it. An older one is brought up to date.
func open(path string, kind schema, o Options) (db database, err error) {
	if path == "" {
		return db, &OpenError{Code: "unwritable", Why: "the path is empty", Want: "give the path of " + kind.what + ", or of no file"}
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
	if db.writer, err = sql.Open("sqlite", dsn(path, "rwc", pragmas...)); err != nil {
		return db, err
	}
	db.writer.SetMaxOpenConns(1)
	if err := db.told(path, "open", kind.bring(db.writer, path)); err != nil {
		db.writer.Close()
		return db, err
	}
	if db.reader, err = sql.Open("sqlite", dsn(path, "ro", "query_only(1)")); err != nil {
		db.writer.Close()
		return db, err
	}
	db.reader.SetMaxOpenConns(4)
	return db, nil
}

func (db *database) close() error { return errors.Join(db.reader.Close(), db.writer.Close()) }

// check looks at an existing file through a connection that changes nothing: to open another program's database as ours would already
// give it a WAL.
func (k *schema) check(path string) error { return k.checkBy(path, dsn(path, "ro")) }

// glance is check without a look into a WAL, for a file that will not be opened: not even the files that SQLite keeps beside it are made.
func (k *schema) glance(path string) error { return k.checkBy(path, dsn(path, "ro")+"&immutable=1") }

func (k *schema) checkBy(path, source string) error {
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return err
	}
	defer db.Close()
	return k.judge(db, path)
}

// judge compares id and version of a file. An empty one has neither, and is free to take.
func (k *schema) judge(q ask, path string) error {
	var id, version, tables int64
	err := q.QueryRow(`SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id AS a, pragma_user_version AS v`).Scan(&id, &version, &tables)
	var se *sqlite.Error
	switch known := int64(len(k.versions())); {
	case errors.As(err, &se) && se.Code()&basicCode == codeNoDB:
		return &OpenError{Code: "no-database", Path: path, Why: "it is not a database", Want: "give the path of " + k.what + ", or of no file", Err: err}
	case err != nil:
		return &OpenError{Code: "unreadable", Path: path, Why: "it cannot be read", Want: "give a path that may be read and written", Err: err}
	case id == 0 && version == 0 && tables == 0:
		return nil
	case id != k.applicationID:
		return &OpenError{Code: "foreign", Path: path, Why: fmt.Sprintf("it is another program's database: its application_id is %#x, that of %s %#x", id, k.what, k.applicationID), Want: "give another path"}
	case version > known:
		return &OpenError{Code: "newer", Path: path, Why: fmt.Sprintf("a newer build made it: its version is %d, this build knows %d", version, known), Want: "use that build"}
	}
	return nil
}

// versions are the names of the schema's files, in order.
func (k *schema) versions() []string {
	files, err := fs.Glob(schemas, k.folder+"/*.sql")
	if err != nil || len(files) == 0 {
		panic("shardstore: no schema in " + k.folder) // embedded, so it is there
	}
	return files
}

// bring brings a file up to date in one transaction, so that a process killed meanwhile leaves it as it was.
func (k *schema) bring(db *sql.DB, path string) error {
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
		text, err := schemas.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(string(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if _, err := tx.Exec(fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, k.applicationID, len(files))); err != nil {
		return err
	}
	return tx.Commit()
}

// write runs a transaction that holds the write lock from its beginning.
func (db *database) write(name, op string, f func(*sql.Tx) error) error {
	return db.told(name, op, transact(db.writer, f))
}

// read runs a transaction in which everything is of one instant.
func (db *database) read(name, op string, f func(*sql.Tx) error) error {
	return db.told(name, op, transact(db.reader, f))
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

// told says of an error where it happened; refusals and the like say so themselves.
func (db *database) told(name, op string, err error) error {
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
