package sharding_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
	"seedbed/labs/sharding"
)

var readLabs = []*labs.Lab{sharding.HotOwner, sharding.ScatterGather}

func TestReadPresetsHoldOverSeeds(t *testing.T) { labtest.Claims(t, 200, readLabs...) }

func TestReadTranscripts(t *testing.T) { labtest.Transcripts(t, readLabs...) }

func TestAReadAllocatesNothing(t *testing.T) {
	labtest.Allocations(t, sharding.HotOwner, "length=200")
	labtest.Allocations(t, sharding.ScatterGather, "queries=500&length=300")
}

// The figures of the text, each from the run that it stands for.
func TestFiguresOfReads(t *testing.T) {
	for _, c := range []struct {
		lab                 *labs.Lab
		name, query, metric string
		low, high           int64
	}{
		{sharding.HotOwner, "the hot owner's shard gets 662.5 reads a second", "", "hot-shard", 662_500, 662_500},
		{sharding.HotOwner, "each other one 112.5", "", "other-shard", 112_500, 112_500},
		{sharding.HotOwner, "5.89 times as many", "", "ratio", 5_888_888, 5_888_889},
		{sharding.HotOwner, "moving the owner leaves the peak where it was", "use=move-owner", "busiest", 640_000, 760_000},
		{sharding.HotOwner, "a weak read shows what was taken back", "use=weak-read", "stale", 1, 1 << 40},
		{sharding.HotOwner, "an honoured revocation does not", "", "stale", 0, 0},
		{sharding.ScatterGather, "of a hundred shards nearly two in three queries meet a slow one", "use=scatter&shards=100", "met-a-slow-one", 590_000, 680_000},
		{sharding.ScatterGather, "a key of user and order spreads evenly", "", "skew-composite", 1_000_000, 1_040_000},
		{sharding.ScatterGather, "a key of the user alone does not", "", "skew-user", 1_150_000, 3_000_000},
	} {
		trace := labtest.Run(t, c.lab, c.query)
		if got := labtest.Metric(t, c.lab, trace, c.metric); got < c.low || got > c.high {
			t.Errorf("%s: %s?%s: %s is %d, want %d to %d", c.name, c.lab.ID, c.query, c.metric, got, c.low, c.high)
		}
	}
}
