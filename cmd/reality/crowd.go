package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// crowd is the clients of a real gateway. Each request goes over a connection of its own choice, because a connection belongs to one
// worker of the gateway: so a request can be brought to the worker that it is meant for.
type crowd struct {
	addr    string
	peers   *peers
	workers []string // process ids in the order in which they were met; one "" for a gateway that has no such thing
	doors   map[string][]*door
}

// door is one connection to a worker.
type door struct {
	worker string
	client *http.Client
}

func newDoor() *door {
	return &door{client: &http.Client{Timeout: 3 * patience, Transport: &http.Transport{MaxConnsPerHost: 1}}}
}

// answer is what the gateway did with a request.
type answer struct {
	peer       int // refused when there is none
	status     int // 0 while the request stays
	retryAfter string
	from       string // name of the peer, as the answer says
	body       string
}

// guest is a request that stays at a peer.
type guest struct {
	peer  int
	visit visit
	door  *door
	done  chan reply
}

type reply struct {
	answer
	err error
}

// newCrowd finds the gateway's workers, which must answer /worker with their process ids when there are several.
func newCrowd(ctx context.Context, addr string, ps *peers, workers int) (*crowd, error) {
	c := &crowd{addr: addr, peers: ps, doors: map[string][]*door{}}
	if workers == 1 {
		c.workers = []string{""}
		return c, nil
	}
	for range 500 {
		d, err := c.knock(ctx)
		if err != nil {
			return nil, err
		}
		if c.doors[d.worker] == nil {
			c.workers = append(c.workers, d.worker)
		}
		c.doors[d.worker] = append(c.doors[d.worker], d)
		if len(c.workers) == workers {
			return c, nil
		}
	}
	return nil, fmt.Errorf("met %d of %d workers in 500 connections", len(c.workers), workers)
}

// knock opens a connection and asks whose it is.
func (c *crowd) knock(ctx context.Context) (*door, error) {
	d := newDoor()
	r, err := d.ask(ctx, c.addr, "/worker", "")
	if err == nil && r.status != http.StatusOK {
		err = fmt.Errorf("/worker answers %d", r.status)
	}
	d.worker = r.body
	return d, err
}

// door takes a connection to a worker that no request is using.
func (c *crowd) door(ctx context.Context, worker int) (*door, error) {
	want := c.workers[worker]
	for range 500 {
		if free := c.doors[want]; len(free) > 0 {
			c.doors[want] = free[:len(free)-1]
			return free[len(free)-1], nil
		}
		if want == "" {
			return newDoor(), nil
		}
		d, err := c.knock(ctx)
		if err != nil {
			return nil, err
		}
		c.doors[d.worker] = append(c.doors[d.worker], d)
	}
	return nil, fmt.Errorf("no connection of 500 came to worker %s", want)
}

// ask sends one request and reads the whole answer. It stays when it has a number.
func (d *door) ask(ctx context.Context, addr, path, stay string) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		return answer{}, err
	}
	if stay != "" {
		r.Header.Set("X-Stay", stay)
	}
	return d.answer(r)
}

// do sends one request of a method; a POST has a body.
func (d *door) do(ctx context.Context, method, addr, path string) (answer, error) {
	var body io.Reader
	if method == http.MethodPost {
		body = strings.NewReader("once")
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+addr+path, body)
	if err != nil {
		return answer{}, err
	}
	return d.answer(r)
}

func (d *door) answer(r *http.Request) (answer, error) {
	res, err := d.client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<16))
	if who := res.Header.Get("X-Worker"); err == nil && d.worker != "" && who != "" && who != d.worker {
		err = fmt.Errorf("worker %s answered on a connection to worker %s", who, d.worker)
	}
	a := answer{peer: refused, status: res.StatusCode, retryAfter: res.Header.Get("Retry-After"), from: res.Header.Get("X-Peer"), body: strings.TrimSpace(string(body))}
	if len(a.from) == 1 {
		a.peer = int(a.from[0] - 'a')
	}
	return a, err
}

// pass sends a request that does not stay.
func (c *crowd) pass(ctx context.Context, worker int, path string) (answer, error) {
	d, err := c.door(ctx, worker)
	if err != nil {
		return answer{}, err
	}
	a, err := d.ask(ctx, c.addr, path, "")
	c.free(d)
	return a, err
}

// come sends a request that stays, if it is let in: then there is a guest, else the answer that refused it.
func (c *crowd) come(ctx context.Context, worker int) (*guest, answer, error) {
	g, err := c.send(ctx, worker, "1")
	if err != nil {
		return nil, answer{}, err
	}
	select {
	case g.visit = <-c.peers.came:
		g.peer = g.visit.peer
		return g, answer{peer: g.peer}, nil
	case r := <-g.done:
		c.free(g.door)
		return nil, r.answer, r.err
	}
}

// send sends a request that stays, under a number, and does not wait to see what becomes of it.
func (c *crowd) send(ctx context.Context, worker int, number string) (*guest, error) {
	d, err := c.door(ctx, worker)
	if err != nil {
		return nil, err
	}
	g := &guest{peer: refused, door: d, done: make(chan reply, 1)}
	go func() {
		a, err := d.ask(ctx, c.addr, "/", number)
		g.done <- reply{a, err}
	}()
	return g, nil
}

// leave ends a guest's request, and returns when the client has its answer and the backend has forgotten it.
func (c *crowd) leave(g *guest) error {
	close(g.visit.leave)
	<-g.visit.gone
	r := <-g.done
	if r.err == nil && r.from != peerName(g.peer) {
		r.err = fmt.Errorf("a request that stayed at %s was answered by %q with %d", peerName(g.peer), r.from, r.status)
	}
	c.free(g.door)
	return r.err
}

func (c *crowd) free(d *door) {
	c.doors[d.worker] = append(c.doors[d.worker], d)
}
