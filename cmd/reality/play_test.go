package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"seedbed/chapters/route"
)

// gatewayOfOurs is a gateway in this process that decides by a pool: a program to which our own code is the real one. So the harness
// is tested without nginx and HAProxy.
func gatewayOfOurs(t *testing.T, cfg route.Config) (*crowd, *peers) {
	t.Helper()
	ps := newCounters()
	var proxies []*httputil.ReverseProxy
	for range cfg.Peers {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(ps.add(l))
		proxies = append(proxies, httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: l.Addr().String()}))
	}
	pool, err := route.NewPool(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		d := pool.PickAt(0, nil)
		mu.Unlock()
		if !d.OK {
			w.Header().Set("Retry-After", fmt.Sprint(route.RetryAfterSeconds(d.RetryAfter)))
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		// The place is free before the client has its answer, as in nginx: else the next request could come too early.
		done := func() { mu.Lock(); defer mu.Unlock(); pool.DoneAt(0, d.Lease, route.Success) }
		proxies[d.Peer].ServeHTTP(&early{w, sync.OnceFunc(done)}, r)
	}))
	t.Cleanup(server.Close)
	c, err := newCrowd(context.Background(), server.Listener.Addr().String(), ps, 1)
	if err != nil {
		t.Fatal(err)
	}
	return c, ps
}

// early calls done before the answer begins.
type early struct {
	http.ResponseWriter
	done func()
}

func (e *early) WriteHeader(status int) { e.done(); e.ResponseWriter.WriteHeader(status) }

func TestPlay(t *testing.T) {
	places := turns[1].config()
	other := turns[1].config()
	other.Policy = route.LeastConn
	for _, c := range []struct {
		name  string
		ours  route.Config
		luck  *rand.Rand
		equal bool
	}{
		{"the same, nobody stays", places, nil, true},
		{"the same, some stay", places, rand.New(rand.NewPCG(1, 1)), true},
		{"another policy", other, rand.New(rand.NewPCG(1, 1)), false},
	} {
		gateway, ps := gatewayOfOurs(t, places)
		ours, err := route.NewWorkers(c.ours, 1, false)
		if err != nil {
			t.Fatal(err)
		}
		got, err := play(t.Context(), gateway, &ours, 120, c.luck)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got.of != 120 || len(got.real) != 120 || got.same == got.of != c.equal {
			t.Errorf("%s: %d of %d are the same\n%s\n%s", c.name, got.same, got.of, line(got.real), line(got.ours))
		}
		requests, connections := ps.peaks()
		if most := int(places.Peers[0].MaxConns); requests > most || connections < requests {
			t.Errorf("%s: a peer had %d requests over %d connections; want at most %d requests, each with one", c.name, requests, connections, most)
		}
	}
}

// TestRefusalIsRead: what a refused client is told comes through.
func TestRefusalIsRead(t *testing.T) {
	c, _ := gatewayOfOurs(t, route.Config{Peers: []route.Peer{{Name: "a", Weight: 1, MaxConns: 1}}})
	guest, _, err := c.come(t.Context(), 0)
	if err != nil || guest == nil || guest.peer != 0 {
		t.Fatalf("the first is at %+v, %v; want a", guest, err)
	}
	none, a, err := c.come(t.Context(), 0)
	if err != nil || none != nil || a.said() != "503, Retry-After: 1" {
		t.Errorf("the second: %+v, %q, %v; want a refusal with Retry-After", none, a.said(), err)
	}
	if err := c.leave(guest); err != nil {
		t.Error(err)
	}
	if a, err := c.pass(t.Context(), 0, "/"); err != nil || a.peer != 0 || a.said() != "200, no Retry-After" {
		t.Errorf("the third: %+v, %v; want to be let in", a, err)
	}
}

func TestLine(t *testing.T) {
	if got, want := line([]int{0, 2, refused, 1}), "a c – b"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(sent([]int{0, 2, refused, 0}, 3)), "[2 0 1]"; got != want {
		t.Errorf("sent: got %s, want %s", got, want)
	}
}

// TestLeastRules: who has none comes first by HAProxy's rule; by ours it depends on the weight only among the rest.
func TestLeastRules(t *testing.T) {
	weights := []int64{5, 2, 1}
	for _, c := range []struct {
		have         []int64
		chosen       int
		ours, theirs bool
	}{
		{[]int64{0, 0, 0}, 2, true, true},
		{[]int64{3, 1, 1}, 1, true, false}, // 3/5, 1/2, 1/1; with one more 4/5, 2/2, 2/1
		{[]int64{3, 1, 1}, 0, false, true},
		{[]int64{1, 0, 0}, 0, false, false}, // who has none
	} {
		if got := isLeast(c.have, weights, c.chosen, perWeight); got != c.ours {
			t.Errorf("%v, chosen %s: ours says %v", c.have, peerName(c.chosen), got)
		}
		if got := isLeast(c.have, weights, c.chosen, idleFirst); got != c.theirs {
			t.Errorf("%v, chosen %s: HAProxy's rule says %v", c.have, peerName(c.chosen), got)
		}
	}
}

// TestOurQueue: twenty come, four are let in, the others are served in the order of their coming.
func TestOurQueue(t *testing.T) {
	order, err := ourQueue()
	if err != nil {
		t.Fatal(err)
	}
	if len(order) != queueRequests {
		t.Fatalf("%d of %d are served: %v", len(order), queueRequests, order)
	}
	for i, o := range order {
		if o != served(i, 0) && o != served(i, 1) {
			t.Errorf("place %d: %s; want request %d", i, o, i)
		}
	}
}
