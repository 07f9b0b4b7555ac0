package main

import (
	"context"
	"fmt"
	"strings"

	"seedbed/chapters/ring"
)

// The members and keys of the page hashing, and the member that goes.
const (
	ringNodes = 8
	ringKeys  = 4000
	ringGone  = 3
)

// ringHTTP is nginx before members chosen by a key. HOW is nothing or "consistent", SERVERS the lines.
const ringHTTP = `upstream peers {
    hash $arg_k HOW;
    SERVERS
}
server {
    listen LISTEN;
    keepalive_requests 100000;
    location / { proxy_pass http://peers; }
}`

// ringHAProxy is HAProxy before members chosen by a key.
const ringHAProxy = `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend in
  bind LISTEN
  default_backend peers
backend peers
  balance url_param k
  hash-type consistent
  SERVERS`

// way is one way to own keys, asked of a real program: with a set of members, who owns each key?
type way struct {
	name    string
	program string
	members func(present []int) string // the configuration
	why     func(present []int) owner  // the program's own arithmetic, nil where none is given
}

// owner says which of the present members, by its number among all, owns a key.
type owner func(key string) int

// The ways of the page hashing.
var ways = []way{
	{"nginx", "nginx", nginxMembers("consistent"), func(present []int) owner {
		r := newCRCRing(addresses(present))
		return func(key string) int { return present[r.owner(key)] }
	}},
	{"nginx-modulo", "nginx", nginxMembers(""), nil},
	{"haproxy-1", "haproxy", haproxyMembers(1, true), haproxyRing(1, true)},
	{"haproxy-10", "haproxy", haproxyMembers(10, true), haproxyRing(10, true)},
	{"haproxy-renumbered", "haproxy", haproxyMembers(10, false), haproxyRing(10, false)},
}

func addresses(present []int) []string {
	var all []string
	for _, i := range present {
		all = append(all, peerAddress(i))
	}
	return all
}

func nginxMembers(how string) func([]int) string {
	return func(present []int) string {
		servers := "server " + strings.Join(addresses(present), ";\n    server ") + ";"
		conf := strings.NewReplacer("HOW", how, "SERVERS", servers).Replace(ringHTTP)
		return strings.Replace(conf, " ;", ";", 1)
	}
}

// haproxyMembers gives each server a number of its own when they are to be named; else HAProxy numbers the lines from 1.
func haproxyMembers(weight int, named bool) func([]int) string {
	return func(present []int) string {
		var lines []string
		for _, i := range present {
			l := fmt.Sprintf("server %s %s weight %d", peerName(i), peerAddress(i), weight)
			if named {
				l += fmt.Sprintf(" id %d", i+1)
			}
			lines = append(lines, l)
		}
		return strings.Replace(ringHAProxy, "SERVERS", strings.Join(lines, "\n  "), 1)
	}
}

func haproxyRing(weight int, named bool) func([]int) owner {
	return func(present []int) owner {
		var ids []int
		for line, i := range present {
			id := line + 1
			if named {
				id = i + 1
			}
			ids = append(ids, id)
		}
		r := newJenkinsRing(ids, weight)
		return func(key string) int { return present[r.owner(key)] }
	}
}

// keys are what is asked for.
func keys() []string {
	all := make([]string, ringKeys)
	for i := range all {
		all[i] = fmt.Sprintf("user-%d", i)
	}
	return all
}

// allMembers and withoutOne are the two sets.
func allMembers() (present []int) {
	for i := range ringNodes {
		present = append(present, i)
	}
	return present
}

func withoutOne() (present []int) {
	for i := range ringNodes {
		if i != ringGone {
			present = append(present, i)
		}
	}
	return present
}

// askRings holds nginx's and HAProxy's owners against those of package ring, before and after a member goes.
func askRings(ctx context.Context, p *paper) error {
	p.raw("conf-haproxy", "%s", ringHAProxy)
	p.raw("conf", "%s", ringHTTP)
	found := map[string]spread{}
	for _, w := range ways {
		before, err := w.owners(ctx, allMembers())
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		later, err := w.owners(ctx, withoutOne())
		if err != nil {
			return fmt.Errorf("%s without %s: %w", w.name, peerName(ringGone), err)
		}
		m := compare(before, later)
		m.put(p, w.name)
		found[w.name] = m
		if w.why != nil {
			all, rest, same := w.why(allMembers()), w.why(withoutOne()), 0
			for i, k := range keys() {
				same += int(one(all(k) == before[i])) + int(one(rest(k) == later[i]))
			}
			p.fact(w.name+".twin", same)
			p.fact(w.name+".asked", 2*ringKeys)
			p.claim(same == 2*ringKeys, "%s: its own arithmetic, in Go, gives all %d owners (%d)", w.name, 2*ringKeys, same)
		}
		if w.name == "nginx-modulo" || w.name == "haproxy-renumbered" {
			p.claim(m.needless > 0, "%s: keys move needlessly (%d)", w.name, m.needless)
		} else {
			p.claim(m.needless == 0, "%s: only keys of the member that went move (%d others)", w.name, m.needless)
		}
		if w.name == "nginx" {
			if err := againstOurs(p, before); err != nil {
				return err
			}
		}
	}
	few, many := found["haproxy-1"].fullest, found["haproxy-10"].fullest
	p.claim(few > many, "haproxy-1: the fullest server of 16 points has more than that of 160 (%d, %d)", few, many)
	p.claim(found["nginx-modulo"].moved > ringKeys/2, "nginx-modulo: most keys move (%d)", found["nginx-modulo"].moved)
	return ourWays(p)
}

