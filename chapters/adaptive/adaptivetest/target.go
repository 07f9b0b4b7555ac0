package adaptivetest

import "seedbed/chapters/adaptive"

// Limit is what is tested. Instants never go back.
type Limit interface {
	Limit() int64
	LearnAt(now int64, s adaptive.Sample)
}

// Target is a limit under test.
type Target struct {
	// New returns a fresh limit. All that it returns must behave alike.
	New func() Limit

	Min, Max int64 // the range of its limit, 1 ≤ Min < Max
	Pace     int64 // ns between two requests, ≥ 1: Samples of them, so far apart, are enough to make it move
	Samples  int   // ≥ 1
	Life     int64 // ns after which it has forgotten its fastest latency; wanted by Ages

	// Seeds is how many histories each claim is tried on; 0 means 50.
	Seeds int

	Claims Claim
}

// Claim is a set of promises.
type Claim uint

// The promises, each a subtest.
const (
	// Range: whatever happens, the limit lies in Min..Max.
	Range Claim = 1 << iota
	// Grows: a limit that is used, with latencies that do not change and no drops, does not stay at Min.
	Grows
	// Idle: while less than half of it is in flight, it does not grow.
	Idle
	// Drops: the drop of a request that began after the last one lowers it, unless it is Min.
	Drops
	// Latency: of two that have seen the same, the one that sees higher latencies from then on is not the higher one after the next step.
	Latency
	// Repeats: two fresh limits do the same.
	Repeats
	// Ages: one lucky request lowers it for no longer than Life and a while.
	Ages

	// Always is what every limit can promise.
	Always = Range | Grows | Idle | Drops | Latency | Repeats
	// Full is all of it, for those that have a fastest latency.
	Full = Always | Ages
)

// TB is the part of *testing.T that the checks use. A recording implementation shows that a check can fail.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// check is one claim and how it is tried: it returns what is wrong, "" when nothing is.
type check struct {
	claim Claim
	name  string
	run   func(g *Target, c *course) string
}

var checks = []check{
	{Range, "range", inRange},
	{Grows, "grows", grows},
	{Idle, "idle", idle},
	{Drops, "drops", drops},
	{Latency, "latency", latency},
	{Repeats, "repeats", repeats},
	{Ages, "ages", ages},
}
