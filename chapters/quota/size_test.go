package quota

import (
	"testing"
	"unsafe"
)

// TestSizesAreTrue: what Size tells is what the types take beside their configuration.
func TestSizesAreTrue(t *testing.T) {
	slice := unsafe.Sizeof([]int{})
	for name, c := range map[string][2]uintptr{
		"grant":   {grantBytes, unsafe.Sizeof(grant{})},
		"holding": {holdingBytes, unsafe.Sizeof(holding{})},
		"pool":    {uintptr((&Pool{}).Size()), unsafe.Sizeof(Pool{}) - unsafe.Sizeof(Config{}) - slice},
		"spender": {uintptr((&Spender{}).Size()), unsafe.Sizeof(Spender{}) - unsafe.Sizeof(SpenderConfig{}) - 2*slice},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: told to be %d bytes, is %d", name, c[0], c[1])
		}
	}
}
