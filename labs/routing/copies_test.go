package routing_test

import (
	"slices"
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
	"seedbed/labs/routing"
)

// A copy of a run's state goes on exactly as the run did: replays from checkpoints show the events of the run's own log.
func TestCopiesGoOnAsTheRunDid(t *testing.T) {
	for _, c := range []struct {
		lab   *labs.Lab
		query string
	}{
		{routing.RouteCapacity, "use=peak-ewma&peers=4&max=4&workers=3&memory=own&traffic=poisson&slow=3&do=2s:unhealthy:b&do=4s:finish:a"},
		{routing.RetryStorm, "use=backoff&begin=2&lasts=3&throttle=on&repeat=unkeyed&length=12"},
		{routing.RetryStorm, "begin=2&lasts=3&length=12"},
		{routing.Recovery, "begin=2&lasts=4&length=16&do=9s:crash:peer-2&do=12s:restart:peer-2"},
	} {
		labtest.Copies(t, c.lab, c.query)
	}
}

// Every parameter at either end of its range, alone and with the others at their defaults, gives a run that ends and measures.
func TestEveryEndOfEveryRangeRuns(t *testing.T) {
	for _, lab := range []*labs.Lab{routing.RouteCapacity, routing.RetryStorm, routing.Recovery} {
		length := lab.Param("length")
		for _, preset := range lab.Presets[:2] {
			base := labtest.Spec(t, lab, preset.Query)
			base.Do = nil
			base.Values[length] = max(lab.Params[length].Min, 3_000_000_000)
			if begin := lab.Param("begin"); begin >= 0 {
				base.Values[begin] = 1_000_000_000
			}
			for i := range lab.Params {
				p := &lab.Params[i]
				ends := []int64{p.Min, p.Max}
				if p.Choices != nil {
					ends = []int64{0, int64(len(p.Choices)) - 1}
				}
				if i == length {
					ends = ends[:1]
				}
				for _, v := range ends {
					spec := base
					spec.Values = slices.Clone(base.Values)
					spec.Values[i] = v
					trace, err := labs.Run(spec, labs.Options{})
					if err != nil {
						t.Errorf("%s: %v", spec.Text(), err)
						continue
					}
					for m, value := range trace.Metrics {
						if value < 0 {
							t.Errorf("%s: %s is %d", spec.Text(), lab.Metrics[m].Name, value)
						}
					}
				}
			}
		}
	}
}

func TestWhatIsCountedInWholesIsGivenInWholes(t *testing.T) {
	for _, c := range []struct {
		lab          *labs.Lab
		query, field string
	}{
		{routing.RouteCapacity, "panic=0.5", "panic"},
		{routing.RetryStorm, "percent=12.5", "percent"},
		{routing.RetryStorm, "floor=0.5", "floor"},
		{routing.Recovery, "least=1.5", "least"},
	} {
		_, err := labs.ParseQuery(c.lab, c.query)
		if e, ok := err.(*labs.Error); !ok || e.Code != "too-fine" || e.Field != c.field {
			t.Errorf("%s?%s: got %v, want that %s is too fine", c.lab.ID, c.query, err, c.field)
		}
	}
}
