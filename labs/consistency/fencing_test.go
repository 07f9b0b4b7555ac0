package consistency_test

import (
	"testing"

	"seedbed/labs/consistency"
	"seedbed/labs/labtest"
)

// The log is judged again by itself: what the store holds at the end is what it took less what was lost, and a write is stale when a newer
// holder has been at the store.
func TestWritesAgreeWithTheLog(t *testing.T) {
	const raise, read, write, refuse, stale, lose = 1, 2, 3, 4, 5, 6
	stales := int64(0)
	for _, use := range []string{"fence", "late", "none"} {
		for _, rest := range []string{"", "&look=write&every=3", "&every=2&stop=3&work=1000", "&slow=30&jobs=50&do=9s:cut:client-1&do=20s:heal:client-1", "&do=5s:hold-up:client-2:9"} {
			for seed := uint64(1); seed <= 5; seed++ {
				query := "use=" + use + rest
				trace, metric := run(t, consistency.Fencing, query, seed)
				value, taken, refused, newest := int64(0), int64(0), int64(0), int64(0)
				late, lost := int64(0), int64(0)
				for _, e := range trace.Log {
					switch e.Kind {
					case raise, read:
						if use != "late" || e.Kind == read {
							newest = max(newest, e.A)
						}
					case write:
						lost += value - (e.B - 1)
						value = e.B
						taken++
						if e.A < newest {
							late++
						}
					case refuse:
						refused++
					}
				}
				stales += late
				if taken != metric("taken."+use) || refused != metric("refused."+use) || late != metric("stale."+use) || lost != metric("lost."+use) || value != taken-lost {
					t.Errorf("%s seed %d: the log has %d taken, %d refused, %d stale, %d lost and %d at the end; the run says %d, %d, %d and %d", query, seed,
						taken, refused, late, lost, value, metric("taken."+use), metric("refused."+use), metric("stale."+use), metric("lost."+use))
				}
				if late != trace.Verdicts[0].Count {
					t.Errorf("%s seed %d: %d stale writes, %d violations", query, seed, late, trace.Verdicts[0].Count)
				}
			}
		}
	}
	if stales < 20 {
		t.Errorf("%d stale writes in all: the test shows little", stales)
	}
}

// A fence that is raised before the read loses nothing, whatever stops, is late or is cut off.
func TestAFenceLosesNothing(t *testing.T) {
	for _, query := range []string{
		"every=1&stop=3", "every=1&stop=3&look=write", "ttl=0.3&every=2&stop=1&work=100", "slow=50&drift=0&jobs=1000&work=50&do=2s:cut:client-1",
		"clients=5&poll=10&do=2s:hold-up:client-1:20&do=3s:hold-up:client-2:1.5&do=9s:pause:client-3:30", "hop=300&timeout=0.5&ttl=1",
	} {
		for seed := uint64(1); seed <= 10; seed++ {
			trace, metric := run(t, consistency.Fencing, query, seed)
			if !trace.OK() || metric("lost.fence") != 0 || metric("stale.fence") != 0 {
				t.Errorf("%s seed %d: %d stale, %d lost", query, seed, metric("stale.fence"), metric("lost.fence"))
			}
		}
	}
}

// Of clients whose clocks are right no two believe at once, whatever is lost between them and the lock; and a clock that is off by as much
// as is allowed for is as good.
func TestTwoBelieveOnlyWithAClockThatIsOff(t *testing.T) {
	for _, c := range []struct {
		query string
		two   bool
	}{
		{"drift=0&jobs=100&work=100&do=2s:cut:client-1&do=3s:cut:client-2&do=20s:heal:client-1", false},
		{"drift=20&slow=20&jobs=100&work=100&do=0.3s:cut:client-1&do=20s:heal:client-1", false},
		{"drift=0&slow=20&jobs=100&work=100&do=0.3s:cut:client-1&do=20s:heal:client-1", true},
	} {
		for seed := uint64(1); seed <= 10; seed++ {
			_, metric := run(t, consistency.Fencing, c.query+"&every=0", seed)
			if got := metric("both"); (got > 0) != c.two {
				t.Errorf("%s seed %d: two believe for %d ns, want some: %v", c.query, seed, got, c.two)
			}
		}
	}
}

// A lock-delay longer than the pause keeps a stale write from mattering, and one that is shorter does not.
func TestALockDelayIsAsGoodAsItIsLong(t *testing.T) {
	for _, c := range []struct {
		delay string
		stale int64
	}{{"0", 1}, {"2", 1}, {"4", 0}, {"8", 0}} {
		trace := labtest.Run(t, consistency.Fencing, "use=none&delay="+c.delay+"&work=1000&every=0&length=20&do=0.3s:pause:client-1")
		if got := labtest.Metric(t, consistency.Fencing, trace, "stale.none"); got != c.stale {
			t.Errorf("a delay of %s s: %d stale writes, want %d", c.delay, got, c.stale)
		}
	}
}
