package shardstore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"seedbed/chapters/shard"
	"seedbed/labs"
	"seedbed/labs/labtest"
	"seedbed/labs/sharding"
	"seedbed/web/store/shardstore"
)

// On two files a run is what it is in memory: the same digest, whatever crashes, is cut off, forwarded or rolled back.
func TestARunOnFilesIsTheRunInMemory(t *testing.T) {
	if underRace {
		t.Skip("a run is one goroutine, and has nothing to race with")
	}
	for _, p := range sharding.ShardMigrate.Presets {
		t.Run(p.Name, func(t *testing.T) {
			query := "rows=30&writes=30&reads=30&batch=10&length=7&" + p.Query
			spec := labtest.Spec(t, sharding.ShardMigrate, query)
			want := labtest.Run(t, sharding.ShardMigrate, query)
			var told []shardstore.Position
			r, err := shardstore.Migrate(spec, t.TempDir(), shardstore.Options{}, labs.Options{}, func(p shardstore.Position) { told = append(told, p) })
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Trace(); got.Digest() != want.Digest() {
				t.Errorf("%s: the digest is %s on files and %s in memory; metrics %v and %v", spec.Text(), got.Digest(), want.Digest(), got.Metrics, want.Metrics)
			}
			if len(told) < 8 {
				t.Fatalf("%d changes were told, want each", len(told))
			}
			for i, p := range told[1:] {
				if p.At < told[i].At || p.Part.Epoch < told[i].Part.Epoch || len(p.Did) == 0 {
					t.Errorf("change %d: %+v follows %+v", i+1, p, told[i])
				}
			}
		})
	}
}

// The files stay, and tell the story: with the snapshot alone the lost row is to be seen in both.
func TestTheLostVersionIsOnDisk(t *testing.T) {
	for use, want := range map[string]int64{"strict-snapshot": 1, "safe": 2} {
		dir := t.TempDir()
		spec := labtest.Spec(t, sharding.ShardMigrate, "use="+use+"&writes=0&reads=0&rows=20&batch=5&length=2&drain=9&do=1.2s:write:client:7")
		var missing []shardstore.Missing
		r, err := shardstore.Migrate(spec, dir, shardstore.Options{}, labs.Options{}, func(p shardstore.Position) { missing = append(missing, p.Missing...) })
		if err != nil {
			t.Fatal(err)
		}
		lost := []shardstore.Missing{{Owner: shard.Row{Key: 7, Version: 1, Value: "draft"}, Other: shard.Row{Key: 7, Version: 2, Value: "ready"}}}
		if use == "safe" {
			lost = nil
		}
		if !slices.Equal(missing, lost) {
			t.Errorf("%s: the owner lacked %+v, want %+v", use, missing, lost)
		}
		if ok := r.Trace().OK(); ok != (use == "safe") {
			t.Errorf("%s: all checks hold: %v", use, ok)
		}
		f := open(t, filepath.Join(dir, shardstore.Names[1]), "new", shardstore.Options{})
		got, err := f.Read(shard.Term{Epoch: 2, Writer: "new"}, 7)
		if err != nil || got.Version != want {
			t.Errorf("%s: row 7 is %+v in the new file (%v), want version %d", use, got, err, want)
		}
	}
}

