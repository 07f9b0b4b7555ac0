package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"seedbed/chapters/route"
)

// turnsConf is a gateway that only chooses. POLICY is least_conn or nothing, SERVERS the lines of the peers.
const turnsConf = `upstream peers {
    POLICY
    SERVERS
}
server {
    listen LISTEN;
    location / { proxy_pass http://peers; }
}`

// turn is one arrangement of peers: weights and places, 0 for no bound.
type turn struct {
	name     string
	least    bool
	weights  []int64
	places   []int64
	requests int
	stay     bool
}

// The arrangements of the page turns.
var turns = []turn{
	{"weights", false, []int64{5, 1, 1}, []int64{0, 0, 0}, 21, false},
	{"places", false, []int64{5, 2, 1}, []int64{4, 2, 1}, 400, true},
	{"least", true, []int64{1, 1, 1}, []int64{0, 0, 0}, 400, true},
	{"least-weights", true, []int64{5, 2, 1}, []int64{6, 3, 2}, 400, true},
}

// servers are the lines of an upstream.
func (t *turn) servers() string {
	var lines []string
	for i, w := range t.weights {
		s := "server " + peerAddress(i)
		if w > 1 {
			s += fmt.Sprintf(" weight=%d", w)
		}
		if t.places[i] > 0 {
			s += fmt.Sprintf(" max_conns=%d", t.places[i])
		}
		lines = append(lines, s+";")
	}
	return strings.Join(lines, "\n    ")
}

// config is ours for the same.
func (t *turn) config() route.Config {
	cfg := route.Config{Policy: route.Smooth}
	if t.least {
		cfg.Policy = route.LeastConn
	}
	for i, w := range t.weights {
		cfg.Peers = append(cfg.Peers, route.Peer{Name: peerName(i), Weight: w, MaxConns: t.places[i]})
	}
	return cfg
}

// askTurns holds nginx's choices against those of route.Pool.
func askTurns(ctx context.Context, p *paper) error {
	p.raw("conf", "%s", turnsConf)
	for _, t := range turns {
		tally, err := t.run(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		p.tally(t.name, tally)
		p.claim(tally.same == tally.of, "%s: all %d choices are the same", t.name, tally.of)
		p.raw(t.name, "nginx  %s …\nours   %s …", line(tally.real[:21]), line(tally.ours[:21]))
		p.fact(t.name+".servers", strings.ReplaceAll(t.servers(), "\n    ", "\n"))
		refusals := 0
		for _, peer := range tally.real {
			if peer == refused {
				refusals++
			}
		}
		p.fact(t.name+".refused", refusals)
	}
	return nil
}

func (t *turn) run(ctx context.Context) (tally, error) {
	s, err := newStand()
	if err != nil {
		return tally{}, err
	}
	defer s.close()
	ps, err := s.newPeers(len(t.weights))
	if err != nil {
		return tally{}, err
	}
	policy := "least_conn;"
	if !t.least {
		policy = "# smooth weighted round robin is what there is without a word"
	}
	addr, err := s.nginx(ctx, 1, "error", strings.NewReplacer("POLICY", policy, "SERVERS", t.servers()).Replace(turnsConf))
	if err != nil {
		return tally{}, err
	}
	c, err := newCrowd(ctx, addr, ps, 1)
	if err != nil {
		return tally{}, err
	}
	ours, err := route.NewWorkers(t.config(), 1, false)
	if err != nil {
		return tally{}, err
	}
	var luck *rand.Rand
	if t.stay {
		luck = rand.New(rand.NewPCG(5, 1))
	}
	return play(ctx, c, &ours, t.requests, luck)
}
