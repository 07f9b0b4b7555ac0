package incidents_test

import (
	"slices"
	"strings"
	"testing"

	"seedbed/labs"
	"seedbed/labs/incidents"
	"seedbed/labs/labtest"
)

const second = 1_000_000_000

var all = []*labs.Lab{incidents.Avalanche}

// What a preset claims of another load is held over 200 seeds. At five times the plan, where the incident was, every run shows all
// combinations of layers at once: TestOnlyAllThreeLayersSaveTheOrders holds those over as many, and two are enough here.
func TestPresetsHoldOverSeeds(t *testing.T) {
	elsewhere := func(query string) bool { return strings.Contains(query, "load=") }
	labtest.Claims(t, 200, presetsOf(*incidents.Avalanche, elsewhere))
	labtest.Claims(t, 2, presetsOf(*incidents.Avalanche, func(query string) bool { return !elsewhere(query) }))
}

// presetsOf is a lab with some of its presets.
func presetsOf(lab labs.Lab, are func(query string) bool) *labs.Lab {
	lab.Presets = slices.DeleteFunc(slices.Clone(lab.Presets), func(p labs.Preset) bool { return !are(p.Query) })
	return &lab
}

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
