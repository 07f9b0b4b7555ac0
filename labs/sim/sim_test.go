package sim_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/labs/sim"
)

// The queue's twin is a list that is sorted, stably, by instant.
func TestQueueGivesEventsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q sim.Queue
		var twin []sim.Event
		for i := range rapid.IntRange(1, 200).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "pop") == 0 {
				popBoth(t, &q, &twin)
				continue
			}
			e := sim.Event{At: rapid.Int64Range(0, 20).Draw(t, "at"), A: int64(i)}
			q.Push(e)
			twin = append(twin, e)
			slices.SortStableFunc(twin, func(a, b sim.Event) int { return int(a.At - b.At) })
		}
		copied := q.Clone()
		for len(twin) > 0 {
			popBoth(t, &q, &twin)
		}
		if q.Len() != 0 || copied.Len() > 0 && q.Len() == copied.Len() {
			t.Fatalf("%d left, and %d in the copy", q.Len(), copied.Len())
		}
	})
}

func popBoth(t *rapid.T, q *sim.Queue, twin *[]sim.Event) {
	at, ok := q.Peek()
	got, ok2 := q.Pop()
	if len(*twin) == 0 {
		if ok || ok2 {
			t.Fatalf("an empty queue gave %+v", got)
		}
		return
	}
	want := (*twin)[0]
	*twin = (*twin)[1:]
	if !ok || !ok2 || at != want.At || got.At != want.At || got.A != want.A {
		t.Fatalf("got %+v, want %+v", got, want)
	}
}

func TestQueueAllocatesOnlyToGrow(t *testing.T) {
	var q sim.Queue
	for i := range int64(100) {
		q.Push(sim.Event{At: i})
	}
	if n := testing.AllocsPerRun(100, func() {
		e, _ := q.Pop()
		e.At += 100
		q.Push(e)
	}); n != 0 {
		t.Errorf("%v allocations an event, want 0", n)
	}
}

func TestStreamsOfOtherNamesAndSeedsAreApart(t *testing.T) {
	a, again, b, other := sim.NewStream(7, "client"), sim.NewStream(7, "client"), sim.NewStream(7, "server"), sim.NewStream(8, "client")
	var same, sameName, sameSeed int
	for range 1000 {
		x := a.Uint64()
		if x == again.Uint64() {
			same++
		}
		if x == b.Uint64() {
			sameName++
		}
		if x == other.Uint64() {
			sameSeed++
		}
	}
	if same != 1000 || sameName != 0 || sameSeed != 0 {
		t.Errorf("of 1000 numbers %d agree with the same stream, %d with another name, %d with another seed; want 1000, 0, 0", same, sameName, sameSeed)
	}
}

func TestDrawsHaveTheirMeans(t *testing.T) {
	const n, mean = 200_000, 1_000_000
	for _, c := range []struct {
		name      string
		draw      func(*sim.Stream) int64
		want, tol float64
	}{
		{"below", func(r *sim.Stream) int64 { return r.Below(2*mean + 1) }, mean, 0.01},
		{"exponential", func(r *sim.Stream) int64 { return r.Exp(mean) }, mean, 0.01},
		{"constant", func(r *sim.Stream) int64 { return sim.Constant.Draw(r, mean) }, mean, 0},
		{"exponential service", func(r *sim.Stream) int64 { return sim.Exponential.Draw(r, mean) }, mean, 0.01},
		{"log-normal", func(r *sim.Stream) int64 { return sim.LogNormal.Draw(r, mean) }, mean, 0.02},
		{"pareto", func(r *sim.Stream) int64 { return sim.Pareto.Draw(r, mean) }, mean, 0.03},
	} {
		r := sim.NewStream(1, c.name)
		var sum float64
		for range n {
			v := c.draw(&r)
			if v < 0 {
				t.Fatalf("%s: drew %d", c.name, v)
			}
			sum += float64(v)
		}
		if got := sum / n; math.Abs(got/c.want-1) > c.tol {
			t.Errorf("%s: the mean of %d draws is %.0f, want %.0f within %.0f %%", c.name, n, got, c.want, 100*c.tol)
		}
	}
}

func TestLogNormalHasItsTail(t *testing.T) {
	r := sim.NewStream(3, "tail")
	draws := make([]int64, 100_000)
	for i := range draws {
		draws[i] = sim.LogNormal.Draw(&r, 1_000_000)
	}
	slices.Sort(draws)
	// exp(−1/2) and exp(−1/2 + 2.326) of the mean.
	for _, c := range []struct {
		at   int
		want float64
	}{{50_000, 0.6065}, {99_000, 6.21}} {
		if got := float64(draws[c.at]) / 1e6; math.Abs(got/c.want-1) > 0.05 {
			t.Errorf("quantile %d of 100,000 is %.3f of the mean, want %.3f", c.at, got, c.want)
		}
	}
}

