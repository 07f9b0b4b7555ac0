package limiter

import (
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// TestDivisorDivides: its twin is the processor.
func TestDivisorDivides(t *testing.T) {
	try := func(t interface{ Fatalf(string, ...any) }, x, d int64) {
		v := newDivisor(d)
		if got, want := v.floor(x), x/d; got != want {
			t.Fatalf("⌊%d/%d⌋ = %d, want %d", x, d, got, want)
		}
		if x <= maxInt64-d {
			if got, want := v.ceil(x), divUp(x, d); got != want {
				t.Fatalf("⌈%d/%d⌉ = %d, want %d", x, d, got, want)
			}
		}
	}
	var edges []int64
	for bit := range 63 {
		for by := int64(-2); by <= 2; by++ {
			if e := int64(1)<<bit + by; e > 0 {
				edges = append(edges, e)
			}
		}
	}
	edges = append(edges, maxInt64, maxInt64-1, 1_000_000_000, 10_000_000, 99_991)
	for _, d := range edges {
		for _, x := range edges {
			try(t, x, d)
			// The numbers around a multiple are where a reciprocal a little too small or too large shows.
			try(t, x-x%d, d)
			try(t, max(0, x-x%d-1), d)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Int64Range(1, maxInt64).Draw(t, "d")
		q := rapid.Int64Range(0, maxInt64/d).Draw(t, "q")
		try(t, q*d, d)
		try(t, max(0, q*d-1), d)
	})
}

// TestStatedSizesAreTheSizes: what Size says is what the state of a limiter takes.
func TestStatedSizesAreTheSizes(t *testing.T) {
	for name, c := range map[string]struct {
		said int
		is   uintptr
	}{
		"fixed":        {(&FixedWindow{}).Size(), unsafe.Sizeof(fixedState{})},
		"two counters": {(&TwoCounter{}).Size(), unsafe.Sizeof(twoState{})},
		"token bucket": {(&TokenBucket{}).Size(), unsafe.Sizeof(bucketState{})},
		"policer":      {(&Policer{}).Size(), unsafe.Sizeof(bucketState{})},
		"queue":        {(&Queue{}).Size(), unsafe.Sizeof(queueState{})},
		"gcra":         {(&GCRA{}).Size(), unsafe.Sizeof(GCRA{}.tat)},
		"serial gcra":  {(&SerialGCRA{}).Size(), unsafe.Sizeof(SerialGCRA{}.tat)},
	} {
		if uintptr(c.said) != c.is {
			t.Errorf("%s: Size says %d bytes, its state has %d", name, c.said, c.is)
		}
	}
	// With the pointer to what it shares with others, a GCRA is 16 bytes.
	if got := unsafe.Sizeof(GCRA{}); got != 16 {
		t.Errorf("a GCRA has %d bytes, want 16", got)
	}
}
