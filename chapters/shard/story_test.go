package shard_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/shard"
)

// The story of the notes: row 7 is copied in version 1 (draft), then the old shard takes version 2 (ready). A cut-over after the
// snapshot alone shows the draft again. With the replay it shows what was acknowledged, and version 1, coming late, changes nothing.
func TestTheCopiedDraftAndTheReadyRow(t *testing.T) {
	for _, fault := range []shard.Fault{shard.StrictSnapshot, 0} {
		w := newWorld(t, 0)
		w.plan.Fault = fault
		w.writeSeven("draft")
		w.begin()
		w.until(shard.Snapshot)
		if p, err := w.step(); err != nil || p.Rows != 1 {
			t.Fatalf("snapshot: got %+v %v, want one row copied", p, err)
		}
		w.writeSeven("ready")
		w.until(shard.Drain)
		got, err := w.new.Read(w.termNow(), 7)
		if err != nil {
			t.Fatal(err)
		}
		if fault == shard.StrictSnapshot {
			if want := (shard.Row{Key: 7, Version: 1, Value: "draft"}); got != want {
				t.Errorf("after the snapshot alone: got %+v, want %+v", got, want)
			}
			if lost := w.lost(); len(lost) != 1 {
				t.Errorf("lost rows: got %q, want row 7", lost)
			}
			continue
		}
		want := shard.Row{Key: 7, Version: 2, Value: "ready"}
		if got != want {
			t.Errorf("after the replay: got %+v, want %+v", got, want)
		}
		st, _ := w.old.State() // still follows, so that going back is possible: late rows may come there
		late := shard.Batch{Term: st.Cursor.Term, Was: st.Cursor, Cursor: st.Cursor, Rows: []shard.Row{{Key: 7, Version: 1, Value: "draft"}}}
		if err := w.old.Apply(late); err != nil {
			t.Fatal(err)
		}
		if rows, _ := w.old.Rows(7, 1); rows[0] != want {
			t.Errorf("after a late version 1: got %+v, want %+v", rows[0], want)
		}
		w.finish()
	}
}

func (w *world) writeSeven(value string) {
	w.t.Helper()
	p := w.part()
	if err := w.write(w.store(p.Shard), p.Term(), shard.Row{Key: 7, Value: value}); err != nil {
		w.fail("%v", err)
	}
}

// A move goes through its steps in order, and a roll back after the cut-over starts from the kept copy instead of a new snapshot.
func TestStepsInOrder(t *testing.T) {
	w := newWorld(t, 7)
	w.plan.Batch = 100
	var did []string
	record := func(until shard.Step) {
		for range 100 {
			p, err := w.step()
			if err != nil {
				w.fail("%v", err)
			}
			did = append(did, p.Did.String())
			w.pester(30)
			if p.Next == until {
				return
			}
		}
	}
	w.begin()
	record(shard.Drain)
	for range 2 {
		w.step()
	}
	if err := w.migration().RollBack(); err != nil {
		t.Fatal(err)
	}
	record(shard.Idle)
	want := []string{
		"plan", "snapshot", "replay", "catch-up", "fence", "fence-replay", "verify", "cut-over",
		"plan", "replay", "catch-up", "fence", "fence-replay", "verify", "cut-over", "drain", "drain", "drain", "drain", "drain", "drain", "clean-up",
	}
	if !slices.Equal(did, want) {
		t.Errorf("got  %v\nwant %v", did, want)
	}
	if got, want := w.termNow(), (shard.Term{Epoch: 3, Writer: "old"}); got != want {
		t.Errorf("the route is %v, want %v", got, want)
	}
	w.judge()
	if rows, _ := w.new.Rows(0, 1); len(rows) > 0 {
		t.Errorf("the store that was left still holds %v", rows)
	}
	if p, err := w.step(); err != nil || p.Did != shard.Idle || p.Next != shard.Idle {
		t.Errorf("a step without a move: got %+v %v, want nothing done", p, err)
	}
}

