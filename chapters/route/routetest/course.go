package routetest

import (
	"fmt"

	"seedbed/chapters/route"
)

// random is a stream of numbers: SplitMix64 (Steele, Lea and Flood, 2014).
type random uint64

func (r *random) below(n int) int {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// course is one balancer on its way through a schedule, with what ought to be true of its peers.
type course struct {
	random random
	seed   uint64
	inner  Balancer
	peers  []route.Peer
	now    int64
	flight []int64 // in flight, by peer
	open   []int   // peers of the requests in flight, the oldest first
	down   []bool
	got    []int // picks, by peer
	log    []call
}

// call is one call of the balancer, to be shown when a claim fails.
type call struct {
	at   int64
	kind kind
	peer int
}

type kind uint8

const (
	picked kind = iota
	refused
	done
	failed
	up
	down
)

var kinds = [...]string{"pick → peer %d", "pick → refused", "done, peer %d", "failed, peer %d", "peer %d is up", "peer %d is down"}

// start makes a fresh balancer.
func (c *course) start(g *Target, peers []route.Peer) {
	c.peers = peers
	c.inner = g.New(append([]route.Peer(nil), peers...), c.seed)
	c.flight, c.down, c.got = make([]int64, len(peers)), make([]bool, len(peers)), make([]int, len(peers))
	c.open, c.log = nil, nil
}

// draw makes up to 12 peers; room 0 means no limit.
func (c *course) draw(weights, room int) []route.Peer {
	peers := make([]route.Peer, 1+c.random.below(12))
	for i := range peers {
		peers[i] = route.Peer{Name: "p" + string(rune('a'+i)), Weight: int64(1 + c.random.below(weights))}
		if room > 0 {
			peers[i].MaxConns = int64(1 + c.random.below(room))
		}
	}
	return peers
}

func (c *course) said(k kind, peer int) { c.log = append(c.log, call{c.now, k, peer}) }

// tail is the last calls, for a failure.
func (c *course) tail() string {
	out := ""
	for _, l := range c.log[max(0, len(c.log)-8):] {
		line := kinds[l.kind]
		if l.kind != refused {
			line = fmt.Sprintf(line, l.peer)
		}
		out += fmt.Sprintf("\n  at %d: %s", l.at, line)
	}
	return out
}

// pick sends a request and says what is wrong with the peer, "" when nothing is; peer is −1 when it was refused.
func (c *course) pick() (peer int, wrong string) {
	peer, ok := c.inner.Pick(c.now)
	if !ok {
		c.said(refused, -1)
		return -1, ""
	}
	c.said(picked, peer)
	if peer < 0 || peer >= len(c.peers) {
		return peer, fmt.Sprintf("peer %d of %d", peer, len(c.peers))
	}
	c.flight[peer]++
	c.open = append(c.open, peer)
	c.got[peer]++
	return peer, ""
}

// end ends a request in flight, by its place among them.
func (c *course) end(k int, blame bool) {
	peer := c.open[k]
	c.open = append(c.open[:k], c.open[k+1:]...)
	c.flight[peer]--
	how := done
	if blame {
		how = failed
	}
	c.said(how, peer)
	c.inner.Done(c.now, peer, blame)
}

func (c *course) health(peer int, well bool) {
	c.down[peer] = !well
	how := down
	if well {
		how = up
	}
	c.said(how, peer)
	c.inner.SetHealth(c.now, peer, well)
}

// room reports whether a peer may be chosen.
func (c *course) room(i int) bool {
	return !c.down[i] && (c.peers[i].MaxConns == 0 || c.flight[i] < c.peers[i].MaxConns)
}

func (c *course) anyRoom() bool {
	for i := range c.peers {
		if c.room(i) {
			return true
		}
	}
	return false
}

// nothing as a peer says that a step was no pick.
const nothing = -2

// step does something at random. After a pick it returns the peer, −1 when it was refused, and what is wrong with it.
func (c *course) step() (peer int, wrong string) {
	c.now += int64(c.random.below(5)) * 1_000_000
	switch op := c.random.below(10); {
	case op < 3 && len(c.open) > 0:
		c.end(c.random.below(len(c.open)), false)
	case op == 3:
		i := c.random.below(len(c.peers))
		c.health(i, c.down[i])
	default:
		return c.pick()
	}
	return nothing, ""
}
