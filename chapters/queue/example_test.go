package queue_test

import (
	"fmt"

	"seedbed/chapters/queue"
)

// A consumer of two a second, a line of three, and people of different patience.
func Example() {
	q, err := queue.NewQueue(queue.Config{Depth: 3, Rate: queue.PerSecond(2)})
	if err != nil {
		fmt.Println(err)
		return
	}
	names := map[queue.Ticket]string{}
	come := func(name string, deadline int64) {
		t, d := q.PushAt(0, deadline)
		names[t] = name
		fmt.Printf("%s: %v, %d ms\n", name, d.Reason, d.Wait/1e6)
	}
	come("ann", queue.NoDeadline)
	come("bob", 2_000_000_000)
	come("cyn", 900_000_000) // the third turn comes after a second
	come("dan", queue.NoDeadline)
	come("eve", queue.NoDeadline)
	for now := int64(0); now <= 3_000_000_000; now += 100_000_000 {
		for {
			w, ok := q.PopAt(now)
			if !ok {
				break
			}
			fmt.Printf("%4d ms: %s, %v\n", now/1e6, names[w.Ticket], w.Fate)
		}
	}
	// Output:
	// ann: waiting, 0 ms
	// bob: waiting, 500 ms
	// cyn: hopeless, 1000 ms
	// dan: waiting, 1000 ms
	// eve: queue full, 0 ms
	//    0 ms: ann, served
	//  500 ms: bob, served
	// 1000 ms: dan, served
}
