package shard_test

import (
	"errors"
	"strings"
	"testing"

	"seedbed/chapters/shard"
)

// reasonOf is why a store refused; Admitted when it did not.
func reasonOf(t *testing.T, err error) shard.Reason {
	t.Helper()
	if err == nil {
		return shard.Admitted
	}
	var r *shard.Refused
	if !errors.As(err, &r) {
		t.Fatalf("got %v, want a *Refused", err)
	}
	return r.Reason
}

// until steps until a step is the next one to do.
func (w *world) until(next shard.Step) shard.Progress {
	w.t.Helper()
	for range 200 {
		p, err := w.step()
		if err != nil {
			w.fail("%v", err)
		}
		if p.Next == next {
			return p
		}
	}
	w.fail("%v is never next", next)
	return shard.Progress{}
}

func (w *world) begin() {
	w.t.Helper()
	if err := w.migration().Begin(); err != nil {
		w.fail("%v", err)
	}
}

// The old owner keeps accepting writes after the cut-over (TemporalStore#1450, kvrocks#3147), or two writers hold one epoch
// (golem#3845): every write carries its term, and the store refuses.
func TestTrap67TheStoreRefusesOldAndForeignEpochs(t *testing.T) {
	old, one := shard.Term{Epoch: 1, Writer: "old"}, shard.Row{Key: 1, Value: "a"}
	w := newWorld(t, 3)
	w.begin()
	w.until(shard.FenceReplay)
	for _, c := range []struct {
		what  string
		store *shard.Memory
		term  shard.Term
		want  shard.Reason
	}{
		{"the route is right, and its epoch is fenced", &w.old, old, shard.Halted},
		{"the new epoch, from somebody else", &w.old, shard.Term{Epoch: 2, Writer: "old"}, shard.Foreign},
		{"the new epoch, at the old store", &w.old, shard.Term{Epoch: 2, Writer: "new"}, shard.Elsewhere},
		{"the new store before it is open", &w.new, shard.Term{Epoch: 2, Writer: "new"}, shard.Elsewhere},
		{"the old epoch at the new store", &w.new, old, shard.Stale},
		{"no epoch", &w.old, shard.Term{}, shard.Stale},
	} {
		if _, err := c.store.Write(c.term, one); reasonOf(t, err) != c.want {
			t.Errorf("%s: got %v, want %v", c.what, err, c.want)
		}
	}
	w.until(shard.Drain)
	for _, c := range []struct {
		what  string
		store *shard.Memory
		term  shard.Term
		want  shard.Reason
	}{
		{"a stale route", &w.old, old, shard.Stale},
		{"an old epoch at the new owner", &w.new, old, shard.Stale},
		{"the owner's epoch from another writer", &w.new, shard.Term{Epoch: 2, Writer: "old"}, shard.Foreign},
		{"an epoch that nobody has given out", &w.new, shard.Term{Epoch: 3, Writer: "new"}, shard.Elsewhere},
		{"the owner", &w.new, shard.Term{Epoch: 2, Writer: "new"}, shard.Admitted},
	} {
		_, err := c.store.Write(c.term, one)
		if reasonOf(t, err) != c.want {
			t.Errorf("%s: got %v, want %v", c.what, err, c.want)
		}
		if _, err := c.store.Read(c.term, 1); reasonOf(t, err) != c.want {
			t.Errorf("%s, read: got %v, want %v", c.what, err, c.want)
		}
	}
	// An epoch that is used again is refused by every store that has heard of it.
	w = newWorld(t, 3)
	w.plan.Fault = shard.SameEpoch
	w.begin()
	w.until(shard.Fencing)
	if _, err := w.step(); reasonOf(t, err) != shard.Foreign {
		t.Errorf("fencing epoch 1 of old with epoch 1 of new: got %v, want %v", err, shard.Foreign)
	}
}

