package hotkey

import (
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// TestListIsItsTwin: the heap and its index against a slice that is sorted after each step.
func TestListIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newList(rapid.IntRange(1, 8).Draw(t, "max"))
		var twin []Count
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			c := Count{ID: rapid.Uint64Range(0, 12).Draw(t, "key"), N: rapid.Int64Range(0, 9).Draw(t, "count")}
			i := slices.IndexFunc(twin, func(e Count) bool { return e.ID == c.ID })
			want := true
			switch {
			case i >= 0:
				twin[i] = c
			case len(twin) < l.max:
				twin = append(twin, c)
			case c.N > twin[len(twin)-1].N:
				twin[len(twin)-1] = c
			default:
				want = false
			}
			slices.SortFunc(twin, before)
			if got := l.offer(c.ID, c.N); got != want {
				t.Fatalf("%v taken %v, want %v", c, got, want)
			}
			if rapid.IntRange(0, 9).Draw(t, "halve") == 0 {
				for i := range twin {
					twin[i].N /= 2
				}
				for i := range l.heap {
					l.heap[i].N /= 2
				}
				l.remake()
				slices.SortFunc(twin, before)
			}
			if got := l.top(100); !slices.Equal(got, twin) {
				t.Fatalf("%v, want %v", got, twin)
			}
			for i, c := range l.heap {
				if at, ok := l.find(c.ID); !ok || at != i {
					t.Fatalf("key %d is at %d, the index says %d, %v", c.ID, i, at, ok)
				}
			}
			if least := l.least(); least != twin[len(twin)-1] {
				t.Fatalf("the least is %v, want %v", least, twin[len(twin)-1])
			}
		}
	})
}

// TestIndexIsItsTwin: against a map.
func TestIndexIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 9
		x, twin := newIndex(most), map[uint64]int{}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			id := rapid.Uint64Range(0, 15).Draw(t, "key")
			if _, in := twin[id]; in && rapid.Bool().Draw(t, "drop") {
				x.drop(id)
				delete(twin, id)
			} else if in || len(twin) < most {
				twin[id] = rapid.IntRange(0, 100).Draw(t, "place")
				x.put(id, twin[id])
			}
			for id := range uint64(16) {
				at, ok := x.find(id)
				if want, in := twin[id]; ok != in || ok && at != want {
					t.Fatalf("key %d: %d, %v; want %d, %v", id, at, ok, want, in)
				}
			}
		}
	})
}

// TestWindowIsItsTwin: against a list of all requests, with times that also go back.
func TestWindowIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		buckets := rapid.Int64Range(1, 4).Draw(t, "buckets")
		w, err := NewWindow(WindowConfig{Window: 10 * buckets, Buckets: int(buckets), MaxKeys: 5})
		if err != nil {
			t.Fatal(err)
		}
		type request struct {
			part int64
			id   uint64
		}
		var twin []request
		now, newest, missed := rapid.Int64Range(-100, 100).Draw(t, "from"), int64(minimum), int64(0)
		for range rapid.IntRange(1, 80).Draw(t, "requests") {
			now += rapid.Int64Range(-5, 30).Draw(t, "pause")
			newest = max(newest, floorDiv(now, 10))
			twin = slices.DeleteFunc(twin, func(r request) bool { return r.part < newest-buckets })
			counts := map[uint64]int64{}
			for _, r := range twin {
				counts[r.id]++
			}
			id := rapid.Uint64Range(0, 7).Draw(t, "key")
			room := counts[id] > 0 || len(counts) < 5
			if w.AddAt(now, id) != room {
				t.Fatalf("key %d taken %v with %d keys", id, !room, len(counts))
			}
			if room {
				twin = append(twin, request{newest, id})
				counts[id]++
			} else {
				missed++
			}
			var want []Count
			for id := range uint64(8) {
				if n := counts[id]; n > 0 {
					want = append(want, Count{ID: id, N: n})
				}
				if got := w.CountAt(now, id); got != counts[id] {
					t.Fatalf("key %d: %d, want %d", id, got, counts[id])
				}
			}
			slices.SortFunc(want, before)
			if got := w.TopAt(now, 8); !slices.Equal(got, want) || w.Missed() != missed {
				t.Fatalf("%v and %d missed, want %v and %d", got, w.Missed(), want, missed)
			}
		}
	})
}

const minimum = -1 << 63

// TestSizesAreTrue: what Size tells is what the types take.
func TestSizesAreTrue(t *testing.T) {
	for name, c := range map[string][2]uintptr{
		"count":      {countBytes, unsafe.Sizeof(Count{})},
		"index slot": {indexSlotBytes, unsafe.Sizeof(indexSlot{})},
		"keeper":     {8, unsafe.Sizeof(keeper{})},
		"used":       {24, unsafe.Sizeof(used{})},
		"halving":    {16, unsafe.Sizeof(halving{}) - 8},
		"window":     {24, unsafe.Sizeof(Window{}) - unsafe.Sizeof(WindowConfig{}) - 2*unsafe.Sizeof([]int{}) - unsafe.Sizeof(index{})},
		"lfu":        {24, unsafe.Sizeof(LFU{}) - unsafe.Sizeof(LFUConfig{}) - unsafe.Sizeof([]int{}) - unsafe.Sizeof(index{})},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: told to be %d bytes, is %d", name, c[0], c[1])
		}
	}
}
