package incidents_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/incidents"
	"seedbed/labs/labtest"
)

const second = 1_000_000_000

var all = []*labs.Lab{incidents.Avalanche}

// Every claim of a preset is held over some seeds. One run shows all combinations of layers at once, so the claims about them are held over
// 200 seeds, and over the loads, by the tests of the lab.
func TestPresetsHoldOverSeeds(t *testing.T) { labtest.Claims(t, 2, all...) }

func TestTranscripts(t *testing.T) { labtest.Transcripts(t, all...) }

// So many visitors that the rows of the many columns do not grow while it is measured.
func TestAnEventAllocatesNothing(t *testing.T) {
	labtest.Allocations(t, incidents.Avalanche, "load=4&limit=5000&visitors=1000&end=390&until=390&length=400")
	labtest.Allocations(t, incidents.Avalanche, "use=none&load=4&single=off&local=off&visitors=1000&until=390&length=400")
}

// A run that is continued from a checkpoint is the run.
func TestACloneGoesOnAlike(t *testing.T) {
	labtest.Copies(t, incidents.Avalanche, "keys=200")
	labtest.Copies(t, incidents.Avalanche, "use=none&keys=200&do=8s:kill:redis&do=20s:revive:redis")
	labtest.Copies(t, incidents.Avalanche, "use=flow-heal&local=off&keys=200&do=5s:slow:database")
}

func TestEveryEndOfEveryRangeRuns(t *testing.T) {
	for _, lab := range all {
		labtest.Ends(t, lab, 2*second)
	}
}