// The switch comes before replay has caught up (vitess#6951), or a write is still open across it (vitess#9400), or an aborted cut-over
// leaves the source shut (gh-ost#992, #1247).
func TestTrap68FenceThenReplayToItsPositionThenPublish(t *testing.T) {
	w := newWorld(t, 3)
	w.begin()
	w.until(shard.Fencing)
	for k := range 10 { // more than one step carries
		w.mustWrite(shard.Key(k))
	}
	if p, err := w.step(); err != nil || p.Did != shard.Fencing {
		t.Fatalf("got %v %v, want the fence", p.Did, err)
	}
	if err := w.tryWrite(1); reasonOf(t, err) != shard.Halted {
		t.Errorf("a write behind the fence: got %v, want %v", err, shard.Halted)
	}
	at, _ := w.old.State()
	p := w.until(shard.Verify)
	if p.Head != at.Head || p.Applied != at.Head {
		t.Errorf("verify begins with %d of %d, want the fence position %d in both", p.Applied, p.Head, at.Head)
	}
	if w.part().Shard != "old" {
		t.Error("the map was published before the copy was verified")
	}
	w.finish()

	// A fence that lasts too long is undone by itself, also when the target cannot be reached, and the source takes writes again.
	for _, lost := range []bool{false, true} {
		w = newWorld(t, 3)
		w.plan.FenceMax = 10 * ms
		w.begin()
		w.until(shard.FenceReplay)
		w.now += 9 * ms // and the step adds one
		if lost {
			w.fuse.lost = "new"
		}
		if p, err := w.step(); p.Late || lost != errors.Is(err, errLost) {
			t.Errorf("at the last moment: late %v, %v; want neither", p.Late, err)
		}
		p, err := w.step()
		if err != nil || !p.Late || p.Next != shard.Undo {
			t.Fatalf("a fence of %d ms: got %+v %v, want the move undone", 11, p, err)
		}
		if _, err := w.step(); lost != errors.Is(err, errLost) {
			t.Errorf("undo: got %v", err)
		}
		w.mustWrite(1)
		if got := w.termNow(); got != (shard.Term{Epoch: 3, Writer: "old"}) {
			t.Errorf("after the undo the route is %v, want epoch 3 of old", got)
		}
		w.fuse.lost = ""
		for w.part().Move.Undo {
			w.step()
		}
		w.judge()
		if rows, _ := w.new.Rows(0, 1); len(rows) != 0 {
			t.Errorf("the abandoned copy still holds %v", rows)
		}
	}
}

// A row of the snapshot overwrites a newer change, or a deleted row comes back (gh-ost#909, #379): rows move by version, deletions as
// tombstones, so what comes twice or in any order does no harm.
func TestTrap69ReplayTwiceAndInAnyOrder(t *testing.T) {
	changes := []shard.Row{
		{Key: 7, Version: 1, Value: "draft"}, {Key: 7, Version: 2, Value: "ready"}, {Key: 7, Version: 3, Deleted: true},
		{Key: 8, Version: 1, Value: "draft"}, {Key: 8, Version: 2, Deleted: true}, {Key: 8, Version: 3, Value: "again"},
	}
	orders := 0
	permute(changes, func(order []shard.Row) {
		orders++
		m := shard.NewMemory("new")
		var at shard.Cursor
		for _, r := range append(order, order...) {
			next := shard.Cursor{Term: shard.Term{Epoch: 2, Writer: "new"}, Step: shard.Replay, Applied: at.Applied + 1}
			if err := m.Apply(shard.Batch{Term: next.Term, Was: at, Cursor: next, Rows: []shard.Row{r}}); err != nil {
				t.Fatal(err)
			}
			at = next
		}
		rows, _ := m.Rows(0, 10)
		if len(rows) != 2 || rows[0] != changes[2] || rows[1] != changes[5] {
			t.Fatalf("after %v: got %v, want row 7 deleted in version 3 and row 8 again in version 3", order, rows)
		}
	})
	if orders != 720 {
		t.Errorf("%d orders were tried, want 720", orders)
	}
	// In a migration: copied, then deleted behind the snapshot; and copied, then written again.
	w := newWorld(t, 6)
	w.begin()
	w.until(shard.Replay)
	term := w.termNow()
	w.write(&w.old, term, shard.Row{Key: 0, Deleted: true})
	w.write(&w.old, term, shard.Row{Key: 10, Value: "newer"})
	w.finish()
	if r, err := w.new.Read(w.termNow(), 0); err != nil || !r.Deleted {
		t.Errorf("the deleted row is %+v, %v; want a tombstone", r, err)
	}
}

// permute calls f with every order of the rows.
func permute(rows []shard.Row, f func([]shard.Row)) {
	if len(rows) == 1 {
		f(rows)
		return
	}
	for i := range rows {
		rest := append(append([]shard.Row(nil), rows[:i]...), rows[i+1:]...)
		permute(rest, func(tail []shard.Row) { f(append([]shard.Row{rows[i]}, tail...)) })
	}
}

