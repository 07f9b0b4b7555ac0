package route_test

import (
	"testing"

	"seedbed/chapters/route"
)

// fail picks until it meets peer i, and fails there n times.
func fail(t *testing.T, p *route.Pool, now int64, i, n int) {
	t.Helper()
	for n > 0 {
		d := p.PickAt(now, newSource(1))
		if !d.OK {
			t.Fatalf("at %d: no pick: %v", now, d.Reason)
		}
		o := route.Success
		if d.Peer == i {
			o = route.Failure
			n--
		}
		p.DoneAt(now, d.Lease, o)
	}
}

// tenPeers is a pool with Envoy's defaults, which may eject one of ten.
func tenPeers() route.Pool {
	return must(route.NewPool(route.Config{Peers: equals(10, 0), Outlier: route.EnvoyOutlier(), PanicPercent: 50}))
}

// TestEjectionGrowsAndIsForgotten: Envoy's rule in time. 30 s, 60 s, 90 s … up to 300 s when each failure follows at once; 10 s of
// health take one step back.
func TestEjectionGrowsAndIsForgotten(t *testing.T) {
	p := tenPeers()
	now := int64(0)
	for step, want := range []int64{30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 300, 300} {
		fail(t, &p, now, 3, 4)
		if s := p.State(3); s != route.Up {
			t.Fatalf("step %d: %v after 4 failures, want up", step, s)
		}
		fail(t, &p, now, 3, 1)
		if s := p.State(3); s != route.Ejected {
			t.Fatalf("step %d: %v after 5 failures, want ejected", step, s)
		}
		back := now + want*second
		if at := p.NextChange(); at != back {
			t.Fatalf("step %d: out for %d ns, want %d s", step, at-now, want)
		}
		for range 20 {
			if d := p.PickAt(back-1, nil); d.Peer == 3 {
				t.Fatalf("step %d: chosen a nanosecond before its time is over", step)
			} else {
				p.DoneAt(back-1, d.Lease, route.Success)
			}
		}
		p.AdvanceAt(back)
		if s := p.State(3); s != route.Up || p.Since(3) != back {
			t.Fatalf("step %d: %v since %d, want up since %d", step, s, p.Since(3), back)
		}
		now = back
	}
	// 300 s are 10 base times; after 7 intervals and a bit of health, 3 are left, and the next ejection is the fourth.
	now += 75 * second
	p.AdvanceAt(now)
	if got := p.Ejections(3); got != 3 {
		t.Errorf("after 75 s of health %d ejections are remembered, want 3", got)
	}
	fail(t, &p, now, 3, 5)
	if got := p.NextChange() - now; got != 120*second {
		t.Errorf("then it is out for %d ns, want 120 s", got)
	}
	now += 120 * second
	p.AdvanceAt(now + 1000*second)
	if got := p.Ejections(3); got != 0 {
		t.Errorf("after a long health %d ejections are remembered, want 0", got)
	}
}

// TestFailuresMustBeInARow: a success between them begins the count anew, an ignored end does not.
func TestFailuresMustBeInARow(t *testing.T) {
	p := must(route.NewPool(route.Config{Peers: equals(1, 0), Outlier: route.Outlier{Consecutive: 3, BaseEjection: second, MaxEjection: second, Interval: second, MaxPercent: 100}}))
	end := func(o route.Outcome) { p.DoneAt(0, p.PickAt(0, nil).Lease, o) }
	for _, o := range []route.Outcome{route.Failure, route.Failure, route.Success, route.Failure, route.Failure, route.Ignored} {
		end(o)
		if s := p.State(0); s != route.Up {
			t.Fatalf("%v, want up", s)
		}
	}
	end(route.Failure)
	if s := p.State(0); s != route.Ejected {
		t.Errorf("%v after three in a row, want ejected", s)
	}
}

