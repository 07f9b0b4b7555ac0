package shardstore_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seedbed/chapters/shard"
	"seedbed/chapters/shard/shardtest"
	"seedbed/web/store/shardstore"
)

func open(t testing.TB, path, name string, o shardstore.Options) *shardstore.File {
	t.Helper()
	f, err := shardstore.Open(path, name, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A file keeps every claim of the suite that the store in memory keeps, and those of durable and of concurrent stores.
func TestAFileIsAStore(t *testing.T) {
	dir, n, seeds := t.TempDir(), 0, 8
	if underRace {
		seeds = 1
	}
	paths := map[*shardstore.File]string{}
	shardtest.Run(t, shardtest.Target{
		New: func(name string) shard.Store {
			n++
			path := filepath.Join(dir, fmt.Sprintf("%d.db", n))
			f := open(t, path, name, shardstore.Options{})
			paths[f] = path
			return f
		},
		Reopen: func(s shard.Store) shard.Store {
			f := s.(*shardstore.File)
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			again := open(t, paths[f], f.Name(), shardstore.Options{})
			paths[again] = paths[f]
			return again
		},
		Trim:   func(s shard.Store, upTo int64) error { return s.(*shardstore.File).Trim(upTo) },
		Seeds:  seeds,
		Claims: shardtest.Full | shardtest.Durable | shardtest.Concurrent,
	})
}

var one = shard.Term{Epoch: 1, Writer: "old"}

// founded is an open store of that name, term 1.
func founded(t testing.TB, o shardstore.Options) *shardstore.File {
	t.Helper()
	f := open(t, filepath.Join(t.TempDir(), "old.db"), "old", o)
	if err := shard.Grant(f, one, 0); err != nil {
		t.Fatal(err)
	}
	return f
}

// Somebody else's file is refused with a reason, and not a byte of it is changed.
func TestFilesOfOthersAreRefused(t *testing.T) {
	dir := t.TempDir()
	foreign := func(statements ...string) func(path string) {
		return func(path string) {
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			for _, q := range statements {
				if _, err := db.Exec(q); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for i, c := range []struct {
		what string
		make func(path string)
		want string
	}{
		{"another program's", foreign(`PRAGMA application_id = 252006674`, `CREATE TABLE t (a)`), "it is another program's database: its application_id is 0xf055112, that of a shard 0x53625368; give another path"},
		{"one without an id", foreign(`CREATE TABLE t (a)`), "it is another program's database: its application_id is 0x0, that of a shard 0x53625368; give another path"},
		{"a map of owners", func(path string) {
			d, err := shardstore.OpenDirectory(path, shardstore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			d.Close()
		}, "its application_id is 0x53624f77"},
		{"one of a newer build", foreign(`PRAGMA application_id = 1398952808`, `PRAGMA user_version = 99`), "a newer build made it: its version is 99, this build knows 1; use that build"},
		{"no database", func(path string) { os.WriteFile(path, []byte(strings.Repeat("shares of a company\n", 99)), 0o644) }, "it is not a database"},
		{"another store", func(path string) { open(t, path, "new", shardstore.Options{}).Close() }, "it is the store of new; open it under that name"},
		{"a folder", func(path string) { os.Mkdir(path, 0o755) }, "it cannot be read"},
		{"a file in no folder", func(string) {}, "it cannot be opened for writing"},
	} {
		path := filepath.Join(dir, fmt.Sprintf("%d.db", i))
		if c.what == "a file in no folder" {
			path = filepath.Join(dir, "none", "x.db")
		}
		c.make(path)
		before, _ := os.ReadFile(path)
		_, err := shardstore.Open(path, "old", shardstore.Options{})
		var no *shardstore.OpenError
		if !errors.As(err, &no) || !strings.HasPrefix(err.Error(), "open "+path+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an *OpenError that says %q", c.what, err, c.want)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s: the file was changed", c.what)
		}
	}
}

// Odd characters in a path are part of the path.
func TestPathsAreTakenAsTheyAre(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?mode=memory#分片%20.db")
	open(t, path, "old", shardstore.Options{}).Close()
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// What would be a database in no file, or a store that no term can name, is refused; a file called as SQLite calls its memory is a file.
func TestNoFileAndNoNameAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	var in *shardstore.OpenError
	if _, err := shardstore.Open("", "old", shardstore.Options{}); !errors.As(err, &in) || in.Code != "unwritable" {
		t.Errorf("no path: got %v, want an *OpenError of code unwritable", err)
	}
	if _, err := shardstore.OpenDirectory("", shardstore.Options{}); !errors.As(err, &in) || in.Code != "unwritable" {
		t.Errorf("no path for the map: got %v, want an *OpenError of code unwritable", err)
	}
	if _, err := shardstore.Open("x.db", "", shardstore.Options{}); !errors.As(err, &in) || in.Code != "other-name" {
		t.Errorf("no name: got %v, want an *OpenError of code other-name", err)
	}
	if _, err := os.Stat("x.db"); err == nil {
		t.Error("no name, and yet a file was made")
	}
	open(t, ":memory:", "old", shardstore.Options{}).Close()
	if _, err := os.Stat(":memory:"); err != nil {
		t.Error(err)
	}
}

// A file at its bound refuses the write that has no room, whole, and keeps all that was acknowledged. With room it goes on.
func TestAFullDiskLosesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	f := open(t, path, "old", shardstore.Options{MaxPages: 60})
	if err := shard.Grant(f, one, 0); err != nil {
		t.Fatal(err)
	}
	var acked []shard.Row
	value := strings.Repeat("x", 2000)
	for k := shard.Key(0); ; k++ {
		r, err := f.Write(one, shard.Row{Key: k, Value: value})
		if err == nil {
			acked = append(acked, r)
			continue
		}
		var full *shardstore.FullError
		if !errors.As(err, &full) || !strings.HasPrefix(err.Error(), "write at old: no room: ") {
			t.Fatalf("got %v, want a *FullError", err)
		}
		break
	}
	if len(acked) < 20 {
		t.Fatalf("%d writes fit, too few to say something", len(acked))
	}
	batch := shard.Batch{Term: shard.Term{Epoch: 2, Writer: "new"}}
	if err := f.Apply(batch); err == nil {
		t.Error("an owner took a batch")
	}
	check := func(f *shardstore.File) {
		t.Helper()
		st, err := f.State()
		rows, err2 := f.Rows(0, 10_000)
		changes, err3 := f.Log(0, 10_000)
		if err := errors.Join(err, err2, err3); err != nil {
			t.Fatal(err)
		}
		if len(rows) != len(acked) || len(changes) != len(acked) || st.Head != int64(len(acked)) {
			t.Fatalf("%d rows, %d changes and head %d, want %d of each", len(rows), len(changes), st.Head, len(acked))
		}
		for i, r := range rows {
			if r != acked[i] {
				t.Fatalf("row %d is %+v, acknowledged was %+v", i, r, acked[i])
			}
		}
	}
	check(f)
	f.Close()
	f = open(t, path, "old", shardstore.Options{})
	check(f)
	r, err := f.Write(one, shard.Row{Key: 9999, Value: value})
	if err != nil {
		t.Fatalf("with room again: %v", err)
	}
	acked = append(acked, r)
	check(f)
}

// A migration into a file that has no room stops with the reason, the source takes writes on, and with room it ends well.
func TestAMigrationIntoAFullFile(t *testing.T) {
	dir := t.TempDir()
	old, path := founded(t, shardstore.Options{}), filepath.Join(dir, "new.db")
	for k := range 40 {
		if _, err := old.Write(one, shard.Row{Key: shard.Key(k), Value: strings.Repeat("y", 3000)}); err != nil {
			t.Fatal(err)
		}
	}
	owners, err := shardstore.OpenDirectory(filepath.Join(dir, "owners.db"), shardstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer owners.Close()
	m, _ := shard.NewMap(shard.Part{Shard: "old", Epoch: 1})
	if err := owners.Publish(m); err != nil {
		t.Fatal(err)
	}
	run := func(target *shardstore.File) error {
		move, err := shard.NewMigration(owners, shard.Plan{To: "new", Batch: 10}, old, target)
		if err == nil {
			err = move.Begin()
		}
		for now := int64(0); err == nil; now++ {
			var p shard.Progress
			if p, err = move.Step(now); err == nil && p.Next == shard.Idle {
				break
			}
		}
		return err
	}
	small := open(t, path, "new", shardstore.Options{MaxPages: 30})
	var full *shardstore.FullError
	if err := run(small); !errors.As(err, &full) || full.Store != "new" || full.Op != "apply" {
		t.Fatalf("got %v, want a *FullError of new", err)
	}
	late, err := old.Write(one, shard.Row{Key: 7, Value: "late"})
	if err != nil {
		t.Fatalf("the source refuses a write: %v", err)
	}
	small.Close()
	large := open(t, path, "new", shardstore.Options{})
	if err := run(large); err != nil {
		t.Fatal(err)
	}
	rows, err := large.Rows(0, 100)
	if err != nil || len(rows) != 40 || rows[7] != late {
		t.Errorf("the new store has %d rows, row 7 is %+v (%v); want 40 and %+v", len(rows), rows[7], err, late)
	}
}

// The map on disk is the map in memory: it takes what follows, refuses the rest, and outlasts its process.
func TestTheDirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "owners.db")
	d, err := shardstore.OpenDirectory(path, shardstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := d.Load(); err != nil || m.Version != 0 || len(m.Parts) != 0 {
		t.Errorf("an empty directory: got %+v %v, want the zero map", m, err)
	}
	want, err := shard.NewMap(shard.Part{Shard: "old", Epoch: 3}, shard.Part{First: 1 << 40, Shard: "分片", Epoch: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := d.Publish(want); err != nil {
			t.Fatal(err)
		}
		var quicker *shard.VersionError
		if err := d.Publish(want); !errors.As(err, &quicker) {
			t.Errorf("the same version again: got %v, want a *VersionError", err)
		}
		d.Close()
		if d, err = shardstore.OpenDirectory(path, shardstore.Options{}); err != nil {
			t.Fatal(err)
		}
		if got, err := d.Load(); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %+v %v, want %+v", got, err, want)
		}
		p := want.Parts[0]
		p.Epoch += 2
		p.Move = shard.Move{From: "old", To: "分片", Epoch: p.Epoch + 1, Back: p.Epoch%2 == 0, Undo: true, Fault: shard.NoFence}
		want = want.With(0, p)
	}
	past := want.Parts[0]
	past.Epoch = 1
	newest, _ := d.Load()
	var no *shard.MapError
	if err := d.Publish(newest.With(0, past)); !errors.As(err, &no) {
		t.Errorf("an epoch from the past: got %v, want a *MapError", err)
	}
	d.Close()
}
