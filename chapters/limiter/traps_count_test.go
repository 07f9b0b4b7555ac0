package limiter_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/limiter"
)

// The traps about counting: limits of nothing, negative requests, cancels, edges, several limits at once, keys and permits.

// TestTrap03LimitZero denies for ever and says so, without running into debt.
func TestTrap03LimitZero(t *testing.T) {
	all := windows(0, second)
	r := limiter.PerSecond(10)
	all["token bucket"], all["policer"], all["gcra"], all["serial gcra"] = tokenBucket(r, 0), policer(r, 0), gcra(r, 0), serialGCRA(r, 0)
	for name, l := range all {
		for _, now := range []int64{0, second, 1_000_000 * second} {
			want := limiter.Decision{RetryAfter: limiter.Never}
			if got := l.TakeAt(now, 1); got != want {
				t.Errorf("%s: at %d: %+v, want %+v", name, now, got, want)
			}
			if got := l.TakeAt(now, 0); got != (limiter.Decision{OK: true}) {
				t.Errorf("%s: a peek at %d: %+v, want OK and nothing left", name, now, got)
			}
		}
	}
	p := must(limiter.NewPermits(limiter.PermitsConfig{Limit: 0}))
	if _, d := p.Take(); d.OK || d.RetryAfter != limiter.Never {
		t.Errorf("permits: %+v, want a denial for ever", d)
	}
}

// TestTrap04NegativeRequests are refused and give nothing back.
func TestTrap04NegativeRequests(t *testing.T) {
	all := windows(5, second)
	for name, l := range rates(limiter.PerSecond(1), 5) {
		all[name] = l
	}
	for name, l := range all {
		l.TakeAt(second, 2)
		before := l.TakeAt(second, 0)
		for _, n := range []int64{-1, -3, -1 << 63} {
			d := l.TakeAt(second, n)
			if d.OK || d.RetryAfter != limiter.Never || d.Remaining != 3 {
				t.Errorf("%s: n = %d: %+v, want it refused for ever with 3 remaining", name, n, d)
			}
		}
		if after := l.TakeAt(second, 0); after != before {
			t.Errorf("%s: after negative requests %+v, before them %+v", name, after, before)
		}
	}
	if d := (limiter.Unlimited{}).TakeAt(0, -1); d.OK {
		t.Errorf("unlimited: a negative request passed")
	}
}

// TestTrap05MoreThanTheBurst can never pass; exactly the burst can, and the wait for it is finite.
func TestTrap05MoreThanTheBurst(t *testing.T) {
	all := windows(5, second)
	for name, l := range rates(limiter.PerSecond(1), 5) {
		all[name] = l
	}
	for name, l := range all {
		if d := l.TakeAt(second, 6); d.OK || d.RetryAfter != limiter.Never {
			t.Errorf("%s: 6 of 5: %+v, want a denial for ever", name, d)
		}
		if d := l.TakeAt(second, 5); !d.OK {
			t.Errorf("%s: 5 of 5 denied: %+v", name, d)
		}
		d := l.TakeAt(second, 5)
		if d.OK || d.RetryAfter <= 0 {
			t.Errorf("%s: 5 of 5 again: %+v, want a denial with a finite wait", name, d)
		}
		if later := l.TakeAt(second+d.RetryAfter, 5); !later.OK {
			t.Errorf("%s: 5 of 5 after the wait: %+v, want it admitted", name, later)
		}
	}
}

func newQueue(r limiter.Rate, depth int64) limiter.Queue {
	return must(limiter.NewQueue(limiter.QueueConfig{Rate: r, Depth: depth}))
}

