package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"seedbed/chapters/route"
)

// queueConf is HAProxy before two peers of two places. BALANCE, QUEUE and SERVERS are lines.
const queueConf = `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  QUEUE
frontend in
  bind LISTEN
  default_backend peers
backend peers
  balance BALANCE
  SERVERS`

// haproxyCrowd starts HAProxy before peers of the given weights, with max places each, 0 for no bound.
func (s *stand) haproxyCrowd(ctx context.Context, threads int, balance, queue string, weights []int64, places int64) (*crowd, *peers, error) {
	ps, err := s.newPeers(len(weights))
	if err != nil {
		return nil, nil, err
	}
	addr, err := s.haproxy(ctx, threads, strings.NewReplacer("BALANCE", balance, "QUEUE", queue, "SERVERS", haproxyServers(weights, places)).Replace(queueConf))
	if err != nil {
		return nil, nil, err
	}
	c, err := newCrowd(ctx, addr, ps, 1)
	return c, ps, err
}

// haproxyServers are the lines of a backend.
func haproxyServers(weights []int64, places int64) string {
	var lines []string
	for i, w := range weights {
		l := fmt.Sprintf("server %s %s weight %d", peerName(i), peerAddress(i), w)
		if places > 0 {
			l += fmt.Sprintf(" maxconn %d", places)
		}
		lines = append(lines, l)
	}
	return strings.Join(lines, "\n  ")
}

// askHAProxy holds HAProxy's choices, its counting and its queue against package route.
func askHAProxy(ctx context.Context, p *paper) error {
	p.raw("conf", "%s", queueConf)
	for _, ask := range []func(context.Context, *paper) error{askHAProxyTurns, askHAProxyLeast, askHAProxyQueue, askHAProxyTimeout} {
		if err := ask(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// askHAProxyTurns compares the turns of weights 5, 1, 1.
func askHAProxyTurns(ctx context.Context, p *paper) error {
	s, err := newStand()
	if err != nil {
		return err
	}
	defer s.close()
	weights := []int64{5, 1, 1}
	c, _, err := s.haproxyCrowd(ctx, 1, "roundrobin", "", weights, 0)
	if err != nil {
		return err
	}
	t := turn{weights: weights, places: make([]int64, 3)}
	ours, err := route.NewWorkers(t.config(), 1, false)
	if err != nil {
		return err
	}
	got, err := play(ctx, c, &ours, 21, nil)
	if err != nil {
		return err
	}
	shares, want := fmt.Sprint(sent(got.real, 3)), fmt.Sprint(sent(got.ours, 3))
	p.tally("turns", got)
	p.fact("turns.line", line(got.real[7:14]))
	p.fact("turns.shares", strings.ReplaceAll(strings.Trim(shares, "[]"), " ", ",\u00a0"))
	p.raw("turns", "HAProxy  %s\nours     %s", line(got.real), line(got.ours))
	p.claim(shares == want, "turns: the shares are %s as ours %s", shares, want)
	p.claim(got.same < got.of, "turns: the order is another (%d of %d the same)", got.same, got.of)
	return nil
}

// askHAProxyLeast holds every choice of leastconn against two rules: the fewest requests for the weight, which is nginx's and ours, and
// HAProxy's own (src/lb_fwlc.c), by which who has none comes first whatever its weight, and then the fewest for the weight with the
// new request counted in.
func askHAProxyLeast(ctx context.Context, p *paper) error {
	for _, k := range []struct {
		name    string
		weights []int64
	}{{"least", []int64{1, 1, 1}}, {"least-weights", []int64{5, 2, 1}}} {
		ours, theirs, err := leastChoices(ctx, k.weights)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		p.fact(k.name+".ours", ours)
		p.fact(k.name+".theirs", theirs)
		p.fact(k.name+".of", leastRequests)
		p.claim(theirs == leastRequests, "%s: all %d choices are by HAProxy's rule (%d)", k.name, leastRequests, theirs)
		p.claim((ours == leastRequests) == (k.name == "least"), "%s: all choices are by ours with equal weights only (%d)", k.name, ours)
	}
	return nil
}

// leastRequests is how many requests come in the comparison of leastconn.
const leastRequests = 400

// leastChoices counts the choices that are by our rule and those that are by HAProxy's.
func leastChoices(ctx context.Context, weights []int64) (ours, theirs int, err error) {
	s, err := newStand()
	if err != nil {
		return 0, 0, err
	}
	defer s.close()
	c, _, err := s.haproxyCrowd(ctx, 1, "leastconn", "", weights, 0)
	if err != nil {
		return 0, 0, err
	}
	luck := rand.New(rand.NewPCG(5, 1))
	var inside []*guest
	have := make([]int64, len(weights))
	for range leastRequests {
		for len(inside) > 0 && luck.IntN(2) == 0 {
			k := luck.IntN(len(inside))
			g := inside[k]
			inside = append(inside[:k], inside[k+1:]...)
			have[g.peer]--
			if err := c.leave(g); err != nil {
				return 0, 0, err
			}
		}
		g, a, err := c.come(ctx, 0)
		if err != nil {
			return 0, 0, err
		}
		if g == nil {
			return 0, 0, fmt.Errorf("HAProxy answers %d", a.status)
		}
		ours += int(one(isLeast(have, weights, g.peer, perWeight)))
		theirs += int(one(isLeast(have, weights, g.peer, idleFirst)))
		have[g.peer]++
		inside = append(inside, g)
	}
	for _, g := range inside {
		if err := c.leave(g); err != nil {
			return 0, 0, err
		}
	}
	return ours, theirs, nil
}

// perWeight is what a peer has, for its weight, times 256 lest the division say nothing.
func perWeight(have, weight int64) int64 { return have * 256 * 256 / weight }

// idleFirst is HAProxy's key of a peer: its greatest weight is 256 times 16.
func idleFirst(have, weight int64) int64 {
	if have == 0 {
		return 0
	}
	return (have + 1) * 256 * 16 / (weight * 16)
}

// isLeast reports whether no peer has a smaller key than the chosen one.
func isLeast(have, weights []int64, chosen int, key func(have, weight int64) int64) bool {
	for i := range have {
		if key(have[i], weights[i]) < key(have[chosen], weights[chosen]) {
			return false
		}
	}
	return true
}
