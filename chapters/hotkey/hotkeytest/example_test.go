package hotkeytest_test

import (
	"fmt"

	"seedbed/chapters/hotkey"
	"seedbed/chapters/hotkey/hotkeytest"
)

// newest is somebody's detector: the keys that were used last are the hot ones.
type newest struct{ ids []uint64 }

func (n *newest) AddAt(_ int64, id uint64) bool {
	for i, other := range n.ids {
		if other == id {
			n.ids = append(n.ids[:i], n.ids[i+1:]...)
			break
		}
	}
	n.ids = append([]uint64{id}, n.ids[:min(len(n.ids), 99)]...)
	return true
}

func (n *newest) TopAt(_ int64, k int) (out []hotkey.Count) {
	for i, id := range n.ids[:min(k, len(n.ids))] {
		out = append(out, hotkey.Count{ID: id, N: int64(100 - i)})
	}
	return out
}

// printer is a TB that prints; a test passes its *testing.T.
type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// In a test of your own, Run takes a *testing.T and makes a subtest of each claim.
func ExampleCheck() {
	hotkeytest.Check(printer{}, hotkeytest.Target{New: func() hotkeytest.Detector { return &newest{} }, Claims: hotkeytest.Recall})
	// Output: recall: seed 0: 4 of the 10 keys that are asked for most are listed, want 8
}
