package breaker_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/breaker"
)

// twin is a breaker that keeps everything and counts it anew each time.
type twin struct {
	cfg   breaker.Config
	state breaker.State
	now   int64
	gen   int
	end   int64 // of Open, of the ramp
	begin int64 // of the ramp
	asked []int64
	let   int64
	calls []twinCall // of this generation, ended
	out   []twinCall // probes
	moved []breaker.Change
}

type twinCall struct {
	id, gen      int
	began, ended int64
	failed, slow bool
}

func newTwin(cfg breaker.Config) *twin {
	return &twin{cfg: cfg, state: breaker.Closed, now: -1 << 62, gen: 1}
}

func (w *twin) enter(to breaker.State, cause breaker.Cause, at int64) {
	w.moved = append(w.moved, breaker.Change{From: w.state, To: to, Cause: cause, At: at})
	keeps := w.state == breaker.Recovering && to == breaker.Closed
	w.state = to
	if keeps {
		return
	}
	w.gen++
	w.calls, w.out, w.asked, w.let = nil, nil, nil, 0
	switch to {
	case breaker.Open:
		w.end = at + w.cfg.OpenFor
	case breaker.Recovering:
		w.begin, w.end = at, at+w.cfg.Ramp
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// inWindow are the calls that are judged.
func (w *twin) inWindow() []twinCall {
	if w.cfg.Span == 0 {
		return w.calls[max(0, len(w.calls)-int(w.cfg.Window)):]
	}
	var in []twinCall
	width := w.cfg.Span / w.cfg.Buckets
	for _, c := range w.calls {
		if floorDiv(c.ended, width) > floorDiv(w.now, width)-w.cfg.Buckets {
			in = append(in, c)
		}
	}
	return in
}

func (w *twin) verdict(calls []twinCall, n int64) (breaker.Cause, bool) {
	var failed, slow int64
	for _, c := range calls {
		if c.failed {
			failed++
		}
		if c.slow {
			slow++
		}
	}
	if float64(failed)/float64(n) >= float64(w.cfg.FailurePercent)/100 {
		return breaker.FailureRate, true
	}
	return breaker.SlowRate, w.cfg.SlowPercent > 0 && float64(slow)/float64(n) >= float64(w.cfg.SlowPercent)/100
}

// judge tries all ways in which the probes that have not reported may end: all well, and all badly.
func (w *twin) judge(at int64, lost bool) {
	n := w.cfg.Probes
	worst := slices.Clone(w.calls)
	for int64(len(worst)) < n {
		worst = append(worst, twinCall{failed: true, slow: true})
	}
	cause, opens := w.verdict(w.calls, n)
	_, might := w.verdict(worst, n)
	switch {
	case opens && lost:
		w.enter(breaker.Open, breaker.LeaseOver, at)
	case opens:
		w.enter(breaker.Open, cause, at)
	case !might && w.cfg.Ramp > 0:
		w.enter(breaker.Recovering, breaker.ProbesPassed, at)
	case !might:
		w.enter(breaker.Closed, breaker.ProbesPassed, at)
	}
}

func (w *twin) advance(now int64) {
	w.now = max(w.now, now)
	for w.state == breaker.HalfOpen && len(w.out) > 0 && w.out[0].began+w.cfg.Lease <= w.now {
		c := w.out[0] // leases are all as long, so the first begun is the first over
		w.out = w.out[1:]
		c.failed, c.slow = true, w.cfg.SlowPercent > 0 && w.cfg.Lease > w.cfg.SlowAfter
		w.calls = append(w.calls, c)
		w.judge(c.began+w.cfg.Lease, true)
	}
	if w.state == breaker.Open && w.now >= w.end {
		w.enter(breaker.HalfOpen, breaker.OpenOver, w.end)
	}
	if w.state == breaker.Recovering && w.now >= w.end {
		w.enter(breaker.Closed, breaker.RampOver, w.end)
	}
}

func (w *twin) ask(now int64, id int) (twinCall, breaker.Reason) {
	w.advance(now)
	c := twinCall{id: id, gen: w.gen, began: w.now}
	switch w.state {
	case breaker.Open:
		return c, breaker.IsOpen
	case breaker.HalfOpen:
		if int64(len(w.out)+len(w.calls)) >= w.cfg.Probes {
			return c, breaker.ProbesOut
		}
		w.out = append(w.out, c)
	case breaker.Recovering:
		first := w.cfg.FirstPercent * 10_000
		w.asked = append(w.asked, first+(w.now-w.begin)*(1_000_000-first)/w.cfg.Ramp)
		sum := 1_000_000 - first
		for _, share := range w.asked {
			sum += share
		}
		if sum/1_000_000 == w.let {
			return c, breaker.Ramping
		}
		w.let++
	}
	return c, breaker.Granted
}

func (w *twin) done(now int64, c twinCall, o breaker.Outcome) bool {
	w.advance(now)
	c.ended, c.failed = w.now, o == breaker.Failure
	c.slow = w.cfg.SlowPercent > 0 && w.now-c.began > w.cfg.SlowAfter
	if c.gen != w.gen {
		return false
	}
	if w.state == breaker.HalfOpen {
		i := slices.IndexFunc(w.out, func(p twinCall) bool { return p.id == c.id })
		if i < 0 {
			return false
		}
		w.out = slices.Delete(w.out, i, i+1)
	}
	if o == breaker.Ignored {
		return false
	}
	w.calls = append(w.calls, c)
	if w.state == breaker.HalfOpen {
		w.judge(w.now, false)
	} else if in := w.inWindow(); int64(len(in)) >= w.cfg.MinCalls {
		if cause, opens := w.verdict(in, int64(len(in))); opens {
			w.enter(breaker.Open, cause, w.now)
		}
	}
	return true
}

func drawConfig(t *rapid.T) breaker.Config {
	in := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
	cfg := breaker.Config{
		FailurePercent: in("failures", 1, 100), SlowPercent: in("slow", 0, 100), SlowAfter: in("slow after", 0, 12),
		OpenFor: in("open for", 1, 30), Probes: in("probes", 1, 5), Lease: in("lease", 1, 20),
		Ramp: in("ramp", 0, 60), FirstPercent: in("first", 1, 100),
	}
	if rapid.Bool().Draw(t, "by time") {
		cfg.Buckets = in("buckets", 1, 6)
		cfg.Span = cfg.Buckets*in("width", 1, 10) + in("left over", 0, cfg.Buckets-1)
		cfg.MinCalls = in("min", 1, 8)
	} else {
		cfg.Window = in("window", 1, 70)
		cfg.MinCalls = in("min", 1, min(cfg.Window, 8))
	}
	return cfg
}

// TestBreakerIsItsTwin: whatever is asked, reported, reported late, twice, or never.
func TestBreakerIsItsTwin(t *testing.T) {
	reached := map[breaker.Cause]int{}
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		b, w := must(breaker.NewBreaker(cfg)), newTwin(cfg)
		type pair struct {
			ticket breaker.Ticket
			call   twinCall
		}
		var held []pair
		var moved []breaker.Change
		keep := func(c breaker.Changes) {
			for i := range c.Len() {
				moved = append(moved, c.At(i))
			}
		}
		now := rapid.Int64Range(-100, 100).Draw(t, "from")
		bad := rapid.IntRange(0, 10).Draw(t, "bad")
		for step := range rapid.IntRange(1, 120).Draw(t, "steps") {
			now += rapid.Int64Range(-1, 6).Draw(t, "passes")
			if rapid.IntRange(0, 30).Draw(t, "pause") == 0 {
				now += 40
			}
			switch op := rapid.IntRange(0, 9).Draw(t, "op"); {
			case op < 5 || len(held) == 0:
				ticket, d := b.AskAt(now)
				call, why := w.ask(now, step)
				if d.Reason != why || d.OK != (why == breaker.Granted) || d.State != w.state {
					t.Fatalf("step %d: ask: %v when %v, want %v when %v", step, d.Reason, d.State, why, w.state)
				}
				keep(d.Changes)
				if d.OK {
					held = append(held, pair{ticket, call})
				}
			default:
				i := rapid.IntRange(0, len(held)-1).Draw(t, "which")
				o := breaker.Success
				if rapid.IntRange(0, 9).Draw(t, "luck") < bad {
					o = breaker.Failure
				} else if op == 9 {
					o = rapid.SampledFrom([]breaker.Outcome{breaker.Business, breaker.Ignored}).Draw(t, "outcome")
				}
				r := b.DoneAt(now, held[i].ticket, o)
				if want := w.done(now, held[i].call, o); r.Counted != want {
					t.Fatalf("step %d: %v counted: %v, want %v", step, o, r.Counted, want)
				}
				keep(r.Changes)
				// A probe's ticket may come again; others are handed in once.
				if w.state != breaker.HalfOpen || op < 8 {
					held = slices.Delete(held, i, i+1)
				}
			}
			if !slices.Equal(moved, w.moved) {
				t.Fatalf("step %d: changes\n %v, want\n %v", step, moved, w.moved)
			}
		}
		for _, c := range moved {
			reached[c.Cause]++
		}
	})
	for _, c := range []breaker.Cause{breaker.FailureRate, breaker.SlowRate, breaker.LeaseOver, breaker.OpenOver, breaker.ProbesPassed, breaker.RampOver} {
		if reached[c] == 0 {
			t.Errorf("no run had a change by %v: this test looks at less than it says", c)
		}
	}
}

