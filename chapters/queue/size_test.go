package queue

import (
	"math/big"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// TestSizesAreTrue: what Size tells is what the state takes, without configuration and headers of slices.
func TestSizesAreTrue(t *testing.T) {
	var q Queue
	codel, slough, pace := unsafe.Sizeof(CoDel{})-16, unsafe.Sizeof(Slough{})-16, unsafe.Sizeof(q.pace)-unsafe.Sizeof(Rate{})
	own := unsafe.Sizeof(q) - unsafe.Sizeof(q.cfg) - unsafe.Sizeof(q.places) - unsafe.Sizeof(q.pace) - unsafe.Sizeof(q.codel) - unsafe.Sizeof(q.slough)
	for name, c := range map[string][2]uintptr{
		"place": {32, unsafe.Sizeof(place{})}, "codel": {40, codel}, "slough": {32, slough},
		"queue": {uintptr(q.Size()), own + codel + slough + pace},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: told to be %d bytes, is %d", name, c[0], c[1])
		}
	}
	two, err := NewQueue(Config{Depth: 2})
	if err != nil {
		t.Fatal(err)
	}
	two.PushAt(0, 1)
	two.PushAt(0, 1)
	two.PopAt(0)
	if got, want := two.Size()-q.Size(), 64; got != want {
		t.Errorf("two places take %d bytes, want %d", got, want)
	}
}

// TestCloneSharesNoMemory: what waits in a copy does not wait in the original.
func TestCloneSharesNoMemory(t *testing.T) {
	q, err := NewQueue(Config{Depth: 3})
	if err != nil {
		t.Fatal(err)
	}
	ticket, _ := q.PushAt(0, 1)
	c := q.Clone()
	if &c.places[0] == &q.places[0] {
		t.Error("a copy shares the places")
	}
	if !c.Cancel(ticket) || q.Len() != 1 || !q.Cancel(ticket) {
		t.Error("a ticket should leave each of them once")
	}
}

// TestExactArithmetic: against math/big.
func TestExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, maxInt64)
		a, b, r, c := n.Draw(t, "a"), n.Draw(t, "b"), n.Draw(t, "r"), max(1, n.Draw(t, "c"))
		if rapid.Bool().Draw(t, "small") {
			a %= 1000
		}
		sum := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		quo, rem := sum.Add(sum, big.NewInt(r)).QuoRem(sum, big.NewInt(c), new(big.Int))
		if !quo.IsInt64() {
			quo, rem = big.NewInt(maxInt64), new(big.Int)
		}
		if q, m := mulAddDiv(a, b, r, c); q != quo.Int64() || m != rem.Int64() {
			t.Fatalf("(%d × %d + %d) / %d: %d rest %d, want %v rest %v", a, b, r, c, q, m, quo, rem)
		}
	})
}
