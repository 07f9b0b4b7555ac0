package route_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/route"
)

// source is a Source for tests.
type source struct{ *rand.Rand }

func newSource(seed uint64) source { return source{rand.New(rand.NewPCG(seed, 7))} }

func (s source) Below(n int64) int64 { return s.Int64N(n) }

// twin chooses as a Pool does, as dumbly as can be: it makes a list of the peers that may be chosen, and looks through all of it.
type twin struct {
	policy  route.Policy
	peers   []route.Peer
	down    []bool
	conns   []int64
	current []int64
	last    int // the peer chosen last
}

func newTwin(policy route.Policy, peers []route.Peer) *twin {
	n := len(peers)
	return &twin{policy: policy, peers: peers, down: make([]bool, n), conns: make([]int64, n), current: make([]int64, n), last: n - 1}
}

func (w *twin) candidates() []int {
	var out []int
	for i, p := range w.peers {
		if p.Weight > 0 && !w.down[i] && (p.MaxConns == 0 || w.conns[i] < p.MaxConns) {
			out = append(out, i)
		}
	}
	return out
}

// pick returns −1 when nothing may be chosen.
func (w *twin) pick(r route.Source) int {
	from := w.candidates()
	if len(from) == 0 {
		return -1
	}
	var i int
	switch w.policy {
	case route.RoundRobin:
		for i = (w.last + 1) % len(w.peers); !contains(from, i); {
			i = (i + 1) % len(w.peers)
		}
	case route.Smooth:
		i = w.turn(from)
	case route.LeastConn:
		i = w.least(from)
	case route.TwoChoices:
		i = w.two(from, r)
	}
	w.last = i
	w.conns[i]++
	return i
}

func contains(list []int, i int) bool {
	for _, v := range list {
		if v == i {
			return true
		}
	}
	return false
}

// turn is smooth weighted round robin as nginx's commit message tells it.
func (w *twin) turn(from []int) int {
	best, total := from[0], int64(0)
	for _, i := range from {
		w.current[i] += w.peers[i].Weight
		total += w.peers[i].Weight
	}
	for _, i := range from {
		if w.current[i] > w.current[best] {
			best = i
		}
	}
	w.current[best] -= total
	return best
}

func (w *twin) share(i int, plus int64) *big.Rat {
	return big.NewRat(w.conns[i]+plus, w.peers[i].Weight)
}

func (w *twin) least(from []int) int {
	least := w.share(from[0], 0)
	for _, i := range from {
		if s := w.share(i, 0); s.Cmp(least) < 0 {
			least = s
		}
	}
	var ties []int
	for _, i := range from {
		if w.share(i, 0).Cmp(least) == 0 {
			ties = append(ties, i)
		}
	}
	if len(ties) == 1 {
		return ties[0]
	}
	return w.turn(ties)
}

func (w *twin) two(from []int, r route.Source) int {
	if len(from) == 1 {
		return from[0]
	}
	first := r.Below(int64(len(from)))
	i := from[first]
	rest := append(append([]int{}, from[:first]...), from[first+1:]...)
	j := rest[r.Below(int64(len(rest)))]
	switch w.share(i, 1).Cmp(w.share(j, 1)) {
	case -1:
		return i
	case 1:
		return j
	}
	return []int{i, j}[r.Below(2)]
}

// drawPeers makes up to 70 peers, so that sets of more than one word are met.
func drawPeers(t *rapid.T) []route.Peer {
	n := rapid.OneOf(rapid.IntRange(1, 5), rapid.IntRange(60, 70)).Draw(t, "peers")
	peers := make([]route.Peer, n)
	for i := range peers {
		peers[i] = route.Peer{
			Name:     "p" + string(rune('0'+i/10)) + string(rune('0'+i%10)),
			Weight:   rapid.SampledFrom([]int64{0, 1, 1, 1, 2, 5, 100}).Draw(t, "weight"),
			MaxConns: rapid.SampledFrom([]int64{0, 1, 2, 3}).Draw(t, "max conns"),
		}
	}
	return peers
}

// TestPicksAreTheTwins: every policy chooses as its twin does, whatever is picked, done and broken, and never a peer that is full,
// down or without weight.
func TestPicksAreTheTwins(t *testing.T) {
	for _, policy := range []route.Policy{route.RoundRobin, route.Smooth, route.LeastConn, route.TwoChoices} {
		t.Run(policy.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { comparePicks(t, policy) })
		})
	}
}

func comparePicks(t *rapid.T, policy route.Policy) {
	peers := drawPeers(t)
	p := must(route.NewPool(route.Config{Policy: policy, Peers: peers}))
	w := newTwin(policy, peers)
	seed := rapid.Uint64().Draw(t, "seed")
	mine, its := newSource(seed), newSource(seed)
	var out []route.Decision
	steps := rapid.IntRange(1, 150).Draw(t, "steps")
	for step := range steps {
		switch op := rapid.IntRange(0, 9).Draw(t, "op"); {
		case op < 6:
			d := p.PickAt(int64(step), mine)
			if want := w.pick(its); d.Peer != want || d.OK != (want >= 0) {
				t.Fatalf("step %d: %+v, want peer %d", step, d, want)
			}
			if d.OK {
				out = append(out, d)
			}
		case op < 9 && len(out) > 0:
			k := rapid.IntRange(0, len(out)-1).Draw(t, "which")
			if done := p.DoneAt(int64(step), out[k].Lease, route.Success); !done.OK || done.Peer != out[k].Peer {
				t.Fatalf("step %d: done %+v, want peer %d", step, done, out[k].Peer)
			}
			w.conns[out[k].Peer]--
			out = append(out[:k], out[k+1:]...)
		case op == 9 && policy != route.Smooth && policy != route.LeastConn: // whose turns health moves: TestTurnsStayBalanced
			i := rapid.IntRange(0, len(peers)-1).Draw(t, "peer")
			w.down[i] = !w.down[i]
			p.SetHealth(int64(step), i, !w.down[i])
		}
		for i := range peers {
			if p.InFlight(i) != w.conns[i] {
				t.Fatalf("step %d: peer %d has %d in flight, want %d", step, i, p.InFlight(i), w.conns[i])
			}
		}
	}
}

