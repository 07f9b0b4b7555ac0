package routetest

import (
	"fmt"

	"seedbed/chapters/route"
)

const steps = 300

func withinRoom(g *Target, c *course) string {
	c.start(g, c.draw(5, 3))
	for range steps {
		i, wrong := c.step()
		if wrong != "" {
			return wrong
		}
		if i >= 0 && c.flight[i] > c.peers[i].MaxConns {
			return fmt.Sprintf("peer %d has %d in flight, room for %d", i, c.flight[i], c.peers[i].MaxConns)
		}
	}
	return ""
}

func healthyOnly(g *Target, c *course) string {
	c.start(g, c.draw(5, 0))
	for range steps {
		i, wrong := c.step()
		if wrong != "" {
			return wrong
		}
		if i >= 0 && c.down[i] {
			return fmt.Sprintf("peer %d is chosen, and is down", i)
		}
	}
	for i := range c.peers { // all but one down: it must be chosen, whatever it was before
		for j := range c.peers {
			if c.down[j] != (j != i) {
				c.health(j, j == i)
			}
		}
		if got, _ := c.pick(); got != i {
			return fmt.Sprintf("peer %d is the only one up, and the choice is %d", i, got)
		}
	}
	return ""
}

func usesRoom(g *Target, c *course) string {
	c.start(g, c.draw(5, 2))
	for range steps {
		may := c.anyRoom()
		i, wrong := c.step()
		switch {
		case wrong != "":
			return wrong
		case i >= 0 && !may:
			return fmt.Sprintf("peer %d is chosen, and none had room", i)
		case i == -1 && may:
			return "refused, though a healthy peer had room"
		}
	}
	return ""
}

func repeats(g *Target, c *course) string {
	peers := c.draw(5, 3)
	twin := *c
	c.start(g, peers)
	twin.start(g, peers)
	for range steps {
		i, _ := c.step()
		if j, _ := twin.step(); i != j {
			return fmt.Sprintf("two with the same seed choose %d and %d", i, j)
		}
	}
	return ""
}

func turns(g *Target, c *course) string      { return takeTurns(g, c, 9) }
func equalTurns(g *Target, c *course) string { return takeTurns(g, c, 1) }

func takeTurns(g *Target, c *course, weights int) string {
	c.start(g, c.draw(weights, 0))
	sum := int64(0)
	for _, p := range c.peers {
		sum += p.Weight
	}
	for range sum {
		if i, wrong := c.pick(); wrong != "" || i < 0 {
			return wrong + "refused, though nothing is in flight"
		}
		c.end(0, false)
	}
	for i, p := range c.peers {
		if d := int64(c.got[i]) - p.Weight; d < -1 || d > 1 {
			return fmt.Sprintf("in %d picks peer %d of weight %d was chosen %d times", sum, i, p.Weight, c.got[i])
		}
	}
	return ""
}

func even(g *Target, c *course) string {
	peers := c.draw(1, 0)
	c.start(g, peers)
	const each = 8
	for range each * len(peers) {
		if i, wrong := c.pick(); wrong != "" || i < 0 {
			return wrong + "refused, though there is no limit"
		}
	}
	for i, n := range c.flight {
		if n > each+2 {
			return fmt.Sprintf("%d are in flight on %d equal peers, and %d of them on peer %d", each*len(peers), len(peers), n, i)
		}
	}
	return ""
}

func scattered(g *Target, c *course) string {
	peers := make([]route.Peer, 4)
	for i := range peers {
		peers[i] = route.Peer{Name: "p" + string(rune('a'+i)), Weight: 1}
	}
	first := make([]int, len(peers))
	const many = 32
	seed := c.seed
	for k := range uint64(many) {
		c.seed = seed*many + k
		c.start(g, peers)
		i, wrong := c.pick()
		if wrong != "" || i < 0 {
			return wrong + "refused, though nothing is in flight"
		}
		first[i]++
	}
	for i, n := range first {
		if n == many {
			return fmt.Sprintf("%d balancers with seeds of their own all choose peer %d first", many, i)
		}
	}
	return ""
}

// evades sends a request each millisecond to four peers. Three answer after 20 ms, the fourth fails before the next request.
func evades(g *Target, c *course) string {
	peers := make([]route.Peer, 4)
	for i := range peers {
		peers[i] = route.Peer{Name: "p" + string(rune('a'+i)), Weight: 1}
	}
	c.start(g, peers)
	bad := c.random.below(len(peers))
	const requests, takes = 4000, 20
	var due []int64 // when those of c.open end
	for range requests {
		c.now += 1_000_000
		for len(due) > 0 && due[0] <= c.now {
			c.end(0, false)
			due = due[1:]
		}
		i, wrong := c.pick()
		if wrong != "" || i < 0 {
			return wrong + "refused, though there is no limit"
		}
		if i == bad {
			c.end(len(c.open)-1, true)
		} else {
			due = append(due, c.now+takes*1_000_000)
		}
	}
	if share := requests / len(peers); c.got[bad] >= share/2 {
		return fmt.Sprintf("peer %d fails at once and gets %d of %d requests, its share is %d", bad, c.got[bad], requests, share)
	}
	return ""
}
