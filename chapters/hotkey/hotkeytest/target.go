package hotkeytest

import "seedbed/chapters/hotkey"

// Detector is what is tested; hotkey.Detector is one. Instants never go back.
type Detector interface {
	AddAt(now int64, id uint64) (top bool) // what is returned is not looked at
	TopAt(now int64, k int) []hotkey.Count
}

// Target is a detector under test.
type Target struct {
	// New returns a fresh detector. All that it returns must behave alike.
	New func() Detector

	// Life is after how many ns a key that had 20 times as many requests as any other, and has none any more, is no longer among those that
	// have them now; wanted by Forgets.
	Life int64

	// Seeds is how many streams each claim is tried on; 0 means 20.
	Seeds int

	Claims Claim
}

// Claim is a set of promises.
type Claim uint

// The promises, each a subtest.
const (
	// Lists: at most k keys, each once, the highest count first.
	Lists Claim = 1 << iota
	// Majority: a key that more than half of all requests are for is the first of the list.
	Majority
	// Recall: of the 10 keys that are asked for most, 8 are among the 10 that it lists.
	Recall
	// Repeats: two fresh detectors list the same.
	Repeats
	// NeverUnder: no listed count is below the true one.
	NeverUnder
	// NeverOver: no listed count, less what it may be too high by, is above the true one.
	NeverOver
	// Forgets: see Target.Life.
	Forgets

	// Always is what every detector can promise.
	Always = Lists | Majority | Recall | Repeats
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
	run   func(g *Target, seed int) string
}

var checks = []check{
	{Lists, "lists", lists},
	{Majority, "majority", majority},
	{Recall, "recall", recall},
	{Repeats, "repeats", repeats},
	{NeverUnder, "never-under", neverUnder},
	{NeverOver, "never-over", neverOver},
	{Forgets, "forgets", forgets},
}
