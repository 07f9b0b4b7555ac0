package shardstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"seedbed/chapters/shard"
	"seedbed/labs"
	"seedbed/labs/sharding"
	"seedbed/web/store/sqlitefile"
)

// Names are the files of a migration, in its folder: the two shards, and the map of owners.
var Names = [3]string{"old.db", "new.db", "owners.db"}

// Position is where a migration stands after one of its operations changed something.
type Position struct {
	At       int64 // ns of virtual time
	Did      []Deed
	Part     shard.Part // as the newest map says: owner, epoch, move
	Old, New shard.State
	// Missing are the rows that the other file has newer than the owner's: compared whenever an epoch begins, and before a file is
	// emptied, when what only it has goes with it.
	Missing []Missing
}

// Deed is one change that the coordinator made.
type Deed struct {
	What  string // apply, open, fence, close, reset or publish
	Store string // which of the two, by its name; empty for publish
}

// String is the deed as "apply to new", "fence old", "publish the map".
func (d Deed) String() string {
	switch d.What {
	case "apply":
		return "apply to " + d.Store
	case "publish":
		return "publish the map"
	}
	return d.What + " " + d.Store
}

// Migrate runs a Spec of the lab shard-migrate with its shards and its map in SQLite files in a folder that exists and does not hold
// them yet. The time of the run is virtual as always; the transactions are real, and the files stay behind, to be looked at with any
// SQLite client. The run is the lab's own, event by event, so its trace has the digest that the run in memory has: when it has not,
// one of the two stores is wrong.
//
// files bounds each of the files. tell, where set, is called after each change that the coordinator makes to a store or to the map, in
// order. The returned Runner is done, and its Trace says which checks hold: with the preset strict-snapshot it names the lost row and
// its version. opts.Stop is asked as in every run; opts.Seek is not possible here.
//
// Errors are an *OpenError for files that are in the way (then nothing was made), a *FullError and others of SQLite (then the files hold
// what was acknowledged until there), and those of labs.Begin and Advance.
func Migrate(spec labs.Spec, dir string, files Options, opts labs.Options, tell func(Position)) (r *labs.Runner, err error) {
	if spec.Lab == nil || spec.Lab.ID != sharding.ShardMigrate.ID {
		return nil, errors.New("migrate: the spec is not one of shard-migrate; only that lab has stores to keep on disk")
	}
	m := &migration{}
	if err := m.open(dir, files); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	stop := opts.Stop
	opts.Seek = false
	opts.Stop = func() bool { return m.err != nil || stop != nil && stop() }
	spec.Lab = sharding.ShardMigrateOn(watchedOwners{m.owners, m}, watched{m.stores[0], m}, watched{m.stores[1], m})
	if r, err = m.begin(spec, opts); err != nil {
		return nil, err
	}
	m.did = nil // that of the founding
	for done := false; !done; {
		if done, err = r.Advance(1); m.err != nil {
			return nil, m.err
		} else if err != nil {
			return nil, err
		}
		if err := m.tell(r.Now(), tell); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// migration is the files of one run, and what was done to them.
type migration struct {
	stores  [2]*File
	owners  *Directory
	did     []Deed    // of the coordinator, since it was told last
	missing []Missing // found since then
	epoch   int64     // in which the rows were compared last
	err     error     // the first error that is no answer
}

// open makes the three files, or none.
func (m *migration) open(dir string, o Options) (err error) {
	for i, name := range Names {
		if err := vacant(filepath.Join(dir, name), [...]*sqlitefile.Kind{&shardKind, &shardKind, &ownerKind}[i]); err != nil {
			return err
		}
	}
	defer func() {
		if err != nil {
			m.discard(dir)
		}
	}()
	for i, name := range [...]string{"old", "new"} {
		if m.stores[i], err = Open(filepath.Join(dir, Names[i]), name, o); err != nil {
			return err
		}
	}
	m.owners, err = OpenDirectory(filepath.Join(dir, Names[2]), o)
	return err
}

// vacant says what stands where a file is to be made: an earlier run's file, another program's, or nothing.
func vacant(path string, kind *sqlitefile.Kind) error {
	switch _, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return &OpenError{Code: "unreadable", Path: path, Why: "it cannot be looked at", Want: "give a folder that exists and may be written", Err: err}
	}
	if err := kind.Glance(path); err != nil {
		return err
	}
	return &OpenError{Code: "there", Path: path, Why: "it is there already", Want: "give a folder without it"}
}

// discard takes away what was made before one of the files could not be. None of them was there before.
func (m *migration) discard(dir string) {
	for _, f := range m.stores {
		if f != nil {
			f.Close()
		}
	}
	for _, name := range Names {
		for _, suffix := range [...]string{"", "-wal", "-shm"} {
			os.Remove(filepath.Join(dir, name+suffix))
		}
	}
}

func (m *migration) close() error {
	return errors.Join(m.stores[0].Close(), m.stores[1].Close(), m.owners.Close())
}

// begin starts the run. The lab cannot report that its stores fail while it founds them, and panics; here it is known why.
func (m *migration) begin(spec labs.Spec, opts labs.Options) (r *labs.Runner, err error) {
	defer func() {
		if p := recover(); p != nil {
			if m.err == nil {
				panic(p)
			}
			r, err = nil, m.err
		}
	}()
	return labs.Begin(spec, opts)
}

// tell tells what has changed.
func (m *migration) tell(at int64, tell func(Position)) error {
	if len(m.did) == 0 {
		return nil
	}
	p := Position{At: at, Did: m.did, Missing: m.missing}
	m.did, m.missing = nil, nil
	if tell == nil {
		return nil
	}
	var err [4]error
	p.Old, err[0] = m.stores[0].State()
	p.New, err[1] = m.stores[1].State()
	all, third := m.owners.Load()
	if err[2] = third; len(all.Parts) > 0 {
		p.Part = all.Parts[0]
	}
	if p.Part.Epoch != m.epoch {
		m.epoch = p.Part.Epoch
		var more []Missing
		more, err[3] = m.compare(p.Part.Shard)
		p.Missing = append(p.Missing, more...)
	}
	tell(p)
	return errors.Join(err[:]...)
}

// note keeps a change, and the first error that is not an answer of a store or of the map.
func (m *migration) note(change Deed, err error) error {
	var refused *shard.Refused
	var gap *shard.GapError
	var version *shard.VersionError
	switch {
	case err == nil && change.What != "":
		m.did = append(m.did, change)
	case err == nil, errors.As(err, &refused), errors.As(err, &gap), errors.As(err, &version):
	case m.err == nil:
		m.err = err
	}
	return err
}

// asked notes that a question failed.
func (m *migration) asked(err error) error { return m.note(Deed{}, err) }

// watched is a store whose changes and errors are noted.
type watched struct {
	*File
	m *migration
}

func (w watched) State() (shard.State, error) {
	s, err := w.File.State()
	return s, w.m.asked(err)
}

func (w watched) Read(t shard.Term, k shard.Key) (shard.Row, error) {
	r, err := w.File.Read(t, k)
	return r, w.m.asked(err)
}

func (w watched) Write(t shard.Term, r shard.Row) (shard.Row, error) {
	r, err := w.File.Write(t, r)
	return r, w.m.asked(err)
}

func (w watched) Rows(from shard.Key, n int) ([]shard.Row, error) {
	rows, err := w.File.Rows(from, n)
	return rows, w.m.asked(err)
}

func (w watched) Log(after int64, n int) ([]shard.Change, error) {
	changes, err := w.File.Log(after, n)
	return changes, w.m.asked(err)
}

func (w watched) Digest(from, to shard.Key, n int) (shard.Digest, error) {
	d, err := w.File.Digest(from, to, n)
	return d, w.m.asked(err)
}

func (w watched) Apply(b shard.Batch) error {
	return w.m.note(Deed{"apply", w.Name()}, w.File.Apply(b))
}

func (w watched) Turn(o shard.Order) error {
	if o.Kind == shard.ToReset {
		return w.m.note(Deed{o.Kind.String(), w.Name()}, w.m.empty(w.File, o))
	}
	return w.m.note(Deed{o.Kind.String(), w.Name()}, w.File.Turn(o))
}

// watchedOwners is the map whose changes and errors are noted.
type watchedOwners struct {
	*Directory
	m *migration
}

func (w watchedOwners) Load() (shard.Map, error) {
	all, err := w.Directory.Load()
	return all, w.m.asked(err)
}

func (w watchedOwners) Publish(all shard.Map) error {
	return w.m.note(Deed{What: "publish"}, w.Directory.Publish(all))
}
