package route_test

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"seedbed/chapters/route"
)

// TestMaxConnsByWorkersAndShared: two workers, a peer with room for 2. Each counting for itself they send 4, and neither did wrong;
// counting together they send 2.
func TestMaxConnsByWorkersAndShared(t *testing.T) {
	for _, c := range []struct {
		workers int
		shared  bool
		want    int64
	}{{1, false, 2}, {2, false, 4}, {2, true, 2}, {4, false, 8}, {4, true, 2}} {
		w := must(route.NewWorkers(route.Config{Policy: route.LeastConn, Peers: equals(1, 2)}, c.workers, c.shared))
		for range 10 {
			for k := range w.Len() {
				w.Pool(k).PickAt(0, nil)
			}
		}
		copied := w.Clone()
		copied.Pool(0).SetHealth(0, 0, false)
		if got := w.InFlight(0); got != c.want || w.Pool(0).InFlight(0) != 2 || w.Pool(0).State(0) != route.Up {
			t.Errorf("%d workers, shared %v: the peer has %d in flight, want %d", c.workers, c.shared, got, c.want)
		}
	}
}

// TestIdleConnectionsComeOnTop: nginx's keepalive cache: the last used is taken, the oldest is closed, over all peers.
func TestIdleConnectionsComeOnTop(t *testing.T) {
	d := must(route.NewIdle(route.IdleConfig{Keep: 3, Timeout: 60 * second}))
	if d.TakeAt(0, 1) {
		t.Errorf("taken from none")
	}
	closed := 0
	for k, peer := range []int{1, 2, 1, 2} {
		closed += d.PutAt(int64(k)*second, peer)
	}
	if closed != 1 || d.Len() != 3 || d.Of(1) != 1 || d.Of(2) != 2 {
		t.Errorf("four of three: %d closed, %d kept, %d and %d, want 1, 3, 1, 2", closed, d.Len(), d.Of(1), d.Of(2))
	}
	if !d.TakeAt(4*second, 2) || d.NextExpiry() != 61*second { // the one of 3 s is gone, that of 1 s is the oldest
		t.Errorf("the oldest expires at %d, want 61 s", d.NextExpiry())
	}
	c := d.Clone()
	if n := d.ExpireAt(61 * second); n != 1 || d.Len() != 1 {
		t.Errorf("at 61 s %d are closed, %d kept, want 1, 1", n, d.Len())
	}
	if c.Len() != 2 || !c.TakeAt(60*second, 2) || d.TakeAt(61*second, 2) {
		t.Errorf("the copy is not its own")
	}
	var zero route.Idle
	if zero.PutAt(0, 1) != 1 || zero.TakeAt(0, 1) {
		t.Errorf("the zero value keeps something")
	}
}

