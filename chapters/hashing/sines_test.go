package hashing

import (
	"math"
	"testing"
)

func TestMD5SinesAreComputable(t *testing.T) {
	for i, got := range md5Sines {
		want := uint32(math.Floor(math.Abs(math.Sin(float64(i+1))) * (1 << 32)))
		if got != want {
			t.Errorf("md5Sines[%d] = %#08x, want %#08x", i, got, want)
		}
	}
}
