package breaker_test

import (
	"testing"

	"seedbed/chapters/breaker"
)

// TestResilience4jDefaults: 100 calls before anything is judged, half of them are enough, slow is longer than 60 s and only if all are,
// open for 60 s, ten probes.
func TestResilience4jDefaults(t *testing.T) {
	fail := func(n, of int64) breaker.Breaker {
		b := must(breaker.NewBreaker(breaker.Resilience4j()))
		for i := range of {
			o := breaker.Success
			if i < n {
				o = breaker.Failure
			}
			call(t, &b, 0, o)
		}
		return b
	}
	for _, c := range []struct {
		failures, calls int64
		want            breaker.State
	}{
		{99, 99, breaker.Closed},
		{49, 100, breaker.Closed},
		{50, 100, breaker.Open},
		{49, 500, breaker.Closed},
	} {
		b := fail(c.failures, c.calls)
		if got, _ := b.StateAt(0); got != c.want {
			t.Errorf("%d failures in %d calls: %v, want %v", c.failures, c.calls, got, c.want)
		}
	}
	for _, c := range []struct {
		took  int64
		quick int
		want  breaker.State
	}{
		{60 * second, 0, breaker.Closed}, // not longer than the threshold
		{60*second + 1, 0, breaker.Open},
		{60*second + 1, 1, breaker.Closed},
	} {
		b := must(breaker.NewBreaker(breaker.Resilience4j()))
		var tickets []breaker.Ticket
		for range 100 {
			ticket, _ := b.AskAt(0)
			tickets = append(tickets, ticket)
		}
		for i, ticket := range tickets {
			at := c.took
			if i < c.quick {
				at = 0
			}
			b.DoneAt(at, ticket, breaker.Success)
		}
		got, changes := b.StateAt(c.took)
		if got != c.want {
			t.Errorf("%d calls of %d ns: %v %v, want %v", 100-c.quick, c.took, got, changes, c.want)
		}
	}
	b := fail(100, 100)
	if d := refused(t, &b, 60*second-1, breaker.IsOpen); d.RetryAfter != 1 {
		t.Errorf("a nanosecond before: worth coming back in %d", d.RetryAfter)
	}
	for i := range 10 {
		if _, d := b.AskAt(60 * second); !d.OK {
			t.Fatalf("probe %d: %v", i+1, d.Reason)
		}
	}
	refused(t, &b, 60*second, breaker.ProbesOut)
}

// TestHystrixDefaults: 19 failures in ten seconds open nothing, 20 do, and 20 over more than ten seconds do not.
func TestHystrixDefaults(t *testing.T) {
	for _, c := range []struct {
		calls, over int64
		want        breaker.State
	}{
		{19, 1, breaker.Closed}, {20, 1, breaker.Open}, {20, 9 * second, breaker.Open}, {20, 11 * second, breaker.Closed},
	} {
		b := must(breaker.NewBreaker(breaker.Hystrix()))
		var at int64
		for i := range c.calls {
			at = c.over * i / (c.calls - 1)
			call(t, &b, at, breaker.Failure)
		}
		want(t, &b, at, c.want)
	}
}

// TestHalfOpenVerdict: probes are judged by the share of failures over those permitted, and by nothing before it is settled.
func TestHalfOpenVerdict(t *testing.T) {
	for _, c := range []struct {
		probes, percent int64
		outcomes        string // of the probes, + good, − bad, i ignored
		want            breaker.State
		after           int // with so many the verdict falls
	}{
		{1, 50, "-", breaker.Open, 1},
		{1, 100, "-", breaker.Open, 1},
		{1, 50, "+", breaker.Closed, 1},
		{2, 50, "-", breaker.Open, 1},
		{2, 51, "-+", breaker.Closed, 2},
		{4, 50, "+-+-", breaker.Open, 4},
		{4, 50, "+++", breaker.Closed, 3},
		{4, 50, "--", breaker.Open, 2},
		{10, 50, "+-+-+-+-+-", breaker.Open, 10},
		{10, 50, "++++++", breaker.Closed, 6},
		{10, 50, "i+i+i+++i+", breaker.Closed, 10},
		{10, 100, "+", breaker.Closed, 1},
		{3, 1, "++-", breaker.Open, 3},
	} {
		cfg := quick()
		cfg.Probes, cfg.FailurePercent = c.probes, c.percent
		b := opened(t, cfg)
		for i, o := range c.outcomes {
			want(t, &b, 10*second, breaker.HalfOpen)
			r := call(t, &b, 10*second, map[rune]breaker.Outcome{'+': breaker.Success, '-': breaker.Failure, 'i': breaker.Ignored}[o])
			if fell := r.Changes.Len() > 0; fell != (i+1 == c.after) {
				t.Errorf("%d probes at %d %%, %s: verdict after %d: %v", c.probes, c.percent, c.outcomes, i+1, fell)
			}
		}
		want(t, &b, 10*second, c.want)
	}
}