// TestTrap06CancelInAnyOrder: three places at 60 a second, cancelled in each of the six orders. A cancel gives back all of a place
// or nothing, and when the last is cancelled each time, the queue is as new.
func TestTrap06CancelInAnyOrder(t *testing.T) {
	for _, c := range []struct {
		order [3]int
		back  [3]int64
	}{
		{[3]int{2, 1, 0}, [3]int64{1, 1, 1}},
		{[3]int{2, 0, 1}, [3]int64{1, 0, 1}},
		{[3]int{1, 2, 0}, [3]int64{0, 1, 0}},
		{[3]int{1, 0, 2}, [3]int64{0, 0, 1}},
		{[3]int{0, 2, 1}, [3]int64{0, 1, 1}},
		{[3]int{0, 1, 2}, [3]int64{0, 0, 1}},
	} {
		q := newQueue(limiter.PerSecond(60), 5)
		if d := q.TakeAt(0, 1); !d.OK {
			t.Fatalf("the first is denied: %+v", d)
		}
		fresh := q.TakeAt(0, 0)
		var places [3]limiter.Ticket
		for i := range places {
			places[i], _ = q.ReserveAt(0, 1)
		}
		var given int64
		for i, which := range c.order {
			got := q.CancelAt(0, places[which])
			if got != c.back[i] {
				t.Errorf("order %v: cancel %d gave %d back, want %d", c.order, which, got, c.back[i])
			}
			given += got
		}
		if got, want := q.TakeAt(0, 0).Remaining, fresh.Remaining-3+given; got != want {
			t.Errorf("order %v: %d remain, want %d", c.order, got, want)
		}
		if given == 3 && q.TakeAt(0, 0) != fresh {
			t.Errorf("order %v: after all cancels %+v, want as before them %+v", c.order, q.TakeAt(0, 0), fresh)
		}
	}
}

// TestTrap07CancelledIsAsNeverReserved: the last place, cancelled before its turn, leaves the queue exactly as it was without it.
// One with others behind it gives back nothing, so that nothing more can pass than without the cancel.
func TestTrap07CancelledIsAsNeverReserved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := limiter.Rate{N: rapid.Int64Range(1, 9).Draw(t, "N"), Per: rapid.Int64Range(1, 25).Draw(t, "Per")}
		depth := rapid.Int64Range(0, 8).Draw(t, "depth")
		with := newQueue(r, depth)
		now := int64(0)
		step := func() { now += rapid.Int64Range(0, 2*r.Per/r.N+1).Draw(t, "step") }
		for range rapid.IntRange(0, 10).Draw(t, "before") {
			step()
			with.TakeAt(now, rapid.Int64Range(0, 3).Draw(t, "n"))
		}
		step()
		never := with.Clone()
		n := rapid.Int64Range(1, depth+1).Draw(t, "reserved")
		place, d := with.ReserveAt(now, n)
		if !d.OK {
			return
		}
		// The first of the n units begins n−1 units before the last, which begins after Delay, rounded up.
		ahead := (n - 1) * r.Per
		waits, begun := now+d.Delay-1-(ahead+r.N-1)/r.N, now+d.Delay-ahead/r.N+1
		behind := rapid.Bool().Draw(t, "others behind") && with.TakeAt(now, 1).OK
		now += rapid.Int64Range(0, 2*r.Per).Draw(t, "until the cancel")
		kept := with.Clone()
		back := with.CancelAt(now, place)
		switch {
		case behind && back != 0:
			t.Fatalf("%d units came back from the middle of the queue", back)
		case behind:
			never = kept
		case now < waits && back != n:
			t.Fatalf("%d of %d units came back at %d, while all wait until %d", back, n, now, waits)
		case now >= begun && back == n:
			t.Fatalf("all %d units came back at %d, after the first began by %d", n, now, begun)
		case back != n:
			return // TestCancelInTheMiddleOfATurn
		}
		if again := with.CancelAt(now, place); again != 0 && !behind {
			t.Fatalf("the second cancel gave %d back", again)
		}
		for range 20 {
			step()
			n := rapid.Int64Range(0, 3).Draw(t, "n")
			if got, want := with.TakeAt(now, n), never.TakeAt(now, n); got != want {
				t.Fatalf("at %d, n %d: %+v, without the place %+v", now, n, got, want)
			}
		}
	})
}

// TestTrap08BurstZero: with a finite rate nothing passes; an infinite rate is a type of its own and lets everything pass.
func TestTrap08BurstZero(t *testing.T) {
	for name, l := range map[string]limiter.Limiter{
		"token bucket": tokenBucket(limiter.PerSecond(1_000_000_000), 0),
		"policer":      policer(limiter.PerSecond(1_000_000_000), 0),
		"gcra":         gcra(limiter.PerSecond(1_000_000_000), 0),
	} {
		if got := arrive(l, 0, 10) + arrive(l, second, 10); got != 0 {
			t.Errorf("%s: %d passed with a burst of 0, want none", name, got)
		}
	}
	if got := arrive(limiter.Unlimited{}, 0, 10_000); got != 10_000 {
		t.Errorf("unlimited: %d of 10000 passed", got)
	}
}

