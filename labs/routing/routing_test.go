package routing_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
	"seedbed/labs/routing"
)

var all = []*labs.Lab{routing.LittlesLaw, routing.RouteCapacity, routing.RetryStorm, routing.Recovery}

// Every claim of a preset is held over 200 seeds.
func TestPresetsHoldOverSeeds(t *testing.T) { labtest.Claims(t, 200, all...) }

func TestTranscripts(t *testing.T) { labtest.Transcripts(t, all...) }

func TestAnEventAllocatesNothing(t *testing.T) {
	labtest.Allocations(t, routing.LittlesLaw, "length=200")
	labtest.Allocations(t, routing.RouteCapacity, "use=peak-ewma&peers=4&max=8&workers=4&memory=own&traffic=poisson&length=400")
	labtest.Allocations(t, routing.RetryStorm, "repeat=keyed&use=naive&length=400")
	labtest.Allocations(t, routing.Recovery, "length=400")
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
		{routing.RouteCapacity, "a, b, a, b, refuse; b, refuse", "do=5.3s:unhealthy:a&do=5.6s:finish:b", "refused", 2, 0},
		{routing.RouteCapacity, "four workers that keep eight connections each", "peers=3&max=4&workers=4&traffic=poisson&idle=8&length=20", "peak-open", 14, 0},
		{routing.RouteCapacity, "one of four is five times as slow: in turns", "peers=4&max=8&traffic=poisson&slow=5&length=40", "mean-time.round-robin", 161_600_000, 100_000},
		{routing.RouteCapacity, "by connections", "peers=4&max=8&traffic=poisson&slow=5&length=40", "mean-time.least-conn", 135_700_000, 100_000},
		{routing.RouteCapacity, "by latency", "peers=4&max=8&traffic=poisson&slow=5&length=40", "mean-time.peak-ewma", 116_500_000, 100_000},
		{routing.RetryStorm, "a budget of 20 % bounds the load", "", "bound", 1_220_000, 1000},
		{routing.RetryStorm, "four attempts at once make a storm", "", "amplification.naive", 3_250_000, 150_000},
		{routing.RetryStorm, "backoff alone makes the same one", "", "amplification.backoff", 3_250_000, 150_000},
		{routing.RetryStorm, "which answers nobody after its cause is gone", "", "success-after.naive", 0, 20_000},
		{routing.Recovery, "gently, five in a row fail, one probe, and what was lost in the crash", "", "failed.gentle", 6, 0},
		{routing.Recovery, "all at once, ten times as many", "", "failed.at-once", 55, 5},
	} {
		trace := labtest.Run(t, c.lab, c.query)
		if got := labtest.Metric(t, c.lab, trace, c.metric); got < c.want-c.within || got > c.want+c.within {
			t.Errorf("%s: %s?%s: %s is %d, want %d ± %d", c.name, c.lab.ID, c.query, c.metric, got, c.want, c.within)
		}
	}
}
