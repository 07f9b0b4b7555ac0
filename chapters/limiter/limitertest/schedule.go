package limitertest

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"seedbed/chapters/limiter"
)

// stream is a small random stream (SplitMix64, Steele, Lea and Flood 2014), so that schedules are the same everywhere.
type stream uint64

func (s *stream) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is uniform enough in 0..n−1, for n ≥ 1.
func (s *stream) below(n int64) int64 {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int64(hi)
}

// call is one request and its answer.
type call struct {
	at, n int64
	d     limiter.Decision
}

func (c call) admitted() int64 {
	if c.d.OK && c.n > 0 {
		return c.n
	}
	return 0
}

// planner makes schedules from the times that matter to a target.
type planner struct {
	stream
	target *Target
	unit   int64 // time of one unit, rounded down, at least 1
	full   int64 // time of a whole burst
}

func newPlanner(g *Target, seed int) *planner {
	p := &planner{stream: stream(seed), target: g}
	p.unit = max(1, g.Rate.Per/g.Rate.N)
	hi, lo := bits.Mul64(uint64(max(1, g.Burst)), uint64(g.Rate.Per))
	p.full = 1 << 50
	if hi < uint64(g.Rate.N) {
		if q, _ := bits.Div64(hi, lo, uint64(g.Rate.N)); q < 1<<50 {
			p.full = int64(max(1, q))
		}
	}
	return p
}

// step is how long until the next call: often nothing, often near the time of a unit, a burst or a window, sometimes long.
func (p *planner) step() int64 {
	near := func(d int64) int64 { return max(0, d-1+p.below(3)) }
	switch p.below(12) {
	case 0, 1, 2:
		return 0
	case 3:
		return 1
	case 4, 5:
		return near(p.unit)
	case 6, 7:
		return p.below(3*p.unit + 1)
	case 8:
		return near(p.full)
	case 9:
		return p.below(2*p.full + 1)
	case 10:
		if p.target.Window > 0 {
			return near(p.target.Window)
		}
		return near(p.full / 2)
	}
	return p.below(20*p.full + 1)
}

// size is how many units a call asks for: mostly one, sometimes all, none, too many or fewer than none (see plan).
func (p *planner) size() int64 {
	switch p.below(16) {
	case 0:
		return 0
	case 1:
		return -1 - p.below(3)
	case 2:
		return p.target.Limit
	case 3:
		return p.target.Limit + 1
	case 4, 5, 6, 7:
		return 1 + p.below(max(1, p.target.Limit))
	}
	return 1
}

// plan is a schedule of calls for at least nothing: what a limiter does with less is the business of one claim, and would stand in the
// transcripts of all others. With stale, about a third of the calls come with an old instant.
func (p *planner) plan(length int, stale bool) []call {
	return without(p.planAll(length, stale), func(c call) bool { return c.n < 0 })
}

// without is a schedule less some of its calls.
func without(calls []call, drop func(call) bool) []call {
	return slices.DeleteFunc(slices.Clone(calls), drop)
}

// planAll is a schedule with calls for fewer than none among the others, about one in sixteen.
func (p *planner) planAll(length int, stale bool) []call {
	calls := make([]call, length)
	now := p.target.Origin
	for i := range calls {
		now += p.step()
		at := now
		if stale && p.below(3) == 0 {
			at = max(p.target.Origin, now-p.step()-p.step())
		}
		calls[i] = call{at: at, n: p.size()}
	}
	return calls
}

// play asks a fresh limiter.
func (g *Target) play(calls []call) {
	l := g.New()
	for i := range calls {
		calls[i].d = l.TakeAt(calls[i].at, calls[i].n)
	}
}

// transcript shows some calls, at most twelve of them, with as much of each answer as the target makes claims about.
func (g *Target) transcript(calls []call, from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		if skip := to - from - 11; skip > 1 && i == from+6 {
			fmt.Fprintf(&b, "\n  … %d calls …", skip)
			i += skip
		}
		c := calls[i]
		fmt.Fprintf(&b, "\n  call %d: at %d ns, n %d: %s", i, c.at, c.n, g.answer(c.d))
	}
	return b.String()
}

func (g *Target) answer(d limiter.Decision) string {
	word := "denied"
	if d.OK {
		word = "OK"
	}
	if g.Claims&(Remains|Retries|Resets) == 0 {
		return word
	}
	word += fmt.Sprintf(", remaining %d, reset after %d", d.Remaining, d.ResetAfter)
	if !d.OK {
		word += fmt.Sprintf(", retry after %d", d.RetryAfter)
	}
	return word
}