// TestOldResultsDecideNothing: requests sent before an ejection come back as failures after it.
func TestOldResultsDecideNothing(t *testing.T) {
	p := must(route.NewPool(route.Config{Peers: equals(1, 0), Outlier: route.Outlier{Consecutive: 2, BaseEjection: second, MaxEjection: 9 * second, Interval: second, MaxPercent: 100}}))
	var old []route.Lease
	for range 10 {
		old = append(old, p.PickAt(0, nil).Lease)
	}
	p.DoneAt(0, old[0], route.Failure)
	if d := p.DoneAt(0, old[1], route.Failure); d.Before != route.Up || d.After != route.Ejected {
		t.Fatalf("the second failure: %+v, want from up to ejected", d)
	}
	p.AdvanceAt(second)
	for _, l := range old[2:] {
		if d := p.DoneAt(second, l, route.Failure); !d.OK || d.After != route.Up {
			t.Fatalf("an old failure: %+v, want it to free its place and decide nothing", d)
		}
	}
	if p.InFlight(0) != 0 {
		t.Errorf("%d in flight, want 0", p.InFlight(0))
	}
}

// TestEjectionReturnsAtItsOwnInstant: when nobody asked for a long time, the slow start still counts from the end of the ejection.
func TestEjectionReturnsAtItsOwnInstant(t *testing.T) {
	p := must(route.NewPool(route.Config{
		Policy: route.Smooth, Peers: equals(2, 0), SlowStart: route.SlowStart{Window: 40 * second},
		Outlier: route.Outlier{Consecutive: 1, BaseEjection: 10 * second, MaxEjection: 10 * second, Interval: second, MaxPercent: 50},
	}))
	fail(t, &p, 0, 1, 1)
	p.AdvanceAt(30 * second)
	if s, w := p.State(1), p.WeightNow(1); s != route.Warming || w != route.WeightUnit/2 {
		t.Errorf("%v with weight %d, 20 s into a slow start of 40 s, want warming and %d", s, w, route.WeightUnit/2)
	}
	p.AdvanceAt(50*second - 1)
	if s := p.State(1); s != route.Warming {
		t.Errorf("%v just before the end, want warming", s)
	}
	p.AdvanceAt(50 * second)
	if s := p.State(1); s != route.Up {
		t.Errorf("%v at the end, want up", s)
	}
}

// probing is a pool of two, of which b has just come back and has to prove itself: 2 at a time, 3 successes, each within 5 s.
func probing(t *testing.T) route.Pool {
	t.Helper()
	p := must(route.NewPool(route.Config{
		Policy: route.LeastConn, Peers: equals(2, 0), Probe: route.Probe{Conns: 2, Successes: 3, Timeout: 5 * second},
		SlowStart: route.SlowStart{Window: 60 * second},
		Outlier:   route.Outlier{Consecutive: 1, BaseEjection: 10 * second, MaxEjection: 100 * second, Interval: second, MaxPercent: 50},
	}))
	fail(t, &p, 0, 1, 1)
	p.AdvanceAt(10 * second)
	if s := p.State(1); s != route.Probing {
		t.Fatalf("%v after the ejection, want probing", s)
	}
	return p
}

// onB picks at an instant until b is chosen, and returns that lease; false when b is not chosen in ten picks.
func onB(p *route.Pool, now int64) (route.Lease, bool) {
	for range 10 {
		if d := p.PickAt(now, nil); d.Peer == 1 {
			return d.Lease, true
		}
	}
	return route.Lease{}, false
}

// TestProbes: two at a time and no third; three successes lead to slow start; one failure leads back out, for longer.
func TestProbes(t *testing.T) {
	p := probing(t)
	now := 10 * int64(second)
	first, _ := onB(&p, now)
	other, _ := onB(&p, now)
	if _, ok := onB(&p, now); ok {
		t.Fatalf("a third probe at a time")
	}
	p.DoneAt(now, first, route.Success)
	third, ok := onB(&p, now)
	if !ok {
		t.Fatalf("no probe though one is done")
	}
	failed := p.Clone()
	p.DoneAt(now, other, route.Success)
	if d := p.DoneAt(now, third, route.Success); d.Before != route.Probing || d.After != route.Warming {
		t.Errorf("the third success: %+v, want from probing to warming", d)
	}
	if d := failed.DoneAt(now, other, route.Failure); d.After != route.Ejected || failed.NextChange() != now+20*second {
		t.Errorf("a failed probe: %+v, back at %d, want ejected for 20 s", d, failed.NextChange())
	}
}

