package main

import (
	"context"
	"fmt"
	"net/http"

	"seedbed/chapters/route"
)

// busyConf is nginx before one peer of one place, as it is and told to say what a full gateway should say; and a rate limit, both ways.
const busyConf = `limit_req_zone $server_port zone=all:1m rate=1r/m;
upstream peers {
    zone peers 64k;
    server 127.7.0.1:7070 max_conns=1;
}
server {
    listen LISTEN;
    root .;
    location / { proxy_pass http://peers; }
    location /honest {
        proxy_pass http://peers/;
        error_page 502 = @busy;
    }
    location @busy {
        add_header Retry-After 1 always;
        return 503;
    }
    location /limited/ { limit_req zone=all; }
    location /limited-429/ {
        limit_req zone=all;
        limit_req_status 429;
        error_page 429 = @slow;
    }
    location @slow {
        add_header Retry-After 60 always;
        return 429;
    }
}`

// said is a status with its Retry-After, as "503, Retry-After: 1".
func (a answer) said() string {
	if a.retryAfter == "" {
		return fmt.Sprintf("%d, no Retry-After", a.status)
	}
	return fmt.Sprintf("%d, Retry-After: %s", a.status, a.retryAfter)
}

// askRefusals asks what a refused client is told.
func askRefusals(ctx context.Context, p *paper) error {
	p.raw("busy-conf", "%s", busyConf)
	s, err := newStand()
	if err != nil {
		return err
	}
	defer s.close()
	ps, err := s.newPeers(1)
	if err != nil {
		return err
	}
	addr, err := s.nginx(ctx, 1, "error", busyConf)
	if err != nil {
		return err
	}
	c, err := newCrowd(ctx, addr, ps, 1)
	if err != nil {
		return err
	}
	stays, _, err := c.come(ctx, 0)
	if err != nil {
		return err
	}
	told := map[string]answer{}
	for _, at := range []struct{ name, path string }{
		{"full", "/"}, {"honest", "/honest"}, {"first", "/limited/"}, {"limited", "/limited/"}, {"limited-429", "/limited-429/"},
	} {
		if told[at.name], err = c.pass(ctx, 0, at.path); err != nil {
			return fmt.Errorf("%s: %w", at.path, err)
		}
		p.fact("told."+at.name, told[at.name].said())
	}
	if err := c.leave(stays); err != nil {
		return err
	}
	ours, err := route.NewPool(route.Config{Peers: []route.Peer{{Name: "a", Weight: 1, MaxConns: 1}}})
	if err != nil {
		return err
	}
	ours.PickAt(0, nil)
	d := ours.PickAt(0, nil)
	us := answer{status: http.StatusServiceUnavailable, retryAfter: fmt.Sprint(route.RetryAfterSeconds(d.RetryAfter))}
	p.fact("told.ours", us.said())
	p.fact("told.reason", d.Reason)
	p.claim(told["full"].said() == "502, no Retry-After", "full: nginx says %s", told["full"].said())
	p.claim(told["honest"].said() == us.said(), "full, told to be honest: nginx says %s, ours %s", told["honest"].said(), us.said())
	p.claim(told["limited"].said() == "503, no Retry-After", "limit_req: nginx says %s", told["limited"].said())
	p.claim(told["limited-429"].said() == "429, Retry-After: 60", "limit_req with a status: nginx says %s", told["limited-429"].said())
	return nil
}