// TestTrap15WindowsDouble: what each window really holds in its worst trailing window, with arrivals that make the most of it. The
// suite proves that none holds more.
func TestTrap15WindowsDouble(t *testing.T) {
	for name, want := range map[string]int64{"fixed": 200, "two counters": 199, "log": 100, "buckets": 100} {
		if got := busiest(greedy(windows(100, second)[name], 999*ms, 3*second), second); got != want {
			t.Errorf("%s: %d in the busiest second, want %d", name, got, want)
		}
	}
}

// TestTrap17LogCountsThenAdds: what has left the window is dropped before counting, exactly the limit passes, and a denied request
// leaves no trace.
func TestTrap17LogCountsThenAdds(t *testing.T) {
	l := must(limiter.NewSlidingLog(limiter.WindowConfig{Limit: 3, Window: second}))
	if got := arrive(&l, 0, 10); got != 3 {
		t.Errorf("%d of 10 passed, want exactly 3", got)
	}
	size := l.Size()
	for now := int64(1); now < second; now += ms {
		if l.TakeAt(now, 1).OK {
			t.Errorf("one passed at %d ns, want none before the window has gone by", now)
		}
	}
	if l.Size() != size {
		t.Errorf("a thousand denied requests took %d bytes, want none", l.Size()-size)
	}
	if got := arrive(&l, second, 10); got != 3 {
		t.Errorf("%d of 10 passed after exactly a window, want 3: denied ones do not count", got)
	}
}

// TestTrap18TwoCountersRoundNothingDown: at 1 a second half a unit of the past still leaves no room for one more.
func TestTrap18TwoCountersRoundNothingDown(t *testing.T) {
	l := twoCounter(1, second)
	if !l.TakeAt(999*ms, 1).OK {
		t.Fatal("the first is denied")
	}
	for _, now := range []int64{1001 * ms, 1500 * ms, 1999 * ms, 2*second - 1} {
		if d := l.TakeAt(now, 1); d.OK || now+d.RetryAfter != 2*second {
			t.Errorf("at %d: %+v, want a denial until 2 s", now, d)
		}
	}
	if d := l.TakeAt(2*second, 1); !d.OK {
		t.Errorf("at 2 s: %+v, want it admitted", d)
	}
}

// TestTrap19RetryAfterIsExact: a GCRA's wait subtracts the burst and rounds up.
func TestTrap19RetryAfterIsExact(t *testing.T) {
	g := gcra(limiter.PerSecond(3), 5)
	g.TakeAt(0, 5)
	d := g.TakeAt(0, 1)
	if d.OK || d.RetryAfter != 333_333_334 {
		t.Errorf("one of 3 a second: %+v, want a retry after a third of a second, rounded up", d)
	}
	if d := g.TakeAt(333_333_333, 1); d.OK || d.RetryAfter != 1 {
		t.Errorf("a nanosecond before: %+v, want 1 more", d)
	}
	if d := g.TakeAt(333_333_334, 1); !d.OK {
		t.Errorf("after exactly that: %+v, want it admitted", d)
	}
}

// TestTrap20AllOrNothing: when the second of two limits denies, the first has given nothing away.
func TestTrap20AllOrNothing(t *testing.T) {
	user := must(limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(1), Burst: 10}))
	everybody := must(limiter.NewFixedWindow(limiter.WindowConfig{Limit: 2, Window: second}))
	for range 2 {
		if d := limiter.TakeAll(0, 1, &user, &everybody); !d.OK {
			t.Fatalf("denied with room in both: %+v", d)
		}
	}
	for range 50 {
		if d := limiter.TakeAll(0, 1, &user, &everybody); d.OK || d.RetryAfter != second || d.Remaining != 0 || d.Limit != 2 {
			t.Errorf("%+v, want a denial until the next second", d)
		}
	}
	if got := user.TakeAt(0, 0).Remaining; got != 8 {
		t.Errorf("the user has %d left, want 8: denied requests took nothing", got)
	}
	// And the other way round, with the permits of TakeWith as the one that is short.
	layered := limiter.NewLayered(&user, &everybody)
	permits := must(limiter.NewPermits(limiter.PermitsConfig{Limit: 1}))
	held, d := layered.TakeWith(second, 1, &permits)
	if !d.OK || permits.InFlight() != 1 {
		t.Fatalf("denied with room in all three: %+v", d)
	}
	before := layered.TakeAt(second, 0)
	if _, d := layered.TakeWith(second, 1, &permits); d.OK || d.RetryAfter != limiter.Never {
		t.Errorf("%+v, want a denial that only a release can end", d)
	}
	if after := layered.TakeAt(second, 0); after != before {
		t.Errorf("without a permit the limits went from %+v to %+v", before, after)
	}
	permits.Release(held)
	layered.TakeAt(second, 1)
	if _, d := layered.TakeWith(second, 1, &permits); d.OK || permits.InFlight() != 0 {
		t.Errorf("%+v with %d permits out, want a denial and none", d, permits.InFlight())
	}
}