// What each fault loses; with none of them nothing is lost, whatever the interleaving.
func TestFaultsLoseWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		fault shard.Fault
		back  bool
		lost  bool
	}{
		{0, false, false}, {0, true, false}, {shard.StrictSnapshot, false, true}, {shard.NoFence, false, true},
		{shard.RouteOnlyRollback, false, false}, {shard.RouteOnlyRollback, true, true}, {shard.NoFence | shard.SameEpoch, false, true},
	} {
		t.Run(fmt.Sprint(c.fault, c.back), func(t *testing.T) {
			w := newWorld(t, 7)
			w.plan.Fault = c.fault
			w.begin()
			stale := w.termNow()
			acked := map[shard.Key]shard.Row{}
			note := func(s *shard.Memory, term shard.Term, k shard.Key) {
				if r, err := s.Write(term, shard.Row{Key: k, Value: w.value()}); err == nil {
					acked[k] = r
				}
			}
			back := c.back
			for k := shard.Key(1000); ; k++ {
				p, err := w.step()
				if err != nil {
					w.fail("%v", err)
				}
				term := w.termNow()
				note(w.store(term.Writer), term, k)
				note(&w.old, stale, k+1000)
				if p.Did == shard.Drain && back {
					back = false
					if err := w.migration().RollBack(); err != nil {
						w.fail("%v", err)
					}
				}
				if p.Next == shard.Idle {
					break
				}
			}
			for range 3 {
				note(&w.old, stale, shard.Key(5000))
			}
			owner, lost := w.store(w.part().Shard), 0
			for k, want := range acked {
				if rows, _ := owner.Rows(k, 1); len(rows) == 0 || rows[0] != want {
					lost++
				}
			}
			if (lost > 0) != c.lost {
				t.Errorf("%d of %d acknowledged rows are lost, want some: %v", lost, len(acked), c.lost)
			}
		})
	}
}

// Any order of writes, crashes, steps, roll backs and further moves, in both directions: the same promises.
func TestAnyInterleaving(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, rapid.IntRange(0, 9).Draw(t, "rows"))
		w.plan.Batch = rapid.IntRange(1, 5).Draw(t, "batch")
		w.plan.MaxLag = rapid.Int64Range(0, int64(w.plan.Batch)).Draw(t, "max lag")
		w.plan.Drain = rapid.Int64Range(0, 9).Draw(t, "drain") * ms
		w.plan.FenceMax = rapid.Int64Range(0, 6).Draw(t, "fence max") * ms
		row := rapid.IntRange(0, 11)
		t.Repeat(map[string]func(*rapid.T){
			"write":  func(t *rapid.T) { w.tryWrite(shard.Key(row.Draw(t, "row") * 10)) },
			"pester": func(t *rapid.T) { w.pester(shard.Key(row.Draw(t, "row") * 10)) },
			"step":   func(t *rapid.T) { w.try(t, func(m *shard.Migration) error { _, err := m.Step(w.now); return err }) },
			"steps": func(t *rapid.T) {
				for range rapid.IntRange(1, 12).Draw(t, "steps") {
					w.try(t, func(m *shard.Migration) error { _, err := m.Step(w.now); return err })
				}
			},
			"begin": func(t *rapid.T) {
				if p := w.part(); p.Move.Epoch == 0 {
					w.plan.To = map[string]string{"old": "new", "new": "old"}[p.Shard]
				}
				w.try(t, func(m *shard.Migration) error { return m.Begin() })
			},
			"roll back": func(t *rapid.T) { w.try(t, func(m *shard.Migration) error { return m.RollBack() }) },
			"crash": func(t *rapid.T) {
				w.fuse.left, w.fuse.after = rapid.IntRange(0, 8).Draw(t, "operations"), rapid.Bool().Draw(t, "after")
				w.try(t, func(m *shard.Migration) error { _, err := m.Step(w.now); return err })
				w.fuse.left = -1
			},
		})
		w.settle()
	})
}

