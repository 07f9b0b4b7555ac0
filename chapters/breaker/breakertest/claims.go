package breakertest

import (
	"fmt"
	"sync"
	"sync/atomic"

	"seedbed/chapters/breaker"
)

func minSample(g *Target, c *course) string {
	for i := range g.MinCalls - 1 {
		if !c.one(breaker.Failure) {
			return fmt.Sprintf("open after %d failures, want at least %d calls", i, g.MinCalls)
		}
		c.now += int64(c.random.below(2))
	}
	if _, ok := c.ask(); !ok {
		return fmt.Sprintf("open after %d failures, want at least %d calls", g.MinCalls-1, g.MinCalls)
	}
	return ""
}

// trips plays calls that fail now and then, and counts the last ones anew after each.
func trips(g *Target, c *course) string {
	luck := c.random.below(101)
	var fails []bool
	for range 3*g.MinCalls + 2*g.Window {
		o := breaker.Success
		if c.random.below(100) < luck {
			o = breaker.Failure
		}
		if !c.one(o) {
			return "open, and the share of failures is too small"
		}
		fails = append(fails, o == breaker.Failure)
		if g.Window > 0 && len(fails) > g.Window {
			fails = fails[1:]
		}
		n := 0
		for _, f := range fails {
			if f {
				n++
			}
		}
		if len(fails) >= g.MinCalls && n*100 >= g.FailurePercent*len(fails) {
			if _, ok := c.ask(); ok {
				return fmt.Sprintf("%d of %d calls failed, and it lets the next one pass; the threshold is %d percent", n, len(fails), g.FailurePercent)
			}
			return ""
		}
	}
	return ""
}

func rests(g *Target, c *course) string {
	if wrong := c.open(g); wrong != "" {
		return wrong
	}
	end := c.now + g.OpenFor
	for range 20 {
		if _, ok := c.ask(); ok {
			return fmt.Sprintf("a call passes %d ns before the circuit has been open for long enough", end-c.now)
		}
		c.now += (end - c.now - 1) / int64(1+c.random.below(3))
	}
	c.now = end
	if _, ok := c.ask(); !ok {
		return "nothing passes when its time is over"
	}
	return ""
}

func probes(g *Target, c *course) string {
	_, wrong := c.probes(g)
	if wrong != "" {
		return wrong
	}
	for range 1 + c.random.below(5) {
		if _, ok := c.ask(); ok {
			return fmt.Sprintf("more than %d calls pass at a time", g.Probes)
		}
	}
	return ""
}

func reopens(g *Target, c *course) string {
	out, wrong := c.probes(g)
	if wrong != "" {
		return wrong
	}
	for _, k := range out {
		c.end(k, breaker.Failure)
	}
	end := c.now + g.OpenFor
	for _, at := range []int64{c.now, end - 1} {
		c.now = at
		if _, ok := c.ask(); ok {
			return "every probe failed, and a call passes"
		}
	}
	if c.now = end; !c.one(breaker.Success) {
		return "nothing passes after it was open a second time"
	}
	return ""
}

func closes(g *Target, c *course) string {
	out, wrong := c.probes(g)
	if wrong != "" {
		return wrong
	}
	return c.closed(g, out, breaker.Success)
}

// closed ends the probes, and wants every call to pass then, though as many fail as were too few before.
func (c *course) closed(g *Target, out []call, o breaker.Outcome) string {
	for _, k := range out {
		c.end(k, o)
	}
	c.now += g.Recovers
	for range g.MinCalls - 1 {
		if !c.one(breaker.Failure) {
			return "every probe succeeded, and a call is refused"
		}
	}
	if !c.one(breaker.Success) {
		return "every probe succeeded, and a call is refused"
	}
	return ""
}

// stale begins calls before it opens, and ends them when all probes are out.
func stale(g *Target, c *course) string {
	var old []call
	for range 2 * max(g.Probes, g.MinCalls) {
		k, ok := c.ask()
		if !ok {
			return "a call is refused though nothing has failed"
		}
		old = append(old, k)
	}
	out, wrong := c.probes(g)
	if wrong != "" {
		return wrong
	}
	for _, k := range old[:len(old)/2] {
		c.end(k, breaker.Success)
		if _, ok := c.ask(); ok {
			return "a success from before the circuit opened makes room among the probes"
		}
	}
	for _, k := range old[len(old)/2:] {
		c.end(k, breaker.Failure)
	}
	return c.closed(g, out, breaker.Success)
}

