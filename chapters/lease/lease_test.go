package lease_test

import (
	"math/big"
	"math/rand/v2"
	"sort"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"seedbed/chapters/lease"
)

const (
	ms     = 1_000_000
	second = 1_000_000_000
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newLock(ttl, delay int64) lease.Lock {
	return must(lease.NewLock(lease.Config{TTL: ttl, Delay: delay}))
}

// TestLockStory: t0 to t9 of one lock of 10 s, with 2 s of delay after an expiry.
func TestLockStory(t *testing.T) {
	l := newLock(10*second, 2*second)
	acquire := func(step string, now int64, who uint64, want lease.Reason, n int64) lease.Token {
		t.Helper()
		g, why := l.AcquireAt(now, who)
		if why != want || g.Token.N != n {
			t.Fatalf("%s: token %d, %v; want %d, %v", step, g.Token.N, why, n, want)
		}
		return g.Token
	}
	a := acquire("t0 a", 0, 1, lease.Granted, 1)
	acquire("t1 b", second, 2, lease.Taken, 0)
	acquire("t1 a again", second, 1, lease.Taken, 0)
	if g, ok := l.RenewAt(5*second, a); !ok || g.Token != a || g.TTL != 10*second {
		t.Fatalf("t2: renewed %v, %v", g, ok)
	}
	acquire("t3 b, a holds until 15 s", 15*second-1, 2, lease.Taken, 0)
	acquire("t4 b, expired and delayed", 15*second, 2, lease.Delayed, 0)
	if _, ok := l.RenewAt(15*second, a); ok || l.ReleaseAt(15*second, a) {
		t.Fatal("t5: what has expired was renewed or given back")
	}
	b := acquire("t6 b", 17*second, 2, lease.Granted, 2)
	if l.ReleaseAt(17*second, a) {
		t.Fatal("t7: a gave b's lock back")
	}
	if _, ok := l.RenewAt(16*second, b); !ok { // an old instant counts as the newest
		t.Fatal("t7: b could not renew")
	}
	if !l.ReleaseAt(18*second, b) || l.ReleaseAt(18*second, b) {
		t.Fatal("t8: b gives it back once")
	}
	acquire("t9 a, at once", 18*second, 1, lease.Granted, 3)
	l.RecoverAt(20*second, 40)
	acquire("after a crash, old leases may last", 32*second-1, 5, lease.Delayed, 0)
	acquire("and tokens go on above what was written down", 32*second, 5, lease.Granted, 41)
	if got, ok := l.HolderAt(33 * second); !ok || got != (lease.Token{N: 41, Who: 5}) {
		t.Fatalf("holder %v, %v", got, ok)
	}
}

// TestLockIsItsTwin: against a list of all grants, looked through from its beginning for each question.
func TestLockIsItsTwin(t *testing.T) {
	type grant struct {
		token       lease.Token
		until, free int64 // free: when the next one may come
	}
	rapid.Check(t, func(t *rapid.T) {
		ttl, delay := rapid.Int64Range(1, 20).Draw(t, "ttl"), rapid.Int64Range(0, 10).Draw(t, "delay")
		l := newLock(ttl, delay)
		var grants []grant
		now := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += rapid.Int64Range(0, 12).Draw(t, "pause")
			who := rapid.Uint64Range(1, 3).Draw(t, "who")
			last := grant{free: -1}
			if len(grants) > 0 {
				last = grants[len(grants)-1]
			}
			holds := len(grants) > 0 && now < last.until
			token := lease.Token{N: rapid.Int64Range(0, int64(len(grants))).Draw(t, "token"), Who: who}
			mine := holds && token == last.token
			switch rapid.IntRange(0, 2).Draw(t, "do") {
			case 0:
				g, why := l.AcquireAt(now, who)
				want := lease.Granted
				if holds {
					want = lease.Taken
				} else if now < last.free {
					want = lease.Delayed
				}
				if why != want {
					t.Fatalf("at %d: %v, want %v", now, why, want)
				}
				if why == lease.Granted {
					if g.Token != (lease.Token{N: int64(len(grants) + 1), Who: who}) {
						t.Fatalf("token %v after %d grants", g.Token, len(grants))
					}
					grants = append(grants, grant{g.Token, now + ttl, now + ttl + delay})
				}
			case 1:
				if _, ok := l.RenewAt(now, token); ok != mine {
					t.Fatalf("at %d: %v renewed %v, want %v", now, token, ok, mine)
				} else if ok {
					grants[len(grants)-1].until, grants[len(grants)-1].free = now+ttl, now+ttl+delay
				}
			case 2:
				if ok := l.ReleaseAt(now, token); ok != mine {
					t.Fatalf("at %d: %v given back %v, want %v", now, token, ok, mine)
				} else if ok {
					grants[len(grants)-1].until, grants[len(grants)-1].free = now, now
				}
			}
		}
	})
}

// clock runs at a rate of its own and says a time of its own.
type clock struct{ offset, ppm int64 }

func (c clock) at(true64 int64) int64 { return c.offset + true64 + true64/1_000_000*c.ppm }

