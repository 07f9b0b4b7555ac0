package adaptive_test

import (
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/adaptive"
)

// The trap of adaptive limits, in its four parts: faults that shipped, and that these must not have.

// drawSample is one request, of about 1 ms to 100 ms.
func drawSample(t *rapid.T) adaptive.Sample {
	return adaptive.Sample{
		Took:     rapid.Int64Range(ms, 100*ms).Draw(t, "took"),
		InFlight: rapid.Int64Range(0, 200).Draw(t, "in flight"),
		Dropped:  rapid.IntRange(0, 9).Draw(t, "dropped") == 0,
	}
}

// drawLimit is one of the four after a history that ends now.
func drawLimit(t *rapid.T) (name string, l adaptive.Limit, now int64) {
	c := adaptive.Usual()
	c.Window, c.Samples = 10*ms, rapid.Int64Range(1, 3).Draw(t, "samples")
	name = rapid.SampledFrom([]string{"aimd", "vegas", "gradient", "bbr"}).Draw(t, "limit")
	l = all(c)[name]
	for range rapid.IntRange(1, 60).Draw(t, "history") {
		now += rapid.Int64Range(0, 500*ms).Draw(t, "pause")
		l.LearnAt(now, drawSample(t))
	}
	return name, l, now
}

// TestTrap24LatencyUpNeverRaises: of two equal limits the one that sees a higher latency is not the higher one after it.
func TestTrap24LatencyUpNeverRaises(t *testing.T) {
	steps := 0
	rapid.Check(t, func(t *rapid.T) {
		name, l, now := drawLimit(t)
		low := rapid.Int64Range(ms, 50*ms).Draw(t, "low")
		if name == "bbr" { // its base is known and not undercut: a window of these alone is over, whatever the history left of another
			for range 12 {
				now += 10 * ms
				l.LearnAt(now, adaptive.Sample{Took: ms, InFlight: l.Limit()})
			}
		}
		high := low + rapid.Int64Range(1, 50*ms).Draw(t, "more")
		now += 101 * ms // what is seen from here on began after the last drop of the history, whatever it took
		other := l.Copy()
		was := l.Limit()
		for range 3 { // at most that many make a step
			now += 10 * ms
			l.LearnAt(now, adaptive.Sample{Took: low, InFlight: was})
			other.LearnAt(now, adaptive.Sample{Took: high, InFlight: was})
		}
		if l.Limit() != was || other.Limit() != was {
			steps++
		}
		if other.Limit() > l.Limit() {
			t.Fatalf("%s at %d: %d after %d ns, but %d after %d ns", name, was, l.Limit(), low, other.Limit(), high)
		}
	})
	if steps < 20 {
		t.Errorf("%d steps only: this test looks at nothing", steps)
	}
}

// TestTrap24LuckyRequestAgesOut (Netflix/concurrency-limits#37): the usual latency is 300 ms, and one request takes 150. With the least
// single latency as base half of all would seem to wait from then on.
func TestTrap24LuckyRequestAgesOut(t *testing.T) {
	for name, l := range all(bareWindow()) {
		if name == "aimd" {
			continue // it has no base
		}
		var limits []int64
		for i := range int64(4000) {
			took := int64(300 * ms)
			if i == 1000 {
				took = 150 * ms
			}
			l.LearnAt(i*10*ms, adaptive.Sample{Took: took, InFlight: l.Limit()})
			limits = append(limits, l.Limit())
		}
		// Means of ten cycles of BBR, which tries and drains.
		before, low, after := mean(limits[920:1000]), mean(limits[1100:1180]), mean(limits[3920:])
		if low > before*2/3 || after < before {
			t.Errorf("%s: %d before one lucky request, %d after it, %d in the end; want the second to be lower and the third not", name, before, low, after)
		}
	}
	// With ten samples a step the mean of a window is the base, and one lucky request is a tenth of it.
	for name, l := range all(adaptive.Usual()) {
		if name == "aimd" {
			continue
		}
		for i := range int64(2000) {
			took := int64(30 * ms)
			if i%200 == 100 {
				took = 15 * ms
			}
			l.LearnAt(i*10*ms, adaptive.Sample{Took: took, InFlight: l.Limit()})
		}
		if got := l.Limit(); got < 20 && name != "bbr" {
			t.Errorf("%s: one lucky request in 200 keeps the limit at %d, want it to have grown from 20", name, got)
		}
	}
}

func mean(v []int64) int64 {
	sum := int64(0)
	for _, x := range v {
		sum += x
	}
	return sum / int64(len(v))
}

// bareWindow makes a step of every sample, 10 ms apart, with a limit of at most 100.
func bareWindow() adaptive.Common {
	c := bare(20)
	c.Max, c.Window = 100, 10*ms
	return c
}

// TestTrap24IdleDoesNotGrow: with less than half of the limit in flight no latency, however low, raises it.
func TestTrap24IdleDoesNotGrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, l, now := drawLimit(t)
		for range 4 { // what the history left in the window
			now += 10 * ms
			l.LearnAt(now, adaptive.Sample{Took: 30 * ms})
		}
		c := l.Copy() // a base under way is held back; what the limit is behind it shows once that is over
		for range 4 {
			c.LearnAt(now, adaptive.Sample{Took: 30 * ms, InFlight: 1})
		}
		was := max(l.Limit(), c.Limit())
		for range 100 {
			now += rapid.Int64Range(0, second).Draw(t, "pause")
			l.LearnAt(now, adaptive.Sample{Took: ms, InFlight: rapid.Int64Range(0, (l.Limit()-1)/2).Draw(t, "in flight")})
			if l.Limit() > was {
				t.Fatalf("%s: idle, and the limit grew from %d to %d", name, was, l.Limit())
			}
		}
	})
}

// TestTrap24DropsAlwaysLower (Netflix's Vegas returns early for a new base, and Gradient2 does not look at drops): in whatever state, until it
// is Min. Only a drop of a request that was on its way at the last cut is the same congestion.
func TestTrap24DropsAlwaysLower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, l, now := drawLimit(t)
		for l.Limit() > 1 {
			now += rapid.Int64Range(ms, 50*ms).Draw(t, "later")
			was := l.Limit()
			s := adaptive.Sample{Took: rapid.Int64Range(0, ms).Draw(t, "took"), InFlight: 1, Dropped: true}
			l.LearnAt(now, s)
			if l.Limit() >= was && was > 2 {
				t.Fatalf("%s: a drop, and the limit went from %d to %d", name, was, l.Limit())
			}
			was = l.Limit()
			s.Took = 51 * ms
			if l.LearnAt(now, s); l.Limit() != was {
				t.Fatalf("%s: one of the same congestion, and the limit went from %d to %d", name, was, l.Limit())
			}
		}
		for range 3 {
			now += 100 * ms
			if l.LearnAt(now, adaptive.Sample{Dropped: true}); l.Limit() != 1 {
				t.Fatalf("%s: a drop at 1, and the limit is %d", name, l.Limit())
			}
		}
	})
}
