package rings_test

import (
	"strings"
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
	"seedbed/labs/rings"
)

var all = []*labs.Lab{rings.HashRing, rings.WeightedRing, rings.Takeover}

// Every claim of a preset is held over 200 seeds.
func TestPresetsHoldOverSeeds(t *testing.T) { labtest.Claims(t, 200, all...) }

func TestTranscripts(t *testing.T) { labtest.Transcripts(t, all...) }

func TestAnEventAllocatesNothing(t *testing.T) {
	labtest.Allocations(t, rings.WeightedRing, "rate=1000&read=600&every=3600")
	labtest.Allocations(t, rings.Takeover, "dies=none&nodes=3&rate=1000")
	labtest.Allocations(t, rings.Takeover, "use=at-once&nodes=3&rate=1000&database=10000&begin=0&known=0")
}

// The figures of the text, each from the run that it stands for.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		lab                 *labs.Lab
		name, query, metric string
		want, within        int64
	}{
		{rings.WeightedRing, "halving one of eight weights takes 92 % to 49 %", "", "halved", 490_666, 0},
		{rings.WeightedRing, "and not to 65 %, as it also came out", "", "hot.both", 490_000, 60_000},
		{rings.WeightedRing, "which is neither busy nor idle, so that it is undone every time", "use=neither", "flaps.neither", 6, 0},
		{rings.WeightedRing, "smoothing alone does not help", "use=smoothing", "flaps.smoothing", 6, 0},
		{rings.WeightedRing, "hysteresis changes the weight once", "", "changes.both", 1, 0},
		{rings.WeightedRing, "a weight of 1.5 takes 20 % to 28 %", "hot=20&memory=20&network=20", "hot.both", 282_000, 30_000},
		{rings.Takeover, "0.1 and 0.1 more each 30 s are all after 270 s", "", "ramp", 270_000_000_000, 0},
		{rings.Takeover, "one heir inherits everything with one point a node", "dies=busiest&points=1", "largest-heir", 1_000_000, 0},
		{rings.Takeover, "it is one", "dies=busiest&points=1", "heirs", 1, 0},
		{rings.Takeover, "with 160 points it is all seven", "", "heirs", 7, 0},
		{rings.Takeover, "and the largest gets about a fifth", "", "largest-heir", 200_000, 50_000},
		{rings.Takeover, "a tenth of its keys", "", "warmed", 70, 30},
		{rings.Takeover, "all at once the whole cluster is gone", "use=at-once", "lost.at-once", 7, 0},
		{rings.Takeover, "by steps nobody else", "use=at-once", "lost.gradual", 0, 0},
	} {
		trace := labtest.Run(t, c.lab, c.query)
		if got := labtest.Metric(t, c.lab, trace, c.metric); got < c.want-c.within || got > c.want+c.within {
			t.Errorf("%s: %s?%s: %s is %d, want %d ± %d", c.name, c.lab.ID, c.query, c.metric, got, c.want, c.within)
		}
	}
}

// Every request has one outcome, or is still inside at the end.
func TestEveryRequestHasOneOutcome(t *testing.T) {
	for _, query := range []string{"", "use=at-once", "rest=error", "dies=busiest&points=1", "do=310s:revive:node-0003", "do=30s:kill:node-0001&do=60s:load::200"} {
		trace := labtest.Run(t, rings.Takeover, query)
		metric := func(name string) int64 { return labtest.Metric(t, rings.Takeover, trace, name) }
		inside := metric("requests") - metric("fresh") - metric("old") - metric("empty") - metric("failed")
		if most := int64(8 * 50); inside < 0 || inside > most {
			t.Errorf("takeover?%s: %d of %d requests have no outcome, want 0 to %d", query, inside, metric("requests"), most)
		}
	}
}

// A machine that goes and comes back is known by its name, and the weights of the others stay.
func TestWeightsOutliveAChangeOfMembers(t *testing.T) {
	trace := labtest.Run(t, rings.WeightedRing, "do=500s:kill:node-0002&do=700s:revive:node-0002&do=900s:revive:node-0002")
	last := func(name string, at int64) int64 { return trace.Column(name).Values[at*1_000_000_000/trace.Grain] }
	for _, c := range []struct {
		column   string
		at, want int64
	}{
		{"weight.node-0004", 400, 500_000}, {"weight.node-0004", 600, 500_000}, {"weight.node-0004", 800, 500_000},
		{"weight.node-0002", 400, 1_000_000}, {"weight.node-0002", 600, 0}, {"weight.node-0002", 800, 1_000_000},
	} {
		if got := last(c.column, c.at); got != c.want {
			t.Errorf("%s is %d at %d s, want %d", c.column, got, c.at, c.want)
		}
	}
}

// A run that is continued from a checkpoint is the run.
func TestACloneGoesOnAlike(t *testing.T) {
	for _, c := range []struct {
		lab   *labs.Lab
		query string
	}{{rings.WeightedRing, "use=neither"}, {rings.Takeover, ""}, {rings.Takeover, "use=at-once"}} {
		labtest.Copies(t, c.lab, c.query)
	}
}

func TestCombinationsThatCannotBeAreRefused(t *testing.T) {
	for _, c := range []struct{ query, field string }{
		{"low=70", "low"}, {"low=80", "low"}, {"low-exit=20", "low-exit"}, {"low-exit=80", "low-exit"}, {"high-exit=20", "high-exit"}, {"high-exit=71", "high-exit"},
	} {
		_, err := labs.ParseQuery(rings.WeightedRing, c.query)
		if e, ok := err.(*labs.Error); !ok || e.Code != "conflict" || e.Field != c.field {
			t.Errorf("weighted-ring?%s: got %v, want a conflict of %s", c.query, err, c.field)
		}
	}
}

// A change of nodes that cannot be is refused, and each reason has its own event.
func TestARefusedChangeSaysWhy(t *testing.T) {
	two := "change=none&nodes=2&do=1s:remove:node-0001"
	for _, c := range []struct {
		query, event string
		a, b         int64
	}{
		{"change=none&keys=100&do=0.5s:remove:node-0003", "refuse-early", 50, 100},
		{"change=none&keys=100&do=0.5s:add", "refuse-early", 50, 100},
		{two + "&do=2s:remove:node-0002", "refuse-last", 0, 0},
		{two + "&do=2s:remove:node-0001", "refuse-absent", 0, 0},
		{"change=none&do=1s:remove:node-0009", "refuse-absent", 0, 0},
		{"change=none&do=1s:add&do=2s:add", "refuse-full", 9, 0},
	} {
		trace := labtest.Run(t, rings.HashRing, c.query)
		told := 0
		for _, e := range trace.Log {
			switch name := rings.HashRing.Events[e.Kind].Name; {
			case !strings.HasPrefix(name, "refuse"):
			case name != c.event || e.A != c.a || e.B != c.b:
				t.Errorf("%s: %s %d %d, want %s %d %d", c.query, name, e.A, e.B, c.event, c.a, c.b)
			default:
				told++
			}
		}
		if told != 1 {
			t.Errorf("%s: %s was told %d times, want once", c.query, c.event, told)
		}
	}
}
