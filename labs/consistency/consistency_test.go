package consistency_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/consistency"
	"seedbed/labs/labtest"
)

const second = 1_000_000_000

var all = []*labs.Lab{consistency.Invalidate, consistency.Fencing}

// Every claim of a preset is held over 200 seeds.
func TestPresetsHoldOverSeeds(t *testing.T) { labtest.Claims(t, 200, all...) }

func TestTranscripts(t *testing.T) { labtest.Transcripts(t, all...) }

func TestAnEventAllocatesNothing(t *testing.T) {
	labtest.Allocations(t, consistency.Invalidate, "writes=20&length=200")
	labtest.Allocations(t, consistency.Invalidate, "use=log&fill=version&from=replica&lost=20&writes=20&length=200")
	labtest.Allocations(t, consistency.Fencing, "length=3600&poll=20")
}

// A run that is continued from a checkpoint is the run.
func TestACloneGoesOnAlike(t *testing.T) {
	for _, c := range []struct {
		lab   *labs.Lab
		query string
	}{
		{consistency.Invalidate, ""},
		{consistency.Invalidate, "use=double&fill=plain&from=replica&lost=20&tries=3&writes=20"},
		{consistency.Invalidate, "use=log&fill=version&from=replica&tail=replica&lost=20&writes=20&do=3s:stop:relay&do=5s:start:relay"},
		{consistency.Invalidate, "use=set&fill=version&writes=20&do=3s:crash:writers&do=5s:stall:readers"},
		{consistency.Fencing, "poll=20"},
		{consistency.Fencing, "use=none&poll=20&do=3s:hold-up:client-2&do=9s:cut:client-1&do=12s:heal:client-1"},
	} {
		labtest.Copies(t, c.lab, c.query)
	}
}

func TestEveryEndOfEveryRangeRuns(t *testing.T) {
	for _, lab := range all {
		labtest.Ends(t, lab, 2*second)
	}
}
