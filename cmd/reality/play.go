package main

import (
	"context"
	"math/rand/v2"
	"strings"

	"seedbed/chapters/route"
)

// tally is how a real program and ours answered the same requests.
type tally struct {
	same, of   int
	real, ours []int // the peer of each request, refused for none
}

func (t *tally) note(real, ours int) {
	t.of++
	if real == ours {
		t.same++
	}
	t.real, t.ours = append(t.real, real), append(t.ours, ours)
}

// line is the names of peers, a dash for a refusal.
func line(peers []int) string {
	names := make([]string, len(peers))
	for i, p := range peers {
		names[i] = "–"
		if p != refused {
			names[i] = peerName(p)
		}
	}
	return strings.Join(names, " ")
}

// sent is how many requests each of n peers got, as "15 3 3".
func sent(choices []int, n int) []int {
	counts := make([]int, n)
	for _, p := range choices {
		if p != refused {
			counts[p]++
		}
	}
	return counts
}

// play asks a real gateway and ours the same: n requests, at the workers in turn. With luck a request stays, and between requests
// guests leave at random, about as many as come; without luck none stays. Who leaves is one of those that the real gateway let in; if
// ours had refused it there is nothing to end.
func play(ctx context.Context, c *crowd, ours *route.Workers, n int, luck *rand.Rand) (tally, error) {
	var t tally
	type both struct {
		guest  *guest
		worker int
		ours   route.Decision
	}
	var inside []both
	leave := func(k int) error {
		b := inside[k]
		inside = append(inside[:k], inside[k+1:]...)
		if b.ours.OK {
			ours.Pool(b.worker).DoneAt(int64(t.of), b.ours.Lease, route.Success)
		}
		return c.leave(b.guest)
	}
	for i := range n {
		for luck != nil && len(inside) > 0 && luck.IntN(2) == 0 {
			if err := leave(luck.IntN(len(inside))); err != nil {
				return t, err
			}
		}
		worker := i % len(c.workers)
		d := ours.Pool(worker).PickAt(int64(t.of), nil)
		if luck == nil {
			a, err := c.pass(ctx, worker, "/")
			if err != nil {
				return t, err
			}
			ours.Pool(worker).DoneAt(int64(t.of), d.Lease, route.Success)
			t.note(a.peer, d.Peer)
			continue
		}
		g, a, err := c.come(ctx, worker)
		if err != nil {
			return t, err
		}
		t.note(a.peer, d.Peer)
		if g != nil {
			inside = append(inside, both{g, worker, d})
		} else if d.OK { // ours let in what the real one refused: it ends at once
			ours.Pool(worker).DoneAt(int64(t.of), d.Lease, route.Success)
		}
	}
	for len(inside) > 0 {
		if err := leave(0); err != nil {
			return t, err
		}
	}
	return t, nil
}