// TestLostProbes: probes that never report block the peer for one time-out, not for ever.
func TestLostProbes(t *testing.T) {
	p := probing(t)
	now := 10 * int64(second)
	onB(&p, now)
	late, _ := onB(&p, now+second)
	if at := p.NextChange(); at != now+5*second {
		t.Fatalf("the probes count as lost at %d, want %d", at, now+5*second)
	}
	p.AdvanceAt(now + 5*second)
	if s := p.State(1); s != route.Ejected {
		t.Errorf("%v, want ejected for its lost probes", s)
	}
	if d := p.DoneAt(now+6*second, late, route.Success); d.After != route.Ejected {
		t.Errorf("a success that comes too late: %+v, want it to decide nothing", d)
	}
	p.AdvanceAt(now + 25*second)
	if _, ok := onB(&p, now+25*second); !ok {
		t.Errorf("no probe after the second ejection of 20 s")
	}
}

// TestHealthIsSaid: down takes nothing new and keeps what it has; up again goes by slow start; saying it twice changes nothing.
func TestHealthIsSaid(t *testing.T) {
	p := must(route.NewPool(route.Config{Policy: route.Smooth, Peers: equals(2, 0), SlowStart: route.SlowStart{Window: 10 * second}, Outlier: route.Outlier{Consecutive: 1, BaseEjection: 60 * second, MaxEjection: 60 * second, Interval: second, MaxPercent: 50}}))
	held := p.PickAt(0, nil)
	if !p.SetHealth(0, held.Peer, false) || p.SetHealth(0, held.Peer, false) {
		t.Errorf("down should change something the first time, and nothing the second")
	}
	for range 5 {
		if d := p.PickAt(0, nil); d.Peer == held.Peer {
			t.Fatalf("a peer that is down is chosen")
		}
	}
	if p.InFlight(held.Peer) != 1 {
		t.Errorf("%d in flight on it, want the 1 it had", p.InFlight(held.Peer))
	}
	if !p.SetHealth(second, held.Peer, true) || p.State(held.Peer) != route.Warming {
		t.Errorf("%v after up, want warming", p.State(held.Peer))
	}
	p.AdvanceAt(20 * second)
	fail(t, &p, 20*second, held.Peer, 1)
	if s := p.State(held.Peer); s != route.Ejected {
		t.Fatalf("%v, want ejected", s)
	}
	if p.SetHealth(21*second, held.Peer, true) {
		t.Errorf("up for an ejected peer, which is not down, should change nothing")
	}
	p.SetHealth(21*second, held.Peer, false)
	p.SetHealth(22*second, held.Peer, true)
	if s := p.State(held.Peer); s != route.Warming || p.Ejections(held.Peer) != 1 {
		t.Errorf("down and up: %v with %d ejections remembered, want warming and 1", s, p.Ejections(held.Peer))
	}
}

// TestTrap48RefusesAtOnce: all full, or nobody there: refused in the same instant, with the reason and when to come back; or put into
// a line that is bounded.
func TestTrap48RefusesAtOnce(t *testing.T) {
	p := must(route.NewPool(route.Config{Peers: equals(2, 1), RetryAfter: 3 * second, RetrySpread: 2 * second}))
	p.PickAt(0, nil)
	p.PickAt(0, nil)
	if d := p.PickAt(0, nil); d.OK || d.Reason != route.AllFull || d.RetryAfter != 3*second || d.Peer != -1 {
		t.Errorf("all full: %+v", d)
	}
	if d := p.PickAt(0, &script{t, []int64{2 * second}}); d.RetryAfter != 5*second {
		t.Errorf("all full, spread: %+v, want 5 s", d)
	}
	p.SetHealth(0, 0, false)
	p.SetHealth(0, 1, false)
	if d := p.PickAt(0, nil); d.Reason != route.NoneHealthy || d.RetryAfter != 3*second {
		t.Errorf("none healthy: %+v", d)
	}
	empty := must(route.NewPool(route.Config{}))
	if d := empty.PickAt(0, nil); d.OK || d.Reason != route.NoneHealthy || d.Peer != -1 {
		t.Errorf("no peers: %+v", d)
	}
	var zero route.Pool
	if d := zero.PickAt(0, nil); d.OK {
		t.Errorf("the zero pool: %+v", d)
	}
	// When the only peer is ejected, the earliest return is worth to be told.
	out := must(route.NewPool(route.Config{Peers: equals(1, 0), Outlier: route.Outlier{Consecutive: 1, BaseEjection: 30 * second, MaxEjection: 30 * second, Interval: second, MaxPercent: 100}}))
	fail(t, &out, 0, 0, 1)
	if d := out.PickAt(10*second, nil); d.Reason != route.NoneHealthy || d.RetryAfter != 20*second {
		t.Errorf("ejected: %+v, want to come back in 20 s", d)
	}
	if d := out.PickAt(30*second, nil); !d.OK {
		t.Errorf("after that wait: %+v, want a peer", d)
	}
	g := must(route.NewGateway(route.Config{Peers: equals(1, 1)}, route.QueueConfig{Depth: 1}))
	g.AskAt(0, route.NoDeadline, nil)
	if _, d := g.AskAt(0, route.NoDeadline, nil); d.Reason != route.Waiting || d.RetryAfter != 0 {
		t.Errorf("a place in the line: %+v", d)
	}
	if _, d := g.AskAt(0, route.NoDeadline, nil); d.Reason != route.QueueFull || d.RetryAfter != second {
		t.Errorf("a full line: %+v", d)
	}
}

