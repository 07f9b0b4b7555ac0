package breaker_test

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"seedbed/chapters/breaker"
)

const second = 1_000_000_000

// quick opens at 50 percent of at least 4 of the last 10 calls, for 10 s; 2 probes of 3 s.
func quick() breaker.Config {
	return breaker.Config{Window: 10, MinCalls: 4, FailurePercent: 50, OpenFor: 10 * second, Probes: 2, Lease: 3 * second}
}

// opened is a breaker of such a configuration that opened at 0.
func opened(t *testing.T, cfg breaker.Config) breaker.Breaker {
	t.Helper()
	b := must(breaker.NewBreaker(cfg))
	for range cfg.MinCalls {
		call(t, &b, 0, breaker.Failure)
	}
	want(t, &b, 0, breaker.Open)
	return b
}

func call(t *testing.T, b *breaker.Breaker, now int64, o breaker.Outcome) breaker.Report {
	t.Helper()
	ticket, d := b.AskAt(now)
	if !d.OK {
		t.Fatalf("at %d: refused, %v", now, d.Reason)
	}
	return b.DoneAt(now, ticket, o)
}

func want(t *testing.T, b *breaker.Breaker, now int64, state breaker.State) {
	t.Helper()
	if got, _ := b.StateAt(now); got != state {
		t.Fatalf("at %d: %v, want %v", now, got, state)
	}
}

func refused(t *testing.T, b *breaker.Breaker, now int64, why breaker.Reason) breaker.Decision {
	t.Helper()
	_, d := b.AskAt(now)
	if d.OK || d.Reason != why {
		t.Fatalf("at %d: OK %v, %v; want it refused, %v", now, d.OK, d.Reason, why)
	}
	return d
}

// TestTrap50LostProbe (gobreaker, failsafe-go, nora#607, resilience4j#935): probes that never report. Those that come after them are
// kept out until the lease is over and no longer; the lost ones have failed, and the breaker is open for its time and asks anew.
func TestTrap50LostProbe(t *testing.T) {
	b := opened(t, quick())
	_, first := b.AskAt(10 * second)
	_, second_ := b.AskAt(11 * second)
	if !first.OK || !second_.OK {
		t.Fatalf("the probes: %+v, %+v", first, second_)
	}
	if d := refused(t, &b, 11*second, breaker.ProbesOut); d.RetryAfter != 2*second {
		t.Errorf("worth coming back in %d ns, want when the first lease is over", d.RetryAfter)
	}
	want(t, &b, 13*second-1, breaker.HalfOpen)
	_, d := b.AskAt(13 * second) // one of two has failed: half, so the verdict has fallen
	if d.OK || d.State != breaker.Open || d.Changes.Len() != 1 {
		t.Fatalf("when a lease is over: %+v", d)
	}
	if got, want := d.Changes.At(0), (breaker.Change{From: breaker.HalfOpen, To: breaker.Open, Cause: breaker.LeaseOver, At: 13 * second}); got != want {
		t.Errorf("change %+v, want %+v", got, want)
	}
	refused(t, &b, 23*second-1, breaker.IsOpen)
	if _, d := b.AskAt(23 * second); !d.OK {
		t.Errorf("after that time: %+v, want a probe", d)
	}
}

// TestTrap50HalfOpenIsNeverHeld: whatever the probes do, somebody who asks each millisecond is kept out by half-open for one lease at
// the longest.
func TestTrap50HalfOpenIsNeverHeld(t *testing.T) {
	for seed := range uint64(40) {
		cfg := quick()
		cfg.Probes, cfg.FailurePercent = 1+int64(seed%5), 1+int64(seed*7%100)
		b := opened(t, cfg)
		random, out := seed+1, []breaker.Ticket{}
		var since int64 = -1
		refusals := 0
		for now := int64(0); now < 60*second; now += second / 1000 {
			ticket, d := b.AskAt(now)
			switch {
			case d.OK:
				out, since = append(out, ticket), -1
			case d.Reason != breaker.ProbesOut:
				since = -1
			case since < 0:
				since = now
			case now-since >= cfg.Lease:
				t.Fatalf("seed %d: half-open keeps others out from %d to %d", seed, since, now)
			}
			if d.Reason == breaker.ProbesOut {
				refusals++
			}
			random = random*6364136223846793005 + 1442695040888963407
			if roll := random >> 33; roll%997 == 0 && len(out) > 0 { // most are lost
				b.DoneAt(now, out[0], breaker.Outcome(roll>>12%4))
				out = out[1:]
			}
		}
		if refusals == 0 {
			t.Errorf("seed %d: half-open refused nobody: nothing was tested", seed)
		}
	}
}

