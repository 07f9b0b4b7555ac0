package breakertest

import (
	"fmt"

	"seedbed/chapters/breaker"
)

// random is a stream of numbers: SplitMix64 (Steele, Lea and Flood, 2014).
type random uint64

func (r *random) below(n int) int {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// course is one breaker on its way through a schedule.
type course struct {
	random random
	inner  Breaker
	now    int64
	calls  int
	log    []event
}

// event is one call or its end, to be shown when a claim fails.
type event struct {
	at      int64
	number  int
	what    what
	outcome breaker.Outcome
}

type what uint8

const (
	passes what = iota
	refused
	ends
)

// call is one that passed.
type call struct {
	number int
	done   func(now int64, o breaker.Outcome)
}

// ask makes a call, or reports false.
func (c *course) ask() (call, bool) {
	c.calls++
	done, ok := c.inner.Ask(c.now)
	w := refused
	if ok {
		w = passes
	}
	c.log = append(c.log, event{at: c.now, number: c.calls, what: w})
	return call{c.calls, done}, ok
}

// end ends a call.
func (c *course) end(k call, o breaker.Outcome) {
	c.log = append(c.log, event{at: c.now, number: k.number, what: ends, outcome: o})
	k.done(c.now, o)
}

// one makes a call that ends at once, and reports whether it passed.
func (c *course) one(o breaker.Outcome) bool {
	k, ok := c.ask()
	if ok {
		c.end(k, o)
	}
	return ok
}

// tail is the last calls, for a failure.
func (c *course) tail() string {
	out := ""
	for _, e := range c.log[max(0, len(c.log)-8):] {
		out += fmt.Sprintf("\n  at %d: call %d", e.at, e.number)
		switch e.what {
		case passes:
			out += " → passes"
		case refused:
			out += " → refused"
		case ends:
			out += " ends, " + e.outcome.String()
		}
	}
	return out
}

// open makes calls fail until it opens, and lets some time pass before that.
func (c *course) open(g *Target) string {
	c.now += int64(c.random.below(1000))
	for range g.MinCalls {
		if !c.one(breaker.Failure) {
			return "a call is refused before there are MinCalls"
		}
	}
	return ""
}

// half makes it half-open.
func (c *course) half(g *Target) string {
	wrong := c.open(g)
	c.now += g.OpenFor
	return wrong
}

// probes takes all that half-open permits.
func (c *course) probes(g *Target) (out []call, wrong string) {
	if wrong = c.half(g); wrong != "" {
		return nil, wrong
	}
	for i := range g.Probes {
		k, ok := c.ask()
		if !ok {
			return nil, fmt.Sprintf("half-open permits %d calls, want %d", i, g.Probes)
		}
		out = append(out, k)
	}
	return out, ""
}
