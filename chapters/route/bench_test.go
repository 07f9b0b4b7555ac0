package route_test

import (
	"strconv"
	"testing"

	"seedbed/chapters/route"
)

var policies = []route.Policy{route.RoundRobin, route.Smooth, route.LeastConn, route.TwoChoices, route.PeakEWMA}

// busy is a pool of n peers with weights 1..3 in which some requests are in flight already.
func busy(policy route.Policy, n int) route.Pool {
	peers := make([]route.Peer, n)
	for i := range peers {
		peers[i] = route.Peer{Name: "p" + strconv.Itoa(i), Weight: int64(1 + i%3), MaxConns: 100}
	}
	p := must(route.NewPool(route.Config{Policy: policy, Peers: peers, Outlier: route.EnvoyOutlier(), PanicPercent: 50, FailurePenalty: second}))
	r := newSource(1)
	for range 2 * n {
		p.PickAt(0, r)
	}
	return p
}

// TestNothingAllocates: no pick, no end, no wait, no key that is known.
func TestNothingAllocates(t *testing.T) {
	r := newSource(1)
	var src route.Source = r
	now := int64(0)
	each := map[string]func(){}
	for _, policy := range policies {
		p := busy(policy, 100)
		p.DoneAt(0, p.PickAt(0, src).Lease, route.Success)
		k := 0
		each[policy.String()] = func() {
			now += 1000
			k++
			o := route.Success
			if k%7 == 0 {
				o = route.Failure
			}
			p.DoneAt(now, p.PickAt(now, src).Lease, o)
		}
	}
	g := must(route.NewGateway(route.Config{Peers: equals(1, 1)}, route.QueueConfig{Depth: 2}))
	_, held := g.AskAt(0, route.NoDeadline, nil)
	each["gateway"] = func() {
		g.AskAt(0, route.NoDeadline, nil)
		g.DoneAt(0, held.Lease, route.Success)
		_, held, _ = g.NextAt(0, nil)
	}
	tried := []int{1, 2}
	other := busy(route.LeastConn, 100)
	other.DoneAt(0, other.PickAt(0, nil).Lease, route.Success)
	each["another peer"] = func() { other.DoneAt(0, other.PickOtherAt(0, tried, nil).Lease, route.Success) }
	keys := must(route.NewKeys[int64](route.KeysConfig{MaxKeys: 4, Lease: 1, TTL: 1}))
	each["keys"] = func() {
		now += 10
		keys.FinishAt(now, keys.BeginAt(now, "a", 1).Claim, 7)
		keys.BeginAt(now, "a", 1)
	}
	tr := must(route.NewRetrier(route.RetryConfig{Attempts: 3, Backoff: route.Backoff{Base: second, Cap: second}, Budget: route.FinagleBudget()}))
	each["retrier"] = func() {
		tr.FirstAt(now)
		tr.NextAt(now, route.Attempt{Number: 1, Safe: true, Told: -1, Deadline: route.NoDeadline}, src)
	}
	th := must(route.NewThrottle(route.ThrottleConfig{K: 2000, Window: second}))
	each["throttle"] = func() { th.AskAt(now, src); th.AcceptAt(now) }
	each["Retry-After"] = func() { route.ParseRetryAfter("Sun, 06 Nov 1994 08:49:37 GMT", noon) }
	idle := must(route.NewIdle(route.IdleConfig{Keep: 4, Timeout: second}))
	each["idle"] = func() { idle.TakeAt(now, 1); idle.PutAt(now, 1); idle.PutAt(now, 2) }
	for name, f := range each {
		f()
		if n := testing.AllocsPerRun(200, f); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}

// BenchmarkPick is a pick and its end, the clock passed in.
func BenchmarkPick(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		for _, policy := range policies {
			b.Run(policy.String()+"/"+strconv.Itoa(n), func(b *testing.B) {
				p := busy(policy, n)
				var r route.Source = newSource(1)
				b.ReportAllocs()
				b.ResetTimer()
				for k := range int64(b.N) {
					p.DoneAt(k*1000, p.PickAt(k*1000, r).Lease, route.Success)
				}
			})
		}
	}
}
