package degrade

import (
	"testing"
	"unsafe"
)

// TestSizeIsTrue: what Size tells is what the state takes, without configuration and the header of the values.
func TestSizeIsTrue(t *testing.T) {
	l, err := NewLadder(Config{DownFor: 1, Signals: []Signal{{Name: "a", Steps: []Step{{Up: 1}}}, {Name: "b", Steps: []Step{{Up: 1}}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := l.Size(), int(unsafe.Sizeof(l)-unsafe.Sizeof(l.cfg)-unsafe.Sizeof(l.values))+2*8; got != want {
		t.Errorf("told to be %d bytes, is %d", got, want)
	}
	if c := l.Clone(); &c.values[0] == &l.values[0] || &c.cfg.Signals[0].Steps[0] == &l.cfg.Signals[0].Steps[0] {
		t.Error("a copy shares memory")
	}
}