// A comparison that looks in one direction only, at two positions, or not at all; a reverse stream that is tried for the first time
// when it is needed (vitess#16794).
func TestTrap70VerifyFindsAndNamesWhatDiffers(t *testing.T) {
	for _, c := range []struct {
		what string
		bend store
		want string
	}{
		{"a row of another value", store{forged: &shard.Row{Key: 30, Version: 1, Value: "spoilt"}}, "row 30 is version 1 (write 4) in old and version 1 (spoilt) in new"},
		{"a row of another version", store{forged: &shard.Row{Key: 30, Version: 9, Value: "write 4"}}, "row 30 is version 1 (write 4) in old and version 9 (write 4) in new"},
		{"a tombstone that should not be", store{forged: &shard.Row{Key: 30, Version: 1, Deleted: true}}, "row 30 is version 1 (write 4) in old and version 1 (deleted) in new"},
		{"a row that is in the copy alone", store{forged: &shard.Row{Key: 35, Version: 1, Value: "ghost"}}, "row 35 is missing in old and version 1 (ghost) in new"},
		{"such a row before all others", store{forged: &shard.Row{Key: 5, Version: 1, Value: "ghost"}}, "row 5 is missing in old"},
		{"such a row behind all others", store{forged: &shard.Row{Key: 999, Version: 1, Value: "ghost"}}, "row 999 is missing in old and version 1 (ghost) in new"},
		{"a row that the copy lacks", store{dropped: 20}, "row 20 is version 1 (write 3) in old and missing in new"},
		{"the last row", store{dropped: 80}, "row 80 is version 1 (write 9) in old and missing in new"},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := newWorld(t, 9)
			w.write(&w.old, w.termNow(), shard.Row{Key: 0, Deleted: true})
			w.bend = func(s shard.Store) shard.Store {
				b := c.bend
				b.Store = s
				return &b
			}
			w.begin()
			w.until(shard.Verify)
			err := w.untilError()
			var found *shard.MismatchError
			if !errors.As(err, &found) || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "verify: rows ") {
				t.Fatalf("got %v, want a mismatch that says %q", err, c.want)
			}
			if again := w.untilError(); again.Error() != err.Error() {
				t.Errorf("looking again: got %v, want %v", again, err)
			}
			if w.part().Shard != "old" {
				t.Error("the owner was changed all the same")
			}
			if err := w.migration().RollBack(); err != nil {
				t.Fatal(err)
			}
			w.finish()
		})
	}
}

func TestTrap70VerifyGoesOnWhereItWas(t *testing.T) {
	w := newWorld(t, 30)
	w.begin()
	w.until(shard.Verify)
	compared := 0
	for {
		p, err := w.step() // each with a fresh Migration
		if err != nil {
			t.Fatal(err)
		}
		if compared += p.Rows; p.Next != shard.Verify {
			break
		}
	}
	if rows, _ := w.old.Rows(0, 1000); compared != len(rows) {
		t.Errorf("%d rows were compared, want each of %d once", compared, len(rows))
	}
}

func TestTrap70VerifyComparesAtOnePosition(t *testing.T) {
	w := newWorld(t, 9)
	w.begin()
	w.until(shard.Verify)
	w.bend = func(s shard.Store) shard.Store { return &store{Store: s, ahead: 1} }
	var found *shard.PositionError
	if err := w.untilError(); !errors.As(err, &found) || found.Head != found.Compared+1 {
		t.Errorf("a source that moved behind its fence: got %v, want a *PositionError", err)
	}
}

func TestTrap70TheWayBackIsTriedBeforeTheSwitch(t *testing.T) {
	w := newWorld(t, 9)
	w.begin()
	w.until(shard.CutOver)
	full := errors.New("disk full")
	w.bend = func(s shard.Store) shard.Store {
		if s.Name() == "old" {
			return &store{Store: s, apply: full}
		}
		return s
	}
	if err := w.untilError(); !errors.Is(err, full) {
		t.Errorf("got %v, want %v", err, full)
	}
	if st, _ := w.new.State(); w.part().Shard != "old" || st.Gate.Mode == shard.Open {
		t.Errorf("the owner is %s and the new store %v, though the way back is barred", w.part().Shard, st.Gate.Mode)
	}
	if _, err := w.old.Read(w.termNow(), 10); err != nil {
		t.Errorf("the old owner no longer serves reads: %v", err)
	}
}

// untilError steps until a step fails.
func (w *world) untilError() error {
	w.t.Helper()
	for range 100 {
		if _, err := w.step(); err != nil {
			return err
		}
	}
	w.fail("no step fails")
	return nil
}

// store is one whose copies go wrong.
type store struct {
	shard.Store
	forged  *shard.Row // slipped into each batch
	dropped shard.Key  // left out of each batch
	ahead   int64      // by how much its digests claim to be further
	apply   error
}

func (s *store) Apply(b shard.Batch) error {
	if s.apply != nil {
		return s.apply
	}
	var rows []shard.Row
	if s.forged != nil {
		rows = append(rows, *s.forged)
	}
	for _, r := range b.Rows {
		if s.dropped == 0 || r.Key != s.dropped {
			rows = append(rows, r)
		}
	}
	b.Rows = rows
	return s.Store.Apply(b)
}

func (s *store) Digest(from, to shard.Key, n int) (shard.Digest, error) {
	d, err := s.Store.Digest(from, to, n)
	d.Head += s.ahead
	return d, err
}
