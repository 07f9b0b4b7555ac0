package route_test

import (
	"testing"

	"seedbed/chapters/route"
)

// The traps of balancing: faults that well-known balancers had, and this one must not have.

// firstPicks counts which peer 7000 gateways choose first, each with randomness of its own.
func firstPicks(policy route.Policy, peers []route.Peer, scatter bool) []int {
	got := make([]int, len(peers))
	fresh := must(route.NewPool(route.Config{Policy: policy, Peers: peers}))
	for seed := range uint64(7000) {
		p := fresh.Clone()
		if scatter {
			p.Scatter(newSource(seed))
		}
		got[p.PickAt(0, nil).Peer]++
	}
	return got
}

// TestTrap42StartsOutOfPhase (nginx#837, envoy#29953): gateways that start together with weights 5, 1, 1 all choose a first. From a
// random place in the cycle of picks the first choices are as the weights, 5000, 1000, 1000; from a random place among the three peers
// they would be 4667, 2333, 0.
func TestTrap42StartsOutOfPhase(t *testing.T) {
	if got := firstPicks(route.Smooth, weighted(5, 1, 1), false); got[0] != 7000 {
		t.Errorf("in phase: %v first picks, want all on a, or this test shows nothing", got)
	}
	got := firstPicks(route.Smooth, weighted(5, 1, 1), true)
	for i, want := range []int{5000, 1000, 1000} {
		if d := got[i] - want; d < -190 || d > 190 { // five deviations: √(7000·5/7·2/7) = 38
			t.Errorf("smooth: %v first picks, want about [5000 1000 1000]", got)
			break
		}
	}
	for _, policy := range []route.Policy{route.RoundRobin, route.LeastConn} {
		got := firstPicks(policy, weighted(1, 1, 1, 1, 1, 1, 1), true)
		for i, n := range got {
			if n < 1000-150 || n > 1000+150 {
				t.Errorf("%v: peer %d is first %d times, want about 1000", policy, i, n)
			}
		}
	}
	// Wherever it begins, a whole cycle gives each peer its weight.
	p := must(route.NewPool(route.Config{Policy: route.Smooth, Peers: weighted(5, 1, 1)}))
	p.Scatter(newSource(3))
	counts := [3]int{}
	for range 7 {
		counts[p.PickAt(0, nil).Peer]++
	}
	if counts != [3]int{5, 1, 1} {
		t.Errorf("a cycle after Scatter: %v, want [5 1 1]", counts)
	}
	// A cycle of 10^9 picks is not walked to its end.
	heavy := must(route.NewPool(route.Config{Policy: route.Smooth, Peers: weighted(1_000_000, 999_999)}))
	heavy.Scatter(newSource(1))
}

// count picks n times and counts.
func count(p *route.Pool, now int64, n int) []int {
	got := make([]int, p.Len())
	for range n {
		d := p.PickAt(now, nil)
		got[d.Peer]++
		p.DoneAt(now, d.Lease, route.Success)
	}
	return got
}

// TestTrap43TurnsAfterAChange: weights change, a peer leaves, a weight becomes 0, a peer comes back from the dead. What was owed in the
// old weights is not paid in the new ones: within one new cycle everybody gets what is due, give or take one pick.
func TestTrap43TurnsAfterAChange(t *testing.T) {
	fair := func(step string, p *route.Pool, weights ...int64) {
		t.Helper()
		sum, current := int64(0), int64(0)
		for i, w := range weights {
			sum += w
			current += p.Current(i)
		}
		if current != 0 {
			t.Errorf("%s: current weights sum to %d, want 0", step, current)
		}
		got := count(p, second, int(sum))
		for i, w := range weights {
			if d := int64(got[i]) - w; d < -1 || d > 1 {
				t.Errorf("%s: in %d picks the peers of weights %v were chosen %v times", step, sum, weights, got)
				return
			}
		}
	}
	for picks := range 101 { // changed anywhere in the cycle
		p := must(route.NewPool(route.Config{Policy: route.Smooth, Peers: weighted(100, 1, 1)}))
		count(&p, 0, picks)
		if err := p.SetPeers(0, weighted(1, 1, 1)); err != nil {
			t.Fatal(err)
		}
		fair("100 to 1", &p, 1, 1, 1)
		count(&p, 0, picks)
		if err := p.SetPeers(0, weighted(1, 0, 3)); err != nil {
			t.Fatal(err)
		}
		fair("b to 0", &p, 1, 0, 3)
		count(&p, 0, picks)
		if err := p.SetPeers(0, weighted(1, 0, 3)[1:]); err != nil {
			t.Fatal(err)
		}
		fair("a left", &p, 0, 3)
		if err := p.SetPeers(0, weighted(40, 40, 20)); err != nil {
			t.Fatal(err)
		}
		count(&p, 0, picks)
		p.SetHealth(0, 1, false)
		fair("b dead", &p, 40, 0, 20)
		count(&p, 0, picks)
		p.SetHealth(0, 1, true)
		fair("b back", &p, 40, 40, 20)
		p.SetHealth(0, 1, false)
		count(&p, 0, 1000)
		p.SetHealth(0, 1, true)
		if got := count(&p, 0, 5); got[1] > 3 { // 2 are due
			t.Errorf("back from 1000 picks away, b gets %d of 5", got[1])
		}
	}
}

