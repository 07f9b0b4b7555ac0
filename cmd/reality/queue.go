package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"seedbed/chapters/route"
)

// The crowd of the comparisons of HAProxy's queue: two peers of two places, and so many requests that stay.
const (
	queuePlaces   = 2
	queueRequests = 20
)

// served is a request that reached a peer: "5→a".
func served(number, peer int) string { return strconv.Itoa(number) + "→" + peerName(peer) }

// askHAProxyQueue lets more requests come than there are places, and then lets guests leave at random: who is served next, and where?
// Both with one thread and with two, which count together.
func askHAProxyQueue(ctx context.Context, p *paper) error {
	for _, threads := range []int{1, 2} {
		name := fmt.Sprintf("queue-%d", threads)
		real, peak, err := haproxyQueue(ctx, threads)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		ours, err := ourQueue()
		if err != nil {
			return err
		}
		same := 0
		for i := range real {
			same += int(one(real[i] == ours[i]))
		}
		p.fact(name+".same", same)
		p.fact(name+".of", len(real))
		p.fact(name+".peak", peak)
		p.raw(name, "HAProxy  %s\nours     %s", strings.Join(real, " "), strings.Join(ours, " "))
		p.claim(same == len(ours) && len(real) == len(ours), "%s: all %d are served in the same order at the same peers (%d)", name, len(ours), same)
		p.claim(peak == queuePlaces, "%s: a backend has %d requests at most", name, peak)
	}
	return nil
}

// haproxyQueue returns who was served where, in order, and the most requests that a peer had.
func haproxyQueue(ctx context.Context, threads int) (order []string, peak int, err error) {
	s, err := newStand()
	if err != nil {
		return nil, 0, err
	}
	defer s.close()
	c, ps, err := s.haproxyCrowd(ctx, threads, "roundrobin", "timeout queue 30s", []int64{1, 1}, queuePlaces)
	if err != nil {
		return nil, 0, err
	}
	guests := make([]*guest, queueRequests)
	var inside []*guest
	arrive := func() error {
		select {
		case v := <-ps.came:
			n, err := strconv.Atoi(v.number)
			if err != nil {
				return err
			}
			guests[n].visit, guests[n].peer = v, v.peer
			inside = append(inside, guests[n])
			order = append(order, served(n, v.peer))
			return nil
		case <-time.After(patience):
			return fmt.Errorf("nobody is served after %s", strings.Join(order, " "))
		}
	}
	for i := range guests {
		if guests[i], err = c.send(ctx, 0, strconv.Itoa(i)); err != nil {
			return nil, 0, err
		}
		if i < 2*queuePlaces {
			if err := arrive(); err != nil {
				return nil, 0, err
			}
			continue
		}
		select { // long enough for it to be in the line before the next one comes
		case v := <-ps.came:
			return nil, 0, fmt.Errorf("request %s is let in at %s beyond the places", v.number, peerName(v.peer))
		case <-time.After(30 * time.Millisecond):
		}
	}
	luck := rand.New(rand.NewPCG(2, 9))
	for len(inside) > 0 {
		k := luck.IntN(len(inside))
		g := inside[k]
		inside = append(inside[:k], inside[k+1:]...)
		if err := c.leave(g); err != nil {
			return nil, 0, err
		}
		if len(order) < queueRequests {
			if err := arrive(); err != nil {
				return nil, 0, err
			}
		}
	}
	peak, _ = ps.peaks()
	return order, peak, nil
}

// ourQueue is the same with route.Gateway.
func ourQueue() (order []string, err error) {
	pool := route.Config{Policy: route.RoundRobin}
	for i := range 2 {
		pool.Peers = append(pool.Peers, route.Peer{Name: peerName(i), Weight: 1, MaxConns: queuePlaces})
	}
	g, err := route.NewGateway(pool, route.QueueConfig{Depth: queueRequests})
	if err != nil {
		return nil, err
	}
	var inside []route.Lease
	numbers := map[route.Ticket]int{}
	for i := range queueRequests {
		t, d := g.AskAt(int64(i), route.NoDeadline, nil)
		if d.OK {
			inside = append(inside, d.Lease)
			order = append(order, served(i, d.Peer))
		} else {
			numbers[t] = i
		}
	}
	luck := rand.New(rand.NewPCG(2, 9))
	for now := int64(queueRequests); len(inside) > 0; now++ {
		k := luck.IntN(len(inside))
		l := inside[k]
		inside = append(inside[:k], inside[k+1:]...)
		g.DoneAt(now, l, route.Success)
		if w, d, ok := g.NextAt(now, nil); ok {
			inside = append(inside, d.Lease)
			order = append(order, served(numbers[w.Ticket], d.Peer))
		}
	}
	return order, nil
}

// askHAProxyTimeout fills one peer of one place and asks what the next request is told, and when; as it is, and told to be honest.
func askHAProxyTimeout(ctx context.Context, p *paper) error {
	const wait = 300 * time.Millisecond
	for _, k := range []struct{ name, rule, want string }{
		{"timeout", "", "503, no Retry-After"},
		{"timeout-honest", "http-after-response set-header Retry-After 1 if { status 503 }", "503, Retry-After: 1"},
	} {
		s, err := newStand()
		if err != nil {
			return err
		}
		defer s.close()
		c, _, err := s.haproxyCrowd(ctx, 1, "roundrobin\n  "+k.rule, fmt.Sprintf("timeout queue %dms", wait.Milliseconds()), []int64{1}, 1)
		if err != nil {
			return err
		}
		stays, _, err := c.come(ctx, 0)
		if err != nil {
			return err
		}
		begin := time.Now()
		a, err := c.pass(ctx, 0, "/")
		if err != nil {
			return err
		}
		took := time.Since(begin)
		if err := c.leave(stays); err != nil {
			return err
		}
		p.fact(k.name+".told", a.said())
		p.fact(k.name+".ms", took.Milliseconds())
		p.claim(a.said() == k.want, "%s: HAProxy says %s", k.name, a.said())
		p.claim(took >= wait && took < 2*wait, "%s: after %v, asked for %v", k.name, took.Round(time.Millisecond), wait)
		s.close()
	}
	return nil
}
