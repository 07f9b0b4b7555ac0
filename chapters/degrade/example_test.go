package degrade_test

import (
	"fmt"

	"seedbed/chapters/degrade"
)

// A queue grows: first the extras go, then orders are accepted and worked off later. When it is short again all of it comes back, a step each 20 s.
func Example() {
	l, err := degrade.NewLadder(degrade.Config{
		Signals: []degrade.Signal{{Name: "queue", Steps: []degrade.Step{{Up: 1000, Down: 500}, {Up: 4000, Down: 2000}, {Up: 9000, Down: 5000}}}},
		UpFor:   2_000_000_000, DownFor: 20_000_000_000,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	queue := l.Find("queue")
	observe := func(seconds, length int64) {
		c := l.ObserveAt(seconds*1e9, queue, length)
		for i := range c.Len() {
			fmt.Printf("%2d s: %v → %v\n", c.At(i).At/1e9, c.At(i).From, c.At(i).To)
		}
	}
	observe(0, 1200)
	observe(3, 9500)
	observe(6, 1800)
	level := l.LevelAt(7e9, "ann")
	fmt.Println("extras:", level.Extras(), "· order first, work later:", !level.OrdersNow())
	observe(60, 300)
	observe(90, 300)
	// Output:
	//  2 s: normal → L1 drop extras
	//  5 s: L1 drop extras → L2 defer writes
	//  5 s: L2 defer writes → L3 accept first
	// extras: false · order first, work later: true
	// 26 s: L3 accept first → L2 defer writes
	// 46 s: L2 defer writes → L1 drop extras
	// 80 s: L1 drop extras → normal
}
