package cache_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"seedbed/chapters/cache"
)

// TestEvictionOnPaper plays the sequences that are told with a pencil: A B C A, then D.
func TestEvictionOnPaper(t *testing.T) {
	for _, c := range []struct {
		policy   cache.Policy
		capacity int
		uses     string
		evicted  string
	}{
		{cache.LRU, 2, "ABCAD", "ABC"}, // A leaves when C comes, B when A comes back, C for D
		{cache.LRU, 3, "ABCAD", "B"},
		{cache.LFU, 3, "AAABBCD", "C"},
		{cache.LFU, 3, "AABBCCD", "A"},    // of equals the one used longest ago
		{cache.LFU, 3, "AAABBCDDE", "CB"}, // D has caught up with B, and was used later
		{cache.LRU, 3, "AAABBCD", "A"},
		{cache.WTinyLFU, 3, "AAABBCDEF", "CDE"}, // newcomers beat nobody
	} {
		store := must(cache.New[string, int](cache.Config[string]{Capacity: c.capacity, Policy: c.policy}))
		var evicted strings.Builder
		for i, key := range strings.Split(c.uses, "") {
			if _, ok := store.GetAt(int64(i), key); ok {
				continue
			}
			if out, did := store.SetAt(int64(i), key, i, 0); did {
				evicted.WriteString(out)
			}
		}
		if evicted.String() != c.evicted {
			t.Errorf("%v with room for %d, %s: %s leave, want %s", c.policy, c.capacity, c.uses, evicted.String(), c.evicted)
		}
	}
}

// TestRedisCounters: redis.conf tells where a counter stands after so many hits, for four factors, rounded as chance had it.
func TestRedisCounters(t *testing.T) {
	for _, c := range []struct {
		factor int64
		want   map[int]uint8 // hits to counter
	}{
		{0, map[int]uint8{100: 104, 1000: 255, 100_000: 255}},
		{1, map[int]uint8{100: 18, 1000: 49, 100_000: 255}},
		{10, map[int]uint8{100: 10, 1000: 18, 100_000: 142, 1_000_000: 255}},
		{100, map[int]uint8{100: 8, 1000: 11, 100_000: 49, 1_000_000: 143}},
	} {
		g := cache.Logarithm{Factor: c.factor}
		r := newSource(uint64(c.factor))
		counter := g.StartAt(0)
		for hits := 1; hits <= 1_000_000; hits++ {
			counter = g.UseAt(0, counter, r)
			want, told := c.want[hits]
			if got := g.CountAt(0, counter); told && math.Abs(float64(got)-float64(want)) > 2+0.1*float64(want) {
				t.Errorf("factor %d, %d hits: counter %d, Redis has %d", c.factor, hits, got, want)
			}
		}
	}
}

// TestCounterFollowsItsLaw: from 5 to c it takes Σ (10k + 1), k = 0 … c−6, uses on average.
func TestCounterFollowsItsLaw(t *testing.T) {
	g := cache.Logarithm{Factor: 10}
	r := newSource(4)
	const runs, to = 400, 15
	want := 0
	for k := range to - 5 {
		want += 10*k + 1
	}
	uses := 0
	for range runs {
		for c := g.StartAt(0); g.CountAt(0, c) < to; uses++ {
			c = g.UseAt(0, c, r)
		}
	}
	// The variance of each step is that of a geometric distribution; four standard deviations of the mean are 28.
	if got := float64(uses) / runs; math.Abs(got-float64(want)) > 28 {
		t.Errorf("%.0f uses from 5 to %d, want %d", got, to, want)
	}
}

func TestBloomDimensions(t *testing.T) {
	for _, c := range []struct {
		keys, ppm, bits int64
		hashes          int
	}{
		{1_000_000, 10_000, 9_585_059, 7}, {1_000_000, 1000, 14_377_588, 10}, {1, 500_000, 2, 1}, {1000, 1, 28_756, 20},
	} {
		b := must(cache.NewBloom(cache.BloomConfig{Keys: c.keys, Error: c.ppm}))
		if b.Bits() != c.bits || b.Hashes() != c.hashes {
			t.Errorf("%d keys at %d ppm: %d bits and %d hashes, want %d and %d", c.keys, c.ppm, b.Bits(), b.Hashes(), c.bits, c.hashes)
		}
		// (1 − e^(−kn/m))^k, here by the library.
		k, n, m := float64(c.hashes), float64(c.keys), float64(c.bits)
		want := 1e9 * math.Pow(1-math.Exp(-k*n/m), k)
		if got := float64(b.ErrorWith(c.keys)); math.Abs(got-want) > 1e-9*want+1 {
			t.Errorf("%d keys at %d ppm: expected error %.0f of 10^9, want %.0f", c.keys, c.ppm, got, want)
		}
		if b.Error() != 0 || b.ErrorWith(0) != 0 {
			t.Errorf("an empty filter passes %d of 10^9, want none", b.Error())
		}
	}
	var none cache.Bloom
	if !none.Has("k") || none.Add("k") || none.Error() != 1_000_000_000 {
		t.Error("the zero filter denies a key, which it may not")
	}
}

// stampede plays XFetch to requests of a Poisson process: how many load, from one value to the next. The first whose load ends
// brings the next value; until then all who draw early, or come after the end, load too.
func stampede(perLoad float64, r source) int {
	const load = 1_000_000
	gap := float64(load) / perLoad
	// Long before the end nobody fires: begin where not even a millionth of a request would.
	begin := -int64(load * (math.Log(perLoad) + 16))
	if perLoad < 1 {
		begin = -16 * load
	}
	loads, done := 0, int64(math.MaxInt64)
	for now := begin; ; {
		now += int64(r.ExpFloat64()*gap) + 1
		if now >= done {
			return loads
		}
		if cache.Early(now, 0, load, 1_000_000, r) {
			if loads++; loads == 1 {
				done = now + load
			}
		}
	}
}

