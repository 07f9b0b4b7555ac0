package labs_test

import (
	"testing"

	"seedbed/labs"
)

const dense = "tally?rate=50k&length=10s&room=1000" // over half a million events, most of them beyond the log

// What checkpoints cost is a bounded number of copies, however long the run: the copies of a state and a queue are four allocations, and
// 512 checkpoints are as many as are kept before every second is dropped, so a run of n events takes at most n/512 and never many more
// than twice 512.
func TestCheckpointsCostTheirCopiesAlone(t *testing.T) {
	spec := parse(t, dense)
	var handled int64
	count := func(seek bool) float64 {
		return testing.AllocsPerRun(1, func() {
			r, err := labs.Begin(spec, labs.Options{Seek: seek})
			if err != nil {
				t.Fatal(err)
			}
			for done := false; !done; {
				if done, err = r.Advance(1 << 13); err != nil {
					t.Fatal(err)
				}
			}
			handled = r.Handled()
		})
	}
	without := count(false)
	with := count(true)
	if handled < 512*512 {
		t.Fatalf("the run has %d events, too few to drop a checkpoint", handled)
	}
	const copies, taken, growth = 4, 2 * 512, 32
	if cost := with - without; cost < 512 || cost > copies*taken+growth {
		t.Errorf("checkpoints cost %.0f allocations over %d events, want from 512 to %d", cost, handled, copies*taken+growth)
	}
}

// A seek allocates what it hands out and one copy of the run, and nothing for the events that it passes on its way: garbage would make
// the collector run in the middle of somebody's dragging.
func TestReplayAllocatesNothingForEventsOnItsWay(t *testing.T) {
	r, err := labs.Begin(parse(t, dense), labs.Options{Seek: true})
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = r.Advance(1 << 13); err != nil {
			t.Fatal(err)
		}
	}
	r.Replay(r.Horizon()/2, 48, 96) // the kept buffer grows once
	for _, before := range []int{0, 48} {
		for _, share := range []int64{100, 333, 500, 999} {
			at := r.Horizon() / 1000 * share
			if n := testing.AllocsPerRun(5, func() { r.Replay(at, before, 96) }); n > 24 {
				t.Errorf("a replay of %d events before %d/1000 of the run allocates %.0f times, want at most 24", before, share, n)
			}
		}
	}
}
