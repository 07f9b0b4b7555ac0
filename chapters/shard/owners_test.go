package shard_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/shard"
)

func TestMapsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		parts []shard.Part
		want  string
	}{
		{nil, "map: part 0: first 0 does not fit; the first part must begin at key 0"},
		{[]shard.Part{{First: 5, Shard: "a", Epoch: 1}}, "map: part 0: first 0 does not fit; the first part must begin at key 0"},
		{[]shard.Part{{Shard: "a", Epoch: 1}, {Shard: "b", Epoch: 1}}, "map: part 1: first 0 does not fit; each part begins above the one before it and below the end of keys"},
		{[]shard.Part{{Shard: "a", Epoch: 1}, {First: shard.End, Shard: "b", Epoch: 1}}, "map: part 1: first 4611686018427387904 does not fit; each part begins above the one before it and below the end of keys"},
		{[]shard.Part{{Epoch: 1}}, "map: part 0: shard 0 does not fit; a part needs an owner"},
		{[]shard.Part{{Shard: "a"}}, "map: part 0: epoch 0 does not fit; epochs begin at 1"},
	} {
		if _, err := shard.NewMap(c.parts...); err == nil || err.Error() != c.want {
			t.Errorf("%+v: got %v, want %q", c.parts, err, c.want)
		}
	}
}

// An epoch from the past is refused wherever it comes from, and so is a map that was made from an old one.
func TestTheDirectoryTakesOnlyWhatFollows(t *testing.T) {
	first, err := shard.NewMap(shard.Part{Shard: "a", Epoch: 4}, shard.Part{First: 100, Shard: "b", Epoch: 2})
	if err != nil {
		t.Fatal(err)
	}
	part := first.Parts[0]
	with := func(change func(*shard.Part)) shard.Map {
		p := part
		change(&p)
		return first.With(0, p)
	}
	for _, c := range []struct {
		what string
		next shard.Map
		ok   bool
	}{
		{"the same version", first, false},
		{"two versions ahead", shard.Map{Version: 3, Parts: first.Parts}, false},
		{"an epoch from the past", with(func(p *shard.Part) { p.Epoch = 3 }), false},
		{"a new owner under the old epoch", with(func(p *shard.Part) { p.Shard = "c" }), false},
		{"a new owner under a new epoch", with(func(p *shard.Part) { p.Shard, p.Epoch = "c", 5 }), true},
		{"the owner under a new epoch", with(func(p *shard.Part) { p.Epoch = 5 }), true},
		{"a part that begins elsewhere", first.With(1, shard.Part{First: 99, Shard: "b", Epoch: 2}), false},
		{"a part less", shard.Map{Version: 2, Parts: first.Parts[:1]}, false},
		{"no owner", with(func(p *shard.Part) { p.Shard = "" }), false},
	} {
		var d shard.Directory
		if err := d.Publish(first); err != nil {
			t.Fatal(err)
		}
		err := d.Publish(c.next)
		var version *shard.VersionError
		var part *shard.MapError
		if (err == nil) != c.ok || err != nil && !errors.As(err, &version) && !errors.As(err, &part) {
			t.Errorf("%s: got %v, want it taken: %v", c.what, err, c.ok)
		}
		if now, _ := d.Load(); now.Version != first.Version && !c.ok {
			t.Errorf("%s: the map changed to version %d", c.what, now.Version)
		}
	}
	// An epoch that a move has reserved is not to be had either.
	var d shard.Directory
	d.Publish(first)
	moving := with(func(p *shard.Part) { p.Move = shard.Move{From: "a", To: "c", Epoch: 6} })
	if err := d.Publish(moving); err != nil {
		t.Fatal(err)
	}
	forgotten := part
	forgotten.Epoch = 5
	if err := d.Publish(moving.With(0, forgotten)); err == nil {
		t.Error("a map that forgets an epoch given out to a move was taken")
	}
}

