package adaptive

import (
	"testing"
	"unsafe"
)

// TestSizesAreTrue: what Size tells is what the types take beside their configuration.
func TestSizesAreTrue(t *testing.T) {
	common, life := unsafe.Sizeof(Common{}), uintptr(8)
	for name, c := range map[string][2]uintptr{
		"course":    {uintptr((&AIMD{}).Size()), unsafe.Sizeof(course{}) - common - life},
		"bbr":       {uintptr((&BBR{}).Size()), unsafe.Sizeof(BBR{}) - common - life},
		"gate slot": {gateSlotBytes, unsafe.Sizeof(gateSlot{})},
		"gate":      {uintptr((&Gate{}).Size()), unsafe.Sizeof(Gate{}) - unsafe.Sizeof(Limit(nil)) - 2*unsafe.Sizeof([]int{})},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: told to be %d bytes, is %d", name, c[0], c[1])
		}
	}
}
