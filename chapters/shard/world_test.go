package shard_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"seedbed/chapters/shard"
)

const ms = 1_000_000

// tb is what both testing and rapid offer.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// world is two stores, a directory, and the ledger: the dumb twin, which knows nothing of epochs and remembers each acknowledged write
// in a map.
type world struct {
	t        tb
	old, new shard.Memory
	dir      shard.Directory
	fuse     fuse
	now      int64
	plan     shard.Plan
	bend     func(s shard.Store) shard.Store // what a migration sees of a store; nil: the store

	acked   map[shard.Key]shard.Row
	writer  map[int64]string // by epoch, of acknowledged writes
	terms   []shard.Term     // every route that was ever published
	writes  int
	history []string
}

// newWorld founds a part on the old store, with some rows.
func newWorld(t tb, rows int) *world {
	t.Helper()
	w := &world{
		t: t, old: shard.NewMemory("old"), new: shard.NewMemory("new"), acked: map[shard.Key]shard.Row{}, writer: map[int64]string{},
		plan: shard.Plan{To: "new", Batch: 3, MaxLag: 2, Drain: 5 * ms},
	}
	w.fuse.left = -1
	m, err := shard.NewMap(shard.Part{Shard: "old", Epoch: 1})
	if err != nil {
		t.Fatalf("%v", err)
	}
	if err := errors.Join(w.dir.Publish(m), shard.Grant(&w.old, shard.Term{Epoch: 1, Writer: "old"}, 0)); err != nil {
		t.Fatalf("%v", err)
	}
	w.learn()
	for k := range rows {
		w.mustWrite(shard.Key(10 * k))
	}
	return w
}

// learn remembers the route of the newest map.
func (w *world) learn() {
	m, _ := w.dir.Load()
	if t := m.Parts[0].Term(); !slices.Contains(w.terms, t) {
		w.terms = append(w.terms, t)
	}
}

func (w *world) part() shard.Part {
	m, _ := w.dir.Load()
	return m.Parts[0]
}

func (w *world) store(name string) *shard.Memory {
	if name == "new" {
		return &w.new
	}
	return &w.old
}

func (w *world) note(format string, args ...any) {
	w.history = append(w.history, fmt.Sprintf(format, args...))
}

// fail reports with all that led here.
func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\nafter:\n  %s", fmt.Sprintf(format, args...), strings.Join(w.history, "\n  "))
}

// write sends a write to a store by a route, which may be old or wrong. What is acknowledged goes into the ledger, and is judged.
func (w *world) write(s *shard.Memory, t shard.Term, r shard.Row) error {
	w.t.Helper()
	got, err := s.Write(t, r)
	if err != nil {
		return err
	}
	w.note("%s acknowledged row %d version %d under %v", s.Name(), got.Key, got.Version, t)
	if before := w.acked[r.Key]; got.Version <= before.Version {
		w.fail("row %d went from version %d back to %d", r.Key, before.Version, got.Version)
	}
	if p := w.part(); t.Epoch < p.Epoch {
		w.fail("a write of epoch %d was acknowledged while the map says epoch %d", t.Epoch, p.Epoch)
	}
	if other, known := w.writer[t.Epoch]; known && other != s.Name() {
		w.fail("epoch %d has two writers, %s and %s", t.Epoch, other, s.Name())
	}
	w.writer[t.Epoch] = s.Name()
	w.acked[r.Key] = got
	return nil
}

// value is another one for each write, so that no two versions can be taken for each other.
func (w *world) value() string {
	w.writes++
	return fmt.Sprint("write ", w.writes)
}

func (w *world) tryWrite(k shard.Key) error {
	p := w.part()
	return w.write(w.store(p.Shard), p.Term(), shard.Row{Key: k, Value: w.value()})
}

func (w *world) mustWrite(k shard.Key) {
	w.t.Helper()
	if err := w.tryWrite(k); err != nil {
		w.fail("%v", err)
	}
}

// pester sends a write and a read by every route that there ever was to every store: whatever one of them acknowledges must last, and
// whatever one of them serves must be the newest.
func (w *world) pester(k shard.Key) {
	w.t.Helper()
	for _, s := range []*shard.Memory{&w.old, &w.new} {
		for _, t := range w.terms {
			if r, err := s.Read(t, k); err == nil && r.Version != w.acked[k].Version {
				w.fail("%s served row %d in version %d under %v, acknowledged is version %d", s.Name(), k, r.Version, t, w.acked[k].Version)
			}
			w.write(s, t, shard.Row{Key: k, Value: w.value(), Deleted: w.writes%5 == 0}) // refused or judged
		}
	}
}

