package route_test

import (
	"testing"

	"seedbed/chapters/route"
)

// TestMaxInFlight bounds the pool as a whole, whatever room the peers have.
func TestMaxInFlight(t *testing.T) {
	p := must(route.NewPool(route.Config{Peers: equals(2, 0), MaxInFlight: 3}))
	var last route.Decision
	for range 3 {
		last = p.PickAt(0, nil)
	}
	if d := p.PickAt(0, nil); !last.OK || d.OK || d.Reason != route.AllFull {
		t.Errorf("the third %+v, the fourth of three %+v, want granted and all full", last, d)
	}
	p.DoneAt(0, last.Lease, route.Ignored)
	if d := p.PickAt(0, nil); !d.OK {
		t.Errorf("after one is done: %+v", d)
	}
}

// TestARetryGoesElsewhere: the peers tried already are avoided while another may be chosen, and are better than nothing when not.
func TestARetryGoesElsewhere(t *testing.T) {
	for _, policy := range policies {
		p := must(route.NewPool(route.Config{Policy: policy, Peers: equals(3, 0)}))
		r := newSource(1)
		for range 20 {
			if d := p.PickOtherAt(0, []int{0, 2, -1, 99}, r); d.Peer != 1 {
				t.Fatalf("%v: tried a and c, sent to peer %d", policy, d.Peer)
			}
		}
		if d := p.PickOtherAt(0, []int{0, 1, 2}, r); !d.OK {
			t.Errorf("%v: tried all: %+v, want one of them again", policy, d)
		}
		p.SetHealth(0, 1, false)
		if d := p.PickOtherAt(0, []int{0, 2}, r); !d.OK || d.Peer == 1 {
			t.Errorf("%v: tried a and c, and b is down: %+v, want a or c again", policy, d)
		}
	}
}

// threeInARow ejects after three failures in a row; b's picks are those of index 1.
func threeInARow() route.Pool {
	return must(route.NewPool(route.Config{
		Policy: route.LeastConn, Peers: equals(2, 0), SlowStart: route.SlowStart{Window: 10 * second},
		Outlier: route.Outlier{Consecutive: 3, BaseEjection: second, MaxEjection: 9 * second, Interval: second, MaxPercent: 50},
	}))
}

// TestFailuresBeforeAChangeOfHealth do not count after it, and those before the end of a warm-up do.
func TestFailuresBeforeAChangeOfHealth(t *testing.T) {
	p := threeInARow()
	fail(t, &p, 0, 1, 2)
	p.SetHealth(0, 1, false)
	p.SetHealth(0, 1, true)
	fail(t, &p, 0, 1, 2)
	if s := p.State(1); s != route.Warming {
		t.Fatalf("two failures, down and up, two failures: %v, want warming", s)
	}
	p.AdvanceAt(10 * second)
	if s := p.State(1); s != route.Up {
		t.Fatalf("%v at the end of the warm-up, want up", s)
	}
	fail(t, &p, 10*second, 1, 1)
	if s := p.State(1); s != route.Ejected {
		t.Errorf("the third failure in a row, over the end of the warm-up: %v, want ejected", s)
	}
}

// TestProbesBeginAnew: two successes of three, then a failure: after the ejection three are wanted again.
func TestProbesBeginAnew(t *testing.T) {
	p := probing(t)
	now := 10 * int64(second)
	for range 2 {
		l, _ := onB(&p, now)
		p.DoneAt(now, l, route.Success)
	}
	l, _ := onB(&p, now)
	p.DoneAt(now, l, route.Failure)
	now += 20 * second
	for n := range 3 {
		p.AdvanceAt(now)
		if s := p.State(1); s != route.Probing {
			t.Fatalf("%v after %d successes, want probing", s, n)
		}
		l, ok := onB(&p, now)
		if !ok {
			t.Fatalf("no probe after %d successes", n)
		}
		p.DoneAt(now, l, route.Success)
	}
	if s := p.State(1); s != route.Warming {
		t.Errorf("%v after three successes, want warming", s)
	}
}

// TestALateProbeIsNotLost: each probe that is done gives those in flight their time anew.
func TestALateProbeIsNotLost(t *testing.T) {
	p := probing(t)
	now := 10 * int64(second)
	first, _ := onB(&p, now)
	onB(&p, now+4*second)
	p.DoneAt(now+4*second, first, route.Success)
	p.AdvanceAt(now + 9*second - 1)
	if s := p.State(1); s != route.Probing {
		t.Errorf("%v, a nanosecond before the second probe counts as lost, want probing", s)
	}
	p.AdvanceAt(now + 9*second)
	if s := p.State(1); s != route.Ejected {
		t.Errorf("%v when it is lost, want ejected", s)
	}
}