// TestTrap44SlowStartDoesNotStarve (envoy#19526, #29259): a light peer that warms up gets at least 10 percent of its weight from the
// first pick on, and the turns follow the weight as it grows.
func TestTrap44SlowStartDoesNotStarve(t *testing.T) {
	for _, policy := range []route.Policy{route.Smooth, route.LeastConn} {
		p := must(route.NewPool(route.Config{Policy: policy, Peers: equals(1, 0), SlowStart: route.SlowStart{Window: 100 * second}}))
		if err := p.SetPeers(0, equals(2, 0)); err != nil {
			t.Fatal(err)
		}
		if w := p.WeightNow(1); w != route.WeightUnit/10 {
			t.Fatalf("%v: a new peer weighs %d, want a tenth of %d", policy, w, route.WeightUnit)
		}
		// Ten spans of 10 s, 1000 picks each: the peer's weight grows from 0.1 to 1, its share from 1/11 to 1/2.
		before := 0
		for span := range int64(10) {
			got := 0
			for k := range int64(1000) {
				now := span*10*second + k*10*millisecond
				d := p.PickAt(now, nil)
				got += d.Peer
				p.DoneAt(now, d.Lease, route.Success)
			}
			mid := max(100, float64(span)*100+50) // weight in the middle of the span, in thousandths
			due := 1000 * mid / (1000 + mid)
			if float64(got) < due-12 || float64(got) > due+12 || got < before {
				t.Errorf("%v: in the span at %d s the new peer got %d of 1000, want about %.0f", policy, span*10, got, due)
			}
			before = got
		}
		if s := p.State(1); s != route.Warming {
			t.Errorf("%v: %v just before the window ends, want warming", policy, s)
		}
		p.AdvanceAt(100 * second)
		if s, w := p.State(1), p.WeightNow(1); s != route.Up || w != route.WeightUnit {
			t.Errorf("%v: %v with weight %d when the window is over, want up and %d", policy, s, w, route.WeightUnit)
		}
	}
}

// TestTrap45FastFailures (ingress-nginx#9025): a server that fails after 1 ms among three that answer after 100 ms. What it has in
// flight is always 0, so without a penalty it draws more than any other; with one it is nearly left alone.
func TestTrap45FastFailures(t *testing.T) {
	for _, policy := range []route.Policy{route.LeastConn, route.TwoChoices, route.PeakEWMA} {
		share := func(penalty int64) float64 {
			p := must(route.NewPool(route.Config{Policy: policy, Peers: equals(4, 0), FailurePenalty: penalty}))
			l := load{pool: &p, source: newSource(5), backends: []backend{{takes: 100 * millisecond}, {takes: 100 * millisecond}, {takes: 100 * millisecond}, {takes: millisecond, fails: true}}}
			l.run(60*second, 20*millisecond)
			return l.share(3)
		}
		without, with := share(0), share(10*second)
		if without < 40 {
			t.Errorf("%v: without a penalty the failing server gets %.1f %%, want most, or this test shows nothing", policy, without)
		}
		if with > 1 {
			t.Errorf("%v: with a penalty the failing server gets %.1f %%, want less than 1", policy, with)
		}
	}
}

