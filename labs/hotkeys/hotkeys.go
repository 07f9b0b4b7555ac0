// Package hotkeys holds the lab about keys that most requests are for. One key has one owner, so no number of shards helps.
//
//	hot-key  who finds the key in time, what is done about it, and for what kind of value that is right
//
// The counters, copies, local values and split numbers are those of chapters/hotkey. All ways to find a key count the very same
// requests; the checks judge the one that the parameter use names, and what it names is treated by the one remedy of the run.
package hotkeys

import (
	"seedbed/chapters/hotkey"
)

const (
	million = 1_000_000
	second  = 1_000_000_000
)

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