func TestMigrateRefusesWhatItCannotUse(t *testing.T) {
	spec := labtest.Spec(t, sharding.ShardMigrate, "rows=2&length=0.5")
	run := func(dir string, files shardstore.Options) error {
		_, err := shardstore.Migrate(spec, dir, files, labs.Options{}, nil)
		return err
	}
	for _, c := range []struct {
		code, name string
		make       func(path string)
	}{
		{"no-database", "new.db", func(path string) { os.WriteFile(path, []byte("mine"), 0o644) }},
		{"foreign", "owners.db", func(path string) { open(t, path, "owners", shardstore.Options{}).Close() }},
		{"there", "old.db", func(path string) { open(t, path, "old", shardstore.Options{}).Close() }},
	} {
		dir := t.TempDir()
		c.make(filepath.Join(dir, c.name))
		before, _ := os.ReadFile(filepath.Join(dir, c.name))
		var in *shardstore.OpenError
		if err := run(dir, shardstore.Options{}); !errors.As(err, &in) || in.Code != c.code || in.Path != filepath.Join(dir, c.name) {
			t.Errorf("%s in the way: got %v, want an *OpenError of code %s", c.name, err, c.code)
		}
		after, _ := os.ReadFile(filepath.Join(dir, c.name))
		if all, _ := os.ReadDir(dir); len(all) != 1 || string(after) != string(before) {
			t.Errorf("%s in the way: the folder holds %v now", c.name, all)
		}
	}
	var in *shardstore.OpenError
	if err := run(filepath.Join(t.TempDir(), "none"), shardstore.Options{}); !errors.As(err, &in) || in.Code != "unwritable" {
		t.Errorf("no folder: got %v, want an *OpenError of code unwritable", err)
	}
	var full *shardstore.FullError
	dir := t.TempDir()
	if err := run(dir, shardstore.Options{MaxPages: 3}); !errors.As(err, &full) || full.Op != "open" {
		t.Errorf("no room for the tables: got %v, want a *FullError", err)
	}
	if all, _ := os.ReadDir(dir); len(all) > 0 {
		t.Errorf("no room for the tables, and yet there is %v", all)
	}
	other := labs.New(sharding.HotOwner)
	if _, err := shardstore.Migrate(other, t.TempDir(), shardstore.Options{}, labs.Options{}, nil); err == nil {
		t.Error("a spec of another lab was taken")
	}
	var bound *labs.Bound
	if _, err := shardstore.Migrate(spec, t.TempDir(), shardstore.Options{}, labs.Options{Stop: func() bool { return true }}, nil); !errors.As(err, &bound) || bound.Code != "cancelled" {
		t.Errorf("stopped: got %v, want it cancelled", err)
	}
}

// What a run prints is positions and epochs, a line a change.
func ExampleMigrate() {
	dir, err := os.MkdirTemp("", "shards")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	spec, err := labs.ParseQuery(sharding.ShardMigrate, "writes=0&reads=0&rows=8&batch=8&drain=0&length=2&do=1.12s:write:client:7")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := shardstore.Migrate(spec, dir, shardstore.Options{}, labs.Options{}, func(p shardstore.Position) {
		fmt.Printf("%6ss  %d of %d carried, owner %s under epoch %d: %v\n", labs.Seconds.Format(p.At), p.New.Cursor.Applied, p.Old.Head, p.Part.Shard, p.Part.Epoch, p.Did)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("all checks hold:", r.Trace().OK())
	// Output:
	//      1s  0 of 8 carried, owner old under epoch 1: [publish the map]
	//   1.05s  8 of 8 carried, owner old under epoch 1: [reset new apply to new]
	//    1.1s  8 of 8 carried, owner old under epoch 1: [apply to new]
	//   1.15s  8 of 9 carried, owner old under epoch 1: [apply to new]
	//    1.2s  9 of 9 carried, owner old under epoch 1: [apply to new]
	//   1.25s  9 of 9 carried, owner old under epoch 1: [apply to new]
	//    1.3s  9 of 9 carried, owner old under epoch 1: [fence old apply to new]
	//   1.35s  9 of 9 carried, owner old under epoch 1: [apply to new]
	//    1.4s  9 of 9 carried, owner old under epoch 1: [apply to new]
	//   1.45s  9 of 9 carried, owner new under epoch 2: [apply to old close old open new publish the map]
	//    1.5s  9 of 9 carried, owner new under epoch 2: [apply to old]
	//   1.55s  9 of 9 carried, owner new under epoch 2: [reset old publish the map]
	// all checks hold: true
}