// TestTrap46NewHostWithoutLatency (Shopify ingress#219): a new peer has no latency yet. It counts as the dearest of the others, so it
// gets about its share, even when it never answers.
func TestTrap46NewHostWithoutLatency(t *testing.T) {
	for name, answers := range map[string]int64{"answers": 100 * millisecond, "never answers": 0} {
		p := must(route.NewPool(route.Config{Policy: route.PeakEWMA, Peers: equals(4, 0)}))
		l := load{pool: &p, source: newSource(1), backends: make([]backend, 5)}
		for i := range 4 {
			l.backends[i].takes = 100 * millisecond
		}
		l.backends[4].takes = answers
		l.run(10*second, 10*millisecond)
		if err := p.SetPeers(l.now, equals(5, 0)); err != nil {
			t.Fatal(err)
		}
		if ns, known := p.Cost(4); known || ns < 90*millisecond {
			t.Errorf("%s: the new peer costs %d ns, known %v, want what the dearest costs", name, ns, known)
		}
		l.run(100*millisecond, millisecond) // before its first answer; 20 of 100 are its share
		if got := l.got[4]; got < 5 || got > 30 {
			t.Errorf("%s: the new peer got %d of the first 100, want about 20", name, got)
		}
		l.run(10*second, 10*millisecond)
		if got := l.got[4]; answers > 0 && (got < 150 || got > 250) || answers == 0 && got > 50 {
			t.Errorf("%s: then it got %d of 1000", name, got)
		}
	}
}

// script is a Source that gives these numbers, and fails the test when asked for one that it cannot give.
type script struct {
	t       *testing.T
	numbers []int64
}

func (s *script) Below(n int64) int64 {
	s.t.Helper()
	if len(s.numbers) == 0 || s.numbers[0] >= n || n < 1 {
		s.t.Fatalf("asked for a number below %d, the script goes on with %v", n, s.numbers)
	}
	v := s.numbers[0]
	s.numbers = s.numbers[1:]
	return v
}

// TestTrap47TwoDifferentChoices (traefik#13913): the two are never the same, one alone is taken, ties are random, and what is in flight
// survives a change of the set and never falls below 0.
func TestTrap47TwoDifferentChoices(t *testing.T) {
	cfg := route.Config{Policy: route.TwoChoices, Peers: equals(3, 0)}
	seen := [3]int{}
	for first := range int64(3) {
		for second := range int64(2) {
			for coin := range int64(2) {
				p := must(route.NewPool(cfg))
				i := p.PickAt(0, &script{t, []int64{first, second, coin}}).Peer
				seen[i]++
			}
		}
	}
	if seen != [3]int{4, 4, 4} {
		t.Errorf("over all draws the idle peers are chosen %v times, want 4 each", seen)
	}
	// a has one in flight: whenever it is one of two different ones, the other is taken.
	for first := range int64(3) {
		for second := range int64(2) {
			p := must(route.NewPool(cfg))
			p.PickAt(0, &script{t, []int64{0, 0, 0}})
			if d := p.PickAt(0, &script{t, []int64{first, second, 0}}); d.Peer == 0 {
				t.Errorf("draws %d, %d: the busy peer is chosen", first, second)
			}
		}
	}
	one := must(route.NewPool(route.Config{Policy: route.TwoChoices, Peers: equals(1, 0)}))
	if d := one.PickAt(0, &script{t: t}); !d.OK || d.Peer != 0 {
		t.Errorf("one peer: %+v, want it, without a draw", d)
	}
}

// TestTrap47InFlightSurvivesAReload: the second half of the trap.
func TestTrap47InFlightSurvivesAReload(t *testing.T) {
	p := must(route.NewPool(route.Config{Peers: equals(3, 2)}))
	var leases []route.Lease // a, b, c, a, b, c
	for range 6 {
		leases = append(leases, p.PickAt(0, nil).Lease)
	}
	set := equals(4, 2)
	set[0], set[1], set[3] = set[3], set[2], set[1] // d, c, c, b
	set[2] = route.Peer{Name: "e", Weight: 1}
	if err := p.SetPeers(0, set); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"d": 0, "c": 2, "e": 0, "b": 2} {
		if got := p.InFlight(p.Find(name)); got != want {
			t.Errorf("after the reload %s has %d in flight, want %d", name, got, want)
		}
	}
	if p.Total() != 6 {
		t.Errorf("%d in flight in all, want 6, those of a included", p.Total())
	}
	for k, l := range leases {
		d := p.DoneAt(0, l, route.Failure)
		want := p.Find(string(rune('a' + k%3)))
		if !d.OK || d.Peer != want {
			t.Errorf("lease %d: %+v, want peer %d", k, d, want)
		}
		if again := p.DoneAt(0, l, route.Failure); again.OK {
			t.Errorf("lease %d is done twice", k)
		}
	}
	for i := range p.Len() {
		if p.InFlight(i) != 0 {
			t.Errorf("%s has %d in flight at the end", p.Peer(i).Name, p.InFlight(i))
		}
	}
	if p.Total() != 0 || p.Extra() != 6 {
		t.Errorf("%d in flight, %d extra ends, want 0 and 6", p.Total(), p.Extra())
	}
}
