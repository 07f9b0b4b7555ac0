package routing_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
	"seedbed/labs/routing"
)

var all = []*labs.Lab{routing.LittlesLaw, routing.RouteCapacity}

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

func TestAnEventAllocatesNothing(t *testing.T) {
	labtest.Allocations(t, routing.LittlesLaw, "length=200")
}

// The figures of the text, each from the run that it stands for.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		lab                 *labs.Lab
		name, query, metric string
		want, within        int64
	}{
		{routing.LittlesLaw, "464 are inside on average", "", "lambda-w", 464, 0},
		{routing.LittlesLaw, "864 when the long ones take twice as long", "long=10", "lambda-w", 864, 0},
		{routing.LittlesLaw, "250 places are left when one of two is lost", "slots=250&do=10s:kill:backend-2", "left", 250, 0},
		{routing.LittlesLaw, "500 pooled places refuse 0.48 %", "slots=250", "erlang-pooled", 4800, 50},
		{routing.LittlesLaw, "as two halves 1.44 %", "slots=250", "erlang-split", 14400, 100},
		{routing.LittlesLaw, "a Poisson number passes 500 in 4.6 % of moments", "slots=250", "over-places", 46000, 500},
		{routing.LittlesLaw, "0.1 % needs about 520", "", "needed", 520, 3},
		{routing.LittlesLaw, "and the run comes near the mean", "", "mean-busy", 464, 30},
	} {
		trace := labtest.Run(t, c.lab, c.query)
		if got := labtest.Metric(t, c.lab, trace, c.metric); got < c.want-c.within || got > c.want+c.within {
			t.Errorf("%s: %s?%s: %s is %d, want %d ± %d", c.name, c.lab.ID, c.query, c.metric, got, c.want, c.within)
		}
	}
}