// TestTrap48Panic: at 50 percent healthy, health is believed; below, it is not, but room and weight 0 are.
func TestTrap48Panic(t *testing.T) {
	peers := append(equals(4, 1), route.Peer{Name: "drained"})
	p := must(route.NewPool(route.Config{Peers: peers, PanicPercent: 50}))
	p.SetHealth(0, 0, false)
	p.SetHealth(0, 1, false)
	if p.Panicking() {
		t.Errorf("panic with 2 of 4 healthy")
	}
	p.SetHealth(0, 2, false)
	if !p.Panicking() {
		t.Errorf("no panic with 1 of 4 healthy")
	}
	got := map[int]bool{}
	for range 4 {
		d := p.PickAt(0, nil)
		if !d.OK || !d.Panic || got[d.Peer] || d.Peer == 4 {
			t.Fatalf("in panic: %+v after %v, want each of the four once", d, got)
		}
		got[d.Peer] = true
	}
	if d := p.PickAt(0, nil); d.Reason != route.AllFull || !d.Panic {
		t.Errorf("in panic, all full: %+v", d)
	}
	p.SetHealth(0, 3, false)
	if d := p.PickAt(0, nil); d.Reason != route.AllFull {
		t.Errorf("none healthy, in panic, all full: %+v, want that they are full", d)
	}
}

// TestTrap48MaxEjectionPercent (envoy#27909, #26877): the bound holds for the first host too. 10 percent of nine is none, of ten one;
// weight 0 does not count as a peer.
func TestTrap48MaxEjectionPercent(t *testing.T) {
	for peers, want := range map[int]int{1: 0, 9: 0, 10: 1, 19: 1, 20: 2} {
		p := must(route.NewPool(route.Config{Peers: equals(peers, 0), Outlier: route.EnvoyOutlier()}))
		out := 0
		for i := range peers {
			fail(t, &p, 0, i, 5)
			if p.State(i) == route.Ejected {
				out++
			}
		}
		if out != want {
			t.Errorf("of %d peers that all fail %d are ejected, want %d", peers, out, want)
		}
	}
	p := must(route.NewPool(route.Config{Peers: append(equals(9, 0), route.Peer{Name: "drained"}), Outlier: route.EnvoyOutlier()}))
	fail(t, &p, 0, 2, 5)
	if s := p.State(2); s != route.Up {
		t.Errorf("%v with nine peers and one drained, want up", s)
	}
}

// TestTrap48EjectionMultiplierDecays (envoy#6016, #14235): an ejection long ago does not make the next one longer.
func TestTrap48EjectionMultiplierDecays(t *testing.T) {
	p := tenPeers()
	fail(t, &p, 0, 0, 5)
	fail(t, &p, 30*second, 0, 5)
	if got := p.NextChange() - 30*second; got != 60*second {
		t.Fatalf("the second ejection at once lasts %d ns, want 60 s", got)
	}
	fail(t, &p, 90*second+20*second, 0, 5) // two intervals of health forget both
	if got := p.NextChange() - 110*second; got != 30*second {
		t.Errorf("the third, 20 s after, lasts %d ns, want 30 s", got)
	}
}
