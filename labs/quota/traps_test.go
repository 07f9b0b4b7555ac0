package quota

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
)

// TestTrap71WhoWasVotedOutGrantsNothing: a leader that is cut off goes on believing in itself while another leads, for less than one
// election time-out more, and decides nothing in that time: neither by the log, for want of a majority, nor by its lease, which counts
// from the send and is over before anybody can be elected.
func TestTrap71WhoWasVotedOutGrantsNothing(t *testing.T) {
	const election = 300_000_000
	for _, use := range []string{"", "use=leases&"} {
		believed := 0
		for seed := uint64(1); seed <= 60; seed++ {
			spec := labtest.Spec(t, Coordinator, use+"demand=400&do=2.05s:partition:r1")
			spec.Seed = seed
			trace, err := labs.Run(spec, labs.Options{})
			if err != nil {
				t.Fatal(err)
			}
			outlived := labtest.Metric(t, Coordinator, trace, "outlived")
			if outlived > 0 {
				believed++
			}
			if outlived > election+election/10 {
				t.Errorf("%s: it led for %d ns beside another", spec.Text(), outlived)
			}
			deposed := false
			for _, e := range trace.Log {
				if e.Kind == eventLead && e.At > 2_050_000_000 {
					deposed = true
				}
				if deposed && e.Kind == eventGrant && e.Entity == entityReplica {
					t.Errorf("%s: at %d ns it granted, although another leads", spec.Text(), e.At)
				}
			}
		}
		if believed < 20 {
			t.Errorf("%sin %d of 60 runs two led at a time: too few to see anything", use, believed)
		}
	}
}

// TestTrap71SlowLeaderHandsOver: who writes too slowly to answer in time hands over, unless it is told to stay.
func TestTrap71SlowLeaderHandsOver(t *testing.T) {
	for query, want := range map[string]bool{"do=1.4s:slow:r1": true, "slow-leader=stays&do=1.4s:slow:r1": false} { // order: each on its own
		trace := labtest.Run(t, Coordinator, query)
		if got := labtest.Metric(t, Coordinator, trace, "terms") > 1; got != want {
			t.Errorf("%s: another led: %v, want %v", query, got, want)
		}
	}
}

// TestTrap25RestartsGetNothingTwice: a service that crashes again and again has forgotten what it spent; its grants stay spent, and its
// share comes back after a second and not with each start.
func TestTrap25RestartsGetNothingTwice(t *testing.T) {
	const query = "reserve=20&skew=80&demand=600&batch=10&down=0.02&length=3"
	restarts := ""
	for _, at := range []string{"1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8"} {
		restarts += "&do=" + at + "s:crash:s1"
	}
	for seed := uint64(1); seed <= 40; seed++ {
		spec := labtest.Spec(t, Coordinator, query+restarts)
		spec.Seed = seed
		trace, err := labs.Run(spec, labs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !trace.Verdicts[checkQuota].OK {
			t.Errorf("%s: %d units over the limit", spec.Text(), labtest.Metric(t, Coordinator, trace, "over"))
		}
	}
}