// TestSmoothKeepsItsPromise: whatever the weights, the current weights sum to 0 after each pick and say exactly what each peer is owed;
// and after Σw picks each was chosen as often as it weighs and nothing is owed.
func TestSmoothKeepsItsPromise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Int64Range(1, 40), 1, 8).Draw(t, "weights")
		p := must(route.NewPool(route.Config{Policy: route.Smooth, Peers: weighted(weights...)}))
		sum := int64(0)
		for _, w := range weights {
			sum += w
		}
		counts := make([]int64, len(weights))
		for k := int64(1); k <= sum; k++ {
			counts[p.PickAt(0, nil).Peer]++
			total := int64(0)
			for i, w := range weights {
				c := p.Current(i) / route.WeightUnit
				total += c
				// The current weight is what is owed: k picks should have given k·w/Σw.
				if owed := k*w - counts[i]*sum; owed != c {
					t.Fatalf("after %d picks peer %d is owed %d/%d of a pick, and its current weight is %d", k, i, owed, sum, c)
				}
			}
			if total != 0 {
				t.Fatalf("after %d picks the current weights sum to %d", k, total)
			}
		}
		for i, w := range weights {
			if counts[i] != w || p.Current(i) != 0 {
				t.Fatalf("after %d picks peer %d was chosen %d times with current weight %d left, want %d and 0", sum, i, counts[i], p.Current(i), w)
			}
		}
	})
}

// TestTurnsStayBalanced: through health, ejections, weights, arrivals and departures the current weights sum to 0, none runs away, and
// a peer that may not be chosen is not.
func TestTurnsStayBalanced(t *testing.T) {
	for _, policy := range []route.Policy{route.Smooth, route.LeastConn} {
		t.Run(policy.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkTurns(t, policy) })
		})
	}
}

func checkTurns(t *rapid.T, policy route.Policy) {
	peers := drawPeers(t)
	p := must(route.NewPool(route.Config{
		Policy: policy, Peers: peers, PanicPercent: rapid.SampledFrom([]int64{0, 50}).Draw(t, "panic"),
		SlowStart: route.SlowStart{Window: 20 * second},
		Outlier:   route.Outlier{Consecutive: 2, BaseEjection: 3 * second, MaxEjection: 9 * second, Interval: second, MaxPercent: 60},
	}))
	var out []route.Lease
	now := int64(0)
	for range rapid.IntRange(1, 100).Draw(t, "steps") {
		now += rapid.Int64Range(0, second).Draw(t, "passes")
		switch op := rapid.IntRange(0, 19).Draw(t, "op"); {
		case op < 10:
			d := p.PickAt(now, nil)
			if !d.OK {
				break
			}
			out = append(out, d.Lease)
			if c := p.Peer(d.Peer); c.Weight == 0 || c.MaxConns > 0 && p.InFlight(d.Peer) > c.MaxConns {
				t.Fatalf("at %d: chose %+v with %d in flight", now, c, p.InFlight(d.Peer))
			}
			if s := p.State(d.Peer); !d.Panic && s > route.Probing {
				t.Fatalf("at %d: chose a peer that is %v", now, s)
			}
		case op < 16 && len(out) > 0:
			p.DoneAt(now, out[0], rapid.SampledFrom([]route.Outcome{route.Success, route.Failure, route.Ignored}).Draw(t, "outcome"))
			out = out[1:]
		case op < 18 && p.Len() > 0:
			p.SetHealth(now, rapid.IntRange(0, p.Len()-1).Draw(t, "peer"), rapid.Bool().Draw(t, "up"))
		case op == 18:
			if err := p.SetPeers(now, rapid.Permutation(drawPeers(t)).Draw(t, "set")); err != nil {
				t.Fatal(err)
			}
		}
		sum, all, inFlight := int64(0), int64(0), int64(0)
		for i := range p.Len() {
			sum += p.Current(i)
			all += p.Peer(i).Weight * route.WeightUnit
			inFlight += p.InFlight(i)
		}
		for i := range p.Len() {
			if c := p.Current(i); c > 2*all || c < -2*all {
				t.Fatalf("at %d: the current weight of %+v is %d, all weigh %d", now, p.Peer(i), c, all)
			}
		}
		if sum != 0 || inFlight > p.Total() || p.Total() != int64(len(out)) {
			t.Fatalf("at %d: current weights sum to %d; %d in flight at peers, %d in all, want 0, at most that, %d", now, sum, inFlight, p.Total(), len(out))
		}
	}
}
