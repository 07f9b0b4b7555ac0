package ring_test

import (
	"fmt"

	"seedbed/chapters/ring"
)

func Example() {
	r, err := ring.New(ring.Config{}, ring.Equal("cache-1", "cache-2", "cache-3"))
	if err != nil {
		fmt.Println(err)
		return
	}
	owner, _ := r.Owner("user:42")
	fmt.Println("owner:", owner)
	fmt.Println("and two replicas:", r.Owners("user:42", 3, nil)[1:])

	less, _, err := ring.Remove(r, owner)
	if err != nil {
		fmt.Println(err)
		return
	}
	heir, _ := less.Owner("user:42")
	fmt.Println("when it leaves:", heir)
	// Output:
	// owner: cache-1
	// and two replicas: [cache-3 cache-2]
	// when it leaves: cache-3
}

// A server holds the ring in an Atomic: look-ups take no lock while members come and go.
func ExampleAtomic() {
	r, err := ring.New(ring.Config{}, ring.Equal("a", "b"))
	if err != nil {
		fmt.Println(err)
		return
	}
	var now ring.Atomic
	now.Store(r)
	if _, err := now.Add(ring.Member{Name: "c", Weight: 2}); err != nil {
		fmt.Println(err)
		return
	}
	_, err = now.Add(ring.Member{Name: "d", Weight: 0})
	fmt.Println(err)
	fmt.Println(now.Load().Members())
	// Output:
	// weight of d: 0 is outside 1..1000000
	// [{a 1} {b 1} {c 2}]
}

// What a change costs, for the best and the worst way to own keys.
func ExampleMoved() {
	keys := hashes(100_000, 1)
	for _, algorithm := range []ring.Algorithm{ring.AlgorithmModulo, ring.AlgorithmRing} {
		before, err := ring.Build(algorithm, ring.BuildConfig{}, ring.Equal(numbered(10)...))
		if err != nil {
			fmt.Println(err)
			return
		}
		after, _, err := ring.Add(before, ring.Member{Name: "node-10", Weight: 1})
		if err != nil {
			fmt.Println(err)
			return
		}
		m := ring.Moved(before, after, keys, nil)
		fmt.Printf("%s: %d %% of keys move, %d %% needlessly\n", algorithm, 100*m.Moved/m.Keys, 100*m.Needless/m.Keys)
	}
	// Output:
	// modulo: 90 % of keys move, 81 % needlessly
	// ring: 9 % of keys move, 0 % needlessly
}

// No member holds more than a tenth above its share, and a unit that does not fit goes to the next owner.
func ExampleLoads() {
	r, err := ring.New(ring.Config{}, ring.Equal("a", "b", "c"))
	if err != nil {
		fmt.Println(err)
		return
	}
	loads, err := ring.NewLoads(ring.LoadsConfig{Epsilon: 100_000}, r)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 30 { // thirty requests for one key, none of which ends
		if _, err := loads.Place(r.HashOf("hot")); err != nil {
			fmt.Println(err)
			return
		}
	}
	for i := range r.Len() {
		fmt.Println(r.Member(i).Name, loads.Load(i))
	}
	// Output:
	// a 8
	// b 11
	// c 11
}

// C fails: its heirs take a tenth of its keys at once and a tenth more each 30 seconds.
func ExampleTakeover() {
	r, err := ring.New(ring.Config{}, ring.Equal("A", "B", "C", "D"))
	if err != nil {
		fmt.Println(err)
		return
	}
	take, err := ring.NewTakeover(ring.TakeoverConfig{}, r)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, _ := r.Index("C")
	take.FailAt(0, c, nil)
	for _, at := range []int64{0, 30, 270} {
		fmt.Printf("after %d s: %d %%\n", at, take.ShareAt(at*1_000_000_000, c)/10_000)
	}
	// Output:
	// after 0 s: 10 %
	// after 30 s: 20 %
	// after 270 s: 100 %
}