// TestTrap51StaleResults (failsafe-go, denoland/std#7306): what began before the breaker opened reports while it is half-open. It
// closes nothing, opens nothing, and frees no probe.
func TestTrap51StaleResults(t *testing.T) {
	cfg := quick()
	b := must(breaker.NewBreaker(cfg))
	var old []breaker.Ticket
	for range 20 {
		ticket, _ := b.AskAt(0)
		old = append(old, ticket)
	}
	for range cfg.MinCalls {
		call(t, &b, 0, breaker.Failure)
	}
	b.DoneAt(second, old[0], breaker.Success)
	want(t, &b, 10*second, breaker.HalfOpen)
	probe, _ := b.AskAt(10 * second)
	b.AskAt(10 * second)
	for i, ticket := range old[1:] {
		o := breaker.Outcome(i % 4)
		if r := b.DoneAt(11*second, ticket, o); r.Counted || r.Changes.Len() != 0 {
			t.Fatalf("a %v from before: %+v", o, r)
		}
		refused(t, &b, 11*second, breaker.ProbesOut)
	}
	// A probe of the first half-open reports in the second.
	if r := b.DoneAt(12*second, probe, breaker.Failure); r.Changes.Len() != 1 {
		t.Fatalf("a failed probe of two: %+v", r)
	}
	if _, d := b.AskAt(22 * second); !d.OK {
		t.Fatalf("second half-open: %+v", d)
	}
	if r := b.DoneAt(22*second, probe, breaker.Success); r.Counted {
		t.Errorf("a probe's ticket counts twice: %+v", r)
	}
	if c, _ := b.CountsAt(22 * second); c.Calls != 0 {
		t.Errorf("%+v have reported, want none", c)
	}
}

// TestTrap52PanicIsAFailure: in the call, and in what judges its error. The panic goes on, the outcome counts, no lock is held, and a
// probe is not lost. So it is with a call that ends its goroutine.
func TestTrap52PanicIsAFailure(t *testing.T) {
	now := int64(0)
	l := must(breaker.NewLocked(quick(), func() int64 { return now }))
	panics := func(f func()) (got any) {
		defer func() { got = recover() }()
		f()
		return nil
	}
	boom := func() (int, error) { panic("boom") }
	fine := func() (int, error) { return 7, nil }
	for _, c := range []struct {
		name string
		f    func()
		want any
	}{
		{"call", func() { breaker.Do(l, boom, nil) }, "boom"},
		{"judge", func() { breaker.Do(l, fine, func(error) breaker.Outcome { panic("judge") }) }, "judge"},
		{"goexit", func() {
			var done sync.WaitGroup
			done.Go(func() { breaker.Do(l, func() (int, error) { runtime.Goexit(); return 0, nil }, nil) })
			done.Wait()
		}, nil},
	} {
		if got := panics(c.f); got != c.want {
			t.Errorf("%s: panic %v came out, want %v", c.name, got, c.want)
		}
	}
	snapshot := l.Snapshot()
	if c, _ := snapshot.CountsAt(now); c.Calls != 3 || c.Failures != 3 {
		t.Errorf("counted %+v, want three failures", c)
	}
	if v, err := breaker.Do(l, fine, nil); v != 7 || err != nil {
		t.Fatalf("afterwards: %v, %v", v, err)
	}
	_, err := breaker.Do(l, fine, nil)
	var no *breaker.RefusedError
	if !errors.As(err, &no) || no.Reason != breaker.IsOpen || no.RetryAfter != 10*second {
		t.Fatalf("open: %v", err)
	}
	now = 10 * second
	if got := panics(func() { breaker.Do(l, boom, nil) }); got != "boom" {
		t.Errorf("a probe panics: %v came out", got)
	}
	if s := l.State(); s != breaker.Open {
		t.Errorf("after a probe that panicked: %v, want open", s)
	}
}

