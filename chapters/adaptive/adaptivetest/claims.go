package adaptivetest

import (
	"fmt"

	"seedbed/chapters/adaptive"
)

func inRange(g *Target, c *course) string {
	for range 300 {
		s := adaptive.Sample{Took: c.below(1000 * g.Pace), InFlight: c.below(2 * g.Max), Dropped: c.below(1+c.below(30)) == 0}
		if c.one(g, s); c.Limit.Limit() < g.Min || c.Limit.Limit() > g.Max {
			return fmt.Sprintf("the limit is %d, outside %d..%d", c.Limit.Limit(), g.Min, g.Max)
		}
	}
	return ""
}

// grows lets as many end in each pace as are in flight, as a server does that has room.
func grows(g *Target, c *course) string {
	for range 200 {
		c.now += g.Pace
		for range max(c.Limit.Limit(), int64(g.Samples)) {
			c.LearnAt(c.now, adaptive.Sample{Took: g.Pace, InFlight: c.Limit.Limit()})
		}
	}
	if c.Limit.Limit() <= g.Min {
		return fmt.Sprintf("nothing was wrong in 200 steps, and the limit is %d", c.Limit.Limit())
	}
	return ""
}

func idle(g *Target, c *course) string {
	c.past(g)
	was := c.Limit.Limit()
	for range 100 {
		c.one(g, adaptive.Sample{Took: g.Pace / 2, InFlight: c.below(max(1, (c.Limit.Limit()+1)/2))})
		if now := c.Limit.Limit(); now > was {
			return fmt.Sprintf("less than half was in flight, and the limit went from %d to %d", was, now)
		}
	}
	return ""
}

func drops(g *Target, c *course) string {
	c.past(g)
	for range 20 {
		was := c.Limit.Limit()
		c.one(g, adaptive.Sample{Took: g.Pace / 2, InFlight: was, Dropped: true})
		if now := c.Limit.Limit(); now >= was && was > g.Min {
			return fmt.Sprintf("a request was dropped, and the limit went from %d to %d", was, now)
		}
	}
	return ""
}

// latency gives two of the same past a step with the base, drops until there is room above, and then one step each.
func latency(g *Target, c *course) string {
	d := course{Limit: g.New()}
	low, high := g.Pace*(1+c.below(3)), g.Pace*(5+c.below(20))
	d.random = c.random
	c.past(g)
	d.past(g)
	for _, x := range []*course{c, &d} {
		x.step(g, adaptive.Sample{Took: g.Pace, InFlight: x.Limit.Limit()})
		for i := 0; i < 60 && x.Limit.Limit() > g.Max/8; i++ {
			x.one(g, adaptive.Sample{Took: g.Pace / 2, InFlight: 1, Dropped: true})
		}
	}
	was := c.Limit.Limit()
	c.step(g, adaptive.Sample{Took: low, InFlight: was})
	d.step(g, adaptive.Sample{Took: high, InFlight: was})
	if a, b := c.Limit.Limit(), d.Limit.Limit(); b > a {
		return fmt.Sprintf("from %d it went to %d with a latency of %d ns, and to %d with %d ns", was, a, low, b, high)
	}
	return ""
}

func repeats(g *Target, c *course) string {
	d := course{Limit: g.New(), random: c.random}
	c.past(g)
	d.past(g)
	if a, b := c.Limit.Limit(), d.Limit.Limit(); a != b {
		return fmt.Sprintf("the same requests brought one to %d and another to %d", a, b)
	}
	return ""
}

// ages compares means of 80 steps: before a lucky request, and when it must be forgotten.
func ages(g *Target, c *course) string {
	play := func(steps int64) (mean int64) {
		for i := range steps {
			c.step(g, adaptive.Sample{Took: 30 * g.Pace, InFlight: c.Limit.Limit()})
			if i >= steps-80 {
				mean += c.Limit.Limit()
			}
		}
		return mean / 80
	}
	before := play(400)
	c.step(g, adaptive.Sample{Took: 10 * g.Pace, InFlight: c.Limit.Limit()})
	after := play(3*g.Life/(g.Pace*int64(g.Samples)) + 400)
	if after < before*9/10 {
		return fmt.Sprintf("it was %d before one lucky request, and is %d three lives after it", before, after)
	}
	return ""
}
