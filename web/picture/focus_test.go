package picture

import (
	"testing"

	"pgregory.net/rapid"

	"seedbed/labs"
	"seedbed/web/text"
)

func TestFocus(t *testing.T) {
	const ms = 1_000_000
	for _, c := range []struct {
		spec string
		want span
	}{
		{"window-edge", span{995 * ms, 1005 * ms}},                                         // two bursts 2 ms apart in 2 s
		{"window-edge?gap=991", span{}},                                                    // bursts a second apart are seen as they are
		{"window-edge?use=buckets&spare=0&first=9.9&gap=990.2", span{980 * ms, 1030 * ms}}, // over the bound for 10 ms
		{"window-edge?traffic=poisson&length=10", span{}},                                  // things happen all the time
		{"window-edge?traffic=poisson&length=10&use=fixed", span{}},                        // over the bound for long
		{"token-bucket", span{}},                                                           // a burst and a stream
		{"layered-limit?use=qps-only", span{}},                                             // a violation of no lane's bound
		{"window-edge?first=0&gap=1", span{0, 10 * ms}},                                    // at the very start
		{"window-edge?first=1998&gap=1", span{1990 * ms, 2000 * ms}},                       // at the very end
	} {
		if got := newScene(pictureOf(t, c.spec, text.EN)).focus; got != c.want {
			t.Errorf("%s: the focus is %d..%d ms, want %d..%d", c.spec, got.from/ms, got.to/ms, c.want.from/ms, c.want.to/ms)
		}
	}
}

// TestCrowdIsTheShortestStretch compares with a dumb twin that tries every stretch.
func TestCrowdIsTheShortestStretch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Int64Range(0, 5), 1, 40).Draw(t, "rows")
		s := sceneOf(rows)
		got, found := s.crowd()
		want, total := int64(len(rows)), sum(rows)
		if total == 0 {
			if found {
				t.Fatal("a crowd of nobody")
			}
			return
		}
		for i := range rows {
			for k := i + 1; k <= len(rows); k++ {
				if sum(rows[i:k])*10 >= total*9 {
					want = min(want, int64(k-i))
				}
			}
		}
		if got.length() != want || sum(rows[got.from:got.to])*10 < total*9 {
			t.Fatalf("the crowd of %v is %d..%d, %d rows; the shortest has %d", rows, got.from, got.to, got.length(), want)
		}
		if found != (want*focusShare <= int64(len(rows))) {
			t.Fatalf("%d of %d rows: found is %v", want, len(rows), found)
		}
	})
}

// sceneOf is a scene of one column of counts.
func sceneOf(rows []int64) *scene {
	series := labs.Series{Column: labs.Column{Gather: labs.Sum}, Values: rows}
	return &scene{Picture: Picture{Trace: &labs.Trace{Horizon: int64(len(rows)), Grain: 1, Columns: []labs.Series{series}}}}
}

// TestFocusLiesInTheRun: wherever requests crowd, the focus is within the run, holds them, and has round ends.
func TestFocusLiesInTheRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := make([]int64, rapid.IntRange(100, 2000).Draw(t, "rows"))
		at := rapid.IntRange(0, len(rows)-1).Draw(t, "at")
		rows[at] = 100
		s := sceneOf(rows)
		s.Spec = &labs.Spec{At: -1}
		focus := s.focusSpan()
		if focus.length() == 0 {
			t.Fatalf("one row of %d is not enlarged", len(rows))
		}
		if focus.from < 0 || focus.to > s.Trace.Horizon || !focus.holds(int64(at)) {
			t.Fatalf("the focus %d..%d of %d rows does not hold row %d", focus.from, focus.to, len(rows), at)
		}
		if niceUp(focus.length()) != focus.length() {
			t.Fatalf("the focus is %d long", focus.length())
		}
	})
}