// TestTrap53ChangesAreReturned (gobreaker#37): there is no callback to deadlock in. Every change is returned by one call, in order, and
// whoever watches reads the same ones, each once, and may ask for the state while doing so.
func TestTrap53ChangesAreReturned(t *testing.T) {
	now := int64(0)
	cfg := quick()
	cfg.Ramp = 4 * second
	l := must(breaker.NewLocked(cfg, func() int64 { return now }))
	var returned, watched []breaker.Change
	var n uint64
	watch := func() {
		var more []breaker.Change
		more, n = l.Since(n)
		for _, c := range more {
			watched = append(watched, c)
			l.State()
		}
	}
	keep := func(c breaker.Changes) {
		for i := range c.Len() {
			returned = append(returned, c.At(i))
		}
	}
	try := func(at int64, o breaker.Outcome) {
		now = at
		ticket, d := l.Ask()
		keep(d.Changes)
		if d.OK {
			keep(l.Done(ticket, o).Changes)
		}
		watch()
	}
	for range 4 {
		try(second, breaker.Failure)
	}
	try(11*second, breaker.Failure) // a probe: one of two is half
	try(21*second, breaker.Success) // settled by both
	try(21*second, breaker.Success)
	try(25*second, breaker.Success)
	keep(l.Open())
	keep(l.Close())
	watch()
	want := []breaker.Change{
		{From: breaker.Closed, To: breaker.Open, Cause: breaker.FailureRate, At: second},
		{From: breaker.Open, To: breaker.HalfOpen, Cause: breaker.OpenOver, At: 11 * second},
		{From: breaker.HalfOpen, To: breaker.Open, Cause: breaker.FailureRate, At: 11 * second},
		{From: breaker.Open, To: breaker.HalfOpen, Cause: breaker.OpenOver, At: 21 * second},
		{From: breaker.HalfOpen, To: breaker.Recovering, Cause: breaker.ProbesPassed, At: 21 * second},
		{From: breaker.Recovering, To: breaker.Closed, Cause: breaker.RampOver, At: 25 * second},
		{From: breaker.Closed, To: breaker.Open, Cause: breaker.ByHand, At: 25 * second},
		{From: breaker.Open, To: breaker.Closed, Cause: breaker.ByHand, At: 25 * second},
	}
	if !slices.Equal(returned, want) || !slices.Equal(watched, want) {
		t.Errorf("returned\n %v\nwatched\n %v\nwant\n %v", returned, watched, want)
	}
	for range 20 {
		l.Open()
	}
	if last, total := l.Since(0); len(last) != 16 || total != uint64(len(want)+20) {
		t.Errorf("%d of %d changes kept, want the last 16 of %d", len(last), total, len(want)+20)
	}
}

// TestTrap54AlternatingFailures (sentinel-golang#315, Sentinel#1779): every other call fails, 10,000 of them. No five in a row ever do,
// and the share is seen at once. One call fewer than the minimum opens nothing, the threshold itself does, and 100 percent means all.
func TestTrap54AlternatingFailures(t *testing.T) {
	for _, byTime := range []bool{false, true} {
		b := must(breaker.NewBreaker(window(byTime, 20, 50)))
		for i := range int64(10_000) {
			o := breaker.Outcome(i%2) << 1 // success, failure, success …
			if call(t, &b, i, o).Changes.Len() > 0 {
				if i != 19 {
					t.Errorf("opened with call %d, want 20", i+1)
				}
				break
			}
		}
		want(t, &b, 20, breaker.Open)

		b = must(breaker.NewBreaker(window(byTime, 20, 100)))
		for i := range int64(19) {
			call(t, &b, i, breaker.Failure)
		}
		want(t, &b, 20, breaker.Closed)
		call(t, &b, 20, breaker.Success)
		for i := range int64(19) {
			call(t, &b, 20+i, breaker.Failure)
		}
		want(t, &b, 60, breaker.Closed) // 38 of 39
		b = must(breaker.NewBreaker(window(byTime, 20, 100)))
		for i := range int64(20) {
			call(t, &b, i, breaker.Failure)
		}
		want(t, &b, 20, breaker.Open)

		b = must(breaker.NewBreaker(window(byTime, 20, 51)))
		for i := range int64(100) {
			call(t, &b, i, breaker.Outcome(i%2)<<1)
		}
		want(t, &b, 100, breaker.Closed) // 50 percent
	}
}

