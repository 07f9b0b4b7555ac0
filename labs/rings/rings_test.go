package rings_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
	"seedbed/labs/rings"
)

var all = []*labs.Lab{rings.HashRing, rings.WeightedRing}

// Every claim of a preset is held over 200 seeds.
func TestPresetsHoldOverSeeds(t *testing.T) {
	seeds := uint64(200)
	if testing.Short() {
		seeds = 10
	}
	for _, lab := range all {
		t.Run(lab.ID, func(t *testing.T) { labtest.Presets(t, lab, seeds) })
	}
}

func TestTranscripts(t *testing.T) {
	for _, lab := range all {
		labtest.Transcripts(t, lab)
	}
}
