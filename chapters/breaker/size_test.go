package breaker

import (
	"reflect"
	"testing"
	"unsafe"
)

// TestSizesAreTrue: what Size tells is what the state takes, without configuration and headers of slices.
func TestSizesAreTrue(t *testing.T) {
	const header = unsafe.Sizeof([]int{})
	var b Breaker
	made, err := NewBreaker(Resilience4j())
	if err != nil {
		t.Fatal(err)
	}
	hystrix, err := NewBreaker(Hystrix())
	if err != nil {
		t.Fatal(err)
	}
	configured := unsafe.Sizeof(b.window.size) + 4 + unsafe.Sizeof(b.window.width)
	own := unsafe.Sizeof(b) - unsafe.Sizeof(b.cfg) - unsafe.Sizeof(b.window) - unsafe.Sizeof(b.probes)
	for name, c := range map[string][2]uintptr{
		"breaker":     {48, own},
		"window":      {24, unsafe.Sizeof(b.window) - 2*header - configured},
		"probes":      {20, unsafe.Sizeof(b.probes) - 2*header - 4},
		"bucket":      {12, unsafe.Sizeof(Counts{})},
		"place":       {16, unsafe.Sizeof(place{})},
		"of 100":      {uintptr(made.Size()), 48 + 24 + 20 + 4*8 + 10*12},
		"of 10 slots": {uintptr(hystrix.Size()), 48 + 24 + 20 + 10*12 + 1*12},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: told to be %d bytes, is %d", name, c[0], c[1])
		}
	}
	if made.Size() > 256 {
		t.Errorf("the default takes %d bytes, want at most 256", made.Size())
	}
	h := Bulkhead{held: make([]int64, 2), slots: make([]place, 3), free: make([]int32, 1)}
	s := Set{breakers: []Breaker{made, hystrix}, bulkhead: h}
	if got, want := s.Size(), made.Size()+hystrix.Size()+24+2*8+3*16+4; got != want {
		t.Errorf("set: told to be %d bytes, is %d", got, want)
	}
}

// TestClonesShareNoMemory: no slice of a copy lies where the original's does.
func TestClonesShareNoMemory(t *testing.T) {
	s, err := NewSet(SetConfig{Places: 2, Dependencies: []Dependency{
		{Name: "a", Breaker: Resilience4j(), Max: 1}, {Name: "b", Breaker: Hystrix(), Max: 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := s.AskAt(0, 0)
	s.DoneAt(0, c, Success)
	found := 0
	mine := map[uintptr]string{}
	slicesOf(reflect.ValueOf(s), "set", func(at uintptr, path string) { mine[at] = path; found++ })
	slicesOf(reflect.ValueOf(s.Clone()), "set", func(at uintptr, path string) {
		if mine[at] != "" {
			t.Errorf("a copy shares %s", path)
		}
	})
	if found < 11 {
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

// TestABucketThatIsFull: after two thousand million calls in one span the counts stand still instead of turning negative.
func TestABucketThatIsFull(t *testing.T) {
	b, err := NewBreaker(Hystrix())
	if err != nil {
		t.Fatal(err)
	}
	b.window.advance(0)
	b.window.sum.Calls = maxInt32
	ticket, _ := b.AskAt(0)
	b.DoneAt(0, ticket, Failure)
	if c, _ := b.CountsAt(0); c != (Counts{Calls: maxInt32}) {
		t.Errorf("counts %+v", c)
	}
}

// TestSerialsGoRound: after four thousand million probes the numbers begin anew, and 0 still means none.
func TestSerialsGoRound(t *testing.T) {
	p := newProbes(2)
	p.serial = 1<<32 - 2
	var one, two Ticket
	if !p.take(&one, 0) || !p.take(&two, 0) || one.serial != 1<<32-1 || two.serial != 1 {
		t.Fatalf("serials %d and %d, want the largest and 1", one.serial, two.serial)
	}
	if !p.end(one) || !p.end(two) || p.end(two) || p.out != 0 {
		t.Errorf("%d are out", p.out)
	}
}

// TestChangesArePackedWhole: whatever two changes are put in come out again, and a Decision is copied by sixteens.
func TestChangesArePackedWhole(t *testing.T) {
	if n := unsafe.Sizeof(Decision{}); n%16 != 0 {
		t.Errorf("a Decision takes %d bytes, want a multiple of 16", n)
	}
	var all []Change
	for from := range State(len(states)) {
		for to := range State(len(states)) {
			for cause := range Cause(len(causes)) {
				all = append(all, Change{From: from, To: to, Cause: cause, At: minInt64 + int64(len(all))})
			}
		}
	}
	for i, one := range all {
		two := all[len(all)-1-i]
		two.At = maxInt64 - int64(i)
		var c Changes
		c.add(one)
		if c.Len() != 1 || c.At(0) != one {
			t.Fatalf("%+v alone became %+v", one, c.At(0))
		}
		c.add(two)
		if c.Len() != 2 || c.At(0) != one || c.At(1) != two {
			t.Fatalf("%+v and %+v became %+v and %+v", one, two, c.At(0), c.At(1))
		}
	}
}
