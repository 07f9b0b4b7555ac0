package main

import (
	"fmt"
	"net"
	"net/http"
	"sync"
)

// peerPort is where every backend listens, each on an address of its own: what hashes a server's address hashes the same in each run.
const peerPort = "7070"

// peerAddress is where backend i listens.
func peerAddress(i int) string { return fmt.Sprintf("127.7.0.%d:%s", i+1, peerPort) }

// peerName is what backend i is called: a, b, c …
func peerName(i int) string { return string(rune('a' + i)) }

// refused stands for a peer where there is none.
const refused = -1

// peer is one backend. It counts what it has.
type peer struct {
	mu                           sync.Mutex
	inside, peak, open, peakOpen int
}

// visit is a request that stays at a backend until leave is closed; gone is closed when the backend no longer counts it.
type visit struct {
	peer        int
	number      string // of the request, as its client says
	leave, gone chan struct{}
}

// peers are all backends of an experiment.
type peers struct {
	all  []*peer
	came chan visit
}

func newCounters() *peers { return &peers{came: make(chan visit, 1024)} }

// newPeers starts n backends; they end with the stand.
func (s *stand) newPeers(n int) (*peers, error) {
	ps := newCounters()
	for i := range n {
		l, err := net.Listen("tcp", peerAddress(i))
		if err != nil {
			return nil, fmt.Errorf("backend %s: %w", peerName(i), err)
		}
		s.undo = append(s.undo, ps.add(l))
	}
	return ps, nil
}

// add starts one more backend, and returns what ends it.
func (ps *peers) add(l net.Listener) (end func()) {
	p, i := &peer{}, len(ps.all)
	server := &http.Server{
		ReadHeaderTimeout: patience, ConnState: p.connection,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { ps.serve(i, w, r) }),
	}
	ps.all = append(ps.all, p)
	go func() { _ = server.Serve(l) }()
	return func() { _ = server.Close() }
}

// serve answers with the backend's name, at once or, when the request says so, when it is let go.
func (ps *peers) serve(i int, w http.ResponseWriter, r *http.Request) {
	p := ps.all[i]
	w.Header().Set("X-Peer", peerName(i))
	v := visit{peer: i, number: r.Header.Get("X-Stay"), leave: make(chan struct{}), gone: make(chan struct{})}
	p.count(&p.inside, &p.peak, 1)
	if r.Header.Get("X-Stay") != "" {
		ps.came <- v
		select {
		case <-v.leave:
		case <-r.Context().Done():
		}
	}
	p.count(&p.inside, &p.peak, -1)
	close(v.gone)
}

func (p *peer) count(n, peak *int, by int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*n += by
	*peak = max(*peak, *n)
}

func (p *peer) connection(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		p.count(&p.open, &p.peakOpen, 1)
	case http.StateClosed, http.StateHijacked:
		p.count(&p.open, &p.peakOpen, -1)
	}
}

// peaks are the most requests and the most connections that one backend had.
func (ps *peers) peaks() (requests, connections int) {
	for _, p := range ps.all {
		p.mu.Lock()
		requests, connections = max(requests, p.peak), max(connections, p.peakOpen)
		p.mu.Unlock()
	}
	return requests, connections
}