// TestXFetchLoads: how many loads there are for each value depends on how many requests come during one load, and tends to e. The
// exact mean is that of the first firing, whose rate is x·e^−s at the distance s, both in units of a load, and what fires while it
// loads.
func TestXFetchLoads(t *testing.T) {
	for _, c := range []struct{ perLoad, told float64 }{{.01, 1.01}, {1, 1.74}, {5, 2.61}, {100, 2.77}} {
		want := meanLoads(c.perLoad)
		if math.Abs(want-c.told) > .06 {
			t.Errorf("%v requests in a load: the law says %.3f, measured elsewhere was %.2f", c.perLoad, want, c.told)
		}
		r := newSource(uint64(c.perLoad * 100))
		const runs = 4000
		total := 0
		for range runs {
			total += stampede(c.perLoad, r)
		}
		// Loads beyond the first are spread about as widely as their number: four standard deviations.
		if got := float64(total) / runs; math.Abs(got-want) > .01+4*1.8/math.Sqrt(runs) {
			t.Errorf("%v requests in a load: %.3f loads for each value, want %.3f", c.perLoad, got, want)
		}
	}
	if want := meanLoads(1e6); math.Abs(want-math.E) > .001 {
		t.Errorf("with dense requests the law says %.4f, want e", want)
	}
}

// meanLoads is 1 + E[what fires during the first load], by the midpoint rule over u = x·e^−s, whose density is e^−u.
func meanLoads(x float64) float64 {
	const steps = 200_000
	sum, top := 0.0, math.Min(x, 60)
	for i := range steps {
		u := top * (float64(i) + .5) / steps
		extra := u * (math.E - 1)
		if u > x/math.E { // the load ends after the value does: from then on everybody loads
			extra = x - u + x*(1-math.Log(x/u))
		}
		sum += extra * math.Exp(-u) * top / steps
	}
	return 1 + sum + x*math.Exp(-x) // and nobody early: the first after the end, and all during its load
}

// TestEarlyFollowsItsLaw: at the distance t from the end, e^(−t ÷ (beta·load)) of the requests fire.
func TestEarlyFollowsItsLaw(t *testing.T) {
	r := newSource(9)
	const n, load = 100_000, 1000
	for _, beta := range []int64{500_000, 1_000_000, 3_000_000} {
		for _, left := range []int64{1, 300, 1000, 2500, 5000} {
			fired := 0
			for range n {
				if cache.Early(7, 7+left, load, beta, r) {
					fired++
				}
			}
			want := math.Exp(-float64(left) / (load * float64(beta) / 1e6))
			if got := float64(fired) / n; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n) {
				t.Errorf("beta %d ppm, %d ns before the end: %.4f fire, want %.4f", beta, left, got, want)
			}
		}
	}
	for _, never := range [][2]int64{{0, 1_000_000}, {load, 0}, {-5, 1_000_000}} {
		if cache.Early(0, 1, never[0], never[1], nil) || !cache.Early(1, 1, never[0], never[1], nil) {
			t.Errorf("load %d, beta %d: want it only from the end on, without a draw", never[0], never[1])
		}
	}
	if cache.Early(math.MinInt64, math.MaxInt64, load, 1_000_000, nil) {
		t.Error("far from the end it fires")
	}
}

// TestXFetchBehindOneFlight: with single flight after the draw, one load in each process, and still before the end.
func TestXFetchBehindOneFlight(t *testing.T) {
	c := through(func(cfg *cache.ReadThroughConfig[string]) { cfg.Beta, cfg.Stale = 1_000_000, 0 })
	r := newSource(2)
	var ends []int64
	loads, done := 0, int64(math.MaxInt64)
	var f cache.Flight[string]
	for now := int64(0); now < 100*second; now += 1_000_000 {
		if now >= done {
			c.DoneAt(now, f, loads, r)
			done = math.MaxInt64
		}
		a := c.AskAt(now, "k", r)
		if a.Load {
			loads++
			ends, f, done = append(ends, now), a.Flight, now+300_000_000
		}
		if a.Verdict != cache.Found && now > second {
			t.Fatalf("at %d ms: %v, want a value at all times", now/1_000_000, a.Verdict)
		}
	}
	if loads < 10 || loads > 13 {
		t.Errorf("%d loads in 100 s of values that last 10 s, want one each, a little early: at %v", loads, ends)
	}
}

// TestExpiriesSpread: what was loaded together no longer ends together.
func TestExpiriesSpread(t *testing.T) {
	c := must(cache.New[string, int](cache.Config[string]{Capacity: 1000}))
	r := newSource(5)
	const ttl = 1800 * second
	for i := range 1000 {
		c.SetAt(0, fmt.Sprint(i), i, cache.Jitter(ttl, 166_667, r))
	}
	var inMinute [36]int
	for i := range 1000 {
		_, expires, _ := c.PeekAt(0, fmt.Sprint(i))
		inMinute[expires/(60*second)]++
	}
	if most := slices.Max(inMinute[:]); most > 150 {
		t.Errorf("%d of 1000 end in one minute of ten, want about 100", most)
	}
	if freed := c.SweepAt(2200*second, 2000); freed != 1000 || c.Len() != 0 {
		t.Errorf("a sweep after all have ended freed %d and left %d", freed, c.Len())
	}
}
