package route

import (
	"math/big"
	"reflect"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// TestSizesAreTrue: what Size tells is what the types take.
func TestSizesAreTrue(t *testing.T) {
	words := unsafe.Sizeof(Pool{}) - unsafe.Sizeof(Config{}) - 4*unsafe.Sizeof(set{}) - unsafe.Sizeof(leases{})
	for name, c := range map[string][2]uintptr{
		"peer":             {peerBytes, unsafe.Sizeof(peer{})},
		"numbers of Pool":  {wordsOfPool * 8, words},
		"lease":            {32, unsafe.Sizeof(leaseSlot{})},
		"place":            {32, unsafe.Sizeof(place{})},
		"idle connection":  {16, unsafe.Sizeof(idleConn{})},
		"numbers of Queue": {32, unsafe.Sizeof(Queue{}) - unsafe.Sizeof([]place{})},
		"Budget":           {uintptr((&Budget{}).Size()), unsafe.Sizeof(Budget{}) - unsafe.Sizeof(BudgetConfig{})},
		"Throttle":         {uintptr((&Throttle{}).Size()), unsafe.Sizeof(Throttle{}) - unsafe.Sizeof(ThrottleConfig{})},
		"Keys":             {uintptr((&Keys[int]{}).Size()), unsafe.Sizeof(Keys[int]{}) - unsafe.Sizeof(KeysConfig{}) - 2*unsafe.Sizeof([]int{})},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: told to be %d bytes, is %d", name, c[0], c[1])
		}
	}
}

// TestSetIsItsTwin: against a slice of bools.
func TestSetIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.Bool(), 1, 200).Draw(t, "in")
		s := newSet(len(in))
		var list []int
		for i, b := range in {
			s.put(i, true)
			s.put(i, b)
			if b {
				list = append(list, i)
			}
		}
		if s.len() != len(list) {
			t.Fatalf("%d in it, want %d", s.len(), len(list))
		}
		for n, want := range list {
			if got := s.nth(n); got != want {
				t.Fatalf("number %d is %d, want %d", n, got, want)
			}
		}
		next := -1
		for i := len(in) + 70; i >= 0; i-- {
			if i < len(in) && in[i] {
				next = i
			}
			if got := s.from(i); got != next {
				t.Fatalf("the first from %d is %d, want %d", i, got, next)
			}
		}
	})
}

// TestExactArithmetic: against math/big.
func TestExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, maxInt64)
		a, b, c, d := n.Draw(t, "a"), n.Draw(t, "b"), max(1, n.Draw(t, "c")), max(1, n.Draw(t, "d"))
		if got, want := compareRatios(a, c, b, d), big.NewRat(a, c).Cmp(big.NewRat(b, d)); got != want {
			t.Fatalf("%d/%d against %d/%d: %d, want %d", a, c, b, d, got, want)
		}
		if product := new(big.Int).Mul(big.NewInt(a), big.NewInt(b)); true {
			want := d
			if product.Cmp(big.NewInt(d)) < 0 {
				want = product.Int64()
			}
			if got := mulUpTo(a, b, d); got != want {
				t.Fatalf("%d × %d up to %d: %d, want %d", a, b, d, got, want)
			}
		}
		part := rapid.Int64Range(-c, c).Draw(t, "part")
		want := new(big.Int).Quo(new(big.Int).Mul(big.NewInt(part), big.NewInt(b)), big.NewInt(c))
		if got := mulDiv(part, b, c); got != want.Int64() {
			t.Fatalf("%d × %d / %d: %d, want %v", part, b, c, got, want)
		}
	})
}

// TestClonesShareNoMemory: no slice of a copy lies where the original's does.
func TestClonesShareNoMemory(t *testing.T) {
	g, err := NewGateway(Config{Peers: []Peer{{Name: "a", Weight: 1, MaxConns: 1}}}, QueueConfig{Depth: 2})
	if err != nil {
		t.Fatal(err)
	}
	_, d := g.AskAt(0, NoDeadline, nil)
	g.DoneAt(0, d.Lease, Success)
	k, err := NewKeys[int](KeysConfig{MaxKeys: 4, Lease: 1, TTL: 1})
	if err != nil {
		t.Fatal(err)
	}
	k.BeginAt(0, "a", 1)
	idle, err := NewIdle(IdleConfig{Keep: 2, Timeout: 1})
	if err != nil {
		t.Fatal(err)
	}
	idle.PutAt(0, 0)
	w, err := NewWorkers(Config{Peers: []Peer{{Name: "a", Weight: 1}}}, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for name, pair := range map[string][2]any{
		"gateway": {g, g.Clone()}, "keys": {k, k.Clone()}, "idle": {idle, idle.Clone()}, "workers": {w, w.Clone()},
		"retrier": {Retrier{}, (&Retrier{}).Clone()}, "throttle": {Throttle{}, (&Throttle{}).Clone()},
	} {
		mine := map[uintptr]string{}
		slicesOf(reflect.ValueOf(pair[0]), name, func(at uintptr, path string) { mine[at] = path; found++ })
		slicesOf(reflect.ValueOf(pair[1]), name, func(at uintptr, path string) {
			if mine[at] != "" {
				t.Errorf("a copy shares %s", path)
			}
		})
	}
	if found < 12 {
		t.Errorf("found %d slices only: this test looks at nothing", found)
	}
}

// slicesOf visits the memory of each slice that is not empty.
func slicesOf(v reflect.Value, path string, visit func(at uintptr, path string)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			slicesOf(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Slice:
		if v.Cap() > 0 {
			visit(v.Pointer(), path)
		}
		for i := range v.Len() {
			slicesOf(v.Index(i), path+"[]", visit)
		}
	}
}
