// Package overload holds the labs about callers whose dependencies fail, and about services that are asked for more than they can do. Each is
// one value; package catalog lists them.
//
//	circuit-breaker  when to stop calling what fails, and how to begin again
//	bulkhead         how much of a caller one dependency may hold
//	peak-shaving     how long a line may be
//	degrade-ladder   what is given up, in which order, and what never is
//	adaptive-limit   whether a limit can follow a service that changes
//
// The algorithms are those of chapters/breaker, queue, limiter, degrade, intent and adaptive. A lab compares ways to use them: the checks judge
// the one that the parameter use names, and the others see the very same requests beside it, each with dependencies of its own.
package overload

import (
	"seedbed/labs"
)

const (
	million = 1_000_000
	second  = 1_000_000_000
	percent = 10_000 // one, in parts per million
)

// whole refuses a share that is not a whole number of percent: that is all that the chapter takes.
func whole(c labs.Config, names ...string) error {
	for _, name := range names {
		if v := c.Int(name); v%percent != 0 {
			return &labs.Error{Code: "too-fine", Field: name, Got: labs.Percent.Format(v), Want: labs.Percent.Format(percent)}
		}
	}
	return nil
}

// tally counts the requests of one second of arrivals.
type tally struct{ settled, good int32 }

// enough is the share of good answers, in percent, from which a second counts as a good one.
const enough = 90

// back is how long after an instant the last second was over in which too few requests were answered. Seconds whose requests may have
// no outcome by the horizon are left out.
func back(seconds []tally, after, patience, horizon int64) int64 {
	last := after
	for i, t := range seconds {
		from := int64(i) * second
		if from < after || from+second+patience > horizon {
			continue
		}
		if int64(t.good)*100 < int64(t.settled)*enough {
			last = from + second
		}
	}
	return last - after
}