// TestErrorsSayWhatWouldBeRight: one line each, with the field, what it is and what it may be.
func TestErrorsSayWhatWouldBeRight(t *testing.T) {
	pool := func(c route.Config) error { _, err := route.NewPool(c); return err }
	for want, err := range map[string]error{
		`weight of a: -1 is outside 0..1000000`:                 pool(route.Config{Peers: []route.Peer{{Name: "a", Weight: -1}}}),
		`max conns of a: 2000000 is outside 0..1048576`:         pool(route.Config{Peers: []route.Peer{{Name: "a", MaxConns: 2_000_000}}}),
		`peer "a" is named twice; want one name a peer`:         pool(route.Config{Peers: append(equals(2, 0), equals(1, 0)...)}),
		`a peer has no name; want one that no other peer has`:   pool(route.Config{Peers: []route.Peer{{Weight: 1}}}),
		`peers: 4097 is outside 0..4096`:                        pool(route.Config{Peers: make([]route.Peer, 4097)}),
		`policy: 5 is outside 0..4`:                             pool(route.Config{Policy: 5}),
		`panic percent: 101 is outside 0..100`:                  pool(route.Config{PanicPercent: 101}),
		`slow start: -1 is outside 0..4611686018427387904 ns`:   pool(route.Config{SlowStart: route.SlowStart{Window: -1}}),
		`base ejection: 0 is outside 1..4611686018427387904 ns`: pool(route.Config{Outlier: route.Outlier{Consecutive: 5}}),
		`probe successes: 0 is outside 1..1000000`:              pool(route.Config{Probe: route.Probe{Conns: 1}}),
		`depth: -1 is outside 0..1048576 requests`:              second2(route.NewQueue(route.QueueConfig{Depth: -1})),
		`workers: 0 is outside 1..256`:                          second2(route.NewWorkers(route.Config{}, 0, false)),
		`attempts: 0 is outside 1..100`:                         second2(route.NewRetrier(route.RetryConfig{Budget: route.FinagleBudget()})),
		`budget TTL: 0 is outside 10..3600000000000 ns`:         second2(route.NewBudget(route.BudgetConfig{})),
		`throttle K: 999 is outside 1000..1000000 thousandths`:  second2(route.NewThrottle(route.ThrottleConfig{K: 999, Window: second})),
		`keys: 0 is outside 1..1048576`:                         second2(route.NewKeys[int](route.KeysConfig{})),
		`keep: -1 is outside 0..4096 connections`:               second2(route.NewIdle(route.IdleConfig{Keep: -1})),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	p := must(route.NewPool(route.Config{Peers: equals(2, 0)}))
	var bad *route.NameError
	if err := p.SetPeers(0, append(equals(1, 0), equals(1, 0)...)); !errors.As(err, &bad) || bad.Name != "a" || p.Len() != 2 {
		t.Errorf("SetPeers: %v and %d peers, want the name and the old set", err, p.Len())
	}
}

// second2 is the second of two results.
func second2[T any](_ T, err error) error { return err }

// TestEveryStateHasAWord: and what is none shows its number.
func TestEveryStateHasAWord(t *testing.T) {
	words := []string{}
	for i := range uint8(6) {
		words = append(words, route.Reason(i).String(), route.Failed(i).String(), route.Stop(i).String(), route.KeyState(i).String())
	}
	for i := range uint8(5) {
		words = append(words, route.Policy(i).String(), route.State(i).String())
	}
	for _, w := range words {
		if strings.ContainsAny(w, "0123456789") || w == "" {
			t.Errorf("a state is called %q", w)
		}
	}
	if got := route.State(9).String(); got != "9" {
		t.Errorf("a state that is none: %q", got)
	}
}

// TestZeroValuesRefuse: a forgotten constructor fails closed.
func TestZeroValuesRefuse(t *testing.T) {
	var g route.Gateway
	if _, d := g.AskAt(0, route.NoDeadline, nil); d.OK || d.Reason != route.NoneHealthy {
		t.Errorf("gateway: %+v", d)
	}
	if _, _, ok := g.NextAt(0, nil); ok {
		t.Errorf("gateway: somebody waits")
	}
	var q route.Queue
	if _, why := q.Push(0, 1); why != route.QueueFull {
		t.Errorf("queue: %v", why)
	}
	var tr route.Retrier
	if d := tr.NextAt(0, route.Attempt{Number: 1, Safe: true, Deadline: route.NoDeadline}, newSource(1)); d.OK {
		t.Errorf("retrier: %+v", d)
	}
	var p route.Pool
	if d := p.DoneAt(0, route.Lease{}, route.Success); d.OK {
		t.Errorf("pool: %+v", d)
	}
}

// TestCopiesAreIndependent: what happens to a copy does not happen to the original, and the other way round.
func TestCopiesAreIndependent(t *testing.T) {
	g := must(route.NewGateway(route.Config{Policy: route.Smooth, Peers: equals(3, 1)}, route.QueueConfig{Depth: 4}))
	_, held := g.AskAt(0, route.NoDeadline, nil)
	for range 3 {
		g.AskAt(0, route.NoDeadline, nil)
	}
	before := transcript(g.Clone(), held)
	c := g.Clone()
	c.DoneAt(0, held.Lease, route.Failure)
	c.SetHealth(0, 1, false)
	c.NextAt(0, nil)
	c.AskAt(5, route.NoDeadline, nil)
	if err := c.SetPeers(6, weighted(5, 1)); err != nil {
		t.Fatal(err)
	}
	if after := transcript(g.Clone(), held); !reflect.DeepEqual(after, before) {
		t.Errorf("after use of a copy the original goes on %v, before %v", after, before)
	}
}

// transcript is what a gateway does next.
func transcript(g route.Gateway, held route.Decision) []any {
	out := []any{g.DoneAt(9, held.Lease, route.Success), g.Size()}
	for range 6 {
		w, d, ok := g.NextAt(9, nil)
		ticket, asked := g.AskAt(10, 99, nil)
		out = append(out, w, d, ok, ticket, asked)
	}
	return out
}

// TestInstantsOfThePastCountAsTheNewest: time given out of order changes nothing that counted before.
func TestInstantsOfThePastCountAsTheNewest(t *testing.T) {
	p := must(route.NewPool(route.Config{Peers: equals(1, 0), Outlier: route.Outlier{Consecutive: 1, BaseEjection: 10 * second, MaxEjection: 10 * second, Interval: second, MaxPercent: 100}}))
	d := p.PickAt(100*second, nil)
	if done := p.DoneAt(50*second, d.Lease, route.Failure); done.Took != 0 {
		t.Errorf("took %d, want 0", done.Took)
	}
	if p.PickAt(60*second, nil).OK || p.NextChange() != 110*second {
		t.Errorf("the ejection ends at %d, want 110 s", p.NextChange())
	}
	if d := p.PickAt(1<<63-1, nil); !d.OK {
		t.Errorf("at the last instant of all: %+v", d)
	}
}

// TestLockedUnderLoad: many goroutines, one pool that changes; run with -race. No peer is ever above its room.
func TestLockedUnderLoad(t *testing.T) {
	var ticks int64
	var clockLock sync.Mutex
	clock := func() int64 {
		clockLock.Lock()
		defer clockLock.Unlock()
		ticks += 1000
		return ticks
	}
	l := must(route.NewLocked(route.Config{Policy: route.TwoChoices, Peers: equals(4, 3)}, clock, newSource(1)))
	var wg sync.WaitGroup
	for k := range 16 {
		wg.Go(func() {
			last := "a"
			for n := range 300 {
				name, d := l.Pick(last, "nobody")
				if d.OK && name == last && n%4 != 0 {
					s := l.Snapshot()
					if s.Total() < 3 { // with so few in flight another peer had room
						t.Errorf("%s again, though others had room", name)
					}
				}
				if k == 0 && n%50 == 0 {
					l.SetHealth("c", n%100 != 0)
					if err := l.SetPeers(equals(4, 3)); err != nil {
						t.Error(err)
					}
				}
				s := l.Snapshot()
				for i := range s.Len() {
					if s.InFlight(i) > 3 {
						t.Errorf("%d in flight", s.InFlight(i))
					}
				}
				if d.OK {
					l.Done(d.Lease, route.Success)
				}
				last = name
			}
		})
	}
	wg.Wait()
	if s := l.Snapshot(); s.Total() != 0 {
		t.Errorf("%d in flight at the end", s.Total())
	}
	if l.SetHealth("nobody", false) {
		t.Errorf("the health of nobody can be set")
	}
}

// TestLockedRetriesAndKeys: one effect for many replays at once.
func TestLockedRetriesAndKeys(t *testing.T) {
	clock := func() int64 { return 0 }
	keys := must(route.NewLockedKeys[int](route.KeysConfig{MaxKeys: 8, Lease: second, TTL: second}, clock))
	retries := must(route.NewLockedRetrier(route.RetryConfig{Attempts: 3, Budget: route.BudgetConfig{Percent: 20, TTL: 10 * second}}, clock, newSource(1)))
	var wg sync.WaitGroup
	var lock sync.Mutex
	effects, granted := 0, 0
	for range 50 {
		wg.Go(func() {
			retries.First()
			if d := keys.Begin("order", 1); d.State == route.First {
				lock.Lock()
				effects++
				lock.Unlock()
				keys.Finish(d.Claim, 42)
			} else if d.State == route.Finished && d.Result != 42 {
				t.Errorf("replayed: %+v", d)
			}
			if d := keys.Begin("other", 1); d.State == route.First && !keys.Abandon(d.Claim) {
				t.Errorf("a claim of one's own is void")
			}
		})
	}
	wg.Wait()
	for range 50 {
		if retries.Next(route.Attempt{Number: 1, Safe: true, Told: -1, Deadline: route.NoDeadline}).OK {
			granted++
		}
	}
	if effects != 1 || granted != 10 {
		t.Errorf("%d effects and %d retries for 50 requests, want 1 and 10", effects, granted)
	}
}