// try lets a fresh migration make one call, which may crash or be refused.
func (w *world) try(_ tb, call func(*shard.Migration) error) {
	w.t.Helper()
	w.now += ms
	err := call(w.migration())
	w.learn()
	w.note("%v: %v", w.part(), err)
	if err != errCrash && !harmless(err) {
		w.fail("%v", err)
	}
}

func TestPlansThatCannotBe(t *testing.T) {
	w := newWorld(t, 1)
	for _, c := range []struct {
		plan shard.Plan
		want string
	}{
		{shard.Plan{To: "new"}, "batch: 0 does not fit; 1..100000 rows"},
		{shard.Plan{To: "new", Batch: 100_001}, "batch: 100001 does not fit; 1..100000 rows"},
		{shard.Plan{To: "new", Batch: 5, MaxLag: 6}, "max lag: 6 does not fit; 0..5"},
		{shard.Plan{To: "new", Batch: 5, Drain: -1}, "drain: -1 does not fit; 0..4611686018427387904"},
		{shard.Plan{To: "elsewhere", Batch: 5}, "store: elsewhere does not fit; the stores given are: old new"},
	} {
		_, err := shard.NewMigration(&w.dir, c.plan, &w.old, &w.new)
		if err == nil || err.Error() != c.want {
			t.Errorf("%+v: got %v, want %q", c.plan, err, c.want)
		}
	}
	if _, err := shard.NewMigration(&w.dir, w.plan, &w.new, &w.new); err == nil {
		t.Error("two stores of one name are taken")
	}
	for _, c := range []struct {
		what string
		do   func(m *shard.Migration) error
		want string
	}{
		{"nothing to roll back", func(m *shard.Migration) error { return m.RollBack() }, "roll back: part 0 does not fit; no move is under way; plan one to the old owner"},
		{"begin", func(m *shard.Migration) error { return m.Begin() }, ""},
		{"begin once more", func(m *shard.Migration) error { return m.Begin() }, ""},
		{"roll back", func(m *shard.Migration) error { return m.RollBack() }, ""},
		{"roll back once more", func(m *shard.Migration) error { return m.RollBack() }, ""},
		{"begin meanwhile", func(m *shard.Migration) error { return m.Begin() }, "move: to new does not fit; one to new is under way; finish it first, or roll it back"},
	} {
		if err := c.do(w.migration()); fmt.Sprint(err) != c.want && !(err == nil && c.want == "") {
			t.Errorf("%s: got %v, want %q", c.what, err, c.want)
		}
	}
	w.finish()
	w.plan.To = "old"
	if err := w.migration().Begin(); err == nil || err.Error() != "move: to old does not fit; it is there already" {
		t.Errorf("a move to the owner: got %v", err)
	}
	w.plan.Part = 3
	if _, err := w.migration().Step(0); err == nil || err.Error() != "part: 3 does not fit; the map has 1 parts, from 0" {
		t.Errorf("a part that is not there: got %v", err)
	}
}

// A log that was trimmed while somebody needed it is an error, never a silent gap.
func TestATrimmedLogIsFound(t *testing.T) {
	w := newWorld(t, 7)
	w.begin()
	w.until(shard.Replay)
	for k := range 5 {
		w.mustWrite(shard.Key(k))
	}
	head, _ := w.old.State()
	w.old.Trim(head.Head - 1)
	var gap *shard.GapError
	if err := w.untilError(); !errors.As(err, &gap) || gap.Kept != head.Head-1 {
		t.Fatalf("got %v, want a *GapError", err)
	}
	if err := w.migration().RollBack(); err != nil {
		t.Fatal(err)
	}
	w.finish()
	w.begin() // and anew
	w.finish()
	if p := w.part(); p.Shard != "new" {
		t.Errorf("the owner is %s, want new", p.Shard)
	}
}
