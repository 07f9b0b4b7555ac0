package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"

	"seedbed/chapters/route"
)

// failuresConf is nginx before a backend that fails and another for when it has. Nobody listens at the address of "gone". NEXT is a
// line or nothing.
const failuresConf = `upstream failing {
    server 127.7.0.1:7070 max_fails=0;
    server 127.7.0.2:7070 backup;
}
upstream gone {
    server 127.7.0.9:7070 max_fails=0;
    server 127.7.0.2:7070 backup;
}
upstream ejected {
    server 127.7.0.1:7070 max_fails=1 fail_timeout=1s;
    server 127.7.0.2:7070;
}
server {
    listen LISTEN;
    NEXT
    location /gone { proxy_pass http://gone; }
    location /lost { proxy_pass http://failing; }
    location /503 { proxy_pass http://failing; }
    location /ejected { proxy_pass http://ejected; }
}`

// failings are the ways in which the first backend fails, and what each is to a Retrier.
var failings = []struct {
	name string
	to   route.Failed
}{{"gone", route.NotSent}, {"lost", route.Lost}, {"503", route.Unavailable}}

// nexts are what nginx is told about when to ask another backend.
var nexts = []struct {
	name, line string
	safe       bool // a POST may be repeated
	same       int  // in how many of the six cases nginx does what a Retrier does
}{
	{"default", "", false, 5}, // the 503 of a GET is passed on
	{"with-503", "proxy_next_upstream error timeout http_503;", false, 6},
	{"non-idempotent", "proxy_next_upstream error timeout http_503 non_idempotent;", true, 6},
}

// failing is a backend that fails as the address asks: /lost breaks off after the request, /503 says so, and all else is well.
func failing(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Peer", "a")
	switch r.URL.Path {
	case "/503":
		w.WriteHeader(http.StatusServiceUnavailable)
	case "/lost", "/ejected/lost":
		panic(http.ErrAbortHandler)
	}
}

// dice is a Source; here nothing depends on what it gives.
type dice struct{ r *rand.Rand }

// Below is one of 0..n−1.
func (d dice) Below(n int64) int64 { return d.r.Int64N(n) }

// serveAt starts a backend with a handler of its own.
func (s *stand) serveAt(i int, handler http.HandlerFunc) error {
	l, err := net.Listen("tcp", peerAddress(i))
	if err != nil {
		return err
	}
	server := &http.Server{ReadHeaderTimeout: patience, Handler: handler}
	go func() { _ = server.Serve(l) }()
	s.undo = append(s.undo, func() { _ = server.Close() })
	return nil
}

// failuresGateway starts nginx and both backends.
func (s *stand) failuresGateway(ctx context.Context, next string) (string, error) {
	if err := s.serveAt(0, failing); err != nil {
		return "", err
	}
	if err := s.serveAt(1, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Peer", "b") }); err != nil {
		return "", err
	}
	return s.nginx(ctx, 1, "crit", strings.Replace(failuresConf, "NEXT", next, 1))
}

// askFailures holds what nginx tries again, and for how long it leaves a failed backend alone, against package route.
func askFailures(ctx context.Context, p *paper) error {
	p.raw("conf", "%s", failuresConf)
	var lines []string
	for _, n := range nexts {
		more, err := askNext(ctx, p, n.name, n.line, n.safe, n.same)
		if err != nil {
			return fmt.Errorf("%s: %w", n.name, err)
		}
		lines = append(lines, more...)
	}
	p.raw("next", "%s", strings.Join(lines, "\n"))
	return askEjection(ctx, p)
}

