package routing

import (
	"testing"

	"seedbed/labs"
)

// The twin reads the log of a run: who was put out while it worked, and who got no answer.
func TestVerdictsOfARecoveryAreThoseOfItsLog(t *testing.T) {
	for _, query := range []string{
		"length=40", "use=at-once&length=40", "use=probes&length=40", "use=slow-start&window=3&length=40", "use=at-once&policy=least-conn&length=40",
		"use=at-once&length=40&do=30s:crash:peer-3&do=31s:restart:peer-3",
	} {
		for seed := uint64(1); seed <= 3; seed++ {
			trace := run(t, Recovery, query, seed)
			if trace.Truncated() {
				t.Fatalf("recovery?%s has more events than the log holds", query)
			}
			var down [maxPeers]bool
			var requests, failed, flaps, ejections int64
			for _, e := range trace.Log {
				switch e.Kind {
				case recoverySend:
					requests++
				case recoveryRefuse:
					requests++
					failed++
				case recoveryError:
					failed++
				case recoveryCrash, recoveryRestart:
					down[e.Entity-entityPeer] = e.Kind == recoveryCrash
				case recoveryState + 3:
					ejections++
					if !down[e.Entity-entityPeer] {
						flaps++
					}
				}
			}
			spec, _ := labs.ParseQuery(Recovery, query)
			use := spec.Config(nil).Choice("use")
			for name, want := range map[string]int64{"requests": requests, "failed": failed, "failed." + use: failed, "flaps." + use: flaps, "ejections": ejections} {
				if got := metric(Recovery, trace, name); got != want {
					t.Errorf("recovery?%s seed %d: %s is %d, the log says %d", query, seed, name, got, want)
				}
			}
			if v := trace.Verdicts[checkFlap]; v.OK != (flaps == 0) || v.Count != flaps {
				t.Errorf("recovery?%s seed %d: %+v, the log has %d flaps", query, seed, v, flaps)
			}
		}
	}
}

// What happens to the peer, step by step: five failures in a row put it out, a probe finds it still down, the next ones find it back,
// and slow start gives it its share.
func TestTheWayBackOfAPeer(t *testing.T) {
	trace := run(t, Recovery, "", 1)
	want := []struct {
		kind         uint16
		from, before int64 // s
	}{
		{recoveryCrash, 5, 5}, {recoveryState + 3, 5, 6}, {recoveryState + 2, 10, 11}, {recoveryState + 3, 10, 12}, {recoveryRestart, 15, 15},
		{recoveryState + 2, 20, 22}, {recoveryState + 1, 20, 26}, {recoveryState, 60, 66},
	}
	if len(trace.Marks) != len(want) {
		t.Fatalf("%d marks, want %d: %+v", len(trace.Marks), len(want), trace.Marks)
	}
	for i, m := range trace.Marks {
		if w := want[i]; m.Kind != w.kind || m.At < w.from*second || m.At > w.before*second || m.Entity != entityPeer {
			t.Errorf("step t%d is %s at %d ns, want %s within %d..%d s", i, Recovery.Events[m.Kind].Name, m.At, Recovery.Events[w.kind].Name, w.from, w.before)
		}
	}
	for i, want := range []int64{5 * second, 10 * second} { // the second time for twice as long
		if got := trace.Marks[1+2*i].A; got != want {
			t.Errorf("ejection %d lasts %d ns, want %d", i+1, got, want)
		}
	}
	warming := trace.Marks[6].At
	share := trace.Column("share.peer-1")
	for _, c := range []struct{ after, percent int64 }{{1, 10}, {10, 25}, {20, 50}, {30, 75}} {
		got := share.Values[(warming+c.after*second)/trace.Grain] / percent
		if got < c.percent-1 || got > c.percent+1 {
			t.Errorf("%d s into slow start the share is %d %%, want %d", c.after, got, c.percent)
		}
	}
}

// The price of each way, over seeds: all at once loses the peer again, so do ten probes that say nothing about load; a policy that
// sees the load forgives both.
func TestWaysBackDiffer(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		trace := run(t, Recovery, "", seed)
		at := func(name string) int64 { return metric(Recovery, trace, name) }
		if at("flaps.gentle") != 0 || at("flaps.at-once") == 0 || at("flaps.probes") == 0 {
			t.Errorf("seed %d: flaps are %d gently, %d at once, %d after probes alone", seed, at("flaps.gentle"), at("flaps.at-once"), at("flaps.probes"))
		}
		if at("failed.at-once") < 4*at("failed.gentle") {
			t.Errorf("seed %d: %d failed gently and %d at once, want at least four times as many", seed, at("failed.gentle"), at("failed.at-once"))
		}
		if seen := run(t, Recovery, "use=at-once&policy=least-conn", seed); metric(Recovery, seen, "flaps.at-once") != 0 {
			t.Errorf("seed %d: least connections lost the peer again", seed)
		}
	}
}

// A run without trouble has none: nobody is put out, nothing fails.
func TestACalmRunIsCalm(t *testing.T) {
	trace := run(t, Recovery, "lasts=0", 1)
	for _, name := range []string{"failed", "ejections", "flaps.gentle", "flaps.at-once", "back.gentle"} {
		if got := metric(Recovery, trace, name); got != 0 {
			t.Errorf("%s is %d in a run without trouble", name, got)
		}
	}
	planned, acted := run(t, Recovery, "", 1), run(t, Recovery, "lasts=0&do=5s:crash:peer-1&do=15s:restart:peer-1", 1)
	for i, m := range Recovery.Metrics {
		if planned.Metrics[i] != acted.Metrics[i] {
			t.Errorf("%s is %d as planned and %d by actions", m.Name, planned.Metrics[i], acted.Metrics[i])
		}
	}
}