// TestNoTwoBelieve: a service and two clients whose clocks are off by up to the drift either way and agree on nothing; requests and answers take
// their time. At no true instant do both clients believe to hold the lock. With clocks that are off by more, or counting from when the
// answer came, they do: TestBelieversMeetWithoutCare.
func TestNoTwoBelieve(t *testing.T) {
	if got := meetings(50_000, false); got != 0 { // 5 percent, so that it shows
		t.Errorf("both believed in %d of 2000 histories", got)
	}
}

// TestBelieversMeetWithoutCare: what goes wrong when one of the two precautions is left out, in the same histories.
func TestBelieversMeetWithoutCare(t *testing.T) {
	if got := meetings(0, false); got < 20 {
		t.Errorf("clocks off by more than was thought: both believed in %d of 2000 histories, want some", got)
	}
	if got := meetings(50_000, true); got < 20 {
		t.Errorf("counted from the answer: both believed in %d of 2000 histories, want some", got)
	}
}

// meetings counts in how many of 2000 histories both clients believed at once, with the drift that they assume.
func meetings(assumed int64, fromReply bool) (n int) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		l := newLock(100*ms, 0)
		if meet(believe(r, &l, assumed, fromReply)) {
			n++
		}
	}
	return n
}

// anyClock is off by 5 percent at most, mostly by just that.
func anyClock(r *rand.Rand) clock {
	return clock{r.Int64N(2*second) - second, []int64{-50_000, 50_000, r.Int64N(100_000) - 50_000}[r.IntN(3)]}
}

// span is for how long a client believed, in true time.
type span struct {
	from, to int64
	who      uint64
}

// believe lets two clients ask in turn, and returns who believed when.
func believe(r *rand.Rand, l *lease.Lock, assumed int64, fromReply bool) []span {
	var out []span
	service, clients := anyClock(r), [2]clock{anyClock(r), anyClock(r)}
	now := int64(0)
	for range 40 {
		now += r.Int64N(10 * ms)
		who := r.Uint64N(2)
		sent := now
		decided := sent + r.Int64N(10*ms)
		reply := decided + r.Int64N(30*ms)
		now = decided
		g, why := l.AcquireAt(service.at(decided), who)
		if why != lease.Granted {
			continue
		}
		c := clients[who]
		from := c.at(sent)
		if fromReply {
			from = c.at(reply)
		}
		until := lease.Held(from, g, assumed)
		believed := sort.Search(second, func(d int) bool { return c.at(reply+int64(d)) >= until })
		out = append(out, span{reply, reply + int64(believed), who})
	}
	return out
}

// meet is true when there is an instant at which two believed.
func meet(spans []span) bool {
	for i, a := range spans {
		for _, b := range spans[:i] {
			if max(a.from, b.from) < min(a.to, b.to) {
				return true
			}
		}
	}
	return false
}

// TestSpan: against numbers of any size.
func TestSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ttl, drift := rapid.Int64Range(0, lease.MaxDuration).Draw(t, "ttl"), rapid.Int64Range(0, lease.MaxDrift).Draw(t, "drift")
		want := new(big.Int).Mul(big.NewInt(ttl), big.NewInt(1_000_000-drift))
		want.Quo(want, big.NewInt(1_000_000+drift))
		if got := lease.Span(ttl, drift); got != want.Int64() {
			t.Fatalf("%d with %d: %d, want %v", ttl, drift, got, want)
		}
	})
	if got := lease.Span(second, 200); got != 999_600_079 { // 10⁹ × 999,800/1,000,200
		t.Errorf("a second with 200 parts of a million: %d", got)
	}
	if lease.Span(-1, 0) != 0 || lease.Span(9, -1) != 9 || lease.Held(1<<63-1, lease.Grant{TTL: 5}, 0) != 1<<63-1 {
		t.Error("the ends of the ranges")
	}
}

// TestBadConfigurations: one line says what is wrong, where, and what would be right.
func TestBadConfigurations(t *testing.T) {
	lock := func(ttl, delay int64) error {
		_, err := lease.NewLock(lease.Config{TTL: ttl, Delay: delay})
		return err
	}
	leader := func(nodes int, election, drift int64) error {
		_, err := lease.NewLeader(lease.LeaderConfig{Nodes: nodes, Election: election, Drift: drift})
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{lock(1, 0), ""},
		{lock(0, 0), "TTL: 0 is outside 1..2305843009213693952 ns"},
		{lock(1, -1), "delay: -1 is outside 0..2305843009213693952 ns"},
		{leader(1, 1, 0), ""},
		{leader(65, 1, 0), "nodes: 65 is outside 1..64"},
		{leader(3, 0, 0), "election: 0 is outside 1..2305843009213693952 ns"},
		{leader(3, 1, 500_001), "drift: 500001 is outside 0..500000 parts of a million"},
	} {
		got := ""
		if c.err != nil {
			got = c.err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	var zero lease.Lock
	zero.RecoverAt(0, 5)
	if _, why := zero.AcquireAt(0, 1); why != lease.Unmade || why.String() != "unmade" || lease.Reason(9).String() != "reason 9" {
		t.Errorf("the zero lock: %v", why)
	}
	if want := int(unsafe.Sizeof(zero) - unsafe.Sizeof(lease.Config{})); zero.Size() != want {
		t.Errorf("told to be %d bytes, is %d", zero.Size(), want)
	}
}
