// Package hotkeys holds the lab about keys that most requests are for. One key has one owner, so no number of shards helps.
//
//	hot-key  who finds the key in time, what is done about it, and for what kind of value that is right
//
// The counters, copies, local values and split numbers are those of chapters/hotkey. All ways to find a key count the very same
// requests; the checks judge the one that the parameter use names, and what it names is treated by the one remedy of the run.
package hotkeys

import (
	"math/bits"

	"seedbed/chapters/hotkey"
)

const (
	million = 1_000_000
	second  = 1_000_000_000
)

// must ends a run whose configuration a chapter refuses: the ranges of parameters are within its own, so that is a fault of the lab.
//
//go:noinline
func must(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic("hotkeys: " + err.Error())
		}
	}
}

// ratio is a of b in parts per million, for a and b from 0; 0 when there is no b.
func ratio(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(a), million)
	if uint64(b) <= hi {
		return 0
	}
	q, _ := bits.Div64(hi, lo, uint64(b))
	return int64(q)
}

// lastUsed is the list that an LRU cache has at hand, as far as anybody looks at it: the keys that were used last, the last one first.
// It is here to be seen failing as a detector.
type lastUsed struct {
	ids [maxTop]uint64
	n   int
}

// AddAt moves a key to the head. O(maxTop).
func (l *lastUsed) AddAt(_ int64, id uint64) bool {
	i := 0
	for i < l.n && l.ids[i] != id {
		i++
	}
	if i == l.n {
		l.n = min(l.n+1, maxTop)
		i = l.n - 1
	}
	copy(l.ids[1:i+1], l.ids[:i])
	l.ids[0] = id
	return true
}

// TopAt is the k that were used last.
func (l *lastUsed) TopAt(_ int64, k int) []hotkey.Count {
	top := make([]hotkey.Count, 0, maxTop)
	for _, id := range l.ids[:min(k, l.n)] {
		top = append(top, hotkey.Count{ID: id})
	}
	return top
}

// Copy returns an independent copy.
func (l *lastUsed) Copy() hotkey.Detector { c := *l; return &c }

// Size is 8 bytes a key.
func (l *lastUsed) Size() int { return 8 * maxTop }
