package queuetest_test

import (
	"fmt"

	"seedbed/chapters/queue/queuetest"
)

// channel is somebody's queue: a buffered channel. Who gives up is only noted, and skipped when its turn comes.
type channel struct {
	places chan int
	gone   map[int]bool
}

func (c *channel) Push(_ int64, id int, _ int64) bool {
	select {
	case c.places <- id:
		return true
	default:
		return false
	}
}

func (c *channel) Pop(int64) (int, bool, bool) {
	for {
		select {
		case id := <-c.places:
			if !c.gone[id] {
				return id, true, true
			}
		default:
			return 0, false, false
		}
	}
}

func (c *channel) Cancel(id int) bool {
	c.gone[id] = true
	return true
}

type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// In a test of your own, Run takes a *testing.T and makes a subtest of each claim. Here is what is said of a channel: its order is right, and
// who has long been served can still give up.
func ExampleCheck() {
	queuetest.Check(printer{}, queuetest.Target{
		New:    func(depth int) queuetest.Queue { return &channel{make(chan int, depth), map[int]bool{}} },
		Claims: queuetest.Bounded | queuetest.Ordered | queuetest.Cancels,
	})
	// Output:
	// cancels: seed 0: 0 gives up: true, want false
	//   at 1: 0 comes → waits
	//   at 2: 0 gives up → true
	//   at 3: next → nobody
	//   at 4: 1 comes → waits
	//   at 5: 0 gives up → true
}
