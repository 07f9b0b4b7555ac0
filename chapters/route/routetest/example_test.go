package routetest_test

import (
	"fmt"
	"strings"

	"seedbed/chapters/route"
	"seedbed/chapters/route/routetest"
)

// first is a balancer of the simplest kind: it always takes the first peer that is up.
type first struct{ down []bool }

func (f *first) Pick(int64) (int, bool) {
	for i, down := range f.down {
		if !down {
			return i, true
		}
	}
	return -1, false
}

func (f *first) Done(int64, int, bool)                {}
func (f *first) SetHealth(_ int64, peer int, up bool) { f.down[peer] = !up }

// In a test of your own, Run takes a *testing.T and makes a subtest of each claim. Here a printer stands in for it, to show what is said
// of a balancer that does not look at the room of its peers.
func ExampleCheck() {
	routetest.Check(printer{}, routetest.Target{
		New:    func(peers []route.Peer, _ uint64) routetest.Balancer { return &first{down: make([]bool, len(peers))} },
		Claims: routetest.HealthyOnly | routetest.WithinRoom,
	})
	// Output:
	// within-room: seed 0: peer 0 has 3 in flight, room for 2
}

type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) {
	line, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	fmt.Println(line)
}