// TestCloneGoesItsOwnWay: a copy decides as the original does, and nothing that is done to it reaches the original.
func TestCloneGoesItsOwnWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := must(breaker.NewBreaker(drawConfig(t)))
		now := int64(0)
		var held []breaker.Ticket
		play := func(b *breaker.Breaker, held []breaker.Ticket, now int64, n int, o breaker.Outcome) (out []breaker.Decision, _ []breaker.Ticket, _ int64) {
			for range n {
				now += 3
				ticket, d := b.AskAt(now)
				out = append(out, d)
				if held = append(held, ticket); len(held) > 2 {
					b.DoneAt(now, held[0], o)
					held = held[1:]
				}
			}
			return out, held, now
		}
		_, held, now = play(&b, held, now, rapid.IntRange(0, 60).Draw(t, "before"), breaker.Failure)
		one, two, three := b.Clone(), b.Clone(), b.Clone()
		play(&one, slices.Clone(held), now, 60, breaker.Failure)
		want, _, _ := play(&two, slices.Clone(held), now, 60, breaker.Success)
		got, _, _ := play(&b, slices.Clone(held), now, 60, breaker.Success)
		again, _, _ := play(&three, slices.Clone(held), now, 60, breaker.Success)
		if !slices.Equal(got, want) || !slices.Equal(got, again) {
			t.Fatalf("copies differ:\n%v\n%v\n%v", got, want, again)
		}
	})
}