// Find is a binary search; its twin looks at each part.
func TestFindAgreesWithALook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts, at := []shard.Part{{Shard: "s", Epoch: 1}}, shard.Key(0)
		for _, gap := range rapid.SliceOfN(rapid.Int64Range(1, 20), 0, 10).Draw(t, "gaps") {
			at += shard.Key(gap)
			parts = append(parts, shard.Part{First: at, Shard: "s", Epoch: 1})
		}
		m, err := shard.NewMap(parts...)
		if err != nil {
			t.Fatal(err)
		}
		k := shard.Key(rapid.Int64Range(0, 200).Draw(t, "key"))
		want := 0
		for i, p := range parts {
			if p.First <= k {
				want = i
			}
		}
		if got := m.Find(k); got != want {
			t.Errorf("key %d in %v: got part %d, want %d", k, parts, got, want)
		}
	})
}

// A router with an old map is turned away by the store, loads the map and reaches the owner; it never gets an old answer.
func TestARouterFindsItsWay(t *testing.T) {
	w := newWorld(t, 3)
	r := shard.NewRouter(&w.dir, &w.old, &w.new)
	row, err := r.Write(shard.Row{Key: 5, Value: "before"})
	if err != nil || row.Version != 1 {
		t.Fatalf("got %+v %v, want version 1", row, err)
	}
	w.acked[5] = row
	w.begin()
	w.until(shard.FenceReplay)
	if _, err := r.Write(shard.Row{Key: 5}); reasonOf(t, err) != shard.Halted {
		t.Errorf("a write behind the fence: got %v, want %v", err, shard.Halted)
	}
	if row, err := r.Read(5); err != nil || row.Value != "before" {
		t.Errorf("a read behind the fence: got %+v %v, want the row", row, err)
	}
	w.finish()
	if row, err := r.Read(5); err != nil || row.Value != w.acked[5].Value {
		t.Errorf("by the old route: got %+v %v, want %+v", row, err, w.acked[5])
	}
	if row, err := r.Write(shard.Row{Key: 5, Value: "after"}); err != nil || row.Version != w.acked[5].Version+1 {
		t.Errorf("got %+v %v, want the next version", row, err)
	}
	if _, err := shard.NewRouter(&w.dir, &w.old).Read(5); err == nil || err.Error() != "store: new does not fit; the router was not given that store" {
		t.Errorf("a router without the owner: got %v", err)
	}
	if _, err := shard.NewRouter(&shard.Directory{}, &w.old).Read(5); err == nil || err.Error() != "map: none does not fit; publish the first one" {
		t.Errorf("a router without a map: got %v", err)
	}
}

func TestRefusalsSayWhatWouldBeRight(t *testing.T) {
	w := newWorld(t, 1)
	w.begin()
	w.until(shard.Drain)
	_, stale := w.old.Write(shard.Term{Epoch: 1, Writer: "old"}, shard.Row{Key: 1})
	_, version := w.new.Write(w.termNow(), shard.Row{Key: 0, Version: 1})
	_, key := w.new.Write(w.termNow(), shard.Row{Key: -1})
	st, _ := w.new.State()
	for _, c := range []struct {
		err  error
		want string
	}{
		{stale, "write at old: stale epoch: it carries epoch 1 of old, the store is closed and has heard of epoch 2 of new; ask new"},
		{version, "write at new: the version is not greater: row 0 is there in version 1; write a greater one, or 0 for the next"},
		{key, "write at new: the key is out of range: -1 is not in 0..4611686018427387903"},
		{w.new.Turn(shard.Order{Kind: shard.ToReset, Term: w.termNow(), Was: st.Cursor}), "reset at new: it is an owner: it carries epoch 2 of new, the store is open and has heard of epoch 2 of new; fence and close it first"},
		{w.old.Turn(shard.Order{Kind: shard.ToClose, Term: w.termNow()}), "close at old: overtaken by another migration; read where it stands and try again"},
		{w.old.Turn(shard.Order{Kind: shard.ToOpen, Term: w.termNow(), Was: st.Cursor}), "open at old: not served here: it carries epoch 2 of new, the store is closed and has heard of epoch 2 of new; ask new"},
		{&shard.GapError{Store: "old", After: 3, Kept: 9}, "log of old: changes after 3 are wanted, those up to 9 are gone; roll back and begin with a new snapshot"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", c.err, c.want)
		}
	}
}
