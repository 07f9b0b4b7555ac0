package main

import (
	"context"
	"fmt"
	"strings"

	"seedbed/chapters/route"
	"seedbed/labs"
	"seedbed/labs/routing"
)

// placesConf bounds each peer to two requests. ZONE, KEEPALIVE and PROXY are lines or nothing.
const placesConf = `upstream peers {
    ZONE
    server 127.7.0.1:7070 max_conns=2;
    SECOND
    KEEPALIVE
}
server {
    listen LISTEN reuseport;
    add_header X-Worker $pid always;
    location /worker { return 200 $pid; }
    location / { proxy_pass http://peers; PROXY }
}`

// zoneLine makes workers count together.
const zoneLine = "zone peers 64k;"

// count is one way to count places.
type count struct {
	name    string
	workers int
	shared  bool
}

// The ways to count of the page max-conns.
var counts = []count{
	{"one", 1, false},
	{"one-zone", 1, true},
	{"two", 2, false},
	{"two-zone", 2, true},
}

// query is the Spec of the lab for the same: two peers of two places are its default.
func (k *count) query() string {
	memory := "own"
	if k.shared {
		memory = "shared"
	}
	return fmt.Sprintf("workers=%d&memory=%s&length=%d", k.workers, memory, placesRequests)
}

// placesRequests is how many requests come and stay: more than two peers of two places hold for each of two workers.
const placesRequests = 12

