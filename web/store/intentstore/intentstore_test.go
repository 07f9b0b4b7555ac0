package intentstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seedbed/chapters/intent"
	"seedbed/chapters/intent/intenttest"
	"seedbed/web/store/intentstore"
	"seedbed/web/store/shardstore"
)

var config = intent.Config{MaxOpen: 1 << 20, MaxDone: 1 << 20, MaxAttempts: 1000, Lease: 1 << 40}

func open(t testing.TB, path string, o intentstore.Options) *intentstore.Store {
	t.Helper()
	s, err := intentstore.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// It keeps all promises of the suite.
func TestStore(t *testing.T) {
	paths := map[intent.Store]string{}
	at := func(path string) intent.Store {
		s := open(t, path, intentstore.Options{})
		paths[s] = path
		return s
	}
	intenttest.Run(t, intenttest.Target{
		New: func() intent.Store { return at(filepath.Join(t.TempDir(), "intents.db")) },
		Reopen: func(s intent.Store) intent.Store {
			if err := s.(*intentstore.Store).Close(); err != nil {
				t.Error(err)
			}
			return at(paths[s])
		},
		Seeds:  6,
		Claims: intenttest.Full | intenttest.Concurrent | intenttest.Durable,
	})
}

// Whoever opens the file fences off who had it: the old log's next write is refused, is in nobody's log, and breaks the old log for good.
func TestOpeningIsAFence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "intents.db")
	first := open(t, path, intentstore.Options{})
	old, err := intent.New(config, first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.AcceptAt(1, 1, "before"); err != nil {
		t.Fatal(err)
	}
	now, err := intent.New(config, open(t, path, intentstore.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var taken *intentstore.TakenError
	if _, err := old.AcceptAt(2, 2, "late"); !errors.As(err, &taken) || taken.Epoch != 1 {
		t.Errorf("the old log accepts, %v; want a *TakenError of epoch 1", err)
	}
	if old.Broken() == nil {
		t.Error("the old log does not know that it is over")
	}
	if _, err := now.AcceptAt(3, 3, "after"); err != nil {
		t.Errorf("the new log: %v", err)
	}
	again, err := intent.New(config, open(t, path, intentstore.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[uint64]intent.State{1: intent.Open, 2: intent.Unknown, 3: intent.Open} {
		if got, _ := again.StatusOf(id); got != want {
			t.Errorf("intent %d is %v, want %v", id, got, want)
		}
	}
}

// A record for which there is no room is not accepted, and all that were accepted are there.
func TestAFullFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "intents.db")
	log, err := intent.New(config, open(t, path, intentstore.Options{MaxPages: 40}))
	if err != nil {
		t.Fatal(err)
	}
	accepted := uint64(0)
	for ; err == nil; accepted++ {
		_, err = log.AcceptAt(int64(accepted), accepted+1, strings.Repeat("x", 5000))
	}
	accepted--
	var full *intentstore.FullError
	if !errors.As(err, &full) || accepted < 5 || accepted > 39 {
		t.Fatalf("%d accepted, then %v; want a *FullError after a few", accepted, err)
	}
	log, err = intent.New(config, open(t, path, intentstore.Options{}))
	if err != nil || log.Backlog() != int64(accepted) {
		t.Errorf("%d of %d are there, %v", log.Backlog(), accepted, err)
	}
	if r, err := log.AcceptAt(99, accepted+1, "with room again"); err != nil || r.Answer != intent.Accepted {
		t.Errorf("with room again: %v, %v", r, err)
	}
}

// A file of another kind is left as it was.
func TestFilesOfOthers(t *testing.T) {
	dir := t.TempDir()
	shard, err := shardstore.Open(filepath.Join(dir, "shard.db"), "shard", shardstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := shard.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "text.db"), []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, code := range map[string]string{"shard.db": "foreign", "text.db": "no-database", "nowhere/intents.db": "unwritable"} {
		path := filepath.Join(dir, name)
		before, _ := os.ReadFile(path)
		_, err := intentstore.Open(path, intentstore.Options{})
		var in *intentstore.OpenError
		if !errors.As(err, &in) || in.Code != code {
			t.Errorf("%s: got %v, want an *OpenError of code %s", name, err, code)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s was changed", name)
		}
	}
}
