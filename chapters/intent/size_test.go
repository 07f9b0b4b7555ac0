package intent

import (
	"testing"
	"unsafe"
)

// TestSizeIsTrue: what Size tells is what the state takes, without the configuration, the store and headers of slices.
func TestSizeIsTrue(t *testing.T) {
	l, err := New(Config{MaxOpen: 100, MaxDone: 0, MaxAttempts: 1, Lease: 1}, &Memory{})
	if err != nil {
		t.Fatal(err)
	}
	for id := range uint64(9) {
		l.AcceptAt(0, id, "x")
	}
	c, _, _ := l.ClaimAt(0)
	l.FinishAt(0, c, "")
	own := int(unsafe.Sizeof(l.lines) + unsafe.Sizeof(l.now) + unsafe.Sizeof(l.open))
	want := int(unsafe.Sizeof(entry{}))*9 + 4*32 + 4*1 + own
	if got := l.Size(); got != want {
		t.Errorf("told to be %d bytes, is %d", got, want)
	}
	k := l.Clone(&Memory{})
	if &k.table.entries[0] == &l.table.entries[0] || &k.table.index[0] == &l.table.index[0] || &k.table.free[0] == &l.table.free[0] {
		t.Error("a copy shares memory")
	}
}
