package breakertest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"seedbed/chapters/breaker"
	"seedbed/chapters/breaker/breakertest"
)

const second = 1_000_000_000

// recorder is a TB that keeps what it is told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// TestOurs: the breaker of this project keeps every claim, in many configurations, by calls and by time, and with a ramp.
func TestOurs(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  breaker.Config
	}{
		{"resilience4j", breaker.Resilience4j()},
		{"hystrix", breaker.Hystrix()},
		{"ramp", breaker.Config{Window: 20, MinCalls: 5, FailurePercent: 50, OpenFor: 7 * second, Probes: 3, Lease: second, Ramp: 9 * second}},
		{"any failure", breaker.Config{Window: 9, MinCalls: 1, FailurePercent: 1, OpenFor: second, Probes: 4, Lease: 5 * second}},
		{"all failures", breaker.Config{Window: 33, MinCalls: 33, FailurePercent: 100, OpenFor: second, Probes: 64, Lease: second}},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := breakertest.Target{
				New: func() breakertest.Breaker {
					b, err := breaker.NewBreaker(c.cfg)
					if err != nil {
						t.Fatal(err)
					}
					return breakertest.Of(&b)
				},
				MinCalls: int(c.cfg.MinCalls), FailurePercent: int(c.cfg.FailurePercent), Window: int(c.cfg.Window), OpenFor: c.cfg.OpenFor,
				Probes: int(c.cfg.Probes), Lease: c.cfg.Lease, Recovers: c.cfg.Ramp, Claims: breakertest.Full,
			}
			breakertest.Run(t, target)
			target.New = func() breakertest.Breaker { return locked(t, c.cfg) }
			target.Claims = breakertest.Concurrent | breakertest.Full
			breakertest.Run(t, target)
		})
	}
}

// locked is a Locked that is told the time.
func locked(t *testing.T, cfg breaker.Config) breakertest.Breaker {
	var mu sync.Mutex
	var now int64
	l, err := breaker.NewLocked(cfg, func() int64 { mu.Lock(); defer mu.Unlock(); return now })
	if err != nil {
		t.Fatal(err)
	}
	set := func(at int64) { mu.Lock(); defer mu.Unlock(); now = at }
	return breakertest.AskFunc(func(at int64) (func(int64, breaker.Outcome), bool) {
		set(at)
		ticket, d := l.Ask()
		return func(at int64, o breaker.Outcome) { set(at); l.Done(ticket, o) }, d.OK
	})
}

// bent is a plain breaker, to be bent: 50 percent of at least 4 of the last 8 calls, open for 10 s, 2 probes, a lease of 2 s.
type bent struct {
	mu                                                                                                                                sync.Mutex
	state                                                                                                                             int // 0 closed, 1 open, 2 half-open
	since                                                                                                                             int64
	gen                                                                                                                               int
	calls                                                                                                                             []bool // failed
	out                                                                                                                               map[int]int64
	seen                                                                                                                              int
	bad                                                                                                                               int
	next                                                                                                                              int
	inARow                                                                                                                            int
	hasty, consecutive, strict, dozes, sleeps, floods, stingy, optimist, resentful, fooled, doubles, clings, countsNo, moody, forgets bool
}

func (b *bent) Ask(now int64) (func(int64, breaker.Outcome), bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rest := int64(10 * second)
	if b.dozes {
		rest /= 2
	}
	if b.state == 1 && now-b.since >= rest && !b.sleeps {
		b.turn(2, now)
	}
	if b.state == 2 && !b.forgets {
		for _, at := range b.out {
			if now >= at+2*second {
				b.turn(1, at+2*second)
				break
			}
		}
		if b.state == 1 {
			return nil, false
		}
	}
	permitted := 2
	if b.stingy {
		permitted = 1
	}
	if b.state == 1 || b.state == 2 && !b.floods && len(b.out)+b.seen >= permitted || b.moody && rand.IntN(20) == 0 {
		return nil, false
	}
	id, gen := b.next, b.gen
	b.next++
	if b.state == 2 {
		b.out[id] = now
	}
	return func(now int64, o breaker.Outcome) { b.end(now, id, gen, o) }, true
}

func (b *bent) end(now int64, id, gen int, o breaker.Outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	failed := o == breaker.Failure || b.countsNo && o == breaker.Business
	if b.state == 2 {
		_, mine := b.out[id]
		if !mine && !(b.fooled && gen < b.gen) && !(b.doubles && gen == b.gen) {
			return
		}
		if o == breaker.Ignored && b.clings {
			return
		}
		delete(b.out, id)
		if o == breaker.Ignored {
			return
		}
		if b.fooled && !mine {
			b.seen-- // room for one more
			return
		}
		b.seen++
		if failed {
			b.bad++
		}
		switch {
		case b.bad > 0 && !b.optimist:
			b.turn(1, now)
		case b.seen >= 2:
			b.turn(0, now)
		}
		return
	}
	if b.state != 0 || gen != b.gen || o == breaker.Ignored {
		return
	}
	if b.calls = append(b.calls, failed); len(b.calls) > 8 {
		b.calls = b.calls[1:]
	}
	n := 0
	for _, f := range b.calls {
		if f {
			n++
		}
	}
	if b.inARow++; !failed {
		b.inARow = 0
	}
	trip := len(b.calls) >= 4 && n*2 >= len(b.calls)
	switch {
	case b.hasty:
		trip = n*2 >= len(b.calls)
	case b.consecutive:
		trip = b.inARow >= 4
	case b.strict:
		trip = len(b.calls) >= 4 && (n*2 > len(b.calls) || n == len(b.calls))
	}
	if trip {
		b.turn(1, now)
	}
}

