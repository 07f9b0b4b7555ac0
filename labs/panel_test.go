package labs_test

import (
	"testing"

	"seedbed/labs"
)

// row is a row of a Waterfall: a head, then spans of id, parent, entity, word, began, took, waited and outcome.
func row(spans ...[labs.SpanNumbers]int64) []int64 {
	row := []int64{7, 700_007, 1042, 3}
	for _, s := range spans {
		row = append(row, s[:]...)
	}
	return row
}

func TestSpansKnowTheirDepth(t *testing.T) {
	spans := labs.Spans(row(
		[8]int64{1, 0, 4, 0, 0, 1000, 0, -1},
		[8]int64{2, 1, 5, 0, 10, 900, 100, -1},
		[8]int64{3, 2, 5, 1, 120, 700, 0, 6},
		[8]int64{4, 1, 6, 0, 950, 40, 0, -1},
	))
	want := []labs.Span{
		{ID: 1, Entity: 4, Took: 1000, Outcome: -1},
		{ID: 2, Parent: 1, Entity: 5, Began: 10, Took: 900, Waited: 100, Outcome: -1, Depth: 1},
		{ID: 3, Parent: 2, Entity: 5, Word: 1, Began: 120, Took: 700, Outcome: 6, Depth: 2, Leaf: true},
		{ID: 4, Parent: 1, Entity: 6, Began: 950, Took: 40, Outcome: -1, Depth: 1, Leaf: true},
	}
	if len(spans) != len(want) {
		t.Fatalf("%d spans, want %d", len(spans), len(want))
	}
	for i := range spans {
		if spans[i] != want[i] {
			t.Errorf("span %d is %+v, want %+v", i+1, spans[i], want[i])
		}
	}
	if got := labs.Spans([]int64{1, 2}); got != nil {
		t.Errorf("half a head has the spans %v", got)
	}
}

// A line each for all calls, and for steps below them that took a fiftieth of the whole or did not end well.
func TestTellingLeavesOutBriefSteps(t *testing.T) {
	told := labs.Telling(labs.Spans(row(
		[8]int64{1, 0, 4, 0, 0, 1000, 0, -1},
		[8]int64{2, 1, 5, 0, 0, 1, 0, -1},
		[8]int64{3, 2, 5, 1, 0, 19, 0, -1},
		[8]int64{4, 2, 5, 1, 0, 20, 0, -1},
		[8]int64{5, 2, 5, 1, 0, 1, 0, 6},
	)))
	var ids []int
	for _, s := range told {
		ids = append(ids, s.ID)
	}
	if len(ids) != 4 || ids[0] != 1 || ids[1] != 2 || ids[2] != 4 || ids[3] != 5 {
		t.Errorf("told are %v, want 1, 2, 4, 5", ids)
	}
}
