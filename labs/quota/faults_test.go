package quota

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"seedbed/labs"
)

// schedules is how many random histories of faults are run; each is short.
const schedules = 2000

// TestRandomFaults: whatever crashes, is cut off, is slow, drifts or hands over, in whatever order, no promise is broken, as long as
// clocks keep what was said of them. Of what fails, the Spec is the whole story: open it in the browser.
func TestRandomFaults(t *testing.T) {
	seen := struct{ elections, quorumLost, alone, refused int }{}
	for i := range uint64(schedules) {
		spec := faults(t, rand.New(rand.NewPCG(i, 71)))
		trace, err := labs.Run(spec, labs.Options{})
		if err != nil {
			t.Fatalf("schedule %d: %s: %v", i, spec.Text(), err)
		}
		for k := range trace.Verdicts {
			if v := &trace.Verdicts[k]; !v.OK {
				t.Errorf("schedule %d breaks %s at %d ns with %v:\n  seedbed lab run '%s'", i, v.Check, v.At, v.Facts, spec.Text())
			}
		}
		seen.elections += int(trace.Metrics[metricTerms]) - 1
		seen.alone += int(trace.Metrics[metricOwn])
		seen.refused += int(trace.Metrics[metricRefused])
		if trace.Metrics[metricSilence] > 1_000_000_000 {
			seen.quorumLost++
		}
		if t.Failed() && i > 20 {
			return
		}
	}
	if seen.elections < schedules/4 || seen.quorumLost < schedules/20 || seen.alone < schedules || seen.refused < schedules {
		t.Errorf("the schedules are too tame: %+v", seen)
	}
}

// faults draws a Spec: which coordinator, how fast its parts are, and up to eight things that befall them.
func faults(t *testing.T, r *rand.Rand) labs.Spec {
	t.Helper()
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	nodes := 3 + r.IntN(3)
	length := 2500 + r.IntN(1500)
	spec := labs.New(Coordinator)
	spec.Seed = r.Uint64N(1 << 30)
	set := func(key, value string) {
		if err := spec.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	set("use", pick("raft", "raft", "leases"))
	set("nodes", strconv.Itoa(nodes))
	set("limit", pick("30", "40"))
	set("demand", pick("40", "90"))
	set("batch", pick("1", "1", "3", "8"))
	set("local", pick("reserved", "reserved", "none"))
	set("reserve", pick("0", "3", "10"))
	set("start", pick("degraded", "never"))
	set("disk", pick("0", "1", "5"))
	set("election", pick("50", "100", "200"))
	set("timeout", pick("30", "60"))
	set("clocks", "50")
	set("drift", "1") // percent
	set("down", pick("0.05", "0.3", "1"))
	set("length", strconv.Itoa(length)+"ms")
	for range r.IntN(9) {
		at := strconv.Itoa(100+r.IntN(length-200)) + "ms:"
		replica, service := "r"+strconv.Itoa(1+r.IntN(nodes)), "s"+strconv.Itoa(1+r.IntN(services))
		// The clocks err by half of the bound to begin with, and by at most 0.8 percent of the rest of the run.
		rate := ":" + pick("99.2", "100", "100.8")
		set("do", at+pick(
			"crash:"+replica, "crash:"+replica, "crash:"+service, "partition:"+replica, "partition:"+replica, "cut:"+service,
			"heal:"+replica, "heal:"+service, "slow:"+replica+":"+pick("4", "15", "900"), "drift:"+replica+rate, "drift:"+service+rate,
			"transfer:"+replica))
	}
	if err := spec.Check(); err != nil {
		t.Fatalf("%s: %v", spec.Text(), err)
	}
	return spec
}