// askPlaces holds nginx's max_conns against route.Workers and against the lab route-capacity.
func askPlaces(ctx context.Context, p *paper) error {
	p.raw("conf", "%s", placesConf)
	for _, c := range counts {
		if err := c.ask(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	if err := askFreedPlace(ctx, p); err != nil {
		return fmt.Errorf("a place that comes free: %w", err)
	}
	if err := askIdle(ctx, p); err != nil {
		return fmt.Errorf("idle: %w", err)
	}
	return askRefusals(ctx, p)
}

// gateway starts nginx before n peers of two places each.
func (s *stand) placesGateway(ctx context.Context, n, workers int, shared bool, keepalive string) (*crowd, *peers, error) {
	ps, err := s.newPeers(n)
	if err != nil {
		return nil, nil, err
	}
	zone, second, proxy := "", "", ""
	if shared {
		zone = zoneLine
	}
	if n == 2 {
		second = "server 127.7.0.2:7070 max_conns=2;"
	}
	if keepalive != "" {
		proxy = `proxy_http_version 1.1; proxy_set_header Connection "";`
	}
	addr, err := s.nginx(ctx, workers, "error", strings.NewReplacer("ZONE", zone, "SECOND", second, "KEEPALIVE", keepalive, "PROXY", proxy).Replace(placesConf))
	if err != nil {
		return nil, nil, err
	}
	c, err := newCrowd(ctx, addr, ps, workers)
	return c, ps, err
}

// placesPool is ours for the same.
func placesPool(n int) route.Config {
	cfg := route.Config{Policy: route.Smooth}
	for i := range n {
		cfg.Peers = append(cfg.Peers, route.Peer{Name: peerName(i), Weight: 1, MaxConns: 2})
	}
	return cfg
}

// ask lets requests come, at the workers in turn, that all stay.
func (k *count) ask(ctx context.Context, p *paper) error {
	s, err := newStand()
	if err != nil {
		return err
	}
	defer s.close()
	c, ps, err := s.placesGateway(ctx, 2, k.workers, k.shared, "")
	if err != nil {
		return err
	}
	ours, err := route.NewWorkers(placesPool(2), k.workers, k.shared)
	if err != nil {
		return err
	}
	var t tally
	var inside []*guest
	most := int64(0)
	for i := range placesRequests {
		d := ours.Pool(i%k.workers).PickAt(int64(i), nil)
		g, a, err := c.come(ctx, i%k.workers)
		if err != nil {
			return err
		}
		if g != nil {
			inside = append(inside, g)
		} else {
			p.fact("full.status", a.status)
		}
		t.note(a.peer, d.Peer)
		for peer := range 2 {
			most = max(most, ours.InFlight(peer))
		}
	}
	peak, _ := ps.peaks()
	for _, g := range inside {
		if err := c.leave(g); err != nil {
			return err
		}
	}
	lab, err := metricOf(k.query(), "peak-active")
	if err != nil {
		return err
	}
	p.tally(k.name, t)
	p.fact(k.name+".peak", peak)
	p.fact(k.name+".lab", lab)
	p.raw(k.name, "nginx  %s\nours   %s", line(t.real), line(t.ours))
	p.claim(t.same == t.of, "%s: all %d choices are the same", k.name, t.of)
	p.claim(int64(peak) == most && int64(peak) == lab, "%s: a backend has %d requests at most with nginx, with route and in the lab", k.name, peak)
	return nil
}

// metricOf runs route-capacity and returns one of its metrics.
func metricOf(query, metric string) (int64, error) {
	spec, err := labs.ParseQuery(routing.RouteCapacity, query)
	if err != nil {
		return 0, err
	}
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		return 0, err
	}
	return trace.Metrics[routing.RouteCapacity.Metric(metric)], nil
}

// askFreedPlace fills both peers, lets b finish one request, and sends two more.
func askFreedPlace(ctx context.Context, p *paper) error {
	s, err := newStand()
	if err != nil {
		return err
	}
	defer s.close()
	c, _, err := s.placesGateway(ctx, 2, 1, true, "")
	if err != nil {
		return err
	}
	ours, err := route.NewPool(placesPool(2))
	if err != nil {
		return err
	}
	var t tally
	var guests []*guest
	var leases []route.Lease
	come := func() error {
		d := ours.PickAt(int64(t.of), nil)
		g, a, err := c.come(ctx, 0)
		if err != nil {
			return err
		}
		if g != nil && d.OK {
			guests, leases = append(guests, g), append(leases, d.Lease)
		}
		t.note(a.peer, d.Peer)
		return nil
	}
	for i := range 7 {
		if i == 5 { // b's first request was the second of all
			ours.DoneAt(int64(t.of), leases[1], route.Success)
			if err := c.leave(guests[1]); err != nil {
				return err
			}
		}
		if err := come(); err != nil {
			return err
		}
	}
	p.tally("freed", t)
	p.fact("freed.line", line(t.real))
	p.raw("freed", "nginx  %s\nours   %s", line(t.real), line(t.ours))
	p.claim(t.same == t.of && line(t.real) == "a b a b – b –", "freed: %s is a b a b – b – with both", line(t.real))
	for i, g := range guests {
		if i != 1 {
			if err := c.leave(g); err != nil {
				return err
			}
		}
	}
	return nil
}

// askIdle counts connections to one backend of two places, first from one worker and then, when those are idle, from the other.
func askIdle(ctx context.Context, p *paper) error {
	s, err := newStand()
	if err != nil {
		return err
	}
	defer s.close()
	c, ps, err := s.placesGateway(ctx, 1, 2, true, "keepalive 8;")
	if err != nil {
		return err
	}
	idle := [2]route.Idle{}
	for i := range idle {
		if idle[i], err = route.NewIdle(route.IdleConfig{Keep: 8, Timeout: 60_000_000_000}); err != nil {
			return err
		}
	}
	most := 0
	for worker := range 2 {
		var inside []*guest
		for range 2 {
			g, a, err := c.come(ctx, worker)
			if err != nil {
				return err
			}
			if g == nil {
				return fmt.Errorf("worker %d answers %d", worker, a.status)
			}
			idle[worker].TakeAt(0, 0)
			inside = append(inside, g)
			most = max(most, len(inside)+idle[0].Len()+idle[1].Len())
		}
		for _, g := range inside {
			idle[worker].PutAt(0, 0)
			if err := c.leave(g); err != nil {
				return err
			}
		}
	}
	requests, connections := ps.peaks()
	p.fact("idle.requests", requests)
	p.fact("idle.connections", connections)
	p.fact("idle.ours", most)
	p.claim(connections == most && connections > requests, "idle: %d requests and %d connections at most; ours %d", requests, connections, most)
	return nil
}
