package shardstore_test

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"seedbed/chapters/shard"
	"seedbed/web/store/shardstore"
)

// Writes that come while the file is locked share a commit when it is free again, and each has its own answer: those of an old term are
// refused, one for which there is no room fails alone, and all others are on disk when they are acknowledged.
func TestWritesShareACommit(t *testing.T) {
	const writers = 60
	path := filepath.Join(t.TempDir(), "old.db")
	f := open(t, path, "old", shardstore.Options{MaxPages: 40})
	if err := shard.Grant(f, one, 0); err != nil {
		t.Fatal(err)
	}
	release := hold(t, path)
	var all sync.WaitGroup
	var coming atomic.Int64
	everyone := make(chan bool)
	for i := range writers {
		all.Go(func() {
			r, term := shard.Row{Key: shard.Key(i), Value: "small"}, one
			switch i % 10 {
			case 3:
				term.Epoch = 0
			case 7:
				r.Value = strings.Repeat("large", 100_000)
			}
			if coming.Add(1) == writers {
				close(everyone)
			}
			got, err := f.Write(term, r)
			var no *shard.Refused
			var full *shardstore.FullError
			switch {
			case i%10 == 3 && (!errors.As(err, &no) || no.Reason != shard.Stale):
				t.Errorf("row %d by an old route: got %v, want it refused as stale", i, err)
			case i%10 == 7 && !errors.As(err, &full):
				t.Errorf("row %d, too large: got %v, want a *FullError", i, err)
			case i%10 != 3 && i%10 != 7 && (err != nil || got.Version != 1):
				t.Errorf("row %d: got %+v, %v", i, got, err)
			}
		})
	}
	<-everyone
	release()
	all.Wait()
	const rows = writers * 8 / 10
	state, err := f.State()
	changes, err2 := f.Log(0, writers)
	have, err3 := f.Rows(0, writers)
	if err := errors.Join(err, err2, err3); err != nil || len(changes) != rows || len(have) != rows || state.Head != rows {
		t.Errorf("%d changes, %d rows, head %d (%v), want %d of each", len(changes), len(have), state.Head, err, rows)
	}
	for i, c := range changes {
		if c.Position != int64(i+1) {
			t.Errorf("change %d is at position %d", i+1, c.Position)
		}
	}
}

// Without faults among them, many writes need few commits.
func TestManyWritesNeedFewCommits(t *testing.T) {
	const writers = 100
	path := filepath.Join(t.TempDir(), "old.db")
	f := open(t, path, "old", shardstore.Options{})
	if err := shard.Grant(f, one, 0); err != nil {
		t.Fatal(err)
	}
	before := commits(t, path+"-wal")
	release := hold(t, path)
	var all sync.WaitGroup
	var coming atomic.Int64
	everyone := make(chan bool)
	for i := range writers {
		all.Go(func() {
			if coming.Add(1) == writers {
				close(everyone)
			}
			if _, err := f.Write(one, shard.Row{Key: shard.Key(i), Value: "x"}); err != nil {
				t.Error(err)
			}
		})
	}
	<-everyone
	release()
	all.Wait()
	n := commits(t, path+"-wal") - before
	if n < 1 || n > writers/2 {
		t.Errorf("%d writes at the same time took %d commits, want fewer than half as many", writers, n)
	}
	t.Logf("%d writes took %d commits", writers, n)
}

// hold keeps everybody else from writing a file until it is released.
func hold(t *testing.T, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := db.Exec(`ROLLBACK`); err != nil {
			t.Error(err)
		}
		db.Close()
	}
}

// commits counts the transactions in a WAL: its frames that end one bear the size of the database then (SQLite's file format, section
// 4.1). Nothing here is large enough for a checkpoint.
func commits(t *testing.T, wal string) (n int) {
	t.Helper()
	b, err := os.ReadFile(wal)
	if err != nil {
		t.Fatal(err)
	}
	const header, frame = 32, 24 + 4096
	for at := header; at+frame <= len(b); at += frame {
		if binary.BigEndian.Uint32(b[at+4:]) > 0 {
			n++
		}
	}
	return n
}
