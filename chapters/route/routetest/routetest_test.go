package routetest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"seedbed/chapters/route"
	"seedbed/chapters/route/routetest"
)

const second = 1_000_000_000

type source struct{ *rand.Rand }

func (s source) Below(n int64) int64 { return s.Int64N(n) }

// pool is a route.Pool as the suite wants it: it remembers the leases of each peer.
type pool struct {
	inner  route.Pool
	random source
	leases map[int][]route.Lease
}

func newPool(cfg route.Config, scatter bool) func([]route.Peer, uint64) routetest.Balancer {
	return func(peers []route.Peer, seed uint64) routetest.Balancer {
		cfg.Peers = peers
		p, err := route.NewPool(cfg)
		if err != nil {
			panic(err)
		}
		b := &pool{inner: p, random: source{rand.New(rand.NewPCG(seed, 1))}, leases: map[int][]route.Lease{}}
		if scatter {
			b.inner.Scatter(b.random)
		}
		return b
	}
}

func (b *pool) Pick(now int64) (int, bool) {
	d := b.inner.PickAt(now, b.random)
	if d.OK {
		b.leases[d.Peer] = append(b.leases[d.Peer], d.Lease)
	}
	return d.Peer, d.OK
}

// Done ends the newest request of the peer, which in the schedule of Evades is the one that failed.
func (b *pool) Done(now int64, peer int, failed bool) {
	last := len(b.leases[peer]) - 1
	o := route.Success
	if failed {
		o = route.Failure
	}
	b.inner.DoneAt(now, b.leases[peer][last], o)
	b.leases[peer] = b.leases[peer][:last]
}

func (b *pool) SetHealth(now int64, peer int, up bool) { b.inner.SetHealth(now, peer, up) }

// TestPools: each policy keeps what it promises.
func TestPools(t *testing.T) {
	for policy, claims := range map[route.Policy]routetest.Claim{
		route.RoundRobin: routetest.EqualTurns | routetest.Even,
		route.Smooth:     routetest.Turns | routetest.EqualTurns | routetest.Even,
		route.LeastConn:  routetest.Turns | routetest.EqualTurns | routetest.Even | routetest.Evades,
		route.TwoChoices: routetest.Even | routetest.Evades,
		route.PeakEWMA:   routetest.Even | routetest.Evades,
	} {
		t.Run(policy.String(), func(t *testing.T) {
			routetest.Run(t, routetest.Target{
				New:    newPool(route.Config{Policy: policy, FailurePenalty: second}, true),
				Claims: claims | routetest.Always | routetest.Scattered,
			})
		})
	}
}

// TestEjectionEvades: round robin knows nothing of failures, and ejection does.
func TestEjectionEvades(t *testing.T) {
	routetest.Run(t, routetest.Target{
		New:    newPool(route.Config{Outlier: route.Outlier{Consecutive: 5, BaseEjection: second, MaxEjection: 9 * second, Interval: second, MaxPercent: 50}}, true),
		Claims: routetest.Always | routetest.Evades,
	})
}

// recorder is a TB that keeps what it is told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// bent is a round robin in which one habit is turned off.
type bent struct {
	peers  []route.Peer
	flight []int64
	down   []bool
	next   int

	overfills, ignoresHealth, forgets, refusesEarly, random, sticks, drawsFailures bool

	failed []int
}

func (b *bent) Pick(int64) (int, bool) {
	if b.refusesEarly && b.flight[0] > 0 && b.peers[0].MaxConns > 0 {
		return -1, false
	}
	if b.drawsFailures {
		for i, n := range b.failed {
			if n > 0 && !b.down[i] {
				b.flight[i]++
				return i, true
			}
		}
	}
	if b.random {
		b.next = rand.IntN(len(b.peers))
	}
	for range b.peers {
		i := b.next
		b.next = (b.next + 1) % len(b.peers)
		room := b.overfills || b.peers[i].MaxConns == 0 || b.flight[i] < b.peers[i].MaxConns
		if room && (b.ignoresHealth || !b.down[i]) {
			if b.sticks {
				b.next = i
			}
			b.flight[i]++
			return i, true
		}
	}
	return -1, false
}

func (b *bent) Done(_ int64, peer int, failed bool) {
	if failed {
		b.failed[peer]++
	}
	b.flight[peer]--
}

func (b *bent) SetHealth(_ int64, peer int, up bool) {
	if !up || !b.forgets {
		b.down[peer] = !up
	}
}

// TestEachClaimCanFail: for each claim a balancer that breaks it, and nothing is said of the one that breaks none.
func TestEachClaimCanFail(t *testing.T) {
	for name, c := range map[string]struct {
		claim routetest.Claim
		bend  func(*bent)
		want  string
	}{
		"overfills":           {routetest.WithinRoom, func(b *bent) { b.overfills = true }, "in flight, room for"},
		"room none has":       {routetest.UsesRoom, func(b *bent) { b.overfills = true }, "none had room"},
		"ignores health":      {routetest.HealthyOnly, func(b *bent) { b.ignoresHealth = true }, "and is down"},
		"never forgives":      {routetest.HealthyOnly, func(b *bent) { b.forgets = true }, "is the only one up"},
		"refuses early":       {routetest.UsesRoom, func(b *bent) { b.refusesEarly = true }, "though a healthy peer had room"},
		"draws its own luck":  {routetest.Repeats, func(b *bent) { b.random = true }, "with the same seed"},
		"ignores weights":     {routetest.Turns, func(*bent) {}, "of weight"},
		"sticks":              {routetest.EqualTurns, func(b *bent) { b.sticks = true }, "of weight 1"},
		"piles up":            {routetest.Even, func(b *bent) { b.sticks = true }, "equal peers"},
		"in phase":            {routetest.Scattered, func(*bent) {}, "all choose peer 0 first"},
		"likes fast failures": {routetest.Evades, func(b *bent) { b.drawsFailures = true }, "fails at once"},
		"sees no failures":    {routetest.Evades, func(*bent) {}, "its share is 1000"},
		"right":               {routetest.Always | routetest.EqualTurns | routetest.Even, func(*bent) {}, ""},
	} {
		r := &recorder{}
		routetest.Check(r, routetest.Target{Claims: c.claim, New: func(peers []route.Peer, seed uint64) routetest.Balancer {
			b := &bent{peers: peers, flight: make([]int64, len(peers)), down: make([]bool, len(peers)), failed: make([]int, len(peers))}
			c.bend(b)
			return b
		}})
		got := strings.Join(r.said, "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) || c.want != "" && !strings.HasPrefix(got, c.claim.String()+": seed ") {
			t.Errorf("%s: the suite says %q, want %q", name, got, c.want)
		}
	}
}

// TestTargetsThatMakeNoSense are told so.
func TestTargetsThatMakeNoSense(t *testing.T) {
	fresh := newPool(route.Config{}, false)
	for want, target := range map[string]routetest.Target{
		"New is nil": {Claims: routetest.Always},
		"no claims":  {New: fresh},
		"-1 seeds":   {New: fresh, Claims: routetest.Always, Seeds: -1},
	} {
		r := &recorder{}
		routetest.Check(r, target)
		if len(r.said) != 1 || !strings.Contains(r.said[0], want) {
			t.Errorf("said %q, want one line with %q", r.said, want)
		}
	}
	if got := (routetest.Turns | routetest.WithinRoom).String(); got != "within-room|turns" {
		t.Errorf("claims are called %q", got)
	}
	if got := routetest.Claim(0).String(); got != "none" {
		t.Errorf("no claims are called %q", got)
	}
}