// TestHalfOpenJudgesSlowness: probes that are all slow reopen, though none fails.
func TestHalfOpenJudgesSlowness(t *testing.T) {
	cfg := quick()
	cfg.SlowPercent, cfg.SlowAfter = 100, second
	b := opened(t, cfg)
	one, _ := b.AskAt(10 * second)
	two, _ := b.AskAt(10 * second)
	b.DoneAt(11*second+1, one, breaker.Success)
	r := b.DoneAt(12*second, two, breaker.Business)
	if r.Changes.Len() != 1 || r.Changes.At(0) != (breaker.Change{From: breaker.HalfOpen, To: breaker.Open, Cause: breaker.SlowRate, At: 12 * second}) {
		t.Errorf("two slow probes: %+v", r)
	}
}

// TestRampGrowsEvenly: from 10 percent to all in 10 s, one request each 10 ms. What passes in each second is the mean of the shares at
// its ends, what passes at any time never more than the shares and one, and a breaker that fails on the way opens.
func TestRampGrowsEvenly(t *testing.T) {
	cfg := quick()
	cfg.Ramp = 10 * second
	b := opened(t, cfg)
	call(t, &b, 10*second, breaker.Success)
	call(t, &b, 10*second, breaker.Success)
	want(t, &b, 10*second, breaker.Recovering)
	var passed [10]int
	var shares, total int64
	for i := range int64(1000) {
		now := 10*second + i*second/100
		share, _ := b.ShareAt(now)
		shares += share
		ticket, d := b.AskAt(now)
		if d.OK {
			passed[i/100]++
			total++
			b.DoneAt(now, ticket, breaker.Success)
		} else if d.Reason != breaker.Ramping || d.RetryAfter != 20*second-now {
			t.Fatalf("at %d: %+v", now, d)
		}
		if total*1_000_000 > shares+1_000_000 {
			t.Fatalf("at %d: %d passed, their shares sum to %d millionths", now, total, shares)
		}
	}
	for i, n := range passed {
		if ideal := 10 + 9*i + 4; n < ideal-1 || n > ideal+2 {
			t.Errorf("second %d: %d of 100 passed, want about %d", i, n, ideal)
		}
	}
	again := b.Clone()
	want(t, &b, 20*second, breaker.Closed)
	if share, _ := b.ShareAt(20 * second); share != 1_000_000 {
		t.Errorf("closed: %d millionths pass", share)
	}
	for now := int64(20*second - 1); ; {
		ticket, d := again.AskAt(now)
		if !d.OK && d.Reason == breaker.IsOpen {
			break
		}
		if !d.OK {
			t.Fatalf("on the ramp: %v", d.Reason)
		}
		again.DoneAt(now, ticket, breaker.Failure)
	}
	if share, _ := again.ShareAt(20*second - 1); share != 0 {
		t.Errorf("open: %d millionths pass", share)
	}
}

// TestOneSlowCallOpensNothing: with one call in a quiet minute slow, the share is all of it, and the minimum holds it back.
func TestOneSlowCallOpensNothing(t *testing.T) {
	b := must(breaker.NewBreaker(breaker.Config{
		Span: 60 * second, MinCalls: 20, FailurePercent: 50, SlowPercent: 50, SlowAfter: second, OpenFor: second, Probes: 1, Lease: second,
	}))
	ticket, _ := b.AskAt(0)
	b.DoneAt(5*second, ticket, breaker.Success)
	if c, _ := b.CountsAt(5 * second); c != (breaker.Counts{Calls: 1, Slow: 1}) {
		t.Errorf("counted %+v", c)
	}
	want(t, &b, 5*second, breaker.Closed)
	if c, _ := b.CountsAt(65 * second); c != (breaker.Counts{}) {
		t.Errorf("a window later: %+v, want nothing", c)
	}
}
