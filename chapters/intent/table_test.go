package intent

import "testing"

// TestTableIsItsTwin: against a map, through growth, with ids that come and go so that gaps are closed in long walks.
func TestTableIsItsTwin(t *testing.T) {
	table, twin := newTable(), map[uint64]int64{}
	random := uint64(1)
	for step := range int64(20_000) {
		random = random*6364136223846793005 + 1442695040888963407
		id := random >> 33 % 300
		i := table.find(id)
		attempt, there := twin[id]
		if there != (i != none) || there && (table.entries[i].attempt != attempt || table.entries[i].id != id) {
			t.Fatalf("step %d: id %d is at %d, want it there: %v", step, id, i, there)
		}
		if there {
			table.remove(i)
			delete(twin, id)
		} else {
			table.add(entry{id: id, attempt: step, line: none})
			twin[id] = step
		}
		if table.used != len(twin) || 2*table.used > len(table.index) {
			t.Fatalf("step %d: %d in use in an index of %d, want %d", step, table.used, len(table.index), len(twin))
		}
	}
	if len(table.entries) > 300 {
		t.Errorf("%d entries for at most 300 ids", len(table.entries))
	}
}