// TestTrap21ContentionIsNoError: 64 goroutines want exactly what there is, all at once. Each gets all it asks for, however often it
// loses a race.
func TestTrap21ContentionIsNoError(t *testing.T) {
	const each = 5000
	g := must(limiter.NewGCRA(limiter.GCRAConfig{Rate: limiter.PerSecond(1), Burst: 64 * each}))
	var denied atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range each {
				if !g.TakeAt(0, 1).OK {
					denied.Add(1)
				}
			}
		})
	}
	all.Wait()
	if got := denied.Load(); got != 0 {
		t.Errorf("%d of %d denied although there was room for all", got, 64*each)
	}
	if d := g.TakeAt(0, 1); d.OK {
		t.Errorf("one more than the burst passed: %+v", d)
	}
}

// TestTrap22KeysAreBounded: half a million keys pass by, a few of them busy at a time. Those that are full again are dropped.
func TestTrap22KeysAreBounded(t *testing.T) {
	fresh := must(limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(10), Burst: 5}))
	k := must(limiter.NewKeyed(limiter.KeyedConfig[limiter.TokenBucket]{New: fresh, MaxKeys: 10_000}))
	now, most := int64(0), 0
	for id := range uint64(500_000) {
		// A key is full again after 100 ms, in which a thousand others come.
		now += 100_000
		if !k.TakeIDAt(id, now, 1).OK {
			t.Fatalf("new key %d denied", id)
		}
		most = max(most, k.Len())
	}
	if most > 2000 || k.Crowded() != 0 {
		t.Errorf("up to %d keys kept and %d requests crowded, want about the 1000 that are busy and none", most, k.Crowded())
	}
	if busy := k.Len() - k.SweepAt(now); busy != 1000 {
		t.Errorf("%d keys left after a sweep, want the 1000 that are not full again", busy)
	}
	if k.SweepAt(now + second); k.Len() != 0 {
		t.Errorf("%d keys left a second later, want none", k.Len())
	}
}

// TestTrap23PermitsAreSingleUse: a second release is refused and counted, and frees nothing, not even when somebody else has got
// the place meanwhile.
func TestTrap23PermitsAreSingleUse(t *testing.T) {
	p := must(limiter.NewPermits(limiter.PermitsConfig{Limit: 2}))
	a, _ := p.Take()
	b, _ := p.Take()
	if !p.Release(a) || p.Release(a) || p.InFlight() != 1 || p.Refused() != 1 {
		t.Errorf("%d out and %d refused after releasing one twice, want 1 and 1", p.InFlight(), p.Refused())
	}
	c, _ := p.Take()
	if p.Release(a) || p.InFlight() != 2 {
		t.Errorf("%d out after a stale release, want 2: the place is somebody else's now", p.InFlight())
	}
	if p.Release(limiter.Permit{}) {
		t.Error("the zero permit was released")
	}
	fresh, larger := must(limiter.NewPermits(limiter.PermitsConfig{Limit: 1})), must(limiter.NewPermits(limiter.PermitsConfig{Limit: 9}))
	for range 9 {
		if foreign, _ := larger.Take(); fresh.Release(foreign) || fresh.Release(limiter.Permit{}) || fresh.InFlight() != 0 {
			t.Errorf("%d out after releasing what was never taken, want 0", fresh.InFlight())
		}
	}
	if !p.Release(b) || !p.Release(c) || p.InFlight() != 0 || p.Refused() != 3 {
		t.Errorf("%d out and %d refused at the end, want 0 and 3", p.InFlight(), p.Refused())
	}
}