// TestProbesWithoutEjection: a peer that may not be ejected goes on probing after a failed probe.
func TestProbesWithoutEjection(t *testing.T) {
	p := must(route.NewPool(route.Config{Policy: route.LeastConn, Peers: equals(2, 0), Probe: route.Probe{Conns: 1, Successes: 2, Timeout: second}}))
	p.SetHealth(0, 1, false)
	p.SetHealth(0, 1, true)
	l, _ := onB(&p, 0)
	p.DoneAt(0, l, route.Success)
	l, _ = onB(&p, 0)
	if d := p.DoneAt(0, l, route.Failure); d.After != route.Probing {
		t.Fatalf("a failed probe: %+v, want probing still", d)
	}
	for n := range 2 {
		if s := p.State(1); s != route.Probing {
			t.Errorf("%v after %d successes in a row, want probing", s, n)
		}
		l, _ = onB(&p, 0)
		p.DoneAt(0, l, route.Success)
	}
	if s := p.State(1); s != route.Up {
		t.Errorf("%v after two successes, want up", s)
	}
}

// TestIgnoredEndsSayNothing: who gave up after a long time says nothing about the latency, and frees the place.
func TestIgnoredEndsSayNothing(t *testing.T) {
	p := ewma(1, second)
	observe(&p, second, millisecond, route.Success)
	observe(&p, 11*second, 10*second, route.Ignored)
	if ns, _ := p.Cost(0); ns > millisecond || p.InFlight(0) != 0 {
		t.Errorf("after an ignored end the cost is %d, %d in flight, want at most 1 ms and 0", ns, p.InFlight(0))
	}
	// A failure that took long says that it takes long: a time-out is one.
	observe(&p, 21*second, 10*second, route.Failure)
	if ns, _ := p.Cost(0); ns != 10*second {
		t.Errorf("after a time-out the cost is %d, want 10 s", ns)
	}
	observe(&p, 22*second, millisecond, route.Failure)
	if ns, _ := p.Cost(0); ns < 3*second {
		t.Errorf("after a fast failure the cost is %d, want it to have faded only", ns)
	}
}

// TestTheTurnGoesOn: after a change of the set round robin goes on with the peer whose turn it was.
func TestTheTurnGoesOn(t *testing.T) {
	p := must(route.NewPool(route.Config{Peers: equals(4, 0)}))
	count(&p, 0, 2) // a, b; now it is c's turn
	set := equals(4, 0)
	if err := p.SetPeers(0, []route.Peer{set[3], set[2], set[1], set[0]}); err != nil {
		t.Fatal(err)
	}
	if d := p.PickAt(0, nil); p.Peer(d.Peer).Name != "c" {
		t.Errorf("%s, want c", p.Peer(d.Peer).Name)
	}
	if err := p.SetPeers(0, set[:3]); err != nil { // c was chosen, b is next
		t.Fatal(err)
	}
	if d := p.PickAt(0, nil); p.Peer(d.Peer).Name != "b" {
		t.Errorf("%s, want b", p.Peer(d.Peer).Name)
	}
}

// TestWhoGetsWeightWarmsUp: drained and back, a peer is as cold as a new one; one that stays is not.
func TestWhoGetsWeightWarmsUp(t *testing.T) {
	p := must(route.NewPool(route.Config{Policy: route.Smooth, Peers: weighted(1, 1), SlowStart: route.SlowStart{Window: 100 * second}}))
	for _, weights := range [][]int64{{1, 0}, {1, 1}} {
		if err := p.SetPeers(5*second, weighted(weights...)); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := p.State(0), p.State(1); a != route.Up || b != route.Warming || p.Since(1) != 5*second {
		t.Errorf("a is %v, b %v since %d, want up and warming since 5 s", a, b, p.Since(1))
	}
	if n := p.NextChange(); n != 105*second {
		t.Errorf("the warm-up ends at %d, want 105 s", n)
	}
	if err := p.SetPeers(55*second, weighted(7, 4)); err != nil {
		t.Fatal(err)
	}
	if w := p.WeightNow(1); w != 4*route.WeightUnit/2 {
		t.Errorf("half-way warm its weight of 4 is %d, want %d", w, 2*route.WeightUnit)
	}
	if err := p.SetPeers(200*second, weighted(7, 4)); err != nil {
		t.Fatal(err)
	}
	if s := p.State(1); s != route.Up {
		t.Errorf("%v at the end, want up: SetPeers lets time pass too", s)
	}
}

// TestLockedPoolsAreScattered: gateways that start together do not begin with the same peer.
func TestLockedPoolsAreScattered(t *testing.T) {
	first := map[string]int{}
	for seed := range uint64(40) {
		l := must(route.NewLocked(route.Config{Policy: route.Smooth, Peers: equals(4, 0)}, func() int64 { return 0 }, newSource(seed)))
		name, _ := l.Pick()
		first[name]++
	}
	if len(first) != 4 {
		t.Errorf("40 gateways begin with %v, want each of four", first)
	}
}
