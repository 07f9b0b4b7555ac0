package adaptive_test

import (
	"container/heap"
	"math/rand/v2"
	"slices"
	"testing"

	"seedbed/chapters/adaptive"
)

const (
	ms     = 1_000_000
	second = 1_000_000_000
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// all are the four, as a service would begin with them, for latencies of 10 ms and what is too long at 40 ms.
func all(c adaptive.Common) map[string]adaptive.Limit {
	a := must(adaptive.NewAIMD(adaptive.AIMDConfig{Common: c, Timeout: 40 * ms}))
	v := must(adaptive.NewVegas(adaptive.VegasConfig{Common: c, Alpha: 3, Beta: 6, Life: 10 * second}))
	g := must(adaptive.NewGradient(adaptive.GradientConfig{Common: c, Tolerance: 1000, Smoothing: 200, Life: 10 * second}))
	b := must(adaptive.NewBBR(adaptive.BBRConfig{Common: c, Life: 10 * second}))
	return map[string]adaptive.Limit{"aimd": &a, "vegas": &v, "gradient": &g, "bbr": &b}
}

// server serves so many at a time, first come first served, behind a Gate, in virtual time.
type server struct {
	gate    adaptive.Gate
	random  *rand.Rand
	free    []int64 // when each of its places is free
	out     flights
	now     int64
	took    []int64
	refused int
}

type flight struct {
	end    int64
	began  int64
	ticket adaptive.Ticket
}

type flights []flight

func (f flights) Len() int           { return len(f) }
func (f flights) Less(i, j int) bool { return f[i].end < f[j].end }
func (f flights) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *flights) Push(x any)        { *f = append(*f, x.(flight)) }
func (f *flights) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

func newServer(l adaptive.Limit, places int, seed uint64) *server {
	return &server{gate: adaptive.NewGate(l), random: rand.New(rand.NewPCG(seed, 3)), free: make([]int64, places)}
}

// run lets requests come by chance at a rate a second for a while, each served in mean ns give or take a quarter.
func (s *server) run(rate float64, mean, span int64) {
	s.took, s.refused = s.took[:0], 0
	end := s.now + span
	for {
		next := s.now + int64(s.random.ExpFloat64()*second/rate)
		s.until(min(next, end))
		if next > end {
			s.now = end
			return
		}
		s.now = next
		t, ok := s.gate.TakeAt(next)
		if !ok {
			s.refused++
			continue
		}
		i := slices.Index(s.free, slices.Min(s.free))
		s.free[i] = max(s.free[i], next) + mean*3/4 + s.random.Int64N(mean/2)
		heap.Push(&s.out, flight{end: s.free[i], began: next, ticket: t})
	}
}

// until ends what ends up to then.
func (s *server) until(at int64) {
	for len(s.out) > 0 && s.out[0].end <= at {
		f := heap.Pop(&s.out).(flight)
		s.took = append(s.took, f.end-f.began)
		s.gate.DoneAt(f.end, f.ticket, adaptive.Served)
	}
}

func (s *server) p99() int64 {
	slices.Sort(s.took)
	return s.took[len(s.took)*99/100]
}

// TestFollowsTheServer: 40 places of 10 ms serve 4000 a second, and 6000 come. Each limit finds its way from 20 to where the places are busy
// and the wait is short, keeps it through renewals of the base, finds it again when 10 places are left, and comes back when they are 40 again.
// Without a limit the queue would grow by 2000 a second.
func TestFollowsTheServer(t *testing.T) {
	for name, l := range all(adaptive.Usual()) {
		s := newServer(l, 40, 1)
		for _, part := range []struct {
			say    string
			places int
		}{{"40 places", 40}, {"10 places", 10}, {"40 places again", 40}} {
			s.free = slices.Repeat([]int64{s.now}, part.places)
			capacity := float64(part.places) * 100
			s.run(capacity*3/2, 10*ms, 20*second) // to find its way
			s.run(capacity*3/2, 10*ms, 20*second)
			t.Logf("%s, %s: limit %d, %d served, p99 %d ms", name, part.say, s.gate.Limit(), len(s.took), s.p99()/ms)
			if served := float64(len(s.took)) / 20; served < 0.85*capacity {
				t.Errorf("%s, %s: %.0f served a second, want 85 percent of %.0f", name, part.say, served, capacity)
			}
			if p := s.p99(); p > 45*ms {
				t.Errorf("%s, %s: p99 is %d ms, want at most 45", name, part.say, p/ms)
			}
		}
	}
}

// mean600 is the limit of Netflix's Gradient2 as its source has it, in floats: base is an average over 600 samples.
type mean600 struct {
	limit, long float64
}

func (g *mean600) Limit() int64 { return int64(g.limit) }

func (g *mean600) LearnAt(_ int64, s adaptive.Sample) {
	took := float64(s.Took)
	if g.long == 0 {
		g.long = took
	}
	g.long += (took - g.long) * 2 / 601
	if float64(s.InFlight) >= g.limit/2 {
		g.limit += 0.2 * (g.limit*max(0.5, min(1, 1.5*g.long/took)) + 4 - g.limit)
	}
}

func (g *mean600) Copy() adaptive.Limit { c := *g; return &c }
func (g *mean600) Size() int            { return 16 }

// TestAQueueThatStaysIsNoBase: a limit that takes the usual latency for the unloaded one creeps up, since the usual latency is that of the
// queue that it has let in before. Ours stand.
func TestAQueueThatStaysIsNoBase(t *testing.T) {
	limits := all(adaptive.Usual())
	delete(limits, "aimd") // it has no base
	limits["mean of 600"] = &mean600{limit: 20}
	for name, l := range limits {
		s := newServer(l, 40, 2)
		s.run(8000, 10*ms, 60*second)
		if got := s.gate.Limit(); (got > 80) != (name == "mean of 600") {
			t.Errorf("%s: after a minute of overload the limit is %d for 40 places", name, got)
		}
	}
}

// TestSlowerIsNotMore: every request takes four times as long from now on. The right number in flight is the same, since it is the
// places that count; the base must be renewed for that, and the limit neither falls to a quarter for ever nor runs away.
func TestSlowerIsNotMore(t *testing.T) {
	limits := all(adaptive.Usual())
	delete(limits, "aimd") // 40 ms are too long for it
	for name, l := range limits {
		s := newServer(l, 40, 4)
		s.run(6000, 10*ms, 30*second)
		s.run(1500, 40*ms, 60*second)
		sum := int64(0)
		for range 8 { // a cycle of BBR
			s.run(1500, 40*ms, 100*ms)
			sum += s.gate.Limit()
		}
		if got := sum / 8; got < 36 || got > 60 {
			t.Errorf("%s: the limit is %d for 40 places, each four times as slow", name, got)
		}
	}
}
