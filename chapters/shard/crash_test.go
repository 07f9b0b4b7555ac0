package shard_test

import (
	"fmt"
	"testing"

	"seedbed/chapters/shard"
)

// script is a migration with writes between its steps, and perhaps a roll back before one of them.
type script struct {
	backBefore shard.Step // Idle: none
	crashAt    int        // number of the operation, from 0; negative: none
	after      bool       // the operation happens, its answer is lost
}

// play runs a script to the end of all moves, and returns how many operations it took and which steps it did.
func (c script) play(t tb) (operations int, did [shard.NStep]int) {
	w := newWorld(t, 7)
	w.fuse.left, w.fuse.after = c.crashAt, c.after
	if err := w.migration().Begin(); err != nil {
		w.crash(err)
		if err := w.migration().Begin(); err != nil {
			w.fail("%v", err)
		}
	}
	next, back := shard.Planning, c.backBefore
	for i := 0; next != shard.Idle; i++ {
		if i > 200 {
			w.fail("the move does not end")
		}
		if next == back {
			back = shard.Idle
			for err := w.migration().RollBack(); err != nil; err = w.migration().RollBack() {
				w.crash(err)
			}
			w.note("rolled back")
		}
		p, err := w.step()
		if err != nil {
			w.crash(err)
		}
		did[p.Did]++
		next = p.Next
		w.pester(shard.Key(10 * (i % 9)))
		w.pester(shard.Key(10*(i%5) + 1))
		if w.part().Move.Epoch == 0 {
			break
		}
		if next == shard.Idle {
			next = shard.Planning
		}
	}
	w.judge()
	return w.fuse.count, did
}

// crash lets the process be started anew, when this was its end.
func (w *world) crash(err error) {
	w.t.Helper()
	if err != errCrash {
		w.fail("%v", err)
	}
	w.note("crash")
	w.fuse.left = -1
}

// A migration that crashes before or after any single operation of a store or of the map, at any step, with and without a roll back,
// goes on with a fresh Migration and loses nothing.
func TestACrashAtAnyOperation(t *testing.T) {
	runs := 0
	var did [shard.NStep]int
	for back := shard.Idle; back < shard.Undo; back++ {
		total, _ := script{backBefore: back, crashAt: -1}.play(t)
		for at := range total + 1 {
			for _, after := range []bool{false, true} {
				_, steps := script{back, at, after}.play(t)
				for s, n := range steps {
					did[s] += n
				}
				runs++
			}
		}
	}
	for s := shard.Planning; s < shard.NStep; s++ {
		if did[s] < 100 {
			t.Errorf("step %v was done %d times, too few to say something", s, did[s])
		}
	}
	if runs < 1500 {
		t.Errorf("%d runs, too few for all operations", runs)
	}
}

// A process that dies at each operation again and again still gets on, as long as it finishes one operation more each time.
func TestCrashesInARow(t *testing.T) {
	for _, back := range []shard.Step{shard.Idle, shard.Verify, shard.Drain} {
		t.Run(fmt.Sprint(back), func(t *testing.T) {
			w := newWorld(t, 7)
			if err := w.migration().Begin(); err != nil {
				t.Fatal(err)
			}
			for left := 1; w.part().Move.Epoch > 0; left = left%12 + 1 {
				w.fuse.left, w.fuse.after = left, left%2 == 0
				p, err := w.step()
				w.fuse.left = -1
				if err != nil && err != errCrash {
					w.fail("%v", err)
				}
				if p.Did == back && back != shard.Idle {
					back = shard.Idle
					if err := w.migration().RollBack(); err != nil {
						w.fail("%v", err)
					}
				}
				w.pester(shard.Key(w.writes % 80))
			}
			w.judge()
		})
	}
}
