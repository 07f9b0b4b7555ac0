package ring_test

import (
	"testing"

	"seedbed/chapters/ring"
	"seedbed/chapters/ring/ringtest"
)

// algorithm is one under test.
type algorithm struct {
	name     string
	build    func([]ring.Member) (ring.Snapshot, error)
	claims   ringtest.Claim
	spread   int64 // ppm
	needless int64 // moves in a million
	last     bool  // members join and leave only at the end
}

// each runs a test with every algorithm.
func each(t *testing.T, test func(t *testing.T, a algorithm)) {
	for _, a := range algorithms {
		t.Run(a.name, func(t *testing.T) { test(t, a) })
	}
}

// algorithms are all of them, how they are built here, and what they promise. MultiProbe holds the heaviest member down and not the
// spread: a member whose point follows closely on another's gets little, so its coefficient of variation is √(1/43 − 1/22²)/(21/22) = 0.15.
var algorithms = []algorithm{
	{"ring", with(ring.AlgorithmRing), ringtest.Full, 80_000, 0, false},
	{"ketama", with(ring.AlgorithmKetama), ringtest.Full &^ ringtest.Weighted, 80_000, 0, false},
	{"rendezvous", with(ring.AlgorithmRendezvous), ringtest.Full, 1, 0, false},
	{"maglev", maglev16381, ringtest.Full &^ ringtest.Heirs, 1, 30_000, false},
	{"multi-probe", with(ring.AlgorithmMultiProbe), ringtest.Full &^ ringtest.Weighted, 170_000, 0, false},
	{"anchor", with(ring.AlgorithmAnchor), ringtest.Full &^ (ringtest.Weighted | ringtest.Historyless | ringtest.Heirs), 1, 0, false},
	{"jump", with(ring.AlgorithmJump), ringtest.Full &^ (ringtest.Weighted | ringtest.Heirs), 1, 0, true},
	{"modulo", with(ring.AlgorithmModulo), ringtest.Full &^ (ringtest.Weighted | ringtest.Heirs | ringtest.Minimal), 1, 0, false},
}

func with(a ring.Algorithm) func([]ring.Member) (ring.Snapshot, error) {
	return func(m []ring.Member) (ring.Snapshot, error) { return ring.Build(a, ring.BuildConfig{}, m) }
}

func TestEachAlgorithmKeepsItsClaims(t *testing.T) {
	each(t, func(t *testing.T, a algorithm) {
		target := ringtest.Of(a.build, a.claims)
		target.Spread, target.Needless, target.LastOnly = a.spread, a.needless, a.last
		ringtest.Run(t, target)
	})
}

func maglev16381(m []ring.Member) (ring.Snapshot, error) {
	return ring.Build(ring.AlgorithmMaglev, ring.BuildConfig{Slots: 16381}, m)
}