func once(g *Target, c *course) string {
	out, wrong := c.probes(g)
	if wrong != "" {
		return wrong
	}
	c.end(out[0], breaker.Success)
	for range g.Probes {
		c.end(out[0], breaker.Failure)
	}
	if wrong := c.closed(g, out[1:], breaker.Success); wrong != "" {
		return "one probe is reported again, as failed; " + wrong
	}
	return ""
}

func ignores(g *Target, c *course) string {
	out, wrong := c.probes(g)
	if wrong != "" {
		return wrong
	}
	for range 3 * g.Probes {
		c.end(out[0], breaker.Ignored)
		k, ok := c.ask()
		if !ok {
			return "an ignored probe makes no room"
		}
		if _, ok := c.ask(); ok {
			return "an ignored probe makes room for two"
		}
		out = append(out[1:], k)
	}
	if c.random.below(2) == 0 {
		return c.closed(g, out, breaker.Success)
	}
	for _, k := range out {
		c.end(k, breaker.Failure)
	}
	if _, ok := c.ask(); ok {
		return "every probe that was not ignored failed, and a call passes"
	}
	return ""
}

func business(g *Target, c *course) string {
	for range 3 * g.MinCalls {
		if !c.one(breaker.Business) {
			return "answers that say no open the circuit"
		}
	}
	c.inner = g.New()
	out, wrong := c.probes(g)
	if wrong != "" {
		return wrong
	}
	return c.closed(g, out, breaker.Business)
}

func repeats(g *Target, c *course) string {
	twin := course{random: c.random, inner: g.New()}
	luck := c.random.below(101)
	mine, theirs := []call{}, []call{}
	for range 300 {
		c.now += int64(c.random.below(3)) * g.OpenFor / 4
		twin.now = c.now
		if len(mine) > 0 && c.random.below(2) == 0 {
			o := breaker.Success
			if c.random.below(100) < luck {
				o = breaker.Failure
			}
			c.end(mine[0], o)
			twin.end(theirs[0], o)
			mine, theirs = mine[1:], theirs[1:]
			continue
		}
		k, ok := c.ask()
		l, also := twin.ask()
		if ok != also {
			return "another one answers the same calls otherwise"
		}
		if ok {
			mine, theirs = append(mine, k), append(theirs, l)
		}
	}
	return ""
}

// leases loses every probe, and looks how long nothing passes. The grain is an eighth of the lease.
func leases(g *Target, c *course) string {
	if wrong := c.half(g); wrong != "" {
		return wrong
	}
	step := max(1, g.Lease/8)
	since := c.now
	for range 100 {
		if _, ok := c.ask(); ok {
			since = c.now
		} else if c.now-since > g.Lease+g.OpenFor+step {
			return fmt.Sprintf("nothing has passed for %d ns; the lease of the lost probes is %d, and it is open for %d", c.now-since, g.Lease, g.OpenFor)
		}
		c.now += step
	}
	for _, wait := range []int64{g.Lease, g.OpenFor} { // it may notice only now that the last lease is over, and open then
		c.now += wait
		if c.one(breaker.Success) {
			return ""
		}
	}
	return "its probes were lost, and nothing passes any more"
}

// concurrent asks from many goroutines at once.
func concurrent(g *Target, c *course) string {
	if wrong := c.half(g); wrong != "" {
		return wrong
	}
	var passed atomic.Int64
	var all sync.WaitGroup
	start := make(chan struct{})
	for range 64 {
		all.Go(func() {
			<-start
			if _, ok := c.inner.Ask(c.now); ok {
				passed.Add(1)
			}
		})
	}
	close(start)
	all.Wait()
	if n := passed.Load(); n != int64(min(64, g.Probes)) {
		return fmt.Sprintf("%d of 64 calls pass at once, want %d", n, g.Probes)
	}
	return ""
}
