package shardstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"seedbed/chapters/shard"
	"seedbed/labs"
	"seedbed/labs/sharding"
)

// Names are the files of a migration, in its folder: the two shards, and the map of owners.
var Names = [3]string{"old.db", "new.db", "owners.db"}

// Position is where a migration stands after one of its operations changed something.
type Position struct {
	At       int64 // ns of virtual time
	Did      string
	Part     shard.Part // as the newest map says: owner, epoch, move
	Old, New shard.State
}

// Migrate runs a Spec of the lab shard-migrate with its shards and its map in SQLite files in a folder that exists and does not hold
// them yet. The time of the run is virtual as always; the transactions are real, and the files stay behind, to be looked at with any
// SQLite client. The run is the lab's own, event by event, so its trace has the digest that the run in memory has: when it has not,
// one of the two stores is wrong.
//
// tell, where set, is called after each change that the coordinator makes to a store or to the map, in order. The returned Runner is
// done, and its Trace says which checks hold: with the preset strict-snapshot it names the lost row and its version. opts.Stop is
// asked as in every run; opts.Seek is not possible here.
//
// Errors are an *OpenError for files that are in the way, a *FullError and others of SQLite, and those of labs.Begin and Advance.
func Migrate(spec labs.Spec, dir string, opts labs.Options, tell func(Position)) (r *labs.Runner, err error) {
	if spec.Lab == nil || spec.Lab.ID != sharding.ShardMigrate.ID {
		return nil, errors.New("migrate: the spec is not one of shard-migrate; only that lab has stores to keep on disk")
	}
	m := &migration{}
	if err := m.open(dir); err != nil {
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
	m.changes = nil // those of the founding
	for done := false; !done; {
		if done, err = r.Advance(1); m.err != nil || err != nil {
			return nil, errors.Join(m.err, err)
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
	changes []string // of the coordinator, since they were told last
	err     error    // the first error that is no answer
}

func (m *migration) open(dir string) (err error) {
	for _, name := range Names {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return &OpenError{Path: path, Why: "it is there already", Want: "give a folder without it"}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return &OpenError{Path: path, Why: "it cannot be looked at", Want: "give a folder that exists and may be written", Err: err}
		}
	}
	if m.stores[0], err = Open(filepath.Join(dir, Names[0]), "old", Options{}); err != nil {
		return err
	}
	if m.stores[1], err = Open(filepath.Join(dir, Names[1]), "new", Options{}); err != nil {
		return errors.Join(err, m.stores[0].Close())
	}
	if m.owners, err = OpenDirectory(filepath.Join(dir, Names[2]), Options{}); err != nil {
		return errors.Join(err, m.stores[0].Close(), m.stores[1].Close())
	}
	return nil
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
	if len(m.changes) == 0 {
		return nil
	}
	changes := m.changes
	m.changes = nil
	if tell == nil {
		return nil
	}
	p := Position{At: at}
	var err [3]error
	p.Old, err[0] = m.stores[0].State()
	p.New, err[1] = m.stores[1].State()
	all, third := m.owners.Load()
	if err[2] = third; len(all.Parts) > 0 {
		p.Part = all.Parts[0]
	}
	for _, c := range changes {
		if p.Did != "" {
			p.Did += ", "
		}
		p.Did += c
	}
	tell(p)
	return errors.Join(err[:]...)
}

// note keeps a change, and the first error that is not an answer of a store or of the map.
func (m *migration) note(change string, err error) error {
	var refused *shard.Refused
	var gap *shard.GapError
	var version *shard.VersionError
	switch {
	case err == nil && change != "":
		m.changes = append(m.changes, change)
	case err == nil, errors.As(err, &refused), errors.As(err, &gap), errors.As(err, &version):
	case m.err == nil:
		m.err = err
	}
	return err
}

// watched is a store whose changes and errors are noted.
type watched struct {
	*File
	m *migration
}

func (w watched) State() (shard.State, error) {
	s, err := w.File.State()
	return s, w.m.note("", err)
}

func (w watched) Read(t shard.Term, k shard.Key) (shard.Row, error) {
	r, err := w.File.Read(t, k)
	return r, w.m.note("", err)
}

func (w watched) Write(t shard.Term, r shard.Row) (shard.Row, error) {
	r, err := w.File.Write(t, r)
	return r, w.m.note("", err)
}

func (w watched) Rows(from shard.Key, n int) ([]shard.Row, error) {
	rows, err := w.File.Rows(from, n)
	return rows, w.m.note("", err)
}

func (w watched) Log(after int64, n int) ([]shard.Change, error) {
	changes, err := w.File.Log(after, n)
	return changes, w.m.note("", err)
}

func (w watched) Digest(from, to shard.Key, n int) (shard.Digest, error) {
	d, err := w.File.Digest(from, to, n)
	return d, w.m.note("", err)
}

func (w watched) Apply(b shard.Batch) error {
	return w.m.note("apply to "+w.Name(), w.File.Apply(b))
}

func (w watched) Turn(o shard.Order) error {
	return w.m.note(o.Kind.String()+" "+w.Name(), w.File.Turn(o))
}

// watchedOwners is the map whose changes and errors are noted.
type watchedOwners struct {
	*Directory
	m *migration
}

func (w watchedOwners) Load() (shard.Map, error) {
	all, err := w.Directory.Load()
	return all, w.m.note("", err)
}

func (w watchedOwners) Publish(all shard.Map) error {
	return w.m.note("publish the map", w.Directory.Publish(all))
}