// owners asks a real program for the owner of every key.
func (w *way) owners(ctx context.Context, present []int) ([]int, error) {
	s, err := newStand()
	if err != nil {
		return nil, err
	}
	defer s.close()
	ps, err := s.newPeers(ringNodes)
	if err != nil {
		return nil, err
	}
	start := func() (string, error) { return s.haproxy(ctx, 1, w.members(present)) }
	if w.program == "nginx" {
		start = func() (string, error) { return s.nginx(ctx, 1, "error", w.members(present)) }
	}
	addr, err := start()
	if err != nil {
		return nil, err
	}
	c, err := newCrowd(ctx, addr, ps, 1)
	if err != nil {
		return nil, err
	}
	var all []int
	for _, k := range keys() {
		a, err := c.pass(ctx, 0, "/?k="+k)
		if err != nil {
			return nil, err
		}
		if a.peer == refused {
			return nil, fmt.Errorf("%s is answered with %d", k, a.status)
		}
		all = append(all, a.peer)
	}
	return all, nil
}

// spread is how even a distribution is and what a change moves.
type spread struct{ fullest, moved, needless int }

// compare counts owners before and after a member went. A key moves needlessly when its owner stayed.
func compare(before, later []int) spread {
	var s spread
	counts := map[int]int{}
	for i := range before {
		counts[before[i]]++
		s.fullest = max(s.fullest, counts[before[i]])
		if before[i] != later[i] {
			s.moved++
			s.needless += int(one(before[i] != ringGone))
		}
	}
	return s
}

func (s *spread) put(p *paper, name string) {
	p.fact(name+".fullest", fmt.Sprintf("%.2f", float64(s.fullest)*ringNodes/ringKeys))
	p.fact(name+".moved", s.moved)
	p.fact(name+".needless", s.needless)
}

// snapshotOf is a way of package ring over the members' addresses.
func snapshotOf(name string, present []int) (ring.Snapshot, error) {
	members := ring.Equal(addresses(present)...)
	switch name {
	case "ketama":
		return ring.NewKetama(members)
	case "modulo":
		return ring.NewModulo(ring.HashConfig{}, members)
	case "ring-16":
		return ring.New(ring.Config{Points: 16}, members)
	}
	return ring.New(ring.Config{}, members)
}

// ownersOf are the owners of all keys, by number.
func ownersOf(name string, present []int) ([]int, error) {
	s, err := snapshotOf(name, present)
	if err != nil {
		return nil, err
	}
	number := map[string]int{}
	for _, i := range present {
		number[peerAddress(i)] = i
	}
	var all []int
	for _, k := range keys() {
		o, _ := s.Owner(k)
		all = append(all, number[o])
	}
	return all, nil
}

// againstOurs counts the keys that nginx gives to the same member as ours do: one in eight, by chance.
func againstOurs(p *paper, nginx []int) error {
	for _, name := range []string{"ketama", "ring"} {
		ours, err := ownersOf(name, allMembers())
		if err != nil {
			return err
		}
		same := 0
		for i := range ours {
			same += int(one(ours[i] == nginx[i]))
		}
		p.fact(name+".same", same)
		chance := ringKeys / ringNodes
		p.claim(same > chance*3/4 && same < chance*5/4, "%s: nginx's owners are the same by chance only (%d of %d)", name, same, ringKeys)
	}
	p.fact("keys", ringKeys)
	return nil
}

// ourWays measures ours with the same members and keys.
func ourWays(p *paper) error {
	for _, name := range []string{"ring", "ring-16", "ketama", "modulo"} {
		before, err := ownersOf(name, allMembers())
		if err != nil {
			return err
		}
		later, err := ownersOf(name, withoutOne())
		if err != nil {
			return err
		}
		m := compare(before, later)
		m.put(p, name)
		if name == "modulo" {
			p.claim(m.moved > ringKeys/2, "%s: most keys move (%d)", name, m.moved)
		} else {
			p.claim(m.needless == 0, "%s: only keys of the member that went move (%d others)", name, m.needless)
		}
	}
	return nil
}