func (b *bent) turn(state int, now int64) {
	b.state, b.since, b.out, b.seen, b.bad, b.inARow = state, now, map[int]int64{}, 0, 0, 0
	b.gen++
	if !b.resentful {
		b.calls = nil
	}
}

// TestEachClaimCanFail: for each claim a breaker that breaks it, and nothing is said of the one that breaks none.
func TestEachClaimCanFail(t *testing.T) {
	for name, c := range map[string]struct {
		claim breakertest.Claim
		bend  func(*bent)
		want  string
	}{
		"hasty":            {breakertest.MinSample, func(b *bent) { b.hasty = true }, "open after"},
		"in a row only":    {breakertest.Trips, func(b *bent) { b.consecutive = true }, "lets the next one pass"},
		"strictly more":    {breakertest.Trips, func(b *bent) { b.strict = true }, "lets the next one pass"},
		"too small":        {breakertest.Trips, func(b *bent) { b.hasty = true }, "too small"},
		"dozes":            {breakertest.Rests, func(b *bent) { b.dozes = true }, "before the circuit has been open"},
		"sleeps":           {breakertest.Rests, func(b *bent) { b.sleeps = true }, "nothing passes when"},
		"floods":           {breakertest.Probes, func(b *bent) { b.floods = true }, "more than 2 calls"},
		"stingy":           {breakertest.Probes, func(b *bent) { b.stingy = true }, "permits 1 calls"},
		"optimist":         {breakertest.Reopens, func(b *bent) { b.optimist = true }, "every probe failed"},
		"resentful":        {breakertest.Closes, func(b *bent) { b.resentful = true }, "a call is refused"},
		"fooled":           {breakertest.Stale, func(b *bent) { b.fooled = true }, "makes room"},
		"counts twice":     {breakertest.Once, func(b *bent) { b.doubles = true }, "reported again"},
		"clings":           {breakertest.Ignores, func(b *bent) { b.clings = true }, "makes no room"},
		"counts a no":      {breakertest.Business, func(b *bent) { b.countsNo = true }, "say no open"},
		"moody":            {breakertest.Repeats, func(b *bent) { b.moody = true }, "otherwise"},
		"lost for ever":    {breakertest.Leases, func(b *bent) { b.forgets = true }, "nothing has passed for"},
		"floods at once":   {breakertest.Concurrent, func(b *bent) { b.floods = true }, "64 of 64"},
		"stingy at once":   {breakertest.Concurrent, func(b *bent) { b.stingy = true }, "1 of 64"},
		"optimist ignores": {breakertest.Ignores, func(b *bent) { b.optimist = true }, "not ignored failed"},
		"right":            {breakertest.Full | breakertest.Concurrent, func(*bent) {}, ""},
	} {
		r := &recorder{}
		breakertest.Check(r, breakertest.Target{
			MinCalls: 4, FailurePercent: 50, Window: 8, OpenFor: 10 * second, Probes: 2, Lease: 2 * second, Claims: c.claim,
			New: func() breakertest.Breaker { b := &bent{}; c.bend(b); return b },
		})
		got := strings.Join(r.said, "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) || c.want != "" && !strings.HasPrefix(got, c.claim.String()+": seed ") {
			t.Errorf("%s: the suite says %q, want %q", name, got, c.want)
		}
	}
}

// TestTargetsThatMakeNoSense are told so.
func TestTargetsThatMakeNoSense(t *testing.T) {
	good := breakertest.Target{
		New:      func() breakertest.Breaker { return &bent{} },
		MinCalls: 4, FailurePercent: 50, Window: 8, OpenFor: 10 * second, Probes: 2, Claims: breakertest.Always,
	}
	for want, change := range map[string]func(*breakertest.Target){
		"New is nil":         func(g *breakertest.Target) { g.New = nil },
		"no claims":          func(g *breakertest.Target) { g.Claims = 0 },
		"MinCalls 0":         func(g *breakertest.Target) { g.MinCalls = 0 },
		"FailurePercent 101": func(g *breakertest.Target) { g.FailurePercent = 101 },
		"Window 3":           func(g *breakertest.Target) { g.Window = 3 },
		"Lease 0":            func(g *breakertest.Target) { g.Claims |= breakertest.Leases },
		"-1 seeds":           func(g *breakertest.Target) { g.Seeds = -1 },
	} {
		r, bad := &recorder{}, good
		change(&bad)
		breakertest.Check(r, bad)
		if len(r.said) != 1 || !strings.Contains(r.said[0], want) {
			t.Errorf("said %q, want one line with %q", r.said, want)
		}
	}
	if got := (breakertest.Stale | breakertest.MinSample).String(); got != "min-sample|stale" {
		t.Errorf("claims are called %q", got)
	}
	if got := breakertest.Claim(0).String(); got != "none" {
		t.Errorf("no claims are called %q", got)
	}
}