// window looks at 100 calls, or at 1000 ns that hold as many.
func window(byTime bool, minCalls, percent int64) breaker.Config {
	cfg := breaker.Config{Window: 100, MinCalls: minCalls, FailurePercent: percent, OpenFor: second, Probes: 1, Lease: second}
	if byTime {
		cfg.Window, cfg.Span = 0, 1000
	}
	return cfg
}

// TestTrap55AtMostSoManyProbes (resilience4j#1432, Polly#216, open-liberty#7080, virtrigaud#70): 64 goroutines ask at once, again and
// again, and give each probe back as Ignored so that the next may take its place. At no time more are out than permitted. The first
// to be let through counts as one of them.
func TestTrap55AtMostSoManyProbes(t *testing.T) {
	var now atomic.Int64
	cfg := quick()
	cfg.Probes = 3
	l := must(breaker.NewLocked(cfg, now.Load))
	for range cfg.MinCalls {
		ticket, _ := l.Ask()
		l.Done(ticket, breaker.Failure)
	}
	now.Store(10 * second)
	var out, most, got atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range 200 {
				ticket, d := l.Ask()
				if !d.OK {
					runtime.Gosched()
					continue
				}
				got.Add(1)
				n := out.Add(1)
				for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
				}
				runtime.Gosched()
				out.Add(-1)
				l.Done(ticket, breaker.Ignored)
			}
		})
	}
	all.Wait()
	if most.Load() > cfg.Probes || got.Load() < cfg.Probes {
		t.Errorf("%d probes at once of %d in all, want at most %d", most.Load(), got.Load(), cfg.Probes)
	}
	var first []bool
	for range 5 {
		_, d := l.Ask()
		first = append(first, d.OK)
	}
	if !slices.Equal(first, []bool{true, true, true, false, false}) {
		t.Errorf("asked five times at one instant: %v, want the first three", first)
	}
}

// TestTrap56IgnoredAndBusiness (erpc#1118): 80 percent of the answers are "not found". They are answers, and open nothing, nor does a
// storm of them reopen a breaker by its probes. What is ignored frees its probe and decides nothing, however much of it comes.
func TestTrap56IgnoredAndBusiness(t *testing.T) {
	cfg := quick()
	b := must(breaker.NewBreaker(cfg))
	for i := range int64(1000) {
		o := breaker.Business
		if i%5 == 0 {
			o = breaker.Success
		}
		call(t, &b, i, o)
	}
	want(t, &b, 1000, breaker.Closed)
	for range 1000 {
		if call(t, &b, 1000, breaker.Ignored).Counted {
			t.Fatal("an ignored call counts")
		}
	}
	if c, _ := b.CountsAt(1000); c != (breaker.Counts{Calls: 10}) {
		t.Errorf("the window holds %+v, want ten good calls", c)
	}
	b = opened(t, cfg)
	for range 50 {
		if r := call(t, &b, 10*second, breaker.Ignored); r.Counted || r.Changes.Len() > 0 {
			t.Fatalf("an ignored probe: %+v", r)
		}
	}
	call(t, &b, 10*second, breaker.Business)
	want(t, &b, 10*second, breaker.HalfOpen)
	call(t, &b, 10*second, breaker.Business)
	want(t, &b, 10*second, breaker.Closed)
}