func TestBelowIsFair(t *testing.T) {
	r := sim.NewStream(1, "fair")
	var counts [7]int
	for range 70_000 {
		counts[r.Below(7)]++
	}
	for i, n := range counts {
		if n < 9600 || n > 10_400 {
			t.Errorf("%d came %d times in 70,000, want about 10,000", i, n)
		}
	}
	if r.Below(0) != 0 || r.Below(-5) != 0 {
		t.Error("Below of nothing is not 0")
	}
}

func all(a sim.Arrivals, most int) (at []int64, total int64) {
	for range most {
		t, n, ok := a.Next()
		if !ok {
			break
		}
		at = append(at, t)
		total += n
	}
	return at, total
}

func TestSteadyArrivalsDoNotDrift(t *testing.T) {
	// 300 a second is not a whole number of nanoseconds; the 3,000,000th arrival is still exactly at 10,000 s.
	a := sim.Arrivals{Pattern: sim.Steady, Rate: 300_000}
	var last int64
	for range 3_000_001 {
		last, _, _ = a.Next()
	}
	if last != 10_000_000_000_000 {
		t.Errorf("arrival 3,000,000 comes at %d ns, want 10,000 s", last)
	}
}

func TestArrivalPatterns(t *testing.T) {
	stream := sim.NewStream(5, "client")
	for _, c := range []struct {
		name     string
		arrivals sim.Arrivals
		n        int
		total    int64
		slack    int
	}{
		{"the zero value never arrives", sim.Arrivals{}, 0, 0, 0},
		{"steady", sim.Arrivals{Pattern: sim.Steady, Rate: 100_000, Stop: 1e9}, 100, 100, 0},
		{"steady from a start", sim.Arrivals{Pattern: sim.Steady, Rate: 100_000, Start: 5e8, Stop: 1e9}, 50, 50, 0},
		{"poisson", sim.Arrivals{Pattern: sim.Poisson, Rate: 1_000_000, Stop: 10e9, Stream: stream}, 10_000, 10_000, 300},
		{"on and off", sim.Arrivals{Pattern: sim.OnOff, Rate: 1_000_000, On: 1e9, Off: 3e9, Stop: 40e9, Stream: stream}, 10_000, 10_000, 300},
		{"on and off without on", sim.Arrivals{Pattern: sim.OnOff, Rate: 1_000_000}, 0, 0, 0},
		{"one burst", sim.Arrivals{Pattern: sim.Burst, Size: 7, Start: 3}, 1, 7, 0},
		{"bursts", sim.Arrivals{Pattern: sim.Burst, Size: 7, Period: 1e8, Stop: 1e9}, 10, 70, 0},
		{"a log", sim.Arrivals{Pattern: sim.Log, Instant: []int64{0, 4, 4, 9}}, 4, 4, 0},
		{"no rate", sim.Arrivals{Pattern: sim.Poisson}, 0, 0, 0},
	} {
		at, total := all(c.arrivals, 20_000)
		if math.Abs(float64(len(at)-c.n)) > float64(c.slack) || math.Abs(float64(total-c.total)) > float64(c.slack) {
			t.Errorf("%s: %d instants with %d arrivals, want %d with %d (±%d)", c.name, len(at), total, c.n, c.total, c.slack)
		}
		if !slices.IsSorted(at) {
			t.Errorf("%s: instants go back", c.name)
		}
		if c.arrivals.Pattern == sim.OnOff {
			for _, v := range at {
				if v%4e9 > 1e9 {
					t.Fatalf("%s: one arrives at %d, while off", c.name, v)
				}
			}
		}
	}
}

// The histogram's twin is the sorted list.
func TestQuantilesAreNearTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(-5, 1<<43), 1, 300).Draw(t, "values")
		var h sim.Histogram
		for i, v := range values {
			h.Add(v)
			values[i] = min(max(v, 0), 1<<42-1)
		}
		slices.Sort(values)
		ppm := rapid.Int64Range(0, 1_000_000).Draw(t, "ppm")
		rank := (int64(len(values))*ppm + 999_999) / 1_000_000
		want := values[max(rank, 1)-1]
		if got := h.Quantile(ppm); got < want || got > want+want/32+1 {
			t.Fatalf("quantile %d of %v is %d, want %d to 1/32 above", ppm, values, got, want)
		}
		if h.Max() != values[len(values)-1] || h.Count() != int64(len(values)) {
			t.Fatalf("max %d, count %d", h.Max(), h.Count())
		}
	})
}

func TestAnEmptyHistogramIsZero(t *testing.T) {
	var h sim.Histogram
	if h.Quantile(500_000) != 0 || h.Mean() != 0 || h.Max() != 0 {
		t.Error("an empty histogram is not 0")
	}
}
