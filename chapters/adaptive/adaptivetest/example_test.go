package adaptivetest_test

import (
	"fmt"

	"seedbed/chapters/adaptive"
	"seedbed/chapters/adaptive/adaptivetest"
)

// eager is somebody's limit: one more for every answer, half for every failure. It does not look at how much of it is used.
type eager struct{ limit int64 }

func (e *eager) Limit() int64 { return e.limit }

func (e *eager) LearnAt(_ int64, s adaptive.Sample) {
	if s.Dropped {
		e.limit = max(1, e.limit/2)
	} else {
		e.limit = min(100, e.limit+1)
	}
}

// printer is a TB that prints; a test passes its *testing.T.
type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// In a test of your own, Run takes a *testing.T and makes a subtest of each claim.
func ExampleCheck() {
	adaptivetest.Check(printer{}, adaptivetest.Target{
		New: func() adaptivetest.Limit { return &eager{limit: 20} },
		Min: 1, Max: 100, Pace: 1e6, Samples: 1,
		Claims: adaptivetest.Always,
	})
	// Output:
	// idle: seed 0: less than half was in flight, and the limit went from 9 to 10
}