// askNext sends a GET and a POST into each way of failing.
func askNext(ctx context.Context, p *paper, name, line string, safe bool, want int) (lines []string, err error) {
	s, err := newStand()
	if err != nil {
		return nil, err
	}
	defer s.close()
	addr, err := s.failuresGateway(ctx, line)
	if err != nil {
		return nil, err
	}
	same, of := 0, 0
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for _, f := range failings {
			a, err := newDoor().do(ctx, method, addr, "/"+f.name)
			if err != nil {
				return nil, err
			}
			retrier, err := route.NewRetrier(route.RetryConfig{Attempts: 2, Budget: route.BudgetConfig{Percent: 100, TTL: patience.Nanoseconds()}})
			if err != nil {
				return nil, err
			}
			retrier.FirstAt(0)
			ours := retrier.NextAt(0, route.Attempt{Number: 1, Failed: f.to, Safe: safe || method == http.MethodGet, Told: -1, Deadline: route.NoDeadline}, dice{rand.New(rand.NewPCG(1, 1))})
			of++
			same += int(one(ours.OK == (a.from == "b")))
			p.fact(name+"."+method+"."+f.name, fmt.Sprintf("%d", a.status))
			lines = append(lines, fmt.Sprintf("%-15s %-5s %-5s nginx: %s  ours: %s", name, method, f.name, a.tried(), ours.Stop))
		}
	}
	p.fact(name+".same", same)
	p.fact(name+".of", of)
	p.claim(same == want, "%s: in %d of %d cases nginx tries again where ours does (%d)", name, want, of, same)
	return lines, nil
}

// tried says whether the other backend was asked, in as many letters either way.
func (a *answer) tried() string {
	if a.from == "b" {
		return fmt.Sprintf("asks b, %d    ", a.status)
	}
	return fmt.Sprintf("does not, %d  ", a.status)
}

// ejection is for how long the failed backend is left alone: fail_timeout, and the ejection of ours.
const ejection = time.Second

// askEjection lets a backend fail once, and then asks every 20 ms until it gets a request again.
func askEjection(ctx context.Context, p *paper) error {
	s, err := newStand()
	if err != nil {
		return err
	}
	defer s.close()
	addr, err := s.failuresGateway(ctx, "")
	if err != nil {
		return err
	}
	out := ejection.Nanoseconds()
	ours, err := route.NewPool(route.Config{
		Policy: route.Smooth, Peers: []route.Peer{{Name: "a", Weight: 1}, {Name: "b", Weight: 1}},
		Outlier: route.Outlier{Consecutive: 1, BaseEjection: out, MaxEjection: out, Interval: out, MaxPercent: 100},
	})
	if err != nil {
		return err
	}
	d := newDoor()
	first := ours.PickAt(0, nil)
	if a, err := d.do(ctx, http.MethodGet, addr, "/ejected/lost"); err != nil || a.from != "b" || first.Peer != 0 {
		return fmt.Errorf("the first request is answered by %q, and ours sends it to %s: %w", a.from, peerName(first.Peer), err)
	}
	begin := time.Now()
	ours.DoneAt(0, first.Lease, route.Failure)
	var real, us time.Duration
	for real == 0 || us == 0 {
		time.Sleep(20 * time.Millisecond)
		at := time.Since(begin)
		if at > 5*ejection {
			return fmt.Errorf("a gets nothing for %v after one failure", at)
		}
		a, err := d.do(ctx, http.MethodGet, addr, "/ejected/well")
		if err != nil {
			return err
		}
		c := ours.PickAt(at.Nanoseconds(), nil)
		ours.DoneAt(at.Nanoseconds(), c.Lease, route.Success)
		if real == 0 && a.from == "a" {
			real = at
		}
		if us == 0 && c.Peer == 0 {
			us = at
		}
	}
	p.fact("ejection.ms", real.Milliseconds())
	p.fact("ejection.ours", us.Milliseconds())
	p.claim(real >= ejection && real < 2*ejection+200*time.Millisecond, "ejection: nginx leaves a failed backend alone for 1 to 2 s (%d ms)", real.Milliseconds())
	p.claim(us >= ejection && us < ejection+200*time.Millisecond, "ejection: ours for 1 s (%d ms)", us.Milliseconds())
	return nil
}
