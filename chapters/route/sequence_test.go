package route_test

import (
	"strings"
	"testing"

	"seedbed/chapters/route"
)

const (
	millisecond = 1_000_000
	second      = 1_000_000_000
)

// must unwraps what a constructor returns.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// equals makes peers of weight 1 with the same room, named "a", "b" …
func equals(n int, maxConns int64) []route.Peer {
	peers := make([]route.Peer, n)
	for i := range peers {
		peers[i] = route.Peer{Name: string(rune('a' + i)), Weight: 1, MaxConns: maxConns}
	}
	return peers
}

// weighted makes peers of these weights without a limit.
func weighted(weights ...int64) []route.Peer {
	peers := equals(len(weights), 0)
	for i, w := range weights {
		peers[i].Weight = w
	}
	return peers
}

// TestTwoPeersWithTwoPlaces is the sequence of the chapter: a, b, a, b, refused; a turns unhealthy and b frees a place: b, refused.
func TestTwoPeersWithTwoPlaces(t *testing.T) {
	for policy, want := range map[route.Policy]string{
		route.RoundRobin: "a, b, a, b, all full, b, all full",
		route.Smooth:     "a, b, a, b, all full, b, all full",
		// With one request each it is a tie again, and after a it is b's turn.
		route.LeastConn: "a, b, b, a, all full, b, all full",
	} {
		p := must(route.NewPool(route.Config{Policy: policy, Peers: equals(2, 2)}))
		var got []string
		var onB route.Lease
		pick := func() {
			d := p.PickAt(0, nil)
			if !d.OK {
				got = append(got, d.Reason.String())
				return
			}
			got = append(got, p.Peer(d.Peer).Name)
			if p.Peer(d.Peer).Name == "b" {
				onB = d.Lease
			}
		}
		for range 5 {
			pick()
		}
		p.SetHealth(0, 0, false)
		p.DoneAt(0, onB, route.Success)
		pick()
		pick()
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%v: %s, want %s", policy, got, want)
		}
		if a, b := p.InFlight(0), p.InFlight(1); a != 2 || b != 2 {
			t.Errorf("%v: a has %d in flight, b %d, want 2 and 2: a keeps what it had", policy, a, b)
		}
	}
}

// TestWithoutCapacity is the same sequence when nobody looks at the room: b reaches 3.
func TestWithoutCapacity(t *testing.T) {
	p := must(route.NewPool(route.Config{Peers: equals(2, 0)}))
	var onB route.Lease
	for range 5 {
		if d := p.PickAt(0, nil); d.Peer == 1 {
			onB = d.Lease
		}
	}
	p.SetHealth(0, 0, false)
	p.DoneAt(0, onB, route.Success)
	p.PickAt(0, nil)
	p.PickAt(0, nil)
	if got := p.InFlight(1); got != 3 {
		t.Errorf("b has %d in flight, want 3", got)
	}
}

// TestSmoothIsNginxs is the published sequence of weights 5, 1, 1, with the current weights after each pick.
func TestSmoothIsNginxs(t *testing.T) {
	p := must(route.NewPool(route.Config{Policy: route.Smooth, Peers: weighted(5, 1, 1)}))
	for round := range 3 {
		for i, want := range []struct {
			peer string
			cw   [3]int64
		}{
			{"a", [3]int64{-2, 1, 1}},
			{"a", [3]int64{-4, 2, 2}},
			{"b", [3]int64{1, -4, 3}},
			{"a", [3]int64{-1, -3, 4}},
			{"c", [3]int64{4, -2, -2}},
			{"a", [3]int64{2, -1, -1}},
			{"a", [3]int64{0, 0, 0}},
		} {
			d := p.PickAt(0, nil)
			got := [3]int64{p.Current(0) / route.WeightUnit, p.Current(1) / route.WeightUnit, p.Current(2) / route.WeightUnit}
			if name := p.Peer(d.Peer).Name; name != want.peer || got != want.cw {
				t.Fatalf("round %d, pick %d: %s, current weights %v, want %s, %v", round, i, name, got, want.peer, want.cw)
			}
			p.DoneAt(0, d.Lease, route.Success)
		}
	}
}

// TestChoicesAreNginxs: what nginx 1.22.1 with one worker chose when every connection was held open, with weights and max_conns, and
// "!" where it had no live upstream left.
func TestChoicesAreNginxs(t *testing.T) {
	for _, c := range []struct {
		policy route.Policy
		peers  []route.Peer
		want   string
	}{
		{route.LeastConn, equals(2, 2), "abba!"},
		{route.LeastConn, weighted(2, 1, 1), "abcacababaca"},
		{route.Smooth, equals(2, 2), "abab!"},
		// With three in flight on a and four on b each steps aside, and keeps its current weight.
		{route.Smooth, []route.Peer{{Name: "a", Weight: 5, MaxConns: 3}, {Name: "b", Weight: 1, MaxConns: 4}, {Name: "c", Weight: 2}}, "acaabcbccbccbc"},
	} {
		p := must(route.NewPool(route.Config{Policy: c.policy, Peers: c.peers}))
		got := ""
		for range len(c.want) {
			if d := p.PickAt(0, nil); d.OK {
				got += p.Peer(d.Peer).Name
			} else {
				got += "!"
			}
		}
		if got != c.want {
			t.Errorf("%v over %v: %s, want %s", c.policy, c.peers, got, c.want)
		}
	}
}