// migration is a fresh one over the fuse, as after a crash.
func (w *world) migration() *shard.Migration {
	stores := []shard.Store{&w.old, &w.new}
	for i, s := range stores {
		if w.bend != nil {
			s = w.bend(s)
		}
		stores[i] = fusedStore{s, &w.fuse}
	}
	m, err := shard.NewMigration(fusedOwners{&w.dir, &w.fuse}, w.plan, stores...)
	if err != nil {
		w.fail("%v", err)
	}
	return &m
}

// step does one step with a fresh migration.
func (w *world) step() (shard.Progress, error) {
	w.now += ms
	p, err := w.migration().Step(w.now)
	w.learn()
	w.note("step %v → %v rows %d head %d applied %d, %v: %v", p.Did, p.Next, p.Rows, p.Head, p.Applied, w.part(), err)
	return p, err
}

// finish steps until the move is done, with writes between.
func (w *world) finish() {
	w.t.Helper()
	for range 300 {
		p, err := w.step()
		if err != nil {
			w.fail("%v", err)
		}
		if p.Next == shard.Idle {
			w.judge()
			return
		}
		w.pester(shard.Key(w.writes * 7 % 90))
	}
	w.fail("the move does not end")
}

// judge compares the owner's rows with the ledger.
func (w *world) judge() {
	w.t.Helper()
	owner := w.store(w.part().Shard)
	if st, _ := owner.State(); st.Gate.Mode != shard.Open || st.Gate.Serves != w.termNow() {
		w.fail("the owner's gate is %+v, the map says %v", st.Gate, w.termNow())
	}
	for _, missing := range w.lost() {
		w.fail("%s", missing)
	}
	if rows, _ := owner.Rows(0, 1<<30); len(rows) != len(w.acked) {
		w.fail("the owner has %d rows, %d were acknowledged", len(rows), len(w.acked))
	}
}

func (w *world) termNow() shard.Term {
	p := w.part()
	return p.Term()
}

// lost lists the acknowledged rows that the owner does not have as they were acknowledged.
func (w *world) lost() (out []string) {
	owner := w.store(w.part().Shard)
	rows, _ := owner.Rows(0, 1<<30)
	have := map[shard.Key]shard.Row{}
	for _, r := range rows {
		have[r.Key] = r
	}
	for k, want := range w.acked {
		if have[k] != want {
			out = append(out, fmt.Sprintf("row %d is %+v in %s, acknowledged was %+v", k, have[k], owner.Name(), want))
		}
	}
	slices.Sort(out)
	return out
}

// fuse ends a migration at one of its operations: before it, or after it with the answer lost.
type fuse struct {
	left  int // operations until it blows; negative: never
	after bool
	count int             // operations so far
	gate  func(op string) // called before each operation, where set
	lost  string          // name of a store that cannot be reached
}

var (
	errCrash = errors.New("crash")
	errLost  = errors.New("no answer")
)

func (f *fuse) run(op string, do func() error) error {
	if f.gate != nil {
		f.gate(op)
	}
	f.count++
	if f.lost != "" && strings.HasSuffix(op, " "+f.lost) {
		return errLost
	}
	if f.left < 0 {
		return do()
	}
	if f.left--; f.left >= 0 {
		return do()
	}
	f.left = 0 // a dead process does nothing more
	if f.after {
		f.after = false
		do()
	}
	return errCrash
}

type fusedOwners struct {
	shard.Owners
	f *fuse
}

func (o fusedOwners) Load() (m shard.Map, err error) {
	err = o.f.run("load", func() (e error) { m, e = o.Owners.Load(); return e })
	return m, err
}

func (o fusedOwners) Publish(m shard.Map) error {
	return o.f.run("publish", func() error { return o.Owners.Publish(m) })
}

type fusedStore struct {
	shard.Store
	f *fuse
}

func (s fusedStore) op(name string, do func() error) error {
	return s.f.run(name+" "+s.Store.Name(), do)
}

func (s fusedStore) State() (st shard.State, err error) {
	err = s.op("state", func() (e error) { st, e = s.Store.State(); return e })
	return st, err
}

func (s fusedStore) Rows(from shard.Key, n int) (rows []shard.Row, err error) {
	err = s.op("rows", func() (e error) { rows, e = s.Store.Rows(from, n); return e })
	return slices.Clone(rows), err
}

func (s fusedStore) Log(after int64, n int) (c []shard.Change, err error) {
	err = s.op("log", func() (e error) { c, e = s.Store.Log(after, n); return e })
	return slices.Clone(c), err
}

func (s fusedStore) Digest(from, to shard.Key, n int) (d shard.Digest, err error) {
	err = s.op("digest", func() (e error) { d, e = s.Store.Digest(from, to, n); return e })
	return d, err
}

func (s fusedStore) Apply(b shard.Batch) error {
	return s.op("apply", func() error { return s.Store.Apply(b) })
}

func (s fusedStore) Turn(o shard.Order) error {
	return s.op(o.Kind.String(), func() error { return s.Store.Turn(o) })
}
